"""Nothing that people or files write pings, links, formats or hides on a screen."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.ui.escape import ELLIPSIS, clip, code, link, safe, unbracketed

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


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://news.example/a?b=c&d=e#f", "https://news.example/a?b=c&d=e#f"),
        ("https://例え.jp/ニュース", "https://例え.jp/ニュース"),
        (" HTTPS://News.Example/ ", "HTTPS://News.Example/"),
        ("https://a.example/x)[y](https://evil.example", "https://a.example/x%29%5By%5D%28https://evil.example"),
        ("https://a.example/>)\\|`{}\"^'", "https://a.example/%3E%29%5C%7C%60%7B%7D%22%5E%27"),
        ("https://a.example/@everyone", "https://a.example/%40everyone"),
        ("https://a.example/a b\nc", "https://a.example/a%20b%0Ac"),
        ("https://a.example/\u202e\u200b\x00", "https://a.example/%E2%80%AE%E2%80%8B%00"),
        ("http://a.example:8080/\ud800", "http://a.example:8080/%3F"),
    ],
)
def test_a_link_leads_where_it_says(url: str, target: str) -> None:
    assert link("題", url) == f"[題](<{target}>)"


@pytest.mark.parametrize(
    "url",
    [
        "", "news", "/a", "//a.example/", "javascript:alert(1)", "data:text/html,x", "ftp://a.example/", "https://",
        "https:///a", "https://user@a.example/", "https://a.example\\@evil.example/", "https://a.example:x/",
        "http://[::1/", "https:a.example", f"https://a.example/{'x' * 500}",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_not_linked(url: str) -> None:
    assert link("題", url) == "題"


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_title_does_not_open_another_link(title: str) -> None:
    shown = link(title, "https://a.example/")
    name, target = shown.rsplit("](<", 1)
    assert target == "https://a.example/>)"
    assert name.startswith("[")
    assert not {"[", "]"} & set(name[1:])
    assert "@everyone" not in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_beside_a_link_becomes_a_part_of_it(text: str) -> None:
    assert not {"[", "]"} & set(unbracketed(text, 200))


@given(st.text(max_size=300), st.text(max_size=300))
def test_nothing_gets_out_of_a_link(title: str, path: str) -> None:
    shown = link(title, f"https://a.example/{path}")
    assert shown.count("](") <= 1
    if shown.endswith(">)"):
        assert not set("<>()[]\\ \n") & set(shown.rsplit("](<", 1)[1].removesuffix(">)"))


@pytest.mark.parametrize("text", ["\u3164", "\u115f \uffa0", "\u2800\n\u2800", "\ufe0f\u034f", "\u200b\u2060", " ", ""])
def test_nothing_is_left_of_a_text_in_which_nothing_can_be_seen(text: str) -> None:
    assert safe(text) == ""
    assert safe(f"あ{text}").startswith("あ")
