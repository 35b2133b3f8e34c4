"""What a process that is killed again and again loses of what it acknowledged, and how long the next start takes."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.table import Effort, Ratio, medians
from storage import migrate
from storage.connection import Database
from tests.storage.test_crash import sound_attempts
from tests.storage.world import AT

ROUNDS = 60
LINES = 150
"""Answers acknowledged before the kill, in the middle."""


@dataclass
class Loop:
    """Answers acknowledged and lost, and seconds to open the file after a kill and after an orderly end."""

    acknowledged: int = 0
    lost: int = 0
    killed: list[float] = field(default_factory=list)
    orderly: list[float] = field(default_factory=list)


def answer_and_die(data: Path, first: int, lines: int) -> set[tuple[int, int]]:
    """Let a process answer until it has acknowledged so many, kill it, and return all it acknowledged."""
    command = [sys.executable, "-m", "tests.storage.answering", str(data), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        heard = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        heard += process.stdout.readlines()
    return {(int(line.split()[0]), int(line.split()[1])) for line in heard if line.endswith("\n")}


async def opened(data: Path) -> float:
    """Seconds until the file can be used."""
    started = time.perf_counter()
    async with Database(migrate.prepare(data, at=AT)):
        return time.perf_counter() - started


def loop(rounds: int, lines: int) -> Loop:
    """Kill a process on one folder in every round; its file must be whole each time."""
    found, acknowledged = Loop(), set[tuple[int, int]]()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        for number in range(rounds):
            acknowledged |= answer_and_die(data, (number + 1) * 10**9, 1 + (lines * (number + 1)) // rounds)
            found.killed.append(asyncio.run(opened(data)))
            found.orderly.append(asyncio.run(opened(data)))
            found.lost += len(acknowledged - sound_attempts(data / migrate.FILE))
    found.acknowledged = len(acknowledged)
    return found


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    rounds, lines = effort.of((ROUNDS, 2 * LINES), (8, LINES), (1, 5))
    found = loop(rounds, lines)
    killed, orderly = statistics.median(found.killed), statistics.median(found.orderly)
    return [
        Ratio("answers lost by kill -9", "answers acknowledged", found.lost / found.acknowledged,
              f"{found.lost} of {found.acknowledged:,}", rounds),
        Ratio("opening the file after kill -9", "after an orderly end", medians(found.killed, found.orderly),
              f"{1000 * killed:.0f} and {1000 * orderly:.0f} ms", rounds),
    ]  # fmt: skip


def main() -> None:
    for ratio in ratios():
        print(ratio.row("crashes"))


if __name__ == "__main__":
    main()
