"""What is wrong with a record or a row, as problems that name line, column and facts.

The facts of a problem are its `found` and its `limit`:

| kind | found | limit |
|---|---|---|
| EXTRA_CELLS | the first cell too many | columns of the file |
| CELL_TOO_LONG, PROMPT_TOO_LONG | characters | characters allowed |
| TOO_MANY_ANSWERS, SEVERAL_BLANKS | how many | how many allowed |
| CONTROL_CHARACTER | "U+0007", or the answer that holds one | |
| NO_ANSWER | the prompt | |
| NO_BLANK | the answer, or a prompt whose cloze marks do not match | how often the answer stands there, or 0 |
| ANSWER_NOT_IN_SENTENCE, PROMPT_SHOWS_ANSWER | the answer | |
| UNKNOWN_TYPE, UNKNOWN_SKILL | the cell | |
| DUPLICATE | the id, or prompt → answer | the line of the first |

A row that is over a limit is left out; only a CELL_TOO_LONG that is not `fatal` speaks of one that is loaded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lessons.material.columns import Field
from lessons.model import BLANK, ItemKind, Problem, ProblemKind, Row
from lessons.text import has_kanji, has_odd_characters, is_latin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.material.columns import Columns
    from lessons.material.limits import Limits
    from lessons.material.table import Record

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_TELLING: Final = 3
"""Characters from which kana beside a blank give its answer away (for a word one less); は stands everywhere."""


def unsound(record: Record, columns: Columns, limits: Limits) -> Problem | None:
    """Return what keeps the cells of a record from being read at all."""
    if record.broken:
        return Problem(record.line, "", ProblemKind.UNBALANCED_QUOTE)
    known = len(columns.fields)
    extra = next((cell for cell in record.cells[known:] if cell.strip()), None)
    if extra is not None:
        return Problem(record.line, str(known + 1), ProblemKind.EXTRA_CELLS, extra.strip(), known)
    for field, name, cell in zip(columns.fields, columns.names, record.cells, strict=False):
        if field and len(cell) > limits.cell:
            return Problem(record.line, name, ProblemKind.CELL_TOO_LONG, str(len(cell)), limits.cell)
        if field and (odd := _CONTROL.search(cell)):
            return Problem(record.line, name, ProblemKind.CONTROL_CHARACTER, f"U+{ord(odd[0]):04X}")
    return None


def flaw(row: Row, columns: Columns, limits: Limits) -> Problem | None:
    """Return what keeps a row from being drilled."""
    problem = _missing(row, columns) or _too_much(row, columns, limits) or _misfit(row, columns)
    odd = next(filter(has_odd_characters, row.answers), None)
    if problem is None and odd is not None:
        return Problem(row.line, columns.name(Field.ANSWER), ProblemKind.CONTROL_CHARACTER, odd)
    return problem


def _missing(row: Row, columns: Columns) -> Problem | None:
    if not row.prompt.replace(BLANK, "").strip():
        return Problem(row.line, columns.name(Field.PROMPT), ProblemKind.NO_PROMPT)
    if not row.answers:
        return Problem(row.line, columns.name(Field.ANSWER), ProblemKind.NO_ANSWER, row.prompt)
    return None


def _too_much(row: Row, columns: Columns, limits: Limits) -> Problem | None:
    if len(row.prompt) > limits.prompt:
        found = str(len(row.prompt))
        return Problem(row.line, columns.name(Field.PROMPT), ProblemKind.PROMPT_TOO_LONG, found, limits.prompt)
    if len(row.answers) > limits.answers:
        found = str(len(row.answers))
        return Problem(row.line, columns.name(Field.ANSWER), ProblemKind.TOO_MANY_ANSWERS, found, limits.answers)
    short = {columns.name(Field.ANSWER): max(row.answers, key=len), columns.name(Field.LESSON): row.lesson}
    for name, text in short.items():
        if len(text) > limits.short:
            return Problem(row.line, name, ProblemKind.CELL_TOO_LONG, str(len(text)), limits.short)
    return None


def _misfit(row: Row, columns: Columns) -> Problem | None:
    if row.kind is not ItemKind.CLOZE:
        return None
    blanks = row.prompt.count(BLANK)
    if blanks > 1:
        return Problem(row.line, columns.name(Field.PROMPT), ProblemKind.SEVERAL_BLANKS, str(blanks), 1)
    if blanks:
        return None
    times = len(places(row.answers[0], row.prompt))
    kind = ProblemKind.NO_BLANK if times else ProblemKind.ANSWER_NOT_IN_SENTENCE
    return Problem(row.line, columns.name(Field.PROMPT), kind, row.answers[0], times)


def warnings(row: Row, columns: Columns, limits: Limits, *, typed: bool) -> Iterator[Problem]:
    """Yield what a moderator should know about a row that is loaded; `typed` says that the file names its type."""
    shown = row.answers[:1] if row.kind is ItemKind.CLOZE else (*row.answers, *row.reading.split("|"))
    telling = next((answer for answer in shown if _gives_away(row, answer)), None)
    if telling is None and row.kind is ItemKind.VOCAB and not typed:  # a sentence whose blank was forgotten
        telling = next((answer for answer in row.answers if places(answer, row.prompt)), None)
    if telling is not None:
        yield Problem(row.line, columns.name(Field.PROMPT), ProblemKind.PROMPT_SHOWS_ANSWER, telling, fatal=False)
    for field, text in (
        (Field.MEANING, row.meaning), (Field.HINT, row.hint), (Field.EXPLANATION, row.explanation),
    ):  # fmt: skip
        if len(text) > limits.shown:
            name = columns.name(field)
            yield Problem(row.line, name, ProblemKind.CELL_TOO_LONG, str(len(text)), limits.shown, fatal=False)


def places(answer: str, sentence: str) -> list[int]:
    """Return where an answer stands in a sentence: not inside a longer word of Latin letters."""
    found: list[int] = []
    start = sentence.find(answer)
    while start >= 0:
        end = start + len(answer)
        before, after = sentence[start - 1 : start], sentence[end : end + 1]
        if not (is_latin(answer[0]) and is_latin(before)) and not (is_latin(answer[-1]) and is_latin(after)):
            found.append(start)
        start = sentence.find(answer, end)
    return found


def _gives_away(row: Row, answer: str) -> bool:
    enough = _TELLING if row.kind is ItemKind.CLOZE else _TELLING - 1
    return (len(answer) >= enough or has_kanji(answer)) and bool(places(answer, row.prompt))
