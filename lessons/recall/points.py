"""What teachers call the point of an item: the grammar and the families of words that a short Japanese text touches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

_GRAMMAR: Final = {
    "polite": r"ま(?:す|し[たょ]|せん)|です|でし[たょ]",
    "past": r"た$|[んい]だ$|たら|だら",
    "negative": r"な[いくか]|なけれ|ません|[^か]ず$",
    "te": r"[てで]$|って$",
    "state": r"[てで](?:い|あ[るりっ]|お[りき])",
    "tara": r"[ただ]ら",
    "ba": r"[えけげせてねべめれ]ば",
    "to": r"[うくぐすつぬぶむるいだ]と$",
    "nara": r"なら",
    "passive": r"られ|[かがさたなばまらわ]れ",
    "causative": r"[かがさたなばまらわ]せ|させ",
    "desire": r"た[いくが]",
    "nominal": r"の$",
    "adnominal": r"な$",
    "copula": r"[^んい]だ$|です$",
    "adverbial": r"く$|に$",
    "humble": r"拝|伺|申|参|おり|いたし|存じ|[おご].+し(?:ま|て|た|$)",
    "honorific": r"ご覧|いらっしゃ|召し|なさ|おっしゃ|[おご].+に?な[るりっさ]",
}
_FAMILIES: Final = {
    "giving": r"くれ|あげ|もら|いただ|くださ|差し上|やっ",
    "being": r"^(?:い|あ)(?:る|り?ま|った|ない|て|た)",
    "going": r"[行来]|^(?:いく|いき|いった|いって|くる|きた|きて|きま)",
    "time": r"[前後]|とき|間",
    "compound": r"によ|につ|にと|に対|とし|って$",
    "counter": r"^[\p{N}一二三四五六七八九十百何]*(?:[枚本個冊台人頭匹杯回階軒足羽着つ]|名)$",
}
_GRAMMAR_OF: Final = {name: regex.compile(pattern) for name, pattern in _GRAMMAR.items()}
_FAMILY_OF: Final = {name: regex.compile(pattern) for name, pattern in _FAMILIES.items()}


def points(right: str, wrong: str) -> Iterator[str]:
    """Name the grammar that one text has and the other has not, and the families that either is of."""
    for name, pattern in _GRAMMAR_OF.items():
        in_right, in_wrong = pattern.search(right) is not None, pattern.search(wrong) is not None
        if in_right != in_wrong:
            yield name
            yield f"{name} lost" if in_right else f"{name} put"
    for name, pattern in _FAMILY_OF.items():
        if pattern.search(right) and pattern.search(wrong):
            yield f"{name} both"
