"""What SQLite reports, in the words of the subject."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from lessons.errors import DamagedDatabase, Forgotten, StorageBusy, StorageFull, StorageReadOnly
from storage.backup import newest_first

if TYPE_CHECKING:
    from pathlib import Path


def in_words(error: BaseException, path: Path) -> BaseException:
    """Return the subject's error for what SQLite reported about the file at `path`, caused by it; else `error` itself."""
    told = _told(error, path) if isinstance(error, sqlite3.Error) else None
    if told is None:
        return error
    told.__cause__ = error
    return told


def _told(error: sqlite3.Error, path: Path) -> Exception | None:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code == sqlite3.SQLITE_CONSTRAINT_TRIGGER:  # the one trigger that refuses anything, see `storage.leaving`
        return Forgotten()
    match code & 0xFF:  # the primary code
        case sqlite3.SQLITE_FULL:
            return StorageFull()
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StorageBusy()
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StorageReadOnly(str(path))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DamagedDatabase(str(path), str(error), tuple(map(str, newest_first(path.parent))))
        case _:
            return None
