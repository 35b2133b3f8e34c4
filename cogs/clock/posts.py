"""Presses on what came by itself: put a review off, drill from a reminder, rest for today, no more of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.ext import commands

from cogs.identity import guild_of, user_of
from cogs.practice.drills import started
from cogs.render import posts as render
from cogs.ui.presses import Press, on_press
from lessons.flows.delivering import DrillRequest
from lessons.model import RunId, ScheduleKind

if TYPE_CHECKING:
    from lessons.flows.arranging import Arranging
    from lessons.flows.delivering import Delivering
    from lessons.model import UserId
    from lessons.ports import Clock


class Posts(commands.Cog):
    """Answers to reviews and reminders; each press says that the learner is there, so that the next one may come."""

    def __init__(self, arranging: Arranging, delivering: Delivering, clock: Clock) -> None:
        self._arranging = arranging
        self._delivering = delivering
        self._clock = clock

    @on_press("put_off")
    async def put_off(self, press: Press) -> None:
        """Let a review come again tomorrow; a second press tells when it comes."""
        interaction, user = press.interaction, user_of(press.interaction)
        await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=True)
        await self._arranging.pressed(RunId(press.number(0)), user, self._clock())
        slot = await self._arranging.put_off(user, ScheduleKind.REVIEW, self._clock())
        await interaction.edit_original_response(view=render.put_off(slot))

    @on_press("nudge_drill")
    async def drill_now(self, press: Press) -> None:
        """Start a drill in the reminder's place."""
        user = await self._answered(press)
        view = await started(self._delivering, DrillRequest(user, guild_of(press.interaction)), self._clock())
        await press.interaction.edit_original_response(view=view)

    @on_press("nudge_rest")
    async def rest(self, press: Press) -> None:
        """Take the reminder away for today."""
        user = await self._answered(press)
        reminder = (await self._arranging.arranged(user)).reminder
        await press.interaction.edit_original_response(view=render.rested(reminder.upcoming if reminder else None))

    @on_press("nudge_off")
    async def no_more(self, press: Press) -> None:
        """Let no more reminders come."""
        user = await self._answered(press)
        await self._arranging.stop(user, ScheduleKind.REMINDER)
        await press.interaction.edit_original_response(view=render.no_more_reminders())

    async def _answered(self, press: Press) -> UserId:
        user = user_of(press.interaction)
        await press.interaction.response.defer()
        await self._arranging.pressed(RunId(press.number(0)), user, self._clock())
        return user
