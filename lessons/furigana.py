"""Readings written beside kanji, 漢字(かんじ), and the part of speech of a blank, both from a sentence's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import BLANK
from lessons.text import has_kanji, to_hiragana

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.model import Word

CONTENT: Final = ("動詞", "形容詞", "形状詞", "名詞", "代名詞", "副詞")
"""Parts of speech that head a phrase, in UniDic's terms."""

EVERYDAY: Final = {
    "私": "わたし", "明日": "あした", "日本": "にほん", "富士山": "ふじさん", "何時ごろ": "なんじごろ",
    "重そう": "おもそう", "描き": "かき", "描い": "かい", "描く": "かく",
}  # fmt: skip
"""What learners are taught where the dictionary prefers a formal or a rarer reading."""
COUNTED: Final = {"数詞", "助数詞可能", "助数詞"}
"""Numbers and counters change each other's sound (一本, 三百), so they are left without a reading."""


def annotate(words: Sequence[Word], blank: tuple[int, int]) -> str:
    """Write each word with kanji as 漢字(かんじ) and put the blank back.

    `words` are those of the filled-in sentence, `blank` the answer's span in it, in characters. The span is never
    annotated; a word that lies across its edge stays as written, since its reading would give the answer away.
    Returns "" when no word needs a reading.
    """
    start, end = blank
    parts, annotated = [], False
    for position, word in _placed(words):
        beyond = position + len(word.surface)
        if beyond <= start or position >= end:
            ruby = _ruby(word)
            annotated |= ruby != word.surface
            parts.append(ruby)
            continue
        parts.append(word.surface[: max(0, start - position)])
        if position <= start < beyond:
            parts.append(BLANK)
        parts.append(word.surface[max(0, end - position) :])
    return "".join(parts) if annotated else ""


def part_of_speech(words: Sequence[Word], blank: tuple[int, int]) -> str:
    """First-level part of speech of what fills the span: its first content word, else its first word; "" if none."""
    start, end = blank
    inside = [word for position, word in _placed(words) if position < end and position + len(word.surface) > start]
    content = (word for word in inside if word.pos and word.pos[0] in CONTENT)
    head = next(content, inside[0] if inside else None)
    return head.pos[0] if head is not None and head.pos else ""


def _placed(words: Sequence[Word]) -> Iterator[tuple[int, Word]]:
    position = 0
    for word in words:
        yield position, word
        position += len(word.surface)


def _ruby(word: Word) -> str:
    """One word with its reading after the kanji; shared kana at both ends stay outside: 行き is 行(い)き."""
    surface, reading = word.surface, EVERYDAY.get(word.surface, to_hiragana(word.reading))
    if not word.known or not has_kanji(surface) or COUNTED.intersection(word.pos) or reading == to_hiragana(surface):
        return surface
    plain = to_hiragana(surface)
    head = _shared(plain, reading)
    tail = _shared(plain[head:][::-1], reading[head:][::-1])
    core, sound = surface[head : len(surface) - tail], reading[head : len(reading) - tail]
    if not core or not sound:
        return surface
    return f"{surface[:head]}{core}({sound}){surface[len(surface) - tail :]}"


def _shared(one: str, other: str) -> int:
    """How many leading characters are the same."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
