"""Reads RSS and Atom into entries of plain text."""

from __future__ import annotations

import calendar
import hashlib
import io
import re
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

import feedparser

from bot.clients.news.reading.encodings import decode, is_garbled
from bot.clients.news.reading.heads import alternate_feed, primary_tag
from bot.clients.news.reading.kinds import FEED, WEB_PAGE, look_of, refuse_binary
from bot.clients.news.reading.markup import of_fragment, plain, web_link
from lessons.errors import UnreadableNews
from lessons.model import Entry, FeedPage, Prose, ReadTrouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from feedparser import FeedParserDict

MOST_ENTRIES: Final = 500
MOST_CHARACTERS: Final = 200_000
"""Of running text, in one feed or one page."""
LONGEST_TITLE: Final = 300
_LONGEST_GUID: Final = 200
_YEARS: Final = range(1970, 2200)
_ISO_DAY: Final = re.compile(r"\s*(\d{4}-\d{2}-\d{2})(?!\d)")
_DAY_OF_SOME_MONTH: Final = re.compile(r"\d\D+\d|\d{8}")
_LONG_REFERENCE: Final = re.compile(r"&#(?:[xX][0-9a-fA-F]{6,}|[0-9]{7,});")
_DECLARATION: Final = re.compile(r"\s*<\?xml\b(?:(?!\?>).){0,500}\?>", re.DOTALL)


def read_feed(data: bytes, content_type: str, url: str) -> FeedPage:
    """Read a feed; links in it are taken from `url`. Raises UnreadableNews.

    NOT_A_FEED says in `detail` what it is instead: the address of the feed that a web page names, if it names one.
    """
    refuse_binary(data)
    text = decode(data, content_type)
    look = look_of(text)
    if look != FEED:
        raise UnreadableNews(ReadTrouble.NOT_A_FEED, (look == WEB_PAGE and alternate_feed(text, url)) or look)
    found = _parsed(text)
    head = found["feed"]
    language = primary_tag(str(head.get("language", "")))
    entries = tuple(_within_bounds(_entry(raw, url, language) for raw in found["entries"][:MOST_ENTRIES]))
    if not entries:
        raise UnreadableNews(ReadTrouble.NO_ENTRIES)
    title = plain(str(head.get("title", "")))[:LONGEST_TITLE]
    if is_garbled("\n".join((title, *(f"{entry.prose.title}\n{entry.prose.paragraphs}" for entry in entries)))):
        raise UnreadableNews(ReadTrouble.GARBLED)
    return FeedPage(title, web_link(str(head.get("link", "")), url), language, entries)


def _parsed(text: str) -> FeedParserDict:
    """Let feedparser see a stream of UTF-8, and never a string: it would take one for an address or a file."""
    text = _LONG_REFERENCE.sub("", _DECLARATION.sub("", text, count=1)).lstrip()  # it fails on those beyond Unicode
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    headers = {"content-type": "application/xml; charset=utf-8"}  # and no location, which ids would be joined to
    return feedparser.parse(stream, response_headers=headers, resolve_relative_uris=False, sanitize_html=False)


def _entry(raw: FeedParserDict, url: str, language: str) -> Entry:
    """Make an entry; of summary and content the one that says more."""
    title = plain(str(raw.get("title", "")))[:LONGEST_TITLE]
    bodies = [of_fragment(body) for body in _bodies(raw)]
    lines, rubies = max(bodies, key=lambda body: sum(map(len, body[0])), default=([], []))
    link = _link(raw, url)
    said = [part.get("language") for part in (*raw.get("content", ()), raw.get("summary_detail") or {})]
    prose = Prose(
        title=title,
        paragraphs=tuple(lines),
        rubies=tuple(rubies),
        language=next((tag for tag in map(primary_tag, map(str, filter(None, said))) if tag), language),
        source=plain(str((raw.get("source") or {}).get("title", "")))[:LONGEST_TITLE],
        published=_moment(raw),
    )
    return Entry(_guid(raw, link, prose), link, prose)


def _link(raw: FeedParserDict, url: str) -> str:
    """Return the link that an entry gives as such, else its id where that is a web address by itself.

    feedparser passes off any id as a link, and a name such as g1 is none.
    """
    named = any(part.get("rel") == "alternate" and part.get("href") for part in raw.get("links", ()))
    if named or not raw.get("guidislink"):
        return web_link(str(raw.get("link") or ""), url)
    return web_link(str(raw.get("id") or ""), "")


def _bodies(raw: FeedParserDict) -> Iterator[str]:
    for part in raw.get("content", ()):
        yield str(part.get("value") or "")
    yield str(raw.get("summary") or "")


def _guid(raw: FeedParserDict, link: str, prose: Prose) -> str:
    """Return the entry's own id, its link, or a hash of what it says; a hash too for an id of absurd length."""
    guid = plain(str(raw.get("id") or "")) or link or "\n".join((prose.title, *prose.paragraphs))
    named = bool(raw.get("id") or link)
    return guid if named and len(guid) <= _LONGEST_GUID else hashlib.sha256(guid.encode()).hexdigest()


def _moment(raw: FeedParserDict) -> datetime | None:
    for name in ("published", "updated"):
        # dict's own get: the feed's invents `updated` from `published`, with a warning
        text, parts = str(dict.get(raw, name) or ""), dict.get(raw, f"{name}_parsed")
        if not parts or not _is_day(text):
            continue
        try:
            moment = datetime.fromtimestamp(calendar.timegm(parts), UTC)
        except (ValueError, OverflowError, TypeError, OSError):
            continue
        if moment.year in _YEARS:
            return moment
    return None


def _is_day(text: str) -> bool:
    """Tell whether a date names a day there is; feedparser fills up "2026" with today, and carries a 13th month."""
    iso = _ISO_DAY.match(text)
    if iso is None:
        return _DAY_OF_SOME_MONTH.search(text) is not None
    try:
        date.fromisoformat(iso[1])
    except ValueError:
        return False
    return True


def _within_bounds(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Pass on entries that say something: text, and titles with links, until each has used up its characters."""
    text_left = head_left = MOST_CHARACTERS
    for entry in entries:
        prose = entry.prose
        if not (prose.title or prose.paragraphs or entry.url):
            continue
        head_left -= sum(map(len, (entry.guid, entry.url, prose.title, prose.source)))
        if head_left < 0:
            return
        kept = cut(prose.paragraphs, text_left)
        text_left -= sum(map(len, kept))
        text = "\n".join(kept)
        yield replace(
            entry, prose=replace(prose, paragraphs=kept, rubies=tuple(r for r in prose.rubies if r[0] in text))
        )


def cut(paragraphs: Iterable[str], characters: int) -> tuple[str, ...]:
    """Return the first paragraphs that fit into so many characters."""
    kept = []
    for paragraph in paragraphs:
        characters -= len(paragraph)
        if characters < 0:
            break
        kept.append(paragraph)
    return tuple(kept)
