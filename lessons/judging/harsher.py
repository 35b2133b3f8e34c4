"""The last word on a judgement: code can only make it harsher, so that talking the judge over gains nothing."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

import regex

from lessons.judging.particles import MARKS
from lessons.model import Confidence, Opinion
from lessons.text import fold, has_japanese

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lessons.model import Judgement

_CORRECT: Final = 0.6
_ACCEPTABLE: Final = 0.3
"""Least likeness to an accepted answer, difflib's ratio from 0 to 1, for each opinion."""

_SPARE: Final = 6
_SPARE_UNLIKE: Final = 4
"""Characters that an answer may be longer than an accepted one: a longer ending, or just another word."""

_TAIL: Final = 2  # characters, with kanji or Latin letters of their own, that may be put into an accepted answer
_NAMED: Final = 4  # characters of a particle or an ending that a diagnosis may name

_ASKING: Final = regex.compile(
    r"(?:くだ|下)さい|ちょうだい|頂戴|お?(?:願い|ねがい)(?:し|いた|致|$)|(?:頼|たの)(?:む|みま)|(?:て|で)(?:くれ|ほし|欲し)"
)
_OWN: Final = regex.compile(r"[\p{Han}\p{Latin}]")
_SEPARATORS: Final = regex.compile(r"[。．｡／/、，､：:；;（(）)「」『』【】！!？?※→=\n]|(?<!\w)\.|\.(?!\w)")


def post(judgement: Judgement, typed: str, accepted: Sequence[str]) -> Judgement:
    """Return the judgement, or a harsher one, for a text held against the accepted answers (and their readings).

    "correct" needs a likeness of 0.6 to one of them, "acceptable" of 0.3; low confidence is never "correct". A text
    that is far longer than all of them, has more sentences or separators, carries one of them inside more text or asks
    for something is no attempt. What code turns down keeps neither the judge's reasons, which speak for it, nor a kind
    of mistake, so that it is never remembered as one. A diagnosis that repeats the text is dropped.
    """
    text, references = fold(typed), [fold(one) for one in accepted]
    near = [one for one in references if not _outgrows(text, one)]
    if not near or _is_more_than_one(text, references):
        return _turned_down(judgement, attempt=False)
    if judgement.opinion is Opinion.INCORRECT:
        return replace(judgement, diagnosis="") if _echoes(judgement.diagnosis, text) else judgement
    likeness = 1.0 if _are_particles(text, references) else max(_likeness(text, one) for one in near)
    if likeness < _ACCEPTABLE:
        return _turned_down(judgement, attempt=judgement.attempt)
    doubtful = likeness < _CORRECT or judgement.confidence is Confidence.LOW
    return replace(judgement, opinion=Opinion.ACCEPTABLE) if doubtful else judgement


def _echoes(diagnosis: str, text: str) -> bool:
    """Tell whether a diagnosis repeats more of a text than the name of a particle or an ending."""
    return len(text) > _NAMED and text in fold(diagnosis)


def _turned_down(judgement: Judgement, *, attempt: bool) -> Judgement:
    return replace(judgement, opinion=Opinion.INCORRECT, error_type=None, diagnosis="", feedback="", attempt=attempt)


def _are_particles(text: str, references: Iterable[str]) -> bool:
    """Tell whether a particle was typed where one is asked.

    は and が have nothing in common to measure, and telling them apart is what a judge is for. A text out of a closed
    list has no room for words to the judge, so likeness has nothing to guard there.
    """
    return text in MARKS and any(one in MARKS for one in references)


def _likeness(text: str, reference: str) -> float:
    return SequenceMatcher(None, text, reference, autojunk=False).ratio()


def _outgrows(text: str, reference: str) -> bool:
    """Tell whether a text is so much longer than an accepted answer that it must be saying something else.

    Where words are set apart by spaces they are counted, since letters tell little: big, enormous.
    """
    if not has_japanese(reference):
        return len(text.split()) > len(reference.split()) + 1
    growth = len(text) - len(reference)
    if _likeness(text, reference) >= _ACCEPTABLE:
        return growth > max(_SPARE, len(reference) // 2) or _has_words_of_its_own(text, reference)
    asks = growth > 0 and _ASKING.search(text) is not None and _ASKING.search(reference) is None
    return asks or growth > max(_SPARE_UNLIKE, len(reference) // 2)


def _has_words_of_its_own(text: str, reference: str) -> bool:
    """Tell whether words are put into or behind an accepted answer, which a longer ending in kana is not."""
    known = set(reference)
    for kind, start, end, from_, to in SequenceMatcher(None, text, reference, autojunk=False).get_opcodes():
        added = set(_OWN.findall(text[start:end])) - known
        if kind != "equal" and added and (end - start) - (to - from_) > _TAIL:
            return True
    return False


def _is_more_than_one(text: str, references: Sequence[str]) -> bool:
    allowed = max(map(_separators, references))
    return _separators(text) > allowed or any(_carries(text, one) for one in references)


def _carries(text: str, reference: str) -> bool:
    """Tell whether a whole accepted answer stands inside a text that says much more."""
    return bool(reference) and reference in text and len(text) - len(reference) > max(_SPARE, len(reference) // 2)


def _separators(text: str) -> int:
    return len(_SEPARATORS.findall(text))
