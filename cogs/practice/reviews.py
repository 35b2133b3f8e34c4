"""`/review` and `/progress`: the patterns in what was missed, a drill for each, and how far one has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, user_of
from cogs.render import drills, reviews
from cogs.ui.letters import attached
from cogs.ui.presses import Press, on_press
from lessons.errors import DrillUnfinished
from lessons.flows.reviewing import SHOWN, ThemeDrill
from lessons.model import MistakeId, RunId

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.arranging import Arranging
    from lessons.flows.reviewing import Reviewing
    from lessons.ports import Clock


class Reviews(commands.Cog):
    """A learner's own patterns and figures; they are shown to nobody else."""

    def __init__(self, reviewing: Reviewing, arranging: Arranging, clock: Clock) -> None:
        self._reviewing = reviewing
        self._arranging = arranging
        self._clock = clock

    @app_commands.command(description="See the patterns in what you missed in the last 30 days, and drill one.")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def review(self, interaction: discord.Interaction) -> None:
        """Show the themes of the last days."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        await self._show_review(interaction)

    @app_commands.command(description="See your answers by day, first tries by week, and mistakes by kind.")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def progress(self, interaction: discord.Interaction) -> None:
        """Show the figures of the last days and weeks."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        await self._show_progress(interaction)

    @on_press("review")
    async def back_to_review(self, press: Press) -> None:
        """Show the themes of now in the place of something else."""
        await press.interaction.response.defer()
        await self._show_review(press.interaction)

    @on_press("progress")
    async def on_to_progress(self, press: Press) -> None:
        """Show the figures of now in the place of something else."""
        await press.interaction.response.defer()
        await self._show_progress(press.interaction)

    @on_press("theme", arguments=5)
    async def drill_theme(self, press: Press) -> None:
        """Start a drill over a theme in a message of its own, so that the themes stay; `anew` was asked there.

        Its review began at the fourth argument, if there is one, and was posted by the run of the fifth, if by any.
        """
        interaction, anew = press.interaction, press.number(2) == 1
        made, mistake = reviews.moment(press.number(0)), MistakeId(press.number(1))
        since = reviews.moment(press.number(3)) if press.text(3) else None
        if anew:
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=True)
        ask = ThemeDrill(user_of(interaction), guild_of(interaction), made, mistake, anew, since)
        if press.text(4) and (run := press.number(4)):
            await self._arranging.pressed(RunId(run), ask.user, self._clock())
        await interaction.edit_original_response(view=await self._begun(ask))

    async def _begun(self, ask: ThemeDrill) -> LayoutView:
        now = self._clock()
        try:
            step = await self._reviewing.drill(ask, now)
        except DrillUnfinished as unfinished:
            return reviews.crossroads(unfinished, ask, now)
        return drills.step(step) if step else reviews.changed()

    async def _show_review(self, interaction: discord.Interaction) -> None:
        found = await self._reviewing.review(user_of(interaction), self._clock(), SHOWN)
        files = attached({reviews.THEME_CHART: found.chart})
        await interaction.edit_original_response(view=reviews.review(found), attachments=files)

    async def _show_progress(self, interaction: discord.Interaction) -> None:
        found = await self._reviewing.progress(user_of(interaction), self._clock())
        pictures = {reviews.DAY_CHART: found.days, reviews.WEEK_CHART: found.weeks, reviews.KIND_CHART: found.kinds}
        await interaction.edit_original_response(view=reviews.progress(found), attachments=attached(pictures))
