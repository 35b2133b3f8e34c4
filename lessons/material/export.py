"""Rows to a native CSV file that spreadsheets open and that is read back exactly: the same rows with the same keys."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lessons.material.asks import plain
from lessons.material.escapes import escape, guard_formula, protect, restore
from lessons.material.markup import clean, mark_blanks
from lessons.material.rows import OWN_ID
from lessons.model import BLANK, ErrorType, ItemKind, Row

if TYPE_CHECKING:
    from collections.abc import Iterable

COLUMNS: Final = (
    "id", "lesson", "type", "prompt", "answer", "also_ok", "reading", "meaning", "hint", "explanation", "skill", "tags",
)  # fmt: skip
"""The columns of a native file. Several answers of `also_ok`, and several readings, stand between bars."""
_CLOZE_MARKS: Final = ("{{", "}}")
_ANSWER_MARKS: Final = ("|", "::")


def export(rows: Iterable[Row]) -> bytes:
    """Return the rows as a native CSV file: UTF-8 with BOM, CRLF, no cell that a spreadsheet takes for a formula.

    The `id` column holds the id of rows that have one of their own; the others are known by prompt and answer.
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    table.writerows([guard_formula(cell) for cell in _cells(row)] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def template() -> bytes:
    """Return a small native file to start from: a particle, a form with a hint, two answers, two words."""
    return export(_EXAMPLES)


def _cells(row: Row) -> tuple[str, ...]:
    answer, *also = (_escaped(answer, _ANSWER_MARKS) for answer in row.answers)
    return (
        row.key.removeprefix(OWN_ID) if row.key.startswith(OWN_ID) else "",
        _escaped(row.lesson),
        row.kind.value,
        _escaped(row.prompt, _CLOZE_MARKS),
        answer,
        "|".join(also),
        "|".join(map(_escaped, row.reading.split("|"))),
        *(_escaped(text) for text in (row.meaning, row.hint, row.explanation)),
        row.skill.value if row.skill else "",
        " ".join(map(_escaped, row.tags)),
    )


def _escaped(text: str, marks: Iterable[str] = ()) -> str:
    """Return a text so that it is read back as it is; untouched when it would be anyway."""
    read = plain(clean(protect(text)))
    if marks == _CLOZE_MARKS:
        read = restore(mark_blanks(read))
    return escape(text) if read != text or any(mark in text for mark in marks) else text


def _example(kind: ItemKind, lesson: str, prompt: str, *answers: str) -> Row:
    return Row("", 0, lesson, kind, prompt, answers)


_EXAMPLES: Final = (
    replace(
        _example(ItemKind.CLOZE, "1", f"私{BLANK}学生です。", "は"),
        meaning="I am a student.",
        explanation="は marks the topic of the sentence.",
        skill=ErrorType.PARTICLE,
    ),
    replace(
        _example(ItemKind.CLOZE, "1", f"きのう映画を{BLANK}。", "見ました", "観ました", "見た"),
        reading="みました",
        meaning="I saw a film yesterday.",
        hint="見る, polite past",
        skill=ErrorType.CONJUGATION,
        tags=("past",),
    ),
    replace(
        _example(ItemKind.CLOZE, "2", f"電車{BLANK}会社に行きます。", "で"),
        meaning="I go to work by train.",
        hint="by means of",
        skill=ErrorType.PARTICLE,
    ),
    replace(_example(ItemKind.VOCAB, "2", "friend", "友達", "友だち"), reading="ともだち"),
    replace(_example(ItemKind.VOCAB, "2", "to go", "行く"), reading="いく|ゆく", tags=("verbs",)),
)
