"""Lesson files: whatever moderators upload becomes rows and problems, and rows become a file again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.errors import Refusal, UnreadableFile
from lessons.material.columns import Field, by_header, width
from lessons.material.decode import decode
from lessons.material.escapes import guard_formula
from lessons.material.export import export, template
from lessons.material.guess import by_content
from lessons.material.limits import Limits
from lessons.material.ranges import select_lessons
from lessons.material.rows import read_rows
from lessons.material.table import tabulate
from lessons.model import BLANK, ProblemKind, Sheet

if TYPE_CHECKING:
    from lessons.material.columns import Columns
    from lessons.model import Problem, Row

__all__ = ["Limits", "blank_of", "export", "guard_formula", "read", "select_lessons", "template"]

_DEFAULT: Final = Limits()


def read(data: bytes, file_name: str, limits: Limits = _DEFAULT) -> Sheet:
    """Read a lesson file by its content (its name says nothing reliable).

    Rows in error are problems of the sheet, which may be left without rows. Raises UnreadableFile when the file as a
    whole cannot become a pack, and nothing else.
    """
    if len(data) > limits.bytes:
        raise UnreadableFile(Refusal.TOO_LARGE, found=len(data), limit=limits.bytes)
    text, encoding = decode(data)
    table = tabulate(text, limits.rows)
    columns = width(table.records)
    if columns > limits.columns:
        raise UnreadableFile(Refusal.TOO_MANY_COLUMNS, found=columns, limit=limits.columns)
    shape = by_header(table) or by_content(table, columns)
    records = table.records[1:] if shape.header else table.records
    if not records:
        raise UnreadableFile(Refusal.NO_ROWS)
    if len(records) > limits.rows:
        raise UnreadableFile(Refusal.TOO_MANY_ROWS, found=len(records), limit=limits.rows)
    rows, problems = read_rows(records, shape, limits)
    if not rows and all(_is_of_no_column(found, shape) for found in problems):
        raise UnreadableFile(Refusal.MISSING_COLUMNS, ", ".join(filter(None, shape.names)))
    return Sheet(tuple(rows), tuple(problems), shape.source, encoding, table.delimiter, shape.names, shape.guessed)


def _is_of_no_column(found: Problem, shape: Columns) -> bool:
    """Tell whether a row lacks its question, or its answer, because no column holds that."""
    needed = {ProblemKind.NO_PROMPT: Field.PROMPT, ProblemKind.NO_ANSWER: Field.ANSWER}.get(found.kind)
    return needed is not None and not shape.has(needed) and not shape.has(Field.WORD)


def blank_of(row: Row) -> tuple[str, str]:
    """Return what stands before and after the blank of a sentence; for a word, its whole prompt and ""."""
    before, _, after = row.prompt.partition(BLANK)
    return before, after
