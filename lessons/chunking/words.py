"""The words of a question that stand in a piece of a document, the rarer ones counting for more."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Final

import numpy as np
import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_STEM: Final = 6  # letters by which two forms of a word are the same: practise, practised
_PIECES: Final = 4  # pieces without the word that a document is taken to have besides its own
_READ: Final = 4_000  # characters; a message has 2,000
_WORD: Final = regex.compile(r"\p{Latin}+\p{N}+|\p{Latin}{3,}|\p{N}+|\p{Han}{2,}|[\p{Katakana}ー]{2,}|\p{Hangul}{2,}")
_HAN: Final = regex.compile(r"\p{Han}")
_LATIN: Final = regex.compile(r"\p{Latin}+")

_ENGLISH: Final = (
    "about again all also and another answer any anyway are ask because been before between both but can check correct "
    "could day did difference does done each english even ever every example exercise explain few for form from get "
    "give had has have help her here him his how into its japanese just know language learn let level like make mean "
    "means more most much must need new next not now off once one only other our out over particle please practice "
    "practise question right same say sentence she should show some something sorry still such take tell than thank "
    "thanks that the their them then there they thing things think this time too use used verb very want was way well "
    "were what when where which while who why will with word words work would write yes you your"
)
_JAPANESE: Final = "日本 本語 英語 意味 例文 説明 言葉 文法 練習 先生 問題 質問 必要 場合 一度 自分 動詞 助詞 普通 通形 過去 他動 自動 受身 可能 敬語"
_COMMON: Final = frozenset([*_ENGLISH.split(), *_JAPANESE.split()])
"""Words, and pairs of kanji, that say nothing of what a message is about, and the talk of every lesson."""


def shares(query: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return [n] from 0 to 1: how much of what the query names stands in each text.

    A word weighs by how few of the texts have it (inverse document frequency). Japanese counts by pairs of kanji and
    by katakana; hiragana, which nearly every text shares, does not count, nor does a kanji alone, which may be any verb. One more rare word is always taken to be
    wanted, so that a single word that happens to be there says little. 0 for a query that names nothing.
    """
    wanted = sorted(_words(query))
    if not wanted or not texts:
        return np.zeros(len(texts))
    held = [_words(text) for text in texts]
    there = np.array([[word in words for word in wanted] for words in held], np.float64)
    weights = np.array([_weight(len(texts), count) for count in there.sum(axis=0)])
    return np.asarray(there @ weights / (weights.sum() + _weight(len(texts), 0)), np.float64)


def _weight(texts: int, having: float) -> float:
    return math.log((texts + _PIECES + 1) / (having + 1))


def _words(text: str) -> set[str]:
    return set(_each(unicodedata.normalize("NFKC", text[:_READ]).casefold()))


def _each(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if _HAN.match(word):
            pairs = (word[at : at + 2] for at in range(len(word) - 1))
            yield from (pair for pair in pairs if pair not in _COMMON)
        elif word not in _COMMON:
            yield word[:_STEM] if _LATIN.fullmatch(word) else word
