"""Lines as they come in: what cannot be seen is gone, furigana are told apart, broken sentences are put together."""

from __future__ import annotations

import html
from typing import Final
from unicodedata import normalize

import regex

from lessons.errors import TextTooLong
from lessons.text import has_kanji, is_kana, to_hiragana

LONGEST: Final = 50_000
"""Characters of a text; a long newspaper article has a tenth of it."""

Rubies = dict[tuple[str, str], None]
"""Pairs of written text and reading, each once, in the order they were met."""

_KANJI: Final = r"\p{Han}〆ヶ0-9０-９"
_NOTHING: Final = regex.compile(r"[\p{C}\uFE00-\uFE0F\U000E0100-\U000E01EF\uFFFC\uFFFD--[\n]]", regex.V1)
_LINE_END: Final = regex.compile(r"\r\n?|[\x0B\x0C\x85\u2028\u2029]")
_SPACES: Final = regex.compile(r"[^\S\n\u3000]+")
_VOICED: Final = regex.compile(r"[\u3040-\u30FF][\u3099\u309A]")
_WIDE: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\u3000-\u303F\uFF00-\uFFEF]")
_SENTENCE_END: Final = regex.compile(r"[。．｡！？!?.…‥][\p{Pe}\p{Pf}\"'”’]*$|[」』]$")
_CLOSING: Final = 8  # characters in which a mark and all that closes after it stand

_TAGGED: Final = regex.compile(
    r"(?:<ruby\b[^<>]*+>|(?<=</rt>))(?:<rb\b[^<>]*+>)?([^<>\n]++)(?:</rb>)?<rt\b[^<>]*+>([^<]*+)(?:</rt>)?", regex.I
)
_RUBY_REST: Final = regex.compile(r"<r[tp]\b[^<>]*+>[^<\n]*+(?:</r[tp]>)?", regex.I)
_FALLBACK: Final = regex.compile(r"<rp\b[^<>]*+>[^<\n]*+(?:</rp>)?", regex.I)
_BREAK: Final = regex.compile(r"<br\b[^<>]*+>|</?(?:p|div|li|h[1-6]|tr)\b[^<>]*+>", regex.I)
_TAG: Final = regex.compile(r"</?[a-zA-Z][^<>]*+>|<!--(?:(?!-->).)*+(?:-->|$)", regex.S)
_BRACKETS: Final = regex.compile(rf"[ \u3000]?(?<![{_KANJI}])([{_KANJI}]++)\[([\p{{Hiragana}}\p{{Katakana}}ー]++)\]")
_AOZORA: Final = regex.compile(
    rf"(?:[｜|]([^｜|《》\n]{{1,40}}+)|(?<![{_KANJI}])([{_KANJI}]++))《([\p{{Hiragana}}\p{{Katakana}}ー]{{1,40}}+)》"
)
_PARENTHESES: Final = regex.compile(
    rf"(?<![{_KANJI}])([{_KANJI}]++)(?:（([\p{{Hiragana}}ー \u3000・]{{1,40}}+)）|\(([\p{{Hiragana}}ー \u3000・]{{1,40}}+)\))"
)
_KANA_OF_A_KANJI: Final = 5  # 志 is こころざし
_NO_READING: Final = frozenset(
    {
        "など",
        "のみ",
        "ごろ",
        "ころ",
        "ほか",
        "まで",
        "から",
        "だけ",
        "より",
        "ほど",
        "とも",
        "たち",
        "しか",
        "ずつ",
        "つき",
    }
    | {"くらい", "ぐらい", "ばかり", "あり", "なし"}
)
"""What stands in parentheses after kanji and is a part of the sentence."""


def cleaned(text: str, limit: int = LONGEST) -> str:
    """Return a text with line feeds and single spaces, without control, invisible and unassigned characters.

    Full-width spaces stay, since they begin paragraphs. Raises TextTooLong over `limit` characters.
    """
    if len(text) > limit:
        raise TextTooLong(len(text), limit)
    text = _SPACES.sub(" ", _NOTHING.sub("", _LINE_END.sub("\n", text).replace("\t", " ")))
    return _VOICED.sub(lambda match: normalize("NFC", match[0]), text)


def without_tags(text: str, rubies: Rubies) -> str:
    """Take HTML's tags and entities off a cleaned text; the readings of `<ruby>` go into `rubies`."""

    def base(match: regex.Match[str]) -> str:
        _keep(rubies, match[1], match[2])
        return str(match[1])

    if "<" in text:
        text = _RUBY_REST.sub("", _TAGGED.sub(base, _FALLBACK.sub("", text)))
        text = _TAG.sub("", _BREAK.sub("\n", text))
    return cleaned(html.unescape(text), max(len(text), LONGEST)) if "&" in text else text


def without_furigana(text: str, rubies: Rubies) -> str:
    """Take 漢字[かんじ], 漢字《かんじ》 and 漢字（かんじ） out of a line; the readings go into `rubies`.

    ｜ marks where what is read begins, as in ｜東京都《とうきょうと》. In parentheses, and in 《》 without ｜, only what can
    be a reading counts: hiragana, as many as the kanji may have, and no など.
    """

    def in_brackets(match: regex.Match[str]) -> str:
        return str(match[1] if _keep(rubies, match[1], match[2]) else match[0])

    def in_aozora(match: regex.Match[str]) -> str:
        if match[1]:
            return str(match[1] if _keep(rubies, match[1], match[3]) else match[0])
        fits = _is_hiragana(match[3]) and _fits(match[2], match[3])
        return str(match[2] if fits and _keep(rubies, match[2], match[3]) else match[0])

    def in_parentheses(match: regex.Match[str]) -> str:
        reading = regex.sub(r"[ \u3000・]", "", match[2] or match[3])
        return str(match[1] if _fits(match[1], reading) and _keep(rubies, match[1], reading) else match[0])

    return str(_PARENTHESES.sub(in_parentheses, _AOZORA.sub(in_aozora, _BRACKETS.sub(in_brackets, text))))


def _fits(written: str, reading: str) -> bool:
    return len(written) <= len(reading) <= _KANA_OF_A_KANJI * len(written) and reading not in _NO_READING


def _is_hiragana(text: str) -> bool:
    return to_hiragana(text) == text


def ends_sentence(line: str) -> bool:
    """Tell whether a sentence ends where the line does."""
    return _SENTENCE_END.search(line[-_CLOSING:]) is not None


def joined(one: str, other: str) -> str:
    """Put two halves of a sentence together: with a space, unless one of them is written without spaces there."""
    if not one or not other or _WIDE.match(one[-1]) or _WIDE.match(other[0]) or one.endswith("-"):
        return one + other
    return f"{one} {other}"


def _keep(rubies: Rubies, written: str, reading: str) -> bool:
    """Keep a reading if it is one: kana for something with kanji in it."""
    reading = reading.strip()
    if not (has_kanji(written) and is_kana(reading)):
        return False
    rubies[written.strip(), to_hiragana(reading)] = None
    return True
