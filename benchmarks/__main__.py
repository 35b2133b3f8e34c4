"""`python -m benchmarks [--quick] [name ...]`: every figure in one table, each benchmark in a process of its own."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.running import apart
from benchmarks.table import HEAD, Effort

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOOLS = {"__init__", "__main__", "running", "table", "measuring", "history", "labelled"}

NAMES = tuple(sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem not in _TOOLS))


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
