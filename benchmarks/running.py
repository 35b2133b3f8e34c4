"""A benchmark by its name, in a process of its own."""

from __future__ import annotations

import importlib
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.table import Effort, Ratio


def measured(name: str, effort: Effort) -> list[Ratio]:
    """Run one benchmark."""
    found: list[Ratio] = importlib.import_module(f"benchmarks.{name}").ratios(effort)
    return found


def on_one_core() -> None:
    """Let products of matrices keep to one core: several would wait for one another on a busy machine."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"


def apart(name: str, effort: Effort) -> list[Ratio]:
    """Run one benchmark in a process of its own, so that none meets another's memory, threads or warm caches."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), on_one_core) as process:
        return process.submit(measured, name, effort).result()
