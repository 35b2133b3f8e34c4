"""What becomes of schedules when the bot loses its place or finds it again, and what their makers are told of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons import calendar
from lessons.errors import Gone, PressLeadsNowhere
from lessons.model import GuildId, ScheduleKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from lessons.model import ChannelId, Pause, Schedule, ScheduleId, Slot, UserId
    from lessons.ports import Schedules


@dataclass(frozen=True, slots=True)
class Resuming:
    """Pauses keep everything of a schedule; those that Discord caused end by themselves when access returns."""

    schedules: Schedules

    async def lost(self, guild: GuildId, why: Pause, at: datetime, channel: ChannelId | None = None) -> int:
        """Pause what is posted into a server, or into one channel; how many schedules."""
        return await self.schedules.pause_server(guild, why, at, channel)

    async def regained(
        self, can_post: Callable[[Schedule], bool], at: datetime, guild: GuildId | None = None
    ) -> list[Schedule]:
        """Resume schedules of a server, or of all, that were paused for want of access and `can_post` again."""
        waiting = await self.schedules.waiting_for_access(guild)
        back = [each for each in waiting if each.user is None and can_post(each)]
        for schedule in back:
            await self._resume(schedule, at)
        return back

    async def met(self, user: UserId, at: datetime) -> list[Schedule]:
        """Resume a learner's own schedules that were paused because they could not be written to: they are there again."""
        waiting = await self.schedules.waiting_for_access(user=user)
        for schedule in waiting:
            await self._resume(schedule, at)
        return waiting

    async def untold(self, user: UserId) -> list[Schedule]:
        """Return paused schedules that this person made and does not know of yet."""
        return await self.schedules.untold(user)

    async def told(self, user: UserId, at: datetime) -> None:
        """Note that this person was told."""
        await self.schedules.told(user, at)

    async def asked(self, schedule: ScheduleId, user: UserId, at: datetime) -> tuple[Slot, bool]:
        """Resume a learner's own schedule; when it comes next, and whether it was paused until now.

        Raises PressLeadsNowhere.
        """
        for kind in (ScheduleKind.REVIEW, ScheduleKind.REMINDER):
            own = await self.schedules.own(user, kind)
            if own is not None and own.id == schedule:
                if own.upcoming is not None:
                    return own.upcoming, False
                if latest := await self.schedules.latest_sent(schedule):  # this is the answer that was waited for
                    await self.schedules.answered(latest[0], user, at)
                return await self._resume(own, at), True
        raise PressLeadsNowhere(Gone.UNKNOWN)

    async def _resume(self, schedule: Schedule, at: datetime) -> Slot:
        slot = calendar.next_slot(schedule.rule, at, schedule.last_day)
        if schedule.user is not None:
            await self.schedules.resume_own(schedule.user, schedule.kind, slot)
        else:
            await self.schedules.activate(schedule.id, schedule.guild or GuildId(0), slot)
        return slot
