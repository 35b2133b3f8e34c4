"""A ratio with the figures behind it, how much effort it is worth, and the one table that all of them stand in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from statistics import median
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

HEAD = "| of | what | beside what | ratio | figures | runs |\n|---|---|---|---|---|---|"


class Effort(IntEnum):
    """How long a benchmark may take: a few minutes, some seconds, or just long enough to be seen running."""

    WHOLE = 0
    QUICK = 1
    TINY = 2

    def of(self, whole: T, quick: T, tiny: T) -> T:
        """Choose the size for this effort."""
        return (whole, quick, tiny)[self]


@dataclass(frozen=True, slots=True)
class Ratio:
    """`what` divided by `against`, both measured in turn within one run; `figures` are the absolute ones, for this machine."""

    what: str
    against: str
    ratio: float
    figures: str
    runs: int = 1

    def row(self, of: str) -> str:
        """One line of the table."""
        cells = (of, self.what, self.against, shown(self.ratio), self.figures, f"{self.runs}")
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def shown(ratio: float) -> str:
    """Show a ratio with about three digits."""
    if ratio == 0 or ratio >= 100:
        return f"{ratio:,.0f}"
    return f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def in_turn(runs: int, *ways: Callable[[], T]) -> list[list[T]]:
    """Run the ways in turn, A B A B, so that what else the machine does meets all alike; the results way by way."""
    found: list[list[T]] = [[] for _ in ways]
    for _ in range(runs):
        for several, way in zip(found, ways, strict=True):
            several.append(way())
    return found


def medians(what: Sequence[float], against: Sequence[float]) -> float:
    """Return the ratio of two medians; nan where there is nothing to divide by."""
    below = median(against)
    return median(what) / below if below else float("nan")
