"""Looks at a data folder without changing a byte of it: who holds it, and what is in its database."""

from __future__ import annotations

import fcntl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons.errors import DamagedDatabase, DataFolderTaken, NewerDatabase
from storage import backup
from storage.dialect import reading_uri
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

    Raises DamagedDatabase, NewerDatabase, and StorageReadOnly when it cannot be opened.
    """
    file = folder / FILE
    if not size(folder):
        return None
    try:
        finding, version = _read(file)
    except Exception as error:
        told = in_words(error, file)
        if told is error:
            raise
        raise told from error
    if finding:
        raise DamagedDatabase(str(file), " ".join(finding.split()), tuple(map(str, backup.newest_first(folder))))
    known = len(list(MIGRATIONS.glob("[0-9]*.sql")))
    if version > known:
        raise NewerDatabase(str(file), version, known)
    return Database(version, known)


def size(folder: Path) -> int:
    """Return the bytes of this folder's database, 0 when there is none yet."""
    file = folder / FILE
    return file.stat().st_size if file.exists() else 0


def _read(file: Path) -> tuple[str, int]:
    """Check a database and return the first finding with its version.

    Without a WAL beside it nobody has it open, and only `immutable` keeps SQLite from making one.
    """
    alone = not file.with_name(f"{file.name}-wal").exists()
    with backup.opened(reading_uri(file) + ("&immutable=1" if alone else "")) as conn:
        finding = backup.check(conn, thorough=False)
        return finding, 0 if finding else int(conn.execute("PRAGMA user_version").fetchone()[0])
