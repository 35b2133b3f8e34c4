"""The cue of a word: as many of its first kana as leave few listed words open, and a mark for each that is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.text import is_kana

if TYPE_CHECKING:
    from lessons.cloze.levels import Levels

HIDDEN: Final = "＿"
_FEW: Final = 2  # listed words of that beginning and length, from which no further kana is shown
_MANY: Final = 40  # of them, from which the sentence is not trusted to tell which
_SHORTEST: Final = 3  # kana of a word that is closed


def word_cue(word: str, reading: str, levels: Levels) -> tuple[str, float]:
    """Return the cue of a word, such as "おお＿＿ (4 kana)", and how surely only this word fits it.

    A word that anybody might put there by its meaning has many rivals; told its first kana and its length, a
    listed word has nearly none, and at least half of it is still to be remembered. The reading as a whole would be
    the answer, since a reading counts as right; a meaning would have to be in the learner's own language. What fits
    the sentence is not looked at: the number of listed words with that beginning and length stands for it, and
    a word that shares its first kanji with one of them (来月 and 来年) is never sure.
    """
    shown, length = 1, len(reading)
    while shown < length // 2 and levels.rivals(reading, shown) > _FEW:
        shown += 1
    kana = word if is_kana(word) and len(word) == length else reading
    cue = f"{kana[:shown]}{HIDDEN * (length - shown)} ({length} kana)"
    return cue, _certainty(word, reading, shown, levels)


def _certainty(word: str, reading: str, shown: int, levels: Levels) -> float:
    if len(reading) < _SHORTEST:
        return 0.5
    rivals = levels.rivals(reading, shown)
    if levels.has_sibling(word, reading, shown) or rivals > _MANY:
        return 0.8
    return 0.96 if rivals <= _FEW else 0.92
