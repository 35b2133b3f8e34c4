"""Readings beside kanji, and never the answer's own."""

import pytest

from bot.clients.tokenizer import SudachiTokenizer
from lessons.furigana import annotate, part_of_speech
from lessons.model import BLANK, Word


@pytest.mark.parametrize(
    ("prompt", "answer", "shown", "pos"),
    [
        (f"図書館{BLANK}本を読みます。", "で", f"図書館(としょかん){BLANK}本(ほん)を読(よ)みます。", "助詞"),
        (f"お金を{BLANK}ください。", "貸して", f"お金(かね)を{BLANK}ください。", "動詞"),
        (f"これ{BLANK}ペンです。", "は", "", "助詞"),
        (f"{BLANK}が好きです。", "静かな海", f"{BLANK}が好(す)きです。", "形状詞"),
        (f"私{BLANK}学生です。", "は", f"私(わたし){BLANK}学生(がくせい)です。", "助詞"),
        (f"明日{BLANK}行きます。", "も", f"明日(あした){BLANK}行(い)きます。", "助詞"),
        (f"ペンが三本{BLANK}あります。", "も", "", "助詞"),
        (f"毎朝{BLANK}ます。", "走り", f"毎朝(まいあさ){BLANK}ます。", "動詞"),
        (f"食べ{BLANK}。", "られない", f"食(た)べ{BLANK}。", "助動詞"),
        (f"A「行く{BLANK}。」 / B「うん。」", "？", f"A「行(い)く{BLANK}。」 / B「うん。」", "補助記号"),
    ],
)
async def test_sentences(prompt: str, answer: str, shown: str, pos: str) -> None:
    tokenizer = SudachiTokenizer()
    try:
        (analysis,) = await tokenizer.analyse([prompt.replace(BLANK, answer)])
    finally:
        tokenizer.close()
    start = prompt.index(BLANK)
    span = (start, start + len(answer))
    assert annotate(analysis.words, span) == shown
    assert part_of_speech(analysis.words, span) == pos


def word(surface: str, reading: str, *, known: bool = True) -> Word:
    return Word(surface, reading, surface, surface, ("名詞",), known)


def test_a_word_across_the_blanks_edge_keeps_its_secret() -> None:
    assert annotate([word("犬", "いぬ"), word("食べる", "たべる")], (2, 3)) == f"犬(いぬ)食{BLANK}る"


def test_unknown_words_and_odd_readings_stay_as_they_are() -> None:
    assert annotate([word("鬱蒼", "うっそう", known=False)], (9, 9)) == ""
    assert annotate([word("々", "々")], (9, 9)) == ""
    assert annotate([word("お茶", "お")], (9, 9)) == ""


def test_no_words_no_part_of_speech() -> None:
    assert part_of_speech([], (0, 1)) == ""
    assert part_of_speech([Word("x", "x", "x", "x", ())], (0, 1)) == ""
