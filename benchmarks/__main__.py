"""`python -m benchmarks [--quick] [name ...]`: every figure in one table, each benchmark in a process of its own."""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.table import HEAD, Effort

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.table import Ratio

_TOOLS = {"__init__", "__main__", "table", "measuring", "history", "labelled"}

NAMES = tuple(sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem not in _TOOLS))


def measured(name: str, effort: Effort) -> list[Ratio]:
    """Run one benchmark."""
    found: list[Ratio] = importlib.import_module(f"benchmarks.{name}").ratios(effort)
    return found


def apart(name: str, effort: Effort) -> list[Ratio]:
    """Run one benchmark in a process of its own, so that none meets another's memory, threads or warm caches."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(measured, name, effort).result()


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, and print one table of ratios.")
    parser.add_argument("--quick", action="store_true", help="small sizes: a check within a minute or two")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(NAMES)}; all of them by default")
    asked = parser.parse_args(given)
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    failed = 0
    print(HEAD, flush=True)
    for name in asked.names or NAMES:
        started = time.perf_counter()
        try:
            for ratio in apart(name, Effort.QUICK if asked.quick else Effort.WHOLE):
                print(ratio.row(name), flush=True)
        except Exception as error:  # noqa: BLE001 - the others are measured all the same
            failed += 1
            print(f"{name} failed: {type(error).__name__}: {error}", file=sys.stderr)
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
