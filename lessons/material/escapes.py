r"""What a native cell needs so that it is read back exactly: \ before a mark, ' before a formula.

In a native file a backslash takes the meaning off the mark behind it: ``\|`` is a bar inside one answer, ``\_\_`` two
underscores that are no blank, ``\\`` a backslash. Before any other character it is a backslash.
"""

from __future__ import annotations

import re
from typing import Final

from lessons.model import BLANK

_MARKS: Final = "\\|<&[{}_＿(（［【〔｛:"
_FIRST: Final = 0xFDD0
"""Where marks are kept while a cell is read: characters that Unicode gives to nobody, and no row may hold."""
_ESCAPED: Final = re.compile(rf"\\([{re.escape(_MARKS)}])")
_MARK: Final = re.compile(f"[{re.escape(_MARKS)}]")
_RESTORE: Final = {_FIRST + number: mark for number, mark in enumerate(_MARKS)}

_FORMULA: Final = re.compile(r"\s*[=+\-@＝＋－＠]|[^\S\t\r]*[\t\r]")
"""What spreadsheets take for the start of a formula, after any space (OWASP's list, with the full-width forms)."""
_LATER_LINE: Final = re.compile(r"(\r\n|\r|\n)('*)(?=[^\S\r\n]*[=+\-@＝＋－＠]|[^\S\r\n\t]*\t)")
"""The start of a later line of a cell that would be one, were the line a cell of its own."""


def protect(cell: str) -> str:
    """Put escaped marks out of reach of everything that reads a cell; `restore` brings them back."""
    return _ESCAPED.sub(lambda match: chr(_FIRST + _MARKS.index(match[1])), cell) if "\\" in cell else cell


def restore(text: str) -> str:
    """Bring protected marks back as the characters they are."""
    return text.translate(_RESTORE)


def escape(text: str) -> str:
    """Escape every mark of a text, blanks apart."""
    return BLANK.join(_MARK.sub(r"\\\g<0>", part) for part in text.split(BLANK))


def guard_formula(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: ' goes before the cell, and before each such line in it."""
    return "'" + _LATER_LINE.sub(r"\1'\2", cell) if _is_dangerous(cell) else cell


def unguard_formula(cell: str) -> str:
    """Return what `guard_formula` was given; any other cell stays as it is."""
    if not cell.startswith("'") or not _is_dangerous(cell):
        return cell
    return _LATER_LINE.sub(lambda match: match[1] + match[2][1:], cell[1:])


def _is_dangerous(cell: str) -> bool:
    """Apostrophes at the start do not count: a guarded cell is as dangerous as the bare one."""
    return bool(_FORMULA.match(cell.lstrip("'")) or _LATER_LINE.search(cell))
