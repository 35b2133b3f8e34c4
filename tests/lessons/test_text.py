"""Folding: what does not count, what always does, and that twice is once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import text


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("ｶﾞｲｺｸ", "がいこく"),
        ("ガイコク", "がいこく"),
        ("か\u3099", "が"),
        ("か\u200b\u3099", "が"),
        ("　がいこく。", "がいこく"),
        ("ＡＢＣ１", "abc1"),
        ("STRASSE", "strasse"),
        ("kündigen", "kündigen"),
        ("ku\u0308ndigen", "kündigen"),
        ("||友達||", "友達"),
        ("｜｜友達｜｜", "友達"),
        ("so\u00adft\ufeff", "soft"),
        ("葛\U000e0100", "葛"),
        ("a&nbsp;b", "a b"),
        ("&lt;b&gt;x", "x"),
        ("<<b>b>x", "x"),
        ("<b>犬</b><br>猫", "犬 猫"),
        ("a <3 b", "a <3 b"),
        ("か---", "かーーー"),
        ("<b" * 3 + ">" * 3 + "x", "x"),
        ("<ruby>食<rp>(</rp><rt>た</rt><rp>)</rp></ruby>べる", "食べる"),
        (" 食[た]べる", "食べる"),
        ("毎日 食[た]べる", "毎日食べる"),
        ("食べ[＿＿＿]", "食べ[___]"),
        ("～時", "〜時"),
        ("~時", "〜時"),
        ("コ-ヒ−", "こーひー"),
        ("コ一ヒ一", "こーひー"),
        ("カ一月", "か一月"),
        ("もう一度", "もう一度"),
        ("3-5", "3-5"),
        ("e-mail", "e-mail"),
        ("ぺージ", "ぺーじ"),
        ("ヴァイオリン", "ゔぁいおりん"),
        ("ヽヾ", "ゝゞ"),
        ("「はい、そうです！」", "はい、そうです"),
        ("…", ""),
    ],
)
def test_fold(written, folded):
    assert text.fold(written) == folded


def test_voicing_marks_always_count():
    assert text.fold("は") != text.fold("ば") != text.fold("ぱ")


def test_strict_kana_keeps_the_two_kana_apart_but_for_look_alikes():
    assert text.fold("ガイコク", strict_kana=True) == "ガイコク"
    assert text.fold("ぺージ", strict_kana=True) == text.fold("ページ", strict_kana=True)


@given(st.text(), st.booleans())
def test_folding_twice_is_folding_once(anything, strict):
    once = text.fold(anything, strict_kana=strict)
    assert text.fold(once, strict_kana=strict) == once


@given(st.text(alphabet="<>b/&;lt#0x[]か゛゙一-ー|。 食た\u200b", max_size=20), st.booleans())
def test_folding_twice_is_folding_once_among_markup(crafted, strict):
    once = text.fold(crafted, strict_kana=strict)
    assert text.fold(once, strict_kana=strict) == once


@given(st.text())
def test_no_text_is_too_odd(anything):
    for look in (text.is_kana, text.is_latin, text.has_kanji, text.has_japanese, text.has_odd_characters):
        assert look(anything) in {True, False}
    assert isinstance(text.strip_markup(anything), str)
    assert len(text.split_ruby(anything)) == 2
    assert isinstance(text.tidy(anything), str)


@pytest.mark.parametrize(
    ("written", "plain", "reading"),
    [
        ("食[た]べる", "食べる", "たべる"),
        (" 食[た]べ 物[もの]", "食べ物", "たべもの"),
        ("<ruby>漢字<rt>かんじ</rt></ruby>", "漢字", "かんじ"),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>だ", "漢字だ", "かんじだ"),
        ("<ruby><rb>食</rb><rt>た</rt></ruby>べる", "食べる", "たべる"),
        ("私は食[た]べる", "私は食べる", ""),
        ("たべる", "たべる", ""),
        ("食べ[＿＿＿]", "食べ[＿＿＿]", ""),
    ],
)
def test_ruby_is_split_from_its_base(written, plain, reading):
    assert text.split_ruby(written) == (plain, reading)


def test_markup_a_reader_never_sees():
    assert text.strip_markup("<!-- x -->a<script>b</script><STYLE>c</STYLE><p>d</p>e") == "ad e"
    assert text.strip_markup("&#39;&#x3042;&amp;&unknown;&") == "'あ&&unknown;&"


@pytest.mark.parametrize(
    ("question", "yes", "no"),
    [
        (text.is_kana, "ひらカター", "漢ji"),
        (text.is_kana, "か\u3099", ""),
        (text.has_kanji, "々", "かな"),
        (text.has_kanji, "〆切", "〜"),
        (text.has_japanese, "aか", "abc 1"),
        (text.is_latin, "kündigen 1!", "aか"),
        (text.is_latin, "ｋ", "1"),
        (text.has_latin, "aか", "か1"),
    ],
)
def test_scripts(question, yes, no):
    assert question(yes)
    assert not question(no)


def test_kanji_and_hiragana():
    assert text.kanji_of("食べ物1つ") == "食物"
    assert text.to_hiragana("カタカナー漢字") == "かたかなー漢字"


@pytest.mark.parametrize(
    ("written", "modern"), [("國語", "国語"), ("一册", "一冊"), ("神社", "神社"), ("食べる", "食べる"), ("abc", "abc")]
)
def test_kanji_in_the_form_in_use(written, modern):
    assert text.modern(written) == modern
    assert text.modern(modern) == modern


@pytest.mark.parametrize(
    "odd", ["\x00", "\x1b", "\u202e", "\u2066", "\u200f", "\ue000", "\ud800", "\ufffe", "\U000e0041"]
)
def test_odd_characters(odd):
    assert text.has_odd_characters(f"い{odd}ぬ")


def test_ordinary_characters_are_not_odd():
    assert not text.has_odd_characters("犬 dog\n\t1.5 ー😀か\u3099\u200d葛\U000e0100")


def test_squeezing():
    assert text.squeeze("はい、 そう です。") == "はいそうです"
    assert text.squeeze("one, two 1.5") == "one two 1.5"


def test_tidying_keeps_the_case_and_the_kana():
    assert text.tidy(" ||ガイコク||\u200b  <b>Go</b>。") == "ガイコク Go"


@pytest.mark.parametrize(
    "hostile",
    [
        "<!--",
        "<",
        "<a",
        "<rt>",
        "<script>",
        "&amp;",
        "食",
        "食[た]",
        "[た]",
        " ",
        "か-",
        "a ",
        "|",
        "。",
        "<" * 9 + "a>",
    ],
)
def test_a_hostile_cell_takes_no_longer_than_an_honest_one(hostile):
    cell = "-->x" + hostile * 20_000 + "x"
    text.fold(cell)
    text.split_ruby(cell)


def test_what_nests_deeper_than_any_program_does_loses_the_signs():
    folded = text.fold("<b" * 50 + ">" * 50 + "x")
    assert set(folded) == {"b", "x"}
    assert text.fold(folded) == folded


@pytest.mark.parametrize("hostile", ["a." * 5_000, "a-" * 5_000, "x" * 10_000 + ".", "://" * 3_000, "ab.com" * 2_000])
def test_no_text_makes_the_search_for_links_slow(hostile: str) -> None:
    """A pattern that goes back over what it read would take minutes here."""
    text.LINKS.sub(" ", hostile)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("see https://evil.example/x now", True),
        ("see evil.com/x", True),
        ("www.a.b", True),
        ("discord . gg/abc", True),
        ("javascript:alert(1)", True),
        ("3.5 points, e.g. を", False),
        ("行く。そして", False),
    ],
)
def test_links_are_found(written: str, found: bool) -> None:
    assert (text.LINKS.search(written) is not None) is found
