"""How a report writes: Markdown tables, numbers, shares, pictures, and quoted text that cannot break out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.evaluation.figures import Rows

_SPECIAL: Final = regex.compile(r"([\\`*_{}\[\]<>#|!&~])")
_UNSEEN: Final = regex.compile(r"[\p{C}\p{Z}]+")


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Yield the lines of a table; the first `left` columns are text, the others are set to the right."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * left}{'---:|' * (len(head) - left)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def number(value: float, digits: int = 2) -> str:
    """Return a number, or a dash where there is none."""
    return f"{value:.{digits}f}" if math.isfinite(value) else "–"


def percent(share: float) -> str:
    """Return a share of 1 in per cent."""
    return f"{100 * share:.1f} %" if math.isfinite(share) else "–"


def quoted(text: str) -> str:
    """Return foreign text in one line, with no character that Markdown or HTML would take for its own."""
    return _SPECIAL.sub(r"\\\1", _UNSEEN.sub(" ", text).strip())


def image(name: str) -> str:
    """Return the picture of a chart."""
    return f"![{name.replace('_', ' ')}]({name}.png)"


def rows_said(rows: Rows) -> str:
    """Say what was evaluated."""
    cut = f" The {rows.cut:,} oldest ones were left out." if rows.cut else ""
    return (
        f"{rows.rows:,} mistakes of {rows.learners} learners on {rows.exercises} exercises: {rows.junk} junk (left out), "
        f"{rows.retries} retries, {rows.first_tries} first tries; {rows.concepts or 'no'} concepts named.{cut}"
    )
