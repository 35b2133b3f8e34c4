"""Documents are cut by paragraph and sentence, never inside one, and nothing of them is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.chunking import LONGEST, chunks, sentences


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_each_paragraph_is_a_piece_as_it_stands() -> None:
    text = "I am a nurse.  I like\ttea.\n\nI want to pass N2.\n \n  In December. "
    assert chunks(text) == ["I am a nurse.  I like\ttea.", "I want to pass N2.", "In December."]


def test_sentences_are_put_together_up_to_the_size() -> None:
    text = "One two three. Four five six. Seven eight."
    assert chunks(text, 30) == ["One two three. Four five six.", "Seven eight."]
    assert chunks(text, 5) == ["One two three.", "Four five six.", "Seven eight."]


def test_a_japanese_character_takes_two_columns() -> None:
    text = "私は看護師です。病院で働いています。"
    assert chunks(text, 36) == [text]
    assert chunks(text, 35) == ["私は看護師です。", "病院で働いています。"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I met Dr. Smith at 3 p.m. today. Then we left.", ["I met Dr. Smith at 3 p.m. today.", "Then we left."]),
        ("It rose by 3.5 points. Good!", ["It rose by 3.5 points.", "Good!"]),
        ("See e.g. Tokyo. Or not?", ["See e.g. Tokyo.", "Or not?"]),
        ("J. Novak wrote it. I read it.", ["J. Novak wrote it.", "I read it."]),
        ("「行きます。」と言いました。次の日に行きました。", ["「行きます。」と言いました。", "次の日に行きました。"]),
        ("楽しい！？もう一度。", ["楽しい！？", "もう一度。"]),
        ('He said "No." And he left.', ['He said "No."', "And he left."]),
        (
            "N2に合格しました(去年です。本当です。)。次はN1です。",
            ["N2に合格しました(去年です。本当です。)。", "次はN1です。"],
        ),
        ("（去年です。本当です。）次はN1です。", ["（去年です。本当です。）次はN1です。"]),
        ("I know it. 日本語も話せます。 Really.", ["I know it.", "日本語も話せます。", "Really."]),
        ("Wait... what? Yes…", ["Wait...", "what?", "Yes…"]),
        ("kanji.koohii is a site. I use it.", ["kanji.koohii is a site.", "I use it."]),
    ],
)
def test_where_sentences_end(text: str, found: list[str]) -> None:
    assert sentences(text) == found


def test_a_line_that_a_program_broke_goes_on() -> None:
    text = "I have been a nurse for six years and I would like to\nwork in Japan. I like it.\nSkills\n- first aid\n- Polish"
    assert sentences(text) == [
        "I have been a nurse for six years and I would like to\nwork in Japan.",
        "I like it.",
        "Skills",
        "- first aid",
        "- Polish",
    ]


def test_a_long_line_before_a_list_ends_there() -> None:
    text = "These are the things that I would like to practise most with you\n1. particles\n② 敬語"
    assert len(sentences(text)) == 3


def test_a_heading_goes_with_what_it_stands_over() -> None:
    assert chunks("Work\n\nI am a nurse.\n\nGoal\n\nN2\n\nI want it.") == [
        "Work\n\nI am a nurse.",
        "Goal\n\nN2\n\nI want it.",
    ]


def test_headings_that_are_left_over_are_pieces() -> None:
    assert chunks("I am a nurse.\n\nThe end") == ["I am a nurse.", "The end"]
    many = "\n\n".join(["a heading of words"] * 5)
    assert bare("".join(chunks(many))) == bare(many)
    assert chunks("") == chunks(" \n\n \t") == []


def test_only_a_sentence_longer_than_any_embedder_reads_is_cut() -> None:
    long = "word " * 300 + "end."
    assert chunks(long) == [long]
    longer = "とても長い文で、" * 400 + "終わり。"
    pieces = chunks(longer)
    assert [len(piece) <= LONGEST for piece in pieces] == [True, True]
    assert pieces[0].endswith("、")
    assert "".join(pieces) == longer
    assert "".join(chunks("x" * 5_000)) == "x" * 5_000


def test_a_document_at_its_limit_of_one_kind_of_sign_takes_no_time() -> None:
    for sign in ("\n", "。", ".", "「", "a", "\n \n", "（", " ."):
        text = sign * (20_000 // len(sign))
        assert bare("".join(chunks(text))) == bare(text)


TEXTS = st.text(st.sampled_from("ab A.。！?「」（）\n \t-1、…'\"字か"), max_size=300)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(1, 80))
def test_nothing_is_lost_and_no_sentence_is_broken(text: str, size: int) -> None:
    pieces = chunks(text, size)
    assert all(piece == piece.strip() != "" for piece in pieces)
    assert bare("".join(pieces)) == bare(text) == bare("".join(sentences(text)))
    ends = set()
    length = 0
    for sentence in sentences(text):
        length += len(bare(sentence))
        ends.add(length)
    length = 0
    for piece in pieces:
        length += len(bare(piece))
        assert length in ends
