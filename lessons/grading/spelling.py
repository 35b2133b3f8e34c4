"""One answer made comparable: how it is written, and how it sounds as far as anybody knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import regex

from lessons.grading.homographs import likely_reading
from lessons.text import fold, has_kanji, is_kana, squeeze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import Accepted, Analysis, Word

_SIGNS: Final = frozenset({"補助記号", "空白", "記号"})
_NUMBER: Final = regex.compile(r"(?<![\d.])[1-9]\d?(?![\d.])")
_NUMERALS: Final = "〇一二三四五六七八九"
_OPTIONAL: Final = regex.compile(r"\s*\(([^()]*)\)\s*")


@dataclass(frozen=True, slots=True)
class Spelling:
    """A text in comparable form.

    `written` is what the pack or the learner wrote, `text` its comparable form. `vouched` are the readings that are
    certain: the text itself when it is kana, and those the pack gives, which `as_given` keeps in their own kana.
    `guessed` is the dictionary's, "" without one. `entries` are the dictionary's normalised forms, word by word (行なう
    and 行う share one), and `plain` says that every word stands in its dictionary form, so that they tell all there is.
    `beside_given` says that the item gives readings, to another answer if not to this one.
    """

    written: str
    text: str
    as_given: tuple[str, ...]
    vouched: tuple[str, ...]
    guessed: str
    words: tuple[Word, ...]
    entries: tuple[str, ...]
    plain: bool
    beside_given: bool = False

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
        """Its kanji in their order, numbers among them."""
        return "".join(char for char in in_numerals(self.text) if has_kanji(char) or char.isdigit())


def bare(text: str, *, strict_kana: bool = False) -> str:
    """Fold a text and take out what never counts: sentence marks inside, and the 〜 that marks a slot at an end."""
    folded = squeeze(fold(text, strict_kana=strict_kana))
    return folded.strip("〜 ") or folded


def typed_spelling(typed: Analysis) -> Spelling:
    """Make what the learner typed comparable."""
    return _spell(typed.text, bare(typed.text), (), typed.words)


def all_accepted(accepted: Sequence[Accepted]) -> list[Spelling]:
    """Make all answers of an item comparable; 1冊 has the readings of 一冊, which the pack need not give twice."""
    given = {in_numerals(bare(one.text)): one.readings for one in reversed(accepted) if one.readings}
    read = (replace(one, readings=one.readings or given.get(in_numerals(bare(one.text)), ())) for one in accepted)
    return [replace(spelling, beside_given=bool(given)) for one in read for spelling in accepted_spellings(one)]


def in_numerals(text: str) -> str:
    """Write the numbers up to 99 of a folded text in kanji: 20歳 is 二十歳."""
    return _NUMBER.sub(lambda match: _numeral(int(match[0])), text)


def _numeral(number: int) -> str:
    tens, ones = divmod(number, 10)
    return (_NUMERALS[tens] if tens > 1 else "") + ("十" if tens else "") + (_NUMERALS[ones] if ones else "")


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
        guessed="" if own else likely_reading(in_numerals(text), bare("".join(word.reading for word in content))),
        words=content,
        entries=tuple(fold(word.normalized) for word in content),
        plain=all(fold(word.surface) == fold(word.dictionary_form) for word in content),
    )
