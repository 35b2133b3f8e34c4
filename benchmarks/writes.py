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


async def answers(folder: Path, group: int) -> Run:
    """Let all learners answer at once, while others read."""
    async with Database(migrate.prepare(folder, at=AT), readers=READERS, group=group) as db:
        packs, drills = PackStore(db), DrillStore(db)
        change = await packs.save(PackHead("N5", None), rows(LENGTH), AT)
        items = [item.id for item in await packs.items(change.pack.id)]
        begun = {user: await begin(drills, user, items) for user in map(UserId, range(1, LEARNERS + 1))}
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


async def stall() -> float:
    """The longest time the event loop stood still, in milliseconds, until cancelled."""
    longest, before = 0.0, time.perf_counter()
    try:
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            longest, before = max(longest, now - before), now
    except asyncio.CancelledError:
        return 1000 * longest


async def packs(folder: Path) -> list[tuple[str, float, float]]:
    """Save a large pack; what was done, seconds, and the longest stall of the event loop in milliseconds."""
    given = rows(ROWS)
    changed = [replace(given[0], furigana="私(わたし)"), *given[1:]]
    everything = rows(ROWS, "I am a student.")
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
            watch = asyncio.create_task(stall())
            await asyncio.sleep(0.01)
            started = time.perf_counter()
            await store.save(PackHead("large", None), items, AT)
            took = time.perf_counter() - started
            watch.cancel()
            measured.append((name, took, await watch))
    return measured


def main() -> None:
    runs: dict[int, list[Run]] = {1: [], GROUP: []}
    with tempfile.TemporaryDirectory() as folder:
        for turn, group in enumerate([1, GROUP] * ROUNDS):
            runs[group].append(asyncio.run(answers(Path(folder) / f"{turn}", group)))
        saved = asyncio.run(packs(Path(folder) / "packs"))
    print(f"{LEARNERS} learners at once, {READERS} readers, median of {ROUNDS} runs each, taken in turn\n")
    print("| answers in one COMMIT | answers/s | p50 ms | p99 ms |\n|---|---|---|---|")
    for group, several in runs.items():
        rate, p99 = (statistics.median(values) for values in ([r.rate for r in several], [r.p99 for r in several]))
        p50 = statistics.median(wait for run in several for wait in run.waits)
        print(f"| up to {group} | {rate:,.0f} | {p50:.1f} | {p99:.1f} |")
    single, grouped = (statistics.median(run.rate for run in several) for several in runs.values())
    print(f"\nratio {grouped / single:.1f}\n")
    print(f"| a pack of {ROWS:,} rows | seconds | longest stall of the event loop, ms |\n|---|---|---|")
    for name, seconds, longest in saved:
        print(f"| {name} | {seconds:.2f} | {longest:.0f} |")


if __name__ == "__main__":
    main()
