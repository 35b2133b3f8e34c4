"""Plain text as people paste it: paragraphs out of lines, a title out of the first, furigana out of brackets."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

import regex

from lessons.model import Prose
from lessons.prose.kinds import language_of
from lessons.prose.lines import LONGEST, Rubies, cleaned, ends_sentence, joined, without_furigana, without_tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TITLE: Final = 80
"""Characters of a first line that may be a title."""

_FULL: Final = 0.6
"""The share of the longest line from which a line was broken because it was full."""

_WHOLE: Final = 40
"""Characters of a longest line from which lines are whole paragraphs, where nothing else tells."""

_URL: Final = regex.compile(r"(?:https?://|www\.)[^\s<>\u3000-\u9FFF\uFF00-\uFFEF]+", regex.I)
_IMAGE: Final = regex.compile(r"!\[[^\[\]\n]*+\]\([^()\n]*+\)")
_FOOTNOTE: Final = regex.compile(r"\[(?:\d{1,3}|(?:注|註)(?:釈)? ?\d{1,3})\]")
_LINK: Final = regex.compile(r"\[([^\[\]\n]++)\]\([^()\n]*+\)")
_EMPHASIS: Final = regex.compile(r"(\*\*|__|\|\||~~|`)([^\n*_|~`]++)\1")
_MARK: Final = regex.compile(r"(?:#{1,6} +|>+ ?|[-*+•] +|・|\d{1,3}[.)] +)+")
_HEADING: Final = regex.compile(r"#{1,6} ")
_TABLE_ROW: Final = regex.compile(r"\|.*\|")
_FENCE: Final = regex.compile(r"`{3}|~{3}")
_SIGN: Final = regex.compile(r"[\p{L}\p{N}]")
_SOFT_END: Final = regex.compile(r"[\p{Hiragana}、,，:：;；]$")
_STOP: Final = regex.compile(r"[。！？]|[.!?] ")
_LOWER: Final = regex.compile(r"\p{Ll}")


def from_text(text: str, title: str = "") -> Prose:
    """Read a pasted text; without a `title` its first line is one when it is short and no sentence.

    Lines that were broken for their width become one paragraph, in Japanese without a space. Lines of nothing but
    an address, an image, a table or signs go, and footnote numbers; of other Markdown the words stay. Raises TextTooLong.
    """
    rubies: Rubies = {}
    lines = [_Line(line) for line in without_tags(cleaned(text), rubies).split("\n")]
    lines = [line for line in lines if line.text or not line.dropped]
    heading = without_furigana(cleaned(title, max(LONGEST, len(title))).replace("\n", " ").strip(), rubies)
    if not heading and _begins_with_title(lines):
        first = next(number for number, line in enumerate(lines) if line.text)
        heading = without_furigana(lines[first].text, rubies)
        lines = lines[first + 1 :]
    paragraphs = [without_furigana(paragraph, rubies) for paragraph in _paragraphs(lines)]
    return Prose(heading, tuple(paragraphs), tuple(rubies), language_of((heading, *paragraphs)))


class _Line:
    """A line with its words alone; `opens` says that a paragraph begins with it, `dropped` that it had no words."""

    __slots__ = ("dropped", "heads", "opens", "text")

    def __init__(self, line: str) -> None:
        bare = line.strip()
        mark = _MARK.match(bare)
        self.heads = _HEADING.match(bare) is not None
        self.opens = mark is not None or line.startswith("\u3000")
        self.text = _words(bare[mark.end() :] if mark else bare)
        self.dropped = bool(bare) and not self.text


def _words(line: str) -> str:
    if _TABLE_ROW.fullmatch(line) or _FENCE.match(line):
        return ""
    line = _URL.sub("", _LINK.sub(r"\1", _IMAGE.sub("", line)))
    line = _FOOTNOTE.sub("", _EMPHASIS.sub(r"\2", line)).strip()
    return line if _SIGN.search(line) else ""


def _begins_with_title(lines: Sequence[_Line]) -> bool:
    """Tell a title from a first line that was broken for its width: it is set apart, or shorter than what follows."""
    first = next((number for number, line in enumerate(lines) if line.text), None)
    if first is None or not any(line.text for line in lines[first + 1 :]):
        return False
    line, below = lines[first], lines[first + 1]
    if line.heads:
        return True
    if len(line.text) > TITLE or ends_sentence(line.text) or _STOP.search(line.text) or line.text[-1] in "、,":
        return False
    if not below.text or below.opens:
        return True
    longest = max(len(each.text) for each in lines)
    broken = _LOWER.match(below.text) or (longest < _WHOLE and _SOFT_END.search(line.text))
    return len(line.text) < _FULL * longest and not broken


def _paragraphs(lines: Sequence[_Line]) -> Iterator[str]:
    for filled, block in groupby(lines, lambda line: bool(line.text)):
        if filled:
            yield from _unbroken(list(block))


def _unbroken(block: Sequence[_Line]) -> Iterator[str]:
    """Put the lines of a block together where a line was broken in the middle of a sentence."""
    longest = max(len(line.text) for line in block)
    text, last = block[0].text, block[0]
    for line in block[1:]:
        if line.opens or last.heads or not _goes_on(last.text, line.text, longest):
            yield text
            text = line.text
        else:
            text = joined(text, line.text)
        last = line
    yield text


def _goes_on(line: str, following: str, longest: int) -> bool:
    if ends_sentence(line):
        return False
    return bool(len(line) >= _FULL * longest or _SOFT_END.search(line) or _LOWER.match(following))
