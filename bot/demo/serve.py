"""Runs the demo: a fresh bot on a simulated Discord, the lobby, the rooms; ends cleanly when told to."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import simcord
from simcord import SetupError

from bot.demo import faces, preview, world
from bot.demo.lobby import Lobby

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from discord.ext import commands
    from simcord import Env

log = logging.getLogger(__name__)

PORT: Final = 8641
LOBBY_PORT: Final = 8640
SETTLE: Final = 12.0
"""Seconds that the bot's work on one press may take before the page stops waiting for it."""
GOODBYE: Final = 10.0
"""Seconds that the bot may take to close."""

READY: Final = """\
Kizuki is in the café, and no Discord is needed. Open

    {url}

and try: /drill as Mika, a wrong answer on purpose, /review, /progress, /mistakes, her direct messages, then /pack load
as Sensei Aoki.
Nothing leaves this computer. Ctrl-C ends it."""


class PortTaken(Exception):
    """A port of the demo is in use; `option` is the one that chooses another."""

    def __init__(self, port: int, option: str) -> None:
        super().__init__(f"Port {port} is in use: choose another with {option}, for example {option} {port + 10}.")
        self.port = port
        self.option = option


async def serve(
    make_bot: Callable[[], commands.Bot],
    *,
    port: int = PORT,
    lobby_port: int = LOBBY_PORT,
    stop: asyncio.Event,
    ready: Callable[[str], None],
) -> None:
    """Run the demo until `stop` is set. `make_bot` makes a bot that has not started; it is closed whatever happens.

    `ready` is given what to tell the person at the terminal, once the lobby can be used. Port 0 means any free one.
    Raises PortTaken.
    """
    bot = make_bot()
    try:
        async with _world_of(bot) as env:
            await _receive(env, port, lobby_port, stop, ready)
    finally:
        with suppress(TimeoutError):
            await asyncio.wait_for(bot.close(), GOODBYE)


@asynccontextmanager
async def _world_of(bot: commands.Bot) -> AsyncIterator[Env]:
    """Start the bot on a simulated Discord of today, under its own name."""
    env = simcord.Env(bot, strict_sync=True, check_errors=False, settle_timeout=SETTLE)
    preview.begin_now(env)
    preview.forgive_refusals(env)
    env.backend.bot_user.name = world.BOT_NAME
    env.backend.bot_user.avatar = faces.BOT_KEY
    await env.start()
    try:
        with env.time_context():
            yield env
    finally:
        try:
            await env.shutdown()
        except TimeoutError:
            log.warning("Some work of the bot is still under way; it is left behind.")


async def _receive(env: Env, port: int, lobby_port: int, stop: asyncio.Event, ready: Callable[[str], None]) -> None:
    """Build the world, open the doors, and keep them open until `stop`."""
    with preview.fixed_ids(env, world.FIRST_ID):
        demo = world.build(env)
    lobby = Lobby(demo, lobby_port)
    pages = None
    following = None
    try:
        try:
            await lobby.open()
        except OSError as error:
            raise PortTaken(lobby_port, "--lobby-port") from error
        try:
            pages = await preview.open_pages(env, port, lobby.url, demo)
        except SetupError as error:
            raise PortTaken(port, "--port") from error
        await world.populate(env, demo)
        following = asyncio.create_task(pages.follow())
        lobby.show(pages)
        ready(READY.format(url=lobby.url))
        await stop.wait()
    finally:
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        await lobby.close()
        if pages is not None:
            await pages.close()
