"""When a learner's own reviews and reminders come: turned on and off, moved, put off, taken up again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lessons.calendar import local_day, next_slot, slot_on
from lessons.model import NewSchedule, Rule, ScheduleKind, ScheduleState

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import RunId, Schedule, Slot, UserId
    from lessons.ports import Learners, Schedules

EVERY_DAY: Final = (0, 1, 2, 3, 4, 5, 6)
EVENING: Final = 19 * 60
"""The minute of the day that is taken until another one is chosen."""
OWN: Final = {ScheduleKind.REVIEW: (6,), ScheduleKind.REMINDER: EVERY_DAY}
"""What can come to one learner alone, and its weekdays until others are chosen."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """A learner's own review and reminder, None where it is off."""

    review: Schedule | None = None
    reminder: Schedule | None = None


@dataclass(frozen=True, slots=True)
class Arranging:
    """Keeps a learner's own schedules. A local day never brings two of a kind, whatever is changed."""

    schedules: Schedules
    learners: Learners

    async def arranged(self, user: UserId) -> Arranged:
        """Return what comes to this learner by itself."""
        review, reminder = [await self.schedules.own(user, kind) for kind in OWN]
        return Arranged(review, reminder)

    async def arrange(
        self,
        user: UserId,
        kind: ScheduleKind,
        at: datetime,
        *,
        minute: int | None = None,
        weekdays: tuple[int, ...] | None = None,
    ) -> Schedule:
        """Turn a review or reminder on, or change it; what is not given stays, or is as usual.

        A paused one goes on.
        """
        zone = (await self.learners.learner(user)).preferences.time_zone
        before = await self.schedules.own(user, kind)
        rule = replace(before.rule, time_zone=zone) if before else Rule(zone, EVENING, OWN[kind])
        if minute is not None:
            rule = replace(rule, minute=minute)
        if weekdays is not None:
            rule = replace(rule, weekdays=weekdays)
        if before is not None:
            await self._touched(before, user, at)
        upcoming = next_slot(rule, at, before.last_day if before else None)
        return await self.schedules.set_own(NewSchedule(kind, rule, made_by=user, user=user), upcoming, at)

    async def wish(
        self, user: UserId, kind: ScheduleKind, at: datetime, *, minute: int | None, weekdays: tuple[int, ...] | None
    ) -> None:
        """Turn on or change as `arrange` does; no weekdays at all turn it off."""
        if weekdays == ():
            await self.stop(user, kind)
        else:
            await self.arrange(user, kind, at, minute=minute, weekdays=weekdays)

    async def stop(self, user: UserId, kind: ScheduleKind) -> bool:
        """Turn a review or reminder off; False when it was off."""
        return await self.schedules.remove_own(user, kind)

    async def resume(self, user: UserId, kind: ScheduleKind, at: datetime) -> Schedule | None:
        """Let a paused review or reminder go on, in the zone the learner has now; None when it is off."""
        before = await self.schedules.own(user, kind)
        if before is None or before.state is not ScheduleState.PAUSED:
            return before
        return await self.arrange(user, kind, at)

    async def put_off(self, user: UserId, kind: ScheduleKind, at: datetime) -> Slot | None:
        """Let it come again tomorrow at its time, unless it does before; when it comes, None when it is off or paused."""
        schedule = await self.schedules.own(user, kind)
        if schedule is None or schedule.upcoming is None:
            return None
        today = local_day(at, schedule.rule.time_zone)
        tomorrow = next_slot(replace(schedule.rule, weekdays=EVERY_DAY), at, max(today, schedule.last_day or today))
        if schedule.upcoming.due <= tomorrow.due:
            return schedule.upcoming
        await self.schedules.reset(schedule.id, schedule.rule, tomorrow)
        return tomorrow

    async def move(self, user: UserId, zone: str, at: datetime) -> None:
        """Let everything come at its time in another zone."""
        for kind in OWN:
            schedule = await self.schedules.own(user, kind)
            if schedule is not None:
                rule = replace(schedule.rule, time_zone=zone)
                await self.schedules.reset(schedule.id, rule, _moved(schedule, rule, at))

    async def pressed(self, run: RunId, user: UserId, at: datetime) -> None:
        """Note that a post was answered; harmless for one that is long gone, or another person's."""
        await self.schedules.answered(run, user, at)

    async def _touched(self, schedule: Schedule, user: UserId, at: datetime) -> None:
        """Take a change as the answer to the latest post, so that the next one is sent."""
        if latest := await self.schedules.latest_sent(schedule.id):
            await self.schedules.answered(latest[0], user, at)


def _moved(schedule: Schedule, rule: Rule, at: datetime) -> Slot:
    """Return the next time of a schedule in another zone: on the same local day, which may have been put off to."""
    if schedule.upcoming is not None:
        same = slot_on(rule, schedule.upcoming.day)
        if same.due > at:
            return same
    return next_slot(rule, at, schedule.last_day)
