"""What a text is by its look: plain, subtitles or a web page, and in which script."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEAD: Final = 2_000  # characters a look is taken at
_LEAD: Final = "\ufeff \t\r\n\u3000"
_SHARE: Final = 0.2
"""The share of the letters from which a script is that of the text, and not of a word in it."""
_KANA_SHARE: Final = 0.05
"""The share of kana among kana and Han from which a text is Japanese; a の in a Chinese name is no Japanese."""

_PAGE: Final = regex.compile(
    r"(?:<\?xml[^<>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s+html|html|head|body|article|main|div|p|h[1-6])\b",
    regex.I | regex.S,
)
_TAG: Final = regex.compile(r"<(?:html|body|div|p|br|span|a|article|h[1-6])\b[^<>]*+>", regex.I)
_TIMING: Final = regex.compile(
    r"^[ \t]*(?:\d{1,3}:)?\d{1,2}:\d{1,2}([.,])\d{1,3}[ \t]*-->[ \t]*(?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3}", regex.M
)


class TextKind(StrEnum):
    """How a text is to be read."""

    TEXT = "text"
    SRT = "srt"
    VTT = "vtt"
    HTML = "html"


_NAMES: Final = {".srt": TextKind.SRT, ".vtt": TextKind.VTT} | dict.fromkeys((".html", ".htm", ".xhtml"), TextKind.HTML)


def kind_of(file_name: str, text: str) -> TextKind:
    """Tell what a text is: by how it begins, and where that does not tell, by its name if the text bears it out.

    Without a text the name alone tells.
    """
    named = next((kind for ending, kind in _NAMES.items() if file_name.casefold().endswith(ending)), TextKind.TEXT)
    if not text:
        return named
    head = text[:_HEAD].lstrip(_LEAD)
    if regex.match(r"WEBVTT(?:[ \t\r\n]|$)", head):
        return TextKind.VTT
    if _PAGE.match(head) or (named is TextKind.HTML and _TAG.search(text)):
        return TextKind.HTML
    subtitled = named in {TextKind.SRT, TextKind.VTT}
    timing = _TIMING.search((text if subtitled else head).replace("\r", "\n"))
    if timing is None or subtitled:
        return named if timing else TextKind.TEXT
    return TextKind.SRT if timing[1] == "," else TextKind.VTT


def language_of(paragraphs: Iterable[str]) -> str:
    """Return "ja", "ko" or "zh" when the script tells, "" when it does not."""
    text = "".join(paragraphs)
    letters = max(len(regex.findall(r"\p{L}", text)), 1)
    kana = len(regex.findall(r"[\p{Hiragana}\p{Katakana}]", text))
    han, hangul = len(regex.findall(r"\p{Han}", text)), len(regex.findall(r"\p{Hangul}", text))
    if max(kana + han, hangul) < _SHARE * letters:
        return ""
    if hangul > kana + han:
        return "ko"
    return "ja" if kana > _KANA_SHARE * (kana + han) else "zh"
