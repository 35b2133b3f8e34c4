"""A year of fifty learners: what an answer, a review, a start and a backup cost on the last day beside the first one.

    python -m benchmarks.year [--days N]

Fifty learners give a hundred answers a day, a fifth of them wrong, in drills of ten taken in turn. The first and the last day go
through the flow on real files, the days between are written in bulk.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import shutil
import statistics
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.history import MISSES, NEW, SESSION, Past, course
from benchmarks.measuring import resident, standstill
from benchmarks.table import Effort, Ratio
from bot.settings import Settings
from bot.wiring import open_services
from lessons.flows.delivering import DrillRequest
from lessons.model import GuildId, InteractionId, Submission, UserId, Verdict
from storage import backup, migrate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from benchmarks.history import Course
    from bot.app import Services

FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
GUILD = GuildId(71)
MIB = 2**20


@dataclass(frozen=True)
class Size:
    """How much is simulated."""

    learners: int
    answers: int
    days: int
    embedder: str

    @property
    def items(self) -> int:
        """Items of the pack: enough for every day to have new ones."""
        return self.days * NEW + 200

    @property
    def users(self) -> list[UserId]:
        """The learners."""
        return [UserId(number) for number in range(1, self.learners + 1)]


@dataclass
class Day:
    """What was measured on one day: seconds, milliseconds, MiB."""

    start: float = 0.0
    right: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    begun: list[float] = field(default_factory=list)
    review: list[float] = field(default_factory=list)
    progress: list[float] = field(default_factory=list)
    upkeep: list[float] = field(default_factory=list)
    recalled: int = 0
    stall: float = 0.0
    memory: float = 0.0
    backup: float = 0.0
    copy: float = 0.0
    file: float = 0.0

    @property
    def answers(self) -> list[float]:
        """Of all answers."""
        return self.right + self.missed


class Clock:
    """Stands still until it is told the time."""

    def __init__(self) -> None:
        self.at = FIRST

    def __call__(self) -> datetime:
        return self.at


@asynccontextmanager
async def opened(folder: Path, size: Size, clock: Clock, day: Day) -> AsyncIterator[Services]:
    """Start the house and note how long that took."""
    started = time.perf_counter()
    async with open_services(Settings(data=folder, embedder=size.embedder), clock=clock) as services:
        day.start = time.perf_counter() - started
        yield services


async def practise(services: Services, size: Size, of: Course, day: Day, clock: Clock) -> None:
    """Let everybody practise for a day, a drill of each in turn."""
    wrong = {question.item.id: question.wrong for question in of.questions}
    chance = random.Random(clock.at.isoformat())
    numbers = count(int(clock.at.timestamp()) * 10**6)
    async with standstill() as stood:
        for _ in range(0, size.answers, SESSION):
            for user in size.users:
                await drill(services, user, min(SESSION, size.answers), day, lambda item, right: wrong[item] if chance.random() < MISSES else right, clock, numbers)
            clock.at += timedelta(minutes=30)
    day.stall = stood.longest


async def drill(services, user, answers, day, typed, clock, numbers) -> None:
    started = time.perf_counter()
    ask = DrillRequest(user, GUILD, count=answers, anew=True, extra=True)
    step = await services.delivering.start(ask, clock())
    day.begun.append(1000 * (time.perf_counter() - started))
    while step.exercise is not None:
        item = step.exercise.item
        text = typed(item.id, item.answer)
        for _ in range(2):  # a retry is free once
            submission = Submission(user, step.exercise.id, text, clock(), InteractionId(next(numbers)))
            started = time.perf_counter()
            outcome = await services.answering.answer(submission)
            took = 1000 * (time.perf_counter() - started)
            (day.right if outcome.mistake is None else day.missed).append(took)
            day.recalled += outcome.recollection is not None
            if outcome.grade.verdict is not Verdict.RETRY:
                break
        step = await services.delivering.step(step.drill.id, user)


async def look_back(services: Services, size: Size, day: Day, clock: Clock) -> None:
    """Let some look at their review and their progress, and let the upkeep look for what is left to do."""
    for user in size.users[:10]:
        for work, into in ((lambda: services.reviewing.review(user, clock(), 5), day.review), (lambda: services.reviewing.progress(user, clock()), day.progress)):
            started = time.perf_counter()
            await work()
            into.append(1000 * (time.perf_counter() - started))
    for _ in range(3):
        started = time.perf_counter()
        await services.reviewing.recalling.fill_in()
        day.upkeep.append(1000 * (time.perf_counter() - started))
    gc.collect()
    day.memory = resident()


def keep_copy(folder: Path, day: Day, clock: Clock) -> None:
    """Back up, beside a bare copy of the file."""
    file = folder / migrate.FILE
    day.file = file.stat().st_size / MIB
    started = time.perf_counter()
    shutil.copyfile(file, folder / "copy")
    day.copy = time.perf_counter() - started
    (folder / "copy").unlink()
    started = time.perf_counter()
    backup.back_up(file, at=clock())
    day.backup = time.perf_counter() - started


async def a_day(folder: Path, size: Size, of: Course | None, clock: Clock) -> tuple[Day, Course]:
    """One day from its start to its backup."""
    day = Day()
    async with opened(folder, size, clock, day) as services:
        if of is None:
            of = await course(services, GUILD, size.items, clock())
        await practise(services, size, of, day, clock)
        await look_back(services, size, day, clock)
    keep_copy(folder, day, clock)
    return day, of


async def a_year(folder: Path, size: Size) -> tuple[Day, Day, float]:
    """The first day, the last one, and the seconds it took to write those between."""
    clock = Clock()
    async with opened(folder, size, clock, Day()):
        pass  # the very first start reads the starter packs
    first, of = await a_day(folder, size, None, clock)
    started = time.perf_counter()
    past = Past(folder / migrate.FILE, GUILD, of)
    for number in range(1, size.days - 1):
        past.day(size.users, number, size.answers, FIRST + timedelta(days=number))
    clock.at = FIRST + timedelta(days=size.days - 1)
    past.finish(size.users, size.days - 1, clock.at)
    written = time.perf_counter() - started
    last, _ = await a_day(folder, size, of, clock)
    return first, last, written


def p99(values: list[float]) -> float:
    """The value that 99 of 100 stay below."""
    return statistics.quantiles(values, n=100)[98] if len(values) > 1 else values[0]


def compared(size: Size, first: Day, last: Day) -> list[Ratio]:
    """Everything on the last day beside the first one."""
    def beside(what: str, now: float, then: float, unit: str, runs: int) -> Ratio:
        return Ratio(f"{what}, day {size.days}", "day 1", now / then if then else float("nan"), f"{now:,.1f} and {then:,.1f} {unit}", runs)

    medians, answers = statistics.median, len(last.answers)
    total = size.learners * size.answers * size.days
    return [
        beside("answer p50", medians(last.answers), medians(first.answers), "ms", answers),
        beside("answer p99", p99(last.answers), p99(first.answers), "ms", answers),
        beside("right answer p50", medians(last.right), medians(first.right), "ms", len(last.right)),
        beside("miss with recall p50", medians(last.missed), medians(first.missed), "ms", len(last.missed)),
        beside("miss with recall p99", p99(last.missed), p99(first.missed), "ms", len(last.missed)),
        beside("drill begun p50", medians(last.begun), medians(first.begun), "ms", len(last.begun)),
        beside("drill begun p99", p99(last.begun), p99(first.begun), "ms", len(last.begun)),
        beside("/review p50", medians(last.review), medians(first.review), "ms", len(last.review)),
        beside("/progress p50", medians(last.progress), medians(first.progress), "ms", len(last.progress)),
        beside("looking for missing vectors, none there", medians(last.upkeep), medians(first.upkeep), "ms", len(last.upkeep)),
        beside("longest stall of the loop", last.stall, first.stall, "ms", 1),
        beside("memory after the day", last.memory, first.memory, "MiB", 1),
        beside("start", last.start, first.start, "s", 1),
        beside("backup", last.backup, first.backup, "s", 1),
        Ratio("backup with its check", "bare copy of the file", last.backup / last.copy, f"{last.backup:.1f} and {last.copy:.1f} s", 1),
        beside("database", last.file, first.file, "MiB", 1),
        Ratio("bytes of the database", "answers ever given", last.file * MIB / total, f"{last.file:,.0f} MiB, {total:,} answers"),
    ]  # fmt: skip


def simulate(size: Size) -> tuple[Day, Day, float]:
    """Live through it in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(a_year(Path(folder), size))


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    size = effort.of(Size(50, 100, 365, "auto"), Size(10, 40, 60, "auto"), Size(2, 10, 4, "hashed"))
    first, last, _ = simulate(size)
    return compared(size, first, last)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.year")
    parser.add_argument("--days", type=int, default=365)
    size = Size(50, 100, parser.parse_args().days, "auto")
    first, last, written = simulate(size)
    print(f"{size.learners} learners, {size.answers} answers a day, {size.days} days; those between written in {written:.0f} s")
    for ratio in compared(size, first, last):
        print(ratio.row("year"))
    print(f"with a line of similar mistakes: {first.recalled} of {len(first.missed)} misses, at the end {last.recalled} of {len(last.missed)}")


if __name__ == "__main__":
    main()
