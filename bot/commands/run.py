"""`kizuki run` and `kizuki demo`: the bot from its first breath to an orderly end, each failure one sentence on stderr."""

from __future__ import annotations

import asyncio
import logging
import signal
import tempfile
import time
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from bot.app import KizukiBot
from bot.commands import sayings
from bot.commands.concluding import ended_by
from bot.commands.exits import Exit
from bot.health import serving
from bot.wiring import open_services

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from types import FrameType

    from discord.ext import commands

    from bot.settings import Settings

log = logging.getLogger(__name__)

DRAIN_SECONDS: Final = 10.0
"""How long answers under way may take to finish after the first signal."""

CLOSE_SECONDS: Final = 2.0
"""How long the farewell to Discord may take: a dead connection would make it wait far longer."""


ECHO_SECONDS: Final = 1.0
"""Signals this close together are one wish: some callers signal the process and its group."""


class Serve(Protocol):
    """The demo's stage, `bot.demo.serve`: plays bots on a simulated Discord until `stop`."""

    async def __call__(
        self,
        make_bot: Callable[[], commands.Bot],
        *,
        port: int,
        lobby_port: int,
        stop: asyncio.Event,
        ready: Callable[[str], None],
    ) -> None:
        """Give `ready` what to tell the person at the terminal, once there is something to see."""
        ...


class Drainable(Protocol):
    """As much of the bot as its life span needs."""

    async def start(self, token: str) -> None:
        """Log in and serve until closed."""
        ...

    async def drain(self, seconds: float) -> None:
        """Take no new interaction, and wait for those under way, at most so long."""
        ...

    async def close(self) -> None:
        """Leave Discord."""
        ...


def run(settings: Settings) -> Exit:
    """Serve Discord until a signal ends it."""
    return _conclude(_run(settings))


def demo(settings: Settings, serve: Serve, *, foreseen: type[Exception], keep: Path | None = None) -> Exit:
    """Serve a simulated Discord until a signal ends it, in `keep` or in a folder that is gone afterwards.

    `foreseen` is the stage's own kind of failure; its text is fit to be told.
    """
    with nullcontext(keep) if keep else tempfile.TemporaryDirectory(prefix="kizuki-demo-") as folder:
        return _conclude(_demo(replace(settings, data=Path(folder)), serve), foreseen)


async def _run(settings: Settings) -> None:
    with stop_on_signals() as stop:
        async with open_services(settings) as services:
            bot = KizukiBot(services, message_content=settings.message_content)
            services.vitals.attach(bot)
            async with serving(settings.health_port, services.vitals.parts):
                await live(bot, settings.token, stop)


async def _demo(settings: Settings, serve: Serve) -> None:
    with stop_on_signals() as stop:
        async with open_services(settings) as services:
            await serve(
                lambda: KizukiBot(services, message_content=settings.message_content),
                port=settings.demo_port,
                lobby_port=settings.demo_lobby_port,
                stop=stop,
                ready=sayings.say,
            )


async def live(bot: Drainable, token: str, stop: asyncio.Event) -> None:
    """Run the bot until `stop` or until Discord ends it; on `stop` finish the answers under way, then say farewell."""
    serving = asyncio.create_task(bot.start(token), name="discord")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not serving.done():
            log.info(sayings.STOPPING.format(seconds=int(DRAIN_SECONDS)))
            await bot.drain(DRAIN_SECONDS)
    finally:
        stopping.cancel()
        await _farewell(bot, serving)
    if not stop.is_set():
        serving.result()


async def _farewell(bot: Drainable, serving: asyncio.Task[None]) -> None:
    """Close the connection, giving up on a farewell that nobody answers."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await bot.close()
    except TimeoutError:
        log.warning("Discord did not answer the farewell within %s s", CLOSE_SECONDS)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@contextmanager
def stop_on_signals() -> Iterator[asyncio.Event]:
    """Turn the first SIGTERM or SIGINT into an event; a second one ends the process at once, whatever it is doing."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    heard: list[float] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(time.monotonic())
        if heard[-1] - heard[0] > ECHO_SECONDS:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        loop.call_soon_threadsafe(stop.set)

    before = {each: signal.signal(each, hear) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _conclude(story: Coroutine[None, None, None], foreseen: type[Exception] | tuple[()] = ()) -> Exit:
    """Play a story to its end and tell how it ended."""
    try:
        asyncio.run(story)
    except foreseen as error:
        sayings.say(str(error))
        return Exit.CANNOT_START
    except Exception as error:  # noqa: BLE001 - told, and logged where nobody foresaw it
        return ended_by(error)
    log.info(sayings.STOPPED)
    return Exit.OK
