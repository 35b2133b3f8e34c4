"""What the clean card's vectors are worth: variants of the card, cosines by stratum, crowding, learners apart, recency."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons.evaluation import lexical, ranking, statistics, variants
from lessons.evaluation.figures import Ablation, Between, Cosines, Crowding, Precision, Recency, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.ranking import Pool
    from lessons.evaluation.records import Record
    from lessons.evaluation.variants import Variant

_DAY: Final = 86_400.0
_TOP: Final = 5
_MANY: Final = 3
_SLACK: Final = 1e-9  # counts are expectations


def counted(every: Sequence[Record], kept: Sequence[Record], first_tries: int) -> Rows:
    """Count what there is: `every` record, those that are `kept` (no junk, the newest), and the first tries among them."""
    junk = sum(record.junk for record in every)
    return Rows(
        rows=len(every),
        junk=junk,
        retries=len(kept) - first_tries,
        first_tries=first_tries,
        learners=len({record.learner for record in kept}),
        exercises=len({record.exercise for record in kept}),
        concepts=len({record.concept for record in kept} - {""}),
        cut=len(every) - junk - len(kept),
    )


def texts(variant: Variant, records: Sequence[Record], *, labelled: bool) -> list[str]:
    """Return the text of each record."""
    if labelled:
        return [variants.labelled(variant, record.card) for record in records]
    return [variant.text(record.card) for record in records]


def error_types(records: Sequence[Record]) -> list[str]:
    """Return the error type of each record."""
    return [record.card.error_type.value for record in records]


def concepts(records: Sequence[Record]) -> list[str]:
    """Return the concept of each record."""
    return [record.concept for record in records]


def precisions(scores: Sequence[NDArray[np.floating]], pools: Sequence[Pool], records: Sequence[Record]) -> Precision:
    """Return precision at 1 to 10 by every label."""
    return Precision(
        ranking.precision(scores, pools, error_types(records)),
        ranking.precision(scores, pools, [record.card.part_of_speech for record in records]),
        ranking.precision(scores, pools, concepts(records)),
    )


def ablate(variant: Variant, records: Sequence[Record], vectors: NDArray[np.floating], *, labelled: bool) -> Ablation:
    """Judge one text of the card; `vectors` [n, d] are of that text, of length 1."""
    pools = ranking.pools(records)
    return Ablation(
        variant.name,
        variant.holds,
        labelled,
        precisions(ranking.blocks(vectors, pools), pools, records),
        precisions(lexical.blocks(texts(variant, records, labelled=labelled), pools), pools, records),
    )


def by_chance(records: Sequence[Record]) -> tuple[float, float, float]:
    """Return the precision of drawing at random by error type, part of speech and concept."""
    pools = ranking.pools(records)
    labels = (error_types(records), [record.card.part_of_speech for record in records], concepts(records))
    first, second, third = (ranking.by_chance(pools, named) for named in labels)
    return first, second, third


def cosines(records: Sequence[Record], vectors: NDArray[np.floating]) -> Cosines:
    """Hold the cosines of pairs that share the error type against those of the others; at least one pair is needed."""
    pools = ranking.pools(records)
    same, other = [], []
    for pool, block in zip(pools, ranking.blocks(vectors, pools), strict=True):
        upper = np.triu(pool.allowed, 1)
        match = ranking.alike(error_types(records), pool)
        same.append(block[upper & match])
        other.append(block[upper & ~match])
    first, second = np.concatenate(same), np.concatenate(other)
    return Cosines(
        histogram=statistics.histogram(first, second),
        same_mean=float(first.mean()) if len(first) else float("nan"),
        other_mean=float(second.mean()) if len(second) else float("nan"),
        same_pairs=len(first),
        other_pairs=len(second),
        test=statistics.rank_sum(first, second),
    )


def crowding(records: Sequence[Record], vectors: NDArray[np.floating], own_shown: int) -> Crowding:
    """Count a query's own exercise among its top five, retries included, with and without the exclusion.

    `own_shown` is how often recall itself showed it.
    """
    exercises = [record.exercise for record in records]
    found = []
    for own in (True, False):
        pools = ranking.pools(records, own_exercise=own)
        found.append(ranking.own_among(ranking.blocks(vectors, pools), pools, exercises, _TOP))
    off, on = found
    times = Counter((record.learner, record.exercise) for record in records)
    return Crowding(
        exclusion_off=_share(off, _MANY),
        exclusion_off_any=_share(off, 1),
        exclusion_on=_share(on, 1),
        possible=sum(number for number in times.values() if number > _MANY) / max(len(records), 1),
        scorer_own=own_shown,
    )


def _share(counts: NDArray[np.float64], least: int) -> float:
    return float(np.mean(counts >= least - _SLACK)) if len(counts) else 0.0


def between(records: Sequence[Record], vectors: NDArray[np.floating], rng: np.random.Generator) -> Between:
    """Tell whether learners' mistakes lie in places of their own."""
    whole = ranking.everybody(records)
    learners = [record.learner for record in records]
    return Between(
        spread=statistics.spread(vectors, learners, rng),
        own_neighbour=ranking.precision([vectors @ vectors.T], [whole], learners)[0],
        own_by_chance=ranking.by_chance([whole], learners),
    )


def recency(
    name: str, scores: Sequence[NDArray[np.floating]], records: Sequence[Record], tau_days: float
) -> tuple[Recency, Recency]:
    """Rank the past of each miss without and with fading; `scores` are the pools' blocks, not below 0."""
    pools = ranking.pools(records, earlier=True)
    ages = [_ages(pool, records) for pool in pools]
    faded = [score * np.exp(-age / tau_days) for score, age in zip(scores, ages, strict=True)]
    plain, fading = (
        Recency(
            name,
            fades,
            ranking.precision(found, pools, error_types(records))[0],
            ranking.precision(found, pools, concepts(records))[0],
            _first_age(found, ages, pools),
        )
        for fades, found in ((False, scores), (True, faded))
    )
    return plain, fading


def _ages(pool: Pool, records: Sequence[Record]) -> NDArray[np.float64]:
    """Return [n, n] days from the column to the row, 0 where the column is later."""
    days = np.array([records[place].at.timestamp() / _DAY for place in pool.places])
    return np.asarray(np.maximum(days[:, None] - days[None, :], 0), np.float64)


def _first_age(
    scores: Sequence[NDArray[np.floating]], ages: Sequence[NDArray[np.float64]], pools: Sequence[Pool]
) -> float:
    """Return the mean age in days of what comes first."""
    found: list[float] = []
    for score, age, pool in zip(scores, ages, pools, strict=True):
        first = np.argmax(np.where(pool.allowed, score, -np.inf), axis=1)
        found += [float(age[row, first[row]]) for row in np.flatnonzero(pool.allowed.any(axis=1))]
    return float(np.mean(found)) if found else float("nan")
