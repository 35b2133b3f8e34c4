"""Charts: every kind is a PNG of 900 pixels across, whatever text is in it, and nothing of matplotlib is changed for others."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from bot.clients import charts as drawing
from bot.clients.charts import MatplotlibCharts
from lessons.model import Chart, ChartKind, Series

NAMES = ("助詞", "活用", "語彙")
NASTY = "$x^2$ 「も」→「は」 한글 😀 a" + "長" * 90


@pytest.fixture
async def charts() -> AsyncIterator[MatplotlibCharts]:
    made = MatplotlibCharts()
    yield made
    made.close()


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def chart(kind: ChartKind, *series: Series, **more: object) -> Chart:
    return Chart(kind, NASTY, "x ＿ $", "y の軸", series, **more)  # type: ignore[arg-type]


NUMBERS = (Series("一", (0.0, 1.0, 2.0), (3.0, 1.0, 2.0)), Series("他", (0.0, 1.0, 2.0), (1.0, 1.0, 1.0), faint=True))
WORDS = (Series(NASTY, NAMES, (3, 1, 2)), Series("前", NAMES, (1.0, 1.0, 1.0), faint=True))


@pytest.mark.parametrize(
    "wanted",
    [
        chart(ChartKind.BARS, *WORDS, whole=True),
        chart(ChartKind.BARS, Series("", tuple(f"{name} {n}" * 4 for n in range(4) for name in NAMES), (1.0,) * 12)),
        chart(ChartKind.ROWS, *WORDS, y_range=(0, 4), whole=True),
        chart(ChartKind.LINES, *NUMBERS, marks=((1.0, "ここ"),), y_range=(0, 5), note="注"),
        chart(ChartKind.LINES, Series("", tuple(f"{day}日" for day in range(1, 40)), (1.0,) * 39)),
        chart(ChartKind.HISTOGRAM, *NUMBERS, marks=((0.5, "平均"),)),
        chart(ChartKind.HISTOGRAM, Series("one bin", (0.5,), (1.0,))),
        chart(ChartKind.SCATTER, *(Series(f"種{n}", (n * 1.0,), (1.0,)) for n in range(9))),
        *(chart(kind) for kind in ChartKind),
    ],
)
async def test_every_kind_is_drawn(charts: MatplotlibCharts, wanted: Chart) -> None:
    assert size(await charts.draw(wanted))[0] == 900


async def test_many_rows_make_a_taller_picture(charts: MatplotlibCharts) -> None:
    def rows(count: int) -> Chart:
        return chart(ChartKind.ROWS, Series("", tuple(map(str, range(count))), (1.0,) * count))

    low, high, highest = [size(await charts.draw(rows(count)))[1] for count in (3, 30, 300)]
    assert low < high < highest == 1425


async def test_the_same_chart_is_the_same_picture(charts: MatplotlibCharts) -> None:
    wanted = chart(ChartKind.LINES, *NUMBERS)
    assert await charts.draw(wanted) == await charts.draw(wanted)


def test_long_text_is_cut_at_spaces_where_there_are_any() -> None:
    assert drawing._lines("one two three four", 9) == ["one two", "three", "four"]
    assert drawing._lines("長い長い長い", 6) == ["長い長", "い長い"]
    assert drawing._lines("", 6) == [""]


def test_a_missing_font_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib_fontja", None)
    monkeypatch.setattr(drawing, "find_spec", lambda _name: None)
    with pytest.raises(ModuleNotFoundError, match="matplotlib-fontja"):
        drawing._font()


def test_nothing_heavy_is_loaded_and_no_global_is_touched() -> None:
    script = (
        "import asyncio, sys\n"
        "from bot.clients.charts import MatplotlibCharts\n"
        "from lessons.model import Chart, ChartKind\n"
        "assert 'matplotlib' not in sys.modules\n"
        "charts = MatplotlibCharts()\n"
        "asyncio.run(charts.draw(Chart(ChartKind.LINES, '題', '', '', ())))\n"
        "import matplotlib\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "assert 'matplotlib_fontja' not in sys.modules\n"
        "assert matplotlib.rcParams['font.family'] == ['sans-serif']\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
