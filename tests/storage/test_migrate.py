"""Migrations: whole or not at all, after a backup, and never backwards."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from lessons.errors import DamagedDatabase, NewerDatabase, StorageFull
from storage import migrate
from storage.backup import back_up, newest_first
from storage.connection import Database
from tests.storage.world import AT, DAY, begin, hit, miss, rows, save, stores

if TYPE_CHECKING:
    from pathlib import Path

ONE = """
CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE use (word_id INTEGER NOT NULL REFERENCES word) STRICT;
INSERT INTO word VALUES (1, '気づき'), (2, '学ぶ');
INSERT INTO use VALUES (1), (1), (2);
"""

TWO = """
CREATE TABLE word_new (id INTEGER PRIMARY KEY, text TEXT NOT NULL, uses INTEGER NOT NULL) STRICT;
INSERT INTO word_new SELECT id, text, (SELECT count(*) FROM use WHERE word_id = id) FROM word;
DROP TABLE word;
ALTER TABLE word_new RENAME TO word -- no newline and no semicolon at the end"""


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / "0001_words.sql").write_text(ONE, encoding="utf-8")
    (folder / "README.md").touch()
    return folder


def ask(file: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as conn:
        return conn.execute(sql).fetchall()


def test_a_new_file_has_the_schema_of_this_release(tmp_path: Path) -> None:
    file = migrate.prepare(tmp_path / "deep" / "data", at=AT)
    assert file == tmp_path / "deep" / "data" / "kizuki.db"
    known = len(list(migrate.MIGRATIONS.glob("*.sql")))
    assert ask(file, "PRAGMA user_version") == [(known,)]
    assert ask(file, "PRAGMA page_size") == [(8192,)]
    assert ask(file, "PRAGMA journal_mode") == [("wal",)]
    assert newest_first(file.parent) == []
    assert migrate.prepare(file.parent, at=AT) == file
    assert newest_first(file.parent) == []


def test_an_older_file_is_backed_up_and_brought_up(tmp_path: Path, scripts: Path) -> None:
    file = migrate.prepare(tmp_path / "data", at=AT, migrations=scripts)
    (scripts / "0002_uses.sql").write_text(TWO, encoding="utf-8")
    migrate.prepare(tmp_path / "data", at=AT + DAY, migrations=scripts)
    assert ask(file, "PRAGMA user_version") == [(2,)]
    assert ask(file, "SELECT * FROM word") == [(1, "気づき", 2), (2, "学ぶ", 1)]
    (copy,) = newest_first(tmp_path / "data")
    assert ask(copy, "PRAGMA user_version") == [(1,)]
    assert ask(copy, "SELECT * FROM word") == [(1, "気づき"), (2, "学ぶ")]


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("UPDATE word SET text = 'x'; SELECT * FROM nothing;", "nothing"),
        ("UPDATE word SET text = 'x'; DELETE FROM word WHERE id = 1;", "use to word"),
        ("UPDATE word SET text = NULL;", "NOT NULL"),
        ("UPDATE word SET text = 'x'; ROLLBACK;", "own transaction"),
    ],
)
def test_a_migration_that_fails_changes_nothing(tmp_path: Path, scripts: Path, script: str, problem: str) -> None:
    file = migrate.prepare(tmp_path / "data", at=AT, migrations=scripts)
    (scripts / "0002_broken.sql").write_text(script, encoding="utf-8")
    with pytest.raises((ValueError, sqlite3.Error), match=problem):
        migrate.prepare(tmp_path / "data", at=AT, migrations=scripts)
    assert ask(file, "PRAGMA user_version") == [(1,)]
    assert ask(file, "SELECT * FROM word") == [(1, "気づき"), (2, "学ぶ")]


def test_earlier_migrations_stay_when_a_later_one_fails(tmp_path: Path, scripts: Path) -> None:
    (scripts / "0002_uses.sql").write_text(TWO, encoding="utf-8")
    (scripts / "0003_broken.sql").write_text("nonsense", encoding="utf-8")
    with pytest.raises(sqlite3.OperationalError):
        migrate.prepare(tmp_path / "data", at=AT, migrations=scripts)
    assert ask(tmp_path / "data" / migrate.FILE, "PRAGMA user_version") == [(2,)]


def test_numbers_with_a_gap_are_refused(tmp_path: Path, scripts: Path) -> None:
    (scripts / "0003_late.sql").write_text(TWO, encoding="utf-8")
    with pytest.raises(ValueError, match="gap"):
        migrate.prepare(tmp_path / "data", at=AT, migrations=scripts)
    assert not (tmp_path / "data").exists()


def test_a_file_of_a_newer_release_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = migrate.prepare(tmp_path, at=AT)
    with closing(sqlite3.connect(file)) as conn:
        conn.execute("PRAGMA user_version = 99")
    before = file.read_bytes()
    with pytest.raises(NewerDatabase) as caught:
        migrate.prepare(tmp_path, at=AT)
    known = len(list(migrate.MIGRATIONS.glob("*.sql")))
    assert (caught.value.path, caught.value.found, caught.value.known) == (str(file), 99, known)
    assert file.read_bytes() == before


def test_an_empty_file_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / migrate.FILE).touch()
    assert ask(migrate.prepare(tmp_path, at=AT), "PRAGMA user_version") != [(0,)]


def test_a_full_disk_is_told_in_words(tmp_path: Path, scripts: Path) -> None:
    (scripts / "0002_large.sql").write_text(
        "PRAGMA max_page_count = 20; CREATE TABLE big (data BLOB); INSERT INTO big VALUES (zeroblob(1000000));"
    )
    with pytest.raises(StorageFull):
        migrate.prepare(tmp_path / "data", at=AT, migrations=scripts)


async def used(folder: Path) -> Path:
    """A file of a megabyte with everything in it."""
    file = migrate.prepare(folder, at=AT)
    async with Database(file) as db:
        to = stores(db)
        await save(to, items=rows(1500))
        await save(to, name="small", items=rows(30))
        for _ in range(4):
            _, exercises = await begin(to, name="small")
            for exercise in exercises[::2]:
                await hit(to, exercise)
            for exercise in exercises[1::2]:
                await miss(to, exercise)
    return file


async def test_four_kibibytes_flipped_are_found_at_start(tmp_path: Path) -> None:
    file = await used(tmp_path)
    backups = [str(back_up(file, at=AT + number * DAY)) for number in range(2)]
    sound = file.read_bytes()
    chance = random.Random(4096)
    for _ in range(20):
        start = chance.choice(
            [s for s in range(0, len(sound) - 4096, 512) if any(sound[s : s + 4096])]
        )  # no empty space
        flipped = bytes(byte ^ 0xFF for byte in sound[start : start + 4096])
        file.write_bytes(sound[:start] + flipped + sound[start + 4096 :])
        with pytest.raises(DamagedDatabase) as caught:
            migrate.prepare(tmp_path, at=AT)
        assert caught.value.path == str(file)
        assert caught.value.finding
        assert list(caught.value.backups) == backups[::-1]
    file.write_bytes(sound)
    migrate.prepare(tmp_path, at=AT)


def test_a_cut_file_and_a_foreign_file_are_found_at_start(tmp_path: Path) -> None:
    file = migrate.prepare(tmp_path, at=AT)
    sound = file.read_bytes()
    for content in (sound[: len(sound) // 2], b"PK\x03\x04" * 5000):
        file.write_bytes(content)
        with pytest.raises(DamagedDatabase) as caught:
            migrate.prepare(tmp_path, at=AT)
        assert caught.value.backups == ()
