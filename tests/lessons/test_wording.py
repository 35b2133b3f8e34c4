"""Every member of every closed set has its sentence."""

import pytest

from lessons.model import ErrorType, Problem, ProblemKind, Remark, Source
from lessons.wording import KINDS, SOURCES, cue_and_hint, place, problem, remark


@pytest.mark.parametrize("kind", list(Remark))
def test_remarks(kind: Remark) -> None:
    said = remark(kind, matched="友達", answer="友だち")
    assert said.endswith(".")
    assert "{" not in said


@pytest.mark.parametrize("kind", list(Remark))
def test_remarks_of_a_settled_answer_ask_for_nothing_more(kind: Remark) -> None:
    said = remark(kind, matched="友達", answer="友だち", settled=True)
    assert said.endswith(".")
    assert "{" not in said
    assert not any(call in said.lower() for call in ("again", "once more", "type ", "please", "skip", "check"))


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("**友だち**", "Please answer in Japanese, in kana or kanji."),
        ("**Tシャツ**", "Please answer in Japanese, in kana or kanji."),
        ("**friend**", "Please answer in Latin letters."),
        ("**친구**", "Please answer in the script of the lesson."),
    ],
)
def test_the_script_that_is_asked_is_named(answer: str, asked: str) -> None:
    assert remark(Remark.WRONG_SCRIPT, matched=answer, answer=answer) == asked


def test_only_what_fits_the_answer_is_said() -> None:
    assert "kana" not in remark(Remark.OTHER_READING, matched="一人", answer="一人")
    assert remark(Remark.IN_KANA, matched="一人", answer="一人", settled=True) == "In writing: 一人."


@pytest.mark.parametrize("kind", list(ProblemKind))
def test_problems(kind: ProblemKind) -> None:
    said = problem(Problem(7, "answer", kind, "x", 5))
    assert "{" not in said


def test_names_are_complete() -> None:
    assert set(KINDS) == set(ErrorType)
    assert set(SOURCES) == set(Source)


def test_places() -> None:
    assert place(Problem(7, "answer", ProblemKind.NO_ANSWER)) == "line 7, answer"
    assert place(Problem(7, "", ProblemKind.UNBALANCED_QUOTE)) == "line 7"


@pytest.mark.parametrize(
    ("hint", "cue", "rest"),
    [("食べる → て-form", "食べる", "て-form"), ("place of an action", "", "place of an action"), ("", "", "")],
)
def test_the_part_before_the_arrow_is_given_with_the_question(hint: str, cue: str, rest: str) -> None:
    assert cue_and_hint(hint) == (cue, rest)


def test_what_was_asked_for_is_said_where_it_is_known() -> None:
    said = remark(Remark.NOT_ASKED_FOR, matched="駅員", answer="駅員", settled=True, cue="えき＿＿ (4 kana)")
    assert said == "That may fit as well, but another one is asked for: えき＿＿ (4 kana). It is not kept as a mistake."
    assert "asked for. It" in remark(Remark.NOT_ASKED_FOR, matched="駅員", answer="駅員")
