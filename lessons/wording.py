"""What is said about an answer or a row of a file: feedback, names of kinds, row problems. English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import ErrorType, ProblemKind, Remark, Source
from lessons.text import has_japanese, has_latin

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
    Remark.DAY_SPENT: "Today's share of answers that a language model looks at is used up; this one is decided tomorrow.",
    Remark.OTHER_ANSWER: "Another accepted answer; the first one is {answer}.",
    Remark.IN_KANA: "In writing: {matched}.",
    Remark.IN_ROMAJI: "Read correctly; in Japanese: {matched}.",
    Remark.WITH_NEIGHBOURS: "Only the gap is asked: {matched}.",
    Remark.TYPO: "Right but for the spelling: {matched}.",
    Remark.BLANK_ANSWER: "There was nothing to grade in that. Type your answer, or press Skip.",
    Remark.WRONG_SCRIPT: "Please answer in {script}.",
    Remark.TYPED_BACK: "That is the question itself. Type what belongs there.",
    Remark.OTHER_KANA: "Hiragana and katakana are told apart here. Type it in the other one.",
    Remark.MISTYPED_KANA: "That looks half typed (a Latin letter among the kana, or a small っ at the end). Try again.",
    Remark.ODD_CHARACTERS: "That has invisible or odd characters in it. Type it once more.",
    Remark.ANOTHER_WORD: "That fits the question too, but another word is asked here. Try again.",
    Remark.UNSURE_SPELLING: "It sounds right, but the spelling could be another word. Type it in kana, or as the lesson writes it.",
    Remark.OTHER_READING: "That is another reading of it; here it is read differently. Try again.",
    Remark.UNSURE_READING: "That may be a reading of it, but the dictionary is not sure. Type it with its kanji.",
    Remark.DICTIONARY_FORM: "Right word; type its dictionary form.",
    Remark.OTHER_NUANCE: "That is possible, with another nuance. Try the one that stands in the article.",
    Remark.SPOKEN_FORM: "That is the spoken, contracted form. Write it in full, as 〜ている for 〜てる.",
    Remark.SMALL_KANA: "Look at the small kana (っ ゃ ゅ ょ).",
    Remark.VOICING: "Look at the voicing marks (は, ば, ぱ).",
    Remark.LONG_VOWEL: "Look at the length of the vowel.",
    Remark.KANJI_SLIP: "It sounds the same, but these kanji are another word.",
    Remark.NOT_JUDGED: "Other answers may fit here; whether yours does, nobody could tell. It is not kept as a mistake.",
    Remark.NOT_ASKED_FOR: "That may fit as well, but another one is asked for{cue}. It is not kept as a mistake.",
}

_SETTLED: Final = {
    Remark.BLANK_ANSWER: "There was nothing to grade in that.",
    Remark.WRONG_SCRIPT: "The answer is written in {script}.",
    Remark.TYPED_BACK: "That is the question itself.",
    Remark.OTHER_KANA: "Hiragana and katakana are told apart here.",
    Remark.MISTYPED_KANA: "That looks half typed (a Latin letter among the kana, or a small っ at the end).",
    Remark.ODD_CHARACTERS: "That has invisible or odd characters in it.",
    Remark.ANOTHER_WORD: "That fits the question too, but another word is asked here.",
    Remark.UNSURE_SPELLING: "It sounds right, but the spelling could be another word.",
    Remark.OTHER_READING: "That is another reading of it; here it is read differently.",
    Remark.UNSURE_READING: "The dictionary does not know that as a reading of it.",
    Remark.DICTIONARY_FORM: "Right word, but its dictionary form is asked here.",
    Remark.OTHER_NUANCE: "That is possible with another nuance; the article has {answer}.",
    Remark.SPOKEN_FORM: "That is the spoken, contracted form; it is written in full: {matched}.",
}
"""What is said instead once the answer counts as wrong: nothing there may invite to try again."""

_PROBLEMS: Final = {
    ProblemKind.NO_PROMPT: "the question is empty",
    ProblemKind.NO_ANSWER: "there is no answer",
    ProblemKind.NO_BLANK: "the marks of its cloze, {{{{ and }}}}, do not match",
    ProblemKind.SEVERAL_BLANKS: "the sentence has {found} blanks; only one can be asked",
    ProblemKind.ANSWER_NOT_IN_SENTENCE: "the answer “{found}” does not occur in the sentence as it is written there",
    ProblemKind.PROMPT_TOO_LONG: "the question has {found} characters; at most {limit} fit",
    ProblemKind.CELL_TOO_LONG: "the text has {found} characters; at most {limit} fit",
    ProblemKind.TOO_MANY_ANSWERS: "there are {found} answers; at most {limit} fit",
    ProblemKind.UNKNOWN_TYPE: "the type “{found}” is neither cloze nor vocab",
    ProblemKind.UNKNOWN_SKILL: "the row is loaded without its skill “{found}”, which is not one of: {kinds}",
    ProblemKind.DUPLICATE: "“{found}” stands in line {limit} already",
    ProblemKind.CONTROL_CHARACTER: "“{found}” holds a character that nobody can type",
    ProblemKind.EXTRA_CELLS: "there are more cells than columns ({limit}), from “{found}” on",
    ProblemKind.UNBALANCED_QUOTE: "a quotation mark is opened and not closed",
    ProblemKind.PROMPT_SHOWS_ANSWER: "the question shows its own answer: “{found}”",
}
_SEVERAL_PLACES: Final = "the answer “{found}” stands in the sentence {limit} times; put [＿＿＿] where it is asked"
_LONG_BUT_LOADED: Final = "the text has {found} characters; it is loaded whole, and shortened on screen"
_CODE_POINT: Final = "there is a control character in the cell ({found})"
_QUOTED: Final = 80
"""Characters of a cell that a sentence repeats."""


def remark(kind: Remark, *, matched: str, answer: str, settled: bool = False, cue: str = "") -> str:
    """Say what was noticed about an answer; `matched` is the accepted form it was held against.

    `settled` says that the answer counts, so that nobody is asked to try again. `cue` is what stood with the question.
    """
    sentence = _SETTLED.get(kind, _REMARKS[kind]) if settled else _REMARKS[kind]
    return sentence.format(matched=matched, answer=answer, script=_script(answer), cue=f": {cue}" if cue else "")


def _script(answer: str) -> str:
    if has_japanese(answer):
        return "Japanese, in kana or kanji"
    return "Latin letters" if has_latin(answer) else "the script of the lesson"


def problem(found: Problem) -> str:
    """Say what is wrong with a row, without the place (see `place`)."""
    sentence = _PROBLEMS[found.kind]
    if found.kind is ProblemKind.NO_BLANK and found.limit:
        sentence = _SEVERAL_PLACES
    elif found.kind is ProblemKind.CELL_TOO_LONG and not found.fatal:
        sentence = _LONG_BUT_LOADED
    elif found.kind is ProblemKind.CONTROL_CHARACTER and found.found.startswith("U+"):
        sentence = _CODE_POINT
    quoted = found.found if len(found.found) <= _QUOTED else f"{found.found[:_QUOTED].rstrip()}…"
    return sentence.format(found=quoted, limit=found.limit, kinds=", ".join(kind.value for kind in ErrorType))


def place(found: Problem) -> str:
    """Say where a problem is: line and column."""
    return f"line {found.line}, {found.column}" if found.column else f"line {found.line}"


def cue_and_hint(hint: str) -> tuple[str, str]:
    """Split a hint "A → B": A is given with the question (a dictionary form), B only when a hint is asked for."""
    cue, arrow, rest = f"{hint} ".partition(CUE_ARROW)  # "A →" is a cue without a hint
    return (cue.strip(), rest.strip()) if arrow else ("", hint)
