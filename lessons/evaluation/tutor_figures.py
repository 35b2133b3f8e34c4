"""What replies of the tutor come to, arm by arm: points, passes, facts, leaks, the layer that failed, and the price."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from lessons.evaluation.tutor_cases import Arm
from lessons.evaluation.tutor_ratings import Agreement, agreement, sample_id
from lessons.evaluation.tutor_scoring import broken, score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lessons.evaluation.tutor_cases import Canned, Case
    from lessons.evaluation.tutor_ratings import Rating
    from lessons.evaluation.tutor_scoring import Score


@dataclass(frozen=True, slots=True)
class Sample:
    """One reply; `seconds`, tokens and millionths of a dollar as booked, 0 for the look-up."""

    case: str
    arm: Arm
    repeat: int
    text: str
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    micro_usd: int = 0


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """An arm as a whole; means over its replies."""

    arm: Arm
    replies: int
    mean: float
    strict: int
    grounding: float
    direction: float
    exercise: float
    with_signal: int
    signals: int
    invented: int
    leaking: int
    seconds: float
    tokens_in: float
    tokens_out: float
    micro_usd: int


@dataclass(frozen=True, slots=True)
class Row:
    """One reply with its score."""

    id: str
    case: str
    arm: Arm
    repeat: int
    points: tuple[int, int, int]
    signals: tuple[str, ...]
    invented: tuple[str, ...]
    leaks: tuple[str, ...]
    broken: str


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the harness works: canned answers whose score came out as known, and planted leaks that were caught."""

    answers: int
    reproduced: int
    planted: int
    caught: int
    wrong: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Tell whether nothing came out otherwise."""
        return not self.wrong


@dataclass(frozen=True, slots=True)
class TutorFigures:
    """All that was measured.

    `away` says why the model did not answer, "" where it did; `contaminated` are cases whose facts turn up where the
    learner is unknown; `human` is the number of replies that two people rated.
    """

    model: str
    cases: int
    repeats: int
    away: str
    proof: Proof
    arms: tuple[ArmFigures, ...]
    rows: tuple[Row, ...]
    contaminated: tuple[str, ...]
    layers: Mapping[str, int]
    human: int
    agreed: Mapping[str, Agreement]


def prove(canned: Sequence[Canned], cases: Mapping[str, Case]) -> Proof:
    """Score answers whose scores are known beforehand."""
    wrong, reproduced, planted, caught = [], 0, 0, 0
    for number, each in enumerate(canned, 1):
        case = cases[each.case]
        found = score(case, each.text)
        points = (found.grounding, found.direction, found.exercise)
        prompt = prompt_of(case, each.arm)
        same = points == each.points and set(found.signals) == set(each.signals)
        same = same and broken(case, found, prompt) == each.broken
        reproduced += same
        planted += len(each.leaks)
        seen = [leak for leak in each.leaks if leak in found.leaks]
        caught += len(seen)
        if not same or len(seen) < len(each.leaks) or bool(found.leaks) is not bool(each.leaks):
            wrong.append(f"{number} ({each.case}, {each.arm})")
    return Proof(len(canned), reproduced, planted, caught, tuple(wrong))


def prompt_of(case: Case, arm: Arm) -> str:
    """Return what an arm was shown; for the look-up all that is known."""
    return case.call(Arm.OFF if arm is Arm.OFF else Arm.ON).turn


def rated(row: Row, ratings: Mapping[str, Rating]) -> tuple[int, int, int]:
    """Return the points of a reply: of direction and exercise what two people agree on, else what code found."""
    grounding, direction, exercise = row.points
    rating = ratings.get(row.id)
    if rating is not None:
        direction = rating.direction[0] if rating.direction[0] == rating.direction[1] else direction
        exercise = rating.exercise[0] if rating.exercise[0] == rating.exercise[1] else exercise
    return grounding, direction, exercise


def rows(samples: Sequence[Sample], cases: Mapping[str, Case]) -> tuple[Row, ...]:
    """Score every reply."""
    return tuple(_row(sample, cases[sample.case]) for sample in samples)


def _row(sample: Sample, case: Case) -> Row:
    found = score(case, sample.text)
    failed = broken(case, found, prompt_of(case, sample.arm))
    return Row(
        sample_id(sample),
        sample.case,
        sample.arm,
        sample.repeat,
        _points(found),
        found.signals,
        found.invented,
        found.leaks,
        failed,
    )


def _points(found: Score) -> tuple[int, int, int]:
    return found.grounding, found.direction, found.exercise


def measure(
    samples: Sequence[Sample],
    cases: Mapping[str, Case],
    proof: Proof,
    ratings: Mapping[str, Rating],
    told: tuple[str, str],
) -> TutorFigures:
    """Count everything; `told` is the model's name and why it was away."""
    found = rows(samples, cases)
    mine = [rating for row in found if (rating := ratings.get(row.id))]
    off = [row for row in found if row.arm is Arm.OFF and row.signals]
    return TutorFigures(
        model=told[0],
        cases=len({sample.case for sample in samples}),
        repeats=max((sample.repeat for sample in samples), default=0),
        away=told[1],
        proof=proof,
        arms=tuple(_arm(arm, samples, found, ratings) for arm in Arm if any(sample.arm is arm for sample in samples)),
        rows=found,
        contaminated=tuple(sorted({row.case for row in off})),
        layers=dict(Counter(row.broken for row in found if row.arm is Arm.ON)),
        human=len(mine),
        agreed={
            "direction": agreement([rating.direction for rating in mine]),
            "exercise": agreement([rating.exercise for rating in mine]),
        },
    )


def _arm(arm: Arm, samples: Sequence[Sample], found: Sequence[Row], ratings: Mapping[str, Rating]) -> ArmFigures:
    mine = [(sample, row) for sample, row in zip(samples, found, strict=True) if sample.arm is arm]
    points = [rated(row, ratings) for _, row in mine]
    count = len(mine)
    return ArmFigures(
        arm=arm,
        replies=count,
        mean=sum(map(sum, points)) / count,
        strict=sum(sum(each) >= 5 for each in points),  # noqa: PLR2004 - as Score.strict
        grounding=sum(each[0] for each in points) / count,
        direction=sum(each[1] for each in points) / count,
        exercise=sum(each[2] for each in points) / count,
        with_signal=sum(bool(row.signals) for _, row in mine),
        signals=sum(len(row.signals) for _, row in mine),
        invented=sum(bool(row.invented) for _, row in mine),
        leaking=sum(bool(row.leaks) for _, row in mine),
        seconds=sum(sample.seconds for sample, _ in mine) / count,
        tokens_in=sum(sample.tokens_in for sample, _ in mine) / count,
        tokens_out=sum(sample.tokens_out for sample, _ in mine) / count,
        micro_usd=sum(sample.micro_usd for sample, _ in mine),
    )


def as_json(figures: TutorFigures) -> str:
    """Return the figures as JSON, what is no number as null."""
    return json.dumps(_plain(asdict(figures)), ensure_ascii=False, indent=2) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
