"""A grade out of what was heard: from a judge, from the rules, or from nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lessons.judging.asked import is_attempt
from lessons.judging.rules import reason
from lessons.model import Confidence, GradeSource, Judgement, Opinion, Remark, Verdict

if TYPE_CHECKING:
    from lessons.model import Analysis, Grade, Item


def as_grade(judgement: Judgement, string_grade: Grade, source: GradeSource) -> Grade:
    """Turn a judgement (after `post`) into a grade: EQUIVALENT, never EXACT, which only a string match gives, or WRONG.

    A wrong answer keeps what string match saw of it. NOT_ASKED_FOR is added where the judge called it right and the
    hint asks for another one, NOT_JUDGED where an attempt is turned down and nobody says why.
    """
    if judgement.opinion is Opinion.INCORRECT:
        return replace(_wrong(judgement, string_grade), source=source, judgement=judgement)
    remarks = (Remark.OTHER_ANSWER,) if judgement.opinion is Opinion.ACCEPTABLE else ()
    return replace(
        string_grade, verdict=Verdict.EQUIVALENT, remarks=remarks, diff=(), source=source, judgement=judgement
    )


def _wrong(judgement: Judgement, string_grade: Grade) -> Grade:
    if not judgement.attempt or judgement.error_type:
        return replace(string_grade, verdict=Verdict.WRONG)
    return _noted(string_grade, Remark.NOT_JUDGED if judgement.asked_for else Remark.NOT_ASKED_FOR)


def by_rules(item: Item, typed: Analysis, string_grade: Grade) -> Grade:
    """Settle a miss in a closed blank without a judge: WRONG, explained by the rules."""
    found = reason(item, typed, string_grade)
    judgement = Judgement(
        opinion=Opinion.INCORRECT,
        error_type=found.error_type,
        part_of_speech=item.part_of_speech,
        diagnosis=found.diagnosis,
        feedback=found.feedback,
        confidence=Confidence.HIGH,
        attempt=is_attempt(typed, item),
    )
    return replace(string_grade, verdict=Verdict.WRONG, source=GradeSource.RULES, judgement=judgement)


def unjudged(string_grade: Grade) -> Grade:
    """Settle a miss in an open blank that nobody will ever judge: WRONG, said with its doubt, and never remembered."""
    return _noted(string_grade, Remark.NOT_JUDGED)


def _noted(string_grade: Grade, remark: Remark) -> Grade:
    remarks = dict.fromkeys((*string_grade.remarks, remark))
    return replace(string_grade, verdict=Verdict.WRONG, remarks=tuple(remarks))
