"""Calibrations from labelled records: one from all of them, or one for each learner from what that learner never met."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lessons import recall
from lessons.evaluation.memories import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.memories import Laid
    from lessons.evaluation.records import Judged, Record


def calibrate(laid: Laid, judged: Sequence[Judged], embedder: str) -> recall.Calibration:
    """Fit a calibration on all of the records. Raises ValueError when they are of fewer than two learners."""
    return _fit(laid, np.arange(len(laid.records)), judged, embedder)


def by_folds(laid: Laid, judged: Sequence[Judged], embedder: str) -> dict[str, recall.Calibration]:
    """Fit a calibration for each learner on the others alone, and on none of the exercises the learner met.

    Raises ValueError when too little is left for one of them.
    """
    return {learner: _fit(laid, without(laid.records, learner), judged, embedder) for learner in learners(laid.records)}


def learners(records: Sequence[Record]) -> list[str]:
    """Return the learners in the order they appear."""
    return list(dict.fromkeys(record.learner for record in records))


def without(records: Sequence[Record], learner: str) -> NDArray[np.intp]:
    """Return the places of records that are neither of this learner nor on an exercise that this learner met."""
    met = {record.exercise for record in records if record.learner == learner}
    kept = [place for place, record in enumerate(records) if record.learner != learner and record.exercise not in met]
    return np.array(kept, np.intp)


def _fit(laid: Laid, places: NDArray[np.intp], judged: Sequence[Judged], embedder: str) -> recall.Calibration:
    records = [laid.records[place] for place in places]
    row = {int(place): number for number, place in enumerate(places)}
    pool = recall.Pool(
        vectors=laid.vectors[places],
        kinds=np.array([KINDS[record.card.error_type] for record in records], np.int16),
        learners=_numbers([record.learner for record in records]),
        items=_numbers([record.exercise for record in records]),
    )
    given = {
        (row[pair.first], row[pair.second]): pair.useful for pair in judged if {pair.first, pair.second} <= row.keys()
    }
    labels = recall.label(pool, [record.concept for record in records], given)
    return recall.fit(pool, labels, embedder=embedder)


def _numbers(names: Sequence[str]) -> NDArray[np.int64]:
    known = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([known[name] for name in names], np.int64)
