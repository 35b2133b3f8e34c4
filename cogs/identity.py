"""Who acts where: Discord's snowflakes as the subject's ids, and what they may do there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.refusals import NotAllowed, ServerOnly
from lessons.model import GuildId, InteractionId, UserId

if TYPE_CHECKING:
    import discord


def user_of(interaction: discord.Interaction) -> UserId:
    """Return the person who acts."""
    return UserId(interaction.user.id)


def guild_of(interaction: discord.Interaction) -> GuildId | None:
    """Return the server it happens in; None in a direct message."""
    return GuildId(interaction.guild_id) if interaction.guild_id is not None else None


def interaction_of(interaction: discord.Interaction) -> InteractionId:
    """Return what makes a repeated delivery recognisable."""
    return InteractionId(interaction.id)


def moderated_guild(interaction: discord.Interaction) -> GuildId:
    """Return the server, if this person may manage it.

    Discord's own command permissions can be overridden by a server's admins and are no check, so this is asked of
    the permissions that came with the interaction. Raises ServerOnly, NotAllowed.
    """
    guild = guild_of(interaction)
    if guild is None:
        raise ServerOnly
    if not interaction.permissions.manage_guild:
        raise NotAllowed("Manage Server")
    return guild
