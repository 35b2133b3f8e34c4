"""A benchmark by its name, in a process of its own."""

from __future__ import annotations

import importlib
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.table import Effort, Ratio


def measured(name: str, effort: Effort) -> list[Ratio]:
    """Run one benchmark."""
    found: list[Ratio] = importlib.import_module(f"benchmarks.{name}").ratios(effort)
    return found


def apart(name: str, effort: Effort) -> list[Ratio]:
    """Run one benchmark in a process of its own, so that none meets another's memory, threads or warm caches."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(measured, name, effort).result()
