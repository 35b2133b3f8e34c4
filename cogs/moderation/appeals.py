"""`/queue`: moderators decide about "I was right", and the bot's operator about what was asked in direct messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import moderated_guild, user_of
from cogs.refusals import NotAllowed
from cogs.render import appeals as render
from cogs.render.appeals import OPERATOR
from cogs.ui.presses import Press, on_press
from lessons.model import AppealId

if TYPE_CHECKING:
    from discord.ui import Button, LayoutView

    from lessons.flows.appealing import Appealing
    from lessons.model import GuildId
    from lessons.ports import Clock

SHOWN: Final = 100


class Queue(commands.Cog):
    """Appeals of one server; nobody of another server sees or decides them, and who typed it is not said.

    Starter packs drilled in direct messages belong to no server: the operator sees these once the server's own queue
    is empty, and decides them for everybody.
    """

    def __init__(self, bot: commands.Bot, appealing: Appealing, clock: Clock) -> None:
        self._bot = bot
        self._appealing = appealing
        self._clock = clock

    @app_commands.command(description="Decide about answers that learners say were right.")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def queue(self, interaction: discord.Interaction) -> None:
        """Show the oldest appeal."""
        await interaction.response.defer(ephemeral=True)
        await interaction.edit_original_response(view=await self._waiting(interaction))

    @on_press("accept", arguments=2)
    async def accept(self, press: Press) -> None:
        """Accept an answer and show the next appeal."""
        await press.interaction.response.defer()
        guild, user, now = await self._scope(press), user_of(press.interaction), self._clock()
        decided = await self._appealing.accept(AppealId(press.number(0)), guild, user, now)
        undo = render.undo(decided, press.text(1), now)
        view = await self._waiting(press.interaction, render.accepted(decided), undo)
        await press.interaction.edit_original_response(view=view)

    @on_press("decline", arguments=2)
    async def decline(self, press: Press) -> None:
        """Decline an answer and show the next appeal."""
        await press.interaction.response.defer()
        guild, user, now = await self._scope(press), user_of(press.interaction), self._clock()
        decided = await self._appealing.decline(AppealId(press.number(0)), guild, user, now)
        undo = render.undo(decided, press.text(1), now)
        view = await self._waiting(press.interaction, render.declined(decided), undo)
        await press.interaction.edit_original_response(view=view)

    @on_press("undecide", arguments=3)
    async def undo(self, press: Press) -> None:
        """Take back the decision this button was shown for, and show what waits."""
        await press.interaction.response.defer()
        guild, decided = await self._scope(press), render.decided_at(press.number(2))
        reopened = await self._appealing.undo(AppealId(press.number(0)), guild, decided)
        view = await self._waiting(press.interaction, render.reopened(reopened))
        await press.interaction.edit_original_response(view=view)

    async def _scope(self, press: Press) -> GuildId | None:
        """Return whose appeal is decided: this server's, or None for the operator's. Raises NotAllowed."""
        guild = moderated_guild(press.interaction)
        if press.text(1) != OPERATOR:
            return guild
        if not await self._bot.is_owner(press.interaction.user):
            raise NotAllowed("owner of this bot")
        return None

    async def _waiting(
        self, interaction: discord.Interaction, said: str = "", undo: Button[LayoutView] | None = None
    ) -> LayoutView:
        waiting = await self._appealing.waiting(moderated_guild(interaction), SHOWN)
        if not waiting and await self._bot.is_owner(interaction.user):
            return render.queue(await self._appealing.waiting(None, SHOWN), said=said, scope=OPERATOR, undo=undo)
        return render.queue(waiting, said=said, undo=undo)
