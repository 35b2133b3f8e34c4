"""How long something takes, and how long the event loop stands still meanwhile."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

TICK = 0.001


@dataclass
class Standstill:
    """The longest time the event loop stood still, in milliseconds."""

    longest: float = 0.0


@asynccontextmanager
async def standstill() -> AsyncIterator[Standstill]:
    """Watch the event loop as long as the body runs."""
    found = Standstill()

    async def watch() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(TICK)
            found.longest = max(found.longest, 1000 * (time.perf_counter() - before - TICK))

    watching = asyncio.create_task(watch())
    await asyncio.sleep(3 * TICK)
    try:
        yield found
        await asyncio.sleep(3 * TICK)
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def timed(work: Callable[..., object], *given: object) -> float:
    """Milliseconds that a call takes."""
    started = time.perf_counter()
    work(*given)
    return 1000 * (time.perf_counter() - started)


def worked(work: Callable[..., object], *given: object) -> float:
    """Milliseconds of a core that a pure call takes in this thread, whatever else the machine does meanwhile."""
    started = time.thread_time()
    work(*given)
    return 1000 * (time.thread_time() - started)


def resident() -> float:
    """MiB of memory that this process holds now."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")
