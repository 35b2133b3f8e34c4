"""Forms of the right word where its dictionary form is asked: 乗り換えます, のりかえた, norikaemasu for 乗り換える."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.grading.romaji import spells
from lessons.text import is_latin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.grading.spelling import Spelling

_INFLECTED: Final = frozenset({"動詞", "形容詞", "形状詞"})
_ENDINGS: Final = frozenset({"助動詞", "助詞", "非自立可能"})
_STEMS: Final = dict(zip("うくぐすつぬぶむる", "いきぎしちにびみり", strict=True))


def is_inflected(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether a text is another form of an accepted verb or adjective that stands in its dictionary form."""
    if not accepted.plain or not accepted.words or not _INFLECTED.intersection(accepted.words[-1].pos[:1]):
        return False
    if is_latin(typed.text):
        return any(spells(typed.text, form) for reading in accepted.certain for form in _polite(reading))
    forms = (form for text in (accepted.text, *accepted.certain) for form in _polite(text))
    return typed.text in forms or _same_head(typed, accepted)


def _polite(form: str) -> Iterator[str]:
    """Yield what may be the polite form of a verb or adjective: 〜ます of either class, 〜です; 緊張 for 緊張する."""
    stem, last = form[:-1], form[-1:]
    if form.endswith("する"):
        yield from (form.removesuffix("する") + ending for ending in ("します", ""))
    if form.endswith("くる"):
        yield form.removesuffix("くる") + "きます"
    if last == "る":
        yield stem + "ます"
    if last in _STEMS:
        yield stem + _STEMS[last] + "ます"
    if last == "い":
        yield form + "です"


def _same_head(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether the dictionary hears the same words, the last one inflected or with endings: 高かった, 高くない."""
    size = len(accepted.entries)
    rest = typed.words[size:]
    return (
        typed.entries[:size] == accepted.entries
        and all(_ENDINGS.intersection(word.pos[:2]) for word in rest)
        and (bool(rest) or not typed.plain)
    )
