"""A backup is a whole, checked, sealed copy under its final name, or it is not there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from lessons.errors import AlteredDatabase, DamagedDatabase, StorageFull
from storage import seals
from storage.dialect import reading_uri

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEPT: Final = 7
"""Backups that are kept of each kind: those of a day, and those from before a change of the schema."""
EXPIRY: Final = timedelta(days=30)
"""The age at which those from before a change of the schema go, whatever their number."""
_BEFORE: Final = "-before-"
FOLDER: Final = "backups"
SPARE: Final = 32 * 1024 * 1024
"""Bytes that a copy leaves free on the disk: learners' answers need them more."""
_UNFINISHED: Final = ".unfinished"
_NAME: Final = re.compile(r"kizuki-(\d{8}T\d{6}\.\d{6})Z(-before-\d+)?\.db", re.ASCII)
_MOMENT: Final = "%Y%m%dT%H%M%S.%f"
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


def made_at(copy: Path) -> datetime | None:
    """Return the moment (aware UTC) that a backup holds, None for a file of another name."""
    named = _NAME.fullmatch(copy.name)
    return datetime.strptime(named[1], _MOMENT).replace(tzinfo=UTC) if named else None


def back_up(file: Path, *, at: datetime, keep: int = KEPT, before: int | None = None) -> Path:
    """Copy the database into `backups/` beside it and drop all but the newest `keep` of each kind; return its path.

    Blocks for as long as the copy takes, also while others write: it holds one snapshot. Copies made at once, also by
    several processes, wait for one another. `at` is aware UTC and names the copy; `before` is the version of the schema
    that it is made before. Raises DamagedDatabase when the file or the copy does not pass its check, AlteredDatabase when
    the file breaks its seal (an open one has none), StorageFull when there is no room for the copy, sqlite3.Error or
    OSError when it cannot be made; earlier backups are dropped only after the new one is in place.
    """
    folder = file.parent / FOLDER
    folder.mkdir(exist_ok=True)
    with _alone_in(folder):
        for leftover in folder.glob(f"*{_UNFINISHED}*"):  # of a process that was killed
            leftover.unlink()
        if file.exists() and shutil.disk_usage(folder).free < file.stat().st_size + SPARE:
            raise StorageFull
        why = "" if before is None else f"{_BEFORE}{before:d}"
        final = folder / f"kizuki-{at:{_MOMENT}}Z{why}.db"
        _copy(file, final)
        _drop_old(file.parent, at, keep)
    return final


def _drop_old(data: Path, at: datetime, keep: int) -> None:
    """Keep the newest of each kind; what was kept for an upgrade goes after a month, so that what is erased is gone."""
    copies = newest_first(data)
    before = [copy for copy in copies if _BEFORE in copy.name]
    daily = [copy for copy in copies if _BEFORE not in copy.name]
    expired = [copy for copy in before[:keep] if (made := made_at(copy)) is not None and at - made > EXPIRY]
    for old in (*daily[keep:], *before[keep:], *expired):
        old.unlink()
        seals.seal_of(old).unlink(missing_ok=True)


def _copy(file: Path, final: Path) -> None:
    """Make one copy, or none. A copy is written anew from the rows, so that it can be sound where the file is not."""
    unfinished = final.with_name(f"{final.name}{_UNFINISHED}")
    try:
        altered = seals.is_broken(file)
        with opened(reading_uri(file)) as source:
            _require_sound(source, file)
            if altered:
                raise AlteredDatabase(str(file), str(seals.seal_of(file)), _names(file.parent))
            source.execute("VACUUM INTO ?", (str(unfinished),))
        with opened(unfinished.absolute().as_uri()) as copy:  # with mode=ro SQLite 3.40 skips the CHECK constraints
            _require_sound(copy, file)
        seals.sync(unfinished)
        unfinished.replace(final)
    finally:
        unfinished.unlink(missing_ok=True)
    seals.put_on(final)  # and so the folder is on the disk, too


def _require_sound(conn: sqlite3.Connection, file: Path) -> None:
    if finding := check(conn, thorough=True):
        raise DamagedDatabase(str(file), finding, _names(file.parent))


def _names(data: Path) -> tuple[str, ...]:
    return tuple(map(str, newest_first(data)))


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until nobody else makes a copy there; the system frees the lock when the process dies."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


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
    return "" if finding == "ok" else " ".join(finding.removeprefix("*** in database main ***").split())


@contextlib.contextmanager
def opened(address: str) -> Iterator[sqlite3.Connection]:
    """Hold a connection outside the running bot, at start or for a copy; `address` is a file: URI."""
    conn = sqlite3.connect(address, uri=True, isolation_level=None)
    try:
        yield conn
    finally:
        conn.close()
