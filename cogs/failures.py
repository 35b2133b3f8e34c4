"""The one funnel every error ends in: a sentence for the person, a reference for the operator, one line in the log."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
from discord import app_commands

from cogs import messages
from cogs.refusals import NotAllowed, Restarting, ServerOnly, StalePress
from cogs.traffic import Outcome, Traffic
from cogs.ui.layouts import notice
from lessons.errors import KizukiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

_log = logging.getLogger(__name__)

UNKNOWN_INTERACTION: Final = 10062
ALREADY_ACKNOWLEDGED: Final = 40060
TOO_MANY: Final = 429
ITS_OWN: Final = 500
"""From here on a status means that Discord failed, not we."""
REST: Final = 3.0
"""Seconds after which Discord is asked once more."""
LOST: Final = frozenset({UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED, 50027, 10015})
"""Discord's codes for an interaction that is over, answered elsewhere, or older than 15 minutes."""


class Funnel:
    """Counts what is in flight, guards it, and turns whatever goes wrong into words."""

    def __init__(self, traffic: Traffic | None = None) -> None:
        self._traffic = traffic or Traffic()
        self._in_flight: set[int] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closing = False
        self.lost = 0

    async def guard(self, interaction: discord.Interaction, work: Callable[[], Awaitable[None]]) -> None:
        """Run one press; nothing escapes but cancellation."""
        if not await self.enter(interaction):
            return
        error: Exception | None = None
        try:
            await work()
        except Exception as raised:  # noqa: BLE001 - the end of the line for every error
            error = raised
        finally:
            await self.leave(interaction, error)

    async def enter(self, interaction: discord.Interaction) -> bool:
        """Count an interaction in; False (and the person is told) when the bot is about to stop."""
        self._traffic.came(interaction.id)
        if self._closing:
            self._traffic.ended(interaction.id, Outcome.RESTARTING)
            await self.tell(interaction, Restarting())
            return False
        self._count_in(interaction.id)
        return True

    async def leave(self, interaction: discord.Interaction, error: Exception | None = None) -> None:
        """Count an interaction out, after telling the person what went wrong with it, if anything did."""
        try:
            if error is not None:
                await self.tell(interaction, error)
        finally:
            self._traffic.ended(interaction.id, _outcome(error))
            self._count_out(interaction.id)

    @contextmanager
    def under_way(self, message: discord.Message) -> Iterator[None]:
        """Count a typed message in and out while it is answered. Raises Restarting when the bot is about to stop."""
        if self._closing:
            raise Restarting
        self._count_in(message.id)
        try:
            yield
        finally:
            self._count_out(message.id)

    async def drain(self, seconds: float) -> None:
        """Take nothing new, and wait for what is in flight, at most so long."""
        self._closing = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), seconds)

    def _count_in(self, key: int) -> None:
        self._in_flight.add(key)
        self._idle.clear()

    def _count_out(self, key: int) -> None:
        self._in_flight.discard(key)
        if not self._in_flight:
            self._idle.set()

    async def tell(self, interaction: discord.Interaction, error: BaseException) -> None:
        """Tell the person what went wrong, privately, and log what is not theirs to mend."""
        error = _root(error)
        if isinstance(error, discord.HTTPException) and _is_lost(error):
            self.lost += 1
            _log.info("interaction %s was over or answered elsewhere (code %s)", reference(interaction), error.code)
            return
        if isinstance(error, KizukiError):
            sentence = messages.failure(error)
        elif _is_of_discord(error):
            _log.warning("interaction %s: Discord did not take a reply: %s", reference(interaction), _kind(error))
            sentence = messages.NOT_TAKEN
        else:
            _log.error("interaction %s failed", reference(interaction), exc_info=error)
            sentence = messages.unexpected(reference(interaction))
        await _say(interaction, sentence)


def reference(of: discord.Interaction | discord.Message) -> str:
    """Return eight characters that name this interaction or message in the log and tell nothing about the person."""
    return hashlib.blake2b(str(of.id).encode(), digest_size=4).hexdigest()


def _outcome(error: BaseException | None) -> Outcome:
    if error is None:
        return Outcome.DONE
    error = _root(error)
    if _is_lost(error) or _is_of_discord(error):
        return Outcome.LOST
    return Outcome.REFUSED if isinstance(error, KizukiError) else Outcome.FAILED


def _is_lost(error: BaseException) -> bool:
    return isinstance(error, discord.HTTPException) and error.code in LOST


def _is_of_discord(error: BaseException) -> bool:
    """Tell whether Discord, or the way to it, was in trouble: too much at once, its own failure, a lost connection."""
    if isinstance(error, discord.HTTPException):
        return error.status == TOO_MANY or error.status >= ITS_OWN
    return isinstance(error, discord.RateLimited | aiohttp.ClientError | ConnectionError)


def _kind(error: BaseException) -> str:
    return f"status {error.status}" if isinstance(error, discord.HTTPException) else type(error).__name__


def _root(error: BaseException) -> BaseException:
    """Unwrap what discord.py wraps around an exception of a command."""
    while isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if isinstance(error, app_commands.NoPrivateMessage):
        return ServerOnly()
    if isinstance(error, app_commands.MissingPermissions):
        return NotAllowed(messages.permission(error.missing_permissions[0]))
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return StalePress()
    return error


async def _say(interaction: discord.Interaction, sentence: str) -> None:
    """Tell a sentence; once more a little later, when Discord was in trouble."""
    for last in (False, True):
        try:
            await _tell(interaction, sentence)
        except (discord.DiscordException, aiohttp.ClientError, ConnectionError) as error:
            if last or not _is_of_discord(error):
                name = reference(interaction)
                _log.warning("interaction %s could not be told what went wrong: %s", name, type(error).__name__)
                return
            await asyncio.sleep(REST)
        else:
            return


async def _tell(interaction: discord.Interaction, sentence: str) -> None:
    privately = interaction.guild_id is not None
    if interaction.response.is_done():
        await interaction.followup.send(view=notice(sentence), ephemeral=privately)
    else:
        await interaction.response.send_message(view=notice(sentence), ephemeral=privately)
