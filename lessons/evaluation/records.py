"""Labelled mistakes as a file holds them: read whole, or refused with everything that is wrong about it."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lessons.errors import KizukiError
from lessons.model import ErrorType, MistakeCard, Track

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLUMNS: Final = (
    "learner", "exercise_id", "cloze", "reference", "user_answer", "error_type", "pos", "concept", "feedback",
    "is_retry", "is_junk", "date",
)  # fmt: skip
OPTIONAL: Final = "level"
PAIR_COLUMNS: Final = (
    "learner", "first_exercise", "first_date", "first_answer", "second_exercise", "second_date", "second_answer",
    "useful",
)  # fmt: skip
_FLAGS: Final = {"0": False, "1": True, "": False, "false": False, "true": True, "no": False, "yes": True}
_NEEDED: Final = ("learner", "exercise_id", "reference", "user_answer")


class FaultKind(StrEnum):
    """What is wrong with a file of labelled mistakes."""

    NOT_TEXT = "not_text"  # no UTF-8
    NOT_A_TABLE = "not_a_table"
    NO_COLUMN = "no_column"  # column
    NO_ROWS = "no_rows"
    EMPTY = "empty"  # line, column
    UNKNOWN_LABEL = "unknown_label"  # line, column, found
    BAD_FLAG = "bad_flag"  # line, column, found
    BAD_DATE = "bad_date"  # line, column, found
    RAGGED = "ragged"  # line: more or fewer cells than the header


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, where, and what was found there."""

    kind: FaultKind
    line: int = 0
    column: str = ""
    found: str = ""


@dataclass(eq=False)
class UnusableRecords(KizukiError):
    """A file that cannot be evaluated, with all that is wrong about it."""

    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One labelled mistake; `concept` is "" where nobody named it. The card's track is the exercise id's concern."""

    learner: str
    exercise: str
    card: MistakeCard
    concept: str
    retry: bool
    junk: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Judged:
    """Two mistakes of one learner, by their places in the records; `useful`: the first helps at the second."""

    first: int
    second: int
    useful: bool


def read(content: bytes) -> tuple[Record, ...]:
    """Read a file of labelled mistakes in the order of its rows. Raises UnusableRecords."""
    rows = _table(content, COLUMNS)
    faults: list[Fault] = []
    records = [_record(line, row, faults) for line, row in rows]
    if faults:
        raise UnusableRecords(tuple(faults))
    return tuple(record for record in records if record is not None)


def read_pairs(content: bytes, records: Sequence[Record]) -> tuple[Judged, ...]:
    """Read pairs judged useful or not; those whose mistakes are not among the records are passed over."""
    places = {_key(r.learner, r.exercise, r.at.date().isoformat(), r.card.typed): i for i, r in enumerate(records)}
    judged = []
    for _, row in _table(content, PAIR_COLUMNS):
        first, second = (
            places.get(_key(row["learner"], row[f"{which}_exercise"], row[f"{which}_date"], row[f"{which}_answer"]))
            for which in ("first", "second")
        )
        if first is not None and second is not None:
            judged.append(Judged(first, second, row["useful"].strip() == "1"))
    return tuple(judged)


def first_places(records: Sequence[Record]) -> tuple[int, ...]:
    """Return the places of the earliest answer of each learner to each exercise: five retries are one mistake."""
    kept: dict[tuple[str, str], int] = {}
    for place in sorted(range(len(records)), key=lambda place: records[place].at):
        kept.setdefault((records[place].learner, records[place].exercise), place)
    return tuple(sorted(kept.values()))


def without_names(records: Sequence[Record]) -> tuple[Record, ...]:
    """Put "learner 1", "learner 2" ... for the learners, in the order they appear: a report is passed around."""
    names = {name: f"learner {place}" for place, name in enumerate(dict.fromkeys(r.learner for r in records), 1)}
    return tuple(replace(record, learner=names[record.learner]) for record in records)


def _table(content: bytes, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Return each row with its line. Raises UnusableRecords when there is no table with these columns."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnusableRecords((Fault(FaultKind.NOT_TEXT),)) from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        missing = tuple(Fault(FaultKind.NO_COLUMN, column=name) for name in columns if name not in header)
        if missing:
            raise UnusableRecords(missing)
        rows, faults = [], []
        for cells in reader:
            if len(cells) not in {0, len(header)}:
                faults.append(Fault(FaultKind.RAGGED, reader.line_num, found=str(len(cells))))
            elif cells:
                rows.append((reader.line_num, dict(zip(header, cells, strict=True))))
    except csv.Error as error:
        raise UnusableRecords((Fault(FaultKind.NOT_A_TABLE, reader.line_num),)) from error
    if faults or not rows:
        raise UnusableRecords(tuple(faults) or (Fault(FaultKind.NO_ROWS),))
    return rows


def _record(line: int, row: Mapping[str, str], faults: list[Fault]) -> Record | None:
    """Read one row, noting what is wrong with it."""
    before = len(faults)
    faults += [Fault(FaultKind.EMPTY, line, name) for name in _NEEDED if not row[name].strip()]
    label = row["error_type"].strip().lower()
    if label not in set(ErrorType):
        faults.append(Fault(FaultKind.UNKNOWN_LABEL, line, "error_type", row["error_type"]))
    for name in ("is_retry", "is_junk"):
        if row[name].strip().lower() not in _FLAGS:
            faults.append(Fault(FaultKind.BAD_FLAG, line, name, row[name]))
    at = _date(row["date"])
    if at is None:
        faults.append(Fault(FaultKind.BAD_DATE, line, "date", row["date"]))
    if len(faults) > before or at is None:
        return None
    return Record(
        learner=row["learner"].strip(),
        exercise=row["exercise_id"].strip(),
        card=_card(row, ErrorType(label)),
        concept=row["concept"].strip(),
        retry=_FLAGS[row["is_retry"].strip().lower()],
        junk=_FLAGS[row["is_junk"].strip().lower()],
        at=at,
    )


def _card(row: Mapping[str, str], error_type: ErrorType) -> MistakeCard:
    return MistakeCard(
        track=Track.LESSON,
        prompt=row["cloze"],
        reference=row["reference"],
        typed=row["user_answer"],
        error_type=error_type,
        part_of_speech=row["pos"].strip(),
        feedback=row["feedback"],
        level=row.get(OPTIONAL, "").strip(),
    )


def _date(text: str) -> datetime | None:
    """Read a date, or a date with a time; without a zone it is UTC."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _key(learner: str, exercise: str, date: str, answer: str) -> tuple[str, str, str, str]:
    return learner.strip(), exercise.strip(), date.strip(), answer.strip()
