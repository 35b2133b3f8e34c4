"""JLPT levels of words: how hard a word is estimated to be, and how many listed words a beginning leaves open."""

from __future__ import annotations

import csv
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from lessons.text import has_kanji, to_hiragana

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_BEYOND = "\uffff"  # sorts after every kana


@dataclass(frozen=True, slots=True)
class Levels:
    """Words and their levels, 5 (easiest) to 1. `entries` are (reading, word), sorted, by their number of kana."""

    pairs: Mapping[tuple[str, str], int]
    words: Mapping[str, int]
    entries: Mapping[int, tuple[tuple[str, str], ...]]

    def of(self, word: str, reading: str = "") -> str:
        """Return "N5" to "N1", "" for a word that is not listed.

        With a reading it is the level of that word so read; without, the easiest of all that are written so.
        """
        level = self.pairs.get((word, to_hiragana(reading))) if reading else self.words.get(word)
        return f"N{level}" if level else ""

    def rivals(self, reading: str, shown: int) -> int:
        """Count the other readings of the same length that begin with the same `shown` kana."""
        reading = to_hiragana(reading)
        return len({other for other, _ in self._beginning(reading, shown)} - {reading})

    def has_sibling(self, word: str, reading: str, shown: int) -> bool:
        """Tell whether one of those rivals begins with the same kanji, as 来年 does for 来月: they fit alike."""
        reading = to_hiragana(reading)
        alike = (other for heard, other in self._beginning(reading, shown) if heard != reading)
        return has_kanji(word[:1]) and any(other[0] == word[0] for other in alike)

    def _beginning(self, reading: str, shown: int) -> tuple[tuple[str, str], ...]:
        known, beginning = self.entries.get(len(reading), ()), reading[:shown]
        return known[bisect_left(known, (beginning,)) : bisect_left(known, (beginning + _BEYOND,))]


def levels_of(rows: Iterable[tuple[str, str, int]]) -> Levels:
    """Build from rows of word, reading ("" where the word is its reading) and level."""
    pairs: dict[tuple[str, str], int] = {}
    words: dict[str, int] = {}
    entries: dict[int, set[tuple[str, str]]] = {}
    for word, given, level in rows:
        reading = to_hiragana(given or word)
        pairs[word, reading] = max(level, pairs.get((word, reading), 0))
        words[word] = max(level, words.get(word, 0))
        entries.setdefault(len(reading), set()).add((reading, word))
    ordered = {length: tuple(sorted(some)) for length, some in entries.items()}
    return Levels(MappingProxyType(pairs), MappingProxyType(words), MappingProxyType(ordered))


@lru_cache(maxsize=1)
def load_levels() -> Levels:
    """Read the shipped list, once: some 7,800 words of open-anki-jlpt-decks (see `lessons/data/levels/jlpt.LICENSE`)."""
    text = files("lessons").joinpath("data/levels/jlpt.csv").read_text("utf-8")
    return levels_of((row["word"], row["reading"], int(row["level"])) for row in csv.DictReader(text.splitlines()))
