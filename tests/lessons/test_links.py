"""What an article is known by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.links import address_key, entry_key, is_address, normalised, sentence_key, text_key

SAME = "example.org/news/1?a=1&b=2"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/news/1?a=1&b=2",
        "http://example.org/news/1?b=2&a=1",
        "https://www.example.org:443/news/1/?a=1&b=2#comments",
        " HTTPS://EXAMPLE.ORG/news/1?a=1&utm_source=rss&b=2&fbclid=x ",
        "http://example.org:80/news/1?a=1&b=2",
    ],
)
def test_one_address_has_one_spelling(url: str) -> None:
    assert normalised(url) == SAME
    assert address_key(url) == address_key(f"https://{SAME}")


@pytest.mark.parametrize(
    "other",
    ["https://example.org/news/2?a=1&b=2", "https://example.org:8080/news/1?a=1&b=2", "https://example.org/News/1"],
)
def test_another_address_is_another(other: str) -> None:
    assert address_key(other) != address_key(f"https://{SAME}")


@pytest.mark.parametrize("text", ["", "no address", "http://[::1", "http://example.org:port/x", "mailto:a@b"])
def test_what_is_no_address_stays_as_it_is(text: str) -> None:
    assert normalised(f" {text} ") == text


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("https://example.org", True),
        ("HTTP://example.org/x", True),
        ("ftp://example.org", False),
        ("javascript:alert(1)", False),
        ("https://example.org/a b", False),
        ("", False),
    ],
)
def test_an_address_of_the_web_is_told(text: str, yes: bool) -> None:
    assert is_address(text) is yes


def test_a_text_is_known_however_it_is_set() -> None:
    assert text_key(["市場が開かれた。", "雨が降った。"]) == text_key(["市場が開かれた。 雨が降った。"])
    assert text_key(["市場が開かれた。"]) != text_key(["市場が閉じられた。"])
    assert sentence_key("ﾊﾞｽに乗る。") == sentence_key("バスに乗る")


def test_an_entry_belongs_to_its_feed() -> None:
    assert entry_key(1, "a") != entry_key(2, "a")


@given(st.text())
def test_any_text_has_a_spelling_that_lasts(url: str) -> None:
    assert isinstance(address_key(url), str)
    assert sentence_key(url) == sentence_key(url)
