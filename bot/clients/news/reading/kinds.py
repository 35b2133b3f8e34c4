"""What bytes and texts look like before anybody parses them."""

from __future__ import annotations

import re
from typing import Final

from lessons.errors import UnreadableNews
from lessons.model import ReadTrouble

_BEGINNINGS: Final = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"\x89PNG\r\n", "an image"),
    (b"GIF8", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"\x00\x00\x01\x00", "an image"),
    (b"RIFF", "an image or a sound"),
    (b"OggS", "a sound"),
    (b"ID3", "a sound"),
    (b"\xff\xfb", "a sound"),
    (b"wOF", "a font"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "a database"),
)
_MEDIA_BOX: Final = slice(4, 8)

_PROLOGUE: Final = re.compile(
    r"\s*+(?:(?:<\?(?:(?!\?>).)*+\?>|<!--(?:(?!-->).)*+(?:-->|\Z)|<!DOCTYPE(?:[^\[>]|\[[^\]]*+\])*+>)\s*+)*+",
    re.IGNORECASE | re.DOTALL,
)
_ROOT: Final = re.compile(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)")
_HTML_TAGS: Final = frozenset(
    {
        "html",
        "head",
        "body",
        "title",
        "meta",
        "link",
        "script",
        "style",
        "div",
        "p",
        "a",
        "h1",
        "table",
        "span",
        "center",
    }
)
_FEED_TAGS: Final = frozenset({"rss", "feed", "rdf", "channel"})
_FEED_SOMEWHERE: Final = re.compile(r"<(?:rss|feed|rdf:RDF|channel)\b")
_OTHERS: Final = {"opml": "a list of feeds", "urlset": "a sitemap", "sitemapindex": "a sitemap", "svg": "an image"}
_SEARCHED: Final = 4096

FEED: Final = "a feed"
WEB_PAGE: Final = "a web page"


def refuse_binary(data: bytes) -> None:
    """Raise UnreadableNews for nothing at all (EMPTY), and for images, archives and the like (NOT_TEXT)."""
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf"):
        raise UnreadableNews(ReadTrouble.EMPTY)
    for beginning, name in _BEGINNINGS:
        if data.startswith(beginning):
            raise UnreadableNews(ReadTrouble.NOT_TEXT, name)
    if data[_MEDIA_BOX] == b"ftyp":
        raise UnreadableNews(ReadTrouble.NOT_TEXT, "a video or an image")


def look_of(text: str) -> str:
    """Return what a text looks like by its first element: FEED, WEB_PAGE, something by name, or "" when unknown.

    Raises UnreadableNews EMPTY when there is nothing but declarations and comments.
    """
    start = _PROLOGUE.match(text)
    begin = start.end() if start else 0
    head = text[begin : begin + _SEARCHED]
    if not head.strip():
        raise UnreadableNews(ReadTrouble.EMPTY)
    if head.startswith("{"):
        return "a JSON feed" if "jsonfeed.org" in head else "JSON"
    root = _ROOT.search(head)
    name = root[1].lower() if root and root.start() == 0 else ""
    if name in _FEED_TAGS or (name not in _HTML_TAGS and _FEED_SOMEWHERE.search(head)):
        return FEED
    if name in _HTML_TAGS or re.search(r"<html\b", head, re.IGNORECASE):
        return WEB_PAGE
    return _OTHERS.get(name, "")
