"""Readings in Latin letters: whether a romaji text spells a kana text, in any of the systems learners mix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from lessons.grading.sounds import lengthens, vowel_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE: Final = """
あ a|い i|う u|え e|お o|か ka ca|き ki|く ku cu|け ke|こ ko co|が ga|ぎ gi|ぐ gu|げ ge|ご go
さ sa|し shi si|す su|せ se|そ so|ざ za|じ ji zi|ず zu|ぜ ze|ぞ zo
た ta|ち chi ti|つ tsu tu|て te|と to|だ da|ぢ ji di zi|づ zu du dzu|で de|ど do
な na|に ni|ぬ nu|ね ne|の no|は ha|ひ hi|ふ fu hu|へ he|ほ ho|ば ba|び bi|ぶ bu|べ be|ぼ bo|ぱ pa|ぴ pi|ぷ pu|ぺ pe|ぽ po
ま ma|み mi|む mu|め me|も mo|や ya|ゆ yu|よ yo|ら ra la|り ri li|る ru lu|れ re le|ろ ro lo|わ wa|を wo o|ゔ vu
きゃ kya|きゅ kyu|きょ kyo|ぎゃ gya|ぎゅ gyu|ぎょ gyo|しゃ sha sya|しゅ shu syu|しょ sho syo|しぇ she
じゃ ja jya zya|じゅ ju jyu zyu|じょ jo jyo zyo|じぇ je|ちゃ cha tya cya|ちゅ chu tyu cyu|ちょ cho tyo cyo|ちぇ che
ぢゃ ja dya|ぢゅ ju dyu|ぢょ jo dyo|にゃ nya|にゅ nyu|にょ nyo|ひゃ hya|ひゅ hyu|ひょ hyo|びゃ bya|びゅ byu|びょ byo
ぴゃ pya|ぴゅ pyu|ぴょ pyo|みゃ mya|みゅ myu|みょ myo|りゃ rya|りゅ ryu|りょ ryo
ふぁ fa|ふぃ fi|ふぇ fe|ふぉ fo|ふゅ fyu|てぃ ti thi|でぃ di dhi|とぅ tu twu|どぅ du dwu|でゅ dyu dhu|てゅ tyu thu
うぃ wi|うぇ we|うぉ wo|ゔぁ va|ゔぃ vi|ゔぇ ve|ゔぉ vo|つぁ tsa|つぇ tse|つぉ tso|いぇ ye|くぁ kwa|くぉ kwo
ぁ xa la|ぃ xi li|ぅ xu lu|ぇ xe le|ぉ xo lo|ゃ xya lya|ゅ xyu lyu|ょ xyo lyo|っ xtu ltu xtsu ltsu|ん nn n' n- xn
"""
_SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    kana: tuple(spellings)
    for kana, *spellings in (entry.split() for line in _TABLE.strip().splitlines() for entry in line.split("|"))
}
_MACRONS: Final = {"a": "āâ", "i": "īî", "u": "ūû", "e": "ēê", "o": "ōô"}
_LONG: Final = "".join(_MACRONS.values())
_REPEATS: Final = {"a": "a", "i": "i", "u": "u", "e": "ei", "o": "ou"}
_BLOCK_N: Final = frozenset("aiueoy" + _LONG)
_APOSTROPHES: Final = str.maketrans("’‘ʼ`´", "'''''")
_SPOKEN_WA: Final = 3  # kana: from here on a final は may be the particle of a set phrase (こんにちは, では)

_SYLLABLE: Final = "|".join(sorted({s for spellings in _SPELLINGS.values() for s in spellings}, key=len, reverse=True))
_ROMAJI: Final = regex.compile(
    rf"(?:(?:([kstpgdbzjfhc])(?=\1)|t(?=ch))?(?:{_SYLLABLE}|(?:[kgsztdnhbpmyrwfvj]y?|sh|ch|ts)?[{_LONG}])-?|n|m(?=[bmp]))+"
)


def is_romaji(text: str) -> bool:
    """Tell whether a folded Latin text can be read as romaji at all."""
    return _ROMAJI.fullmatch(_clean(text)) is not None


def spells(text: str, kana: str, *, loosely: bool = False) -> bool:
    """Tell whether a folded Latin text spells this hiragana reading.

    Every reading of the text is followed at once (`nn` as ん or as ん before an n, `ō` as おう or おお), none is
    written out. `loosely` also lets n before a vowel be ん (kinen for きんえん) and oo be おう: no proof, but no mistake.
    """
    romaji = _clean(text)
    return _spells(romaji, kana, loosely=loosely) or _spells(romaji.replace("-", ""), kana, loosely=loosely)


def _clean(text: str) -> str:
    return text.translate(_APOSTROPHES).replace(" ", "")


def _spells(romaji: str, kana: str, *, loosely: bool) -> bool:
    reached: list[set[int]] = [{0}, *(set() for _ in kana)]
    for here in range(len(kana)):
        for at in reached[here]:
            for step, end in _steps(romaji[at : at + 5], kana[here : here + 3], kana[here - 1 : here], loosely=loosely):
                reached[here + step].add(at + end)
        if len(kana) >= _SPOKEN_WA and here == len(kana) - 1 and kana[here] == "は":
            reached[-1] |= {at + 2 for at in reached[here] if romaji.startswith("wa", at)}
    return len(romaji) in reached[-1]


def _steps(romaji: str, kana: str, before: str, *, loosely: bool) -> Iterator[tuple[int, int]]:
    """Yield how many kana and how many letters one step may take, looking at the next few of both."""
    for size in (1, 2):
        for spelling in _SPELLINGS.get(kana[:size], ()) if size <= len(kana) else ():
            if romaji.startswith(spelling):
                yield size, len(spelling)
            if lengthens(kana[size : size + 1], spelling[-1:]) and romaji.startswith(_with_macron(spelling)):
                yield size + 1, len(spelling)
    yield from ((1, 1) for _ in range(_single_letter(romaji, kana[0], before, loosely=loosely)))


def _with_macron(spelling: str) -> tuple[str, ...]:
    return tuple(spelling[:-1] + macron for macron in _MACRONS[spelling[-1]])


def _single_letter(romaji: str, kana: str, before: str, *, loosely: bool) -> bool:
    """Tell whether one letter stands for this kana by what is around it: ん, the doubling of っ, the length of ー."""
    letter, following = romaji[:1], romaji[1:2]
    if kana == "ん":
        return (letter == "n" and (loosely or following not in _BLOCK_N)) or (
            letter == "m" and following in ("b", "m", "p")
        )
    if kana == "っ":
        return letter in tuple("kstpgdbzjfhc") and (letter == following or romaji.startswith("tch"))
    vowel = vowel_of(before)
    if kana == "ー":
        return letter == "-" or (vowel != "" and letter in tuple(_REPEATS[vowel]))
    return loosely and kana == "う" and vowel == "o" and letter == "o"
