"""Looks at a data folder without changing a byte of it: who holds it, and what is in its database."""

from __future__ import annotations

import fcntl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons.errors import AlteredDatabase, DamagedDatabase, DataFolderTaken, KizukiError, NewerDatabase
from storage import backup, seals
from storage.connection import Reports
from storage.dialect import looking_uri
from storage.faults import in_words
from storage.folder import LOCK
from storage.migrate import FILE, MIGRATIONS

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Database:
    """A database that can be used: its version, and the one this release brings it to."""

    version: int
    known: int


@dataclass(eq=False)
class NoDatabase(KizukiError):
    """A folder without a database, where one is asked about what is in it."""

    folder: str


@dataclass(eq=False)
class EarlierDatabase(KizukiError):
    """A database of an earlier release, which only a start of the bot brings up to date."""

    version: int
    known: int


def not_taken(folder: Path) -> None:
    """Raise DataFolderTaken when a process works on this folder."""
    lock = folder / LOCK
    if not lock.exists():
        return
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            pid = file.read(32).strip()
            raise DataFolderTaken(str(folder), int(pid) if pid.isdigit() else None) from error


def database(folder: Path) -> Database | None:
    """Return what the database of this folder is, None when there is none yet.

    Raises DamagedDatabase, AlteredDatabase, NewerDatabase, and StorageReadOnly when it cannot be opened.
    """
    file = folder / FILE
    if not size(folder):
        return None
    try:
        finding, version = read(file)
        altered = seals.is_broken(file)
    except Exception as error:
        told = in_words(error, file)
        if told is error:
            raise
        raise told from error
    kept = tuple(map(str, backup.newest_first(folder)))
    if finding:
        raise DamagedDatabase(str(file), finding, kept)
    if version > known():
        raise NewerDatabase(str(file), version, known())
    if altered:
        raise AlteredDatabase(str(file), str(seals.seal_of(file)), kept)
    return Database(version, known())


def require(folder: Path) -> None:
    """Raise NoDatabase when there is none: a mistyped folder gets none for being asked."""
    if not size(folder):
        raise NoDatabase(str(folder))


async def reports(folder: Path) -> Reports:
    """Return the database to be read and reported on, also while a bot works on it.

    Raises NoDatabase, EarlierDatabase, NewerDatabase, DamagedDatabase, StorageReadOnly, StorageBusy.
    """
    require(folder)
    read = Reports(folder / FILE)
    async with read.reading() as snapshot:
        (row,) = await snapshot.all("PRAGMA user_version")
    version = int(row[0])
    if version > known():
        raise NewerDatabase(str(folder / FILE), version, known())
    if version < known():
        raise EarlierDatabase(version, known())
    return read


def known() -> int:
    """Return the version of the schema that this release works with."""
    return len(list(MIGRATIONS.glob("[0-9]*.sql")))


def size(folder: Path) -> int:
    """Return the bytes of this folder's database, 0 when there is none yet."""
    file = folder / FILE
    return file.stat().st_size if file.exists() else 0


def read(file: Path) -> tuple[str, int]:
    """Check a database and return the first finding ("" when there is none) with its version. Raises sqlite3.Error."""
    with backup.opened(looking_uri(file)) as conn:
        finding = backup.check(conn, thorough=True)
        return finding, 0 if finding else int(conn.execute("PRAGMA user_version").fetchone()[0])
