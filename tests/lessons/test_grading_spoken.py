"""Contracted forms of speech and fillers of another nuance: the free retry, and what it says once it is used up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.grading import as_wrong, grade
from lessons.model import ItemKind, Remark, Verdict


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        ("増えている", "増えてる"),
        ("増えている/ふえている", "ふえてる"),
        ("増えていない", "増えてない"),
        ("増えていました", "増えてました"),
        ("遊んでいた", "遊んでた"),
        ("準備しておく", "準備しとく"),
        ("準備しておいた", "準備しといた"),
        ("読んでおく", "読んどく"),
        ("読んでおいて", "読んどいて"),
        ("忘れてしまった", "忘れちゃった"),
        ("飲んでしまう", "飲んじゃう"),
        ("増えていく", "増えてく"),
        ("増えていった", "増えてった"),
        ("払わなければ", "払わなきゃ"),
        ("降れば", "降りゃ"),
        ("準備しておいている", "準備しといてる"),
    ],
)
def test_a_contraction_is_asked_for_in_full(look_up, key, answer, typed):
    asked = key(answer, kind=ItemKind.CLOZE)
    found = grade(asked, look_up(typed))
    assert (found.verdict, found.remarks, found.matched) == (
        Verdict.RETRY,
        (Remark.SPOKEN_FORM,),
        answer.partition("/")[0],
    )
    settled = as_wrong(found, asked, look_up(typed))
    assert (settled.verdict, settled.remarks) == (Verdict.WRONG, (Remark.SPOKEN_FORM,))


@pytest.mark.parametrize(
    ("answer", "typed", "kind", "language"),
    [
        ("増えている", "増える", ItemKind.CLOZE, "ja"),
        ("増えている", "減ってる", ItemKind.CLOZE, "ja"),
        ("低気圧", "てきあつ", ItemKind.CLOZE, "ja"),
        ("定例/ていれい", "てれい", ItemKind.CLOZE, "ja"),
        ("増えている", "増えてる", ItemKind.VOCAB, "ja"),
        ("増えている", "増えてる", ItemKind.CLOZE, "zh"),
    ],
)
def test_other_texts_are_no_contraction(look_up, key, answer, typed, kind, language):
    found = grade(key(answer, kind=kind, language=language), look_up(typed))
    assert Remark.SPOKEN_FORM not in found.remarks


@pytest.mark.parametrize("typed", ["は", "も", "「は」"])
def test_another_nuance_earns_the_retry(look_up, key, typed):
    asked = key("が", kind=ItemKind.CLOZE, nuances=("は", "も"))
    found = grade(asked, look_up(typed))
    assert (found.verdict, found.remarks, found.matched) == (Verdict.RETRY, (Remark.OTHER_NUANCE,), "が")
    settled = as_wrong(found, asked, look_up(typed))
    assert (settled.verdict, settled.remarks) == (Verdict.WRONG, (Remark.OTHER_NUANCE,))


def test_an_accepted_answer_is_right_whatever_its_nuance(look_up, key):
    asked = key("が", "の", kind=ItemKind.CLOZE, nuances=("の", "は"))
    assert grade(asked, look_up("の")).verdict is Verdict.EXACT
    assert grade(replace(asked, nuances=()), look_up("は")).verdict is Verdict.WRONG
    assert grade(asked, look_up("を")).verdict is Verdict.WRONG
