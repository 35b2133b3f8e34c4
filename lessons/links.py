"""What an article is known by: its address however it is written, and its text however it is set."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from lessons.text import fold, squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable

_PORTS: Final = {"http": 80, "https": 443}
_CAMPAIGNS: Final = ("utm_", "fbclid", "gclid", "mc_", "ref_", "cmpid", "cmp", "xtor", "igshid")
"""Beginnings of the parameters that tell where a reader came from, not what they read."""


def normalised(url: str) -> str:
    """Return an address in one spelling: no scheme, fragment, campaign, usual port or slash at the end.

    What is no address stays as it is.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    host = (parts.hostname or "").removeprefix("www.")
    if not host:
        return url.strip()
    place = host if port in {None, _PORTS.get(parts.scheme.lower())} else f"{host}:{port}"
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _is_campaign(name)]
    return urlunsplit(("", place, parts.path.rstrip("/"), urlencode(sorted(kept)), "")).removeprefix("//")


def is_address(text: str) -> bool:
    """Tell whether a text is the address of something on the web."""
    return text.lower().startswith(("http://", "https://")) and not any(map(str.isspace, text))


def _is_campaign(name: str) -> bool:
    return name.lower().startswith(_CAMPAIGNS)


def address_key(url: str) -> str:
    """Return the key of an address."""
    return f"url:{_digest(normalised(url))}"


def entry_key(feed: int, guid: str) -> str:
    """Return the key of an entry of a feed."""
    return f"guid:{feed}:{_digest(guid)}"


def text_key(paragraphs: Iterable[str]) -> str:
    """Return the key of a text: spelling counts, space, width and sentence marks do not."""
    return f"text:{_digest(squeeze(fold(' '.join(paragraphs))))}"


def sentence_key(sentence: str) -> str:
    """Return the key of a sentence."""
    return f"sentence:{_digest(squeeze(fold(sentence)))}"


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
