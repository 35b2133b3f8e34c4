"""Meanings, answers in Latin script: articles are optional, and small slips of typing are forgiven."""

from __future__ import annotations

from typing import Final

import regex

_ARTICLE: Final = regex.compile(r"(?:to|the|an?)\s+(?=\S)")
_DIGITS: Final = regex.compile(r"\d+")
_LONGEST: Final = 100  # characters: a longer answer is no meaning but a text, and slow to compare


def without_article(meaning: str) -> str:
    """Return a folded English meaning without the to, the, a or an it begins with."""
    return _ARTICLE.sub("", meaning, count=1) if _ARTICLE.match(meaning) else meaning


def slips_allowed(length: int) -> int:
    """Return how many slips of typing an answer of so many characters forgives (WaniKani's scale)."""
    for longest, slips in ((3, 0), (5, 1), (7, 2)):
        if length <= longest:
            return slips
    return 2 + length // 7


def nearly(typed: str, expected: str) -> bool:
    """Tell whether a folded text is the expected one but for slips of typing; a number must be right to the digit."""
    if len(expected) > _LONGEST or _DIGITS.findall(typed) != _DIGITS.findall(expected):
        return False
    allowed = slips_allowed(len(expected))
    return abs(len(typed) - len(expected)) <= allowed and slips(typed, expected) <= allowed


def slips(one: str, other: str) -> int:
    """Count the letters added, dropped, changed or swapped with a neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        previous, before, row = before, row, [i]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and (a, one[i - 2]) == (other[j - 2], b):
                cost = min(cost, previous[j - 2] + 1)
            row.append(cost)
    return row[-1]
