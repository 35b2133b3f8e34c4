"""How the reading process is spoken to: frames of a length and bytes, questions and answers as JSON."""

from __future__ import annotations

import json
import struct
from datetime import datetime
from typing import Any, Final

from lessons.errors import UnreadableNews
from lessons.model import Entry, FeedPage, Prose, ReadTrouble

LENGTH: Final = struct.Struct(">I")
FEED: Final = "feed"
PAGE: Final = "page"
READY: Final = b"ready"
FIT: Final = b"+"
SPENT: Final = b"-"
"""The first byte of an answer: whether the process can be asked again."""
LONGEST_ANSWER: Final = 2 * 1024 * 1024


def frame(data: bytes) -> bytes:
    """Return bytes with their length before them."""
    return LENGTH.pack(len(data)) + data


def question(what: str, content_type: str, url: str, seconds: float) -> bytes:
    """Write what is to be read; the bytes themselves follow in a frame of their own."""
    return json.dumps({"what": what, "type": content_type, "url": url, "seconds": seconds}).encode()


def trouble(error: UnreadableNews) -> bytes:
    """Write that the bytes cannot be read."""
    return json.dumps({"why": error.why.value, "detail": error.detail}).encode()


def read_answer(data: bytes) -> FeedPage | Prose:
    """Read what the process found, after the first byte. Raises UnreadableNews when that is what it says."""
    found = json.loads(data[1:])
    if "why" in found:
        raise UnreadableNews(ReadTrouble(found["why"]), found["detail"])
    return _feed(found) if "entries" in found else _prose(found)


def answer(found: FeedPage | Prose) -> bytes:
    """Write what was found; single surrogates become question marks."""
    written = _written_feed(found) if isinstance(found, FeedPage) else _written_prose(found)
    return json.dumps(written, ensure_ascii=False).encode("utf-8", "replace")


def _written_feed(feed: FeedPage) -> dict[str, Any]:
    entries = [[entry.guid, entry.url, _written_prose(entry.prose)] for entry in feed.entries]
    return {"title": feed.title, "site": feed.site, "language": feed.language, "entries": entries}


def _written_prose(prose: Prose) -> dict[str, Any]:
    return {
        "title": prose.title,
        "paragraphs": prose.paragraphs,
        "rubies": prose.rubies,
        "language": prose.language,
        "source": prose.source,
        "published": prose.published.isoformat() if prose.published else None,
    }


def _feed(found: dict[str, Any]) -> FeedPage:
    entries = tuple(Entry(guid, url, _prose(prose)) for guid, url, prose in found["entries"])
    return FeedPage(found["title"], found["site"], found["language"], entries)


def _prose(found: dict[str, Any]) -> Prose:
    published = found["published"]
    return Prose(
        title=found["title"],
        paragraphs=tuple(found["paragraphs"]),
        rubies=tuple((written, reading) for written, reading in found["rubies"]),
        language=found["language"],
        source=found["source"],
        published=datetime.fromisoformat(published) if published else None,
    )
