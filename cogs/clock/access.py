"""Where the bot may post, as the gateway tells it: schedules pause when that is lost, and go on when it returns."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import commands

from lessons.errors import KizukiError, PostFailed
from lessons.model import ChannelId, GuildId, Pause, UserId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cogs.clock.outbox import DiscordOutbox
    from lessons.flows.posting import Posting
    from lessons.flows.resuming import Resuming
    from lessons.model import Schedule
    from lessons.ports import Clock

_log = logging.getLogger(__name__)

ACTS: Final = {
    discord.InteractionType.application_command,
    discord.InteractionType.component,
    discord.InteractionType.modal_submit,
}


class Access(commands.Cog):
    """No request is needed to notice that a channel is gone, or that it is back."""

    def __init__(
        self, bot: commands.Bot, resuming: Resuming, posting: Posting, outbox: DiscordOutbox, clock: Clock
    ) -> None:
        self._bot = bot
        self._resuming = resuming
        self._posting = posting
        self._outbox = outbox
        self._clock = clock
        self._was_ready = False

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Look at everything once, and post what fell due meanwhile; a new session later needs neither."""
        if self._was_ready:
            return
        self._was_ready = True
        self._posting.start()
        await self._look_again()
        await self._posting.tick(self._clock)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server."""
        await self._lost(guild, Pause.NO_SERVER)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone."""
        await self._lost(channel.guild, Pause.NO_CHANNEL, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone, whether it was known or not."""
        await self._lost(discord.Object(thread.guild_id), Pause.NO_CHANNEL, thread.thread_id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again."""
        await self._look_again(guild)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is there again after an outage of Discord's."""
        await self._look_again(guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """The rights in a channel may have changed."""
        await self._look_again(after.guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """The rights of a role may have changed."""
        await self._look_again(after.guild)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A role that forbade something may be gone."""
        await self._look_again(role.guild)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """The bot's own roles may have changed."""
        if after == after.guild.me:
            await self._look_again(after.guild)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote to the bot directly."""
        if message.guild is None and not message.author.bot:
            await self._met(message.author)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Somebody used or pressed something in direct messages."""
        if interaction.guild_id is None and interaction.type in ACTS:
            await self._met(interaction.user)

    async def _lost(self, guild: discord.abc.Snowflake, why: Pause, channel: int | None = None) -> None:
        place = ChannelId(channel) if channel is not None else None
        with _later_if_storage_fails():
            if paused := await self._resuming.lost(GuildId(guild.id), why, self._clock(), place):
                _log.info("paused %d schedules: %s", paused, why)

    async def _look_again(self, guild: discord.Guild | None = None) -> None:
        """Resume what can be posted again, of a server or everywhere; before all servers are known, everywhere comes soon."""
        if not self._was_ready:
            return
        here = GuildId(guild.id) if guild is not None else None
        with _later_if_storage_fails():
            if back := await self._resuming.regained(self._can_post, self._clock(), here):
                _log.info("resumed %d schedules: they can be posted again", len(back))

    async def _met(self, user: discord.abc.User) -> None:
        with _later_if_storage_fails():
            if back := await self._resuming.met(UserId(user.id), self._clock()):
                _log.info("resumed %d schedules of a learner who is there again", len(back))

    def _can_post(self, schedule: Schedule) -> bool:
        try:
            return self._outbox.refusal(schedule) is None
        except PostFailed:
            return False


@contextmanager
def _later_if_storage_fails() -> Iterator[None]:
    """Let a full disk pass: what is lost is noticed again at the next post, what is regained at the next start."""
    try:
        yield
    except KizukiError as error:
        _log.warning("schedules are looked at later: %s", type(error).__name__)
