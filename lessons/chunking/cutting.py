"""Cuts a document into pieces by paragraph, then by sentence; no piece begins or ends inside a sentence."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE: Final = 400
"""Columns that a piece has at most, unless one sentence alone is longer; a Japanese character, which says more, has two."""
LONGEST: Final = 2_000
"""Characters from which even a sentence is cut: no embedder reads more."""

_HEADING: Final = 60  # characters of a paragraph without a full stop that belongs to what follows
_WRAPPED: Final = 40  # columns from which a line may have been broken by a program and not by its writer
_QUOTED: Final = 300  # characters in brackets that stay together

_PARAGRAPH: Final = regex.compile(r"\n[^\S\n]*+(?:\n\s*+)++")
_ENDED: Final = regex.compile(r"[。｡！？!?….．:：][\p{Pe}\p{Pf}\"'”’]*+\s*+$")
_MARKED: Final = regex.compile(r"[^\S\n]*+(?:[-*+•・●○■◆▪–—※→]|\(?\p{N}{1,3}[.)）．、]|[①-⑳]|#{1,6}\s)")
_GOES_ON: Final = regex.compile(r"[^\S\n]*+[\p{Ll}\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{N}]")
_WIDE: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\u3000-\u303F\uFF00-\uFFEF]")
_QUOTE: Final = regex.compile(
    "|".join(
        rf"{opening}[^{opening}{closing}\n]{{0,{_QUOTED}}}{closing}" for opening, closing in ("「」", "『』", "（）")
    )
    + rf"|\([^()\n]{{0,{_QUOTED}}}\)"
)
_END: Final = regex.compile(r"(?:[。｡！？．]++|[.!?…]++(?=[\p{Pe}\p{Pf}\"'”’]*+(?:\s|$|\p{Han}|\p{Hiragana}|\p{Katakana})))[\p{Pe}\p{Pf}\"'”’]*+")  # fmt: skip
_SHORT_FOR: Final = regex.compile(
    r"(?:(?<![\p{L}\p{N}])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|vs|approx|ca|cf|Inc|Ltd|Co|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
    r"|(?<![\p{L}\p{N}])(?:e\.g|i\.e|a\.m|p\.m|z\.B|usw|etc))$"
)
_NUMBER: Final = regex.compile(r"\s*\(?\p{N}{1,3}")
_SOFT: Final = regex.compile(r"[、，；;,]|\s")

Span = tuple[int, int]
"""[start, end) in characters of the document."""


def chunks(text: str, size: int = SIZE) -> list[str]:
    """Return the pieces of a document in their order, none of them empty, each a stretch of the text as it stands.

    A piece holds whole sentences of one paragraph, as many as `size` columns take; a short heading goes with what
    it stands over. A longer sentence is a piece of its own, and is cut only above 2,000 characters.
    """
    spans = [span for part in _parts(text) for span in _packed(text, part, size)]
    return [piece for start, end in spans for piece in _bounded(text[start:end])]


def sentences(text: str) -> list[str]:
    """Return the sentences of a document in their order."""
    return [text[start:end] for first, last in _paragraphs(text) for start, end in _sentences(text, first, last)]


def _parts(text: str) -> Iterator[list[Span]]:
    """Yield the sentences of each paragraph, the first one with the heading that stands over it."""
    heading: int | None = None
    last = 0
    for start, end in _paragraphs(text):
        last = end
        if _is_heading(text[start:end]) and (heading is None or end - heading <= _HEADING):
            heading = start if heading is None else heading
            continue
        spans = list(_sentences(text, start, end))
        if heading is not None:
            spans[0] = (heading, spans[0][1])
            heading = None
        yield spans
    if heading is not None:
        yield [(heading, last)]


def _paragraphs(text: str) -> Iterator[Span]:
    """Yield what stands between empty lines."""
    start = 0
    for gap in _PARAGRAPH.finditer(text):
        yield from _stripped(text, start, gap.start())
        start = gap.end()
    yield from _stripped(text, start, len(text))


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    for first, last in _lines(text, start, end):
        yield from _in_line(text, first, last)


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the lines that their writer ended; one that a program broke goes on in the next."""
    begin = start
    while (feed := text.find("\n", start, end)) >= 0:
        if not _is_wrapped(text[start:feed], text[feed + 1 : end]):
            yield from _stripped(text, begin, feed)
            begin = feed + 1
        start = feed + 1
    yield from _stripped(text, begin, end)


def _is_wrapped(line: str, after: str) -> bool:
    if _columns(line) < _WRAPPED or _ENDED.search(line[-16:]) or _MARKED.match(after):
        return False
    return _GOES_ON.match(after) is not None


def _in_line(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences of a line; what stands in brackets stays together."""
    quotes = [found.span() for found in _QUOTE.finditer(text, start, end)]
    openings = [first for first, _ in quotes]
    begin = start
    for found in _END.finditer(text, start, end):
        place = bisect_right(openings, found.start()) - 1
        if place >= 0 and found.start() < quotes[place][1]:
            continue
        if found[0] == "." and _is_short_for(text[begin : found.start()]):
            continue
        yield from _stripped(text, begin, found.end())
        begin = found.end()
    yield from _stripped(text, begin, end)


def _is_short_for(before: str) -> bool:
    """Tell whether a full stop behind this belongs to an abbreviation, or to the number of an entry in a list."""
    return _SHORT_FOR.search(before[-8:]) is not None or _NUMBER.fullmatch(before) is not None


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a stretch without the space around it, or nothing."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end:
        yield start, end


def _is_heading(paragraph: str) -> bool:
    return len(paragraph) <= _HEADING and "\n" not in paragraph and not _ENDED.search(paragraph.rstrip(":："))


def _packed(text: str, spans: list[Span], size: int) -> list[Span]:
    """Put neighbours together while they fit."""
    result = spans[:1]
    for start, end in spans[1:]:
        if _columns(text[result[-1][0] : end]) <= size:
            result[-1] = (result[-1][0], end)
        else:
            result.append((start, end))
    return result


def _columns(text: str) -> int:
    return len(text) + len(_WIDE.findall(text))


def _bounded(piece: str) -> Iterator[str]:
    """Yield a piece, cut behind a comma or a space where it is too long even for a sentence."""
    while len(piece) > LONGEST:
        cuts = [found.end() for found in _SOFT.finditer(piece, LONGEST // 2, LONGEST)]
        cut = cuts[-1] if cuts else LONGEST
        yield piece[:cut].rstrip()
        piece = piece[cut:].lstrip()
    yield piece
