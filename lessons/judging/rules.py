"""Why an answer is wrong, as far as rules can tell: in the words of the starter packs' explanations, without any model."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from lessons.judging.forms import form_of, is_well_formed
from lessons.judging.particles import MARKS, meant
from lessons.model import ErrorType, Remark, Unit
from lessons.text import fold, has_japanese, kanji_of, tidy

if TYPE_CHECKING:
    from lessons.judging.forms import Form
    from lessons.model import Analysis, Grade, Item

_PARTICLE: Final = "助詞"
_LONGEST: Final = 200
"""Characters of an explanation that is said with the mistake; a longer one is left out."""
_INFLECTED: Final = frozenset({"動詞", "形容詞", "形状詞", "助動詞"})
_TENSES: Final = frozenset({"past", "progressive"})
_SPELLINGS: Final = {
    Remark.SMALL_KANA: (
        "a small kana (っ ゃ ゅ ょ) is missing, added or full-sized",
        "Look at the small kana (っ ゃ ゅ ょ).",
    ),
    Remark.VOICING: ("a voicing mark is missing or added", "Look at the voicing marks (は, ば, ぱ)."),
    Remark.LONG_VOWEL: ("a long vowel is short, or a short one long", "Look at the length of the vowel."),
    Remark.KANJI_SLIP: ("the reading is right, but these kanji are another word", "It sounds the same in other kanji."),
    Remark.WRONG_SCRIPT: ("the answer is written in the letters of its own language", "Write it in its own letters."),
}


class Reason(NamedTuple):
    """The kind of a mistake, its canonical sentence for the card, and the sentence for the learner; both English."""

    error_type: ErrorType
    diagnosis: str
    feedback: str


_SPOKEN: Final = Reason(
    ErrorType.POLITENESS,
    "Politeness level: the form is contracted as in speech, and the written form is asked here.",
    "You gave the spoken, contracted form; it is written in full here.",
)


def reason(item: Item, typed: Analysis, grade: Grade) -> Reason:
    """Say what the sentence asks for and, where it is known for certain, what was given instead.

    The explanation of this very sentence comes first. Nothing of the learner's text is repeated unless it is a particle.
    """
    found = _reason(item, typed, grade)
    return found._replace(feedback=f"{_explanation(item)} {found.feedback}".strip())


def _explanation(item: Item) -> str:
    said = item.row.explanation.strip()
    return said if len(said) <= _LONGEST else ""


def _reason(item: Item, typed: Analysis, grade: Grade) -> Reason:
    spelling = next((_SPELLINGS[remark] for remark in grade.remarks if remark in _SPELLINGS), None)
    if spelling:
        rule, feedback = spelling
        return Reason(_kind_of_spelling(item, grade), f"Spelling: {rule}.", feedback)
    if Remark.SPOKEN_FORM in grade.remarks:
        return _SPOKEN
    unit = _unit(item)
    if unit is Unit.PARTICLE:
        return _of_particle(item, typed, grade)
    return _of_form(item, typed) if unit is Unit.FORM else _of_word(item)


def _kind_of_spelling(item: Item, grade: Grade) -> ErrorType:
    if Remark.KANJI_SLIP in grade.remarks or Remark.WRONG_SCRIPT in grade.remarks:
        return ErrorType.KANJI_KANA
    return item.row.skill or ErrorType.KANJI_KANA


def _unit(item: Item) -> Unit:
    if item.clipping:
        return item.clipping.unit
    if item.part_of_speech == _PARTICLE:
        return Unit.PARTICLE
    return Unit.FORM if item.part_of_speech in _INFLECTED else Unit.WORD


def _of_particle(item: Item, typed: Analysis, grade: Grade) -> Reason:
    asked, given = fold(item.answer), fold(typed.text)
    explained = bool(_explanation(item))
    if asked not in MARKS:
        said = f"Function word {tidy(item.answer)} belongs here."
        told = "" if explained else f"The word that belongs here is {tidy(item.answer)}."
        return Reason(ErrorType.PARTICLE, said, told)
    right = f"{asked} marks {MARKS[asked]}"
    if given not in MARKS:
        said = "A particle is asked here" + ("." if explained else f": {right}.")
        return Reason(ErrorType.PARTICLE, f"Particle {right}.", said)
    would = f"{given} would mark {meant(given, asked)}."
    if Remark.OTHER_NUANCE in grade.remarks:
        would = f"{given} is possible here, but it would mark {meant(given, asked)}."
    return Reason(
        ErrorType.PARTICLE,
        f"Particle {right}, while {given} marks {MARKS[given]}.",
        would if explained else f"Here {asked} marks {meant(asked, given)}; {would}",
    )


def _of_form(item: Item, typed: Analysis) -> Reason:
    asked, given = form_of(item.accepted[0].analysis.words), form_of(typed.words)
    if not _is_same_word(item, typed, asked, given):
        return _of_word(item, inflected=True)
    if asked is None:
        return Reason(ErrorType.CONJUGATION, "Conjugation: another form is asked here.", "Another form is asked here.")
    if given is None:
        said = f"Conjugation: the {asked.name} is asked here."
        return Reason(ErrorType.CONJUGATION, said, f"The {asked.name} is asked here.")
    if asked.name == given.name:
        said = f"Conjugation: the {asked.name} is right here, but it is formed another way."
        return Reason(ErrorType.CONJUGATION, said, f"You want the {asked.name}, rightly, but it is formed another way.")
    error_type, category = _difference(asked, given)
    return Reason(
        error_type,
        f"{category}: the {asked.name} is asked here, not the {given.name}.",
        f"The {asked.name} is asked here, and you gave the {given.name}.",
    )


def _difference(asked: Form, given: Form) -> tuple[ErrorType, str]:
    marks = asked.marks ^ given.marks
    if asked.end == given.end and marks == {"polite"}:
        return ErrorType.POLITENESS, "Politeness level"
    if asked.end == given.end and marks <= _TENSES:
        return ErrorType.TENSE, "Tense and aspect"
    return ErrorType.CONJUGATION, "Conjugation"


def _is_same_word(item: Item, typed: Analysis, asked: Form | None, given: Form | None) -> bool:
    """Tell whether the asked word was typed, by the dictionary or, where it knows less, by a shared beginning or kanji."""
    if asked and given and asked.head == given.head:
        return True
    text = fold(typed.text)
    if asked and given and is_well_formed(typed.words) and _are_two_words(asked, given, in_kana=not kanji_of(text)):
        return False
    answers = [fold(shown) for one in item.accepted for shown in (one.text, *one.readings)]
    if typed_kanji := set(kanji_of(text)):
        enough = len(typed_kanji) if asked is None else 1  # 安心に for 安全に shares one and is another word
        return any(len(typed_kanji & set(kanji_of(answer))) >= enough for answer in answers)
    return any(text[:1] == answer[:1] and has_japanese(text) for answer in answers)


def _are_two_words(asked: Form, given: Form, *, in_kana: bool) -> bool:
    """Tell whether two forms are surely of two words, 捕まった and 捕まえた.

    急いて for 急いで is read as 急く and still a form of 急ぐ; kana may be read as a homophone, かって of 勝つ as 買う.
    """
    if _unvoiced(asked.head) == _unvoiced(given.head):
        return False
    alike = bool(set(kanji_of(asked.head)) & set(kanji_of(given.head)))
    return alike or not in_kana or asked.name == given.name


def _unvoiced(text: str) -> str:
    return unicodedata.normalize("NFD", text).replace("\u3099", "")


def _of_word(item: Item, *, inflected: bool = False) -> Reason:
    answer = tidy(item.answer)
    asked = f"a form of another word is asked, {answer}" if inflected else f"{answer} is the word that fits here"
    return Reason(ErrorType.VOCABULARY, f"Vocabulary: {asked}.", f"Another word is asked: {answer}.")
