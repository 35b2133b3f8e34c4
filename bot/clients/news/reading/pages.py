"""Reads the article out of an HTML page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lxml import etree
from trafilatura import bare_extraction
from trafilatura.settings import use_config

from bot.clients.news.reading.encodings import decode, is_garbled
from bot.clients.news.reading.feeds import LONGEST_TITLE, MOST_CHARACTERS, cut
from bot.clients.news.reading.heads import language_of, published_of, site_of, title_of
from bot.clients.news.reading.kinds import FEED, look_of, refuse_binary
from bot.clients.news.reading.markup import paragraphs, parsed, plain, settle_rubies
from bot.clients.news.reading.walls import has_wall_markup, is_wall, speaks_of_wall
from lessons.errors import UnreadableNews
from lessons.model import Prose, ReadTrouble

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_SENTENCE: Final = re.compile(r"[。．！？!?]|[.…](?:[\s\"'”»)]|$)")
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_SHORTEST: Final = 80
_SHORTEST_JAPANESE: Final = 30
_SHORT: Final = 500
_WRAPPERS: Final = ("span", "b", "strong", "i", "em", "u", "font", "mark", "bdi", "big", "small", "wbr")
_BULLET: Final = re.compile(r"[-•]\s+")
_CONFIG: Final = use_config()
_CONFIG.set("DEFAULT", "MIN_EXTRACTED_SIZE", "100")  # Japanese says in 100 characters what English says in 250


def read_page(data: bytes, content_type: str, url: str) -> Prose:
    """Read an article; furigana become readings and leave the text. Raises UnreadableNews."""
    refuse_binary(data)
    text = decode(data, content_type)
    if look_of(text) == FEED:
        raise UnreadableNews(ReadTrouble.NO_ARTICLE, FEED)
    tree = parsed(text)
    if tree is None:
        raise UnreadableNews(ReadTrouble.NO_ARTICLE)
    rubies = settle_rubies(tree)
    title = title_of(tree)[:LONGEST_TITLE]
    lines = _article(tree, title, url)
    lines = [line for line in lines if line != title]
    running = "\n".join(lines)
    if is_garbled(running):
        raise UnreadableNews(ReadTrouble.GARBLED)
    return Prose(
        title=title,
        paragraphs=cut(lines, MOST_CHARACTERS),
        rubies=tuple(pair for pair in rubies if pair[0] in running),
        language=language_of(tree, running),
        source=site_of(tree)[:LONGEST_TITLE],
        published=published_of(tree),
    )


def _article(tree: HtmlElement, title: str, url: str) -> list[str]:
    """Return the paragraphs of the article. Raises UnreadableNews CONSENT or NO_ARTICLE where there is none."""
    wall_markup = has_wall_markup(tree)
    lines = _extracted(tree, url)
    if is_wall(title, lines):
        raise UnreadableNews(ReadTrouble.CONSENT)
    spoken = [line for line in lines if not speaks_of_wall(line)]
    if sum(map(len, lines)) < _SHORT and len(spoken) < len(lines):
        lines = spoken
        wall_markup = True
    if _runs(lines):
        return lines
    everything = paragraphs(tree)
    if wall_markup or is_wall(title, everything) or any(map(speaks_of_wall, everything)):
        raise UnreadableNews(ReadTrouble.CONSENT)
    raise UnreadableNews(ReadTrouble.NO_ARTICLE, "" if everything else "a page without text")


def _extracted(tree: HtmlElement, url: str) -> list[str]:
    """Return the lines of running text, by trafilatura, or from `<p>` where it finds little and those say more.

    Elements that only dress words go first: on short pages each of them would begin a line of its own.
    """
    etree.strip_tags(tree, *_WRAPPERS)
    found = bare_extraction(
        tree, url=url or None, include_comments=False, include_tables=False, include_formatting=False, config=_CONFIG
    )
    text = getattr(found, "text", "") or ""
    lines = [line for line in (plain(_BULLET.sub("", raw, count=1)) for raw in text.split("\n")) if line]
    if sum(map(len, lines)) >= _SHORT:
        return lines
    own = _sentences(list(dict.fromkeys(line for part in tree.iter("p") for line in paragraphs(part))))
    return own if own and sum(map(len, own)) >= sum(map(len, _sentences(lines))) else lines


def _sentences(lines: list[str]) -> list[str]:
    return [line for line in lines if _SENTENCE.search(line)]


def _runs(lines: list[str]) -> bool:
    """Tell whether lines are running text: enough of it, in sentences that end."""
    text = "".join(_sentences(lines))
    japanese = len(_JAPANESE.findall(text)) > len(text) // 3
    return len(text) >= (_SHORTEST_JAPANESE if japanese else _SHORTEST)
