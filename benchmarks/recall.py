"""What recall costs beside a bare product over the same matrix, for a learner of a thousand to a hundred thousand mistakes."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import importlib
import os
import resource
import sqlite3
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.clients.embedders import Usem3Embedder, choose
from lessons import cards, recall
from lessons.model import ErrorType, MistakeCard, MistakeId, Space, Track, UserId
from lessons.ports import Memory
from storage import migrate
from storage.connection import Database
from storage.memories import CACHED, ROOM, MemoryStore
from storage.remembered import Kept

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from storage.session import Writing

AT = datetime(2027, 3, 14, tzinfo=UTC)
SIZES = tuple(int(size) for size in os.environ.get("SIZES", "1000,10000,100000").split(","))
USER = UserId(1)
TRACKS = (Track.LESSON,)
TURNS = 60
COLD = 3
STEP = 7919  # from one question to the next: all over the history
MIB = 2**20
TENTH_OF_A_DAY = 8_640_000  # milliseconds


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
    cached: list[float] = field(default_factory=list)
    one_more: list[float] = field(default_factory=list)
    vec: list[float] = field(default_factory=list)
    found: int = 0
    written: float = 0.0


@dataclass
class World:
    """Labelled mistakes with their vectors, to be repeated until there are enough."""

    space: Space
    dimension: int
    calibration: recall.Calibration
    cards: list[MistakeCard]
    vectors: NDArray[np.float32]

    def drawn(self, amount: int) -> NDArray[np.float32]:
        """Vectors [amount, width]: the labelled ones again and again, each a little aside."""
        chance = np.random.default_rng(1)
        drawn = self.vectors[np.arange(amount) % len(self.vectors)]
        drawn += chance.normal(scale=0.3 / np.sqrt(self.dimension), size=drawn.shape).astype(np.float32)
        return drawn


async def world() -> World:
    """Embed the labelled set with the embedder of a fresh machine."""
    embedder = await choose(Usem3Embedder.kind, "")
    with files("lessons").joinpath("data/evaluation/mistakes.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["is_junk"] == "0"]
    made = [
        MistakeCard(
            Track.LESSON,
            row["cloze"],
            row["reference"],
            row["user_answer"],
            ErrorType(row["error_type"]),
            row["pos"],
            row["feedback"],
        )
        for row in rows
    ]
    both = [await embedder.embed([text(card) for card in made]) for text in (cards.card_text, cards.pair_text)]
    name, dimension = embedder.name, embedder.dimension
    embedder.close()
    calibration = recall.shipped(name)
    assert calibration is not None
    space = Space(name, recall.CARD_VERSION)
    return World(space, dimension, calibration, made, recall.layout(both[0], both[1], made))


def write_mistakes(file: Path, of: World, amount: int) -> None:
    """A learner's mistakes over a quarter as many exercises, ten a day."""
    exercises = max(1, amount // 4)
    with contextlib.closing(sqlite3.connect(file)) as conn, conn:
        conn.execute("INSERT INTO learner (user_id, created_at, updated_at) VALUES (?, 0, 0)", (USER,))
        conn.execute("INSERT INTO pack VALUES (1, NULL, 'N5', 'n5', '', '', 'ja', 0, NULL, 0, 0, NULL)")
        conn.executemany(
            "INSERT INTO item VALUES (?, 1, ?1, ?1, 1, '', 'cloze', 'p', '', '', '', '', NULL, '', '', '', '', NULL)",
            ((number,) for number in range(1, exercises + 1)),
        )
        now = int(AT.timestamp() * 1000)
        conn.executemany(
            "INSERT INTO mistake VALUES (?, ?, NULL, ?, 'lesson', ?, ?, ?, ?, NULL, ?, ?, '', '', ?)",
            (
                (
                    *(number + 1, USER, number % exercises + 1, card.prompt, card.reference, card.typed),
                    *(card.error_type, card.part_of_speech, card.feedback, now - (amount - number) * TENTH_OF_A_DAY),
                )
                for number, card in ((number, of.cards[number % len(of.cards)]) for number in range(amount))
            ),
        )


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


def forget_pages(file: Path) -> int:
    """Drop the file from the system's cache; return its bytes."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return file.stat().st_size


def timed(work: Callable[..., object], *given: object) -> float:
    """Milliseconds."""
    started = time.perf_counter()
    work(*given)
    return 1000 * (time.perf_counter() - started)


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
    watch = asyncio.create_task(stall())
    await asyncio.sleep(0.01)
    started = time.perf_counter()
    memory = await store.memory(USER, TRACKS, of.space)
    took = time.perf_counter() - started
    watch.cancel()
    row.longest.append(await watch)
    row.cold.append(1000 * took + timed(asked, of, memory, query, 0))
    row.matrix = store.remembered.bytes


async def warm(store: MemoryStore, of: World, vectors: NDArray[np.float32], row: Row) -> None:
    """Further questions, each beside the bare product with the same vector."""
    for turn in range(TURNS):
        query = vectors[turn * STEP % row.size]
        memory = await store.memory(USER, TRACKS, of.space)
        row.best.append(timed(best_ten, memory, query))
        row.product.append(timed(np.matmul, memory.vectors, query))
        started = time.perf_counter()
        memory = await store.memory(USER, TRACKS, of.space)
        cached = time.perf_counter()
        found = asked(of, memory, query, turn)
        row.warm.append(1000 * (time.perf_counter() - started))
        row.cached.append(1000 * (cached - started))
        row.found += found is not None


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
        "INSERT INTO mistake SELECT ?, user_id, NULL, item_id, track, prompt, reference, typed, error_type, NULL, "
        "part_of_speech, feedback, '', '', at + ? FROM mistake WHERE id = 1",
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
            row.vec.append(timed(nearest, vectors[turn * STEP % row.size].tobytes()))
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


COLUMNS: dict[str, Callable[[Row], str]] = {
    "mistakes": lambda row: f"{row.size:,}",
    "matrix, MiB": lambda row: f"{row.matrix / MIB:.0f}",
    "file, MiB": lambda row: f"{row.file / MIB:.0f}",
    "cold, ms": lambda row: f"{median(row.cold):,.0f}",
    "largest stall meanwhile, ms": lambda row: f"{max(row.longest):.0f}",
    "read on after one more, ms": lambda row: f"{median(row.one_more):.1f}",
    "bare product, ms": lambda row: f"{median(row.product):.2f}",
    "warm, ms": lambda row: f"{median(row.warm):.2f}",
    "of it the cache, ms": lambda row: f"{median(row.cached):.3f}",
    "warm / product": lambda row: f"{median(row.warm) / median(row.product):.2f}",
    "product with its ten best / product": lambda row: f"{median(row.best) / median(row.product):.2f}",
    "sqlite-vec, ms": lambda row: f"{median(row.vec):.2f}" if row.vec else "-",
    "sqlite-vec / warm": lambda row: f"{median(row.vec) / median(row.warm):.1f}" if row.vec else "-",
    "with a line": lambda row: f"{row.found} of {TURNS}",
}


def show(rows: list[Row], reason: str) -> None:
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for row in rows:
        print(f"| {' | '.join(told(row) for told in COLUMNS.values())} |")
    print(f"\nVectors of {rows[0].width} numbers; medians of {TURNS} questions warm and {COLD} cold.")
    print("Cold: a fresh store, and the file dropped from the system's cache.")
    print("Written, vectors/s: " + ", ".join(f"{row.written:,.0f}" for row in rows) + ".")
    if reason:
        print(f"sqlite-vec was left out: {reason}")


async def main() -> None:
    of = await world()
    packages = sqlite_vec()
    rows = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(await measure(migrate.prepare(Path(folder), at=AT), of, size))
            if not isinstance(packages, str):
                measure_vec(Path(folder), of, rows[-1], packages)
    show(rows, packages if isinstance(packages, str) else "")
    learners, kept = bounded(of)
    print(f"After 1,000 learners of 1 to 2,000 mistakes the caches hold {learners} of them in {kept / MIB:.0f} MiB "
          f"(at most {CACHED} and {ROOM // MIB} MiB); a matrix above that is read anew each time.")  # fmt: skip
    print(f"Most memory this run took: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB.")


if __name__ == "__main__":
    asyncio.run(main())
