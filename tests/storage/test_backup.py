"""Backups: whole copies under their final names, also while answers are written, the newest seven."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from lessons.errors import DamagedDatabase
from storage import migrate
from storage.backup import back_up, newest_first
from storage.connection import Database
from storage.seals import seal_of
from tests.storage.world import AT, BEN, DAY, begin, hit, rows, save, stores

if TYPE_CHECKING:
    from pathlib import Path


def content(file: Path, table: str = "attempt") -> list[object]:
    with closing(sqlite3.connect(file)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return conn.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()


async def test_copies_made_while_answers_are_written_are_whole(file: Path) -> None:
    async with Database(file) as db:
        to = stores(db)
        await save(to, items=rows(50))
        copies = []
        for number in range(5):
            _, exercises = await begin(to)
            answers = [asyncio.create_task(hit(to, exercise)) for exercise in exercises]
            copies.append(await asyncio.to_thread(back_up, file, at=AT + number * DAY))
            await asyncio.gather(*answers)
        for copy in copies:
            attempts = content(copy)
            assert len(content(copy, "spacing")) == min(50, len(attempts))
    assert newest_first(file.parent) == copies[::-1]


async def test_a_backup_takes_the_place_of_a_lost_file(file: Path) -> None:
    async with Database(file) as db:
        to = stores(db)
        await save(to)
        _, exercises = await begin(to, BEN)
        await hit(to, exercises[0], BEN)
        copy = await asyncio.to_thread(back_up, file, at=AT)
    before = content(file)
    shutil.move(copy, file)
    assert migrate.prepare(file.parent, at=AT) == file
    async with Database(file) as db:
        assert content(file) == before
        assert await hit(stores(db), exercises[1], BEN)


def test_the_newest_are_kept_and_what_a_killed_process_left_goes(file: Path) -> None:
    for number in range(9):
        back_up(file, at=AT + timedelta(seconds=number))
        (file.parent / "backups" / f"kizuki-x{number}.db.unfinished-journal").touch()
    back_up(file, at=AT + DAY)
    names = [copy.name for copy in newest_first(file.parent)]
    assert len(names) == 7
    assert len(list((file.parent / "backups").iterdir())) == 14  # each with its seal
    assert names[0] == "kizuki-20270315T092653.589000Z.db"
    assert names == sorted(names, reverse=True)


def test_a_copy_that_is_not_sound_never_gets_its_name(file: Path) -> None:
    good = back_up(file, at=AT)
    with closing(sqlite3.connect(file)) as conn:
        conn.executescript(
            "CREATE TABLE note (number INTEGER); INSERT INTO note VALUES (1), (2);"
            "PRAGMA writable_schema = ON;"
            "UPDATE sqlite_schema SET sql = 'CREATE TABLE note (number INTEGER CHECK (number > 1))' WHERE name = 'note';"
        )
    with pytest.raises(DamagedDatabase) as caught:
        back_up(file, at=AT + DAY)
    assert "CHECK" in caught.value.finding
    assert caught.value.backups == (str(good),)
    assert set((file.parent / "backups").iterdir()) == {good, seal_of(good)}


def test_a_backup_that_cannot_be_made_leaves_the_earlier_ones(file: Path) -> None:
    good = back_up(file, at=AT)
    (file.parent / "backups" / "kizuki-20270315T092653.589000Z.db").mkdir()
    with pytest.raises(OSError, match="directory"):
        back_up(file, at=AT + DAY, keep=1)
    assert good.exists()
    with pytest.raises(sqlite3.OperationalError):
        back_up(file.with_name("nothing.db"), at=AT)
