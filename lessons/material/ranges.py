"""Lesson ranges as people type them: 34-38, "3, 5-7", L34, 第3課, a lesson's name, "genki 3-5"."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from lessons.errors import BadRange

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACES: Final = re.compile(r"\s+")
_SEPARATORS: Final = re.compile(r"[,、;・]")
_DASHES: Final = re.compile(r"[‐‑‒–—―−〜~]|(?<=[\d課])ー|から|\bto\b")
_NUMBER: Final = r"(?:lessons?|lektion|leçon|chapter|unit|no\.?|l\.?|#|第)?\s*(\d{1,6})\s*(?:課|章)?"
_NUMBERED: Final = re.compile(rf"(?:(\S.*?)\s+)??{_NUMBER}")
_RANGE: Final = re.compile(rf"(?:(\S.*?)\s+)??{_NUMBER}\s*-\s*{_NUMBER}(?:まで)?")
_ENDLESS: Final = re.compile(r"\d{7}")
"""No lesson has such a number."""
_LONGEST: Final = 200
"""Characters of a range; nobody types more."""


class _Span(NamedTuple):
    """Lessons of one series, from one number to another, both included; any series when it is ""."""

    series: str
    first: int
    last: int


def select_lessons(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the lessons that a range selects, each once, in the order of `known`; empty text selects all of them.

    A number selects the lessons of that number ("3", "L3", "第3課"); only where there is none, those of any series that
    bears it ("Genki 3"). Width and case do not count. A name that nobody knows selects nothing.
    Raises BadRange for what is neither name nor range, such as "3--5", and for a range longer than anybody means.
    """
    folded = {lesson: _fold(lesson) for lesson in known}
    wanted = _fold(text)
    if not wanted:
        return tuple(folded)
    if len(wanted) > _LONGEST:
        raise BadRange(text, too_long=True)
    if wanted in folded.values():
        return tuple(lesson for lesson, name in folded.items() if name == wanted)
    chosen: set[str] = set()
    for part in filter(None, map(str.strip, _SEPARATORS.split(wanted))):
        chosen.update(_chosen(part, folded, text))
    return tuple(lesson for lesson in folded if lesson in chosen)


def _fold(text: str) -> str:
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _chosen(part: str, folded: dict[str, str], text: str) -> set[str]:
    named = {lesson for lesson, name in folded.items() if name == part}
    if named:
        return named
    span = _span(part)
    if span is None:
        pieces = [_span(piece) for piece in part.split()]
        spans = [piece for piece in pieces if piece]
        if len(spans) != len(pieces):
            spans = []
        if not spans and not any(map(str.isalpha, part)):
            raise BadRange(text, too_long=_ENDLESS.search(part) is not None)
    else:
        spans = [span]
    return {lesson for span in spans for lesson in _within(span, folded)}


def _span(part: str) -> _Span | None:
    """Read "5", "5-7" or "genki 5-7"."""
    part = _DASHES.sub("-", part)
    match = _RANGE.fullmatch(part) or _NUMBERED.fullmatch(part)
    if match is None or (match[1] and not any(map(str.isalpha, match[1]))):
        return None
    first, last = int(match[2]), int(match[match.lastindex or 2])
    return _Span(match[1] or "", min(first, last), max(first, last))


def _within(span: _Span, folded: dict[str, str]) -> set[str]:
    numbered = {lesson: match for lesson, name in folded.items() if (match := _NUMBERED.fullmatch(name))}
    inside = {lesson: match[1] or "" for lesson, match in numbered.items() if span.first <= int(match[2]) <= span.last}
    exact = {lesson for lesson, series in inside.items() if series == span.series}
    return exact or (set() if span.series else set(inside))
