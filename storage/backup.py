"""A backup is a whole, checked copy under its final name, or it is not there."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING, Final

from lessons.errors import DamagedDatabase
from storage.dialect import reading_uri

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

KEPT: Final = 7
FOLDER: Final = "backups"
_UNFINISHED: Final = ".unfinished"
_NOT_ITS_CONTENT: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""What keeps a file from being checked at all, damaged or not."""


def newest_first(data: Path) -> list[Path]:
    """Backups of the data folder `data`; their names sort by time."""
    return sorted((data / FOLDER).glob("kizuki-*.db"), reverse=True)


def back_up(file: Path, *, at: datetime, keep: int = KEPT) -> Path:
    """Copy the database into `backups/` beside it and drop all but the newest `keep`; return the copy's path.

    Blocks for as long as the copy takes, also while others write: it holds one snapshot. `at` is aware UTC and names
    the copy. Raises DamagedDatabase when the copy does not pass its check, sqlite3.Error or OSError when it cannot be
    made; earlier backups are dropped only after the new one is in place.
    """
    folder = file.parent / FOLDER
    folder.mkdir(exist_ok=True)
    for leftover in folder.glob(f"*{_UNFINISHED}*"):  # of a process that was killed
        leftover.unlink()
    final = folder / f"kizuki-{at:%Y%m%dT%H%M%S.%f}Z.db"
    unfinished = folder / f"{final.name}{_UNFINISHED}"
    with opened(reading_uri(file)) as source:
        source.execute("VACUUM INTO ?", (str(unfinished),))
    with opened(unfinished.absolute().as_uri()) as copy:  # with mode=ro SQLite 3.40 skips the CHECK constraints
        finding = check(copy, thorough=True)
    if finding:
        unfinished.unlink()
        raise DamagedDatabase(str(file), finding, tuple(map(str, newest_first(file.parent))))
    _sync(unfinished)
    unfinished.replace(final)
    _sync(folder)
    for old in newest_first(file.parent)[keep:]:
        old.unlink()
    return final


def check(conn: sqlite3.Connection, *, thorough: bool) -> str:
    """Return the first thing that is wrong with the file, "" when nothing is. `thorough` also compares the indexes."""
    pragma = "PRAGMA integrity_check(1)" if thorough else "PRAGMA quick_check(1)"
    try:
        finding = str(conn.execute(pragma).fetchone()[0])
    except UnicodeDecodeError as error:  # what SQLite says quotes the damaged bytes
        return f"malformed text in the schema ({error.reason})"
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_ITS_CONTENT:
            raise
        return str(error)
    return "" if finding == "ok" else finding


@contextlib.contextmanager
def opened(address: str) -> Iterator[sqlite3.Connection]:
    """Hold a connection outside the running bot, at start or for a copy; `address` is a file: URI."""
    conn = sqlite3.connect(address, uri=True, isolation_level=None)
    try:
        yield conn
    finally:
        conn.close()


def _sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
