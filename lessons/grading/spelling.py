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
    `guessed` is the dictionary's, "" without one. `entries` are the dictionary's normalised forms, word by word (行なう
    and 行う share one), and `plain` says that every word stands in its dictionary form, so that they tell all there is.
    """

    written: str
    text: str
    as_given: tuple[str, ...]
    vouched: tuple[str, ...]
    guessed: str
    words: tuple[Word, ...]
    entries: tuple[str, ...]
    plain: bool

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
    for text in without_brackets(accepted.text)[1:]:
        if text and text not in {spelling.text for spelling in spellings}:
            spellings.append(_spell(accepted.text, text, accepted.readings, ()))
    return spellings


def without_brackets(text: str) -> tuple[str, ...]:
    """Return a text in comparable form as it is, without what stands in brackets, and with that but no brackets."""
    folded = fold(text)
    return (bare(text), *(bare(_OPTIONAL.sub(kept, folded)) for kept in ("", r"\1") if "(" in folded))


def _spell(written: str, text: str, readings: tuple[str, ...], words: tuple[Word, ...]) -> Spelling:
    own = (text,) if is_kana(text) else ()
    given = (form for reading in readings for form in without_brackets(reading) if is_kana(form))
    content = tuple(word for word in words if is_kana(word.surface) or not _SIGNS.intersection(word.pos[:1]))
    return Spelling(
        written=written,
        text=text,
        as_given=readings,
        vouched=tuple(dict.fromkeys((*own, *given))),
        guessed="" if own else bare("".join(word.reading for word in content)),
        words=content,
        entries=tuple(fold(word.normalized) for word in content),
        plain=all(fold(word.surface) == fold(word.dictionary_form) for word in content),
    )
