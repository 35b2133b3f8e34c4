"""Labelled mistakes as recall sees them: a memory for each learner, and what recall says of each miss in its time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import recall
from lessons.model import ErrorType
from lessons.ports import Memory
from lessons.recall.shape import ASPECTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.ranking import Pool
    from lessons.evaluation.records import Record

_DAY: Final = 86_400.0
KINDS: Final = {kind: number for number, kind in enumerate(ErrorType)}
"""The number of an error type in a memory."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Records with their vectors float32 [n, width] as recall lays them out; `dimension` is the embedder's."""

    records: tuple[Record, ...]
    vectors: NDArray[np.float32]
    dimension: int

    @property
    def cards(self) -> NDArray[np.float32]:
        """The card vectors alone, [n, dimension], of length 1."""
        return self.vectors[:, : self.dimension]


@dataclass(frozen=True, slots=True)
class Answer:
    """What recall said of one miss: the place of the record, how many exercises, and the places of the best three."""

    place: int
    count: int
    top: tuple[int, ...]


def memory(laid: Laid, places: NDArray[np.intp]) -> Memory:
    """Return these records as one learner's memory, oldest first; mistake ids are places plus 1."""
    numbers = {name: number for number, name in enumerate(sorted({r.exercise for r in laid.records}), 1)}
    ordered = np.array(sorted(places.tolist(), key=lambda place: (laid.records[place].at, place)), np.intp)
    found = [laid.records[place] for place in ordered]
    return Memory(
        mistakes=np.asarray(ordered + 1, np.int64),
        items=np.array([numbers[record.exercise] for record in found], np.int64),
        at=np.array([record.at.timestamp() / _DAY for record in found], np.float64),
        kinds=np.array([KINDS[record.card.error_type] for record in found], np.int16),
        vectors=laid.vectors[ordered],
    )


def probability_blocks(
    laid: Laid, pools: Sequence[Pool], calibrations: Mapping[str, recall.Calibration]
) -> list[NDArray[np.float32]]:
    """Return each pool's [n, n] probabilities (row: the miss, column: the past), by the learner's own calibration."""
    return [_probabilities(_in_order(laid, pool), pool, calibrations[pool.learner]) for pool in pools]


def affinity_blocks(
    laid: Laid, pools: Sequence[Pool], calibrations: Mapping[str, recall.Calibration]
) -> list[NDArray[np.float32]]:
    """Return each pool's [n, n] likenesses as themes see them."""
    return [recall.affinity(_in_order(laid, pool), calibrations[pool.learner], laid.dimension) for pool in pools]


def _in_order(laid: Laid, pool: Pool) -> Memory:
    """Return a pool's mistakes in its own order, without their dates and exercises."""
    kinds = np.array([KINDS[laid.records[place].card.error_type] for place in pool.places], np.int16)
    ids = np.arange(len(kinds), dtype=np.int64)
    return Memory(ids, ids, np.zeros(len(kinds)), kinds, laid.vectors[pool.places])


def _probabilities(whole: Memory, pool: Pool, calibration: recall.Calibration) -> NDArray[np.float32]:
    centre = np.asarray(calibration.centre, np.float32)
    rows = [
        recall.probabilities(recall.parts(vector, int(kind), whole, centre), calibration, allowed)
        for vector, kind, allowed in zip(whole.vectors, whole.kinds, pool.allowed, strict=True)
    ]
    return np.stack(rows)


def answers(laid: Laid, pool: Pool, calibration: recall.Calibration) -> list[Answer]:
    """Play a learner's mistakes in the order of time, each against what of those before it the pool allows."""
    whole = memory(laid, pool.places)
    order = np.searchsorted(pool.places, whole.mistakes - 1)
    allowed = pool.allowed[np.ix_(order, order)] & (whole.at[None, :] < whole.at[:, None])
    return [_asked(laid, whole, row, _rows(whole, allowed[row]), calibration) for row in range(len(whole.mistakes))]


def answers_beside(laid: Laid, pool: Pool, calibration: recall.Calibration, past: Memory, latest: int) -> list[Answer]:
    """Ask the latest mistakes of a learner against those before them and a foreign past."""
    whole = memory(laid, pool.places)
    both = _joined(past, whole)
    said = []
    for row in range(len(whole.mistakes))[-latest:]:
        before = len(past.mistakes) + int(np.searchsorted(whole.at, whole.at[row], side="left"))
        said.append(_asked(laid, whole, row, _rows(both, slice(before)), calibration))
    return said


def _asked(laid: Laid, whole: Memory, row: int, before: Memory, calibration: recall.Calibration) -> Answer:
    query = recall.Query(
        int(whole.mistakes[row]),
        int(whole.items[row]),
        int(whole.kinds[row]),
        whole.vectors[row],
        float(whole.at[row]),
    )
    found = recall.recall(query, before, calibration, dimension=laid.dimension, now=float(whole.at[row]))
    top = tuple(int(mistake) - 1 for mistake in found.top) if found else ()
    return Answer(int(whole.mistakes[row]) - 1, found.count if found else 0, top)


def _rows(whole: Memory, chosen: NDArray[np.bool_] | slice) -> Memory:
    return Memory(
        whole.mistakes[chosen], whole.items[chosen], whole.at[chosen], whole.kinds[chosen], whole.vectors[chosen]
    )


def _joined(one: Memory, other: Memory) -> Memory:
    """Return the rows of both; recall does not rely on their order."""
    return Memory(
        np.concatenate([one.mistakes, other.mistakes]),
        np.concatenate([one.items, other.items]),
        np.concatenate([one.at, other.at]),
        np.concatenate([one.kinds, other.kinds]),
        np.concatenate([one.vectors, other.vectors]),
    )


def scrambled(laid: Laid, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the vectors with no likeness left: in each row, the numbers of each part in a lot's order.

    Embeddings are scrambled around their common middle, so that they lie where embeddings lie, and every part of the
    shape by itself.
    """
    width, d = laid.vectors.shape[1], laid.dimension
    result = np.empty_like(laid.vectors)
    for block in (slice(0, d), slice(d, 2 * d)):
        middle = laid.vectors[:, block].mean(axis=0)
        moved = rng.permuted(laid.vectors[:, block] - middle, axis=1) + middle
        result[:, block] = moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-6)
    sizes = tuple(ASPECTS.values())
    for start, size in zip(np.cumsum((2 * d, *sizes)), sizes, strict=False):
        aspect = slice(int(start), min(int(start) + size, width))
        result[:, aspect] = rng.permuted(laid.vectors[:, aspect], axis=1)
    return result


def strangers(laid: Laid, count: int, at: float, rng: np.random.Generator) -> Memory:
    """Return an unrelated past of that many mistakes: scrambled rows on exercises of their own, up to the day `at`."""
    picked = rng.integers(len(laid.records), size=count)
    ids = np.arange(count, dtype=np.int64) + 1_000_000_000
    kinds = np.array([KINDS[laid.records[place].card.error_type] for place in picked], np.int16)
    vectors = scrambled(replace(laid, vectors=laid.vectors[picked]), rng) if count else laid.vectors[:0]
    return Memory(ids, ids, at - rng.random(count) * 365, kinds, vectors)
