"""One answer made comparable: how it is written, and how it sounds as far as anybody knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import regex

from lessons.text import fold, is_kana, kanji_of, squeeze

if TYPE_CHECKING:
    from lessons.model import Accepted, Analysis, Word

_SIGNS: Final = frozenset({"補助記号", "空白", "記号"})
_OPTIONAL: Final = regex.compile(r"\s*\(([^()]*)\)\s*")


@dataclass(frozen=True, slots=True)
class Spelling:
    """A text in comparable form.

    `written` is what the pack or the learner wrote, `text` its comparable form. `vouched` are the readings that are
    certain: the text itself when it is kana, and those the pack gives, which `as_given` keeps in their own kana.
    `guessed` is the dictionary's, "" without one.
    """

    written: str
    text: str
    as_given: tuple[str, ...]
    vouched: tuple[str, ...]
    guessed: str
    words: tuple[Word, ...]

    @property
    def readings(self) -> tuple[str, ...]:
        """Every reading there is, the certain ones first."""
        return (*self.vouched, self.guessed) if self.guessed else self.vouched

    @property
    def certain(self) -> tuple[str, ...]:
        """The readings to hold an answer against: the certain ones, else the dictionary's."""
        return self.vouched or self.readings

    @property
    def kana(self) -> bool:
        """Whether it is written in kana alone."""
        return is_kana(self.text)

    @property
    def kanji(self) -> str:
        """Its kanji in their order."""
        return kanji_of(self.text)

    @property
    def entries(self) -> tuple[str, ...]:
        """The dictionary's normalised forms, word by word: 行なう and 行う share one."""
        return tuple(fold(word.normalized) for word in self.words)

    @property
    def plain(self) -> bool:
        """Whether every word stands in its dictionary form, so that the normalised form tells all there is."""
        return all(fold(word.surface) == fold(word.dictionary_form) for word in self.words)


def bare(text: str, *, strict_kana: bool = False) -> str:
    """Fold a text and take out what never counts: sentence marks inside, and the 〜 that marks a slot at an end."""
    folded = squeeze(fold(text, strict_kana=strict_kana))
    return folded.strip("〜 ") or folded


def typed_spelling(typed: Analysis) -> Spelling:
    """Make what the learner typed comparable."""
    return _spell(typed.text, bare(typed.text), (), typed.words)


def accepted_spellings(accepted: Accepted) -> list[Spelling]:
    """Make an accepted answer comparable: as written, then without and with what it has in brackets, けっこん (する)."""
    spellings = [_spell(accepted.text, bare(accepted.text), accepted.readings, accepted.analysis.words)]
    folded = fold(accepted.text)
    for kept in ("", r"\1"):
        text = bare(_OPTIONAL.sub(kept, folded))
        readings = tuple(_OPTIONAL.sub(kept, fold(reading)) for reading in accepted.readings)
        if text and "(" in folded and text not in {spelling.text for spelling in spellings}:
            spellings.append(_spell(accepted.text, text, readings, ()))
    return spellings


def _spell(written: str, text: str, readings: tuple[str, ...], words: tuple[Word, ...]) -> Spelling:
    own = (text,) if is_kana(text) else ()
    content = tuple(word for word in words if word.pos[:1] not in {(sign,) for sign in _SIGNS})
    guessed = "" if own else bare("".join(word.reading for word in content))
    return Spelling(written, text, readings, (*own, *filter(is_kana, map(bare, readings))), guessed, content)
