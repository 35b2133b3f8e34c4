"""`/queue`: moderators decide about "I was right"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import moderated_guild, user_of
from cogs.render import appeals as render
from cogs.ui.presses import Press, on_press
from lessons.model import AppealId

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.appealing import Appealing
    from lessons.model import GuildId
    from lessons.ports import Clock

SHOWN: Final = 100


class Queue(commands.Cog):
    """Appeals of one server; nobody of another server sees or decides them, and who typed it is not said."""

    def __init__(self, appealing: Appealing, clock: Clock) -> None:
        self._appealing = appealing
        self._clock = clock

    @app_commands.command(description="Decide about answers that learners say were right.")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def queue(self, interaction: discord.Interaction) -> None:
        """Show the oldest appeal."""
        await interaction.response.defer(ephemeral=True)
        await interaction.edit_original_response(view=await self._waiting(moderated_guild(interaction)))

    @on_press("accept")
    async def accept(self, press: Press) -> None:
        """Accept an answer and show the next appeal."""
        await press.interaction.response.defer()
        guild, user = moderated_guild(press.interaction), user_of(press.interaction)
        decided = await self._appealing.accept(AppealId(press.number(0)), guild, user, self._clock())
        await press.interaction.edit_original_response(view=await self._waiting(guild, render.accepted(decided)))

    @on_press("decline")
    async def decline(self, press: Press) -> None:
        """Decline an answer and show the next appeal."""
        await press.interaction.response.defer()
        guild, user = moderated_guild(press.interaction), user_of(press.interaction)
        decided = await self._appealing.decline(AppealId(press.number(0)), guild, user, self._clock())
        await press.interaction.edit_original_response(view=await self._waiting(guild, render.declined(decided)))

    async def _waiting(self, guild: GuildId, said: str = "") -> LayoutView:
        return render.queue(await self._appealing.waiting(guild, SHOWN), said=said)
