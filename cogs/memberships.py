"""Who belongs to which server, asked of Discord: the adapter of the Memberships port."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import discord

from lessons.model import GuildId

if TYPE_CHECKING:
    from lessons.model import UserId


class DiscordMemberships:
    """Asks Discord for one member; needs no privileged intent. `attach` gives it the client once there is one."""

    def __init__(self) -> None:
        self._client: discord.Client | None = None

    def attach(self, client: discord.Client) -> None:
        """Use this client for every question from now on."""
        self._client = client

    async def is_member(self, guild: GuildId, user: UserId) -> bool | None:
        """Tell whether the person is in the server; False where the bot is not there, None when Discord is silent."""
        if self._client is None or not self._client.is_ready():
            return None
        found = self._client.get_guild(guild)
        if found is None:
            return False
        try:
            await found.fetch_member(user)
        except discord.NotFound:
            return False
        except (discord.HTTPException, aiohttp.ClientError):
            return None
        return True

    async def present(self) -> frozenset[GuildId] | None:
        """Return the servers the bot is in, those that are down for a while too; None while Discord has not said."""
        if self._client is None or not self._client.is_ready():
            return None
        return frozenset(GuildId(guild.id) for guild in self._client.guilds)
