"""A blank as a row of a lesson: the sentence with its gap, what is shown, and one sentence that explains the answer."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

import regex

from lessons.cloze import particles
from lessons.model import BLANK, ItemKind, Row, Unit
from lessons.text import is_kana, to_hiragana

if TYPE_CHECKING:
    from lessons.cloze.roles import Slot
    from lessons.model import Blank, Sentence

ARROW: Final = " → "
_MORA: Final = regex.compile(r"\X[ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ]*ー*", regex.S)
"""A kana with the small ones and the length that belong to it; anything else is a sign alone."""


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
        hint=f"{blank.cue}{ARROW}{_hint(sentence, blank)}",
        explanation=_explanation(sentence, blank),
        skill=blank.error_type,
        tags=(blank.level.lower(),) if blank.level else (),
    )


def _hint(sentence: Sentence, blank: Blank) -> str:
    if blank.unit is Unit.PARTICLE and blank.reading:
        return _slot(sentence, blank).role
    if blank.unit is Unit.FORM:
        return f"begins with {_morae(blank.answer)[0]}, {len(blank.reading)} kana"
    return f"ends with {_last(blank)}"


def _last(blank: Blank) -> str:
    """Return the last mora, しゅ of which ゅ is no sound of its own; in the kana of the answer where it is kana."""
    shown = blank.answer if is_kana(blank.answer) or not blank.reading else blank.reading
    morae = _morae(shown)
    return morae[-1] if len(morae) > 1 else shown[-1]


def _morae(text: str) -> list[str]:
    return _MORA.findall(text)


def _explanation(sentence: Sentence, blank: Blank) -> str:
    if blank.unit is Unit.PARTICLE:
        return _slot(sentence, blank).why if blank.reading else f"The function word {blank.answer} belongs here."
    if blank.unit is Unit.FORM:
        lemma, _, name = blank.cue.partition(" (")
        return f"Conjugation: {lemma} becomes {blank.answer} ({name}."
    spoken = f" ({blank.reading})" if blank.reading and blank.reading != to_hiragana(blank.answer) else ""
    return f"Vocabulary: the word here is {blank.answer}{spoken}."


def _slot(sentence: Sentence, blank: Blank) -> Slot:
    """Judge the particle again, at the word that begins where the blank does."""
    ends = accumulate(len(word.surface) for word in sentence.words)
    return particles.slot(sentence.words, sum(end <= blank.start for end in ends))
