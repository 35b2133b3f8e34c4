"""How kana sound: long vowels compare as a set, and a spelling with kanji may or may not be read a given way."""

from __future__ import annotations

from typing import Final

from lessons.text import is_kana

_ROWS: Final = {
    "a": "あかさたなはまやらわがざだばぱぁゃゎ",
    "i": "いきしちにひみりぎじぢびぴぃゐ",
    "u": "うくすつぬふむゆるぐずづぶぷゔぅゅ",
    "e": "えけせてねへめれげぜでべぺぇゑ",
    "o": "おこそとのほもよろをごぞどぼぽぉょ",
}
_VOWEL: Final = {kana: vowel for vowel, row in _ROWS.items() for kana in row}
_LENGTHENS: Final = {
    "a": set("あぁー"),
    "i": set("いぃー"),
    "u": set("うぅー"),
    "e": set("えいぇぃー"),
    "o": set("おうぉぅー"),
}


def vowel_of(kana: str) -> str:
    """Return the vowel a hiragana ends in, "" for ん, っ and everything that is none."""
    return _VOWEL.get(kana, "")


def lengthens(kana: str, vowel: str) -> bool:
    """Tell whether this hiragana can be the second half of that long vowel; ー can, after any."""
    return kana in _LENGTHENS.get(vowel, ())


def sounds_alike(one: str, other: str) -> bool:
    """Tell whether two hiragana texts sound the same, long vowels compared as a set.

    ー stands for every spelling of the long vowel it marks, and え and い are one set after the e row (おねえさん,
    おねいさん). おう and おお stay apart, since こおり and こうり are different words; so do long and short.
    """
    if len(one) != len(other):
        return False
    vowel = ""
    for a, b in zip(one, other, strict=True):
        if a != b and not (lengthens(a, vowel) and lengthens(b, vowel) and ("ー" in (a, b) or vowel == "e")):
            return False
        vowel = vowel_of(b if a == "ー" else a) or (vowel if a == b == "ー" else "")
    return True


def shorten(text: str) -> str:
    """Return the hiragana text with every long vowel short."""
    short, vowel = "", ""
    for kana in text:
        if not lengthens(kana, vowel):
            short, vowel = short + kana, vowel_of(kana)
    return short


def could_read(spelling: str, reading: str) -> bool:
    """Tell whether a spelling may have this reading: its kana literally, any kana for each run of other characters.

    Both are folded. Takes time in proportion to the product of the lengths; no spelling is ever built.
    """
    reached, inside = {0}, False
    for char in spelling:
        if is_kana(char):
            reached = {at + 1 for at in reached if reading.startswith(char, at)}
            inside = False
        elif not inside:
            reached = set(range(min(reached, default=len(reading)) + 1, len(reading) + 1))
            inside = True
    return len(reading) in reached
