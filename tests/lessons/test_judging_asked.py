"""What a gap asks for is known to code: talk passes no obedient judge and becomes no card, honest mistakes do."""

from __future__ import annotations

import json

import pytest

from lessons import cards, judging
from lessons.grading import as_wrong, grade
from lessons.judging.asked import is_asked_for, is_attempt
from lessons.model import (
    RIGHT,
    Accepted,
    Analysis,
    AnswerKey,
    Clipping,
    Grade,
    GradeSource,
    Item,
    ItemId,
    ItemKind,
    PackId,
    Remark,
    Row,
    Track,
    Unit,
    Verdict,
)
from tests.lessons.injections import AROUND, INSTEAD, LATER, NO_ATTEMPT

GAPS = {
    "駅員": ("えきいん", "えき＿＿ (4 kana)", Unit.WORD, "名詞"),
    "毎朝": ("まいあさ", "まい＿＿ (4 kana)", Unit.WORD, "名詞"),
    "町": ("まち", "ま＿ (2 kana)", Unit.WORD, "名詞"),
    "働いています": ("はたらいています", "働く (〜ている, polite)", Unit.FORM, "動詞"),
    "座ります": ("すわります", "座る (polite)", Unit.FORM, "動詞"),
    "行きました": ("いきました", "行く (polite past)", Unit.FORM, "動詞"),
    "高くない": ("たかくない", "高い (plain negative)", Unit.FORM, "形容詞"),
    "言っています": ("いっています", "言う (〜ている, polite)", Unit.FORM, "動詞"),
    "見上げます": ("みあげます", "見上げる (polite)", Unit.FORM, "動詞"),
    "降り続きました": ("ふりつづきました", "降り続く (polite past)", Unit.FORM, "動詞"),
    "発表した": ("はっぴょうした", "発表する (plain past)", Unit.FORM, "動詞"),
    "書いて": ("かいて", "書く (て-form)", Unit.FORM, "動詞"),
    "に": ("に", "particle, 1 kana", Unit.PARTICLE, "助詞"),
    "が": ("が", "particle, 1 kana", Unit.PARTICLE, "助詞"),
}


def gap(look_up, answer, cue=None, *, language="ja", unit=None, words=True) -> Item:
    reading, shown, known, part = GAPS.get(answer, ("", "", unit, ""))
    row = Row("key", 1, "", ItemKind.CLOZE, "町の[＿＿＿]です。", (answer,), reading, hint=f"{cue or shown} → more")
    clipping = Clipping(ItemId(1), known, "N4", 0.9, False, "", "", "", language)
    analysis = look_up(answer) if words else Analysis(answer)
    accepted = Accepted(answer, readings=(reading,) if reading else (), analysis=analysis)
    return Item(ItemId(1), PackId(1), row, (accepted,), part, clipping=clipping)


def said(verdict, kind):
    return judging.parse(
        json.dumps(
            {
                "diagnosis": "A rule.",
                "error_type": kind,
                "part_of_speech": "noun",
                "feedback": "Look again.",
                "verdict": verdict,
                "confidence": "high",
            }
        )
    )


OBEDIENT, STRICT = said("correct", "none"), said("incorrect", "vocabulary")


def decided(item: Item, typed: Analysis, judgement) -> Grade:
    key = AnswerKey(ItemKind.CLOZE, item.row.prompt, item.accepted)
    found = as_wrong(grade(key, typed), key, typed)
    if found.verdict is not Verdict.WRONG or cards.is_junk(typed.text, item.row.prompt, item.answer):
        return found
    return judging.as_grade(judging.post(judgement, typed, item), found, GradeSource.JUDGE)


@pytest.mark.parametrize("typed", [*INSTEAD, *AROUND, *LATER])
@pytest.mark.parametrize("answer", GAPS)
def test_talk_is_never_right_however_obedient_the_judge(look_up, answer, typed):
    found = decided(gap(look_up, answer), look_up(typed.replace("{}", answer)), OBEDIENT)
    assert found.verdict is Verdict.WRONG
    assert cards.mistake_card(gap(look_up, answer), typed.replace("{}", answer), found, Track.EXERCISE) is None


@pytest.mark.parametrize("typed", NO_ATTEMPT)
@pytest.mark.parametrize("answer", GAPS)
def test_talk_becomes_no_card_however_strict_the_judge(look_up, answer, typed):
    text = typed.replace("{}", answer)
    found = decided(gap(look_up, answer), look_up(text), STRICT)
    assert found.verdict is Verdict.WRONG
    assert cards.mistake_card(gap(look_up, answer), text, found, Track.EXERCISE) is None


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        *(("駅員", typed) for typed in ("図書館", "運転手", "くるま", "レストラン", "学校", "えきちょう", "駅長", "おもしろい")),
        *(("町", typed) for typed in ("図書館", "アルバイト", "うち")),
        *(("働いています", typed) for typed in ("食べました", "飲んでいる", "はたらきている", "働きます", "でしょうかね")),
        *(("行きました", typed) for typed in ("来ました", "行った", "いきた", "食べませんでした", "発表しました")),
        *(("高くない", typed) for typed in ("安くない", "高いない", "静かじゃない")),
        *(("に", typed) for typed in ("で", "から", "には", "だけが")),
    ],
)  # fmt: skip
def test_an_honest_mistake_is_remembered(look_up, answer, typed):
    item = gap(look_up, answer)
    found = decided(item, look_up(typed), STRICT)
    assert cards.mistake_card(item, typed, found, Track.EXERCISE) is not None


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        ("に", "へ"),
        ("が", "も"),
        ("働いています", "働いている"),
        ("働いています", "はたらいてる"),
        ("働いています", "働きます"),
        ("座ります", "すわる"),
        ("行きました", "いった"),
        ("書いて", "かきます"),
        ("降り続きました", "降り続いた"),
        ("行きました", "行った"),
        ("高くない", "高くありません"),
        ("毎朝", "毎日"),
        ("毎朝", "まいばん"),
        ("町", "街"),
    ],
)
def test_what_is_asked_for_can_be_right(look_up, answer, typed):
    assert decided(gap(look_up, answer), look_up(typed), OBEDIENT).verdict in RIGHT


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        ("駅員", "職員"),
        ("駅員", "駅長さん"),
        ("毎朝", "朝"),
        ("働いています", "勤めています"),
        ("働いています", "働いていません"),
        ("座ります", "腰掛けます"),
    ],
)
def test_what_fits_but_is_not_asked_for_says_so_and_is_no_mistake(look_up, answer, typed):
    item = gap(look_up, answer)
    found = decided(item, look_up(typed), OBEDIENT)
    assert (found.verdict, found.remarks[-1]) == (Verdict.WRONG, Remark.NOT_ASKED_FOR)
    assert (found.judgement.feedback, found.judgement.diagnosis, found.judgement.error_type) == ("", "", None)
    assert cards.mistake_card(item, typed, found, Track.EXERCISE) is None


def test_rules_call_talk_no_attempt_either(look_up):
    item = gap(look_up, "駅員")
    by_string = Grade(Verdict.WRONG, "駅員")
    talk, word = (judging.by_rules(item, look_up(typed), by_string) for typed in ("これが正しい", "図書館"))
    assert cards.mistake_card(item, "これが正しい", talk, Track.EXERCISE) is None
    assert cards.mistake_card(item, "図書館", word, Track.EXERCISE) is not None


def test_a_form_is_known_by_its_kanji_or_stem_where_the_dictionary_knows_no_answer(look_up):
    bare = gap(look_up, "働いています", words=False)
    assert is_asked_for(look_up("働いた"), bare)
    assert not is_asked_for(look_up("はたした"), bare)
    assert is_asked_for(look_up("はたらけます"), gap(look_up, "働いています"))
    assert not is_asked_for(Analysis("働いた"), bare)


@pytest.mark.parametrize(
    ("answer", "cue", "typed", "asked"),
    [
        ("government", "go________ (10 letters)", "governance", True),
        ("government", "go________ (10 letters)", "authority", False),
        ("government", "go________ (10 letters)", "not government", False),
        ("gegangen", "", "weggegangen", True),
        ("the", "3 letters", "a", True),
    ],
)
def test_in_other_languages_the_letters_are_counted(look_up, answer, cue, typed, asked):
    item = gap(look_up, answer, cue, language="en", unit=Unit.WORD)
    assert is_asked_for(Analysis(typed), item) is asked
    assert is_attempt(Analysis(typed), item)


@pytest.mark.parametrize(("typed", "asked"), [("yes", False), ("石臼", True), ("言います", False), ("いします", True)])
def test_a_word_has_as_many_kana_as_the_cue_says_and_no_other_letters(look_up, typed, asked):
    item = gap(look_up, "椅子屋", "い＿＿＿ (4 kana)" if typed != "yes" else "い＿＿ (3 kana)", unit=Unit.WORD)
    assert is_asked_for(look_up(typed), item) is asked


def test_a_word_without_a_cue_is_only_held_against_the_answer(look_up):
    item = gap(look_up, "新聞", "a word", unit=Unit.WORD)
    assert is_asked_for(look_up("雑誌"), item)
    assert not is_asked_for(look_up("新聞紙"), item)


def test_without_a_clipping_everything_may_be_asked_for(look_up):
    row = Row("key", 1, "", ItemKind.CLOZE, "x[＿＿＿]y", ("会議",))
    item = Item(ItemId(1), PackId(1), row, (Accepted("会議"),))
    assert is_asked_for(look_up("国際会議"), item)
    assert is_attempt(look_up("これが正しい"), item)
