"""A year of fifty learners: what an answer, a review, a start and a backup cost on the last day beside the first one.

    python -m benchmarks.year [--days N]

Fifty learners give a hundred answers a day, a fifth of them wrong, in drills of ten taken in turn. The first and the last day go
through the flow on real files, the days between are written in bulk.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import multiprocessing
import random
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmarks.history import MISSES, NEW, SESSION, Past, course
from benchmarks.measuring import resident, standstill
from benchmarks.table import Effort, Ratio
from bot.settings import Settings
from bot.wiring import open_services
from lessons.flows.delivering import DrillRequest
from lessons.model import GuildId, InteractionId, Submission, UserId, Verdict
from storage import backup, migrate, seals

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from benchmarks.history import Course
    from bot.app import Services
    from lessons.model import Exercise, ItemId

T = TypeVar("T")

FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
GUILD = GuildId(71)
MIB = 2**20
MANY = 10  # days


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
        """The time."""
        return self.at


@asynccontextmanager
async def opened(folder: Path, size: Size, clock: Clock, day: Day) -> AsyncIterator[Services]:
    """Start the house and note how long that took."""
    started = time.perf_counter()
    async with open_services(Settings(data=folder, embedder=size.embedder), clock=clock) as services:
        day.start = time.perf_counter() - started
        yield services


@dataclass
class Practice:
    """Lets everybody practise on one day, and notes how long each step took."""

    services: Services
    size: Size
    day: Day
    clock: Clock
    wrong: dict[ItemId, str]
    chance: random.Random = field(init=False)
    numbers: count[int] = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.clock.at.isoformat())
        self.numbers = count(int(self.clock.at.timestamp()) * 10**6)

    async def all_day(self) -> None:
        """A drill of each learner in turn, until everybody has given the day's answers."""
        async with standstill() as stood:
            for start in range(0, self.size.answers, SESSION):
                for user in self.size.users:
                    await self.drill(user, min(SESSION, self.size.answers - start))
                self.clock.at += timedelta(minutes=30)
        self.day.stall = stood.longest

    async def drill(self, user: UserId, answers: int) -> None:
        """One drill from its beginning to its end."""
        ask = DrillRequest(user, GUILD, count=answers, anew=True, extra=True)
        step = await self._timed(self.services.delivering.start(ask, self.clock()), self.day.begun)
        while step.exercise is not None:
            await self.answer(user, step.exercise)
            step = await self.services.delivering.step(step.drill.id, user)

    async def answer(self, user: UserId, exercise: Exercise) -> None:
        """One answer, given twice where the first try is free."""
        missed = self.chance.random() < MISSES
        text = self.wrong[exercise.item.id] if missed else exercise.item.answer
        for _ in range(2):
            given = Submission(user, exercise.id, text, self.clock(), InteractionId(next(self.numbers)))
            into: list[float] = []
            outcome = await self._timed(self.services.answering.answer(given), into)
            (self.day.right if outcome.mistake is None else self.day.missed).extend(into)
            self.day.recalled += outcome.recollection is not None
            if outcome.grade.verdict is not Verdict.RETRY:
                return

    async def look_back(self) -> None:
        """Let some see their review and their progress, and the upkeep look for what is left to do."""
        reviewing, day = self.services.reviewing, self.day
        for user in self.size.users[:10]:
            await self._timed(reviewing.review(user, self.clock(), 5), day.review)
            await self._timed(reviewing.progress(user, self.clock()), day.progress)
        for _ in range(3):
            await self._timed(reviewing.recalling.fill_in(), day.upkeep)
        gc.collect()
        day.memory = resident()

    async def _timed(self, work: Awaitable[T], into: list[float]) -> T:
        started = time.perf_counter()
        result = await work
        into.append(1000 * (time.perf_counter() - started))
        return result


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
        practice = Practice(services, size, day, clock, {question.item.id: question.wrong for question in of.questions})
        await practice.all_day()
        await practice.look_back()
    keep_copy(folder, day, clock)
    return day, of


async def write_between(folder: Path, size: Size, of: Course) -> float:
    """Write the days between, in a process of its own where that is much, so that the memory measured is not its; seconds."""
    if size.days < MANY:
        return between(folder, size, of)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return await asyncio.get_running_loop().run_in_executor(process, between, folder, size, of)


def between(folder: Path, size: Size, of: Course) -> float:
    """Write every day but the first and the last."""
    started = time.perf_counter()
    seals.take_off(folder / migrate.FILE)  # what is written here is no accident
    past = Past(folder / migrate.FILE, GUILD, of)
    for number in range(1, size.days - 1):
        past.day(size.users, number, size.answers, FIRST + timedelta(days=number))
    past.finish(size.users, size.days - 1, FIRST + timedelta(days=size.days - 1))
    return time.perf_counter() - started


async def a_year(folder: Path, size: Size) -> tuple[Day, Day, float]:
    """The first day, the last one, and the seconds it took to write those between."""
    clock = Clock()
    async with opened(folder, size, clock, Day()):
        pass  # the very first start reads the starter packs
    first, of = await a_day(folder, size, None, clock)
    clock.at = FIRST + timedelta(days=size.days - 1)
    written = await write_between(folder, size, of)
    last, _ = await a_day(folder, size, of, clock)
    return first, last, written


def p99(values: list[float]) -> float:
    """The value that 99 of 100 stay below."""
    return statistics.quantiles(values, n=100)[98] if len(values) > 1 else values[0]


def compared(size: Size, first: Day, last: Day) -> list[Ratio]:
    """Everything on the last day beside the first one."""

    def beside(what: str, now: float, then: float, unit: str, runs: int) -> Ratio:
        return Ratio(
            f"{what}, day {size.days}",
            "day 1",
            now / then if then else float("nan"),
            f"{now:,.1f} and {then:,.1f} {unit}",
            runs,
        )

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
    size = effort.of(Size(50, 100, 365, "auto"), Size(6, 30, 40, "auto"), Size(2, 10, 4, "hashed"))
    first, last, _ = simulate(size)
    return compared(size, first, last)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.year")
    parser.add_argument("--days", type=int, default=365)
    size = Size(50, 100, parser.parse_args().days, "auto")
    first, last, written = simulate(size)
    print(
        f"{size.learners} learners, {size.answers} answers a day, {size.days} days; those between written in {written:.0f} s"
    )
    for ratio in compared(size, first, last):
        print(ratio.row("year"))
    print(
        f"with a line of similar mistakes: {first.recalled} of {len(first.missed)} misses, at the end {last.recalled} of {len(last.missed)}"
    )


if __name__ == "__main__":
    main()
