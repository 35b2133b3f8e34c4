"""Records to rows and problems: every record becomes one or the other, none is dropped in silence.

A row's key ties it to the mistakes and the spacing of earlier uploads:

- "id:" and the file's own id; a note's second cloze adds "#c2" (its first nothing, so that a cloze that is added
  later changes no key);
- else "row:", the prompt, U+001F and the first answer. Where rows of a file differ in nothing but the reading
  (homographs), each of them that has a reading adds U+001F and the reading: the order of rows never matters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lessons.errors import Refusal, UnreadableFile
from lessons.material.asks import Cells, asks
from lessons.material.checks import flaw, places, unsound, warnings
from lessons.material.columns import Field, fold_header
from lessons.model import BLANK, ErrorType, ItemKind, Problem, ProblemKind, Row
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lessons.material.asks import Ask
    from lessons.material.columns import Columns
    from lessons.material.limits import Limits
    from lessons.material.table import Record

OWN_ID: Final = "id:"
_NO_ID: Final = "row:"
_UNIT: Final = "\x1f"
_TAG_SEPARATORS: Final = re.compile(r"[\s,、，]+")
_LESSON_TAG: Final = re.compile(r"(.*[^\W_])_Ln\.(\d{1,4})", re.IGNORECASE)
_LEVEL_TAG: Final = re.compile(r"(?:JLPT_)?(N[1-5])", re.IGNORECASE)

_KINDS: Final = {
    **dict.fromkeys(("cloze", "gap", "blank", "穴埋め"), ItemKind.CLOZE),
    **dict.fromkeys(("vocab", "vocabulary", "word", "単語", "語彙"), ItemKind.VOCAB),
}
_SKILLS: Final = {fold_header(skill): skill for skill in ErrorType} | {
    "助詞": ErrorType.PARTICLE,
    "活用": ErrorType.CONJUGATION,
    "語彙": ErrorType.VOCABULARY,
    "語順": ErrorType.WORD_ORDER,
    "時制": ErrorType.TENSE,
    "敬語": ErrorType.POLITENESS,
}


def read_rows(records: Iterable[Record], columns: Columns, limits: Limits) -> tuple[list[Row], list[Problem]]:
    """Return the rows that can be drilled, their keys unique, and every problem, both by line. Raises TOO_MANY_ROWS."""
    rows: list[Row] = []
    problems: list[Problem] = []
    for record in records:
        for found in _read(record, columns, limits):
            if isinstance(found, Row):
                rows.append(found)
            else:
                problems.append(found)
        if len(rows) > limits.rows:  # notes with many clozes
            raise UnreadableFile(Refusal.TOO_MANY_ROWS, found=len(rows), limit=limits.rows)
    kept: dict[str, Row] = {}
    for row in _told_apart(rows):
        first = kept.setdefault(row.key, row)
        if first is not row:
            problems.append(_repeated(row, first, columns))
    return list(kept.values()), sorted(problems, key=lambda problem: problem.line)


def _read(record: Record, columns: Columns, limits: Limits) -> Iterator[Row | Problem]:
    problem = unsound(record, columns, limits)
    if problem is not None:
        yield problem
        return
    cells = Cells(record, columns)
    questions = asks(cells)
    if questions is None:
        yield Problem(record.line, columns.name(Field.PROMPT), ProblemKind.NO_BLANK, cells.text(Field.PROMPT))
        return
    for ask in questions:
        row = _row(cells, ask)
        problem = row if isinstance(row, Problem) else flaw(row, columns, limits)
        if problem is not None or isinstance(row, Problem):
            yield problem or row
            continue
        yield row
        yield from warnings(row, columns, limits, typed=bool(cells.text(Field.TYPE)))
        if row.skill is None and (skill := cells.text(Field.SKILL)):
            yield Problem(record.line, columns.name(Field.SKILL), ProblemKind.UNKNOWN_SKILL, skill, fatal=False)


def _row(cells: Cells, ask: Ask) -> Row | Problem:
    """Return the row of a question; a Problem when its type is none."""
    line, wanted = cells.record.line, cells.text(Field.TYPE)
    answers = tuple(filter(_can_be_typed, ask.answers))
    kind = _KINDS.get(fold_header(wanted))
    if wanted and kind is None:
        return Problem(line, cells.columns.name(Field.TYPE), ProblemKind.UNKNOWN_TYPE, wanted)
    if kind is None:
        kind = ItemKind.CLOZE if BLANK in ask.prompt or cells.columns.inside else ItemKind.VOCAB
    prompt = _blanked(ask.prompt, answers) if kind is ItemKind.CLOZE else ask.prompt
    tags = tuple(dict.fromkeys(filter(None, _TAG_SEPARATORS.split(cells.text(Field.TAGS)))))
    return Row(
        key=_key(cells.raw(Field.ID).strip(), ask, prompt, answers),
        line=line,
        lesson=_lesson(cells, tags),
        kind=kind,
        prompt=prompt,
        answers=answers,
        reading=_joined(ask.readings),
        meaning=ask.meaning,
        hint=ask.hint,
        explanation=ask.explanation,
        skill=_SKILLS.get(fold_header(cells.text(Field.SKILL))),
        tags=tags,
    )


def _joined(readings: Iterable[str]) -> str:
    """Join readings by the bar that no reading holds."""
    parts = (part.strip() for part in "|".join(readings).split("|"))
    return "|".join(dict.fromkeys(filter(None, parts)))


def _can_be_typed(answer: str) -> bool:
    """Tell whether anything is left of an answer once it is folded; "…" alone can never be matched."""
    return any(map(str.isalnum, answer)) or bool(fold(answer))


def _blanked(prompt: str, answers: Sequence[str]) -> str:
    """Return a sentence with its blank, put where the answer stands when it stands there once."""
    if BLANK in prompt or not answers:
        return prompt
    found = places(answers[0], prompt)
    if len(found) != 1:
        return prompt
    return prompt[: found[0]] + BLANK + prompt[found[0] + len(answers[0]) :]


def _key(own: str, ask: Ask, prompt: str, answers: Sequence[str]) -> str:
    if own:
        return OWN_ID + own + (f"#c{ask.number}" if ask.number > 1 else "")
    return _NO_ID + prompt + _UNIT + "".join(answers[:1])


def _lesson(cells: Cells, tags: Sequence[str]) -> str:
    """Return the lesson: its column, else the textbook lesson a tag names, else the JLPT level, else Anki's deck.

    Of Genki_Ln.3, Genki_Ln.14 and Intermediate_Japanese_Ln.2 it is "Genki 3": the first book, where it comes first.
    """
    named = " ".join(cells.text(Field.LESSON).split())
    if named:
        return named
    books = [(match[1].replace("_", " "), int(match[2])) for tag in tags if (match := _LESSON_TAG.fullmatch(tag))]
    if books:
        book = books[0][0]
        return f"{book} {min(number for name, number in books if name == book)}"
    levels = [match[1].upper() for tag in tags if (match := _LEVEL_TAG.fullmatch(tag))]
    return levels[0] if levels else cells.text(Field.DECK).rpartition("::")[2].strip()


def _told_apart(rows: Sequence[Row]) -> Iterator[Row]:
    """Give homographs keys of their own: rows without an id that differ in nothing but their reading."""
    readings: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        readings[row.key].add(row.reading)
    for row in rows:
        homograph = row.key.startswith(_NO_ID) and row.reading and len(readings[row.key]) > 1
        yield replace(row, key=row.key + _UNIT + row.reading) if homograph else row


def _repeated(row: Row, first: Row, columns: Columns) -> Problem:
    """Say of the second row of one key what it repeats, and the line of the first."""
    if row.key.startswith(OWN_ID):
        return Problem(
            row.line, columns.name(Field.ID), ProblemKind.DUPLICATE, row.key.removeprefix(OWN_ID), first.line
        )
    repeated = f"{row.prompt} → {row.answers[0]}"
    return Problem(row.line, columns.name(Field.PROMPT), ProblemKind.DUPLICATE, repeated, first.line)
