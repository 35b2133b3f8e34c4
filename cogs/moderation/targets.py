"""Where something may be posted for many: channels of text in which both the bot and who asks for it may post."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands

from cogs.messages import lacking
from cogs.refusals import ChannelClosed
from lessons.model import ChannelId

BOT_NEEDS: Final = ("view_channel", "send_messages", "attach_files")
PERSON_NEEDS: Final = ("view_channel", "send_messages")


class PostChannel(app_commands.Transformer):
    """An option that takes a channel of text, also one that the bot cannot see (which is then said in words)."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Text and announcements."""
        return [discord.ChannelType.text, discord.ChannelType.news]

    async def transform(
        self, _: discord.Interaction, value: app_commands.AppCommandChannel, /
    ) -> app_commands.AppCommandChannel:
        """Take the channel as it came."""
        return value


def check_channel(interaction: discord.Interaction, channel: ChannelId) -> None:
    """Look whether the bot and the person may post there, by the cached roles and overwrites.

    Raises ChannelClosed.
    """
    guild = interaction.guild
    found = guild.get_channel(channel) if guild else None
    if guild is None or not isinstance(found, discord.TextChannel):
        raise ChannelClosed(channel, ())
    if missing := lacking(found.permissions_for(guild.me), BOT_NEEDS):
        raise ChannelClosed(channel, missing)
    person = interaction.user
    if isinstance(person, discord.Member) and (missing := lacking(found.permissions_for(person), PERSON_NEEDS)):
        raise ChannelClosed(channel, (), missing)


def channel_names(interaction: discord.Interaction) -> dict[ChannelId, str]:
    """Return the names of the server's channels, as far as they are known, for where no mention runs."""
    return {ChannelId(each.id): each.name for each in interaction.guild.channels} if interaction.guild else {}
