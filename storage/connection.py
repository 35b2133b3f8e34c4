"""One SQLite file: one connection writes, a few read, and a read sees every write that was acknowledged before it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from typing import TYPE_CHECKING, Final, TypeVar

import aiosqlite

from lessons.errors import DamagedDatabase, StorageFull, StorageReadOnly
from storage import dialect
from storage.faults import in_words
from storage.leaving import Leaving
from storage.session import Reading, Writing
from storage.watching import Watch
from storage.writer import GROUP, WAITING, Writer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path
    from types import TracebackType
    from typing import Self

T = TypeVar("T")

LOG = logging.getLogger(__name__)

_MARK: Final = "PRAGMA application_id = 1265203829"
"""The letters Kizu as a number: it says whose file this is, and is the same each time."""

READERS: Final = 3
"""Connections that read; more readings than these wait for one another."""

TRIES: Final = 50
PAUSE: Final = 0.1
"""Seconds between two tries to empty the log."""


class Database:
    """The open file. Every connection is a thread that keeps the process alive, so `close` must follow `open`.

    `waiting` writes may queue up, `group` of them share a COMMIT. Once damage is found nothing is written any more.
    """

    def __init__(self, path: Path, *, readers: int = READERS, waiting: int = WAITING, group: int = GROUP) -> None:
        self._path = path
        self._readers = readers
        self._waiting = waiting
        self._group = group
        self._connections: list[aiosqlite.Connection] = []  # the writing one first
        self._idle: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        self._returning: set[asyncio.Task[None]] = set()
        self._writer: Writer | None = None
        self._unwritten: tuple[float, StorageFull | StorageReadOnly] | None = None
        self.damage: DamagedDatabase | None = None
        self.watch = Watch()
        self.leaving = Leaving()

    async def open(self) -> None:
        """Open every connection, or none. Raises StorageReadOnly, DamagedDatabase."""
        dialect.pin_logger()
        dialect.warn_of_old_sqlite()
        self._idle = asyncio.LifoQueue()
        try:
            writing = await self._connect(str(self._path), dialect.WRITING)
            await self.watch.begin(writing)
            await self.leaving.begin(writing)
            for _ in range(self._readers):
                self._idle.put_nowait(await self._connect(dialect.reading_uri(self._path), dialect.READING))
        except BaseException as error:
            await self.close()
            if (told := in_words(error, self._path)) is not error:
                raise told from error
            raise
        self._writer = Writer(writing, self._path, waiting=self._waiting, group=self._group, settled=self.watch.settle)

    async def close(self) -> None:
        """Carry out the writes that wait, then close every connection. Harmless when closed, or never opened."""
        writer, self._writer = self._writer, None
        try:
            if writer is not None:
                await writer.close()
            while self._connections:  # the writing one last: it empties the WAL
                with contextlib.suppress(sqlite3.Error):
                    await self._connections.pop().close()  # aiosqlite ends the thread even when this is cancelled
        finally:  # cancelled meanwhile: the threads must end all the same
            for connection in self._connections:
                connection.stop()
            self._connections.clear()

    async def write(self, work: Callable[[Writing], Awaitable[T]]) -> T:
        """Run `work` as one transaction; it returns when the transaction is on the disk, and raises when it is not.

        `work` must not call `write` itself, and awaits nothing but its transaction. Cancelling the caller does not
        cancel the transaction. Raises StorageBusy, StorageFull, StorageReadOnly, DamagedDatabase, and what `work` raises.
        """
        writer = self._require_open()
        if self.damage is not None:
            raise DamagedDatabase(self.damage.path, self.damage.finding, self.damage.backups)
        try:
            result = await writer.write(work)
        except (StorageFull, StorageReadOnly) as error:
            self._unwritten = (asyncio.get_running_loop().time(), error)
            raise
        except DamagedDatabase as error:
            self.condemn(error)
            raise
        self._unwritten = None
        return result

    def condemn(self, damage: DamagedDatabase) -> None:
        """Write nothing from now on: what is damaged only gets worse, and what was written to it is lost."""
        if self.damage is None:
            LOG.error("the database is damaged (%s): nothing is written any more", damage.finding)
            self.damage = damage

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def waiting(self) -> int:
        """How many writes wait for their turn."""
        return 0 if self._writer is None else self._writer.waiting

    def unwritten_since(self, seconds: float) -> StorageFull | StorageReadOnly | None:
        """Return why the latest write failed for want of room or rights, unless that is longer ago."""
        if self._unwritten is None or asyncio.get_running_loop().time() - self._unwritten[0] > seconds:
            return None
        return self._unwritten[1]

    async def answer(self) -> None:
        """Write something that changes nothing, all the way to the disk. Raises as `write`."""
        await self._require_open().write(_mark)

    async def read(self, work: Callable[[Reading], Awaitable[T]]) -> T:
        """Run `work` on one snapshot that holds every write acknowledged so far."""
        async with self.reading() as snapshot:
            return await work(snapshot)

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[Reading]:
        """Hand out one snapshot that holds every write acknowledged so far. Raises DamagedDatabase."""
        self._require_open()
        connection = await self._idle.get()
        try:
            self._require_open()  # it may have been closed meanwhile
            snapshot = Reading(connection)
            await snapshot.all("BEGIN")
            yield snapshot
        except sqlite3.Error as error:
            told = in_words(error, self._path)
            if isinstance(told, DamagedDatabase):
                self.condemn(told)
            if told is error:
                raise
            raise told from error
        finally:
            await self._give_back(connection)

    async def empty_log(self) -> bool:
        """Bring everything into the file itself and leave the log empty, so that what was overwritten is nowhere else.

        Waits a few seconds for readings under way to end; False when some were always in the way.
        """
        for _ in range(TRIES):
            if await self._require_open().empty_log():
                return True
            await asyncio.sleep(PAUSE)
        LOG.warning("the log could not be emptied while others were reading; it will be tried again within the hour")
        return False

    def _require_open(self) -> Writer:
        if self._writer is None:
            raise RuntimeError("the database is closed")
        return self._writer

    async def _give_back(self, connection: aiosqlite.Connection) -> None:
        """End the snapshot and free its connection, even if the reader is cancelled once more meanwhile."""
        task = asyncio.create_task(self._end_snapshot(connection))
        self._returning.add(task)
        task.add_done_callback(self._returning.discard)
        await asyncio.shield(task)

    async def _end_snapshot(self, connection: aiosqlite.Connection) -> None:
        try:
            await connection.rollback()
        except (sqlite3.Error, ValueError):  # ValueError: closed meanwhile
            LOG.info("a snapshot ended with its connection")
        finally:
            self._idle.put_nowait(connection)

    async def _connect(self, address: str, pragmas: tuple[str, ...]) -> aiosqlite.Connection:
        connection = await aiosqlite.connect(address, uri=address.startswith("file:"), isolation_level=None)
        self._connections.append(connection)
        connection.row_factory = sqlite3.Row
        for pragma in pragmas:
            await connection.execute_fetchall(pragma)
        return connection

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class Reports(Database):
    """A database that is read beside the process that works on it, or without any; it is never opened for writing."""

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[Reading]:
        """Hand out one snapshot. Raises DamagedDatabase, StorageReadOnly, StorageBusy."""
        dialect.pin_logger()
        try:
            async with aiosqlite.connect(dialect.looking_uri(self._path), uri=True, isolation_level=None) as connection:
                connection.row_factory = sqlite3.Row
                for pragma in dialect.READING:
                    await connection.execute_fetchall(pragma)
                snapshot = Reading(connection)
                await snapshot.all("BEGIN")
                yield snapshot
        except sqlite3.Error as error:
            told = in_words(error, self._path)
            if told is error:
                raise
            raise told from error


async def _mark(transaction: Writing) -> None:
    await transaction.run(_MARK)
