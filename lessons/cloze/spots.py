"""Where a particle stands: the words around it, and the predicate that governs it where that is plain to see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from lessons.cloze import verbs
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

_PHASES: Final = ("期", "段階", "時代", "局面", "体制", "戦", "季節", "夏", "冬", "春", "秋", "元")
_PLACES: Final = (*"場館所園校駅市県町村国港室店内区島川海山", "周辺", "センター", "ホール", "スタジアム")
_ACTORS: Final = (*"人者員会社省庁署市県町国氏長", "警察", "政府", "さん", "男性", "女性")
_ROUGHLY: Final = frozenset(
    {"以上", "以下", "以内", "未満", "余り", "あまり", "余", "近く", "前後", "程度", "ほど", "弱", "強"}
)


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

    @cached_property
    def main_verb(self) -> Form | None:
        """The predicate behind the noun that a clause describes: 助ける in …のを通りかかった男性が助ける."""
        if self.verb is None:
            return None
        place = self.verb.last
        while place < len(self.words) and self.words[place].pos[0] in NOUNS:
            place += 1
        particle = place < len(self.words) and self.words[place].surface in {"が", "は", "も"}
        return self._predicate(place + 1) if particle else None

    def idiom(self) -> tuple[str, str] | None:
        """Return the idiom the particle is inside of, such as 気をつける, and what it means."""
        form = self.verb
        if form is None or form.first != self.at + 1:
            return None
        verb = self.words[form.first].normalized
        meaning = verbs.IDIOMS.get((self.before.normalized, self.particle, verbs.ALIASES.get(verb, verb)))
        return (f"{self.before.surface}{self.particle}{form.lemma}", meaning) if meaning else None

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

    def is_formal(self, form: Form) -> bool:
        """Tell whether the noun behind the form only carries grammar, as in 増やす予定だ."""
        after = self.follows(form)
        return after is not None and after.surface in _FORMAL

    def may_belong_further(self, form: Form) -> bool:
        """Tell whether a subject that could act stands before a clause of another noun: 警察が増えた事故を調べる."""
        behind = self.words[form.last + 1] if form.last + 1 < len(self.words) else None
        goes_on = behind is not None and behind.surface in {"を", "で"}
        acts = self.before.surface.endswith(_ACTORS) and not self.has_topic()
        return self.is_relative(form) and form.part == "動詞" and goes_on and acts

    def is_said_of_a_deed(self) -> bool:
        """Tell whether こと can stand for the の before another particle: not after 大きい, before 見る, or in a cleft."""
        place = self.at + 2
        governor = self._predicate(place)
        cleft = self.after.surface == "は" and (governor is None or governor.part == "形状詞")
        perceived = governor is not None and governor.lemma in verbs.PERCEIVED
        return self.before.pos[0] in {"動詞", "助動詞"} and governor is not None and not cleft and not perceived

    def earlier(self) -> Iterator[Word]:
        """Yield the words before the particle, the nearest first."""
        return reversed(self.words[: self.at])

    def later(self) -> Iterator[Word]:
        """Yield the words behind the particle."""
        return iter(self.words[self.at + 1 :])

    def has_topic(self) -> bool:
        """Tell whether a topic with は was named before, in the same quotation or outside of any."""
        for place in range(self.at - 1, 0, -1):
            word = self.words[place]
            if word.surface == "は" and "係助詞" in word.pos:
                return self.words[place - 1].pos[0] in NOUNS  # 店の前には sets no subject
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
    """Tell whether a counted amount ends here: 100人, 三つ, 5年, 200人以上."""
    if at > 1 and words[at].surface in _ROUGHLY:
        return is_amount(words, at - 1)
    word, before = words[at], words[at - 1] if at else None
    return is_number(word) or "助数詞" in word.pos or (before is not None and is_number(before))


def is_phase(words: Sequence[Word], at: int) -> bool:
    """Tell whether a stretch of time or an activity ends here, no place: 後半, 7月, 調整, 延長戦."""
    word = words[at]
    named = {"副詞可能", "サ変可能"}.intersection(word.pos) or word.surface.endswith(_PHASES)
    return (bool(named) and word.surface not in verbs.RELATIVE_PLACES) or is_amount(words, at) or is_time(words, at)


def is_place(word: Word) -> bool:
    """Tell whether a noun is surely a place: a name on the map, or 会場, 図書館."""
    return "地名" in word.pos or (word.pos[0] in NOUNS and word.surface.endswith(_PLACES))


def _is_adverbial(form: Form) -> bool:
    return form.part in {"形容詞", "形状詞"} and form.ending in {"く-form", "に-form"}


def _is_adverb(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    counted = is_number(word) or "助数詞" in word.pos or "助数詞可能" in word.pos or word.surface in {"人", "約", "円"}
    return word.pos[0] == "副詞" or counted
