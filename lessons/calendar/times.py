"""Times of day as people write them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from lessons.errors import UnknownTime

_HALF: Final = {"am": 0, "pm": 12, "午前": 0, "午後": 12}
_WORDS: Final = {"noon": 720, "midday": 720, "正午": 720, "midnight": 0}
_CLOCK: Final = re.compile(r"([0-9]{1,2})(?:[:.h]([0-5][0-9]))?(?:h|o'?clock|uhr)?(am|pm)?", re.ASCII)
_TOGETHER: Final = re.compile(r"([0-9]{1,2})([0-5][0-9])h?(am|pm)?", re.ASCII)
_JAPANESE: Final = re.compile(r"(午前|午後)?([0-9]{1,2})時(?:([0-5]?[0-9])分|(半))?", re.ASCII)
_DIGITS: Final = "〇一二三四五六七八九"
_KANJI: Final = re.compile(r"([一二三四五]?)(十)([一二三四五六七八九]?)|([〇一二三四五六七八九])")


def clock_time(text: str) -> int:
    """Return the minute of the day (0 to 1439) that a text names: 7:30, 19, 7pm, 0730, 7h30, 七時半, noon.

    Raises UnknownTime.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = re.sub(r"([ap])\.?m\.?$", r"\1m", re.sub(r"\s", "", plain).replace("’", "'"))
    if plain in _WORDS:
        return _WORDS[plain]
    if match := _CLOCK.fullmatch(plain) or _TOGETHER.fullmatch(plain):
        hour, minute, half = match[1], match[2] or "0", match[3] or ""
    elif match := _JAPANESE.fullmatch(_KANJI.sub(_number, plain)):
        hour, minute, half = match[2], "30" if match[4] else match[3] or "0", match[1] or ""
    else:
        raise UnknownTime(text)
    return _minute(text, int(hour), int(minute), half)


def _minute(text: str, hour: int, minute: int, half: str) -> int:
    if hour > (12 if half else 23) or (half == "pm" and not hour):
        raise UnknownTime(text)
    if half:
        hour = hour % 12 + _HALF[half]
    return 60 * hour + minute


def _number(match: re.Match[str]) -> str:
    """Write a Japanese number up to 59 in digits."""
    if match[4]:
        return str(_DIGITS.index(match[4]))
    return str((_DIGITS.index(match[1]) if match[1] else 1) * 10 + (_DIGITS.index(match[3]) if match[3] else 0))
