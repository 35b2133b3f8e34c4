"""What the bot answers to a direct message or a mention: where to begin, and what it keeps."""

from __future__ import annotations

from typing import Final

import aiohttp
import discord
from discord.ext import commands

from cogs import messages
from cogs.tutoring.studies import Studies
from cogs.ui.layouts import notice

FALLEN: Final = (discord.HTTPException, aiohttp.ClientError)


class Greeting(commands.Cog):
    """Everything works by commands and buttons; somebody who just writes is told so."""

    def __init__(self, bot: commands.Bot, contact: str) -> None:
        self._bot = bot
        self._contact = contact

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a person who writes to the bot directly or mentions it."""
        if message.author.bot or message.type is not discord.MessageType.default:
            return
        studies = self._bot.get_cog("Studies")
        if isinstance(studies, Studies) and await studies.takes(message):
            return
        if message.guild is None or (self._bot.user is not None and self._bot.user in message.mentions):
            try:
                await message.channel.send(view=notice(messages.greeting(self._contact)))
            except FALLEN:
                return  # no right to write here: then there is nobody to tell either
