"""Every press on the card of reviews and reminders: when they come, resuming them, the streak."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord.ext import commands

from cogs.identity import user_of
from cogs.refusals import StalePress
from cogs.render import arrangements as render
from cogs.ui.presses import Press, on_press
from lessons.calendar import clock_time
from lessons.flows.arranging import EVERY_DAY
from lessons.model import RunId, ScheduleKind, ScheduleState

if TYPE_CHECKING:
    import discord

    from lessons.flows.choosing import Choosing
    from lessons.ports import Clock

FIELD: Final = "time"
LAST_MINUTE: Final = 24 * 60 - 1


class Arrangements(commands.Cog):
    """What comes to a learner by itself, chosen by that learner; nothing does until it is turned on."""

    def __init__(self, choosing: Choosing, clock: Clock) -> None:
        self._choosing = choosing
        self._arranging = choosing.arranging
        self._clock = clock

    @on_press("coming")
    async def show(self, press: Press) -> None:
        """Show the card in the place of something else."""
        await press.interaction.response.defer()
        await self._show(press.interaction)

    @on_press("coming_from")
    async def show_beside(self, press: Press) -> None:
        """Show the card in a message of its own, so that the post it was pressed on stays."""
        interaction = press.interaction
        await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=True)
        await self._arranging.pressed(RunId(press.number(0)), user_of(interaction), self._clock())
        await self._show(interaction)

    @on_press("own_day")
    async def choose_day(self, press: Press) -> None:
        """Let the review come on another day, every day, or not at all."""
        days = weekdays(press.chosen())
        await press.interaction.response.defer()
        user = user_of(press.interaction)
        await self._arranging.wish(user, ScheduleKind.REVIEW, self._clock(), minute=None, weekdays=days)
        await self._show(press.interaction, "Saved.")

    @on_press("own_hour")
    async def choose_hour(self, press: Press) -> None:
        """Let a review or a reminder come at another time."""
        kind, minute = _kind(press), press.chosen_number()
        if minute > LAST_MINUTE:
            raise StalePress
        await press.interaction.response.defer()
        await self._arranging.arrange(user_of(press.interaction), kind, self._clock(), minute=minute)
        await self._show(press.interaction, "Saved.")

    @on_press("own_time")
    async def ask_for_time(self, press: Press) -> None:
        """Open the modal for an exact time."""
        await press.interaction.response.send_modal(render.time_modal(_kind(press), "set_own_time", FIELD))

    @on_press("set_own_time")
    async def set_time(self, press: Press) -> None:
        """Set the time that was typed."""
        await press.interaction.response.defer()
        minute = clock_time(press.fields.get(FIELD, ""))
        await self._arranging.arrange(user_of(press.interaction), _kind(press), self._clock(), minute=minute)
        await self._show(press.interaction, "Saved.")

    @on_press("own_off")
    async def turn_off(self, press: Press) -> None:
        """Let no more of a kind come."""
        await press.interaction.response.defer()
        was_on = await self._arranging.stop(user_of(press.interaction), _kind(press))
        await self._show(press.interaction, "Turned off." if was_on else "It was off already.")

    @on_press("own_resume")
    async def resume(self, press: Press) -> None:
        """Let what is paused go on."""
        await press.interaction.response.defer()
        kind, user = _kind(press), user_of(press.interaction)
        before = await self._arranging.schedules.own(user, kind)
        await self._arranging.resume(user, kind, self._clock())
        was_paused = before is not None and before.state is ScheduleState.PAUSED
        await self._show(press.interaction, "It goes on." if was_paused else "It was not paused; nothing was changed.")

    @on_press("set_streaks")
    async def set_streaks(self, press: Press) -> None:
        """Count days in a row, or leave them out everywhere."""
        await press.interaction.response.defer()
        await self._choosing.change(user_of(press.interaction), self._clock(), streaks=press.number(0) == 1)
        await self._show(press.interaction, "Saved.")

    async def _show(self, interaction: discord.Interaction, changed: str = "") -> None:
        user = user_of(interaction)
        learner, arranged = await self._choosing.learner(user), await self._arranging.arranged(user)
        await interaction.edit_original_response(view=render.arrangements(learner, arranged, changed=changed))


def weekdays(chosen: str) -> tuple[int, ...]:
    """Return the days that a choice stands for, none for off. Raises StalePress for one there is not."""
    if chosen not in render.DAYS:
        raise StalePress
    if chosen == render.OFF:
        return ()
    return EVERY_DAY if chosen == render.DAILY else (int(chosen),)


def _kind(press: Press) -> ScheduleKind:
    for kind in (ScheduleKind.REVIEW, ScheduleKind.REMINDER):
        if press.text(0) == kind:
            return kind
    raise StalePress
