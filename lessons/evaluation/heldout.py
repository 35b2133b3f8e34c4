"""What recall is worth to learners it was not calibrated on: scorers side by side, admission, silence, usefulness."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons.evaluation import lexical, memories, ranking, statistics, variants
from lessons.evaluation.ablation import concepts, error_types, texts
from lessons.evaluation.figures import Admission, Growth, HeldOut, LearnerFigures, Scorer, Silence, Useful

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from lessons import recall
    from lessons.evaluation.memories import Answer, Laid
    from lessons.evaluation.ranking import Pool
    from lessons.evaluation.records import Judged, Record

ADDED: Final = (0, 300, 1_000, 3_000, 10_000)
"""Unrelated mistakes put beside a learner's own."""
ASKED: Final = 20
"""Misses of each learner, the latest, that are asked again with unrelated ones beside them."""
ENOUGH_LEARNERS: Final = 3
COSINE: Final = "plain cosine, clean card"
SHIPPED: Final = "recall's scorer"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that is judged: the kept records with vectors, pairs judged (places in them), calibrations by learner."""

    laid: Laid
    judged: tuple[Judged, ...]
    calibrations: Mapping[str, recall.Calibration]
    by_folds: bool

    @property
    def records(self) -> tuple[Record, ...]:
        """The records."""
        return self.laid.records


def blocks_of(evidence: Evidence, pools: Sequence[Pool]) -> dict[str, list[NDArray[np.floating]]]:
    """Return every scorer's [n, n] blocks, the one that ships last."""
    clean = next(variant for variant in variants.VARIANTS if variant.name == variants.CLEAN)
    pair = next(variant for variant in variants.VARIANTS if variant.name == variants.PAIR)
    d = evidence.laid.dimension
    pair_vectors = evidence.laid.vectors[:, d : 2 * d]
    cosine = ranking.blocks(evidence.laid.cards, pools)
    spelt = lexical.blocks(texts(clean, evidence.records, labelled=False), pools)
    kinds = [ranking.alike(error_types(evidence.records), pool) for pool in pools]
    return {
        "random": [np.zeros(pool.allowed.shape) for pool in pools],
        "TF-IDF, clean card": [*spelt],
        "TF-IDF, pair": [*lexical.blocks(texts(pair, evidence.records, labelled=False), pools)],
        COSINE: cosine,
        "plain cosine, pair": ranking.blocks(pair_vectors, pools),
        "random, error type first": [1.0 * kind for kind in kinds],
        "TF-IDF, error type first": [block + 2 * kind for block, kind in zip(spelt, kinds, strict=True)],
        "plain cosine, error type first": [block + 2 * kind for block, kind in zip(cosine, kinds, strict=True)],
        SHIPPED: [*memories.probability_blocks(evidence.laid, pools, evidence.calibrations)],
    }


def judge(evidence: Evidence, first_tries: Sequence[int], rng: np.random.Generator) -> HeldOut:
    """Measure everything; `first_tries` are the places precision is measured on."""
    tried = narrowed(evidence, first_tries)
    pools = ranking.pools(tried.records)
    played = {pool.learner: pool for pool in ranking.pools(evidence.records, own_exercise=True)}
    said = everything_said(evidence)
    pairs = blocks_of(evidence, ranking.pools(evidence.records))
    return HeldOut(
        by_folds=evidence.by_folds,
        thresholds=tuple(float(calibration.threshold) for calibration in evidence.calibrations.values()),
        scorers=tuple(_scorer(name, found, pools, tried.records) for name, found in blocks_of(tried, pools).items()),
        admission=_admission(evidence, said),
        silence=_silence(evidence, rng),
        growth=tuple(_growth(evidence, played, added, rng) for added in ADDED),
        useful=_useful(evidence, pairs),
        useful_pairs=len(evidence.judged),
        useful_share=float(np.mean([pair.useful for pair in evidence.judged])) if evidence.judged else float("nan"),
    )


def narrowed(evidence: Evidence, places: Sequence[int]) -> Evidence:
    """Return the evidence of these places alone, without pairs."""
    records = tuple(evidence.records[place] for place in places)
    laid = replace(evidence.laid, records=records, vectors=evidence.laid.vectors[list(places)])
    return replace(evidence, laid=laid, judged=())


def learner_figures(evidence: Evidence, first_tries: Sequence[int]) -> tuple[LearnerFigures, ...]:
    """Return each learner's precision by the plain cosine and by the scorer."""
    tried = narrowed(evidence, first_tries)
    pools = ranking.pools(tried.records)
    found = blocks_of(tried, pools)
    kinds, named = error_types(tried.records), concepts(tried.records)
    told = {
        (name, label): ranking.by_learner(found[name], pools, labels)
        for name in ("random", COSINE, SHIPPED)
        for label, labels in (("error type", kinds), ("concept", named))
    }

    def value(learner: str, name: str, label: str) -> float:
        return told[name, label].get(learner, (float("nan"), 0))[0]

    return tuple(
        LearnerFigures(
            learner=learner,
            queries=queries,
            chance_error_type=value(learner, "random", "error type"),
            chance_concept=value(learner, "random", "concept"),
            cosine_error_type=value(learner, COSINE, "error type"),
            scorer_error_type=value(learner, SHIPPED, "error type"),
            cosine_concept=value(learner, COSINE, "concept"),
            scorer_concept=value(learner, SHIPPED, "concept"),
        )
        for learner, (_, queries) in told["random", "error type"].items()
    )


def _scorer(
    name: str, found: Sequence[NDArray[np.floating]], pools: Sequence[Pool], records: Sequence[Record]
) -> Scorer:
    kinds, named = error_types(records), concepts(records)
    by_kind, by_concept = (ranking.precision(found, pools, labels) for labels in (kinds, named))
    return Scorer(
        name=name,
        error_type=by_kind[0],
        error_type_range=_range(ranking.by_learner(found, pools, kinds)),
        error_type_at_3=by_kind[2],
        concept=by_concept[0],
        concept_range=_range(ranking.by_learner(found, pools, named)),
        concept_at_3=by_concept[2],
    )


def _range(told: Mapping[str, tuple[float, int]]) -> tuple[float, float]:
    values = [value for value, _ in told.values()] or [float("nan")]
    return min(values), max(values)


def everything_said(evidence: Evidence) -> list[Answer]:
    """Play every learner's mistakes, each against the whole past before it."""
    return [
        answer for pool in ranking.pools(evidence.records, own_exercise=True) for answer in _answers(evidence, pool)
    ]


def _answers(evidence: Evidence, pool: Pool) -> list[Answer]:
    return memories.answers(evidence.laid, pool, evidence.calibrations[pool.learner])


def _admission(evidence: Evidence, said: Sequence[Answer]) -> Admission:
    records = evidence.records
    lines = [answer for answer in said if answer.count]
    first = [_same(records, answer.place, answer.top[0]) for answer in lines]
    shown = [_same(records, answer.place, other) for answer in lines for other in answer.top]
    possible = _possible(records)
    reached = [answer for answer in lines if answer.place in possible]
    right = [answer for answer in reached if any(_same(records, answer.place, other)[1] for other in answer.top)]
    precision, recalled = _pairs(evidence)
    return Admission(
        misses=len(said),
        lines=_mean([answer.count > 0 for answer in said]),
        possible=len(possible),
        possible_lines=len(reached) / len(possible) if possible else float("nan"),
        found=len(right) / len(possible) if possible else float("nan"),
        first_error_type=_mean([kind for kind, _ in first]),
        first_concept=_mean([concept for _, concept in first]),
        shown_error_type=_mean([kind for kind, _ in shown]),
        shown_concept=_mean([concept for _, concept in shown]),
        pair_precision=precision,
        pair_recall=recalled,
    )


def _same(records: Sequence[Record], one: int, other: int) -> tuple[bool, bool]:
    """Return whether two mistakes share the error type, and the concept."""
    first, second = records[one], records[other]
    return first.card.error_type is second.card.error_type, first.concept == second.concept != ""


def _possible(records: Sequence[Record]) -> set[int]:
    """Return the places that have an earlier mistake of their concept on another exercise."""
    found: set[int] = set()
    for pool in ranking.pools(records, earlier=True):
        match = ranking.alike(concepts(records), pool) & pool.allowed
        found |= set(pool.places[match.any(axis=1)].tolist())
    return found


def _pairs(evidence: Evidence) -> tuple[float, float]:
    """Return precision and recall of all earlier pairs over the threshold, held against the concept."""
    pools = ranking.pools(evidence.records, earlier=True)
    admitted = right = there = 0
    for pool, block in zip(
        pools, memories.probability_blocks(evidence.laid, pools, evidence.calibrations), strict=True
    ):
        match = ranking.alike(concepts(evidence.records), pool) & pool.allowed
        over = (block >= evidence.calibrations[pool.learner].threshold) & pool.allowed
        admitted, right, there = admitted + over.sum(), right + (over & match).sum(), there + match.sum()
    return float(right / admitted) if admitted else float("nan"), float(right / there) if there else float("nan")


def _silence(evidence: Evidence, rng: np.random.Generator) -> Silence:
    """Ask where nothing is alike: no line is right here."""
    laid = evidence.laid
    order = rng.permutation(len(laid.records))
    renamed = tuple(
        replace(record, card=replace(record.card, error_type=laid.records[other].card.error_type))
        for record, other in zip(laid.records, order, strict=True)
    )
    unlike = replace(laid, vectors=memories.scrambled(laid, rng))
    return Silence(
        vectors=_lines(replace(evidence, laid=unlike)),
        vectors_and_kinds=_lines(replace(evidence, laid=replace(unlike, records=renamed))),
        without_concept=_lines(evidence, concepts(laid.records)),
        without_error_type=_lines(evidence, error_types(laid.records)),
    )


def _lines(evidence: Evidence, banned: Sequence[str] = ()) -> float:
    """Return the share of misses with a line when no past mistake has the miss's own label of `banned`."""
    said: list[Answer] = []
    for pool in ranking.pools(evidence.records, own_exercise=True):
        allowed = pool.allowed & ~ranking.alike(banned, pool) if banned else pool.allowed
        said += _answers(evidence, replace(pool, allowed=allowed))
    return _mean([answer.count > 0 for answer in said])


def _growth(evidence: Evidence, pools: Mapping[str, Pool], added: int, rng: np.random.Generator) -> Growth:
    """Ask the latest misses of each learner again, with so many unrelated mistakes in the past."""
    counts: list[int] = []
    for learner, pool in pools.items():
        at = min(record.at for record in evidence.records).timestamp() / 86_400
        past = memories.strangers(evidence.laid, added, at, rng)
        said = memories.answers_beside(evidence.laid, pool, evidence.calibrations[learner], past, ASKED)
        counts += [answer.count for answer in said]
    return Growth(added, _mean(counts), _mean([count > 0 for count in counts]))


def _useful(evidence: Evidence, scores: Mapping[str, Sequence[NDArray[np.floating]]]) -> tuple[Useful, ...]:
    """Judge every scorer on the pairs: the second mistake asks, the first is found."""
    if not evidence.judged:
        return ()
    values = {name: _of_pairs(evidence, found) for name, found in scores.items()}
    useful = np.array([pair.useful for pair in evidence.judged])
    bars = np.array(
        [evidence.calibrations[evidence.records[pair.second].learner].threshold for pair in evidence.judged]
    )
    admitted = int(np.sum(values[SHIPPED] >= bars))
    result = []
    for name, value in values.items():
        over = value >= (bars if name == SHIPPED else _bar(value, admitted))
        over = over if name != "random" else np.zeros(len(value), bool)
        above = statistics.rank_sum(value[useful], value[~useful]).above
        right = int(np.sum(over & useful))
        result.append(
            Useful(name, above, int(np.sum(over)), _ratio(right, int(np.sum(over))), _ratio(right, int(np.sum(useful))))
        )
    return tuple(result)


def _of_pairs(evidence: Evidence, found: Sequence[NDArray[np.floating]]) -> NDArray[np.float64]:
    where = {
        int(place): (number, row)
        for number, pool in enumerate(ranking.pools(evidence.records))
        for row, place in enumerate(pool.places)
    }
    values = []
    for pair in evidence.judged:
        (number, row), (_, column) = where[pair.second], where[pair.first]
        values.append(float(found[number][row, column]))
    return np.array(values)


def _bar(values: NDArray[np.float64], admitted: int) -> float:
    """Return the value that so many of them reach."""
    return float(np.sort(values)[::-1][admitted - 1]) if admitted else float("inf")


def _mean(values: Sequence[float] | Sequence[bool]) -> float:
    return float(np.mean(values)) if values else float("nan")


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
