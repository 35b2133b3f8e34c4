"""Fitting a calibration: logistic regression on labelled pairs of mistakes, judged on learners and exercises held out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons.ports import Memory
from lessons.recall.calibration import CARD_VERSION, Calibration, probabilities
from lessons.recall.parts import NAMES, parts
from lessons.recall.shape import SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from lessons.recall.parts import Parts

PRECISION: Final = 0.75
"""Share of the mistakes shown that should be useful to the learner."""

SAME_CONCEPT: Final = 0.85
"""How often two mistakes of one concept are useful to each other: the share among those that were read."""
SAME_KIND: Final = 0.05
UNRELATED: Final = 0.005
"""The same for unlike concepts of one error type, and of two: estimates below what was read (0.15 and 0.09), since
only pairs that look alike were read."""

READ_WEIGHT: Final = 2.0  # a label somebody gave counts for as many guessed from the concepts
EVEN: Final = 0.5
"""What is less likely than this is never shown, however precise the rest."""
NEVER: Final = 1.01
"""The threshold when no probability reaches the precision: recall stays silent."""

_RIDGE: Final = 1.0
_FOLDS: Final = 10
_STEPS: Final = 15  # Newton doubles the right digits with each
_LEAST_SHOWN: Final = 20  # pairs a precision must stand on


@dataclass(frozen=True, slots=True)
class Pool:
    """Mistakes of several learners, aligned: `vectors` float32 [n, w] as laid out; `kinds`, `learners`, `items` [n]."""

    vectors: NDArray[np.float32]
    kinds: NDArray[np.int16]
    learners: NDArray[np.int64]
    items: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Labels:
    """Pairs of rows of a pool, each in both directions: `useful` from 0 to 1, `read` True where somebody said so."""

    one: NDArray[np.intp]
    other: NDArray[np.intp]
    useful: NDArray[np.float64]
    read: NDArray[np.bool_]


def label(pool: Pool, concepts: Sequence[str], given: Mapping[tuple[int, int], bool]) -> Labels:
    """Label every two mistakes of one learner on two exercises.

    `given` are the pairs of rows somebody read, in either order; for the others the concepts decide, a row whose
    concept is "" is in `given` pairs alone. All pairs together have the rate of useful ones that a learner's history
    has, which pairs chosen to be read have not.
    """
    names = np.unique(list(concepts), return_inverse=True)[1]
    known = np.array([concept != "" for concept in concepts], bool)
    read = {pair: good for (one, other), good in given.items() for pair in ((one, other), (other, one))}
    blocks = [_label(pool, np.flatnonzero(pool.learners == learner), names) for learner in np.unique(pool.learners)]
    one, other, useful = (np.concatenate(columns) for columns in zip(*blocks, strict=True))
    by_hand = np.array([pair in read for pair in zip(one.tolist(), other.tolist(), strict=True)], bool)
    useful[by_hand] = [read[pair] for pair in zip(one[by_hand].tolist(), other[by_hand].tolist(), strict=True)]
    told = by_hand | (known[one] & known[other])
    return _some(Labels(one, other, useful, by_hand), told)


def _label(
    pool: Pool, rows: NDArray[np.intp], names: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Return every two of these rows that are of two exercises, with what their concepts say."""
    one, other = (rows[side] for side in np.nonzero(pool.items[rows, None] != pool.items[rows]))
    alike = np.where(pool.kinds[one] == pool.kinds[other], SAME_KIND, UNRELATED)
    return one, other, np.where(names[one] == names[other], SAME_CONCEPT, alike)


def fit(pool: Pool, labels: Labels, *, embedder: str, precision: float = PRECISION) -> Calibration:
    """Fit weights on all pairs; the threshold is where pairs held out with learner and exercises reach `precision`.

    Raises ValueError with fewer than two learners, since none can be held out then.
    """
    likely = held_out(pool, labels)
    return replace(
        _fitted(pool, labels, np.ones(len(pool.items), bool)),
        embedder=embedder,
        threshold=_threshold(likely, labels.useful, precision),
        figures=MappingProxyType({"target": precision} | _figures(pool, labels, likely, precision)),
    )


def held_out(pool: Pool, labels: Labels) -> NDArray[np.float64]:
    """Return [m] probabilities, each from a fit that saw neither the learner nor any of that learner's exercises.

    Raises ValueError with fewer than two learners.
    """
    likely = np.zeros(len(labels.one))
    for inside, outside in _folds(pool):
        seen = outside[labels.one] & outside[labels.other]
        fitted = _fitted(pool, _some(labels, seen), outside)
        for pairs, compared in _compare(pool, labels, np.asarray(fitted.centre, np.float32), inside):
            likely[pairs] = probabilities(compared, fitted)
    return likely


def _fitted(pool: Pool, labels: Labels, rows: NDArray[np.bool_]) -> Calibration:
    """Fit all but the threshold."""
    centre = pool.vectors[rows, :-SIZE].sum(axis=0) / max(np.count_nonzero(rows), 1)
    compared = np.empty((len(NAMES), len(labels.one)), np.float32)
    for pairs, found in _compare(pool, labels, centre.astype(np.float32), rows):
        compared[:, pairs] = found
    weights = _regress(compared, labels)
    same = pool.kinds[labels.one] == pool.kinds[labels.other]
    return Calibration(
        embedder="",
        card_version=CARD_VERSION,
        centre=tuple(np.round(centre.astype(float), 5).tolist()),
        weights=tuple(np.round(weights[:-1], 5).tolist()),
        bias=round(float(weights[-1]), 5),
        share=round(float(labels.useful[same].sum() / max(np.count_nonzero(same), 1)), 5),
        threshold=NEVER,
    )


def _folds(pool: Pool) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield rows held out and rows to fit on: no learner and no exercise is on both sides."""
    names, learner = np.unique(pool.learners, return_inverse=True)
    if len(names) < 2:  # noqa: PLR2004
        raise ValueError("one learner cannot be held out")
    for fold in range(min(len(names), _FOLDS)):
        inside = learner % _FOLDS == fold
        yield inside, ~inside & ~np.isin(pool.items, pool.items[inside])


def _some(labels: Labels, chosen: NDArray[np.bool_]) -> Labels:
    return Labels(labels.one[chosen], labels.other[chosen], labels.useful[chosen], labels.read[chosen])


def _compare(
    pool: Pool, labels: Labels, centre: NDArray[np.float32], asked: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.intp], Parts]]:
    """Yield, for every row that is `asked` [n], where its pairs stand among the labels, and their parts."""
    order = np.argsort(labels.one, kind="stable")
    for row in np.unique(labels.one[asked[labels.one]]):
        ends = np.searchsorted(labels.one, [row, row + 1], sorter=order)
        pairs = order[slice(*ends)]
        rows = labels.other[pairs]
        past = Memory(rows, pool.items[rows], np.zeros(len(rows)), pool.kinds[rows], pool.vectors[rows])
        yield pairs, parts(pool.vectors[row], int(pool.kinds[row]), past, centre)


def _regress(compared: Parts, labels: Labels) -> NDArray[np.float64]:
    """Return weights and, last, the bias of a ridge logistic regression, by Newton's method."""
    inputs = np.vstack([compared, np.ones(compared.shape[1])]).astype(float)
    weight = np.where(labels.read, READ_WEIGHT, 1.0)
    ridge = np.diag([_RIDGE] * len(compared) + [_RIDGE / 1000])
    found = np.zeros(len(inputs))
    for _ in range(_STEPS):
        likely = _sigmoid(found @ inputs)
        slope = inputs @ (weight * (labels.useful - likely)) - ridge @ found
        found += np.linalg.solve((inputs * (weight * likely * (1 - likely))) @ inputs.T + ridge, slope)
    return found


def _sigmoid(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def _threshold(likely: NDArray[np.float64], useful: NDArray[np.float64], precision: float) -> float:
    """Return the lowest probability, EVEN at least, from which all that lies above is useful often enough."""
    order = np.argsort(-likely, kind="stable")
    share = np.cumsum(useful[order]) / np.arange(1, len(order) + 1)
    share[: _LEAST_SHOWN - 1] = 0
    good = np.flatnonzero((share >= precision) & (likely[order] >= EVEN))
    return round(float(likely[order[good[-1]]]), 5) if good.size else NEVER


def _elsewhere(pool: Pool, labels: Labels, likely: NDArray[np.float64], precision: float) -> NDArray[np.float64]:
    """Return [m]: for each pair the threshold that the other learners' pairs give."""
    learner, out = pool.learners[labels.one], np.empty(len(likely))
    for name in np.unique(learner):
        out[learner == name] = _threshold(likely[learner != name], labels.useful[learner != name], precision)
    return out


def _figures(pool: Pool, labels: Labels, likely: NDArray[np.float64], precision: float) -> dict[str, float]:
    """What pairs held out say at a threshold their learner had no part in; what nothing stands for is left out."""
    shown = likely >= _elsewhere(pool, labels, likely, precision)
    figures = {
        "learners": len(np.unique(pool.learners)),
        "mistakes": len(pool.items),
        "pairs": len(likely) / 2,
        "pairs read": labels.read.sum() / 2,
        "useful pairs": labels.useful.mean() if len(likely) else 0.0,
        "mistakes with a line": len(np.unique(labels.one[shown])) / max(len(np.unique(labels.one)), 1),
        "recall": labels.useful[shown].sum() / max(labels.useful.sum(), 1e-9),
    }
    if shown.any():
        figures["precision"] = labels.useful[shown].mean()
    if (shown & labels.read).any():
        figures["precision read"] = labels.useful[shown & labels.read].mean()
    return {name: round(float(value), 4) for name, value in figures.items()}
