"""Answers and what is said of them: verdicts, remarks, diffs, and the dictionary's words."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lessons.model.judgement import GradeSource

if TYPE_CHECKING:
    from lessons.model.judgement import Judgement

BLANK: Final = "[＿＿＿]"
"""How a blank stands in every prompt, whatever the file it came from wrote."""


class Track(StrEnum):
    """The two pools that are never mixed: lesson packs with ground truth, and generated material."""

    LESSON = "lesson"
    EXERCISE = "exercise"


class ItemKind(StrEnum):
    """What an item asks: the filler of a blank, or a word."""

    CLOZE = "cloze"
    VOCAB = "vocab"


class ErrorType(StrEnum):
    """The kind of a mistake, in the terms that teachers use."""

    PARTICLE = "particle"
    CONJUGATION = "conjugation"
    VOCABULARY = "vocabulary"
    WORD_ORDER = "word_order"
    TENSE = "tense"
    POLITENESS = "politeness"
    KANJI_KANA = "kanji_kana"
    MISSING = "missing"
    OTHER = "other"


class Verdict(StrEnum):
    """What became of a typed answer; only WRONG may become a mistake."""

    EXACT = "exact"
    EQUIVALENT = "equivalent"
    RETRY = "retry"
    WRONG = "wrong"
    SKIPPED = "skipped"
    TIMEOUT = "timeout"
    PENDING = "pending"


RIGHT: Final = frozenset({Verdict.EXACT, Verdict.EQUIVALENT})
"""The verdicts that count as right."""


class Remark(StrEnum):
    """What the matcher noticed about an answer; a verdict carries any number of them."""

    USUAL_SPELLING = "usual_spelling"  # right, usually written as `Grade.matched`
    OTHER_ANSWER = "other_answer"  # right: a further accepted answer, not the first one
    IN_KANA = "in_kana"  # right: the reading of the accepted answer
    IN_ROMAJI = "in_romaji"  # right: the reading, typed in Latin letters
    WITH_NEIGHBOURS = "with_neighbours"  # right, with visible text around the blank typed again
    TYPO = "typo"  # right but for small slips in Latin script
    BLANK_ANSWER = "blank_answer"  # retry: nothing left after trimming
    WRONG_SCRIPT = "wrong_script"  # retry: Latin letters where Japanese is asked, or the other way round
    TYPED_BACK = "typed_back"  # retry: the question itself
    OTHER_KANA = "other_kana"  # retry: hiragana for katakana or the other way round, where they are kept apart
    MISTYPED_KANA = "mistyped_kana"  # retry: a half-typed input such as たb, k or とっ
    ODD_CHARACTERS = "odd_characters"  # retry: characters no answer can hold
    ANOTHER_WORD = "another_word"  # retry: right for another item with the same prompt
    UNSURE_SPELLING = "unsure_spelling"  # retry: sounds right, but the kanji could be another word
    OTHER_READING = "other_reading"  # retry: a reading of the word, but not the one that is asked
    UNSURE_READING = "unsure_reading"  # retry: kana that may be a reading of it, for all the dictionary knows
    DICTIONARY_FORM = "dictionary_form"  # retry: the right word, in the ます form or another than is asked
    OTHER_NUANCE = "other_nuance"  # retry: possible with another nuance than that of the text it comes from
    SPOKEN_FORM = "spoken_form"  # retry: contracted as in speech, 〜てる for 〜ている
    SMALL_KANA = "small_kana"  # wrong: っ, ゃ, ゅ, ょ missing, added or full-sized
    VOICING = "voicing"  # wrong: a voicing mark missing or added
    LONG_VOWEL = "long_vowel"  # wrong: a long vowel short, or a short one long
    KANJI_SLIP = "kanji_slip"  # wrong: the same reading in other kanji
    DAY_SPENT = "day_spent"  # pending: today's share of judged answers is used up
    NOT_JUDGED = "not_judged"  # wrong: other fillers are possible, but nobody could judge this one
    NOT_ASKED_FOR = "not_asked_for"  # wrong: right by a judge, but the hint beside the sentence asks for another one


class DiffKind(StrEnum):
    """One stretch of a character diff, seen from the typed answer."""

    SAME = "same"
    EXTRA = "extra"  # typed, not expected
    MISSING = "missing"  # expected, not typed


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A stretch of characters of one kind, in reading order."""

    kind: DiffKind
    text: str


@dataclass(frozen=True, slots=True)
class Grade:
    """A verdict with its grounds.

    `matched` is the accepted answer the typed one was held against (the nearest one when wrong), as the pack writes it.
    `diff` is empty unless the answer is wrong and close. `judgement` is what a judge said, if one was heard.
    """

    verdict: Verdict
    matched: str
    remarks: tuple[Remark, ...] = ()
    diff: tuple[DiffPart, ...] = ()
    source: GradeSource = GradeSource.STRING
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """One morpheme of an analysed text; `reading` in hiragana, `pos` the dictionary's part-of-speech levels."""

    surface: str
    reading: str
    normalized: str
    dictionary_form: str
    pos: tuple[str, ...]
    known: bool = True


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text cut into words by the dictionary."""

    text: str
    words: tuple[Word, ...] = ()

    @property
    def reading(self) -> str:
        """The whole text in hiragana, as the dictionary reads it (a guess where a word has several readings)."""
        return "".join(word.reading for word in self.words)


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted answer: as written, folded for look-up, the readings the pack gives it, and the dictionary's words."""

    text: str
    folded: str = ""
    readings: tuple[str, ...] = ()
    analysis: Analysis = field(default_factory=lambda: Analysis(""))


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """All that grading one item needs, as values.

    `siblings` are answers of other items with the same prompt (another word with the same meaning); `taken` says
    that the typed text, folded, is an accepted answer of another item of the pack (then no typing tolerance).
    `nuances` are fillers that are possible with another nuance: they earn the free retry.
    """

    kind: ItemKind
    prompt: str
    accepted: tuple[Accepted, ...]
    language: str = "ja"
    strict_kana: bool = False
    siblings: tuple[str, ...] = ()
    taken: bool = False
    nuances: tuple[str, ...] = ()
