"""Turns running text into sentences with blanks, and says how surely each blank has one filler."""

from __future__ import annotations

from lessons.cloze.blanking import CLOSED, blanks
from lessons.cloze.choosing import choose, keep
from lessons.cloze.levels import Levels, levels_of, load_levels
from lessons.cloze.nuances import near
from lessons.cloze.rows import row
from lessons.cloze.sentences import split
from lessons.cloze.spaced import split_spaced

__all__ = [
    "CLOSED",
    "Levels",
    "blanks",
    "choose",
    "keep",
    "levels_of",
    "load_levels",
    "near",
    "row",
    "split",
    "split_spaced",
]
