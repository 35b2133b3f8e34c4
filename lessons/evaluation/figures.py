"""Every number of an evaluation, by name: what the report says in words and the JSON holds as it is."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from lessons.evaluation.grouping import Quality
    from lessons.evaluation.statistics import Histogram, RankSum, Spread


@dataclass(frozen=True, slots=True)
class Rows:
    """What was evaluated; `first_tries` are what precision is measured on, `cut` the older rows left out."""

    rows: int
    junk: int
    retries: int
    first_tries: int
    learners: int
    exercises: int
    concepts: int
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Precision:
    """Precision at 1 to 10 by each label; NaN where nothing carries the label."""

    error_type: tuple[float, ...]
    part_of_speech: tuple[float, ...]
    concept: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ablation:
    """One card text: how it ranks by the embedder's cosine, and by TF-IDF."""

    name: str
    holds: str
    labelled: bool
    embedded: Precision
    lexical: Precision


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines of the clean cards of one learner's pairs, by whether they share the error type."""

    histogram: Histogram
    same_mean: float
    other_mean: float
    same_pairs: int
    other_pairs: int
    test: RankSum


@dataclass(frozen=True, slots=True)
class Crowding:
    """Share of queries with their own exercise among the top five, by the clean card's cosine.

    Without exclusion: three times or more, at all; with it: at all. `possible` is the share of queries whose exercise
    was answered often enough (four times) for three. `scorer_own` counts what recall itself showed of it.
    """

    exclusion_off: float
    exclusion_off_any: float
    exclusion_on: float
    possible: float
    scorer_own: int


@dataclass(frozen=True, slots=True)
class LearnerFigures:
    """One learner's precision at 1: by chance, by the clean card's cosine, by the scorer."""

    learner: str
    queries: int
    chance_error_type: float
    chance_concept: float
    cosine_error_type: float
    scorer_error_type: float
    cosine_concept: float
    scorer_concept: float


@dataclass(frozen=True, slots=True)
class Between:
    """Whether learners differ: spread of their vectors, and the share of nearest neighbours, of all, that are their own."""

    spread: Spread
    own_neighbour: float
    own_by_chance: float


@dataclass(frozen=True, slots=True)
class Recency:
    """A ranking of the past alone, with and without fading: precision at 1, and how old the first one is in days."""

    scorer: str
    fading: bool
    error_type: float
    concept: float
    days: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A mistake that was found: its likeness, "reference ← answer", the sentence, and what it has in common."""

    score: float
    pair: str
    prompt: str
    same_concept: bool
    same_error_type: bool
    same_exercise: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A query and the best it found."""

    pair: str
    prompt: str
    label: str
    found: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """Clean hits and failures of the scorer, and what the cosine does when a query may find its own exercise."""

    hits: tuple[Example, ...]
    failures: tuple[Example, ...]
    own_exercise: tuple[Example, ...]
    clean: int
    failed: int
    queries: int


@dataclass(frozen=True, slots=True)
class Scorer:
    """One way to score on held-out learners: precision at 1 and 3, with the worst and best learner's at 1."""

    name: str
    error_type: float
    error_type_range: tuple[float, float]
    error_type_at_3: float
    concept: float
    concept_range: tuple[float, float]
    concept_at_3: float


@dataclass(frozen=True, slots=True)
class Useful:
    """A scorer on pairs judged useful or not: chance to put a useful one first; at a bar, precision and recall.

    The bar of the scorer is its calibrated threshold; of the others, the value that admits as many pairs.
    """

    name: str
    above: float
    admitted: int
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Admission:
    """What recall said, miss by miss in the order of time, by calibrations that never saw the learner.

    `lines`: misses with a line. `possible`: misses that had an earlier mistake of the concept on another exercise, and
    `possible_lines` the share of those with a line. `first_*` and `shown_*`: share of the first and of all shown that
    have the label of the miss. `pair_*`: all earlier pairs of another exercise, held against the concept.
    """

    misses: int
    lines: float
    possible: int
    possible_lines: float
    found: float
    first_error_type: float
    first_concept: float
    shown_error_type: float
    shown_concept: float
    pair_precision: float
    pair_recall: float


@dataclass(frozen=True, slots=True)
class Silence:
    """Share of misses with a line where none should be.

    With scrambled vectors (error types as they are, shuffled as well), and with a real past without the concept, and
    without the error type, of the miss.
    """

    vectors: float
    vectors_and_kinds: float
    without_concept: float
    without_error_type: float


@dataclass(frozen=True, slots=True)
class Growth:
    """The mean count and the share of misses with a line, after this many unrelated mistakes were added to the past."""

    added: int
    count: float
    lines: float


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Everything that is measured with calibrations; `by_folds` says that each learner's never saw them."""

    by_folds: bool
    thresholds: tuple[float, ...]
    scorers: tuple[Scorer, ...]
    admission: Admission
    silence: Silence
    growth: tuple[Growth, ...]
    useful: tuple[Useful, ...]
    useful_pairs: int
    useful_share: float


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The figures of `evaluate retrieval`."""

    source: str
    embedder: str
    rows: Rows
    chance: tuple[float, float, float]
    ablations: tuple[Ablation, ...]
    cosines: Cosines
    map_shares: tuple[float, float]
    crowding: Crowding
    learners: tuple[LearnerFigures, ...]
    between: Between
    recency: tuple[Recency, ...]
    examples: Examples
    held_out: HeldOut | None


@dataclass(frozen=True, slots=True)
class ThemesFigures:
    """The figures of `evaluate themes`; `left_out` says in words what could not be measured."""

    source: str
    embedder: str
    rows: Rows
    methods: tuple[Quality, ...]
    left_out: tuple[str, ...]


def to_json(figures: DataclassInstance) -> str:
    """Return the figures as JSON; a number that does not exist is null."""
    return json.dumps(_plain(asdict(figures)), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever asdict gives
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value
