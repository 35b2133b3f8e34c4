"""A server's schedules: planned and shown first, confirmed, paused, taken up again, removed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lessons.calendar import clock_time, next_slot, zone_named, zones_like
from lessons.errors import (
    Gone,
    MaterialGone,
    NothingMatches,
    NoTimeZone,
    PackOrNews,
    PressLeadsNowhere,
    ReviewThere,
    SameSchedule,
    TooManySchedules,
    UnknownPack,
)
from lessons.flows.questioning import Wanted
from lessons.flows.sharing import MISTAKEN
from lessons.material import select_lessons
from lessons.model import Asked, NewSchedule, Pause, Rule, ScheduleKind, ScheduleState

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.questioning import Questioning
    from lessons.model import ChannelId, GuildId, LatestRun, Pack, PackId, Schedule, ScheduleId, UserId
    from lessons.ports import Groups, Learners, Packs, Schedules

MOST: Final = 25
"""Schedules of a server."""
AHEAD: Final = 3
"""Times that are shown of a schedule to come."""


@dataclass(frozen=True, slots=True)
class ScheduleRequest:
    """What a moderator asked for. `zone` is a name, "" for their own; `pack`, `lessons`, `news` and `count` of a drill."""

    kind: ScheduleKind
    guild: GuildId
    channel: ChannelId
    by: UserId
    time: str
    weekdays: tuple[int, ...]
    zone: str = ""
    pack: str = ""
    lessons: str = ""
    news: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class Planned:
    """A schedule as it is shown: the name of its pack ("" for any), its next times, what became of its latest one.

    `gone`: that pack was removed. `there` is how many questions there would be now, at most as many as asked for; None
    where nobody looked, and for what asks none.
    """

    schedule: Schedule
    pack: str = ""
    times: tuple[datetime, ...] = ()
    latest: LatestRun | None = None
    gone: bool = False
    there: int | None = None


@dataclass(frozen=True, slots=True)
class Scheduling:
    """What moderators do with schedules. Every call names the server, and finds nothing of another one."""

    schedules: Schedules
    groups: Groups
    learners: Learners
    packs: Packs
    questioning: Questioning

    async def draft(self, ask: ScheduleRequest, at: datetime) -> Planned:
        """Plan a schedule that waits to be confirmed.

        Raises UnknownTime, UnknownTimeZone, NoTimeZone, PackOrNews, UnknownPack, NothingMatches, BadRange,
        TooManySchedules, ReviewThere, SameSchedule.
        """
        zone = zone_named(ask.zone) if ask.zone else await self._own_zone(ask.by)
        rule = Rule(zone, clock_time(ask.time), ask.weekdays)
        pack = await self._asked_pack(ask)
        asked = Asked(pack.id if pack else None, ask.lessons.strip(), ask.news, ask.count)
        new = NewSchedule(ask.kind, rule, ask.by, guild=ask.guild, channel=ask.channel, asked=asked)
        await self._check_room(new, ask.guild)
        return await self.planned(await self.schedules.draft(new, at), ask.guild, at)

    async def planned(self, schedule: ScheduleId, guild: GuildId, at: datetime) -> Planned:
        """Return a schedule of this server with its next times, also of one that is not active. Raises PressLeadsNowhere."""
        found = await self.schedule(schedule, guild)
        slot = found.upcoming or next_slot(found.rule, at, found.last_day)
        times = [slot.due]
        while len(times) < AHEAD:
            slot = next_slot(found.rule, slot.due, slot.day)
            times.append(slot.due)
        latest = {run.schedule: run for run in await self.groups.latest_runs(guild)}
        shown = await self._shown(found, latest.get(found.id))
        return replace(shown, times=tuple(times), there=await self._there(found, guild, at))

    async def schedule(self, schedule: ScheduleId, guild: GuildId) -> Schedule:
        """Return a schedule of this server. Raises PressLeadsNowhere."""
        found = await self.schedules.schedule(schedule, guild)
        if found is None:
            raise PressLeadsNowhere(Gone.SCHEDULE)
        return found

    async def of_server(self, guild: GuildId) -> list[Planned]:
        """Return the schedules of a server but for drafts, oldest first, each with its next time where it is active."""
        latest = {run.schedule: run for run in await self.groups.latest_runs(guild)}
        return [await self._shown(found, latest.get(found.id)) for found in await self.schedules.of_server(guild)]

    async def confirm(self, schedule: ScheduleId, guild: GuildId, at: datetime) -> Planned:
        """Let a draft begin.

        Raises PressLeadsNowhere (gone, or confirmed before), TooManySchedules, ReviewThere, SameSchedule, MaterialGone.
        """
        found = await self._in_state(schedule, guild, ScheduleState.DRAFT)
        await self._check_room(found, guild)
        await self._check_material(found, guild, at)
        return await self._begun(found, guild, at)

    async def decline(self, schedule: ScheduleId, guild: GuildId) -> None:
        """Drop a draft. Raises PressLeadsNowhere when it is gone, or was confirmed."""
        await self._in_state(schedule, guild, ScheduleState.DRAFT)
        await self.schedules.remove(schedule, guild)

    async def pause(self, schedule: ScheduleId, guild: GuildId, at: datetime) -> Planned:
        """Stop posting until it is resumed. Raises PressLeadsNowhere when it is gone, or not active."""
        await self._in_state(schedule, guild, ScheduleState.ACTIVE)
        await self.schedules.pause(schedule, Pause.ASKED, at)
        return await self.planned(schedule, guild, at)

    async def resume(self, schedule: ScheduleId, guild: GuildId, at: datetime) -> Planned:
        """Go on from now. Raises PressLeadsNowhere when it is gone, or not paused, and MaterialGone."""
        found = await self._in_state(schedule, guild, ScheduleState.PAUSED)
        await self._check_material(found, guild, at)
        return await self._begun(found, guild, at)

    async def remove(self, schedule: ScheduleId, guild: GuildId, at: datetime) -> Planned:
        """Remove a schedule and return what it was. Raises PressLeadsNowhere."""
        found = await self.planned(schedule, guild, at)
        await self.schedules.remove(schedule, guild)
        return found

    async def asking(self, pack: PackId, guild: GuildId) -> int:
        """Return how many schedules of this server ask from a pack and would pause without it."""
        there = await self.schedules.of_server(guild)
        return sum(each.asked.pack == pack and each.state is ScheduleState.ACTIVE for each in there)

    async def packs_of(self, guild: GuildId) -> list[Pack]:
        """Return the packs that a drill of this server may be asked from."""
        return await self.packs.visible([guild])

    def zones_like(self, text: str, limit: int) -> list[str]:
        """Return time zone names to offer while somebody types."""
        return zones_like(text, limit)

    async def _begun(self, found: Schedule, guild: GuildId, at: datetime) -> Planned:
        if not await self.schedules.activate(found.id, guild, next_slot(found.rule, at, found.last_day)):
            raise PressLeadsNowhere(Gone.DECIDED)
        return await self.planned(found.id, guild, at)

    async def _in_state(self, schedule: ScheduleId, guild: GuildId, state: ScheduleState) -> Schedule:
        found = await self.schedule(schedule, guild)
        if found.state is not state:
            raise PressLeadsNowhere(Gone.DECIDED)
        return found

    async def _check_material(self, found: Schedule, guild: GuildId, at: datetime) -> None:
        """Look whether the pack and the lessons that were named are still there. Raises MaterialGone."""
        named = found.asked.pack is not None or found.asked.lessons
        if named and not await self._there(found, guild, at):
            raise MaterialGone

    async def _there(self, found: Schedule, guild: GuildId, at: datetime) -> int | None:
        """Return how many questions there would be now; None for what asks none."""
        asked = found.asked
        if found.kind is not ScheduleKind.DAILY_DRILL or found.channel is None:
            return None
        wanted = Wanted(guild, found.channel, asked.count, asked.pack, asked.lessons)
        draw = self.questioning.news if asked.news else self.questioning.lesson
        try:
            return len((await draw(wanted, found.id, at)).items)
        except MISTAKEN:
            return 0

    async def _check_room(self, new: NewSchedule | Schedule, guild: GuildId) -> None:
        there = await self.schedules.of_server(guild)
        if len(there) >= MOST:
            raise TooManySchedules(MOST)
        reviews = [each for each in there if each.kind is ScheduleKind.GROUP_REVIEW]
        # with two reviews the time of one would be what the other left over
        if new.kind is ScheduleKind.GROUP_REVIEW and reviews and reviews[0].channel is not None:
            raise ReviewThere(reviews[0].channel)
        if new.channel is not None and any(_posted(each) == _posted(new) for each in there):
            raise SameSchedule(new.channel)

    async def _own_zone(self, user: UserId) -> str:
        learner = await self.learners.learner(user)
        if not learner.zone_chosen:
            raise NoTimeZone
        return learner.preferences.time_zone

    async def _asked_pack(self, ask: ScheduleRequest) -> Pack | None:
        """Return the pack that was named, after a look at its lessons."""
        if ask.news and (ask.pack or ask.lessons):
            raise PackOrNews
        visible = await self.packs_of(ask.guild)
        pack = await self.packs.find(ask.pack, [ask.guild]) if ask.pack else None
        if ask.pack and pack is None:
            raise UnknownPack(ask.pack, tuple(known.name for known in visible))
        if ask.lessons:
            own = [each for each in visible if each.guild_id is not None] or visible
            known = [lesson for each in ([pack] if pack else own) for lesson in await self.packs.lessons(each.id)]
            if not select_lessons(ask.lessons, known):
                raise NothingMatches(ask.pack, ask.lessons, tuple(dict.fromkeys(known)))
        return pack

    async def _shown(self, found: Schedule, latest: LatestRun | None) -> Planned:
        """Return a schedule with its next time where it is active."""
        times = (found.upcoming.due,) if found.upcoming else ()
        pack = found.asked.pack
        if pack is None:
            return Planned(found, times=times, latest=latest)
        gone = await self.packs.by_id(pack) is None
        return Planned(found, await self.packs.title(pack), times, latest, gone)


def _posted(each: NewSchedule | Schedule) -> tuple[object, ...]:
    """Return what two schedules that post the same have in common."""
    return each.kind, each.channel, each.rule, replace(each.asked, count=1)
