"""What recall costs beside a bare product over the same matrix, for a learner of a thousand to a hundred thousand mistakes."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import resource
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.labelled import AT, TENTH_OF_A_DAY, USER, World, world, write_mistakes
from benchmarks.measuring import standstill, timed, worked
from benchmarks.table import HEAD, Effort, Ratio, medians
from bot.clients.embedders import HashedEmbedder, Usem3Embedder
from lessons import recall
from lessons.model import MistakeId, Track, UserId
from lessons.ports import Memory
from storage import migrate
from storage.connection import Database
from storage.memories import CACHED, ROOM, MemoryStore
from storage.remembered import Kept

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from storage.session import Writing

SIZES = tuple(int(size) for size in os.environ.get("SIZES", "1000,10000,100000").split(","))
TRACKS = (Track.LESSON,)
TURNS = 60
COLD = 3
LOOPS = 3  # of the turns
STEP = 7919  # from one question to the next: all over the history
MIB = 2**20


@dataclass
class Row:
    """What was measured over one learner's history, in milliseconds; `longest` are stalls of the event loop."""

    size: int
    width: int
    matrix: int = 0  # bytes
    file: int = 0  # bytes
    cold: list[float] = field(default_factory=list)
    longest: list[float] = field(default_factory=list)
    product: list[float] = field(default_factory=list)
    best: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    parts: list[float] = field(default_factory=list)
    weighed: list[float] = field(default_factory=list)
    loop: list[float] = field(default_factory=list)
    cached: list[float] = field(default_factory=list)
    one_more: list[float] = field(default_factory=list)
    vec: list[float] = field(default_factory=list)
    found: int = 0
    written: float = 0.0


def forget_pages(file: Path) -> int:
    """Drop the file from the system's cache; return its bytes."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return file.stat().st_size


def asked(of: World, memory: Memory, query: NDArray[np.float32], turn: int) -> recall.Found | None:
    """Recall one of the learner's own mistakes."""
    row = turn * STEP % len(memory.mistakes)
    mistake, item, kind = (int(column[row]) for column in (memory.mistakes, memory.items, memory.kinds))
    question = recall.Query(mistake, item, kind, query, float(memory.at[row]))
    return recall.recall(question, memory, of.calibration, dimension=of.dimension, now=float(memory.at[-1]))


def best_ten(memory: Memory, query: NDArray[np.float32]) -> None:
    """The product, and its ten highest."""
    scores = memory.vectors @ query
    np.argpartition(scores, len(scores) - 10)[-10:]


async def measure(file: Path, of: World, size: int) -> Row:
    """Read cold, then ask warm, in turn with the bare product."""
    write_mistakes(file, of, size)
    vectors = of.drawn(size)
    row = Row(size, vectors.shape[1])
    async with Database(file) as db:
        several = [(USER, MistakeId(number + 1), vector) for number, vector in enumerate(vectors)]
        started = time.perf_counter()
        for first in range(0, size, 1000):
            await MemoryStore(db).save_many(of.space, several[first : first + 1000])
        row.written = size / (time.perf_counter() - started)
    async with Database(file) as db:
        for _ in range(COLD):
            row.file = forget_pages(file)
            store = MemoryStore(db, room=2**40)
            await cold(store, of, vectors[0], row)
        await warm(store, of, vectors, row)
        await one_more(store, db, of, row)
    return row


async def cold(store: MemoryStore, of: World, query: NDArray[np.float32], row: Row) -> None:
    """The first question to a store."""
    async with standstill() as stood:
        started = time.perf_counter()
        memory = await store.memory(USER, TRACKS, of.space)
        took = time.perf_counter() - started
    row.longest.append(stood.longest)
    row.cold.append(1000 * took + timed(asked, of, memory, query, 0))
    row.matrix = store.remembered.bytes


async def warm(store: MemoryStore, of: World, vectors: NDArray[np.float32], row: Row) -> None:
    """Further questions, each beside the bare product with the same vector, in time of a core."""
    for turn in range(TURNS):
        query = vectors[turn * STEP % row.size]
        memory = await store.memory(USER, TRACKS, of.space)
        row.best.append(worked(best_ten, memory, query))
        row.product.append(worked(np.matmul, memory.vectors, query))
        started = time.thread_time()
        memory = await store.memory(USER, TRACKS, of.space)
        cached = time.thread_time()
        found = asked(of, memory, query, turn)
        row.warm.append(1000 * (time.thread_time() - started))
        row.cached.append(1000 * (cached - started))
        row.found += found is not None
        taken_apart(of, memory, query, turn, row)


def taken_apart(of: World, memory: Memory, query: NDArray[np.float32], turn: int, row: Row) -> None:
    """What of a question goes into the parts of the likeness, and into their weights; and what a loop over rows takes."""
    kind = int(memory.kinds[turn * STEP % len(memory.mistakes)])
    centre = np.asarray(of.calibration.centre, np.float32)
    started = time.thread_time()
    parts = recall.parts(query, kind, memory, centre)
    ready = time.thread_time()
    recall.probabilities(parts, of.calibration, memory.mistakes != -1)
    row.parts.append(1000 * (ready - started))
    row.weighed.append(1000 * (time.thread_time() - ready))
    if turn < LOOPS:
        row.loop.append(worked(plain_loop, memory, query))


def plain_loop(memory: Memory, query: NDArray[np.float32]) -> list[tuple[float, int]]:
    """The three nearest, one mistake after the other."""
    scores = [
        (float(vector @ query), int(mistake)) for vector, mistake in zip(memory.vectors, memory.mistakes, strict=True)
    ]
    return sorted(scores, reverse=True)[:3]


async def one_more(store: MemoryStore, db: Database, of: World, row: Row) -> None:
    """After each further mistake the matrix is read on from where it ended."""
    for number in range(10):
        mistake = MistakeId(10**7 + number)
        await db.write(partial(copy_first, to=mistake, later=row.size * TENTH_OF_A_DAY + number))
        await store.save(USER, mistake, of.space, of.vectors[number])
        started = time.perf_counter()
        memory = await store.memory(USER, TRACKS, of.space)
        row.one_more.append(1000 * (time.perf_counter() - started))
        assert len(memory.mistakes) == row.size + number + 1


async def copy_first(transaction: Writing, to: MistakeId, later: int) -> None:
    """Make the first mistake again, so many milliseconds later."""
    await transaction.run(
        "INSERT INTO mistake (id, user_id, item_id, track, prompt, reference, typed, error_type, part_of_speech, feedback, "
        "level, pack_name, at) SELECT ?, user_id, item_id, track, prompt, reference, typed, error_type, part_of_speech, "
        "feedback, '', '', at + ? FROM mistake WHERE id = 1",
        (to, later),
    )


def sqlite_vec() -> tuple[Any, Any] | str:
    """The pair of packages, or why it cannot be had."""
    try:
        vec, lite = importlib.import_module("sqlite_vec"), importlib.import_module("pysqlite3")
        with contextlib.closing(lite.connect(":memory:")) as conn:
            conn.enable_load_extension(True)
            vec.load(conn)
    except Exception as error:  # noqa: BLE001 - whatever keeps it from loading is the reason
        return f"{type(error).__name__}: {error}"
    return vec, lite


def measure_vec(folder: Path, of: World, row: Row, packages: tuple[Any, Any]) -> None:
    """The ten nearest of the same vectors by sqlite-vec, warm."""
    vec, lite = packages
    vectors = of.drawn(row.size)
    with contextlib.closing(lite.connect(str(folder / "vec.db"))) as conn:
        conn.enable_load_extension(True)
        vec.load(conn)
        conn.execute("PRAGMA cache_size = -1000000")
        conn.execute(f"CREATE VIRTUAL TABLE v USING vec0(user_id integer partition key, vector float[{row.width}])")
        conn.executemany(
            "INSERT INTO v (rowid, user_id, vector) VALUES (?, 1, ?)",
            ((number + 1, vector.tobytes()) for number, vector in enumerate(vectors)),
        )
        conn.commit()

        def nearest(query: bytes) -> None:
            sql = "SELECT rowid, distance FROM v WHERE vector MATCH ? AND k = 10 AND user_id = 1"
            conn.execute(sql, (query,)).fetchall()

        for turn in range(1 + TURNS // 6):
            row.vec.append(worked(nearest, vectors[turn * STEP % row.size].tobytes()))
        del row.vec[0]


def bounded(of: World) -> tuple[int, int]:
    """Learners and bytes that are kept when a thousand learners of a thousand mistakes come by."""
    store = MemoryStore(Database(Path("nowhere")))
    width = of.vectors.shape[1]
    chance = np.random.default_rng(2)
    for user in map(UserId, range(1000)):
        size = int(chance.integers(1, 2000))
        columns = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size), np.zeros(size, np.int16)
        kind = frozenset(TRACKS), of.space
        with store.remembered.loading(user) as load:
            memory = Memory(*columns, np.zeros((size, width), np.float32))
            store.remembered.keep(user, kind, Kept(memory, 1), load)
        assert store.remembered.bytes <= ROOM
    return len(store.remembered), store.remembered.bytes


async def measured(of: World, sizes: Sequence[int], packages: tuple[Any, Any] | str) -> list[Row]:
    """A row for each size."""
    rows = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(await measure(migrate.prepare(Path(folder), at=AT), of, size))
            if not isinstance(packages, str):
                measure_vec(Path(folder), of, rows[-1], packages)
    return rows


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    kind = effort.of(Usem3Embedder.kind, Usem3Embedder.kind, HashedEmbedder.kind)
    of = asyncio.run(world(kind, effort.of(None, 100, 20)))
    rows = asyncio.run(measured(of, effort.of(SIZES, (1000, 5000), (40,)), sqlite_vec()))
    return [ratio for row in rows for ratio in compared(row)]


def compared(row: Row) -> list[Ratio]:
    """What recall costs over one history, beside other ways and moments."""
    size, ms = f"over {row.size:,} mistakes", "{:.2f} and {:.2f} ms"

    def beside(what: str, against: str, values: list[float], others: list[float]) -> Ratio:
        runs = min(len(values), len(others))
        return Ratio(
            f"{what} {size}", against, medians(values, others), ms.format(median(values), median(others)), runs
        )

    found = [
        beside("recall, warm,", "bare product of the same matrix", row.warm, row.product),
        beside("parts of the likeness", "bare product of the same matrix", row.parts, row.product),
        beside("weighing the parts", "bare product of the same matrix", row.weighed, row.product),
        beside("recall, cold,", "warm", row.cold, row.warm),
        beside("reading on after one more mistake", "cold", row.one_more, row.cold),
        beside("a plain loop over cosines", "recall, warm", row.loop, row.warm),
        Ratio(f"longest stall of the loop, cold, {size}", "the time that takes", max(row.longest) / median(row.cold),
              f"{max(row.longest):.0f} ms of {median(row.cold):.0f}", len(row.cold)),
    ]  # fmt: skip
    return [*found, beside("sqlite-vec", "recall, warm", row.vec, row.warm)] if row.vec else found


async def main() -> None:
    of = await world()
    packages = sqlite_vec()
    rows = await measured(of, SIZES, packages)
    print(HEAD)
    for row in rows:
        for ratio in compared(row):
            print(ratio.row("recall"))
    for row in rows:
        print(f"{row.size:,} mistakes: matrix {row.matrix / MIB:.0f} MiB, file {row.file / MIB:.0f} MiB, "
              f"{row.written:,.0f} vectors written a second, {row.found} of {TURNS} questions with a line")  # fmt: skip
    if isinstance(packages, str):
        print(f"sqlite-vec was left out: {packages}")
    learners, kept = bounded(of)
    print(f"After 1,000 learners of 1 to 2,000 mistakes the caches hold {learners} of them in {kept / MIB:.0f} MiB "
          f"(at most {CACHED} and {ROOM // MIB} MiB); a matrix above that is read anew each time.")  # fmt: skip
    print(f"Most memory this run took: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB.")


if __name__ == "__main__":
    asyncio.run(main())
