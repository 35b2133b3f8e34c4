"""Exercises of a news drill and what was said of their answers, made by hand."""

from __future__ import annotations

from dataclasses import replace

from lessons.flows.answering import Outcome
from lessons.flows.delivering import Step, Summary
from lessons.model import (
    BLANK,
    Accepted,
    Analysis,
    AttemptId,
    Clipping,
    Confidence,
    Drill,
    DrillId,
    DrillState,
    ErrorType,
    Exercise,
    ExerciseId,
    Grade,
    GradeSource,
    Item,
    ItemId,
    ItemKind,
    Judgement,
    Opinion,
    PackId,
    Preferences,
    Row,
    Track,
    Unit,
    UserId,
    Verdict,
    Waiting,
)
from tests.conftest import BEGINNING

URL = "https://news.example/2026/11/30/bread.html"


def item(*, title: str = "パン屋の朝", url: str = URL, source: str = "例新聞", **row: str) -> Item:
    """A blank of a sentence of an article; `row` are fields of its row."""
    answer = row.pop("answer", "を")
    given = {"prompt": f"店主は毎朝パン{BLANK}焼きます。", "hint": "", "explanation": "", **row}
    made = Row(key="0", line=0, lesson="", kind=ItemKind.CLOZE, answers=(answer,), **given)
    clipping = Clipping(ItemId(1), Unit.PARTICLE, "N5", 0.9, True, title, source, url, "ja")
    return Item(ItemId(1), PackId(7), made, (Accepted(answer, answer, (), Analysis(answer)),), clipping=clipping)


def drill(**changed: object) -> Drill:
    made = Drill(
        DrillId(3), UserId(5), None, Track.EXERCISE, "", DrillState.OPEN, started_at=BEGINNING, total=4, answered=1
    )
    return replace(made, **changed)  # type: ignore[arg-type]


def exercise(asked: Item, typed: str | None = None, grade: Grade | None = None) -> Exercise:
    verdict = grade.verdict if grade else None
    return Exercise(ExerciseId(9), DrillId(3), 2, asked, typed=typed, grade=grade, verdict=verdict)


def step(asked: Item) -> Step:
    return Step(drill(), exercise(asked), Preferences())


def judged(opinion: Opinion, feedback: str, source: GradeSource = GradeSource.JUDGE) -> Grade:
    """A grade that a judge, or the rules, gave."""
    wrong = opinion is Opinion.INCORRECT
    kind = ErrorType.PARTICLE if wrong else None
    said = Judgement(opinion, kind, "助詞", "The particle を is asked.", feedback, Confidence.HIGH)
    return Grade(Verdict.WRONG if wrong else Verdict.EQUIVALENT, "を", source=source, judgement=said)


def outcome(grade: Grade, typed: str = "が", asked: Item | None = None) -> Outcome:
    return Outcome(exercise(asked or item(), typed, grade), grade, drill(), Preferences())


def summary(**changed: object) -> Summary:
    return Summary(drill(state=DrillState.FINISHED, **changed), ())


def waiting(grade: Grade, typed: str = "が") -> Waiting:
    """An answer that waited for a judge, decided as `grade` says."""
    done = exercise(item(), typed, grade)
    return Waiting(AttemptId(1), UserId(5), None, done, typed, grade, "en", 1, BEGINNING)
