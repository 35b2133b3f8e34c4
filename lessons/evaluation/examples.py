"""Queries worth reading: what was found rightly, what wrongly, and what a query finds when its own exercise may come up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lessons.evaluation import ranking
from lessons.evaluation.figures import Example, Examples, Neighbour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.ranking import Pool
    from lessons.evaluation.records import Record

TOP: Final = 3
CROWD: Final = 5
SHOWN: Final = 5


def pick(
    scores: Sequence[NDArray[np.floating]],
    own: Sequence[NDArray[np.floating]],
    records: Sequence[Record],
    every: Sequence[Record],
) -> Examples:
    """Pick clean hits (all of the top three of the query's concept) and failures (not even the first of its error type).

    `scores` are of `records`, one try an exercise; `own` are cosines of `every` record, where retries can crowd the top.
    Where no concept is named, the error type stands in.
    """
    named = any(record.concept for record in records)
    hits, failures, queries = [], [], 0
    for pool, block in zip(ranking.pools(records), scores, strict=True):
        for row in np.flatnonzero(pool.allowed.sum(axis=1) >= TOP):
            queries += 1
            example = _example(records, pool, block, int(row), TOP)
            best = example.found[0].score
            if all(one.same_concept if named else one.same_error_type for one in example.found):
                hits.append((best, example))
            elif not example.found[0].same_error_type:
                failures.append((best, example))
    return Examples(
        hits=_varied(hits),
        failures=_varied(failures),
        own_exercise=_crowded(own, every),
        clean=len(hits),
        failed=len(failures),
        queries=queries,
    )  # fmt: skip


def _crowded(scores: Sequence[NDArray[np.floating]], records: Sequence[Record]) -> tuple[Example, ...]:
    found = []
    for pool, block in zip(ranking.pools(records, own_exercise=True), scores, strict=True):
        for row in range(len(pool.places)):
            example = _example(records, pool, block, row, CROWD)
            own = sum(one.same_exercise for one in example.found)
            if own:
                found.append((float(own), example))
    return _varied(found)[:2]


def _varied(found: Sequence[tuple[float, Example]]) -> tuple[Example, ...]:
    """Return the surest ones, of different labels as far as there are."""
    first: dict[str, Example] = {}
    for _, example in sorted(found, key=lambda each: -each[0]):
        first.setdefault(example.label, example)
    return tuple(first.values())[:SHOWN]


def _example(records: Sequence[Record], pool: Pool, block: NDArray[np.floating], row: int, top: int) -> Example:
    query = records[pool.places[row]]
    scores = np.where(pool.allowed[row], block[row].astype(np.float64), -np.inf)
    best = [int(column) for column in np.argsort(-scores, kind="stable")[:top] if pool.allowed[row, column]]
    found = []
    for column in best:
        other = records[pool.places[column]]
        found.append(
            Neighbour(
                float(scores[column]), _pair(other), other.card.prompt,
                query.concept == other.concept != "", query.card.error_type is other.card.error_type,
                query.exercise == other.exercise,
            )
        )  # fmt: skip
    label = query.concept or query.card.error_type.value
    return Example(_pair(query), query.card.prompt, label, tuple(found))


def _pair(record: Record) -> str:
    return f"{record.card.reference} ← {record.card.typed}"
