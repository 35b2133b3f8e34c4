"""What is posted by the clock, on its way to Discord: the adapter of the Outbox port."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, TypeVar
from weakref import WeakValueDictionary

import aiohttp
import discord

from cogs.ui.pace import Pace
from lessons.errors import PostFailed, PostRefused
from lessons.model import MessageId, Pause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from discord.ext import commands

    from cogs.ui.letters import Letter
    from lessons.model import ChannelId, Post, Schedule, UserId

    T = TypeVar("T")
    Handing = Callable[[], Awaitable[None]]
    Renderers = Mapping[type[Post], Callable[[Post], Letter]]

_log = logging.getLogger(__name__)

PER_SECOND: Final = 30
"""Requests a second at most; answers to interactions are not among them."""
KNOWN_DMS: Final = 10_000
"""Direct messages whose channel is remembered, so that they need not be opened again."""
HELD_SECONDS: Final = 60.0
"""How long nothing is asked after Discord said that too much was."""
LONGEST_HOLD: Final = 3600.0
OPENING_TOO_FAST: Final = 40003
"""Discord's code for too many direct messages opened; those that are open go on."""
TOO_MANY: Final = 429

GONE: Final = {
    10003: Pause.NO_CHANNEL,
    10004: Pause.NO_SERVER,
    10008: Pause.NO_CHANNEL,  # a message that is to be edited
    10013: Pause.NO_DM,  # nobody has that account any more
    50001: Pause.NO_ACCESS,
    50007: Pause.NO_DM,
    50008: Pause.NO_CHANNEL,  # a channel without messages
    50013: Pause.NO_ACCESS,
    50024: Pause.NO_CHANNEL,  # the same
    50083: Pause.NO_ACCESS,  # a thread that is archived and locked
    50278: Pause.NO_DM,  # no server in common
}
"""Discord's codes for what will not work however often it is asked, and why. Every other 403 is one of them too."""


class DiscordOutbox:
    """Posts at an even pace, in order in each channel, and never where the gateway said that nothing can be posted.

    `attach` gives it the bot once there is one, and how each kind of post looks.
    """

    def __init__(self, per_second: float = PER_SECOND) -> None:
        self._bot: commands.Bot | None = None
        self._renderers: Renderers = {}
        self._linked = False
        self._pace = Pace(per_second)
        self._order: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._dms: OrderedDict[UserId, int] = OrderedDict()
        self._held_until = 0.0
        self._opening_held_until = 0.0

    def attach(self, bot: commands.Bot, renderers: Renderers) -> None:
        """Post through this bot from now on."""
        self._bot, self._renderers, self._linked = bot, renderers, False
        bot.add_listener(self._connected, "on_ready")
        bot.add_listener(self._connected, "on_resumed")
        bot.add_listener(self._disconnected, "on_disconnect")
        bot.add_listener(self._disconnected, "on_connect")  # a new session: the servers are not known again yet

    def let_go(self, user: UserId) -> None:
        """Remember nothing of this person any more; harmless when nothing is remembered."""
        self._dms.pop(user, None)

    @property
    def is_open(self) -> bool:
        """Tell whether there is a connection to Discord, and Discord does not ask for a rest."""
        usable = self._bot is not None and self._linked and not self._bot.is_closed()
        return usable and _now() >= self._held_until

    async def send(self, schedule: Schedule, post: Post, nonce: str, handing: Handing) -> MessageId:
        """Post to whom or where the schedule says. Raises PostRefused (for good), PostFailed (it may work later).

        `handing` is awaited when it is this post's turn, right before Discord is asked; what it raises keeps the post back.
        """
        letter = self._letter(post)
        if schedule.user is not None:
            return await self._send_privately(schedule.user, letter, nonce, handing)
        if refused := self.refusal(schedule, files=bool(letter.files)):
            raise PostRefused(refused)
        if schedule.channel is None:
            raise PostRefused(Pause.NO_CHANNEL)
        return await self.send_to(schedule.channel, letter, nonce, handing)

    async def send_to(
        self, channel: ChannelId, letter: Letter, nonce: str, handing: Handing | None = None
    ) -> MessageId:
        """Post into a channel, once under one nonce. Raises PostRefused, PostFailed."""

        async def post() -> discord.Message:
            place = self._place(channel, files=bool(letter.files))
            if handing is not None:
                await handing()
            return await place.send(view=letter.view, files=list(letter.files), nonce=nonce)

        sent = await self._paced(channel, post)
        return MessageId(sent.id)

    async def edit(self, channel: ChannelId, message: MessageId, letter: Letter) -> None:
        """Put something else in the place of a message of the bot, files and all. Raises PostRefused, PostFailed."""

        async def change() -> discord.Message:
            self._place(channel, files=False)
            card = self._client().get_partial_messageable(channel).get_partial_message(message)
            return await card.edit(view=letter.view, attachments=list(letter.files))

        await self._paced(channel, change)

    def refusal(self, schedule: Schedule, *, files: bool = False) -> Pause | None:
        """Say why a channel's schedule cannot be posted, by what the gateway told; None when it can, or nobody knows.

        Raises PostFailed while its server is unavailable.
        """
        guild = self._client().get_guild(schedule.guild or 0)
        if guild is None:
            return Pause.NO_SERVER
        if guild.unavailable:
            raise PostFailed(certain=True)
        channel = guild.get_channel_or_thread(schedule.channel or 0)
        return _refusal(channel, files=files)

    def _place(self, channel: ChannelId, *, files: bool) -> discord.abc.Messageable:
        """Return a channel of a server that takes messages."""
        found = self._client().get_channel(channel)
        if found is None and any(guild.unavailable for guild in self._client().guilds):
            raise PostFailed(certain=True)
        refused = _refusal(found, files=files)
        if refused or not isinstance(found, discord.abc.Messageable):
            raise PostRefused(refused or Pause.NO_CHANNEL)
        return found

    async def _send_privately(self, user: UserId, letter: Letter, nonce: str, handing: Handing) -> MessageId:
        async def post() -> discord.Message:
            channel = self._client().get_partial_messageable(await self._dm(user), type=discord.ChannelType.private)
            await handing()
            try:
                return await channel.send(view=letter.view, files=list(letter.files), nonce=nonce)
            except discord.NotFound as gone:
                self._dms.pop(user, None)  # opened anew the next time
                raise PostFailed(certain=True) from gone

        sent = await self._paced(user, post, private=True)
        return MessageId(sent.id)

    async def _dm(self, user: UserId) -> int:
        """Return the channel of a learner's direct messages. Opening it is a request of its own."""
        if user not in self._dms:
            if _now() < self._opening_held_until:
                raise PostFailed(certain=True)
            opened = await self._client().create_dm(discord.Object(user))
            self._dms[user] = opened.id
            if len(self._dms) > KNOWN_DMS:
                self._dms.popitem(last=False)
            await self._pace.turn()
        self._dms.move_to_end(user)
        return self._dms[user]

    async def _paced(self, place: int, work: Callable[[], Awaitable[T]], *, private: bool = False) -> T:
        """Carry out a request when it is its turn; what was asked for one place goes in that order."""
        lock = self._order.get(place) or self._order.setdefault(place, asyncio.Lock())
        async with lock:
            await self._pace.turn()
            if not self.is_open:
                raise PostFailed(certain=True)
            try:
                return await work()
            except discord.HTTPException as error:
                self._rest_after(error)
                raise _told(error, private=private) from error
            except (discord.RateLimited, aiohttp.ClientConnectorError) as error:  # it never left
                raise PostFailed(certain=True) from error
            except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as error:
                raise PostFailed from error

    def _rest_after(self, error: discord.HTTPException) -> None:
        if error.code == OPENING_TOO_FAST:
            self._opening_held_until = _now() + HELD_SECONDS
        elif error.status == TOO_MANY:
            self._held_until = _now() + _asked_for(error)
            _log.warning("Discord asks for a rest; nothing is posted for %d s", self._held_until - _now())

    def _letter(self, post: Post) -> Letter:
        try:
            return self._renderers[type(post)](post)
        except Exception as error:
            _log.exception("a %s could not be shown", type(post).__name__)
            raise PostFailed from error

    def _client(self) -> commands.Bot:
        if self._bot is None:
            raise PostFailed(certain=True)
        return self._bot

    async def _connected(self) -> None:
        self._linked = True

    async def _disconnected(self) -> None:
        self._linked = False


def _refusal(channel: object, *, files: bool) -> Pause | None:
    """Say why nothing can be posted in a channel, by the permissions that the gateway told; None when it can."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return Pause.NO_CHANNEL
    me = channel.guild.me
    try:
        allowed = channel.permissions_for(me)
    except discord.ClientException:  # a thread whose channel is gone
        return Pause.NO_CHANNEL
    send = allowed.send_messages_in_threads if isinstance(channel, discord.Thread) else allowed.send_messages
    return None if allowed.view_channel and send and (allowed.attach_files or not files) else Pause.NO_ACCESS


def _told(error: discord.HTTPException, *, private: bool) -> PostRefused | PostFailed:
    """Tell what Discord refuses for good from what may work later."""
    if error.code == OPENING_TOO_FAST or error.status == TOO_MANY:
        return PostFailed(certain=True)
    why = GONE.get(error.code) or (Pause.NO_ACCESS if isinstance(error, discord.Forbidden) else None)
    if why is not None:
        return PostRefused(Pause.NO_DM if private else why)
    _log.warning("Discord did not take a post: status %d, code %d", error.status, error.code)
    return PostFailed()


def _asked_for(error: discord.HTTPException) -> float:
    """Return how many seconds of rest a 429 asks for, within reason."""
    try:
        seconds = float(error.response.headers.get("Retry-After", HELD_SECONDS))
    except ValueError:
        seconds = HELD_SECONDS
    return min(max(seconds, HELD_SECONDS), LONGEST_HOLD)


def _now() -> float:
    return time.perf_counter()
