"""A blank as a row of a lesson: the sentence with its gap, what is shown, and one sentence that explains the answer."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from lessons.cloze import particles
from lessons.model import BLANK, ItemKind, Row, Unit

if TYPE_CHECKING:
    from lessons.model import Blank, Sentence

_ARROW = " → "


def row(sentence: Sentence, blank: Blank, key: str, line: int) -> Row:
    """Return the row of a blank; `key` and `line` are the caller's.

    The hint is "A → B": A, the cue, stands with the question, B is told when a hint is asked for.
    """
    return Row(
        key=key,
        line=line,
        lesson="",
        kind=ItemKind.CLOZE,
        prompt=sentence.text[: blank.start] + BLANK + sentence.text[blank.end :],
        answers=(blank.answer, *blank.also),
        reading=blank.reading,
        hint=f"{blank.cue}{_ARROW}{_hint(sentence, blank)}",
        explanation=_explanation(sentence, blank),
        skill=blank.error_type,
        tags=(blank.level.lower(),) if blank.level else (),
    )


def _hint(sentence: Sentence, blank: Blank) -> str:
    if blank.unit is Unit.PARTICLE and blank.reading:
        return _slot(sentence, blank).role
    if blank.unit is Unit.FORM:
        return f"begins with {blank.answer[0]}, {len(blank.reading)} kana"
    if blank.unit is Unit.WORD and blank.reading:
        return f"ends with {blank.reading[-1]}"
    return f"ends with {blank.answer[-1]}"


def _explanation(sentence: Sentence, blank: Blank) -> str:
    if blank.unit is Unit.PARTICLE:
        return _slot(sentence, blank).why if blank.reading else f"The function word {blank.answer} belongs here."
    if blank.unit is Unit.FORM:
        lemma, _, name = blank.cue.partition(" (")
        return f"Conjugation: {lemma} becomes {blank.answer} ({name}."
    spoken = f" ({blank.reading})" if blank.reading and blank.reading != blank.answer else ""
    return f"Vocabulary: the word here is {blank.answer}{spoken}."


def _slot(sentence: Sentence, blank: Blank) -> particles.Slot:
    """Judge the particle again, at the word that begins where the blank does."""
    ends = accumulate(len(word.surface) for word in sentence.words)
    return particles.slot(sentence.words, sum(end <= blank.start for end in ends))
