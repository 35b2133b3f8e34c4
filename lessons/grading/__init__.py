"""The matching of typed answers: `grade` compares a text with what an item accepts, `as_wrong` ends a free retry."""

from lessons.grading.verdicts import as_wrong, grade

__all__ = ["as_wrong", "grade"]
