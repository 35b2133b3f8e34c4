"""Every member of every closed set has its sentence."""

import pytest

from lessons.model import ErrorType, Problem, ProblemKind, Remark, Source
from lessons.wording import KINDS, SOURCES, cue_and_hint, place, problem, remark


@pytest.mark.parametrize("kind", list(Remark))
def test_remarks(kind: Remark) -> None:
    said = remark(kind, matched="友達", answer="友だち")
    assert said.endswith(".")
    assert "{" not in said


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
