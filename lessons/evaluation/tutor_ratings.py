"""Two people rate direction and exercise without knowing who answered: the sheet they fill in, and how far they agree."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lessons.evaluation.records import Fault, FaultKind, UnusableRecords

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lessons.evaluation.tutor_cases import Case
    from lessons.evaluation.tutor_figures import Sample

RATED: Final = ("direction_a", "exercise_a", "direction_b", "exercise_b")
"""Columns for the two raters, a and b: 0, 1 or 2 each, empty where nobody rated."""
SHEET: Final = ("id", "message", "goal", "first_step", "reply", *RATED)
_POINTS: Final = {"0": 0, "1": 1, "2": 2}
_FORMULA: Final = ("=", "+", "-", "@", "\t")


@dataclass(frozen=True, slots=True)
class Rating:
    """What the two raters gave one reply."""

    direction: tuple[int, int]
    exercise: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Agreement:
    """On how many replies two raters gave the same points (0 to 1), and Cohen's kappa (1960), nan where it has none."""

    rated: int
    same: float
    kappa: float


def sheet(samples: Sequence[Sample], cases: Mapping[str, Case]) -> str:
    """Return the CSV to be rated: in the order of ids that tell nothing of case or arm."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(SHEET)
    for sample in sorted(samples, key=sample_id):
        case = cases[sample.case]
        shown = (case.message, case.topic.reason, case.topic.first_step, sample.text)
        rows.writerow([sample_id(sample), *map(_inert, shown), *("" for _ in RATED)])
    return written.getvalue()


def sample_id(sample: Sample) -> str:
    """Return the name of a reply on the sheet; a digest of the reply, so that it is the same in every run."""
    told = f"{sample.case}\n{sample.arm}\n{sample.repeat}\n{sample.text}"
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=6).hexdigest()


def read_ratings(content: bytes) -> dict[str, Rating]:
    """Read a filled-in sheet by id; rows that nobody rated are left out. Raises UnusableRecords."""
    try:
        reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        missing = [
            Fault(FaultKind.NO_COLUMN, column=name) for name in ("id", *RATED) if name not in (reader.fieldnames or ())
        ]
        rows = [] if missing else [(reader.line_num, row) for row in reader]
    except UnicodeDecodeError as error:
        raise UnusableRecords((Fault(FaultKind.NOT_TEXT),)) from error
    except csv.Error as error:
        raise UnusableRecords((Fault(FaultKind.NOT_A_TABLE),)) from error
    faults = [*missing, *(fault for line, row in rows for fault in _faults(line, row))]
    if faults:
        raise UnusableRecords(tuple(faults))
    return {row["id"]: _rating(row) for _, row in rows if any(_cell(row, name) for name in RATED)}


def _faults(line: int, row: Mapping[str, str | None]) -> list[Fault]:
    given = {name: _cell(row, name) for name in RATED}
    if not any(given.values()):
        return []
    return [Fault(FaultKind.BAD_FLAG, line, name, text) for name, text in given.items() if text not in _POINTS]


def _rating(row: Mapping[str, str | None]) -> Rating:
    first_direction, first_exercise, second_direction, second_exercise = (_POINTS[_cell(row, name)] for name in RATED)
    return Rating((first_direction, second_direction), (first_exercise, second_exercise))


def _cell(row: Mapping[str, str | None], name: str) -> str:
    return (row[name] or "").strip()


def agreement(pairs: Sequence[tuple[int, int]]) -> Agreement:
    """Return how far two raters agree."""
    if not pairs:
        return Agreement(0, float("nan"), float("nan"))
    same = sum(one == other for one, other in pairs) / len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(first[points] * second[points] for points in _POINTS.values()) / len(pairs) ** 2
    return Agreement(len(pairs), same, (same - chance) / (1 - chance) if chance < 1 else float("nan"))


def _inert(text: str) -> str:
    """Return a cell that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
