"""Reads what a page says about itself: title, site, language, date, and the feed it offers."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from bot.clients.news.reading.markup import parsed, plain, web_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

_TAG: Final = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]+)*\s*(?:,.*)?")
_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_KANA_SHARE: Final = 0.2
_SAMPLE: Final = 20_000
_FEED_TYPES: Final = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_HEAD: Final = 200_000
_DATES: Final = (
    "article:published_time",
    "og:published_time",
    "datepublished",
    "date",
    "pubdate",
    "publishdate",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.issued",
    "parsely-pub-date",
    "cxenseparse:recs:publishtime",
)
_JSON_DATE: Final = re.compile(r"\"datePublished\"\s*:\s*\"([^\"]{8,40})\"")
_YEARS: Final = range(1970, 2200)


def primary_tag(tag: str) -> str:
    """Return the primary tag of a BCP 47 language tag in lower case ("ja-JP" is "ja"), "" for anything else."""
    found = _TAG.fullmatch(tag)
    name = found[1].lower() if found else ""
    return {"jp": "ja", "jpn": "ja", "eng": "en", "deu": "de", "ger": "de"}.get(name, name)


def language_of(tree: HtmlElement, text: str) -> str:
    """Return the language of a page by its own word; a text full of kana is Japanese whatever a template says."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample))
    if letters and len(_KANA.findall(sample)) > letters * _KANA_SHARE:
        return "ja"
    metas = _metas(tree)
    said = (tree.get("lang"), tree.get("xml:lang"), metas.get("content-language"), metas.get("og:locale"))
    return next((tag for tag in map(primary_tag, filter(None, said)) if tag), "")


def title_of(tree: HtmlElement) -> str:
    """Return the headline: what is given for sharing, else the only h1, else the window's title."""
    metas = _metas(tree)
    headings = ["".join(heading.itertext()) for heading in tree.iter("h1")]
    windows = ["".join(title.itertext()) for title in tree.iter("title")]
    choices = (metas.get("og:title"), metas.get("twitter:title"), *(headings if len(headings) == 1 else ()), *windows)
    return next((title for title in (plain(choice or "") for choice in choices) if title), "")


def site_of(tree: HtmlElement) -> str:
    """Return the name of the site, "" when it gives none."""
    metas = _metas(tree)
    names = (metas.get("og:site_name"), metas.get("application-name"), metas.get("publisher"))
    return next((name for name in (plain(name or "") for name in names) if name), "")


def published_of(tree: HtmlElement) -> datetime | None:
    """Return when a page was published by its metadata, in UTC; a time without a zone is taken for UTC."""
    return next((moment for moment in map(_moment, _dates(tree)) if moment), None)


def alternate_feed(text: str, url: str) -> str:
    """Return the absolute address of the feed that a web page offers, "" when it offers none."""
    tree = parsed(text[:_HEAD])
    if tree is None:
        return ""
    bases = [base.get("href") or "" for base in tree.iter("base")]
    base = (web_link(bases[0], url) if bases else "") or url
    for link in tree.iter("link"):
        rel = (link.get("rel") or "").lower().split()
        kind = (link.get("type") or "").lower().partition(";")[0].strip()
        if "alternate" in rel and kind in _FEED_TYPES and (found := web_link(link.get("href") or "", base)):
            return found
    return ""


def _metas(tree: HtmlElement) -> dict[str, str]:
    """Return the first content of every meta element by its lower-case name."""
    found: dict[str, str] = {}
    for meta in tree.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or meta.get("http-equiv") or ""
        found.setdefault(name.lower(), meta.get("content") or "")
    return found


def _dates(tree: HtmlElement) -> Iterator[str]:
    metas = _metas(tree)
    yield from (metas[name] for name in _DATES if name in metas)
    for script in tree.iter("script"):
        if "ld+json" in (script.get("type") or ""):
            yield from _JSON_DATE.findall(script.text or "")
    yield from (time.get("datetime") or "" for time in tree.iter("time"))


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment if moment.year in _YEARS else None
