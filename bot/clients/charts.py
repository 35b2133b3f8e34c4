"""Draws any chart specification as a PNG that can be read on a telephone: Japanese included, colours safe for all eyes."""

from __future__ import annotations

import asyncio
import io
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lessons.model import ChartKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text

    from lessons.model import Chart, Series

_DPI: Final = 150  # so large that a telephone, which shows a third of it, leaves words to read
_WIDTH: Final = 6.0  # inches: 900 pixels
_HEIGHT: Final = 3.8
_ROW: Final = 0.2  # inches of a bar that lies
_TALLEST: Final = 9.5
_LINE: Final = 56  # half-width characters of a title in one line
_LABEL: Final = 30  # half-width characters of a category
_BELOW: Final = 70  # half-width characters of a line below the axis
_CROWDED: Final = 56  # half-width characters of upright categories that fit side by side
_MOST_TICKS: Final = 8
_NOTHING: Final = "□"  # for a character that the font does not have
_COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#B8A500")
"""Okabe and Ito's eight (2008), their yellow darkened for a white ground."""
_FAINT: Final = "#9AA0A6"
_MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
_INK: Final = "#202124"


class MatplotlibCharts:
    """The Charts port. One thread draws, since fonts are shared; what is heavy is loaded with the first chart."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="charts")
        self._pen: _Pen | None = None

    async def draw(self, chart: Chart) -> bytes:
        """Return the chart as a PNG of 900 pixels across."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._draw, chart)

    def close(self) -> None:
        """End the thread; what is being drawn is finished unheard."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _draw(self, chart: Chart) -> bytes:
        if self._pen is None:
            self._pen = _Pen(_font())
        return self._pen.draw(chart)


def _font() -> Path:
    """Find the Japanese font in its package without importing it, which would change matplotlib for everybody."""
    spec = find_spec("matplotlib_fontja")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("matplotlib-fontja", name="matplotlib_fontja")
    return next((Path(spec.origin).parent / "fonts").glob("*.ttf"))


@dataclass
class _Pen:
    """Everything that draws, with the font it writes in."""

    path: Path

    @cached_property
    def characters(self) -> frozenset[int]:
        """Code points the font has a glyph for."""
        from matplotlib.ft2font import FT2Font  # noqa: PLC0415 - heavy

        return frozenset(FT2Font(str(self.path)).get_charmap())

    def font(self, size: float) -> FontProperties:
        from matplotlib.font_manager import FontProperties  # noqa: PLC0415 - heavy

        return FontProperties(fname=str(self.path), size=size)

    def words(self, text: str, width: int) -> str:
        """Return the text in lines of that many half-width characters, without what the font cannot show."""
        shown = "".join(sign if ord(sign) in self.characters else _NOTHING for sign in " ".join(text.split()))
        return "\n".join(_lines(shown, width))

    def label(self, text: str) -> str:
        """Return the text of a category, clipped to one line."""
        lines = self.words(text, _LABEL - 1).split("\n")
        return lines[0] + ("…" if len(lines) > 1 else "")

    def draw(self, chart: Chart) -> bytes:
        """Draw the chart, then write on it."""
        from matplotlib.figure import Figure  # noqa: PLC0415 - heavy

        rows = len(chart.series[0].xs) * len(chart.series) if chart.kind is ChartKind.ROWS and chart.series else 0
        height = min(max(_HEIGHT, 1.6 + rows * _ROW), _TALLEST)
        figure = Figure(figsize=(_WIDTH, height), dpi=_DPI, layout="constrained", facecolor="white")
        axes = figure.add_subplot()
        _PLOTS[chart.kind](self, axes, chart)
        self._furnish(figure, axes, chart)
        out = io.BytesIO()
        figure.savefig(out, format="png", metadata={"Software": None})
        return out.getvalue()

    def bars(self, axes: Axes, chart: Chart) -> None:
        """Draw groups of upright bars."""
        names = self._categories(chart)
        for place, series, colour in _dressed(chart):
            thick = 0.8 / len(chart.series)
            at = [spot + (place - (len(chart.series) - 1) / 2) * thick for spot in range(len(names))]
            axes.bar(at, series.ys, width=thick * 0.92, color=colour, label=self.label(series.name))
        crowded = sum(map(_width, names)) > _CROWDED
        turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
        axes.set_xticks(range(len(names)), labels=names, **turned)

    def rows(self, axes: Axes, chart: Chart) -> None:
        """Draw groups of lying bars, the first category on top, each with its number."""
        names = self._categories(chart)
        for place, series, colour in _dressed(chart):
            thick = 0.84 / len(chart.series)
            at = [spot + (place - (len(chart.series) - 1) / 2) * thick for spot in range(len(names))]
            bars = axes.barh(at, series.ys, height=thick * 0.92, color=colour, label=self.label(series.name))
            form = "{:.0f}" if chart.whole else "{:.2f}"
            axes.bar_label(bars, fmt=form, padding=3, fontproperties=self.font(13), color=_INK)
        axes.set_yticks(range(len(names)), labels=names)
        axes.invert_yaxis()

    def lines(self, axes: Axes, chart: Chart) -> None:
        """Draw lines with a sign at each value; faint ones are dashed."""
        for place, series, colour in _dressed(chart):
            texts = all(isinstance(x, str) for x in series.xs)
            xs: Any = range(len(series.xs)) if texts else series.xs
            style: dict[str, Any] = {"linestyle": "--"} if series.faint else {"marker": _MARKERS[place % len(_MARKERS)]}
            axes.plot(xs, series.ys, color=colour, label=self.label(series.name), markersize=5, **style)
            if texts:
                step = -(-len(series.xs) // _MOST_TICKS) or 1
                spots = range(0, len(series.xs), step)
                axes.set_xticks(spots, labels=[self.label(str(series.xs[spot])) for spot in spots])

    def histogram(self, axes: Axes, chart: Chart) -> None:
        """Draw bars wall to wall, the series over one another."""
        for _, series, colour in _dressed(chart):
            edges = [float(x) for x in series.xs]
            width = edges[1] - edges[0] if len(edges) > 1 else 1.0
            axes.bar(edges, series.ys, width, align="edge", color=colour, alpha=0.6, label=self.label(series.name))

    def scatter(self, axes: Axes, chart: Chart) -> None:
        """Draw a point for each pair, every series with a sign of its own."""
        for place, series, colour in _dressed(chart):
            axes.scatter(
                [float(x) for x in series.xs], series.ys, s=30, c=colour, marker=_MARKERS[place % len(_MARKERS)],
                alpha=0.8, linewidths=0.4, edgecolors="white", label=self.label(series.name),
            )  # fmt: skip

    def _categories(self, chart: Chart) -> list[str]:
        return [self.label(str(x)) for x in chart.series[0].xs] if chart.series else []

    def _furnish(self, figure: Figure, axes: Axes, chart: Chart) -> None:
        """Write every word, and take away what is not needed."""
        lying = chart.kind is ChartKind.ROWS
        title = self.words(chart.title, _LINE)
        figure.suptitle(title, x=0.012, ha="left", fontproperties=self.font(14), color=_INK)
        below = "\n".join(self.words(text, _BELOW) for text in (chart.x_label, chart.note) if text)
        axes.set_xlabel(below, fontproperties=self.font(13 if not chart.note else 12), color=_INK)
        axes.set_ylabel(self.words(chart.y_label, _LINE // 2), fontproperties=self.font(13), color=_INK)
        for edge in ("top", "right"):
            axes.spines[edge].set_visible(False)
        axes.grid(axis="x" if lying else "y", color="#E3E5E8", linewidth=0.8)
        axes.set_axisbelow(True)
        self._scale(axes, chart, lying=lying)
        for x, name in chart.marks:
            axes.axvline(x, color=_INK, linewidth=1, linestyle=":")
            axes.annotate(
                self.label(name), (x, 1.0), xycoords=("data", "axes fraction"), xytext=(3, -3),
                textcoords="offset points", va="top", rotation=90, fontproperties=self.font(10), color=_INK,
            )  # fmt: skip
        if any(series.name for series in chart.series) and (len(chart.series) > 1 or chart.series[0].faint):
            columns = min(4, len(chart.series))
            figure.legend(loc="outside lower center", ncols=columns, frameon=False, prop=self.font(12))
        for text in (*axes.get_xticklabels(), *axes.get_yticklabels()):
            text.set_fontproperties(self.font(12))
            text.set_color(_INK)
        for text in _texts(figure):
            text.set_parse_math(False)

    def _scale(self, axes: Axes, chart: Chart, *, lying: bool) -> None:
        from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - heavy

        values = axes.xaxis if lying else axes.yaxis
        if chart.whole:
            values.set_major_locator(MaxNLocator(integer=True))
        if chart.y_range and lying:
            axes.set_xlim(*chart.y_range)
        elif chart.y_range:
            axes.set_ylim(*chart.y_range)


_PLOTS: Final = {
    ChartKind.BARS: _Pen.bars,
    ChartKind.ROWS: _Pen.rows,
    ChartKind.LINES: _Pen.lines,
    ChartKind.HISTOGRAM: _Pen.histogram,
    ChartKind.SCATTER: _Pen.scatter,
}


def _dressed(chart: Chart) -> Iterator[tuple[int, Series, str]]:
    """Yield each series with its place and its colour; faint ones use up no colour."""
    strong = 0
    for place, series in enumerate(chart.series):
        if series.faint:
            yield place, series, _FAINT
        else:
            yield place, series, _COLOURS[strong % len(_COLOURS)]
            strong += 1


def _texts(figure: Figure) -> list[Text]:
    """Return every text there is: none of them is a formula, whatever dollars it holds."""
    from matplotlib.text import Text  # noqa: PLC0415 - heavy

    return [text for text in figure.findobj(Text) if isinstance(text, Text)]


def _width(text: str) -> int:
    """Return how wide a text is, in half-width characters."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _lines(text: str, width: int) -> list[str]:
    """Cut a text into lines, at a space where there is one in the second half of the line."""
    lines, rest = [], text
    while _width(rest) > width:
        fits = next(count for count in range(len(rest), 0, -1) if _width(rest[:count]) <= width)
        space = rest.rfind(" ", fits // 2, fits + 1)
        cut = space if space > 0 else fits
        lines.append(rest[:cut])
        rest = rest[cut:].lstrip()
    return [*lines, rest]
