"""Turns bytes into text as browsers do, and doubts what the bytes contradict.

The order is that of the WHATWG Encoding and HTML standards: byte order mark, HTTP, the document's own declaration.
Two departures help learners: bytes that are valid UTF-8 are UTF-8 whatever is declared, and a declaration that gives
mojibake is passed over.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

from lessons.errors import UnreadableNews
from lessons.model import ReadTrouble

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LABELS: Final = {
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "ms932", "cp932"), "cp932"),
    **dict.fromkeys(("shift_jis-2004", "shift_jisx0213"), "shift_jis_2004"),
    **dict.fromkeys(("euc-jp", "x-euc-jp", "eucjp", "euc_jp", "cseucpkdfmtjapanese"), "euc_jp"),
    **dict.fromkeys(("iso-2022-jp", "csiso2022jp", "jis"), "iso2022_jp_ext"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80", "chinese", "euc-cn", "gb18030"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "cn-big5", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601", "korean", "windows-949", "euckr"), "cp949"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "l1", "ascii", "us-ascii", "cp1252"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620"), "cp874"),
    **dict.fromkeys(("utf8", "unicode-1-1-utf-8", "x-unicode20utf8"), "utf-8"),
}
"""Labels that mean more than Python's codec of that name, after the WHATWG table."""

_HTTP: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.+-]{2,40})", re.IGNORECASE)
_DECLARED: Final = re.compile(
    rb"<\?xml[^>]{0,200}?\bencoding\s*=\s*[\"']\s*([\w:.-]{2,40})|<meta[^>]{0,400}?\bcharset\s*=\s*[\"']?\s*([\w:.-]{2,40})",
    re.IGNORECASE,
)
_NO_WRITING: Final = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined"})
_PRESCAN: Final = 8192
_ESCAPES: Final = re.compile(rb"\x1b(?:\$[@B]|\(J|\$\(D)")
_GUESSES: Final = ("cp932", "euc_jp")

_HIGH_RUN: Final = re.compile(
    r"[\x80-\xff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]{4,}"
)
_LEAD: Final = re.compile(r"[\xc0-\xff]")
_DOUBLED: Final = re.compile(r"[ÂÃ][\x80-\xbf]|â€[™œ“”¦\x9d\x80-\xbf]")
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_HALF_WIDTH: Final = re.compile(r"[\uff61-\uff9f]")
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u3001\u3002\u4e00-\u9fff]")
_KANA: Final = re.compile(r"[\u3040-\u30ff\u3001\u3002]")
_PRIVATE: Final = re.compile(r"[\ue000-\uf8ff\x80-\x84\x86-\x9f]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SAMPLE: Final = 200_000
_FEW: Final = 3
_BAD_SHARE: Final = 0.02
_ODD_SHARE: Final = 0.3


def decode(data: bytes, content_type: str) -> str:
    """Return the text of a document without NULs and byte order mark. Raises UnreadableNews GARBLED or NOT_TEXT."""
    wide = _wide(data)
    if not wide and data.count(0) > len(data) // 100:
        raise UnreadableNews(ReadTrouble.NOT_TEXT)
    readings = iter([data.decode(wide, "replace")]) if wide else _readings(data.replace(b"\0", b""), content_type)
    text = next((text for text in readings if not is_garbled(text)), None)
    if text is None:
        raise UnreadableNews(ReadTrouble.GARBLED)
    if len(_CONTROL.findall(text[:_SAMPLE])) > _FEW + len(text[:_SAMPLE]) // 100:
        raise UnreadableNews(ReadTrouble.NOT_TEXT)
    return text.replace("\0", "").removeprefix("\ufeff")


def is_garbled(text: str) -> bool:
    """Tell whether a text is mojibake: signs that no decoding of real writing leaves in such numbers.

    Runs of four signs from the upper half of Latin-1 are multi-byte text read as Latin-1; pairs that begin with Ã are
    UTF-8 read so; half-width katakana without kana beside it are EUC-JP read as Shift_JIS.
    """
    sample = text[:_SAMPLE]
    foreign = len(_FOREIGN.findall(sample))
    lost = sample.count("\ufffd")
    if lost > _FEW and lost > foreign * _BAD_SHARE:
        return True
    if not foreign:
        return False
    runs = [run for run in _HIGH_RUN.findall(sample) if 4 * len(_LEAD.findall(run)) >= len(run)]  # no row of dashes
    odd = sum(map(len, runs)) + 2 * len(_DOUBLED.findall(sample))
    odd += len(_PRIVATE.findall(sample))
    half = len(_HALF_WIDTH.findall(sample))
    if half > _ODD_SHARE * foreign and half > len(_KANA.findall(sample)):
        return True
    return odd > _FEW and odd > foreign * _ODD_SHARE


def _wide(data: bytes) -> str:
    """Return the encoding that a byte order mark names, or that the zeros of two first ASCII characters show."""
    marked = next((codec for mark, codec in _MARKS if data.startswith(mark)), "")
    if marked or data[:4].count(0) != 2:  # noqa: PLR2004 - two characters of two bytes
        return marked
    if data[1:2] == data[3:4] == b"\0":
        return "utf-16-le"
    return "utf-16-be" if data[0:1] == data[2:3] == b"\0" else ""


def _readings(data: bytes, content_type: str) -> Iterator[str]:
    """Decode in the order of trust; a reading with a few broken characters comes after all those without."""
    declared = [codec for codec in _declared(data, content_type) if codec]
    if not data.isascii():
        yield from _strict(data, ("utf-8",))
    elif _ESCAPES.search(data):
        yield from _strict(data, ("iso2022_jp_ext",))
    yield from _strict(data, declared)
    yield from _guessed(data)
    for codec in (*declared, "utf-8"):
        text = data.decode(codec, "replace")
        if text.count("\ufffd") <= max(_FEW, len(_FOREIGN.findall(text[:_SAMPLE])) * _BAD_SHARE):
            yield text
    yield from _last_resort(data)


def _strict(data: bytes, codecs_: tuple[str, ...] | list[str]) -> Iterator[str]:
    for codec in codecs_:
        try:
            yield data.decode(codec)
        except UnicodeError:
            continue


def _declared(data: bytes, content_type: str) -> Iterator[str]:
    http = _HTTP.search(content_type)
    if http:
        yield _codec(http[1])
    inside = _DECLARED.search(data[:_PRESCAN])
    if inside:
        codec = _codec((inside[1] or inside[2]).decode("ascii"))
        yield "utf-8" if codec.startswith(("utf_16", "utf-16", "utf-32", "utf_32")) else codec  # it was read as ASCII


def _codec(label: str) -> str:
    """Return Python's codec for a label, "" for one that no text is written in."""
    label = label.strip().lower()
    name = _LABELS.get(label, label)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    return name if getattr(found, "_is_text_encoding", True) and found.name not in _NO_WRITING else ""


def _guessed(data: bytes) -> Iterator[str]:
    """Guess among the old Japanese encodings: the reading with the larger share of Japanese, if that is most of it."""
    readings = sorted(_strict(data, _GUESSES), key=_japanese_share)
    if readings and _japanese_share(readings[-1]) > 1 - _ODD_SHARE:
        yield readings[-1]


def _japanese_share(text: str) -> float:
    foreign = len(_FOREIGN.findall(text[:_SAMPLE]))
    kana = len(_KANA.findall(text[:_SAMPLE]))
    return len(_JAPANESE.findall(text[:_SAMPLE])) / foreign if foreign and kana else 0.0


def _last_resort(data: bytes) -> Iterator[str]:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - only where nothing else helps

    best = from_bytes(data[:_SAMPLE]).best()
    if best is not None and best.encoding not in {"ascii", "utf_8"}:
        yield data.decode(best.encoding, "replace")
    yield data.decode("cp1252", "replace")
