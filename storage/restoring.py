"""Puts a backup in the place of the database: checked before, and nothing that was there is lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lessons.errors import KizukiError, StorageFull, StorageReadOnly
from storage import backup, inspection, seals
from storage.folder import DataFolder
from storage.migrate import FILE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

ASIDE: Final = "replaced"
_BESIDE: Final = ("-wal", "-shm")
_UNFINISHED: Final = ".restoring"


@dataclass(eq=False)
class NoBackup(KizukiError):
    """There is nothing to put back: no such file, or no backup in the data folder, which may have no database either."""

    path: str
    database: bool = True


@dataclass(eq=False)
class UnusableBackup(KizukiError):
    """A file that is no sound database this Kizuki knows; `finding` says why, `instead` is the newest backup that is."""

    path: str
    finding: str
    instead: str = ""


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
    DatabaseThere; then nothing was changed, and no folder made.
    """
    inspection.not_taken(folder)
    copy = _chosen(folder, source)
    version = _required(copy, folder)
    with DataFolder(folder):
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
        raise NoBackup(str(source or folder / backup.FOLDER), database=bool(inspection.size(folder)))
    return copies[0]


def newest_sound(copies: Iterable[Path]) -> Path | None:
    """Return the first of these that could be put back, None when none could; blocks, about a second for 200 MiB."""
    return next((copy for copy in copies if _is_sound(copy)), None)


def _is_sound(copy: Path) -> bool:
    try:
        return bool(_checked(copy))
    except (UnusableBackup, OSError):
        return False


def _required(copy: Path, folder: Path) -> int:
    """Return the version of a sound backup, or name the newest of the others that is one."""
    try:
        return _checked(copy)
    except UnusableBackup as error:
        others = (other for other in backup.newest_first(folder) if not other.samefile(copy))
        instead = newest_sound(others)
        raise UnusableBackup(error.path, error.finding, str(instead or "")) from error


def _checked(copy: Path) -> int:
    """Return the version of a sound backup. Raises UnusableBackup."""
    if seals.is_broken(copy):
        raise UnusableBackup(str(copy), "its bytes are not those that were written")
    try:
        finding, version = inspection.read(copy)
    except sqlite3.Error as error:
        finding, version = str(error), 0
    if finding or not version:
        raise UnusableBackup(str(copy), finding or "it is no database of Kizuki's")
    if version > inspection.known():
        newer = f"it was written by a newer Kizuki (version {version}, this one knows {inspection.known()})"
        raise UnusableBackup(str(copy), newer)
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
        seals.hand_on(copy, file)
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
