"""The form a verb or adjective stands in, by the dictionary's words: its name, and what sets two forms apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.model import Word

_INFLECTED: Final = frozenset({"動詞", "形容詞", "形状詞"})
_ENDINGS: Final = frozenset({"助動詞", "助詞"})
_HELPING: Final = {
    "いる": "progressive",
    "おる": "progressive",
    "てる": "progressive",
    "しまう": "completive",
    "ある": "resultative",
}
_AUXILIARY: Final = {
    "れる": "passive",
    "られる": "passive",
    "せる": "causative",
    "させる": "causative",
    "たい": "desiderative",
    "ない": "negative",
    "ぬ": "negative",
    "ん": "negative",
    "ます": "polite",
    "です": "polite",
    "た": "past",
}
_ORDER: Final[tuple[str, ...]] = (
    "polite",
    "potential",
    "causative",
    "passive",
    "progressive",
    "completive",
    "resultative",
    "desiderative",
    "negative",
    "past",
)
_AS_ONE: Final = {"で": "て", "だり": "たり"}
_OF_ADJECTIVES: Final = frozenset("なにで")
_ENDS: Final = {"仮定形": "たら-form", "意志推量形": "volitional", "命令形": "imperative"}
_BARE_ENDS: Final = {**_ENDS, "仮定形": "ば-form", "連用形": "stem", "未然形": "negative stem"}
_PAST: Final = "助動詞-タ"
_COPULA: Final = "助動詞-ダ"
_POLITE: Final = "助動詞-マス"
_POTENTIAL: Final = dict(
    zip(["ける", "げる", "せる", "てる", "ねる", "べる", "める", "れる", "える"], "くぐすつぬぶむるう", strict=True)
)


@dataclass(frozen=True, slots=True)
class Form:
    """A word and the form it stands in: `head` its dictionary form, `marks` such as polite, `end` such as て-form."""

    head: str
    marks: frozenset[str]
    end: str = ""

    @property
    def name(self) -> str:
        """The form as a teacher calls it: "polite past", "polite form", "て-form", "dictionary form"."""
        parts = [mark for mark in _ORDER if mark in self.marks]
        if not self.end and "polite" not in parts and {"past", "negative"}.intersection(parts):
            parts.insert(0, "plain")
        if self.end or parts[-1:] == ["past"]:
            return " ".join((*parts, self.end)).strip()
        return " ".join((*parts, "form")) if parts else "dictionary form"


def form_of(words: Sequence[Word]) -> Form | None:
    """Name the form of a verb or adjective with its endings; None when there is no word that inflects, or more text."""
    place = next((at for at, word in enumerate(words) if word.pos[:1] and word.pos[0] in _INFLECTED), None)
    if place is None:
        return None
    head, endings = words[: place + 1], words[place + 1 :]
    if not all(_is_ending(word, after) for after, word in pairwise(words[place:])):
        return None
    written = "".join(word.surface for word in head[:-1]) + (head[-1].normalized or head[-1].dictionary_form)
    potential = {"potential"} if _is_potential(head[-1]) else set()
    return Form(fold(written), frozenset((*_marks(endings), *potential)), _end(words))


def is_well_formed(words: Sequence[Word]) -> bool:
    """Tell whether a text is a form that exists: it begins with what inflects, and た, て or ます follows no other stem.

    閉めった is read as 閉 and めった, 伝わた as 伝う: what is no form says nothing about the word that was meant.
    """
    first, second = words[0], words[1] if len(words) > 1 else None
    deed = "サ変可能" in first.pos and second is not None and second.normalized in {"為る", "出来る"}
    quality = first.pos[:1] == ("形状詞",) and second is not None and second.pos[4:5] == (_COPULA,)
    joined = all(one.pos[5:6] and one.pos[5].startswith("連用形") for one, two in pairwise(words) if _needs_stem(two))
    return joined and (deed or quality or first.pos[:1] in {("動詞",), ("形容詞",)})


def _needs_stem(word: Word) -> bool:
    return word.pos[4:5] in {(_PAST,), (_POLITE,)} or (word.surface in {"て", "で"} and "接続助詞" in word.pos)


def _is_potential(word: Word) -> bool:
    """Tell whether a verb is 行ける, which the dictionary files under 行く."""
    return (
        word.pos[4:5] != ()
        and word.pos[4].startswith("下一段")
        and (_POTENTIAL.get(word.dictionary_form[-2:]) == word.normalized[-1:])
    )


def _is_ending(word: Word, after: Word) -> bool:
    """Tell whether a word belongs to the form of what it follows; いる and its like do so only behind て."""
    if word.pos[:1] == ("動詞",):
        return word.dictionary_form in _HELPING and after.pos[:1] == ("助詞",)
    return bool(_ENDINGS.intersection(word.pos[:1])) or _is_not(word)


def _is_not(word: Word) -> bool:
    """Tell whether it is the ない of 高くない, which the dictionary takes for an adjective of its own."""
    return word.dictionary_form == "ない" and "非自立可能" in word.pos


def _marks(endings: Sequence[Word]) -> Iterator[str]:
    for word in endings:
        mark = _AUXILIARY.get(word.dictionary_form) or _HELPING.get(word.dictionary_form)
        if word.pos[4:5] == (_PAST,):
            mark = "" if word.pos[5:6] and word.pos[5].startswith("仮定形") else "past"
        if mark:
            yield mark


def _end(words: Sequence[Word]) -> str:
    """Name what the last word makes of the form, "" for one that can end a sentence."""
    last = words[-1]
    if last.pos[:1] == ("助詞",):
        return f"{_AS_ONE.get(last.surface, last.surface)}-form"
    if last.pos[4:5] == (_COPULA,) and last.surface in _OF_ADJECTIVES:
        return f"{last.surface}-form"
    stage = last.pos[5].partition("-")[0] if last.pos[5:6] else ""
    if last.pos[4:5] == (_PAST,):
        return _ENDS.get(stage, "")
    if last.pos[:1] == ("形容詞",) and stage == "連用形":
        return "く-form"
    return _BARE_ENDS.get(stage, "")
