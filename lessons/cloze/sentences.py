"""Cuts Japanese paragraphs into sentences with their words, never inside brackets that hold only one sentence."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import regex

from lessons.model import BLANK, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lessons.model import Analysis, Prose

_HEADLINE: Final = 20  # characters from which a text without a full stop is taken for a sentence
_OPEN: Final = "「『（(【〈《“｢"
_CLOSE: Final = "」』）)】〉》”｣"
_PAIRS: Final = dict(zip(_OPEN, _CLOSE, strict=True))
_END: Final = regex.compile(
    r"[。｡！？]++|(?<![!?\p{Latin}])[!?]++(?=[\s」』）)]|$)|(?<![!?])[!?]++(?=\s|$)|(?<!…)…++(?=[\s」』）)]|$)"
)
_SIGNS: Final = (("補助記号",), ("空白",), ("記号",))
_OPEN_ENDED: Final = frozenset({"格助詞", "係助詞"})
_SPACE: Final = " \t\r\n\u3000"


def split(prose: Prose, analyses: Sequence[Analysis]) -> list[Sentence]:
    """Cut the paragraphs into sentences, in order; `analyses` are those of `prose.paragraphs`, one for each.

    A quotation of several sentences gives each of them and is left out of what stands around it; any other bracket
    stays whole. A text without a full stop counts when it has 20 characters. A cut that falls into a word of the
    dictionary drops that sentence. Raises ValueError when there are not as many analyses as paragraphs.
    """
    found = []
    for number, (text, analysis) in enumerate(zip(prose.paragraphs, analyses, strict=True)):
        starts = (0, *accumulate(len(word.surface) for word in analysis.words))
        for start, end in _spans(text, 0, len(text), _brackets(text)):
            words = analysis.words[bisect_left(starts, start) : bisect_left(starts, end)]
            piece = text[start:end]
            if "".join(word.surface for word in words) == piece and BLANK not in piece:
                found.append(Sentence(piece, words, number, rubies_in(piece, prose)))
    return found


def rubies_in(text: str, prose: Prose) -> tuple[tuple[str, str], ...]:
    """Return the furigana of the prose whose word stands in the text."""
    return tuple(pair for pair in prose.rubies if pair[0] and pair[0] in text)


def is_complete(sentence: Sentence) -> bool:
    """Tell whether a text ends as a sentence does, be it inside a closing bracket, and not in a bare は or と."""
    bare = sentence.text.rstrip(_SPACE + _CLOSE)
    if not bare or bare[-1] not in "。｡！？!?….．":
        return False
    last = next((word for word in reversed(sentence.words) if word.pos[:1] not in _SIGNS), None)
    return last is None or not _OPEN_ENDED.intersection(last.pos)


def _brackets(text: str) -> dict[int, int]:
    """Map where each bracket opens to where it closes; brackets that do not pair are left out."""
    pairs: dict[int, int] = {}
    waiting: list[int] = []
    for position, sign in enumerate(text):
        if sign in _PAIRS:
            waiting.append(position)
        elif sign in _CLOSE and waiting and _PAIRS[text[waiting[-1]]] == sign:
            pairs[waiting.pop()] = position
    return pairs


def _spans(
    text: str, start: int, stop: int, brackets: Mapping[int, int], *, quoted: bool = False
) -> Iterator[tuple[int, int]]:
    """Yield [start, end) of each sentence of the stretch, without the spaces around it; a quotation in a quotation stays whole."""
    while start < stop:
        end, inner = _sentence(text, start, stop, brackets)
        ended = _END.search(text, start, end) is not None
        if inner and not quoted:
            yield from _spans(text, *inner, brackets, quoted=True)
        elif span := _stripped(text, start, end, at_least=1 if ended else _HEADLINE):
            yield span
        start = end


def _sentence(text: str, start: int, stop: int, brackets: Mapping[int, int]) -> tuple[int, tuple[int, int] | None]:
    """Find where the sentence that begins at `start` ends, and the inside of a quotation of several sentences."""
    position, inner = start, None
    while position < stop:
        if close := brackets.get(position):
            ends = _ends(text, position + 1, close)
            if inner is None and ends and (len(ends) > 1 or ends[-1] < close):
                inner = (position + 1, close)
            position = close + 1
            if ends and ends[-1] == close and (position >= stop or text[position] in _SPACE + _OPEN):
                return position, inner
        elif text[position] == "\n":
            return position + 1, inner
        elif end := _END.match(text, position):
            return end.end(), inner
        else:
            position += 1
    return stop, inner


def _ends(text: str, start: int, stop: int) -> list[int]:
    """Return where sentences end in the stretch."""
    return [found.end() for found in _END.finditer(text, start, stop)]


def _stripped(text: str, start: int, end: int, *, at_least: int) -> tuple[int, int] | None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip(_SPACE))
    end -= len(piece) - len(piece.rstrip(_SPACE))
    return (start, end) if end - start >= at_least else None
