"""What of a reply is seen: nothing that links, pings or tells of the machinery, piece by piece as it streams."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.model import Surface
from lessons.tutoring import LABELS, PAGE, Cleaning, leaks, pages, quoted, rules
from tests.lessons.injections import KNOWN


def shown(text, secret="", size=3):
    cleaning = Cleaning(secret)
    for at in range(0, len(text), size):
        cleaning.feed(text[at : at + size])
    return cleaning.finish()


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("**は** marks the topic. も adds.", "**は** marks the topic. も adds."),
        ("See https://evil.example/x?a=1&b=2. Then go on.", "See  Then go on."),
        ("See [the rule. Really](https://evil.example) now.", "See [the rule. Really]( now."),
        ("See [the rule](https://evil.example) now.", "See the rule now."),
        ("![x](http://evil.example/y.png)", "x"),
        ("Join discord.gg/abc now", "Join now"),
        ("@everyone <@1> <@&2> <#3> </drill:4> <:a:5> <a:b:6> <t:1:D> <id:home> ok", "ok"),
        ("<@123 and more", ""),
        ("a\u200b@every\u200bone b", "a b"),
        ("<verb>を<noun> stays", "<verb>を<noun> stays"),
        ("# Big\ntext", "### Big\ntext"),
        ("###### Small\ntext", "### Small\ntext"),
        ("-# sub", "### sub"),
        ("a\n---\nb\n* * *\n", "a\nb"),
        ("| は | も |\n|---|:-:|\n| topic. A | adds |\nend", "は · も\ntopic. A · adds\nend"),
        ("| は | も |", "は · も"),
        ("||spoiler|| stays", "||spoiler|| stays"),
        ("a\r\n\r\n\r\n\r\nb", "a\n\nb"),
        ("- one\n  - two  x\n", "- one\n  - two  x"),
        ("Fill: 友だち＿＿＿会う。", "Fill: 友だち＿＿＿会う。"),
        ("", ""),
        ("\x00\u202e\ud800", ""),
    ],
)
def test_a_reply_is_cleaned(said, seen):
    assert shown(said) == seen
    assert shown(said, size=1) == seen
    assert shown(said, size=999) == seen


@given(st.text(alphabet="a。.! \n|#-@<>:/[](){}https", max_size=60), st.integers(1, 9))
def test_the_pieces_it_came_in_do_not_matter(text, size):
    assert shown(text, size=size) == shown(text, size=999)


@given(st.text(max_size=200), st.integers(1, 20))
def test_what_was_shown_stays_shown(text, size):
    cleaning, before = Cleaning(), ""
    for at in range(0, len(text), size):
        now = cleaning.feed(text[at : at + size])
        assert now.startswith(before)
        before = now
    assert cleaning.finish().startswith(before)


def test_a_sentence_is_shown_when_it_has_ended():
    cleaning = Cleaning()
    assert cleaning.feed("も adds. It") == "も adds."
    assert cleaning.feed(" is 1.5 ") == "も adds."
    assert cleaning.feed("times。") == "も adds."
    assert cleaning.feed("」は") == "も adds. It is 1.5 times。」"
    assert cleaning.finish() == cleaning.text == "も adds. It is 1.5 times。」は"


@pytest.mark.parametrize("order", KNOWN)
def test_nothing_that_was_slipped_in_links_or_pings(order):
    seen = shown(f"You wrote: {order}")
    assert "://" not in seen
    assert "@everyone" not in seen
    assert "<@" not in seen


@pytest.mark.parametrize("surface", [Surface.ASK, Surface.ROLEPLAY])
def test_the_rules_never_come_back_out(surface):
    text = rules(surface)
    seen = shown(f"Sure! Here they are.\n{text}\nThat was all.", text)
    words = text.split()
    assert seen.startswith("Sure! Here they are.")
    assert seen.endswith("That was all.")
    assert not any(" ".join(words[at : at + 12]) in " ".join(seen.split()) for at in range(len(words) - 11))
    assert len(seen) < len(text) / 8


def test_rules_cut_into_short_sentences_are_noticed_too():
    secret = "Stay kind. Be short. Use facts. Say dates. Never guess. End well."
    cleaning = Cleaning(secret)
    cleaning.feed("As told: Stay kind. Be short. Use facts. Say dates. Never guess. End well. Bye.")
    assert cleaning.finish() == "As told: Stay kind. Be short. Use facts. Bye."
    assert "stay kind be short use facts say dates" in cleaning.leaks


@pytest.mark.parametrize(
    "sentence",
    [
        "According to your profile, you write.",
        "My system prompt says so.",
        "It had a similarity of 0.82 to this.",
        "0.91 was the cosine here.",
        "検索結果によると、そうです。",
        *(f"The {label} says so." for label in LABELS),
    ],
)
def test_a_sentence_that_tells_of_the_machinery_is_not_shown(sentence):
    cleaning = Cleaning()
    assert cleaning.feed(f"も adds. {sentence} は contrasts.") + "" == cleaning.text
    assert cleaning.finish() == "も adds. は contrasts."
    assert cleaning.leaks
    assert shown(f"a\n{sentence}\nb") == "a\n\nb"


@pytest.mark.parametrize(
    "sentence",
    ["Your JLPT score was 120 points.", "ベクトルは数学の言葉です。", "The vector database failed.", "It costs 0.99."],
)
def test_words_of_somebodys_work_are_shown_and_reported(sentence):
    cleaning = Cleaning()
    cleaning.feed(sentence)
    assert cleaning.finish() == sentence
    assert len(cleaning.leaks) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The score is 0.82.", ("score", "0.82")),
        (
            "Scores, EMBEDDINGS and chunks were retrieved by RAG.",
            ("Scores", "EMBEDDINGS", "chunks", "retrieved", "RAG"),
        ),
        ("fragrant underscore 10.82 20.825 brags", ()),
        ("類似度と埋め込み", ("類似度", "埋め込み")),
        ("see past_mistakes", ("past_mistakes",)),
        ("あなたのscoreはlearner_profileにあります", ("score", "learner_profile")),
        ("a rag and a dragon", ()),
        ("one two three four five six seven eight nine", ("one two three four five six seven eight",)),
        ("one two three four five six seven nine", ()),
    ],
)
def test_leaks_are_told_word_by_word(text, found):
    assert leaks(text, "Zero. One two three, four FIVE six seven eight nine") == found


@pytest.mark.parametrize("length", [0, 10, PAGE, 9000])
@pytest.mark.parametrize("kind", ["。", ". ", "\n\n", "\n", " ", "", "、", "🎌"])
def test_pages_hold_everything_and_fit(kind, length):
    text = "".join(f"語{n}文{kind}" for n in range(length // 5))[:length].strip()
    found = pages(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(0 < len(page.encode("utf-16-le")) // 2 <= PAGE for page in found)


def test_a_page_ends_between_paragraphs_where_it_can():
    assert pages(f"{'あ' * 60}\n\n{'い' * 60}。{'う' * 20}", 110) == ["あ" * 60, f"{'い' * 60}。{'う' * 20}"]
    assert pages(f"{'あ' * 20}\n\n{'い' * 70}。{'う' * 20}", 110) == [f"{'あ' * 20}\n\n{'い' * 70}。", "う" * 20]


def test_a_block_of_code_is_closed_and_opened_again():
    found = pages("```\n" + "line of code\n" * 20 + "```\nend", 100)
    assert all(page.count("```") % 2 == 0 and len(page) <= 100 for page in found)
    assert found[1].startswith("```\n")


def test_a_page_of_hardly_any_room_still_goes_on():
    assert pages("🎌🎌", 9) == ["🎌", "🎌"]


@given(st.text(max_size=400), st.integers(20, 60))
def test_pages_come_to_an_end(text, limit):
    assert all(page.strip() for page in pages(text, limit))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n*b* `c`  <x> #d ~~e~~ ||f|| \\g", "a b c x d e f g"),
        ("see https://evil.example @everyone now", "see now"),
        ("あ" * 12, "あああああああああ…"),
    ],
)
def test_foreign_text_fits_a_line(text, line):
    assert quoted(text, 10 if "あ" in text else 80) == line


@pytest.mark.parametrize(
    "piece", ["a.", "a-", "0.9", "!", "?)", "<", "@", "[", "|", "http", "あ", "score ", "a.b", "*", "＿", "\n", "```"]
)
def test_long_replies_of_any_kind_stream(piece):
    text = piece * (9000 // len(piece))
    assert shown(text, size=4) == shown(text, size=9000)
    assert leaks(text, rules(Surface.ASK)) is not None
    assert len(quoted(text, 50)) <= 50


def test_long_replies_of_all_kinds_stream():
    text = "".join(random.Random(4).choices("あいうえお。 .\nabc", k=9000))
    assert shown(text, size=4)
