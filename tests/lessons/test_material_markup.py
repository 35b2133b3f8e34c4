"""What stands in a cell: tags, furigana, blanks, clozes, emphasis."""

import time
from collections.abc import Callable

import pytest

from lessons.material.markup import clean, gaps, mark_blanks, split_hint, strip_emphasis, unfurl
from lessons.model import BLANK


@pytest.mark.parametrize(
    ("cell", "text", "reading"),
    [
        ("<b>学生</b>&nbsp;です", "学生 です", ""),
        ("a<br>b<div>c</div><p>d</p>", "a\nb\nc\n\nd", ""),
        ("a < b &amp; c > d, <to eat>, AT&T &lt;b&gt;", "a < b & c > d, <to eat>, AT&T <b>", ""),
        ("[sound:eki.mp3]駅", "駅", ""),
        ('<img src="a.jpg">', "", ""),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字", "かんじ"),
        ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢字", "かんじ"),
        ("東京<ruby>都<rt>と</rt></ruby>", "東京都", ""),  # 東京 stays unread
        ("<ruby>きれい<rt>キレイ</rt></ruby>", "きれい", "キレイ"),
        ("食[た]べる", "食べる", "たべる"),
        ("日本 一[いち] 日[にち]", "日本一日", ""),
        ("お 母[かあ]さん", "お母さん", "おかあさん"),
        ("10月[がつ]", "10月", "がつ"),
        ("[vi] stop [1]", "[vi] stop [1]", ""),
        ("か\u3099くせい", "がくせい", ""),
        ("a\u200bb\u00adc", "abc", ""),
        (" a \u00a0 b \r\n\r\n\r\n\r\n c ", "a b\n\nc", ""),
        ("", "", ""),
    ],
)
def test_a_cell_becomes_text_and_keeps_its_reading(cell: str, text: str, reading: str) -> None:
    assert unfurl(clean(cell)) == (text, reading)


@pytest.mark.parametrize(
    "blank",
    [
        BLANK,
        "[___]",
        "___",
        "__",
        "＿＿",
        "＿",
        "( )",
        "(　)",
        "（＿＿）",
        "（　　）",
        "（）",
        "(__)",
        "[...]",
        "[…]",
        "【　】",
        "{ }",
    ],
)
def test_every_notation_of_a_blank(blank: str) -> None:
    assert mark_blanks(f"私{blank}学生です") == f"私{BLANK}学生です"


@pytest.mark.parametrize("text", ["f()", "a_b", "(polite)", "[1]", "（駅）", "[]"])
def test_what_is_no_blank(text: str) -> None:
    assert mark_blanks(text) == text


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("私{{c1::は::topic / wa}}学生", [(1, f"私{BLANK}学生", "は", "topic / wa")]),
        ("{{c1::a}} {{c2::b::hint}}", [(1, f"{BLANK} b", "a", ""), (2, f"a {BLANK}", "b", "hint")]),
        ("{{c1::a {{c2::b::h2}} c::h1}} d", [(1, f"{BLANK} d", "a b c", "h1"), (2, f"a {BLANK} c d", "b", "h2")]),
        ("{{c1::a}} and {{c1::b}}", [(1, f"{BLANK} and {BLANK}", "a", "")]),
        ("Ich {{bin}} hier", [(1, f"Ich {BLANK} hier", "bin", "")]),
        ("{{c2::a::b::c}}", [(2, BLANK, "a", "b::c")]),
        ("nothing", []),
        ("a}} b", None),
        ("{{c1::a", None),
        ("{{" * 9 + "}}" * 9, None),
        ("{{a}}" * 101, None),
    ],
)
def test_clozes_of_a_note(note: str, expected: list[tuple[int, str, str, str]] | None) -> None:
    found = gaps(note)
    assert (found and [(gap.number, gap.sentence, gap.filler, gap.hint) for gap in found]) == expected


def test_emphasis_comes_off() -> None:
    assert strip_emphasis("__**名詞・形容動詞**__\n① ||秘密|| a __ b") == "名詞・形容動詞\n① 秘密 a __ b"


def test_a_hint_is_never_part_of_an_answer() -> None:
    assert split_hint("は :: topic") == ("は", "topic")
    assert split_hint("は") == ("は", "")


HOSTILE = [
    "<",
    "[",
    "漢",
    "{{c1::",
    "[ ",
    "__a",
    "**a",
    "&a",
    "_ ",
    "<rt",
    "<rp>",
    "[漢",
    "漢[",
    "||a",
    "(_",
    "<a ",
    "\n ",
]


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize("work", [clean, unfurl, mark_blanks, strip_emphasis, gaps])
def test_hostile_cells_cost_what_long_cells_cost(part: str, work: Callable[[str], object]) -> None:
    cell = part * (100_000 // len(part))
    start = time.process_time()
    work(cell)
    assert time.process_time() - start < 1
