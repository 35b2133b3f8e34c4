"""Days of the week as people write them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lessons.errors import UnknownDays

_NAMES: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KANJI: Final = "月火水木金土日"
_SHORTEST: Final = 2
"""Letters from which a name of a day is known."""
_SEVERAL: Final = {
    **dict.fromkeys(("day", "daily", "everyday"), range(7)),
    "weekday": range(5),
    "weekend": range(5, 7),
}
_PHRASES: Final = {"毎日": " daily ", "平日": " weekday ", "週末": " weekend ", "毎週": " ", "曜日": " ", "から": "-"}
_JOINING: Final = frozenset(["and", "every", "each", "on", "と"])
_THROUGH: Final = frozenset(["to", "through", "until", "till", *"-–—~〜"])
_PART: Final = re.compile(rf"[a-z]+|[{_KANJI}]|[^\s,、・;/&+.]")


def weekdays(text: str) -> tuple[int, ...]:
    """Return the days that a text names, rising, 0 for Monday: mon wed fri, Tue & Thu, mon-fri, 月水金, weekends.

    Raises UnknownDays.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    for phrase, meant in _PHRASES.items():
        plain = plain.replace(phrase, meant)
    named: list[int] = []
    through = False
    for part in _PART.findall(plain):
        if part in _JOINING:
            continue
        if part in _THROUGH and named and not through:
            through = True
            continue
        days = _days(part)
        if not days or (through and len(days) > 1):
            raise UnknownDays(text)
        named += _between(named[-1], days[0]) if through else days
        through = False
    if not named or through:
        raise UnknownDays(text)
    return tuple(sorted(set(named)))


def _days(part: str) -> list[int]:
    """Return what a word or a sign stands for; nothing when that is no day."""
    if part in _KANJI:
        return [_KANJI.index(part)]
    stem = part.removesuffix("s")
    if stem in _SEVERAL:
        return list(_SEVERAL[stem])
    return [day for day, name in enumerate(_NAMES) if len(stem) >= _SHORTEST and name.startswith(stem)]


def _between(first: int, last: int) -> list[int]:
    """Return the days from one to another, over the end of the week where it has to be."""
    return [(first + step) % 7 for step in range((last - first) % 7 + 1)]
