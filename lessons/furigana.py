"""Readings written beside kanji, 漢字(かんじ), and the part of speech of a blank, both from a sentence's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from lessons.model import BLANK
from lessons.text import has_kanji, is_kana, to_hiragana

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.model import Word

CONTENT: Final = ("動詞", "形容詞", "形状詞", "名詞", "代名詞", "副詞")
"""Parts of speech that head a phrase, in UniDic's terms."""

EVERYDAY: Final = {
    "私": "わたし", "明日": "あした", "日本": "にほん", "富士山": "ふじさん", "何時ごろ": "なんじごろ",
    "重そう": "おもそう", "描き": "かき", "描い": "かい", "描く": "かく", "言う": "いう",
    "箱": "はこ", "米": "こめ", "蛙": "かえる", "蓮": "はす", "他": "ほか",
}  # fmt: skip
"""What learners are taught where the dictionary prefers a formal, a rarer or a spoken reading."""

UNSURE: Final = {
    "方", "都", "市場", "大家", "寒気", "生物", "色紙", "一行", "表", "縁", "金", "実", "機", "業", "仏", "値", "灯",
    "辛い", "開く", "空く", "止める", "止む", "抱く", "汚す", "退く", "避ける", "注ぐ",
}  # fmt: skip
"""Words, in their dictionary form, that are read in two ways with two meanings: 辛い, からい or つらい."""

WHAT: Final = {
    **dict.fromkeys(("が", "を", "も", "より", "か", "から", "に", "は", "へ", "まで", "や", "？", "。"), "なに"),
    **dict.fromkeys(("で", "と", "の", "だ", "です", "でした", "でしょう", "な", "なら", "だっ", "って", "て"), "なん"),
}
"""How 何 is read, by the word that follows; before any other it stays without a reading."""

COUNTED: Final = {"数詞", "助数詞可能", "助数詞"}
"""Numbers and counters change each other's sound (一本, 三百), so they are left without a reading."""
ALONE: Final = {"手", "皿", "時間", "件", "席", "箱", "袋", "曲", "文字", "種類", "足", "頭"}
"""Words that can count, and are read in one way where they do not."""
TITLES: Final = {
    "さん", "様", "さま", "くん", "君", "ちゃん", "氏", "先生", "教授", "部長", "課長", "社長", "先輩", "選手",
}  # fmt: skip
"""What follows a person's name; a place of the same name (大山, だいせん) may be read otherwise."""


_RUNS: Final = regex.compile(r"[\p{Hiragana}\p{Katakana}ー]+|[^\p{Hiragana}\p{Katakana}ー]+")


def annotate(words: Sequence[Word], blank: tuple[int, int]) -> str:
    """Write each word with kanji as 漢字(かんじ) and put the blank back.

    `words` are those of the filled-in sentence, `blank` the answer's span in it, in characters. The span is never
    annotated; a word that lies across its edge stays as written, since its reading would give the answer away.
    Returns "" when no word needs a reading.
    """
    start, end = blank
    parts, annotated = [], False
    neighbours = zip((None, *words), _placed(words), (*words[1:], None), strict=False)
    for before, (position, word), after in neighbours:
        beyond = position + len(word.surface)
        if beyond <= start or position >= end:
            ruby = _ruby(word, _reading(before, word, after))
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


def _reading(before: Word | None, word: Word, after: Word | None) -> str:
    """Return how a word is read here, "" where that is not certain: a wrong reading is worse than none."""
    following = after.surface if after else ""
    if word.surface == "何":
        return "なん" if after and COUNTED.intersection(after.pos) else WHAT.get(following, "")
    if not word.known or UNSURE.intersection((word.surface, word.dictionary_form)):
        return ""
    if COUNTED.intersection(word.pos) and (word.surface not in ALONE or _is_number(before)):
        return ""
    whole_or_during = word.surface == "中" and word.pos[:1] == ("接尾辞",) and not _is_deed(before)
    wind_or_manner = word.surface == "風" and "形状詞可能" in word.pos  # かぜ or ふう, and the dictionary says ふう
    place_for_person = "地名" in word.pos and following in TITLES
    if whole_or_during or place_for_person or wind_or_manner:
        return ""
    return EVERYDAY.get(word.surface, to_hiragana(word.reading))


def _is_number(word: Word | None) -> bool:
    return word is not None and ("数詞" in word.pos or word.surface[-1:] in {"何", "数", "幾"})


def _is_deed(word: Word | None) -> bool:
    return word is not None and "サ変可能" in word.pos


def _ruby(word: Word, reading: str) -> str:
    """One word with its reading after the kanji; kana stay outside: 行き is 行(い)き, 引っ越し is 引(ひ)っ越(こ)し."""
    surface = word.surface
    if not reading or not has_kanji(surface) or reading == to_hiragana(surface):
        return surface
    if parts := _aligned(surface, reading):
        return "".join(f"{part}({sound})" if sound else part for part, sound in parts)
    plain = to_hiragana(surface)
    head = _shared(plain, reading)
    tail = _shared(plain[head:][::-1], reading[head:][::-1])
    core, sound = surface[head : len(surface) - tail], reading[head : len(reading) - tail]
    if not core or not sound:
        return surface
    return f"{surface[:head]}{core}({sound}){surface[len(surface) - tail :]}"


def _aligned(surface: str, reading: str) -> list[tuple[str, str]]:
    """Cut a word into its runs of kanji, each with its reading, and of kana, with ""; [] where several cuts fit."""
    runs = _RUNS.findall(surface)
    patterns = [regex.escape(to_hiragana(run)) if is_kana(run) else None for run in runs]
    first = regex.fullmatch("".join(f"({one or '.+?'})" for one in patterns), reading)
    last = regex.fullmatch("".join(f"({one or '.+'})" for one in patterns), reading)
    if first is None or last is None or first.groups() != last.groups():
        return []
    return [(run, "" if one else sound) for run, one, sound in zip(runs, patterns, first.groups(), strict=True)]


def _shared(one: str, other: str) -> int:
    """How many leading characters are the same."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
