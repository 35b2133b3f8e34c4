"""How well details are found: arms of an experiment over the same labelled questions, each in figures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import nan
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import chunking
from lessons.evaluation.detail import QUIET, Asks, Query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.detail import Embedded, Question

SWEEP: Final = tuple(round(0.1 * step, 1) for step in range(1, 10))
"""Thresholds that are tried beside the guard's own."""
_NEAR: Final = 3


class Scope(StrEnum):
    """Which pieces are candidates; never those of another owner."""

    LINKED = "linked documents"
    OWN = "all of the owner's documents"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to recall: what is embedded for the question, whether pieces are framed, and which are candidates."""

    query: Query = Query.LATEST
    framed: bool = True
    scope: Scope = Scope.LINKED


@dataclass(frozen=True, slots=True)
class Answered:
    """What one question recalled: the place of the first right piece in the ranking (0: there is none to find)."""

    question: Question
    admitted: tuple[int, ...]
    rank: int
    best: float

    @property
    def wrong(self) -> int:
        """Admitted pieces that do not answer it; to a question about everything no piece is wrong."""
        if self.question.asks is Asks.PROFILE:
            return 0
        return len(set(self.admitted) - self.question.facts - self.question.also)

    @property
    def right(self) -> int:
        """Admitted pieces that answer it."""
        return len(set(self.admitted) & self.question.facts)

    @property
    def also(self) -> int:
        """Admitted pieces that do no harm."""
        return 0 if self.question.asks is Asks.PROFILE else len(set(self.admitted) & self.question.also)


@dataclass(frozen=True, slots=True)
class Found:
    """Figures of one arm.

    `precision` of admitted pieces (nan without any), `recall` of the pieces that answer, `hit` the share of
    questions with an answer among the first three, `mrr` the mean reciprocal rank of the first one; of `quiet` turns
    that ask for nothing `noisy` recalled something, `vague_noisy` of them turns that name nothing.
    """

    precision: float
    recall: float
    first: float
    hit: float
    mrr: float
    admitted: int
    facts: int
    questions: int
    quiet: int
    noisy: int
    vague_noisy: int


@dataclass(frozen=True, slots=True)
class Scored:
    """What one question was held against: the places of the candidates, and their scores [n]."""

    question: Question
    places: tuple[int, ...]
    scores: NDArray[np.float64]


def scored(embedded: Embedded, guard: chunking.Guard, arm: Arm) -> list[Scored]:
    """Score the candidates of every question of a set."""
    vectors = embedded.framed if arm.framed else embedded.plain
    result = []
    for number, question in enumerate(embedded.of.questions):
        places = candidates(embedded, question, arm.scope)
        texts = [embedded.of.pieces[place].text for place in places]
        cosines = vectors[places] @ embedded.queries[arm.query][number]
        result.append(
            Scored(question, tuple(places), chunking.scores(question.queries[arm.query], cosines, texts, guard))
        )
    return result


def answers(embedded: Embedded, guard: chunking.Guard, arm: Arm) -> list[Answered]:
    """Ask every question of a set."""
    return [admit(one, guard.threshold) for one in scored(embedded, guard, arm)]


def admit(one: Scored, threshold: float) -> Answered:
    """Let in what clears a threshold."""
    order = [one.places[at] for at in np.argsort(-one.scores, kind="stable")]
    ranks = [at for at, place in enumerate(order, 1) if place in one.question.facts]
    kept = tuple(one.places[at] for at in chunking.admitted(one.scores, threshold))
    return Answered(one.question, kept, ranks[0] if ranks else 0, float(one.scores.max()))


def candidates(embedded: Embedded, question: Question, scope: Scope = Scope.LINKED) -> list[int]:
    """Return the places of the pieces that a question is held against."""
    return [
        place
        for place, piece in enumerate(embedded.of.pieces)
        if piece.owner == question.owner and (piece.linked or scope is Scope.OWN)
    ]


def figures(answered: Sequence[Answered]) -> Found:
    """Count what was found."""
    asked = [one for one in answered if one.question.facts]
    quiet = [one for one in answered if one.question.asks in QUIET]
    right, wrong, also = (sum(getattr(one, name) for one in answered) for name in ("right", "wrong", "also"))
    facts = sum(len(one.question.facts) for one in asked)
    ranks = np.array([one.rank for one in asked], np.float64)
    return Found(
        precision=(right + also) / (right + also + wrong) if right + also + wrong else nan,
        recall=right / facts if facts else nan,
        first=_mean(ranks == 1),
        hit=_mean(ranks <= _NEAR),
        mrr=_mean(1 / ranks),
        admitted=right + also + wrong,
        facts=facts,
        questions=len(asked),
        quiet=len(quiet),
        noisy=sum(one.wrong > 0 for one in quiet),
        vague_noisy=sum(one.wrong > 0 for one in quiet if one.question.asks is Asks.VAGUE),
    )


def _mean(values: NDArray[np.bool_] | NDArray[np.float64]) -> float:
    return float(np.mean(values)) if len(values) else nan
