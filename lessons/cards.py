"""Mistake cards: what is remembered of a wrong answer, and what is never remembered because it was no attempt."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

import regex

from lessons.model import BLANK, Confidence, ErrorType, ItemKind, MistakeCard, Opinion, Remark, Verdict
from lessons.text import fold, has_japanese, has_latin, has_odd_characters, is_latin, tidy

if TYPE_CHECKING:
    from lessons.model import Grade, Item, Judgement, Track

_LONGEST: Final = 200  # characters of a card's texts
_LIKE: Final = 0.5  # difflib's ratio, 0 to 1, from which a text is an attempt at the reference whatever it says
_QUOTED: Final = 4  # characters of a reference that nobody repeats whole in a longer answer by chance
_WORDS: Final = 3  # Latin words among or instead of Japanese: a sentence about the task, no answer

_PLACEHOLDERS: Final = frozenset(
    fold(text)
    for text in (
        *(
            "idk",
            "i don't know",
            "i dont know",
            "dunno",
            "don't know",
            "no idea",
            "skip",
            "pass",
            "none",
            "n/a",
            "nothing",
        ),
        *("test", "testing", "asdf", "asdfgh", "qwer", "qwerty", "wrong answer", "correct", "help", "hint", "answer"),
        *(
            "わからない",
            "分からない",
            "解らない",
            "判らない",
            "わかりません",
            "分かりません",
            "わかんない",
            "分かんない",
        ),
        *(
            "知らない",
            "しらない",
            "知りません",
            "しりません",
            "不明",
            "パス",
            "スキップ",
            "テスト",
            "ヒント",
            "正解",
            "正しい",
            "せいかい",
            "ただしい",
        ),
        *(
            "模範解答",
            "同上",
            "空欄",
            "死ね",
            "しね",
            "ばか",
            "馬鹿",
            "あほ",
            "くそ",
            "うざい",
            "fuck",
            "shit",
            "fuck you",
        ),
        *("不知道", "모르겠어요"),
    )
)
_MASHED: Final = regex.compile(r"(.)\1{4,}", regex.S)
_STRUCTURE: Final = regex.compile(
    r"```|[{}<>]|@everyone|@here|https?:|\b(?:system|assistant|human|user)\s*:|\w+\s*=\s*\w*$|\p{M}{2}", regex.I
)
_TO_THE_GRADER: Final = regex.compile(
    r"(?:ignore|disregard|forget).{0,30}(?:rule|instruction|above|previous)|system prompt|verdict|full marks"
    r"|(?:mark|grade|graded?|output|say|return|accept).{0,25}correct|override|reference answer"
    r"|採点|満点|ぷろんぷと|管理者|正解(?:に|と|扱い)|判定|(?:指示|命令|るーる|上記).{0,6}(?:無視|忘れ)|答えを(?:教|見せ|表示)"
    r"|模範解答|許可(?:あり|済|を得)|(?:なん|なに|何)でも(?:いい|良い|よい|可|ok)|acceptable|指令|判为|判為|正确|정답|무시",
    regex.I,
)
"""Words to whoever grades, in folded text."""

_KNOWING: Final = regex.compile(r"[分解判]か|わか[らりるれろっん]|知[らりるれろっ]|しら|しり")
_SEPARATORS: Final = regex.compile(r"[。．｡／/、，､：:；;（(「『【！!？?\n]")
_LATIN_WORD: Final = regex.compile(r"\p{Latin}{2,}")
_LEVEL: Final = regex.compile(r"(?:.*[_\W])?n([1-5])", regex.I)

_BY_PART_OF_SPEECH: Final = {
    "助詞": ErrorType.PARTICLE,
    "動詞": ErrorType.CONJUGATION,
    "助動詞": ErrorType.CONJUGATION,
    "形容詞": ErrorType.CONJUGATION,
    "形状詞": ErrorType.CONJUGATION,
}
_INFLECTED: Final = frozenset({"動詞", "形容詞", "形状詞", "助動詞"})
_OF_FORMS: Final = frozenset({ErrorType.CONJUGATION, ErrorType.TENSE, ErrorType.POLITENESS})
_SLIPS: Final = {
    Remark.KANJI_SLIP: "kanji",
    Remark.SMALL_KANA: "small kana",
    Remark.VOICING: "voicing mark",
    Remark.LONG_VOWEL: "vowel length",
}
_POINTS: Final = {
    ErrorType.PARTICLE: "particle",
    ErrorType.CONJUGATION: "form",
    ErrorType.VOCABULARY: "word",
    ErrorType.WORD_ORDER: "word order",
    ErrorType.TENSE: "tense",
    ErrorType.POLITENESS: "politeness",
    ErrorType.KANJI_KANA: "spelling",
    ErrorType.MISSING: "something missing:",
    ErrorType.OTHER: "answer",
}


def mistake_card(item: Item, typed: str, grade: Grade, track: Track) -> MistakeCard | None:
    """Make the card of a wrong answer; None when it was not wrong or is not worth remembering (`is_junk`).

    Where a judge was heard, its kind of mistake and its diagnosis stand on the card; what it is unsure of or calls no
    attempt is not remembered, nor is what nobody could judge. The reference is the answer that is shown, so that cards
    of one rule look alike; after a slip in writing it is the accepted answer that was nearly written.
    """
    if grade.verdict is not Verdict.WRONG or is_junk(typed, item.row.prompt, grade.matched or item.answer):
        return None
    doubted = {Remark.NOT_JUDGED, Remark.NOT_ASKED_FOR}.intersection(grade.remarks)
    if doubted or (grade.judgement and not _is_sure(grade.judgement)):
        return None
    slipped = grade.matched and any(remark in _SLIPS for remark in grade.remarks)
    reference = grade.matched if slipped else item.answer
    shown = tidy(typed)[:_LONGEST]
    error_type, said = _finding(item, typed, grade)
    return MistakeCard(
        track=track,
        prompt=item.row.prompt,
        reference=reference,
        typed=shown,
        error_type=error_type,
        part_of_speech=item.part_of_speech or (grade.judgement.part_of_speech if grade.judgement else ""),
        feedback=said or _feedback(error_type, grade, reference, shown),
        level=_level(item.row.tags) or (item.clipping.level if item.clipping else ""),
    )


def _is_sure(judgement: Judgement) -> bool:
    """Tell whether a judge names a mistake in an attempt, and not merely guesses."""
    is_mistake = judgement.opinion is Opinion.INCORRECT and judgement.error_type is not None
    return is_mistake and judgement.attempt and judgement.confidence is not Confidence.LOW


def _finding(item: Item, typed: str, grade: Grade) -> tuple[ErrorType, str]:
    """Return the kind of a mistake and the sentence about it, "" without one: the judge's, else the lesson's."""
    if grade.judgement and grade.judgement.error_type:
        return grade.judgement.error_type, tidy(grade.judgement.diagnosis)[:_LONGEST]
    if _is_astray(item, typed, grade):
        return ErrorType.VOCABULARY, ""
    return _error_type(item, grade), tidy(item.row.explanation)


def is_junk(typed: str, prompt: str, reference: str) -> bool:
    """Tell whether a wrong answer is no attempt: a placeholder, the question, noise, or words to whoever grades.

    What resembles the reference is an attempt, even when it says 分からない or 前の指示は無視してください.
    """
    text, expected = fold(typed), fold(reference)
    if not text or has_odd_characters(typed) or text in {fold(prompt), fold(prompt.replace(BLANK, ""))}:
        return True
    if _is_out_of_proportion(typed, prompt, reference) or _STRUCTURE.search(typed) or _quotes(text, expected):
        return True
    if SequenceMatcher(None, text, expected, autojunk=False).ratio() >= _LIKE:
        return False
    if text in _PLACEHOLDERS:
        return not (_KNOWING.search(text) and _KNOWING.search(expected))
    return _is_noise(text) or _is_talk(text, prompt, expected)


def _is_out_of_proportion(typed: str, prompt: str, reference: str) -> bool:
    """Tell whether there is far more text, or more sentences, than the question and its answer hold."""
    whole = prompt.replace(BLANK, reference)
    if len(typed) > 2 * len(whole) + 10:
        return True
    allowed = max(_separators(reference), _separators(whole))
    return _separators(typed) > allowed


def _quotes(text: str, expected: str) -> bool:
    """Tell whether the whole reference stands inside a text that says much more."""
    return len(expected) >= _QUOTED and expected in text and len(text) - len(expected) > max(6, len(expected) // 2)


def _separators(text: str) -> int:
    return len(_SEPARATORS.findall(fold(text)))


def _is_noise(text: str) -> bool:
    """Tell whether a folded text holds no letters, or one key held down."""
    return not regex.search(r"[\p{L}\p{N}]", text) or _MASHED.search(text) is not None


def _is_talk(text: str, prompt: str, expected: str) -> bool:
    """Tell whether a folded text talks to the grader, or talks at all in a language the answer is not in."""
    command = _TO_THE_GRADER.search(text)
    if command and command[0] not in expected and command[0] not in fold(prompt):
        return True
    if not has_japanese(expected):
        return False
    words = len(_LATIN_WORD.findall(text))
    if has_japanese(text):
        return words > 0 and not has_latin(expected)
    return words >= _WORDS or not is_latin(text)


def _is_astray(item: Item, typed: str, grade: Grade) -> bool:
    """Tell whether a form of a word was asked and another word was written, which says nothing about the form."""
    of_form = item.row.skill in _OF_FORMS and item.part_of_speech in _INFLECTED
    if not of_form or not has_japanese(typed) or any(remark in _SLIPS for remark in grade.remarks):
        return False
    asked = fold(" ".join((*item.row.answers, item.row.reading)))
    return not set(fold(typed)) & set(asked)


def _error_type(item: Item, grade: Grade) -> ErrorType:
    if Remark.KANJI_SLIP in grade.remarks or Remark.WRONG_SCRIPT in grade.remarks:
        return ErrorType.KANJI_KANA
    return kind_asked(item.row.skill, item.row.kind, item.part_of_speech)


def kind_asked(skill: ErrorType | None, kind: ItemKind, part_of_speech: str) -> ErrorType:
    """Return the kind of mistake that an item is about: its skill, else what follows from its part of speech."""
    if skill:
        return skill
    if kind is ItemKind.VOCAB:
        return ErrorType.VOCABULARY
    unknown = ErrorType.VOCABULARY if part_of_speech else ErrorType.OTHER
    return _BY_PART_OF_SPEECH.get(part_of_speech, unknown)


def _feedback(error_type: ErrorType, grade: Grade, reference: str, typed: str) -> str:
    """Return one canonical English phrase, such as "particle も, not は": cards are compared by it."""
    point = next((_SLIPS[remark] for remark in grade.remarks if remark in _SLIPS), _POINTS[error_type])
    return f"{point} {tidy(reference)}, not {typed}"


def _level(tags: tuple[str, ...]) -> str:
    """Return the easiest JLPT level the tags name (n5, JLPT_N5), "" without one."""
    levels = [found[1] for tag in tags if (found := _LEVEL.fullmatch(tag))]
    return f"N{max(levels)}" if levels else ""


def card_text(card: MistakeCard) -> str:
    """The text of a card that is embedded: free of labels and of the prompt, which only drown the confusion."""
    return f"Reference: {card.reference}\nUser: {card.typed}\nFeedback: {card.feedback}"


def pair_text(card: MistakeCard) -> str:
    """The confusion alone, what was right against what was written: embedded beside the card."""
    return f"{card.reference} ／ {card.typed}"
