"""Puts a backup in the place of the database: checked before, and nothing that was there is lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lessons.errors import KizukiError, NewerDatabase, StorageFull, StorageReadOnly
from storage import backup, inspection, seals
from storage.folder import DataFolder
from storage.migrate import FILE

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

ASIDE: Final = "replaced"
_BESIDE: Final = ("-wal", "-shm")
_UNFINISHED: Final = ".restoring"


@dataclass(eq=False)
class NoBackup(KizukiError):
    """There is nothing to put back: no such file, or no backup in the data folder."""

    path: str


@dataclass(eq=False)
class UnusableBackup(KizukiError):
    """A file that is no sound database of Kizuki's; `finding` says why."""

    path: str
    finding: str


@dataclass(eq=False)
class DatabaseThere(KizukiError):
    """There is a database, and nobody said that it may be replaced."""

    path: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, in which version of the schema, and where what was there is now, if anything was."""

    source: Path
    version: int
    aside: Path | None


def restore(folder: Path, source: Path | None, *, at: datetime, replace: bool) -> Restored:
    """Make `source`, or the newest backup, the database of a data folder that nobody works on.

    The database that is there is kept in `replaced/`, and only with `replace`. Killed at any moment, the folder has the
    one database or the other. Raises DataFolderTaken, StorageReadOnly, StorageFull, NoBackup, UnusableBackup,
    NewerDatabase, DatabaseThere; then nothing was changed.
    """
    with DataFolder(folder):
        copy = _chosen(folder, source)
        version = _checked(copy)
        file = folder / FILE
        if inspection.size(folder) and not replace:
            raise DatabaseThere(str(file))
        try:
            return Restored(copy, version, _put_back(copy, file, at))
        except OSError as error:
            if shutil.disk_usage(folder).free < copy.stat().st_size:
                raise StorageFull from error
            raise StorageReadOnly(str(folder)) from error


def _chosen(folder: Path, source: Path | None) -> Path:
    copies = [source] if source is not None else backup.newest_first(folder)
    if not copies or not copies[0].is_file():
        raise NoBackup(str(source or folder / backup.FOLDER))
    return copies[0]


def _checked(copy: Path) -> int:
    """Return the version of a sound backup."""
    if seals.is_broken(copy):
        raise UnusableBackup(str(copy), "its bytes are not those that were written")
    try:
        finding, version = inspection.read(copy)
    except sqlite3.Error as error:
        finding, version = str(error), 0
    if finding or not version:
        raise UnusableBackup(str(copy), finding or "it is no database of Kizuki's")
    if version > inspection.known():
        raise NewerDatabase(str(copy), version, inspection.known())
    return version


def _put_back(copy: Path, file: Path, at: datetime) -> Path | None:
    """Copy first, set aside what is there, then swap in one step; return where the old database is."""
    fresh = file.with_name(f"{file.name}{_UNFINISHED}")
    try:
        shutil.copyfile(copy, fresh)
        seals.sync(fresh)
        aside = _set_aside(file, at) if file.exists() else None
        seals.take_off(file)
        for suffix in _BESIDE:  # the old one's WAL would be read into the new one
            file.with_name(f"{file.name}{suffix}").unlink(missing_ok=True)
        seals.sync(file.parent)
        fresh.replace(file)
        seals.sync(file.parent)
    finally:
        fresh.unlink(missing_ok=True)
    return aside


def _set_aside(file: Path, at: datetime) -> Path:
    """Keep a database, with what is not yet in its main file, under another name."""
    folder = file.parent / ASIDE
    folder.mkdir(exist_ok=True)
    kept = folder / f"kizuki-{at:%Y%m%dT%H%M%S.%f}Z.db"
    for suffix in ("", "-wal"):
        old = file.with_name(f"{file.name}{suffix}")
        if old.exists():
            _keep(old, kept.with_name(f"{kept.name}{suffix}"))
    seals.sync(folder)
    return kept


def _keep(old: Path, kept: Path) -> None:
    """Give a file a second name, or copy it where the disk knows no second names."""
    with contextlib.suppress(OSError):
        os.link(old, kept)
        return
    shutil.copyfile(old, kept)
    seals.sync(kept)
