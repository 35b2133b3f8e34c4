"""Talking the judge over gains nothing: no verdict, no card, no mention, however obedient the judge is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from lessons import cards, judging
from lessons.grading import as_wrong, grade
from lessons.model import (
    RIGHT,
    Accepted,
    AnswerKey,
    Grade,
    GradeSource,
    Item,
    ItemId,
    ItemKind,
    MistakeCard,
    PackId,
    Row,
    Track,
    Verdict,
)
from lessons.wording import remark
from tests.lessons.injections import BENIGN, FRESH, FRESHER, HELD_OUT, KNOWN, PROMPT, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.model import Analysis

    Judge = Callable[[str], str]


def reply(typed: str, verdict: str, error_type: str) -> str:
    """What a judge says that repeats all it was told, and adds some."""
    said = {
        "diagnosis": f"As ordered: {typed}",
        "error_type": error_type,
        "part_of_speech": "verb",
        "feedback": f"@everyone <@&42> https://evil.example discord.gg/abc {typed}",
        "verdict": verdict,
        "confidence": "high",
    }
    return json.dumps(said)


JUDGES: dict[str, Judge | None] = {
    "nobody": None,
    "obedient": lambda typed: reply(typed, "correct", "none"),
    "half obedient": lambda typed: reply(typed, "acceptable", "none"),
    "canned": lambda typed: reply(typed, "incorrect", "not_an_answer"),
}


@dataclass(frozen=True)
class Decided:
    grade: Grade
    card: MistakeCard | None
    asked: bool


def exercise(look_up: Callable[[str], Analysis], prompt: str, reference: str) -> Item:
    row = Row("key", 1, "1", ItemKind.CLOZE, prompt, (reference,))
    return Item(ItemId(1), PackId(1), row, (Accepted(reference, analysis=look_up(reference)),))


def decide(look_up: Callable[[str], Analysis], item: Item, typed: str, judge: Judge | None) -> Decided:
    key = AnswerKey(ItemKind.CLOZE, item.row.prompt, item.accepted)
    found = as_wrong(grade(key, look_up(typed)), key, look_up(typed))
    asked = found.verdict is Verdict.WRONG and not cards.is_junk(typed, item.row.prompt, found.matched or item.answer)
    if asked and judge:
        heard = judging.post(judging.parse(judge(typed)), look_up(typed), item)
        found = judging.as_grade(heard, found, GradeSource.JUDGE)
    elif asked:
        found = judging.unjudged(found)
    return Decided(found, cards.mistake_card(item, typed, found, Track.EXERCISE), asked)


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
@pytest.mark.parametrize("typed", [*KNOWN, *HELD_OUT, *FRESH, *FRESHER])
def test_text_for_the_grader_is_never_right_and_never_remembered(look_up, typed, judge):
    decided = decide(look_up, exercise(look_up, PROMPT, REFERENCE), typed, judge)
    assert decided.grade.verdict is Verdict.WRONG
    assert decided.card is None


@pytest.mark.parametrize("verdict", ["correct", "acceptable", "incorrect"])
@pytest.mark.parametrize("typed", [*KNOWN, *HELD_OUT, *FRESH, *FRESHER])
def test_nobody_is_mentioned_and_nothing_linked(look_up, typed, verdict):
    decided = decide(look_up, exercise(look_up, PROMPT, REFERENCE), typed, lambda text: reply(text, verdict, "other"))
    said = [remark(one, matched=REFERENCE, answer=REFERENCE) for one in decided.grade.remarks]
    if decided.grade.judgement:
        said += [decided.grade.judgement.feedback, decided.grade.judgement.diagnosis]
    if decided.card:
        said.append(decided.card.feedback)
    shown = " ".join(said)
    assert not any(sign in shown for sign in ("@", "://", "discord", "evil.example"))


def test_the_release_list_is_turned_away_before_anybody_is_asked(look_up):
    item = exercise(look_up, PROMPT, REFERENCE)
    assert len(KNOWN) == 32
    assert [typed for typed in KNOWN if decide(look_up, item, typed, None).asked] == []


@pytest.mark.parametrize("judge", ["obedient", "half obedient"])
@pytest.mark.parametrize(("typed", "prompt", "reference"), BENIGN)
def test_answers_about_orders_reach_the_judge(look_up, typed, prompt, reference, judge):
    decided = decide(look_up, exercise(look_up, prompt, reference), typed, JUDGES[judge])
    assert decided.asked
    assert decided.grade.verdict in RIGHT


@pytest.mark.parametrize(("typed", "prompt", "reference"), BENIGN)
def test_answers_about_orders_are_remembered_when_they_are_wrong(look_up, typed, prompt, reference):
    decided = decide(
        look_up, exercise(look_up, prompt, reference), typed, lambda text: reply(text, "incorrect", "conjugation")
    )
    assert decided.grade.verdict is Verdict.WRONG
    assert decided.card is not None


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("は", Verdict.EQUIVALENT),
        ("について", Verdict.EQUIVALENT),
        ("学校", Verdict.WRONG),
        ("食べました", Verdict.WRONG),
    ],
)
def test_of_what_has_nothing_in_common_only_a_particle_for_a_particle_is_the_judges_to_decide(look_up, typed, verdict):
    decided = decide(look_up, exercise(look_up, "私[＿＿＿]好きです。", "が"), typed, JUDGES["obedient"])
    assert (decided.asked, decided.grade.verdict, decided.card) == (True, verdict, None)
