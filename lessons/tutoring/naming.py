"""What kinds of mistakes and goals are called, and what the first step on each of them is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import regex

from lessons.model import ErrorType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KINDS: Final[Mapping[ErrorType, str]] = {
    ErrorType.PARTICLE: "particles",
    ErrorType.CONJUGATION: "verb and adjective forms",
    ErrorType.VOCABULARY: "words",
    ErrorType.WORD_ORDER: "word order",
    ErrorType.TENSE: "tense and aspect",
    ErrorType.POLITENESS: "politeness",
    ErrorType.KANJI_KANA: "kanji and kana",
    ErrorType.MISSING: "words left out",
    ErrorType.OTHER: "mixed points",
}


class Aim(StrEnum):
    """What somebody learns for, as far as it decides what an exercise looks like."""

    WRITING = "writing"
    SPEAKING = "speaking"
    READING = "reading"
    LISTENING = "listening"
    EXAM = "an exam"
    GENERAL = "everyday use"


FORMS: Final[Mapping[Aim, str]] = {
    Aim.WRITING: "written sentences, as in the e-mail, report or essay they write",
    Aim.SPEAKING: "one line of a dialogue, as it would be said aloud",
    Aim.READING: "one sentence as it stands in a text, to be understood exactly",
    Aim.LISTENING: "one spoken line in kana, to be understood exactly",
    Aim.EXAM: "one question in the form of the exam",
    Aim.GENERAL: "one sentence from everyday life",
}
"""What the exercises of an aim consist of."""

FIRST_STEPS: Final[Mapping[ErrorType, str]] = {
    ErrorType.PARTICLE: "Contrast the two particles mixed up most in two sentences that differ in the particle alone",
    ErrorType.CONJUGATION: "Build the form that goes wrong most from three dictionary forms of different verb classes",
    ErrorType.VOCABULARY: "Set the two words mixed up most side by side, each in the situation where only it fits",
    ErrorType.WORD_ORDER: "Take one sentence apart and put its pieces into order, the describing part before what it describes",
    ErrorType.TENSE: "Contrast one finished and one ongoing event in two sentences with the same verb",
    ErrorType.POLITENESS: "Say one request twice, to a friend and to a client, and mark what changed",
    ErrorType.KANJI_KANA: "Compare the two spellings mixed up most, with the part that tells them apart",
    ErrorType.MISSING: "Show one sentence with and without the word that is left out most, and what is lost",
    ErrorType.OTHER: "Show the point of the subject in two short sentences that differ in it alone",
}
"""The first step on a kind, without a full stop: the aim's form follows."""

_AIMS: Final = (
    (Aim.WRITING, r"writ(?:e|ing|ten)|essay|e-?mail|report|blog|compos|作文|文章|メール|書く|書き|ライティング|報告書"),
    (Aim.SPEAKING, r"speak|spoken|conversation|talk|interview|presentation|会話|話す|話し|面接|スピーキング|発表|電話"),
    (Aim.EXAM, r"jlpt|exam|\btest\b|\bn[1-5]\b|試験|検定|受験|合格"),
    (Aim.READING, r"\bread|novel|manga|newspaper|\barticle|読む|読み|読解|新聞|小説|漫画"),
    (Aim.LISTENING, r"listen|podcast|anime|film|聞く|聞き|聴解|リスニング|アニメ|映画"),
)
_AIM_WORDS: Final = tuple((aim, regex.compile(words, regex.I)) for aim, words in _AIMS)
_KIND_WORDS: Final[Mapping[ErrorType, regex.Pattern[str]]] = {
    ErrorType.PARTICLE: regex.compile(
        r"particle|助詞|(?<!\w)[はがをにでへとも](?!\w)|[「『][はがをにでへとも][」』]", regex.I
    ),
    ErrorType.CONJUGATION: regex.compile(
        r"conjugat|verb form|\w+-form|て形|活用|可能形|受身|使役|passive|causative|potential|conditional|条件", regex.I
    ),
    ErrorType.VOCABULARY: regex.compile(r"vocab|\bwords?\b(?! order)|語彙|単語|言葉", regex.I),
    ErrorType.WORD_ORDER: regex.compile(r"word order|relative clause|語順|連体", regex.I),
    ErrorType.TENSE: regex.compile(r"tense|aspect|ている|時制|past form", regex.I),
    ErrorType.POLITENESS: regex.compile(r"polite|keigo|honorific|humble|register|敬語|丁寧|尊敬|謙譲", regex.I),
    ErrorType.KANJI_KANA: regex.compile(r"kanji|kana|spelling|漢字|かな|仮名|表記", regex.I),
    ErrorType.MISSING: regex.compile(r"left out|omit|省略", regex.I),
}


def aim(texts: Iterable[str]) -> Aim:
    """Return what the first telling one of some texts is about, the most particular first; GENERAL where none tells."""
    for text in texts:
        for found, words in _AIM_WORDS:
            if words.search(text):
                return found
    return Aim.GENERAL


def kinds_in(text: str) -> tuple[ErrorType, ...]:
    """Return the kinds of mistakes that a text speaks of, in the order of ErrorType."""
    return tuple(kind for kind in ErrorType if kind in _KIND_WORDS and _KIND_WORDS[kind].search(text))
