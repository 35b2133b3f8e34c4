"""How long the event loop stands still while a chart is drawn: in its thread, beside drawn by the loop itself."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.measuring import standstill
from benchmarks.table import Effort, Ratio, medians
from bot.clients.charts import MatplotlibCharts
from lessons.model import Chart, ChartKind, Series

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LABELS = tuple(f"{number}  「は」→「が」" for number in range(1, 6))
THEMES = Chart(ChartKind.ROWS, "What you mixed up", "exercises", "", (Series("", LABELS, (9.0, 7.0, 4.0, 3.0, 2.0)),))
DAYS = Chart(
    ChartKind.BARS, "Answers by day", "", "answers", (Series("right", tuple(map(str, range(30))), (5.0,) * 30),)
)


@dataclass
class Way:
    """Milliseconds a chart took, and the longest stall of the loop while it was drawn."""

    took: list[float] = field(default_factory=list)
    stalls: list[float] = field(default_factory=list)

    async def draw(self, chart: Chart, by: Callable[[Chart], Awaitable[bytes]]) -> None:
        """Draw a chart this way."""
        async with standstill() as stood:
            started = time.perf_counter()
            await by(chart)
            self.took.append(1000 * (time.perf_counter() - started))
        self.stalls.append(stood.longest)


async def measured(runs: int) -> tuple[Way, Way, Way]:
    """The first chart of all, then charts in turn by the thread and by the loop."""
    charts, first, apart, inline = MatplotlibCharts(), Way(), Way(), Way()

    async def by_the_loop(chart: Chart) -> bytes:
        return charts._draw(chart)  # noqa: SLF001 - the same work, in the wrong place

    await first.draw(THEMES, charts.draw)
    for number in range(runs):
        chart = (THEMES, DAYS)[number % 2]
        await apart.draw(chart, charts.draw)
        await inline.draw(chart, by_the_loop)
    charts.close()
    return first, apart, inline


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    runs = effort.of(30, 8, 1)
    first, apart, inline = asyncio.run(measured(runs))
    return [
        Ratio("longest stall of the loop, chart drawn in its thread", "drawn by the loop", medians(apart.stalls, inline.stalls),
              f"{median(apart.stalls):.0f} and {median(inline.stalls):.0f} ms", runs),
        Ratio("drawing a chart in its thread", "by the loop", medians(apart.took, inline.took),
              f"{median(apart.took):.0f} and {median(inline.took):.0f} ms", runs),
        Ratio("the very first chart", "a later one", first.took[0] / median(apart.took),
              f"{first.took[0]:.0f} and {median(apart.took):.0f} ms, stall {first.stalls[0]:.0f} ms"),
    ]  # fmt: skip


def main() -> None:
    for ratio in ratios():
        print(ratio.row("drawing"))


if __name__ == "__main__":
    main()
