"""The last word on a judgement: code can only make it harsher, so that talking the judge over gains nothing."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

import regex

from lessons.judging.asked import ASKING, is_asked_for, is_attempt, likeness, spellings, unit
from lessons.judging.particles import MARKS
from lessons.model import Confidence, Opinion, Unit
from lessons.text import fold, has_japanese

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lessons.model import Analysis, Item, Judgement

_CORRECT: Final = 0.6
_ACCEPTABLE: Final = 0.3
"""Least likeness to an accepted answer, difflib's ratio from 0 to 1, for each opinion."""

_SPARE: Final = 6
_SPARE_UNLIKE: Final = 4
"""Characters that an answer may be longer than an accepted one: a longer ending, or just another word."""

_TAIL: Final = 2  # characters, with kanji or Latin letters of their own, that may be put into an accepted answer
_NAMED: Final = 4  # characters of a particle or an ending that a diagnosis may name

_OWN: Final = regex.compile(r"[\p{Han}\p{Latin}]")
_APPROVING: Final = regex.compile(r"で(?:いい|良い|よい|大丈夫|だいじょうぶ|合格|満足)(?:で|よ|ね|$)")
_SEPARATORS: Final = regex.compile(r"[。．｡／/、，､：:；;（(）)「」『』【】！!？?※→=\n]|(?<!\w)\.|\.(?!\w)")


def post(judgement: Judgement, typed: Analysis, item: Item) -> Judgement:
    """Return the judgement, or a harsher one, for a text held against the accepted answers and what was asked for.

    A text that is far longer than all accepted answers, has more sentences or separators, carries one of them inside
    more text, asks for something or is not of the asked kind is no attempt. What the judge calls right although
    something else was asked for is turned down with `asked_for` False. Where code cannot tell what was asked, "correct"
    needs a likeness of 0.6 to an accepted answer, "acceptable" of 0.3; where it can, the cue stands for the latter. Low
    confidence is never "correct". What code turns down keeps neither the judge's reasons, which speak for it, nor a
    kind of mistake, so that it is never remembered as one. A diagnosis that repeats the text is dropped.
    """
    text, references = fold(typed.text), spellings(item)
    near = [one for one in references if not _outgrows(text, one)]
    if not near or _is_more_than_one(text, references) or not is_attempt(typed, item):
        return _turned_down(judgement, attempt=False)
    if judgement.opinion is Opinion.INCORRECT:
        return replace(judgement, diagnosis="") if _echoes(judgement.diagnosis, text) else judgement
    if not is_asked_for(typed, item):
        return replace(_turned_down(judgement, attempt=judgement.attempt), asked_for=False)
    alike = _alikeness(text, near, item)
    if alike < _ACCEPTABLE:
        return _turned_down(judgement, attempt=judgement.attempt)
    doubtful = alike < _CORRECT or judgement.confidence is Confidence.LOW
    return replace(judgement, opinion=Opinion.ACCEPTABLE) if doubtful else judgement


def _alikeness(text: str, references: Sequence[str], item: Item) -> float:
    """Return how like a text is to the likest reference, 0 to 1, and no less than it takes where the cue vouches for it."""
    if _are_particles(text, references):
        return 1.0
    least = _ACCEPTABLE if unit(item) in {Unit.FORM, Unit.WORD} else 0.0
    return max(least, *(likeness(text, one) for one in references))


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


def _outgrows(text: str, reference: str) -> bool:
    """Tell whether a text is so much longer than an accepted answer that it must be saying something else.

    Where words are set apart by spaces they are counted, since letters tell little: big, enormous.
    """
    if not has_japanese(reference):
        return len(text.split()) > len(reference.split()) + 1
    growth = len(text) - len(reference)
    if likeness(text, reference) >= _ACCEPTABLE:
        return growth > max(_SPARE, len(reference) // 2) or _has_words_of_its_own(text, reference)
    asks = growth > 0 and ASKING.search(text) is not None and ASKING.search(reference) is None
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
    approves = _APPROVING.search(text) and not any(map(_APPROVING.search, references))
    return _separators(text) > allowed or bool(approves) or any(_carries(text, one) for one in references)


def _carries(text: str, reference: str) -> bool:
    """Tell whether a whole accepted answer stands inside a text that says much more."""
    return bool(reference) and reference in text and len(text) - len(reference) > max(_SPARE, len(reference) // 2)


def _separators(text: str) -> int:
    return len(_SEPARATORS.findall(text))
