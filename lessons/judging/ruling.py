"""A grade out of what was heard: from a judge, from the rules, or from nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lessons.judging.rules import reason
from lessons.model import Confidence, GradeSource, Judgement, Opinion, Remark, Verdict

if TYPE_CHECKING:
    from lessons.model import Analysis, Grade, Item


def as_grade(judgement: Judgement, string_grade: Grade, source: GradeSource) -> Grade:
    """Turn a judgement (after `post`) into a grade: EQUIVALENT, never EXACT, which only a string match gives, or WRONG.

    A wrong answer keeps what string match saw of it. NOT_JUDGED is added where an attempt is turned down and nobody
    says why: it may well fit, but code did not follow the judge.
    """
    if judgement.opinion is Opinion.INCORRECT:
        unexplained = judgement.attempt and judgement.error_type is None
        settled = unjudged(string_grade) if unexplained else replace(string_grade, verdict=Verdict.WRONG)
        return replace(settled, source=source, judgement=judgement)
    remarks = (Remark.OTHER_ANSWER,) if judgement.opinion is Opinion.ACCEPTABLE else ()
    return replace(
        string_grade, verdict=Verdict.EQUIVALENT, remarks=remarks, diff=(), source=source, judgement=judgement
    )


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
    )
    return replace(string_grade, verdict=Verdict.WRONG, source=GradeSource.RULES, judgement=judgement)


def unjudged(string_grade: Grade) -> Grade:
    """Settle a miss in an open blank that nobody will ever judge: WRONG, said with its doubt, and never remembered."""
    remarks = dict.fromkeys((*string_grade.remarks, Remark.NOT_JUDGED))
    return replace(string_grade, verdict=Verdict.WRONG, remarks=tuple(remarks))
