"""`/schedule`: what is posted by the clock in the channels of a server."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, moderated_guild, user_of
from cogs.messages import failure
from cogs.messages.schedules import DAYS
from cogs.moderation.targets import PostChannel, channel_names, check_channel
from cogs.refusals import UnknownSchedule
from cogs.render import schedules as render
from cogs.ui.choices import CHOICES, offered
from cogs.ui.presses import Press, on_press
from lessons.calendar import weekdays
from lessons.errors import Gone, KizukiError, MaterialGone, PressLeadsNowhere
from lessons.flows.scheduling import ScheduleRequest
from lessons.model import ChannelId, ScheduleId, ScheduleKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from discord.ui import LayoutView

    from lessons.flows.scheduling import Planned, Scheduling
    from lessons.model import GuildId
    from lessons.ports import Clock


def _shows(step: Callable[[Schedules, Press], Awaitable[LayoutView]]) -> Callable[[Schedules, Press], Awaitable[None]]:
    """Show what a press led to in its place; where it came too late, what is possible now."""

    @wraps(step)
    async def press_(self: Schedules, press: Press) -> None:
        await press.interaction.response.defer()
        try:
            view = await step(self, press)
        except (PressLeadsNowhere, MaterialGone) as late:
            view = await self.now(press, late)
        await press.interaction.edit_original_response(view=view)

    return press_


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class Schedules(commands.GroupCog, group_name="schedule", group_description="What I post here by the clock"):
    """Schedules belong to a server; every step asks again whether this person may manage it, and post there."""

    def __init__(self, scheduling: Scheduling, clock: Clock) -> None:
        self._scheduling = scheduling
        self._clock = clock

    @app_commands.command(description="Post a drill of the day in a channel. You see a preview first.")
    @app_commands.describe(
        time="When, such as 9:00, 19 or 7pm",
        days="Such as weekdays, mon wed fri or 月水金; every day unless you say otherwise",
        channel="Where; this channel unless you say otherwise",
        time_zone="Whose time it is: a big city, or an offset such as UTC+9; yours unless you say otherwise",
        pack="The pack it is asked from; any of this server unless you say otherwise",
        lessons="Lessons such as 34-38 or 3, 5-7",
        news="Ask from recent articles of this server instead",
        count="Questions, 1 to 10",
    )
    async def drill(  # noqa: PLR0913, PLR0917 - the options of a slash command
        self,
        interaction: discord.Interaction,
        time: app_commands.Range[str, 1, 40],
        days: app_commands.Range[str, 1, 100] = "every day",
        channel: app_commands.Transform[app_commands.AppCommandChannel, PostChannel] | None = None,
        time_zone: app_commands.Range[str, 1, 100] = "",
        pack: app_commands.Range[str, 1, 100] = "",
        lessons: app_commands.Range[str, 1, 100] = "",
        news: bool = False,  # noqa: FBT001, FBT002 - an option of a slash command
        count: app_commands.Range[int, 1, 10] = 1,
    ) -> None:
        """Show what a drill of the day would be."""
        await interaction.response.defer(ephemeral=True)
        ask = self._asked(interaction, ScheduleKind.DAILY_DRILL, channel)
        ask = replace(ask, time=time, weekdays=weekdays(days), zone=time_zone)
        await self._preview(interaction, replace(ask, pack=pack, lessons=lessons, news=news, count=count))

    @app_commands.command(description="Post what the group mixes up, without names. You see a preview first.")
    @app_commands.describe(
        time="When, such as 9:00, 19 or 7pm",
        days="Such as weekends, mon wed fri or 月水金; Sundays unless you say otherwise",
        channel="Where; this channel unless you say otherwise",
        time_zone="Whose time it is: a big city, or an offset such as UTC+9; yours unless you say otherwise",
    )
    async def review(
        self,
        interaction: discord.Interaction,
        time: app_commands.Range[str, 1, 40],
        days: app_commands.Range[str, 1, 100] = "Sundays",
        channel: app_commands.Transform[app_commands.AppCommandChannel, PostChannel] | None = None,
        time_zone: app_commands.Range[str, 1, 100] = "",
    ) -> None:
        """Show what a review of the group would be."""
        await interaction.response.defer(ephemeral=True)
        ask = self._asked(interaction, ScheduleKind.GROUP_REVIEW, channel)
        await self._preview(interaction, replace(ask, time=time, weekdays=weekdays(days), zone=time_zone))

    @app_commands.command(name="list", description="List what is posted here, how it went, and pause or remove one.")
    async def list_schedules(self, interaction: discord.Interaction) -> None:
        """List the schedules."""
        await interaction.response.defer(ephemeral=True)
        await self._show_list(interaction, 0)

    @app_commands.command(description="Remove a schedule. I ask once more before it goes.")
    @app_commands.describe(schedule="The schedule")
    async def remove(self, interaction: discord.Interaction, schedule: app_commands.Range[str, 1, 100]) -> None:
        """Ask before a schedule goes."""
        await interaction.response.defer(ephemeral=True)
        guild = moderated_guild(interaction)
        there = {str(each.schedule.id): each for each in await self._scheduling.of_server(guild)}
        if schedule.strip() not in there:
            raise UnknownSchedule(schedule)
        await interaction.edit_original_response(view=render.remove_question(there[schedule.strip()]))

    @remove.autocomplete("schedule")
    async def _known(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        guild = guild_of(interaction)
        there = await self._scheduling.of_server(guild) if guild and interaction.permissions.manage_guild else []
        names = channel_names(interaction)
        return offered(typed, [(render.label(each, names), str(each.schedule.id)) for each in there])

    @drill.autocomplete("pack")
    async def _packs(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        guild = guild_of(interaction)
        packs = await self._scheduling.packs_of(guild) if guild else []
        return offered(typed, [(pack.title or pack.name, pack.name) for pack in packs])

    @drill.autocomplete("time_zone")
    @review.autocomplete("time_zone")
    async def _zones(self, _: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=name, value=name) for name in self._scheduling.zones_like(typed, CHOICES)]

    @drill.autocomplete("days")
    @review.autocomplete("days")
    async def _days(self, _: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return offered(typed, [(name, name) for name in DAYS])

    @on_press("sched_begin")
    @_shows
    async def confirm(self, press: Press) -> LayoutView:
        """Let the schedule of a preview begin, after another look at who may do what in its channel."""
        schedule, guild = await self._checked(press)
        return render.begun(await self._scheduling.confirm(schedule, guild, self._clock()))

    @on_press("sched_drop")
    @_shows
    async def decline(self, press: Press) -> LayoutView:
        """Let the schedule of a preview go."""
        await self._scheduling.decline(ScheduleId(press.number(0)), moderated_guild(press.interaction))
        return render.dropped()

    @on_press("schedules")
    async def turn(self, press: Press) -> None:
        """Show a page of the list."""
        await press.interaction.response.defer()
        await self._show_list(press.interaction, press.number(0))

    @on_press("schedule")
    @_shows
    async def open(self, press: Press) -> LayoutView:
        """Show the schedule that was chosen from the list."""
        return render.schedule(await self._planned(press, press.chosen_number()))

    @on_press("sched_kept")
    @_shows
    async def keep(self, press: Press) -> LayoutView:
        """Leave a schedule where it is."""
        return render.schedule(await self._planned(press, press.number(0)))

    @on_press("sched_pause")
    @_shows
    async def pause(self, press: Press) -> LayoutView:
        """Pause a schedule."""
        guild = moderated_guild(press.interaction)
        return render.schedule(await self._scheduling.pause(ScheduleId(press.number(0)), guild, self._clock()))

    @on_press("sched_resume")
    @_shows
    async def resume(self, press: Press) -> LayoutView:
        """Let a paused schedule go on."""
        schedule, guild = await self._checked(press)
        return render.schedule(await self._scheduling.resume(schedule, guild, self._clock()), "It goes on.")

    @on_press("sched_remove")
    @_shows
    async def ask_before_removing(self, press: Press) -> LayoutView:
        """Ask before a schedule goes."""
        return render.remove_question(await self._planned(press, press.number(0)))

    @on_press("sched_gone")
    @_shows
    async def remove_confirmed(self, press: Press) -> LayoutView:
        """Remove a schedule."""
        guild = moderated_guild(press.interaction)
        return render.removed(await self._scheduling.remove(ScheduleId(press.number(0)), guild, self._clock()))

    async def now(self, press: Press, late: KizukiError) -> LayoutView:
        """Show what is possible after a press that came too late."""
        if isinstance(late, PressLeadsNowhere) and late.why is Gone.SCHEDULE:
            return render.gone(failure(late))
        return render.now(await self._planned(press, press.number(0)), failure(late))

    def _asked(
        self, interaction: discord.Interaction, kind: ScheduleKind, channel: app_commands.AppCommandChannel | None
    ) -> ScheduleRequest:
        """Begin a request, after a look at who may do what in its channel. Raises NotAllowed, ChannelClosed."""
        guild = moderated_guild(interaction)
        place = ChannelId(channel.id if channel else interaction.channel_id or 0)
        check_channel(interaction, place)
        return ScheduleRequest(kind, guild, place, user_of(interaction), "", ())

    async def _preview(self, interaction: discord.Interaction, ask: ScheduleRequest) -> None:
        view = render.preview(await self._scheduling.draft(ask, self._clock()))
        await interaction.edit_original_response(view=view)

    async def _checked(self, press: Press) -> tuple[ScheduleId, GuildId]:
        """Return the schedule of a press, after a look at who may do what in its channel."""
        guild, schedule = moderated_guild(press.interaction), ScheduleId(press.number(0))
        found = await self._scheduling.schedule(schedule, guild)
        check_channel(press.interaction, found.channel or ChannelId(0))
        return schedule, guild

    async def _planned(self, press: Press, schedule: int) -> Planned:
        return await self._scheduling.planned(ScheduleId(schedule), moderated_guild(press.interaction), self._clock())

    async def _show_list(self, interaction: discord.Interaction, page: int) -> None:
        there = await self._scheduling.of_server(moderated_guild(interaction))
        view = render.listing(there, page, channel_names(interaction))
        await interaction.edit_original_response(view=view)
