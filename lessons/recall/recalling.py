"""Recall: which of a learner's past mistakes are like this one, and nothing at all when none is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons.model import MistakeId
from lessons.recall.calibration import chances, probabilities
from lessons.recall.parts import parts

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from lessons.ports import Memory
    from lessons.recall.calibration import Calibration

SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Query:
    """The mistake at hand; `vector` float32 [w] as laid out, `kind` and `at` as in a memory."""

    mistake: int
    item: int
    kind: int
    vector: NDArray[np.float32]
    at: float


@dataclass(frozen=True, slots=True)
class Found:
    """How many other exercises went wrong like this, when last (days since 1970), and the best three."""

    count: int
    last_day: float
    top: tuple[MistakeId, ...]


def recall(
    query: Query,
    memory: Memory,
    calibration: Calibration,
    *,
    dimension: int,
    dismissed: Collection[MistakeId] = frozenset(),
    now: float,
) -> Found | None:
    """Return the past mistakes like this one, None when nothing clears the threshold.

    Other exercises only, and none that the learner dismissed an answer of, before anything is ranked; of several answers to one exercise
    the newest that is like it. In the order of probability times exp(-age / tau), the newer first among equals.
    """
    centre = np.asarray(calibration.centre, np.float32)
    if not len(memory.mistakes) or len(centre) != 2 * dimension:
        return None
    among = (memory.items != query.item) & (memory.mistakes != query.mistake)
    if dismissed:
        unlike = np.isin(memory.mistakes, list(dismissed))
        among &= ~np.isin(memory.items, memory.items[unlike])
    likely = probabilities(parts(query.vector, query.kind, memory, centre), calibration, among)
    rows = np.flatnonzero(among & (likely >= calibration.threshold))
    if not rows.size:
        return None
    rows = _newest(rows, memory)
    age = np.maximum(now - memory.at[rows], 0)
    order = np.lexsort((-memory.mistakes[rows], -memory.at[rows], -likely[rows] * np.exp(-age / calibration.tau_days)))
    top = tuple(MistakeId(int(mistake)) for mistake in memory.mistakes[rows[order[:SHOWN]]])
    return Found(len(rows), float(memory.at[rows].max()), top)


def _newest(rows: NDArray[np.intp], memory: Memory) -> NDArray[np.intp]:
    """Keep one row for each exercise, the newest."""
    by_time = rows[np.lexsort((-memory.mistakes[rows], -memory.at[rows]))]
    _, first = np.unique(memory.items[by_time], return_index=True)
    return by_time[first]


def affinity(memory: Memory, calibration: Calibration, dimension: int) -> NDArray[np.float32]:
    """Return [n, n] float32, symmetric: how likely each two mistakes show one pattern (1 on the diagonal).

    Meant for the mistakes of a month, not for a whole history.
    """
    count = len(memory.mistakes)
    centre = np.asarray(calibration.centre, np.float32)
    alike = np.zeros((count, count), np.float32)
    if len(centre) == 2 * dimension:
        for row in range(count):
            compared = parts(memory.vectors[row], int(memory.kinds[row]), memory, centre)
            alike[row] = chances(compared, calibration)
    mutual = np.asarray((alike + alike.T) / 2, np.float32)
    np.fill_diagonal(mutual, 1)
    return mutual
