"""What is wrong with a file of labelled mistakes, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.evaluation.records import COLUMNS, OPTIONAL, Fault, FaultKind
from lessons.model import ErrorType

if TYPE_CHECKING:
    from pathlib import Path

    from lessons.evaluation.records import UnusableRecords

_TOLD: Final = 12
_LONGEST: Final = 40
_FILE: Final = "The file cannot be evaluated:"

_WORDS: Final = {
    FaultKind.NOT_TEXT: "it is not UTF-8 text. Save it as CSV in UTF-8.",
    FaultKind.NOT_A_TABLE: "it cannot be read as CSV from line {line} on. Look for a quotation mark that is never closed.",
    FaultKind.NO_COLUMN: "the column {column} is missing.",
    FaultKind.NO_ROWS: "there is no row below the header.",
    FaultKind.EMPTY: "line {line}: {column} is empty.",
    FaultKind.UNKNOWN_LABEL: "line {line}: {column} is {found}. Write one of " + ", ".join(ErrorType) + ".",
    FaultKind.BAD_FLAG: "line {line}: {column} is {found}. Write 0 or 1.",
    FaultKind.BAD_DATE: "line {line}: {column} is {found}. Write a date such as 2026-05-11.",
    FaultKind.RAGGED: "line {line} has {found} cells; the header has another number.",
}


def unusable(error: UnusableRecords) -> str:
    """Tell what is wrong with a file, the first dozen things of it."""
    lines = [_FILE, *(f"  {_told(fault)}" for fault in error.faults[:_TOLD])]
    if len(error.faults) > _TOLD:
        lines.append(f"  … and {len(error.faults) - _TOLD:,} more like these.")
    if any(fault.kind is FaultKind.NO_COLUMN for fault in error.faults):
        lines.append(f"  Columns, in any order: {', '.join(COLUMNS)}; {OPTIONAL} may be there too.")
    return "\n".join(lines)


def _told(fault: Fault) -> str:
    found = repr(fault.found if len(fault.found) <= _LONGEST else f"{fault.found[:_LONGEST]}…")
    if fault.kind is FaultKind.RAGGED:
        found = fault.found
    return _WORDS[fault.kind].format(line=fault.line, column=fault.column, found=found)


def unreadable(path: Path, reason: str) -> str:
    """Say that a file is not there or not for this user."""
    return f"{path} cannot be read ({reason}): name a CSV file."


def unwritable(path: Path, reason: str) -> str:
    """Say that a result could not be put where it was wanted."""
    return f"{path} cannot be written ({reason}): name another place."
