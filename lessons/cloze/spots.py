"""Where a particle stands: the words around it, and the predicate that governs it where that is plain to see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from lessons.cloze.forms import form_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.cloze.forms import Form
    from lessons.model import Word

NOUNS: Final = frozenset({"名詞", "代名詞", "接尾辞", "形状詞"})
_CASES: Final = frozenset({"に", "で", "と", "へ", "から", "まで"})
_FORMAL: Final = frozenset(
    {"ため", "よう", "はず", "わけ", "とおり", "通り", "まま", "せい", "おかげ", "予定", "見込み"}
)
_POINTS: Final = frozenset({"時", "日", "月", "年", "分", "半"})
_SPANS: Final = _POINTS | {"時間", "週間", "か月", "カ月", "ヶ月", "年間", "秒"}


@dataclass(frozen=True)
class Spot:
    """A particle among the words of its sentence."""

    words: Sequence[Word]
    at: int

    @property
    def particle(self) -> str:
        """The particle itself."""
        return self.words[self.at].surface

    @property
    def before(self) -> Word:
        """The word the particle follows."""
        return self.words[self.at - 1]

    @property
    def after(self) -> Word:
        """The word that follows it."""
        return self.words[self.at + 1]

    @cached_property
    def verb(self) -> Form | None:
        """The predicate right behind the particle; only adverbs and counted things may stand between."""
        return self._predicate(self.at + 1)

    @cached_property
    def far_verb(self) -> Form | None:
        """The predicate behind one more phrase, such as 返す in 本を図書館に返す."""
        place = self.at + 1
        while place < len(self.words) and self.words[place].pos[0] in {*NOUNS, "接頭辞"}:
            place += 1
        phrase = self.words[self.at + 1 : place + 1]
        return self._predicate(place + 1) if len(phrase) > 1 and phrase[-1].surface in _CASES else None

    def _predicate(self, place: int) -> Form | None:
        while place < len(self.words):
            form = form_at(self.words, place)
            if form and not _is_adverbial(form):
                return form
            if not form and not _is_adverb(self.words, place):
                return None
            place = form.last if form else place + 1
        return None

    def follows(self, form: Form) -> Word | None:
        """Return the word behind a form."""
        return self.words[form.last] if form.last < len(self.words) else None

    def is_relative(self, form: Form) -> bool:
        """Tell whether the form stands before a noun that it describes."""
        after = self.follows(form)
        finite = form.ending.startswith("plain")
        return finite and after is not None and after.pos[0] in NOUNS

    def describes(self, form: Form) -> bool:
        """Tell whether the form describes a noun of its own, with no amount before it, so that の can stand for が."""
        after = self.follows(form)
        counted = any(is_number(word) for word in self.words[self.at + 1 : form.first])
        return self.is_relative(form) and not counted and after is not None and after.surface not in _FORMAL

    def earlier(self) -> Iterator[Word]:
        """Yield the words before the particle, the nearest first."""
        return reversed(self.words[: self.at])

    def later(self) -> Iterator[Word]:
        """Yield the words behind the particle."""
        return iter(self.words[self.at + 1 :])

    def has_topic(self) -> bool:
        """Tell whether a topic with は was named before, in the same quotation or outside of any."""
        for word in self.earlier():
            if word.surface == "は" and "係助詞" in word.pos:
                return True
            if word.surface in {"。", "」", "「"}:
                return False
        return False


def is_time(words: Sequence[Word], at: int) -> bool:
    """Tell whether a point in time ends here: 午前10時, 3日, 月曜日, 三十分後, 行く前."""
    word, before = words[at], words[at - 1] if at else None
    if word.surface.endswith("曜日"):
        return True
    if before is None:
        return False
    if word.surface in {"前", "後"}:
        return before.surface in _SPANS or (word.surface == "前" and before.pos[0] in {"動詞", "助動詞"})
    return word.surface in _POINTS and is_number(before)


def is_number(word: Word) -> bool:
    """Tell whether the word is a number."""
    return "数詞" in word.pos or word.surface in {"何", "数", "時"}


def is_amount(words: Sequence[Word], at: int) -> bool:
    """Tell whether a counted amount ends here: 100人, 三つ, 5年."""
    word, before = words[at], words[at - 1] if at else None
    return is_number(word) or "助数詞" in word.pos or (before is not None and is_number(before))


def _is_adverbial(form: Form) -> bool:
    return form.part in {"形容詞", "形状詞"} and form.ending in {"く-form", "に-form"}


def _is_adverb(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    counted = is_number(word) or "助数詞" in word.pos or "助数詞可能" in word.pos or word.surface in {"人", "約", "円"}
    return word.pos[0] == "副詞" or counted
