"""The judge's side of grading: what it is asked, what it is heard to say, and what of that becomes a grade."""

from lessons.judging.alternatives import (
    ALTERNATIVES_SCHEMA,
    ALTERNATIVES_SYSTEM,
    alternatives_call,
    parse_alternatives,
)
from lessons.judging.asking import SCHEMA, SYSTEM, call, turn
from lessons.judging.harsher import post
from lessons.judging.hearing import parse
from lessons.judging.ruling import as_grade, by_rules, unjudged

__all__ = [
    "ALTERNATIVES_SCHEMA",
    "ALTERNATIVES_SYSTEM",
    "SCHEMA",
    "SYSTEM",
    "alternatives_call",
    "as_grade",
    "by_rules",
    "call",
    "parse",
    "parse_alternatives",
    "post",
    "turn",
    "unjudged",
]
