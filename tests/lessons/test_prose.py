"""Pasted text as running text: paragraphs, titles, furigana, and what is no text at all."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.errors import TextTooLong
from lessons.prose import LONGEST, LONGEST_FILE, TextKind, from_srt, from_text, from_vtt, kind_of, language_of

CAT = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当が\nつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いてい\nた事だけは記憶している。"


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("", ()),
        (" \r\n\u3000\r\n", ()),
        ("\ufeff", ()),
        ("雨が降った。", ("雨が降った。",)),
        ("雨が降った。\r\n風も吹いた。\r\n", ("雨が降った。", "風も吹いた。")),
        ("雨が降った。\r\r風も吹いた。", ("雨が降った。", "風も吹いた。")),
        (CAT, (CAT.replace("\n", ""),)),
        ("今日は\n天気がいいので\n散歩に行きました。", ("今日は天気がいいので散歩に行きました。",)),
        ("The quick brown fox\njumps over\nthe lazy dog.", ("The quick brown fox jumps over the lazy dog.",)),
        ("A well-\nknown story it is.", ("A well-known story it is.",)),
        ("\u3000山に登った。川を下った\n\u3000海に出た。", ("山に登った。川を下った", "海に出た。")),
        ("彼は言った。「行こう」\n皆が立った。", ("彼は言った。「行こう」", "皆が立った。")),
        (
            "雨が降った。とても強い雨だった。\n関連記事\n風も吹いた。",
            ("雨が降った。とても強い雨だった。", "関連記事", "風も吹いた。"),
        ),
        ("か\u3099くせいです。", ("がくせいです。",)),
        ("雨\u200bが\u00ad降\ufe00った\x07。\u202e", ("雨が降った。",)),
        ("人口は約1,400万人である[1][注 2]。", ("人口は約1,400万人である。",)),
        ("雨が\t 降った&amp;やんだ。", ("雨が 降った&やんだ。",)),
    ],
)
def test_lines_become_paragraphs(text: str, paragraphs: tuple[str, ...]) -> None:
    assert from_text(text).paragraphs == paragraphs


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("大雨で列車が遅れる\n\n東京では雨が降った。", "大雨で列車が遅れる"),
        ("# 大雨で列車が遅れる\n東京では雨が降った。", "大雨で列車が遅れる"),
        ("大雨で列車\n東京では昨日の夜から雨が降って、多くの列車が遅れた。", "大雨で列車"),
        ("大雨で列車が遅れる\n\u3000東京では雨が降った。", "大雨で列車が遅れる"),
        ("https://example.com/news\n\n大雨(おおあめ)の話\n\n東京では雨が降った。", "大雨の話"),
        (
            "大雨で電車が遅れる\n東京では昨日の夜から雨が降って、多くの列車が遅れ、駅は帰る人で一杯になったという。",
            "大雨で電車が遅れる",
        ),
        ("大雨で列車が遅れる", ""),
        ("雨が降った。\n\n風も吹いた。", ""),
        ("Rain fell. Wind blew\n\nIt was cold.", ""),
        ("その日は、\n\n雨が降った。", ""),
        ("長" * 81 + "\n\n雨が降った。", ""),
        (CAT, ""),
    ],
)
def test_a_short_first_line_that_is_no_sentence_is_the_title(text: str, title: str) -> None:
    found = from_text(text)
    assert found.title == title
    assert all(title not in paragraph for paragraph in found.paragraphs if title)


def test_a_title_that_is_given_stays_and_the_first_line_with_it() -> None:
    found = from_text("見出し\n\n雨が降った。", " 私\nの題[だい] ")
    assert (found.title, found.paragraphs, found.rubies) == ("私 の題", ("見出し", "雨が降った。"), (("題", "だい"),))


@pytest.mark.parametrize(
    ("text", "plain", "rubies"),
    [
        ("漢字[かんじ]を読む。", "漢字を読む。", (("漢字", "かんじ"),)),
        ("私は 漢字[カンジ]を 読[よ]む。", "私は漢字を読む。", (("漢字", "かんじ"), ("読", "よ"))),
        ("漢字（かんじ）を漢字(かんじ)と書く。", "漢字を漢字と書く。", (("漢字", "かんじ"),)),
        ("安倍晋三（あべ しんぞう）氏", "安倍晋三氏", (("安倍晋三", "あべしんぞう"),)),
        ("10日（とおか）に行く。", "10日に行く。", (("10日", "とおか"),)),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>だ。", "漢字だ。", (("漢字", "かんじ"),)),
        ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>だ。", "漢字だ。", (("漢", "かん"), ("字", "じ"))),
        ("<ruby>米国<rt>USA</rt></ruby>だ。", "米国だ。", ()),
        ("東京（など）で降った。", "東京（など）で降った。", ()),
        ("東京（昨日）で降った。", "東京（昨日）で降った。", ()),
        ("都（いつもはもっとはやくつくのに）へ", "都（いつもはもっとはやくつくのに）へ", ()),
        ("東京特許（ひ）だ。", "東京特許（ひ）だ。", ()),
        ("食べる（たべる）こと。", "食べる（たべる）こと。", ()),
        ("私[＿＿＿]学生です。", "私[＿＿＿]学生です。", ()),
        ("第10[じゅう]", "第10", (("第10", "じゅう"),)),
        ("10[じゅう]人", "10[じゅう]人", ()),
        ("彼の体重《たいじゅう》だ。", "彼の体重だ。", (("体重", "たいじゅう"),)),
        ("今日は｜東京都《とうきょうと》へ行く。", "今日は東京都へ行く。", (("東京都", "とうきょうと"),)),
        (
            "その|食べ物《たべもの》と｜煙草《タバコ》だ。",
            "その食べ物と煙草だ。",
            (("食べ物", "たべもの"), ("煙草", "たばこ")),
        ),
        ("歌劇《アイーダ》と映画《など》だ。", "歌劇《アイーダ》と映画《など》だ。", ()),
        ("曲《とてもながいなまえのきょく》だ。", "曲《とてもながいなまえのきょく》だ。", ()),
        ("雨《第一部》と｜かな《かな》だ。", "雨《第一部》と｜かな《かな》だ。", ()),
    ],
)
def test_furigana_become_readings(text: str, plain: str, rubies: tuple[tuple[str, str], ...]) -> None:
    found = from_text(text)
    assert (found.paragraphs, found.rubies) == ((plain,), rubies)


def test_of_markdown_the_words_stay() -> None:
    text = """# 大雨の**話**

![写真](https://example.com/a.png)
https://example.com/long?q=1
---
| 県 | 雨 |
> 東京では[雨](https://example.com)が降った。詳しくはhttps://example.com/を見る。
- `列車`が遅れた
- 電車も遅れた

## 関東
風も吹いた。
```
"""
    found = from_text(text)
    assert found.title == "大雨の話"
    assert found.paragraphs == (
        "東京では雨が降った。詳しくはを見る。", "列車が遅れた", "電車も遅れた", "関東", "風も吹いた。",
    )  # fmt: skip
    assert found.language == "ja"


@pytest.mark.parametrize("text", ["---\n***\n", "https://example.com/", "<p></p><br>", "![a](b)", "```\n```", "&nbsp;"])
def test_nothing_but_markup_is_no_text(text: str) -> None:
    found = from_text(text)
    assert (found.title, found.paragraphs, found.language) == ("", (), "")


def test_tags_go_and_break_lines_where_they_do() -> None:
    found = from_text("<p>雨が<b>降った</b>。</p><!-- x --><p>a < b と &lt;i&gt; がある。</p>")
    assert found.paragraphs == ("雨が降った。", "a < b と <i> がある。")


def test_a_text_over_the_limit_is_refused_with_its_length() -> None:
    assert from_text("あ" * LONGEST).paragraphs == ("あ" * LONGEST,)
    with pytest.raises(TextTooLong) as refused:
        from_text("あ" * (LONGEST + 1))
    assert (refused.value.found, refused.value.limit) == (LONGEST + 1, LONGEST)


SRT = "1\n00:00:01,000 --> 00:00:02,500\nこんにちは。\n"


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.txt", "雨が降った。", TextKind.TEXT),
        ("", "", TextKind.TEXT),
        ("a.Html", "", TextKind.HTML),
        ("a.srt", "", TextKind.SRT),
        ("a.vtt", "", TextKind.VTT),
        ("a.txt", "\ufeff" + SRT, TextKind.SRT),
        ("a.txt", SRT.replace("\n", "\r\n"), TextKind.SRT),
        ("a", SRT.replace(",", "."), TextKind.VTT),
        ("A.SRT", SRT.replace(",", "."), TextKind.SRT),
        ("a.vtt", SRT, TextKind.VTT),
        ("a.srt", "\ufeffWEBVTT\n\n" + SRT, TextKind.VTT),
        ("a.srt", "雨が降った。", TextKind.TEXT),
        ("a.srt", "あ" * 3000 + "\n" + SRT, TextKind.SRT),
        ("a.txt", "WEBVTTは形式です。", TextKind.TEXT),
        ("a.txt", "\n<!DOCTYPE html><html>", TextKind.HTML),
        ("a.txt", '<?xml version="1.0"?>\n<!-- x -->\n<html>', TextKind.HTML),
        ("a.txt", "<p>雨</p>", TextKind.HTML),
        ("a.HTM", "雨が<br>降った", TextKind.HTML),
        ("a.html", "雨が降った。", TextKind.TEXT),
        ("a.txt", "雨は <b>強い</b>", TextKind.TEXT),
        ("a.txt", "<ruby>雨<rt>あめ</rt></ruby>だ。", TextKind.TEXT),
    ],
)
def test_a_text_is_known_by_its_look_before_its_name(name: str, text: str, kind: TextKind) -> None:
    assert kind_of(name, text) is kind


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("雨が降った。", "ja"),
        ("カタカナ", "ja"),
        ("下雨了,天氣很冷。", "zh"),
        ("有名的優の良品商店在城市中心營業多年非常受歡迎的喔大家都很喜歡", "zh"),
        ("비가 왔다.", "ko"),
        ("It rained in 東京.", ""),
        ("The word 気づき means noticing, as learners of the language know.", ""),
        ("", ""),
        ("123", ""),
    ],
)
def test_the_script_tells_some_languages(text: str, language: str) -> None:
    assert language_of([text]) == language


MARKUP = (
    "[かんじ]",
    "（かんじ）",
    "(",
    ")",
    "<ruby>",
    "<rt>",
    "</rt>",
    "<",
    ">",
    "&#7;",
    "&lt;",
    "{\\an8}",
    "\\N",
    "# ",
    "|",
    "**",
)
TIMES = ("00:00:01,000 --> 00:00:02,000", "00:01.0 --> 00:02.0", "WEBVTT", "NOTE", "3", "\n", "\r\n")
SIGNS = (
    "。",
    "、",
    "漢字",
    "abc",
    "♪",
    "🎵",
    "-",
    "http://a.b",
    "\u3000",
    "\u202e",
    "\ud800",
    "\x00",
    "\U000e0041",
    "か\u3099",
)
PIECES = st.sampled_from(MARKUP + TIMES + SIGNS)
MESSES = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


@given(MESSES, MESSES)
def test_whatever_comes_in_no_control_character_comes_out(text: str, title: str) -> None:
    assert kind_of(title, text) in TextKind
    for found in (from_text(text, title), from_srt(text), from_vtt(text)):
        shown = [found.title, *found.paragraphs, *(part for pair in found.rubies for part in pair)]
        assert not [char for part in shown for char in part if unicodedata.category(char) in {"Cc", "Cf", "Co", "Cs"}]
        assert all(part.strip() for part in found.paragraphs)


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<ruby>",
        "<rt",
        "漢",
        "漢[",
        "漢（か",
        "**",
        "`",
        "|",
        "- ",
        "# ",
        "[a](",
        "![",
        "(",
        "{\\",
        "&",
        "<!--",
        "1\n",
        "か\n",
        " ",
        "http",
    ],
)
def test_hostile_repetition_is_read_in_no_time(piece: str) -> None:
    from_text(piece * (LONGEST // len(piece)))
    timed = "00:00:01,000 --> 00:00:02,000\n" + piece * (LONGEST // len(piece) // 2)
    assert len(timed) < LONGEST_FILE
    from_srt(timed)
    from_vtt(timed)
    kind_of("a.html", timed)
