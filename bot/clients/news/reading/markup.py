"""Turns HTML into paragraphs of plain text and the readings that stood over its kanji."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from lxml import etree
from lxml import html as lxml_html

from lessons.text import has_kanji, is_kana, to_hiragana

if TYPE_CHECKING:
    from lxml.html import HtmlElement

SILENT: Final = frozenset(
    {"script", "style", "template", "noscript", "textarea", "select", "svg", "math", "iframe", "object", "head", "rp"}
)
_INLINE: Final = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "rb",
        "rbc",
        "rt",
        "rtc",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
_SPACES: Final = re.compile(r"[ \t\r\n\f\v\xa0]+")
_WRAPPED: Final = re.compile(
    r"(?<=[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60])[ \t]*[\r\n]\s*(?=[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60])"
)
"""A line break inside Japanese text is the editor's, and no space."""
_TAG: Final = re.compile(
    r"<!--(?:(?!-->).)*+(?:-->|\Z)|<(script|style)\b(?:(?!</\1).)*+(?:</\1\s*>|\Z)"
    r"|<[/!?]?[A-Za-z\[][^<>]*>|<[/!?]?[A-Za-z][\w:-]*(?:\s+[\w:-]+\s*=[^<>]*)?\Z",
    re.DOTALL | re.IGNORECASE,
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_LONGEST_READING: Final = 40
_MOST_READINGS: Final = 2000
_LAYERS: Final = 4
LONGEST_URL: Final = 1000


@dataclass(slots=True)
class Readings:
    """Collects the bases of one `<ruby>` and the readings over them, in either order that HTML allows."""

    bases: list[str] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    text: str = ""

    def base(self, text: str, *, own: bool) -> None:
        """Take written text; `own` when it stands in an `<rb>` of its own."""
        self.text += text
        if own or not self.bases:
            self.bases.append(text)
        else:
            self.bases[-1] += text

    def reading(self, text: str) -> None:
        """Take a reading for the first base that has none."""
        if self.bases:
            self.pairs.append((self.bases.pop(0), text))


def parsed(text: str) -> HtmlElement | None:
    """Parse a document or a fragment; None when there is no element in it. Encodings inside it are ignored."""
    parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        return lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from None
        return None
    except etree.ParserError:
        return None


def settle_rubies(tree: HtmlElement) -> list[tuple[str, str]]:
    """Put the written text in the place of every `<ruby>` in the tree; return (written, reading in hiragana) pairs."""
    pairs: dict[tuple[str, str], None] = {}
    for ruby in list(tree.iter("ruby")):
        found = _ruby(ruby)
        for written, reading in found.pairs:
            pair = _SPACES.sub("", written), to_hiragana(_SPACES.sub("", reading))
            if has_kanji(pair[0]) and is_kana(pair[1]) and max(map(len, pair)) <= _LONGEST_READING:
                pairs[pair] = None
        tail = ruby.tail
        ruby.clear()
        ruby.tag, ruby.text, ruby.tail = "span", found.text, tail
    return list(pairs)[:_MOST_READINGS]


def paragraphs(tree: HtmlElement) -> list[str]:
    """Return the text of a tree whose rubies are settled, split where blocks and line breaks split it."""
    lines: list[list[str]] = [[]]
    silent = 0
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if element.tag in SILENT:
            silent += 1 if event == "start" else -1
        elif element.tag not in _INLINE:
            lines.append([])
        text = element.text if event == "start" else element.tail
        if text and not silent and element is not (tree if event == "end" else None):
            lines[-1].append(text)
    return [line for line in map(plain, map("".join, lines)) if line]


def of_fragment(fragment: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return paragraphs and readings of HTML as it stands in a feed."""
    if "<" not in fragment and "&" not in fragment:
        return [line for line in map(plain, fragment.split("\n\n")) if line], []
    tree = parsed(f"<html><body>{fragment}</body></html>")
    if tree is None:
        return [], []
    rubies = settle_rubies(tree)
    return paragraphs(tree), rubies


def plain(text: str) -> str:
    """Return one line of text: no tag is left, however often it was escaped, no control sign, no double space."""
    for _ in range(_LAYERS):
        bare = _TAG.sub("", _CONTROL.sub("", text))
        unescaped = html.unescape(bare) if "&" in bare else bare
        if unescaped == text:
            break
        text = unescaped
    text = _WRAPPED.sub("", _TAG.sub("", _CONTROL.sub("", text)))
    return _SPACES.sub(" ", text).strip()


def web_link(link: str, base: str) -> str:
    """Return an absolute http(s) link, "" for anything else."""
    if not link.strip():
        return ""
    try:
        found = urljoin(base, link.strip())
        parts = urlsplit(found)
    except ValueError:
        return ""
    fit = parts.scheme in {"http", "https"} and parts.netloc and len(found) <= LONGEST_URL
    return found if fit and not re.search(r"[\x00-\x20<>\"\x7f]", found) else ""


def _ruby(ruby: HtmlElement) -> Readings:
    found = Readings()
    heard: list[str] | None = None
    hidden, own = 0, False
    for event, element in etree.iterwalk(ruby, events=("start", "end")):
        tag, opens = element.tag, event == "start"
        hidden += (1 if opens else -1) * (tag in SILENT)
        if tag == "rt":
            if heard is not None:
                found.reading("".join(heard))
            heard = [] if opens else None
        own = own or (opens and tag == "rb")
        text = element.text if opens else (element.tail if element is not ruby else None)
        if not text or text.isspace() or hidden:
            continue
        if heard is not None:
            heard.append(text)
        else:
            found.base(text, own=own)
            own = False
    return found
