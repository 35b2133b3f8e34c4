"""One task owns the writing connection: transactions are committed in groups and acknowledged when they are on the disk."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from lessons.errors import StorageBusy
from storage.dialect import BUSY_MS
from storage.faults import in_words
from storage.session import Writing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    import aiosqlite

T = TypeVar("T")

LOG = logging.getLogger(__name__)

_EMPTY_LOG: Final = (
    "PRAGMA busy_timeout = 0",  # waiting for a reader here would make every write wait
    "PRAGMA wal_checkpoint(TRUNCATE)",
    f"PRAGMA busy_timeout = {BUSY_MS}",
)

WAITING: Final = 10_000
"""Transactions that may wait; one more is refused."""

GROUP: Final = 64
"""Transactions that share one COMMIT, and so one wait for the disk."""


@dataclass(slots=True, eq=False)
class _Job:
    """A transaction function, what came of it inside its group, and the caller's acknowledgement."""

    work: Callable[[Writing], Awaitable[Any]]
    done: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Writer:
    """The only one who begins, commits and rolls back.

    A caller that is cancelled does not disturb its transaction: once accepted, it is carried out. `settled` is called
    after each group of transactions, before any of them is acknowledged.
    """

    def __init__(
        self, conn: aiosqlite.Connection, path: Path, *, waiting: int, group: int, settled: Callable[[], None]
    ) -> None:
        self._conn = conn
        self._path = path
        self._settled = settled
        self._waiting = waiting
        self._group = group
        self._transaction = Writing(conn)
        self._jobs: deque[_Job] = deque()
        self._emptying: deque[asyncio.Future[bool]] = deque()
        self._news = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._work(), name="kizuki writer")

    async def write(self, work: Callable[[Writing], Awaitable[T]]) -> T:
        """Run `work` in a transaction of its own and return its result once that is committed.

        What `work` raises is raised here and undoes `work` alone. Raises StorageBusy, StorageFull, StorageReadOnly.
        """
        if self._closing or self._task.done():
            raise RuntimeError("the database is closed")
        if asyncio.current_task() is self._task:
            raise RuntimeError("a write inside a write would wait for itself")
        if len(self._jobs) >= self._waiting:
            raise StorageBusy
        job = _Job(work, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        self._news.set()
        try:
            result: T = await asyncio.shield(job.done)
        except asyncio.CancelledError:
            job.done.add_done_callback(_note_unheard)
            raise
        return result

    @property
    def waiting(self) -> int:
        """How many transactions wait for their turn."""
        return len(self._jobs)

    async def empty_log(self) -> bool:
        """Bring the log into the file and make it empty, between two transactions; False while a reader needs it."""
        if self._closing or self._task.done():
            raise RuntimeError("the database is closed")
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._emptying.append(done)
        self._news.set()
        return await done

    async def close(self) -> None:
        """Carry out what was accepted, then stop."""
        self._closing = True
        self._news.set()
        await asyncio.wait([self._task])  # cancelling who waits does not cancel the writer

    async def _work(self) -> None:
        try:
            while self._jobs or self._emptying or not self._closing:
                if self._emptying:
                    await self._empty(self._emptying.popleft())
                elif self._jobs:
                    await self._commit([self._jobs.popleft() for _ in range(min(len(self._jobs), self._group))])
                else:
                    await self._news.wait()
                    self._news.clear()
        finally:  # cancelled from outside: nothing that still waits will be carried out
            for waiting in (*(job.done for job in self._jobs), *self._emptying):
                waiting.cancel()

    async def _empty(self, done: asyncio.Future[bool]) -> None:
        quick, emptying, patient = _EMPTY_LOG
        is_empty = False
        try:
            await self._transaction.run(quick)
            (outcome,) = await self._transaction.all(emptying)
            is_empty = not outcome["busy"]
            await self._transaction.run(patient)
        except sqlite3.Error as error:  # such as a full disk: what is in the log is stored all the same
            LOG.warning("the log could not be emptied: %s", type(error).__name__)
        if not done.done():  # whoever asked may have gone
            done.set_result(is_empty)

    async def _commit(self, group: list[_Job]) -> None:
        """Carry out a group in one transaction and acknowledge it; if the group fails, all of it fails."""
        try:
            if self._conn.in_transaction:  # an earlier ROLLBACK failed
                await self._transaction.run("ROLLBACK")
            await self._transaction.run("BEGIN IMMEDIATE")
            for job in group:
                await self._carry_out(job)
            await self._transaction.run("COMMIT")
        except BaseException as error:
            for job in group:
                job.error = error
            await self._roll_back()
            if self._task.cancelling() or not isinstance(error, Exception | asyncio.CancelledError):
                raise
        finally:
            self._settled()
            for job in group:
                self._acknowledge(job)

    async def _carry_out(self, job: _Job) -> None:
        """Run one transaction function in a savepoint; raises only what ends the whole group.

        Savepoints nest, and ROLLBACK TO goes back to the newest of the name; COMMIT releases them all.
        """
        await self._transaction.run("SAVEPOINT job")
        try:
            job.result = await job.work(self._transaction)
        except (Exception, asyncio.CancelledError) as error:
            if self._task.cancelling() or not self._conn.in_transaction:  # SQLite gave up the whole transaction
                raise
            job.error = error
            await self._transaction.run("ROLLBACK TO job")
        if not self._conn.in_transaction:
            raise RuntimeError("a write ended the transaction that it shares with others")

    async def _roll_back(self) -> None:
        # queued behind whatever the thread is doing, also when the statement's own await was cancelled
        with contextlib.suppress(sqlite3.Error, ValueError):  # SQLite rolled back itself; ValueError: closed meanwhile
            await self._transaction.run("ROLLBACK")

    def _acknowledge(self, job: _Job) -> None:
        if job.done.done():  # the loop is being torn down
            return
        if job.error is None:
            job.done.set_result(job.result)
        elif isinstance(job.error, asyncio.CancelledError):
            job.done.cancel()
        else:
            job.done.set_exception(in_words(job.error, self._path))


def _note_unheard(done: asyncio.Future[Any]) -> None:
    """Log that a write failed whose caller was cancelled meanwhile; only the kind, for an error may quote an answer."""
    if not done.cancelled() and (error := done.exception()) is not None:
        LOG.warning("a write failed after its caller had gone: %s", type(error).__name__)
