"""What is said about an answer or a row of a file: feedback, names of kinds, row problems. English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import ErrorType, ProblemKind, Remark, Source

if TYPE_CHECKING:
    from lessons.model import Problem

CUE_ARROW: Final = " → "

KINDS: Final = {
    ErrorType.PARTICLE: "particle",
    ErrorType.CONJUGATION: "conjugation",
    ErrorType.VOCABULARY: "vocabulary",
    ErrorType.WORD_ORDER: "word order",
    ErrorType.TENSE: "tense",
    ErrorType.POLITENESS: "politeness",
    ErrorType.KANJI_KANA: "kanji or kana",
    ErrorType.MISSING: "something missing",
    ErrorType.OTHER: "other",
}

SOURCES: Final = {
    Source.NATIVE: "Kizuki's own format",
    Source.KOTOBA: "a Kotoba deck",
    Source.ANKI: "an Anki export",
    Source.JLPT: "a JLPT word list",
    Source.WORD_LIST: "a word list",
    Source.SENTENCES: "sentences with a cloze",
    Source.PAIRS: "pairs of term and definition",
    Source.GUESSED: "columns without a header",
}

_REMARKS: Final = {
    Remark.USUAL_SPELLING: "Usually written {matched}.",
    Remark.OTHER_ANSWER: "Another accepted answer; the first one is {answer}.",
    Remark.IN_KANA: "In writing: {matched}.",
    Remark.IN_ROMAJI: "Read correctly; in Japanese: {matched}.",
    Remark.WITH_NEIGHBOURS: "Only the gap is asked: {matched}.",
    Remark.TYPO: "Right but for the spelling: {matched}.",
    Remark.BLANK_ANSWER: "There was nothing to grade in that. Type your answer, or press Skip.",
    Remark.WRONG_SCRIPT: "This one wants another script: check your keyboard and try again.",
    Remark.TYPED_BACK: "That is the question itself. Type what belongs there.",
    Remark.MISTYPED_KANA: "That looks half converted (Latin letters among the kana). Try again.",
    Remark.ODD_CHARACTERS: "There are characters in that no answer can hold. Try again.",
    Remark.ANOTHER_WORD: "That fits the question too, but another word is asked here. Try again.",
    Remark.UNSURE_SPELLING: "It sounds right, but the spelling could be another word. Type it in kana, or as the lesson writes it.",
    Remark.SMALL_KANA: "Look at the small kana (っ ゃ ゅ ょ).",
    Remark.VOICING: "Look at the voicing marks (は, ば, ぱ).",
    Remark.LONG_VOWEL: "Look at the length of the vowel.",
    Remark.KANJI_SLIP: "It sounds the same, but these kanji are another word.",
}

_PROBLEMS: Final = {
    ProblemKind.NO_PROMPT: "the question is empty",
    ProblemKind.NO_ANSWER: "there is no answer",
    ProblemKind.NO_BLANK: "the sentence has no blank such as [＿＿＿]",
    ProblemKind.SEVERAL_BLANKS: "the sentence has more than one blank",
    ProblemKind.ANSWER_NOT_IN_SENTENCE: "the answer “{found}” does not occur in the sentence as it is written there",
    ProblemKind.PROMPT_TOO_LONG: "the question has {found} characters; at most {limit} fit",
    ProblemKind.CELL_TOO_LONG: "this cell has {found} characters; it is kept, and shortened on screen",
    ProblemKind.TOO_MANY_ANSWERS: "there are {found} answers; at most {limit} are taken",
    ProblemKind.UNKNOWN_TYPE: "the type “{found}” is neither cloze nor vocab",
    ProblemKind.UNKNOWN_SKILL: "the skill “{found}” is not one of: {kinds}",
    ProblemKind.DUPLICATE: "the same question and answer as in line {found}",
    ProblemKind.CONTROL_CHARACTER: "there is a control character in the cell",
    ProblemKind.EXTRA_CELLS: "there are {found} cells, but the header names {limit} columns",
    ProblemKind.UNBALANCED_QUOTE: "a quotation mark is opened and not closed",
    ProblemKind.PROMPT_SHOWS_ANSWER: "the question shows its own answer: “{found}”",
}


def remark(kind: Remark, *, matched: str, answer: str) -> str:
    """Say what was noticed about an answer; `matched` is the accepted form it was held against."""
    return _REMARKS[kind].format(matched=matched, answer=answer)


def problem(found: Problem) -> str:
    """Say what is wrong with a row, without the place (see `place`)."""
    return _PROBLEMS[found.kind].format(
        found=found.found, limit=found.limit, kinds=", ".join(kind.value for kind in ErrorType)
    )


def place(found: Problem) -> str:
    """Say where a problem is: line and column."""
    return f"line {found.line}, {found.column}" if found.column else f"line {found.line}"


def cue_and_hint(hint: str) -> tuple[str, str]:
    """Split a hint "A → B": A is given with the question (a dictionary form), B only when a hint is asked for."""
    cue, arrow, rest = hint.partition(CUE_ARROW)
    return (cue.strip(), rest.strip()) if arrow else ("", hint)
