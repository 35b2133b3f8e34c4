"""How good a ranking of past mistakes is: precision at k, ties shared evenly; what chance gives; who fills the top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.records import Record

DEEPEST: Final = 10
"""Precision is told at 1 to this."""
_DECIMALS: Final = 6  # beyond them two likenesses are the same: float32 says no more


@dataclass(frozen=True, slots=True)
class Pool:
    """One learner's mistakes of one track: their places in the records, and [n, n] whether the column may be recalled for the row."""

    learner: str
    places: NDArray[np.intp]
    allowed: NDArray[np.bool_]


def pools(records: Sequence[Record], *, own_exercise: bool = False, earlier: bool = False) -> list[Pool]:
    """Return a pool for each learner and track: other exercises only unless `own_exercise`, and only the past if `earlier`."""
    apart: dict[tuple[str, str], list[int]] = {}
    for place, record in enumerate(records):
        apart.setdefault((record.learner, record.card.track), []).append(place)
    found = []
    for (learner, _), places in apart.items():
        allowed = ~np.eye(len(places), dtype=bool)
        if not own_exercise:
            allowed &= ~_equal([records[place].exercise for place in places])
        if earlier:
            times = np.array([records[place].at.timestamp() for place in places])
            allowed &= times[None, :] < times[:, None]
        found.append(Pool(learner, np.array(places, np.intp), allowed))
    return found


def everybody(records: Sequence[Record]) -> Pool:
    """Return one pool of all learners, other exercises only."""
    return Pool("", np.arange(len(records)), ~_equal([record.exercise for record in records]))


def alike(labels: Sequence[str], pool: Pool) -> NDArray[np.bool_]:
    """Return [n, n] whether two mistakes of the pool carry the same label; "" is like nothing."""
    own = [labels[place] for place in pool.places]
    return np.asarray(_equal(own) & np.array([label != "" for label in own], np.bool_)[:, None])


def _equal(labels: Sequence[str]) -> NDArray[np.bool_]:
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    codes = np.array([numbers[label] for label in labels], np.int64)
    return np.asarray(codes[:, None] == codes[None, :], np.bool_)


def shares(
    scores: NDArray[np.floating], hits: NDArray[np.bool_], allowed: NDArray[np.bool_], deepest: int = DEEPEST
) -> NDArray[np.float64]:
    """Return [n, deepest]: the expected share of hits among the k best columns of each row; NaN where none is allowed.

    Columns of equal score share their places evenly. Where fewer than k are allowed, all of them are taken.
    """
    rounded = np.where(allowed, np.round(scores.astype(np.float64), _DECIMALS), -np.inf)
    order = np.argsort(-rounded, axis=1, kind="stable")
    ranked = np.take_along_axis(rounded, order, axis=1)
    found = np.take_along_axis((hits & allowed).astype(np.float64), order, axis=1)
    result = np.full((len(scores), deepest), np.nan)
    for row, available in enumerate(allowed.sum(axis=1)):
        if available:
            expected = _levelled(ranked[row, :available], found[row, :available])
            result[row] = _running_mean(expected, deepest)
    return result


def _levelled(ranked: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give each place the mean of all places of its score: what is there if equals are drawn by lot."""
    starts = np.concatenate([[0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1])
    sizes = np.diff(starts, append=len(ranked))
    return np.asarray(np.repeat(np.add.reduceat(found, starts) / sizes, sizes), np.float64)


def _running_mean(expected: NDArray[np.float64], deepest: int) -> NDArray[np.float64]:
    """Return the mean of the first 1, 2, ... values; of all there are when k is more."""
    sums = np.cumsum(expected[:deepest]) / np.arange(1, min(deepest, len(expected)) + 1)
    return np.concatenate([sums, np.full(deepest - len(sums), sums[-1])])


def precision(
    scores: Sequence[NDArray[np.floating]], pools_: Sequence[Pool], labels: Sequence[str]
) -> tuple[float, ...]:
    """Return precision at 1 to DEEPEST, the mean over all queries that have a label and any candidate; NaN without one."""
    found = np.vstack([np.empty((0, DEEPEST)), *_told(scores, pools_, labels)])
    return tuple(float(value) for value in found.mean(axis=0)) if len(found) else (float("nan"),) * DEEPEST


def _told(
    scores: Sequence[NDArray[np.floating]], pools_: Sequence[Pool], labels: Sequence[str]
) -> list[NDArray[np.float64]]:
    """Return for each pool the shares of its queries that can be judged."""
    result = []
    for score, pool in zip(scores, pools_, strict=True):
        found = shares(score, alike(labels, pool), pool.allowed)
        named = np.array([labels[place] != "" for place in pool.places], np.bool_)
        result.append(found[named & ~np.isnan(found[:, 0])])
    return result


def by_learner(
    scores: Sequence[NDArray[np.floating]], pools_: Sequence[Pool], labels: Sequence[str]
) -> dict[str, tuple[float, int]]:
    """Return each learner's precision at 1 and number of queries; learners without one are absent."""
    told: dict[str, list[NDArray[np.float64]]] = {}
    for pool, found in zip(pools_, _told(scores, pools_, labels), strict=True):
        told.setdefault(pool.learner, []).extend(found[:, 0])
    return {learner: (float(np.mean(found)), len(found)) for learner, found in told.items() if found}


def by_chance(pools_: Sequence[Pool], labels: Sequence[str]) -> float:
    """Return the precision of drawing at random, which is the same at every k."""
    return precision([np.zeros(pool.allowed.shape) for pool in pools_], pools_, labels)[0]


def own_among(
    scores: Sequence[NDArray[np.floating]], pools_: Sequence[Pool], exercises: Sequence[str], top: int
) -> NDArray[np.float64]:
    """Return for each query how many of its `top` are expected to be of its own exercise, as the pools allow it."""
    own = [
        shares(score, alike(exercises, pool), pool.allowed, top)[:, -1] * np.minimum(top, pool.allowed.sum(axis=1))
        for score, pool in zip(scores, pools_, strict=True)
    ]
    whole = np.concatenate([np.empty(0), *own])
    return np.asarray(whole[~np.isnan(whole)], np.float64)


def blocks(vectors: NDArray[np.floating], pools_: Sequence[Pool]) -> list[NDArray[np.floating]]:
    """Return each pool's [n, n] cosines; the rows of `vectors` [all, d] have length 1."""
    return [vectors[pool.places] @ vectors[pool.places].T for pool in pools_]
