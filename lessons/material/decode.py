"""Bytes to text: the encoding is recognised and named, never assumed, and what is no text is refused by name."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from lessons.errors import Refusal, UnreadableFile

ENCODINGS: Final = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with BOM",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "cp932": "Shift_JIS (Windows-31J)",
    "euc_jp": "EUC-JP",
    "iso2022_jp": "ISO-2022-JP",
}
"""Codec to the name a moderator knows."""
TRIED: Final = "UTF-8, UTF-16, Shift_JIS (Windows-31J), EUC-JP"

_BYTE_ORDER_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_SIGNATURES: Final = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"SQLite format 3\x00", "an SQLite database (an Anki collection?)"),
    (b"\xd0\xcf\x11\xe0", "an old Office document (xls, doc)"),
    (b"{\\rtf", "an RTF document"),
)
_INSIDE_ZIP: Final = (
    (b"xl/", "an Excel workbook (xlsx)"),
    (b"collection.anki", "an Anki package (apkg)"),
    (b"word/", "a Word document (docx)"),
    (b"opendocument", "an OpenDocument file (ods, odt)"),
)
_HEAD: Final = 65_536
"""Bytes looked at to name an archive."""

_KANA: Final = "\u3041-\u30ff"
_JAPANESE: Final = f"{_KANA}\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff01-\uffee"
_JAPANESE_RUN: Final = re.compile(f"(?<![A-Za-z])[{_JAPANESE}]+(?![A-Za-z])|[{_JAPANESE}]*[{_KANA}]{{2}}")
_HALF_WIDTH: Final = re.compile("[\uff61-\uff9f]")
_NOT_ASCII: Final = re.compile("[^\x00-\x7f]")
_CONTROL: Final = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
_GARBLED: Final = re.compile("[\x80-\xffŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™\ufffd]{3,}|\ufffd|[縺繧繝][ -\uffff]")
"""Three in a row of what Windows-1252 makes of Japanese bytes; lost characters; UTF-8 that was read as Shift_JIS."""
_GARBLED_SHARE: Final = 0.25
_PLAUSIBLE: Final = 0.5
_BINARY_SHARE: Final = 0.02
_FEW: Final = 4
"""Control characters that are a row's problem, however short the file is."""


class Decoded(NamedTuple):
    """A file as text, with the human name of its encoding; no BOM, no NUL."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Return the text of a file.

    Raises UnreadableFile: EMPTY, ARCHIVE (with what it is), NUL_BYTES, UNKNOWN_ENCODING or MOJIBAKE.
    """
    if not data.strip(b" \t\r\n\xef\xbb\xbf"):
        raise UnreadableFile(Refusal.EMPTY)
    _refuse_archives(data)
    codec = _by_mark(data) or _by_nuls(data) or _by_escape(data) or _by_content(data)
    text = _strictly(data, codec)
    if text is None:
        raise UnreadableFile(Refusal.UNKNOWN_ENCODING, ENCODINGS[codec])
    text = text.lstrip("\ufeff")
    _refuse_nonsense(text)
    return Decoded(text, ENCODINGS[codec])


def _refuse_archives(data: bytes) -> None:
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            raise UnreadableFile(Refusal.ARCHIVE, name)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        head = data[:_HEAD] + data[-_HEAD:]
        raise UnreadableFile(
            Refusal.ARCHIVE, next((name for part, name in _INSIDE_ZIP if part in head), "a zip archive")
        )
    start = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise UnreadableFile(Refusal.ARCHIVE, "a web page or XML")


def _by_mark(data: bytes) -> str | None:
    return next((codec for mark, codec in _BYTE_ORDER_MARKS if data.startswith(mark)), None)


def _by_nuls(data: bytes) -> str | None:
    """UTF-16 without a mark shows in the NULs of its commas and line ends, all on one side. Raises NUL_BYTES."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    if not even and not odd:
        return None
    codec = "utf-16-le" if odd > even else "utf-16-be"
    text = _strictly(data, codec)
    if min(even, odd) or text is None or "\n" not in text.replace("\r", "\n"):
        raise UnreadableFile(Refusal.NUL_BYTES, found=even + odd)
    return codec


def _by_escape(data: bytes) -> str | None:
    return "iso2022_jp" if b"\x1b$" in data else None


def _by_content(data: bytes) -> str:
    """Strict UTF-8, else the more plausible of the two Japanese encodings. Raises UNKNOWN_ENCODING or MOJIBAKE."""
    if _strictly(data, "utf-8") is not None:
        return "utf-8"
    texts = {codec: text for codec in ("cp932", "euc_jp") if (text := _strictly(data, codec)) is not None}
    if not texts:
        raise UnreadableFile(Refusal.UNKNOWN_ENCODING, TRIED)
    plausible = {codec: _plausibility(text) for codec, text in texts.items()}
    best = max(plausible, key=lambda codec: plausible[codec])
    if plausible[best] < _PLAUSIBLE:
        raise UnreadableFile(Refusal.MOJIBAKE, TRIED)
    return best


def _strictly(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _plausibility(text: str) -> float:
    """How much of the text beyond ASCII stands as Japanese does: 1.0 all of it, below 0.5 hardly any.

    Half-width katakana count for little: most often they are another encoding's bytes. A lone kanji between Latin
    letters counts for nothing: it is an umlaut.
    """
    strange = len(_NOT_ASCII.findall(text))
    runs = "".join(_JAPANESE_RUN.findall(text))
    return (len(runs) - 0.7 * len(_HALF_WIDTH.findall(runs))) / strange


def _refuse_nonsense(text: str) -> None:
    if "\x00" in text:
        raise UnreadableFile(Refusal.NUL_BYTES, found=text.count("\x00"))
    if len(_CONTROL.findall(text)) > _FEW + _BINARY_SHARE * len(text):
        raise UnreadableFile(Refusal.ARCHIVE, "binary data")
    garbled = sum(map(len, _GARBLED.findall(text)))
    if garbled > _GARBLED_SHARE * len(_NOT_ASCII.findall(text)):
        raise UnreadableFile(Refusal.MOJIBAKE, TRIED)
