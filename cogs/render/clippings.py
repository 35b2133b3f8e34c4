"""Where a generated exercise comes from, on every card that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.ui.escape import link, unbracketed

if TYPE_CHECKING:
    from lessons.model import Article, Clipping

SOURCE_LIMIT: Final = 60
SHORT: Final = 200
"""Characters of an address in a list of many."""


def attribution(clipping: Clipping | None) -> str:
    """The article with its link and the site's name; nothing for an exercise of a lesson."""
    if clipping is None:
        return ""
    named = (link(clipping.title, clipping.url), unbracketed(clipping.source, SOURCE_LIMIT))
    return f"-# {' · '.join(filter(None, named))}" if any(named) else ""


def article_name(article: Article, *, source: bool = False) -> str:
    """An article's title with its link, short enough for a list, and the site's name if `source`."""
    name = link(article.title, article.url, 60, SHORT) or "Untitled"
    return f"{name} · {unbracketed(article.source, SOURCE_LIMIT)}" if source and article.source else name
