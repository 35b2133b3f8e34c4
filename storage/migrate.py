"""Brings the database file up to this release before it is opened, or says why it cannot, leaving it as it was."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lessons.errors import AlteredDatabase, DamagedDatabase, NewerDatabase, StorageReadOnly
from storage import backup, dialect, seals
from storage.faults import in_words

if TYPE_CHECKING:
    from datetime import datetime

FILE: Final = "kizuki.db"
MIGRATIONS: Final = Path(__file__).with_name("migrations")


def prepare(folder: Path, *, at: datetime, migrations: Path = MIGRATIONS) -> Path:
    """Check, back up and migrate the database in `folder` (made when it is not there); return the file's path.

    Blocks; call it before `Database.open`, holding the folder's lock. Killed at any moment it can be called again:
    each migration is one transaction. `migrations` holds NNNN_*.sql, numbered from 1 without a gap.
    The seal of the last orderly end is taken off. Raises StorageReadOnly, StorageFull, DamagedDatabase,
    AlteredDatabase, NewerDatabase.
    """
    file = folder / FILE
    scripts = _scripts(migrations)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if _is_written(file):
            _check(file, len(scripts))
            seals.take_off(file)
        _migrate(file, scripts, at)
    except OSError as error:
        raise StorageReadOnly(str(folder)) from error
    except sqlite3.Error as error:
        told = in_words(error, file)
        if told is error:
            raise
        raise told from error
    return file


def _scripts(migrations: Path) -> list[str]:
    """Read the SQL of migration 1, 2 and so on."""
    files = sorted(migrations.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    numbers = [int(file.name[:4]) for file in files]
    if numbers != list(range(1, len(files) + 1)):
        raise ValueError(f"migrations are not numbered from 1 without a gap: {numbers}")
    return [file.read_text(encoding="utf-8") for file in files]


def _is_written(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def _check(file: Path, known: int) -> None:
    """Refuse a file that is damaged, not what it was left as, or written by a newer release."""
    altered = seals.is_broken(file)
    with backup.opened(_writing_uri(file)) as conn:  # not mode=ro: after a crash the WAL has to be read back first
        finding = backup.check(conn, thorough=True)
        kept = tuple(map(str, backup.newest_first(file.parent)))
        if finding:
            raise DamagedDatabase(str(file), finding, kept)
        found = _version(conn)
    if found > known:
        raise NewerDatabase(str(file), found, known)
    if altered:
        raise AlteredDatabase(str(file), str(seals.seal_of(file)), kept)


def _migrate(file: Path, scripts: list[str], at: datetime) -> None:
    with backup.opened(_writing_uri(file)) as conn:
        for pragma in dialect.WRITING:
            conn.execute(pragma)
        version = _version(conn)
        if 0 < version < len(scripts):
            backup.back_up(file, at=at, before=len(scripts))
        conn.execute("PRAGMA foreign_keys = OFF")  # a table may be rebuilt; `_apply` checks the references itself
        for number, script in enumerate(scripts[version:], start=version + 1):
            _apply(conn, script, number)


def _apply(conn: sqlite3.Connection, script: str, number: int) -> None:
    """Run one migration and note its number, in one transaction."""
    try:
        conn.executescript(f"BEGIN IMMEDIATE;\n{script}\n;")
        _require_whole(conn, number)
        conn.execute(f"PRAGMA user_version = {number:d}")
        conn.execute("COMMIT")
    except BaseException:
        conn.rollback()
        raise


def _require_whole(conn: sqlite3.Connection, number: int) -> None:
    if not conn.in_transaction:
        raise ValueError(f"migration {number} ends its own transaction")
    if broken := conn.execute("PRAGMA foreign_key_check").fetchone():
        raise ValueError(f"migration {number} leaves a reference of {broken[0]} to {broken[2]} broken")


def _version(conn: sqlite3.Connection) -> int:
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def _writing_uri(file: Path) -> str:
    return file.absolute().as_uri()
