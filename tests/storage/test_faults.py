"""A full or failing disk: nothing that was acknowledged is lost, and room is all that is needed to go on."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lessons.errors import DamagedDatabase, StorageFull, StorageReadOnly
from storage import migrate
from storage.connection import Database
from storage.faults import in_words
from tests.storage.world import AT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from storage.session import Writing


async def cap(db: Database, more: int) -> None:
    """Let the file have so many pages more at most: to SQLite the disk is full beyond."""

    async def work(transaction: Writing) -> None:
        (row,) = await transaction.all("PRAGMA page_count")
        await transaction.all(f"PRAGMA max_page_count = {row['page_count'] + more}")

    await db.write(work)


async def note(db: Database, number: int, size: int = 2_000) -> int:
    async def work(transaction: Writing) -> int:
        await transaction.run("INSERT INTO note VALUES (?, ?)", (number, bytes(size)))
        return number

    return await db.write(work)


async def stored(db: Database) -> list[int]:
    async with db.reading() as snapshot:
        return [row["number"] for row in await snapshot.all("SELECT number FROM note ORDER BY number")]


@pytest.fixture
async def notes(db: Database) -> Database:
    await db.write(lambda transaction: transaction.run("CREATE TABLE note (number INTEGER PRIMARY KEY, data BLOB)"))
    return db


async def test_a_full_disk_loses_nothing_acknowledged_and_recovers_without_restart(notes: Database) -> None:
    await cap(notes, 25)
    results = await asyncio.gather(*(note(notes, number) for number in range(500)), return_exceptions=True)
    acknowledged = [result for result in results if isinstance(result, int)]
    assert acknowledged
    assert {type(result) for result in results} == {int, StorageFull}
    assert await stored(notes) == acknowledged
    assert not notes._connections[0].in_transaction
    with pytest.raises(StorageFull):
        await note(notes, 1000, size=100_000)
    assert await stored(notes) == acknowledged

    await cap(notes, 100_000)
    assert await note(notes, 1000, size=100_000) == 1000
    assert await stored(notes) == [*acknowledged, 1000]
    async with notes.reading() as snapshot:
        assert tuple((await snapshot.all("PRAGMA integrity_check"))[0]) == ("ok",)


async def test_a_full_disk_takes_small_writes_again_once_something_is_deleted(notes: Database) -> None:
    await cap(notes, 25)
    results = await asyncio.gather(*(note(notes, number) for number in range(500)), return_exceptions=True)
    assert StorageFull in {type(result) for result in results}
    await notes.write(lambda transaction: transaction.run("DELETE FROM note WHERE number < 20"))
    assert await note(notes, 1000) == 1000


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """Let the system refuse every write beyond `size` bytes of a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_failing_disk_is_told_and_loses_nothing_acknowledged(notes: Database, file: Path) -> None:
    wal = file.with_name(f"{file.name}-wal")
    await note(notes, 0)
    with files_end_at(wal.stat().st_size + 50_000):
        results = await asyncio.gather(*(note(notes, number) for number in range(1, 300)), return_exceptions=True)
    assert StorageReadOnly in {type(result) for result in results}
    told = next(result for result in results if isinstance(result, StorageReadOnly))
    assert told.path == str(file)
    assert isinstance(told.__cause__, sqlite3.OperationalError)
    acknowledged = [0, *(result for result in results if isinstance(result, int))]
    assert await stored(notes) == acknowledged
    assert await note(notes, 1000, size=300_000) == 1000
    assert await stored(notes) == [*acknowledged, 1000]


def spoil_last_quarter(file: Path) -> None:
    sound = file.read_bytes()
    file.write_bytes(sound[: -(len(sound) // 4)] + b"\xff" * (len(sound) // 4))


async def test_damage_met_while_reading_is_told_with_the_backups(file: Path) -> None:
    async with Database(file) as db:
        await db.write(lambda transaction: transaction.run("CREATE TABLE note (number INTEGER PRIMARY KEY, data BLOB)"))
        await asyncio.gather(*(note(db, number) for number in range(200)))
    backups = file.parent / "backups"
    backups.mkdir()
    for day in ("0101", "0103", "0102"):
        (backups / f"kizuki-2027{day}T000000.000000Z.db").touch()
    spoil_last_quarter(file)  # the notes stand last
    async with Database(file) as db:
        with pytest.raises(DamagedDatabase) as caught:
            await stored(db)
    assert [Path(backup).name[11:15] for backup in caught.value.backups] == ["0103", "0102", "0101"]


def test_errors_that_are_no_fault_of_the_disk_stay_what_they_are(tmp_path: Path) -> None:
    for error in (LookupError(), sqlite3.ProgrammingError("closed"), sqlite3.IntegrityError("UNIQUE")):
        assert in_words(error, tmp_path) is error


def test_a_folder_that_cannot_be_made_or_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "data" / migrate.FILE).mkdir(parents=True)
    for folder in (tmp_path / "file", tmp_path / "file" / "data", tmp_path / "data"):
        with pytest.raises(StorageReadOnly):
            migrate.prepare(folder, at=AT)
    with files_end_at(0), pytest.raises(StorageReadOnly):
        migrate.prepare(tmp_path / "other", at=AT)
