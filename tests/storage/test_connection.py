"""Connections: how each kind is set up, what a read sees, and that none outlives its database."""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest

from lessons.errors import DamagedDatabase, StorageReadOnly
from storage import dialect
from storage.connection import Database
from storage.session import Reading
from tests.storage.notes import noting, numbers

if TYPE_CHECKING:
    from pathlib import Path

    from storage.session import Writing


async def left_of(before: set[threading.Thread]) -> list[threading.Thread]:
    """Threads of connections started since `before` that do not end."""
    new = [t for t in set(threading.enumerate()) - before if not t.name.startswith("asyncio")]
    for thread in new:
        await asyncio.to_thread(thread.join, 10)
    return [thread for thread in new if thread.is_alive()]


async def pragma(source: Reading, name: str) -> object:
    row = await source.one(f"PRAGMA {name}")
    return row[0] if row else None


WANTED = {
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "journal_mode": "wal",
    "synchronous": 2,
    "mmap_size": 0,
    "page_size": 8192,
    "wal_autocheckpoint": 1000,
}


async def test_the_writing_connection_is_set_up_to_keep_what_it_acknowledges(db: Database) -> None:
    async def work(transaction: Writing) -> dict[str, object]:
        return {name: await pragma(transaction, name) for name in (*WANTED, "query_only", "secure_delete")}

    assert await db.write(work) == WANTED | {"query_only": 0, "secure_delete": 1}


async def test_every_reading_connection_reads_only(db: Database) -> None:
    async with db.reading() as one, db.reading() as two, db.reading() as three:
        for snapshot in (one, two, three):
            assert {name: await pragma(snapshot, name) for name in WANTED} == WANTED
            assert await pragma(snapshot, "query_only") == 1
            for _ in range(2):
                with pytest.raises(sqlite3.OperationalError, match="readonly"):
                    await snapshot.all("DELETE FROM learner")
                await snapshot.all("PRAGMA query_only = OFF")  # mode=ro holds by itself


async def test_a_read_sees_every_write_acknowledged_before_it(notes: Database) -> None:
    async def write_and_read(number: int) -> bool:
        await notes.write(noting(number))
        return number in await numbers(notes)

    assert all(await asyncio.gather(*(write_and_read(number) for number in range(200))))


async def test_a_reading_is_one_snapshot(notes: Database) -> None:
    async with notes.reading() as snapshot:
        assert await snapshot.all("SELECT * FROM note") == []
        await notes.write(noting(1))
        assert await snapshot.all("SELECT * FROM note") == []
    assert await numbers(notes) == [1]


async def test_more_readings_than_connections_wait_for_one_another(notes: Database) -> None:
    await notes.write(noting(1))
    assert await asyncio.gather(*(numbers(notes) for _ in range(50))) == [[1]] * 50


async def test_a_reader_that_gives_up_leaves_no_snapshot_open(notes: Database) -> None:
    chance = random.Random(1)
    for _ in range(100):
        task = asyncio.create_task(numbers(notes))
        for _ in range(chance.randrange(12)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    await notes.write(noting(1))
    assert await asyncio.gather(*(numbers(notes) for _ in range(12))) == [[1]] * 12


async def test_closing_carries_out_what_was_accepted_and_refuses_the_rest(file: Path) -> None:
    db = Database(file)
    await db.open()
    await db.write(lambda transaction: transaction.run("CREATE TABLE note (number INTEGER NOT NULL UNIQUE) STRICT"))
    writes = [asyncio.create_task(db.write(noting(number))) for number in range(200)]
    await asyncio.sleep(0)
    await db.close()
    assert await asyncio.gather(*writes) == list(range(200))
    with pytest.raises(RuntimeError, match="closed"):
        await db.write(noting(1))
    with pytest.raises(RuntimeError, match="closed"):
        await numbers(db)
    await db.close()
    await db.open()
    assert await numbers(db) == list(range(200))
    await db.close()
    assert not file.with_name("kizuki.db-wal").exists()


async def test_closing_ends_every_thread_wherever_it_or_opening_is_cancelled(file: Path) -> None:
    before = set(threading.enumerate())
    for steps in range(60):
        db = Database(file)
        opening = asyncio.create_task(db.open())
        for _ in range(steps):
            await asyncio.sleep(0.0002)
        opening.cancel()
        await asyncio.wait([opening])
        closing = asyncio.create_task(db.close())
        for _ in range(steps % 7):
            await asyncio.sleep(0)
        closing.cancel()
        await asyncio.wait([closing])
        await db.close()
    assert await left_of(before) == []


async def test_a_file_without_tables_can_be_written_to(tmp_path: Path) -> None:
    async with Database(tmp_path / "plain.db") as db:
        await db.write(lambda transaction: transaction.run("CREATE TABLE note (number INTEGER NOT NULL UNIQUE) STRICT"))
        await db.write(noting(1))
        assert await numbers(db) == [1]


async def test_closing_does_not_wait_for_a_reading_that_never_ends(file: Path) -> None:
    db = Database(file, readers=1)
    await db.open()
    async with db.reading() as snapshot:
        waiting = asyncio.create_task(numbers(db))
        await asyncio.sleep(0)
        await db.close()
        with pytest.raises(ValueError, match="closed"):
            await snapshot.one("SELECT 1")
    with pytest.raises(RuntimeError, match="closed"):
        await waiting


async def test_a_file_that_is_no_database_is_told_in_words_and_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    file = tmp_path / "kizuki.db"
    file.write_bytes(b"It was a dark and stormy night. " * 1000)
    with pytest.raises(DamagedDatabase) as caught:
        await Database(file).open()
    assert caught.value.path == str(file)
    with pytest.raises(StorageReadOnly):
        await Database(tmp_path).open()
    assert await left_of(before) == []


async def test_no_answer_reaches_the_log_at_any_level(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with Database(file) as db:
        await db.write(lambda transaction: transaction.all("SELECT ?", ("canary",)))
        async with db.reading() as snapshot:
            await snapshot.one("SELECT :it", {"it": "canary"})
            with pytest.raises(sqlite3.OperationalError):
                await snapshot.one("SELECT nothing WHERE ?", ("canary",))
    assert "canary" not in caplog.text
    assert logging.getLogger("aiosqlite").getEffectiveLevel() >= logging.INFO


@pytest.mark.parametrize(
    ("version", "warned"),
    [
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 4), False),
    ],
)
def test_an_sqlite_with_the_wal_reset_bug_is_named_in_the_log(
    version: tuple[int, ...], warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    assert dialect.warn_of_old_sqlite(version) is warned
    assert len(caplog.records) == int(warned)
    assert ".".join(map(str, version)) in caplog.text or not warned
