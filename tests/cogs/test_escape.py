"""Nothing that people or files write pings, links, formats or hides on a screen."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.ui.escape import ELLIPSIS, clip, code, safe

HOSTILE = [
    "@everyone", "@here", "<@123>", "<@!123>", "<@&123>", "<#123>", "</drill:123>", "<t:0:R>", "<id:customize>",
    "<:smile:123>", "<a:wave:123>", "http://evil.example", "https://evil.example/a?b", "HTTPS://EVIL.example",
    "discord.gg/abc", "discord.com/invite/abc", "discordapp.com/invite/abc", "[text](http://evil.example)",
    "[text](<http://evil.example>)", "\\[text](http://evil.example)", "**b**", "__u__", "*i*", "_i_", "~~s~~",
    "||spoiler||", "`code`", "```\nblock\n```", "> quote", ">>> quote", "# head", "## head", "-# small", "- list",
    "* list", "1. list", "\u202egnp.exe", "a\u200bb", "\U000e0041\U000e0042", "＠everyone", "steam://run", "mailto:x",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(text: str) -> None:
    shown = safe(f"x {text} y", one_line=False)
    bare = shown.replace("\\", "")
    assert "@everyone" not in bare
    assert "@here" not in bare
    for mark in ("<@", "<#", "</", "<t:", "<:", "<a:", "<id:", "discord.gg", "discord.com", "discordapp.com"):
        assert mark not in bare, shown
    assert not re.search(r"\w://", bare)
    for mark in "*_~`|>[]#":
        assert shown.count(mark) == shown.count("\\" + mark), shown
    assert not any(unicodedata.bidirectional(char) in {"RLO", "LRO", "RLE", "LRE", "PDF"} for char in shown)
    assert not any(0xE0000 <= ord(char) <= 0xE007F for char in shown)


@pytest.mark.parametrize("text", ["- list", "+ list", "1. list", "12. list"])
def test_lists_do_not_begin(text: str) -> None:
    assert safe(text) == text.replace("-", "\\-").replace("+", "\\+").replace(".", "\\.")


@pytest.mark.parametrize("text", ["図書館で本を読みます。", "「はい」と言った…", "ｱｲｳ １２３", "👨‍👩‍👧 家族", "がぎぐ"])
def test_plain_text_is_left_alone(text: str) -> None:
    assert safe(text) == text


@given(st.text(max_size=600), st.integers(2, 200))
def test_any_text_fits_its_limit(text: str, limit: int) -> None:
    shown = safe(text, limit)
    plain = shown.replace("\\", "").replace("\u2060", "")
    assert len(plain.encode("utf-16-le")) // 2 <= limit
    assert "\n" not in shown
    assert "@everyone" not in shown


@given(st.text(max_size=200))
def test_clipping_never_tears_a_character(text: str) -> None:
    family = "👨‍👩‍👧"
    cut = clip(family * 5 + text, 20)
    assert cut.removesuffix(ELLIPSIS).replace(family, "") == ""


@given(st.text(max_size=300))
def test_code_has_no_way_out(text: str) -> None:
    shown = code(text)
    assert shown.count("`") == 2
    assert len(shown) > 2
    assert "@everyone" not in shown
