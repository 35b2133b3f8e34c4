"""A chart as a value, with every word on it: what is drawn, before anybody decides how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ChartKind(StrEnum):
    """How the series of a chart are shown."""

    BARS = "bars"  # upright, one group a category, the series side by side
    ROWS = "rows"  # lying, for categories with long names; the first category on top
    LINES = "lines"
    HISTOGRAM = "histogram"
    SCATTER = "scatter"


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers under one name, `xs` and `ys` of one length; without a name it is left out of the legend.

    `xs` are categories (BARS, ROWS: the same ones in every series; LINES: texts make equal steps), numbers (LINES,
    SCATTER), or the left edges of bins of one width (HISTOGRAM). A `faint` series is what the others are held
    against: a baseline, the rest.
    """

    name: str
    xs: tuple[str, ...] | tuple[float, ...]
    ys: tuple[float, ...]
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with its labels; `marks` are upright lines at an x, each with its words (LINES, HISTOGRAM, SCATTER).

    `y_range` fixes the axis of the values (of ROWS: the lying one); None fits it to the numbers. `note` stands small
    below. Counts have `whole` true: no fractions on the axis of the values.
    """

    kind: ChartKind
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    marks: tuple[tuple[float, str], ...] = ()
    y_range: tuple[float, float] | None = None
    note: str = ""
    whole: bool = False
