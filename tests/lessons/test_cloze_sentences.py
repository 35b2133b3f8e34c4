"""Cutting Japanese prose into sentences with their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.cloze import split
from lessons.model import BLANK, Analysis, Prose, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    LookUp = Callable[[str], Analysis]


def _cut(look_up: LookUp, *paragraphs: str, rubies: tuple[tuple[str, str], ...] = ()) -> list[str]:
    prose = Prose("", paragraphs, rubies=rubies)
    return [sentence.text for sentence in split(prose, [look_up(text) for text in paragraphs])]


def _by_letter(text: str) -> Analysis:
    return Analysis(text, tuple(Word(sign, sign, sign, sign, ("名詞",)) for sign in text))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("雨が降った。風も吹いた。", ["雨が降った。", "風も吹いた。"]),
        ("すごい！？本当だ！ えっ?  そうだ!", ["すごい！？", "本当だ！", "えっ?", "そうだ!"]),
        ("雨だ｡風だ｡", ["雨だ｡", "風だ｡"]),
        ("Yahoo!で調べた。", ["Yahoo!で調べた。"]),
        ("まだ…と話した。でも… 次だ。", ["まだ…と話した。", "でも…", "次だ。"]),
        ("「晴れる。」と話した。次だ。", ["「晴れる。」と話した。", "次だ。"]),
        ("「晴れる」と話した（けさ。）。次だ。", ["「晴れる」と話した（けさ。）。", "次だ。"]),
        ("「一つ目だ。二つ目だ。」と話した。次だ。", ["一つ目だ。", "二つ目だ。", "次だ。"]),
        ("「一つ目だ。二つ目だ」と話した。", ["一つ目だ。"]),
        ("『見た。「来た。勝った。」と言った。』と書く。", ["見た。", "「来た。勝った。」と言った。"]),
        ("「一つ。二つ。」と「三つ。四つ。」だ。", ["一つ。", "二つ。"]),
        ("「五だ。」「六だ。」七だ。", ["「五だ。」", "「六だ。」七だ。"]),
        ("「五だ。」", ["「五だ。」"]),
        ("「閉じない。次だ。", ["「閉じない。", "次だ。"]),
        ("開かない」。次）だ。", ["開かない」。", "次）だ。"]),
        ("一行目\n二行目だ。", ["二行目だ。"]),
        ("", []),
        (" 　\n ", []),
    ],
)
def test_sentences_end_at_full_stops_and_brackets_stay_whole(look_up: LookUp, text: str, sentences: list[str]) -> None:
    assert _cut(look_up, text) == sentences


def test_a_headline_counts_only_when_it_is_long_enough(look_up: LookUp) -> None:
    long = "新しい駅の工事が来月から町の中心部で始まる見込み"
    assert _cut(look_up, "駅の工事が始まる", long) == [long]


def test_each_sentence_has_its_words_its_paragraph_and_its_furigana(look_up: LookUp) -> None:
    prose = Prose("", ("雨だ。", " 台風が来る。山だ。"), rubies=(("台風", "たいふう"), ("", "x")))
    found = split(prose, [look_up(text) for text in prose.paragraphs])
    assert [(one.text, one.paragraph) for one in found] == [("雨だ。", 0), ("台風が来る。", 1), ("山だ。", 1)]
    assert [one.rubies for one in found] == [(), (("台風", "たいふう"),), ()]
    assert all("".join(word.surface for word in one.words) == one.text for one in found)


def test_a_cut_inside_a_word_drops_the_sentence() -> None:
    word = Word("娘。は", "", "娘。は", "娘。は", ("名詞",))
    assert split(Prose("", ("娘。は",)), [Analysis("娘。は", (word,))]) == []


def test_a_text_that_looks_like_a_question_with_its_gap_is_left_out(look_up: LookUp) -> None:
    assert _cut(look_up, f"雨が{BLANK}た。") == []


def test_every_paragraph_needs_its_analysis(look_up: LookUp) -> None:
    with pytest.raises(ValueError, match="argument"):
        split(Prose("", ("雨だ。", "風だ。")), [look_up("雨だ。")])


@given(st.text(alphabet="あ雨。！!?…「」『』（）() \n\u3000a", max_size=40))
def test_no_sign_is_invented_or_used_twice(text: str) -> None:
    place = 0
    for sentence in split(Prose("", (text,)), [_by_letter(text)]):
        assert sentence.text == sentence.text.strip()
        place = text.index(sentence.text, place) + len(sentence.text)


@pytest.mark.parametrize(
    "text", ["「" * 50_000, "!" * 50_000 + "x", "…" * 50_000 + "あ", "「あ。」" * 15_000, "あ。" * 25_000]
)
def test_hostile_text_is_cut_in_one_pass(text: str) -> None:
    assert len(split(Prose("", (text,)), [_by_letter(text)])) <= len(text)
