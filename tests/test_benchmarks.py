"""Every benchmark runs, at its smallest, so that none of them rots unseen; what it measures is no matter here."""

from __future__ import annotations

from math import isinf

import pytest

from benchmarks.__main__ import NAMES, main
from benchmarks.running import measured
from benchmarks.table import HEAD, Effort, Ratio, in_turn, medians, shown


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs(name: str) -> None:
    found = measured(name, Effort.TINY)
    assert found
    for ratio in found:
        assert ratio.what
        assert ratio.against
        assert ratio.figures
        assert ratio.runs >= 1
        assert not isinf(ratio.ratio)
        assert ratio.row(name).count("|") == HEAD.splitlines()[0].count("|")


def test_ways_are_run_in_turn() -> None:
    order: list[str] = []
    in_turn(2, lambda: order.append("a"), lambda: order.append("b"))
    assert order == ["a", "b", "a", "b"]


def test_a_ratio_is_one_of_medians() -> None:
    assert medians([2.0, 4.0, 100.0], [1.0, 2.0, 3.0]) == 2.0


@pytest.mark.parametrize(
    ("ratio", "told"), [(0, "0"), (0.012, "0.012"), (0.5, "0.50"), (12.34, "12.3"), (1234.5, "1,234")]
)
def test_a_ratio_is_shown_with_three_digits(ratio: float, told: str) -> None:
    assert shown(ratio) == told


def test_a_row_keeps_to_its_cells() -> None:
    assert Ratio("a|b", "c", 1, "d").row("e") == "| e | a/b | c | 1.00 | d | 1 |"


def test_a_name_that_is_none_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "writes" in capsys.readouterr().err


def test_one_command_prints_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "reservations"]) == 0
    head, line, *rows = capsys.readouterr().out.splitlines()
    assert f"{head}\n{line}" == HEAD
    assert rows
    assert all(row.startswith("| reservations | ") for row in rows)
