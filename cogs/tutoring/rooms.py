"""Where a study takes place: a private thread of a server's channel, or direct messages."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import aiohttp
import discord

from cogs.messages import lacking
from cogs.refusals import ClosedMessages, NoRoomForThread
from cogs.ui.escape import plain

if TYPE_CHECKING:
    from discord.ext import commands
    from discord.ui import LayoutView

FALLEN: Final = (discord.HTTPException, aiohttp.ClientError)
NEEDED: Final = ("create_private_threads", "send_messages_in_threads")
"""Permissions that the bot needs for a private thread of its own."""
THREAD_NAME: Final = 100


async def thread(interaction: discord.Interaction, name: str, first: LayoutView) -> discord.Message:
    """Open a private thread with the person in it, and return its first message. Raises NoRoomForThread."""
    parent = interaction.channel
    if isinstance(parent, discord.Thread):
        parent = parent.parent
    missing = lacking(interaction.app_permissions, NEEDED)
    if missing or not isinstance(parent, discord.TextChannel):
        raise NoRoomForThread(missing)
    try:
        made = await parent.create_thread(
            name=plain(name, THREAD_NAME) or "study", type=discord.ChannelType.private_thread, invitable=False
        )
    except FALLEN as error:
        raise NoRoomForThread(()) from error
    try:
        await made.add_user(interaction.user)
        return await made.send(view=first)
    except FALLEN as error:
        with suppress(*FALLEN):
            await made.delete()
        raise NoRoomForThread(()) from error


async def direct(interaction: discord.Interaction, first: LayoutView) -> discord.Message:
    """Write to the person directly, and return that message. Raises ClosedMessages."""
    try:
        return await (await interaction.user.create_dm()).send(view=first)
    except discord.Forbidden as error:
        raise ClosedMessages from error


async def leave(first: discord.Message) -> None:
    """Take a thread away in which nothing came about, and of direct messages the first one."""
    with suppress(*FALLEN):
        await (first.channel if isinstance(first.channel, discord.Thread) else first).delete()


async def close(bot: commands.Bot, channel: int) -> None:
    """Archive a thread, locked where the bot may; nothing happens to direct messages, nor where it may not."""
    with suppress(*FALLEN):
        found = bot.get_channel(channel) or await bot.fetch_channel(channel)
        if isinstance(found, discord.Thread):
            try:
                await found.edit(archived=True, locked=True)
            except discord.Forbidden:
                await found.edit(archived=True)
