"""Looks after the file of a running bot: is it sound, when was it copied, what does the disk still hold."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from typing import TYPE_CHECKING, TypeVar

from lessons.errors import DamagedDatabase
from storage import backup, inspection
from storage.faults import in_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from storage.connection import Database

Result = TypeVar("Result")


class Safekeeping:
    """What jobs and the health page ask about the file; long work happens in a thread, on connections that only read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._file = database.path

    @property
    def damage(self) -> str:
        """What was found to be wrong with the file, "" when nothing was."""
        return "" if self._database.damage is None else self._database.damage.finding

    def newest(self) -> datetime | None:
        """Return the moment that the newest backup holds."""
        return next((at for copy in backup.newest_first(self._file.parent) if (at := backup.made_at(copy))), None)

    def free(self) -> int:
        """Return the bytes that are free on the disk of the data folder."""
        return shutil.disk_usage(self._file.parent).free

    def size(self) -> int:
        """Return the bytes of the database."""
        return inspection.size(self._file.parent)

    async def check(self) -> str:
        """Check the whole file; from a finding on nothing is written any more. Raises StorageBusy, StorageReadOnly."""
        finding, _ = await asyncio.to_thread(_in_words, self._file, lambda: inspection.read(self._file))
        if finding:
            kept = tuple(map(str, backup.newest_first(self._file.parent)))
            self._database.condemn(DamagedDatabase(str(self._file), finding, kept))
        return finding

    async def back_up(self, at: datetime) -> int:
        """Copy the file as it is now, and return the bytes of the copy. Raises as `copied`."""
        copy = await asyncio.to_thread(copied, self._file, at)
        return copy.stat().st_size


def copied(file: Path, at: datetime) -> Path:
    """Copy a database into its backups, and return the copy's path; blocks.

    Raises DamagedDatabase, AlteredDatabase, StorageFull, StorageBusy, StorageReadOnly, OSError.
    """
    return _in_words(file, lambda: backup.back_up(file, at=at))


def _in_words(file: Path, work: Callable[[], Result]) -> Result:
    try:
        return work()
    except sqlite3.Error as error:
        told = in_words(error, file)
        if told is error:
            raise
        raise told from error
