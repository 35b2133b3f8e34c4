"""Posts and edits cards in channels, and tells what Discord refuses for good from what may work later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import aiohttp
import discord

from lessons.errors import PostFailed, PostRefused
from lessons.model import MessageId, Pause

if TYPE_CHECKING:
    from cogs.ui.letters import Letter
    from lessons.model import ChannelId

GONE: Final = frozenset({10003, 10004, 10008})
"""Discord's codes for a channel, a server or a message that is no more."""


class Channels:
    """Posts through a client, without any pace of its own."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send_to(self, channel: ChannelId, letter: Letter, nonce: str) -> MessageId:
        """Post a message, once under one nonce."""
        try:
            sent = await self._client.get_partial_messageable(channel).send(
                view=letter.view, files=list(letter.files), nonce=nonce
            )
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError) as error:
            raise _told(error) from error
        return MessageId(sent.id)

    async def edit(self, channel: ChannelId, message: MessageId, letter: Letter) -> None:
        """Put something else in the place of a message."""
        card = self._client.get_partial_messageable(channel).get_partial_message(message)
        try:
            await card.edit(view=letter.view)
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError) as error:
            raise _told(error) from error


def _told(error: Exception) -> PostRefused | PostFailed:
    if isinstance(error, discord.NotFound) or (isinstance(error, discord.HTTPException) and error.code in GONE):
        return PostRefused(Pause.NO_CHANNEL)
    if isinstance(error, discord.Forbidden):
        return PostRefused(Pause.NO_ACCESS)
    return PostFailed()
