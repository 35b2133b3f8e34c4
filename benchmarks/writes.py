"""How much a shared COMMIT buys: answers stored in groups against one transaction each, and how long a large pack takes."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import tempfile
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measuring import standstill
from benchmarks.table import Effort, Ratio, in_turn, medians
from lessons.model import (
    BLANK,
    Accepted,
    Analysis,
    Attempt,
    Grade,
    InteractionId,
    ItemKind,
    Learning,
    PackHead,
    Prepared,
    Rating,
    Row,
    Spacing,
    Track,
    UserId,
    Verdict,
    Word,
)
from storage import migrate
from storage.connection import Database
from storage.drills import DrillStore
from storage.packs import PackStore
from storage.writer import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.model import ExerciseId, ItemId

AT = datetime(2027, 3, 14, tzinfo=UTC)
LEARNERS = 20
READERS = 4
LENGTH = 100
ROUNDS = 3
ROWS = 10_000


@dataclass(frozen=True)
class Run:
    """Answers a second, and the milliseconds each learner waited."""

    rate: float
    waits: list[float]

    @property
    def p99(self) -> float:
        """Milliseconds that 99 of 100 answers stayed below."""
        return statistics.quantiles(self.waits, n=100)[98]


def rows(amount: int, meaning: str = "") -> list[Prepared]:
    accepted = [Accepted(text, text, (), Analysis(text, (Word(text, text, text, text, ("助詞",)),))) for text in "はが"]
    return [
        Prepared(
            Row(f"{n}", n, f"{n // 50}", ItemKind.CLOZE, f"私{BLANK}学生です。{n}", ("は", "が"), meaning=meaning),
            tuple(accepted),
        )
        for n in range(amount)
    ]


async def begin(drills: DrillStore, user: UserId, items: list[ItemId]) -> list[ExerciseId]:
    drill = await drills.begin(user, None, Track.LESSON, "", items, AT)
    return [exercise.id for exercise in await drills.exercises(drill.id, user)]


async def answer(drills: DrillStore, user: UserId, exercises: list[ExerciseId], numbers: Iterator[int]) -> list[float]:
    """Answer a drill to its end; return what each answer took, in milliseconds."""
    waits = []
    for exercise in exercises:
        started = time.perf_counter()
        await record(drills, user, exercise, next(numbers))
        waits.append(1000 * (time.perf_counter() - started))
    return waits


async def record(drills: DrillStore, user: UserId, exercise: ExerciseId, number: int) -> None:
    spacing = Spacing(Learning.REVIEW, None, 3.1, 5.2, AT + timedelta(days=3), AT)
    given = Attempt(user, exercise, InteractionId(number), "は", Grade(Verdict.EXACT, "は"), False, AT, Rating.GOOD)
    assert await drills.record(given, spacing, None) is not None


async def read_on(packs: PackStore, item: ItemId) -> None:
    while True:
        await packs.siblings(item)
        await asyncio.sleep(0.002)


async def answers(folder: Path, group: int, learners: int = LEARNERS, length: int = LENGTH) -> Run:
    """Let all learners answer at once, while others read."""
    async with Database(migrate.prepare(folder, at=AT), readers=READERS, group=group) as db:
        packs, drills = PackStore(db), DrillStore(db)
        change = await packs.save(PackHead("N5", None), rows(length), AT)
        items = [item.id for item in await packs.items(change.pack.id)]
        begun = {user: await begin(drills, user, items) for user in map(UserId, range(1, learners + 1))}
        reading = [asyncio.create_task(read_on(packs, items[0])) for _ in range(READERS)]
        numbers = itertools.count(1)
        started = time.perf_counter()
        waits = await asyncio.gather(*(answer(drills, user, exercises, numbers) for user, exercises in begun.items()))
        took = time.perf_counter() - started
        for task in reading:
            task.cancel()
        await asyncio.wait(reading)
        flat = list(itertools.chain.from_iterable(waits))
        return Run(len(flat) / took, flat)


async def packs(folder: Path, size: int = ROWS) -> list[tuple[str, float, float]]:
    """Save a large pack; what was done, seconds, and the longest stall of the event loop in milliseconds."""
    given = rows(size)
    changed = [replace(given[0], furigana="私(わたし)"), *given[1:]]
    everything = rows(size, "I am a student.")
    steps = [
        ("new", given),
        ("the same file again", given),
        ("one row changed", changed),
        ("every row changed", everything),
    ]
    measured = []
    async with Database(migrate.prepare(folder, at=AT)) as db:
        store = PackStore(db)
        for name, items in steps:
            async with standstill() as stood:
                started = time.perf_counter()
                await store.save(PackHead("large", None), items, AT)
                took = time.perf_counter() - started
            measured.append((name, took, stood.longest))
    return measured


def measure(
    runs: int, learners: int, length: int, size: int
) -> tuple[list[Run], list[Run], list[tuple[str, float, float]]]:
    """Answers one in a COMMIT and in groups, run in turn, and a large pack."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = itertools.count()

        def answered(group: int) -> Run:
            return asyncio.run(answers(Path(folder) / f"{next(numbers)}", group, learners, length))

        single, grouped = in_turn(runs, lambda: answered(1), lambda: answered(GROUP))
        return single, grouped, asyncio.run(packs(Path(folder) / "packs", size))


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    runs, learners, length = effort.of((ROUNDS, LEARNERS, LENGTH), (2, LEARNERS, 30), (1, 2, 3))
    single, grouped, saved = measure(runs, learners, length, effort.of(ROWS, 2000, 20))
    rates, waits = (
        [[run.rate for run in way] for way in (grouped, single)],
        [[run.p99 for run in way] for way in (grouped, single)],
    )
    new, again = saved[0], saved[1]
    return [
        Ratio(
            f"answers stored a second, up to {GROUP} in a COMMIT",
            "one in a COMMIT",
            medians(*rates),
            " and ".join(f"{statistics.median(way):,.0f}/s" for way in rates),
            runs,
        ),
        Ratio(
            f"p99 of storing an answer, up to {GROUP} in a COMMIT",
            "one in a COMMIT",
            medians(*waits),
            " and ".join(f"{statistics.median(way):.1f} ms" for way in waits),
            runs,
        ),
        Ratio("loading a pack once more", "loading it new", again[1] / new[1], f"{again[1]:.2f} and {new[1]:.2f} s"),
        Ratio(
            "longest stall of the loop while a pack is loaded",
            "the time that takes",
            new[2] / 1000 / new[1],
            f"{new[2]:.0f} ms of {new[1]:.2f} s",
        ),
    ]


def main() -> None:
    single, grouped, saved = measure(ROUNDS, LEARNERS, LENGTH, ROWS)
    print(f"{LEARNERS} learners at once, {READERS} readers, median of {ROUNDS} runs each, taken in turn\n")
    print("| answers in one COMMIT | answers/s | p50 ms | p99 ms |\n|---|---|---|---|")
    for group, several in ((1, single), (GROUP, grouped)):
        rate, p99 = (statistics.median(values) for values in ([r.rate for r in several], [r.p99 for r in several]))
        p50 = statistics.median(wait for run in several for wait in run.waits)
        print(f"| up to {group} | {rate:,.0f} | {p50:.1f} | {p99:.1f} |")
    print(f"\n| a pack of {ROWS:,} rows | seconds | longest stall of the event loop, ms |\n|---|---|---|")
    for name, seconds, longest in saved:
        print(f"| {name} | {seconds:.2f} | {longest:.0f} |")


if __name__ == "__main__":
    main()
