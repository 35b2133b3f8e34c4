"""Slips of spelling: kana that only sound alike, another order, other kanji."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

import regex

from lessons.text import has_kanji, is_kana, kanji_of, to_hiragana

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = 2  # kana; a single one is a word of its own, and its slips have no name
_LARGE: Final = str.maketrans("ぁぃぅぇぉっゃゅょゎ", "あいうえおつやゆよわ")
_SMALL: Final = regex.compile(r"[ぁぃぅぇぉっゃゅょゎつやゆよ]")
_MARKS: Final = regex.compile(r"[\u3099\u309A]")
_LENGTH: Final = regex.compile(r"(?<=.)[ーあいうえお]")


def slips(right: str, wrong: str) -> Iterator[str]:
    """Name the slips of spelling that are all there is between two texts; nothing when there is more."""
    if right != wrong and sorted(right) == sorted(wrong):
        yield "order"
    if not (is_kana(right) and is_kana(wrong)) or min(len(right), len(wrong)) < _WORD:
        return
    one, other = to_hiragana(right), to_hiragana(wrong)
    if one == other:
        yield "kana"
    elif _bare(one) == _bare(other):
        yield from _sounds(one, other)


def spellings(right: str, wrong: str) -> Iterator[str]:
    """Name a slip of kanji: texts of one length that share a kanji, or all their kana. Any two words differ in kanji."""
    one, other = set(kanji_of(right)), set(kanji_of(wrong))
    if len(right) != len(wrong) or not one or not other or one == other:
        return
    if one & other:
        yield from ("kanji", "some kanji")
    elif len(one) < len(right) and _without_kanji(right) == _without_kanji(wrong):
        yield from ("kanji", "no kanji")


def _without_kanji(text: str) -> list[str]:
    return ["" if has_kanji(char) else char for char in text]


def _sounds(one: str, other: str) -> Iterator[str]:
    for name, count in _COUNTS.items():
        before, after = count(one), count(other)
        if before != after:
            yield name
            yield f"{name} lost" if before > after else f"{name} put"


def _voiced(text: str) -> int:
    return len(_MARKS.findall(unicodedata.normalize("NFD", text)))


_COUNTS: Final = {
    "small": lambda text: len(regex.findall(r"[ぁぃぅぇぉっゃゅょゎ]", text)),
    "length": lambda text: len(_LENGTH.findall(text)),
    "voice": _voiced,
}


def _bare(text: str) -> str:
    unmarked = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
    return _LENGTH.sub("", _SMALL.sub("", unmarked))
