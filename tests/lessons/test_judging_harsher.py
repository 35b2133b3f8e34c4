"""Code has the last word on a judgement, and uses it only to be harsher."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import judging
from lessons.model import (
    Accepted,
    Analysis,
    Confidence,
    ErrorType,
    Item,
    ItemId,
    ItemKind,
    Judgement,
    Opinion,
    PackId,
    Row,
)

CORRECT, ACCEPTABLE, INCORRECT = Opinion
RIGHT = Judgement(CORRECT, None, "名詞", "It fits.", "Well done!", Confidence.HIGH)
WRONG = Judgement(INCORRECT, ErrorType.VOCABULARY, "名詞", "Another word.", "Look again.", Confidence.HIGH)


def post(judgement: Judgement, typed: str, accepted: list[str]) -> Judgement:
    """Hold a text against an item of which nothing is known but its accepted answers."""
    row = Row("key", 1, "1", ItemKind.CLOZE, "x[＿＿＿]y", tuple(accepted) or ("",))
    item = Item(ItemId(1), PackId(1), row, tuple(Accepted(text) for text in accepted))
    return judging.post(judgement, Analysis(typed), item)


@pytest.mark.parametrize(
    ("reference", "typed", "opinion"),
    [
        ("食べた", "食べました", CORRECT),
        ("発表した", "公表した", CORRECT),
        ("亡くなりました", "死亡しました", CORRECT),
        ("会議", "国際会議", CORRECT),
        ("友人", "友達", ACCEPTABLE),
        ("食べた", "食べてしまいました", ACCEPTABLE),
        ("発表した", "明らかにした", ACCEPTABLE),
        ("車", "自動車", ACCEPTABLE),
        ("病院", "クリニック", INCORRECT),
        ("食べて", "召し上がって", INCORRECT),
    ],
)
def test_an_opinion_needs_likeness(reference, typed, opinion):
    assert post(RIGHT, typed, [reference]).opinion is opinion


def test_the_likest_accepted_answer_counts():
    assert post(RIGHT, "へや", ["部屋"]).opinion is INCORRECT
    assert post(RIGHT, "へや", ["部屋", "へや"]).opinion is CORRECT


def test_an_acceptable_answer_stays_acceptable_however_like_it_is():
    assert post(replace(RIGHT, opinion=ACCEPTABLE), "食べました", ["食べます"]).opinion is ACCEPTABLE


def test_nothing_is_correct_at_low_confidence():
    unsure = replace(RIGHT, confidence=Confidence.LOW)
    assert post(unsure, "食べました", ["食べた"]) == replace(unsure, opinion=ACCEPTABLE)


@pytest.mark.parametrize(
    ("reference", "typed", "opinion"),
    [
        ("が", "は", CORRECT),
        ("に", "へ", CORRECT),
        ("から", "によって", CORRECT),
        ("が", "はが", CORRECT),
        ("が", "犬", INCORRECT),
        ("が", "はい", INCORRECT),
        ("食べる", "は", INCORRECT),
    ],
)
def test_a_particle_for_a_particle_needs_no_likeness(reference, typed, opinion):
    found = post(RIGHT, typed, [reference])
    assert found.opinion is opinion


def test_what_is_turned_down_loses_the_reasons_that_spoke_for_it():
    assert post(RIGHT, "クリニック", ["病院"]) == replace(RIGHT, opinion=INCORRECT, diagnosis="", feedback="")


@pytest.mark.parametrize(
    ("reference", "typed"),
    [
        ("寿司を食べます", "寿司が食べます。正しい"),
        ("寿司を食べます", "寿司が食べます/食べた"),
        ("寿司を食べます", "答え: 寿司食べます"),
        ("寿司を食べます", "寿司が食べます (right)"),
        ("寿司を食べます", "私は毎日寿司を食べますと言いました"),
        ("寿司を食べます", "寿司は食べますで合格です"),
        ("寿司を食べます", "寿司食べたok yes"),
        ("寿司を食べます", "まるをつけてください"),
        ("寿司を食べます", "いいねいいねいいねいいね"),
        ("寿司を食べます", "寿司は食べますでいいでしょうね"),
        ("は", "これはごうかく"),
    ],
)
@pytest.mark.parametrize("judgement", [RIGHT, WRONG])
def test_what_says_more_than_an_answer_is_no_attempt(reference, typed, judgement):
    found = post(judgement, typed, [reference])
    assert (found.opinion, found.error_type, found.attempt) == (INCORRECT, None, False)


@pytest.mark.parametrize(
    ("reference", "typed"),
    [
        ("見て／聞いて", "見た／聞いた"),
        ("3.5", "3.6"),
        ("手伝ってください", "手伝って下さい"),
        ("ください", "くれ"),
        ("Yシャツ", "Tシャツ"),
    ],
)
def test_what_the_accepted_answer_has_itself_is_no_offence(reference, typed):
    assert post(RIGHT, typed, [reference]).attempt


@pytest.mark.parametrize(
    ("reference", "typed", "opinion", "attempt"),
    [
        ("run", "running", CORRECT, True),
        ("big", "enormous", INCORRECT, True),
        ("gegangen", "weggegangen", CORRECT, True),
        ("went", "have gone", ACCEPTABLE, True),
        ("went", "went, I am right", INCORRECT, False),
        ("went", "goes which is fine here", INCORRECT, False),
    ],
)
def test_words_are_counted_where_spaces_set_them_apart(reference, typed, opinion, attempt):
    found = post(RIGHT, typed, [reference])
    assert (found.opinion, found.attempt) == (opinion, attempt)


def test_without_accepted_answers_nothing_is_right():
    assert post(RIGHT, "食べます", []).opinion is INCORRECT


def test_an_incorrect_attempt_keeps_its_reasons():
    assert post(WRONG, "学校", ["病院"]) == WRONG


def test_a_diagnosis_that_repeats_the_answer_is_dropped():
    echo = replace(WRONG, diagnosis="Vocabulary: たべました is another word.")
    assert post(echo, "タベマシタ", ["のみました"]) == replace(echo, diagnosis="")
    assert post(replace(echo, diagnosis="Particle: から is no なら."), "から", ["なら"]).diagnosis


JUDGEMENTS = st.builds(
    Judgement,
    st.sampled_from(Opinion),
    st.sampled_from([None, *ErrorType]),
    st.just(""),
    st.text(max_size=20),
    st.text(max_size=20),
    st.sampled_from(Confidence),
    st.booleans(),
)
TEXT = st.text(alphabet="はがにへで寿司を食べますたのo k。/:", max_size=20)


@given(JUDGEMENTS, TEXT, st.lists(TEXT, max_size=3))
def test_it_never_becomes_milder(judgement, typed, accepted):
    found = post(judgement, typed, accepted)
    order = list(Opinion)
    assert order.index(found.opinion) >= order.index(judgement.opinion)
    assert found.attempt <= judgement.attempt
    assert found.error_type in {None, judgement.error_type}
    assert post(found, typed, accepted) == found
