"""Tells whether the bot serves its learners, part by part, also while the database is busy: GET /healthz on 127.0.0.1."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from aiohttp import web

from lessons.errors import KizukiError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from storage.connection import Database
    from storage.safekeeping import Safekeeping

HOST: Final = "127.0.0.1"
PATH: Final = "/healthz"

SILENCE: Final = 90.0
"""Seconds without an acknowledged heartbeat after which the connection is called dead; Discord asks for one every 41 s."""
ROUND_TRIP: Final = 2.0
"""Seconds that a write may take to be on the disk."""
TICK_AGE: Final = 150.0
"""Seconds since the clock last ticked after which it is called stopped; it ticks every minute."""
ROOM: Final = 64 * 1024 * 1024
"""Bytes that must be free on the disk of the data folder."""
REMEMBERED: Final = 60.0
"""Seconds for which a write that found no room counts, unless a later one succeeded."""
MIB: Final = 1024 * 1024


@dataclass(eq=False)
class HealthPortTaken(KizukiError):
    """Another program listens where the health page should be."""

    port: int


@dataclass(frozen=True, slots=True)
class Part:
    """How one part is: well or not, said in a few words, measured in `numbers`."""

    is_well: bool
    said: str
    numbers: dict[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Return it as the page shows it."""
        return {"ok": self.is_well, "said": self.said, **self.numbers}


class Connection(Protocol):
    """As much of the bot as its health needs."""

    @property
    def silence(self) -> float | None:
        """Seconds since Discord last acknowledged a heartbeat; None while there is no connection to it."""
        ...


class Vitals:
    """Feels the pulse of each part. `is_loaded` tells whether there is an embedder that works."""

    def __init__(
        self,
        database: Database,
        keeping: Safekeeping,
        is_loaded: Callable[[], bool],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._keeping = keeping
        self._is_loaded = is_loaded
        self._monotonic = monotonic
        self._ticked = monotonic()
        self._bot: Connection | None = None

    def attach(self, bot: Connection) -> None:
        """Look at this bot from now on."""
        self._bot = bot

    def tick(self) -> None:
        """Note that the clock ticks."""
        self._ticked = self._monotonic()

    async def parts(self) -> dict[str, Part]:
        """Look at every part, each for as long as its own limit at most."""
        database, disk = await asyncio.gather(self._writes(), self._room())
        return {
            "gateway": self._gateway(),
            "database": database,
            "clock": self._clock(),
            "disk": disk,
            "embedder": Part(True, "loaded") if self._is_loaded() else Part(False, "not loaded"),
        }

    def _gateway(self) -> Part:
        silence = None if self._bot is None else self._bot.silence
        if silence is None:
            return Part(False, "not connected to Discord")
        numbers = {"heartbeat_seconds": round(silence, 1)}
        said = "Discord is silent" if silence > SILENCE else "connected"
        return Part(silence <= SILENCE, said, numbers)

    async def _writes(self) -> Part:
        """Write something to the disk and see how long it takes."""
        waiting: dict[str, float] = {"waiting": self._database.waiting}
        if self._database.damage is not None:
            return Part(False, "damaged, so nothing is written; kizuki restore puts a backup back", waiting)
        began = self._monotonic()
        try:
            async with asyncio.timeout(ROUND_TRIP):
                await self._database.answer()
        except TimeoutError:
            return Part(False, f"no answer within {ROUND_TRIP:.0f} s", waiting)
        except (KizukiError, RuntimeError) as error:
            return Part(False, f"writes nothing ({type(error).__name__})", waiting)
        taken = waiting | {"round_trip_ms": round(1000 * (self._monotonic() - began), 1)}
        if (trouble := self._database.unwritten_since(REMEMBERED)) is not None:
            return Part(False, f"a write failed just now ({type(trouble).__name__})", taken)
        return Part(True, "writes", taken)

    def _clock(self) -> Part:
        age = self._monotonic() - self._ticked
        return Part(age <= TICK_AGE, "ticks" if age <= TICK_AGE else "stands still", {"tick_seconds": round(age, 1)})

    async def _room(self) -> Part:
        try:
            async with asyncio.timeout(ROUND_TRIP):
                free = await asyncio.to_thread(self._keeping.free)
        except (TimeoutError, OSError) as error:
            return Part(False, f"cannot be asked ({type(error).__name__})")
        return Part(free >= ROOM, "has room" if free >= ROOM else "is full", {"free_mib": free // MIB})


@asynccontextmanager
async def serving(port: int, look: Callable[[], Awaitable[dict[str, Part]]]) -> AsyncIterator[int]:
    """Answer on 127.0.0.1 until left, and give the port; none is opened for port 0. Raises HealthPortTaken."""
    if not port:
        yield 0
        return
    app = web.Application()
    app.router.add_get(PATH, _Page(look).answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0, handle_signals=False)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError as error:
            raise HealthPortTaken(port) from error
        yield port
    finally:
        await runner.cleanup()


class _Page:
    """One look serves everybody who asks meanwhile."""

    def __init__(self, look: Callable[[], Awaitable[dict[str, Part]]]) -> None:
        self._look = look
        self._looking: asyncio.Task[dict[str, Part]] | None = None

    async def answer(self, _request: web.Request) -> web.Response:
        """Return 200 when every part is well, 503 otherwise; the parts in JSON."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look())
        parts = await asyncio.shield(self._looking)
        unwell = [name for name, part in parts.items() if not part.is_well]
        told = {"ok": not unwell, "unwell": unwell, "parts": {name: part.as_json() for name, part in parts.items()}}
        return web.json_response(told, status=503 if unwell else 200, headers={"Cache-Control": "no-store"})
