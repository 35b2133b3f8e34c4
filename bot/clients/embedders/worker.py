"""One thread for one model: work that somebody waits for goes before work in bulk, and nobody is left waiting."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from queue import Empty, PriorityQueue
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class WorkerClosed(Exception):
    """The thread takes no more work."""


@dataclass(order=True, slots=True)
class _Job:
    """A piece of work and where it stands in the queue: the urgent first, then in the order they came."""

    patient: bool
    ticket: int
    work: Callable[[], Any] = field(compare=False)
    outcome: Future[Any] = field(compare=False, default_factory=Future)

    def run(self) -> None:
        if not self.outcome.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:  # noqa: BLE001 - whoever waits for it gets it
            self.outcome.set_exception(error)
        else:
            self.outcome.set_result(result)


class Worker:
    """A thread with two lanes. Begin it, use it and close it from one event loop.

    A waiting task may be cancelled: its work is dropped if it has not begun, and runs to its end unheard if it has.
    """

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._waiting: PriorityQueue[_Job] = PriorityQueue()
        self._tickets = count()

    async def do(self, work: Callable[[], Result], *, urgent: bool) -> Result:
        """Return what `work` returns, or raise what it raises; WorkerClosed if the thread is closed before its turn."""
        job = _Job(not urgent, next(self._tickets), work)
        self._waiting.put(job)
        try:
            self._thread.submit(self._next)
        except RuntimeError as error:
            raise WorkerClosed from error
        result: Result = await asyncio.wrap_future(job.outcome)
        return result

    def close(self) -> None:
        """Take no more work and drop what has not begun, at once; what has begun ends in its own time."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        while True:
            try:
                job = self._waiting.get_nowait()
            except Empty:
                return
            if job.outcome.set_running_or_notify_cancel():
                job.outcome.set_exception(WorkerClosed())

    def _next(self) -> None:
        """Run the job that is most urgent now; there are never fewer jobs than calls, but while closing."""
        try:
            job = self._waiting.get_nowait()
        except Empty:
            return
        job.run()
