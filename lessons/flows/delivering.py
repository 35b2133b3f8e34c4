"""From "give me a drill" to the next exercise: what is picked, how far along it is, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from lessons.calendar import day_start, local_day
from lessons.errors import DrillUnfinished, Gone, NoPacks, NothingDue, NothingMatches, PressLeadsNowhere, UnknownPack
from lessons.material import select_lessons
from lessons.model import Drill, DrillState, Exercise, ItemId, Pack, PackId, Track, Verdict
from lessons.streaks import Streak, streak

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import DrillId, ExerciseId, GuildId, Preferences, UserId
    from lessons.ports import Drills, Learners, Memberships, Packs

MEMBERSHIP_HOLDS = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DrillRequest:
    """What a learner asked for. All of it may be empty: then the bot decides.

    `anew` gives up an unfinished drill; `extra` goes past the day's limits.
    """

    user: UserId
    guild: GuildId | None
    pack: str | PackId = ""
    lessons: str = ""
    count: int | None = None
    anew: bool = False
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Where a drill stands: the exercise to answer next, or None at its end."""

    drill: Drill
    exercise: Exercise | None
    preferences: Preferences


@dataclass(frozen=True, slots=True)
class Summary:
    """A drill at its end: the tally and what was missed, in order; the streak on that day, None where none is kept."""

    drill: Drill
    missed: tuple[Exercise, ...]
    streak: Streak | None = None


@dataclass(frozen=True, slots=True)
class Delivering:
    """Starts drills and hands out their exercises. Every call names the person it is for."""

    packs: Packs
    drills: Drills
    learners: Learners
    memberships: Memberships

    async def visible_packs(self, user: UserId, guild: GuildId | None, at: datetime) -> list[Pack]:
        """Packs this person may drill here: the server's and the starter packs; in a DM those of their servers."""
        return await self.packs.visible(await self.guilds_of(user, guild, at))

    async def guilds_of(self, user: UserId, guild: GuildId | None, at: datetime) -> list[GuildId]:
        """Servers whose material this person may use here: this one; in a direct message those they used the bot in."""
        return [guild] if guild is not None else await self._own_guilds(user, at)

    async def start(self, ask: DrillRequest, at: datetime) -> Step:
        """Begin a drill.

        Raises DrillUnfinished (an open one waits), UnknownPack, NothingMatches, BadRange, NoPacks or NothingDue.
        """
        visible = await self.visible_packs(ask.user, ask.guild, at)
        if ask.guild is not None:
            await self.learners.note_visit(ask.user, ask.guild, at)
        asked = pack_named(ask.pack, visible)
        if not ask.anew and (open_drill := await self.drills.open_drill(ask.user, Track.LESSON)):
            raise DrillUnfinished(open_drill, asked.id if asked else None)
        preferences = (await self.learners.learner(ask.user)).preferences
        if asked or ask.lessons:
            title, items = await self._as_asked(ask, asked, visible, preferences, at)
        else:
            title, items = "", await self._by_itself(ask, visible, preferences, at)
        drill = await self.drills.begin(ask.user, ask.guild, Track.LESSON, title, items, at)
        return await self._step(drill, preferences)

    async def again(self, drill: DrillId, user: UserId, at: datetime) -> Step:
        """Begin a drill over what was missed or skipped in an ended one. Raises PressLeadsNowhere."""
        ended = await self.owned(drill, user)
        missed = _missed(await self.drills.exercises(drill, user))
        if not missed:
            raise PressLeadsNowhere(Gone.FINISHED, ended.ended_at)
        items = [exercise.item.id for exercise in missed]
        begun = await self.drills.begin(user, ended.guild_id, ended.track, ended.title, items, at)
        return await self._step(begun, (await self.learners.learner(user)).preferences)

    async def step(self, drill: DrillId, user: UserId) -> Step:
        """Return the next exercise of an open drill, none when it is over. Raises PressLeadsNowhere."""
        owned = await self.owned(drill, user)
        return await self._step(owned, (await self.learners.learner(user)).preferences)

    async def open_exercise(self, exercise: ExerciseId, user: UserId) -> Exercise:
        """Return an exercise that may be answered now (one short read). Raises PressLeadsNowhere."""
        found = await self.drills.exercise(exercise, user)
        if found is None:
            owner = await self.drills.owner(exercise)
            raise PressLeadsNowhere(Gone.UNKNOWN if owner is None else Gone.FOREIGN)
        if found.verdict is not None:
            raise PressLeadsNowhere(Gone.ANSWERED)
        if found.time_up:
            raise PressLeadsNowhere(Gone.TIME_UP)
        drill = await self.owned(found.drill_id, user)
        if drill.state is not DrillState.OPEN:
            raise PressLeadsNowhere(Gone(drill.state.value), drill.ended_at)
        return found

    async def hint(self, exercise: ExerciseId, user: UserId) -> Step:
        """Mark the hint as shown and return the exercise with it. Raises PressLeadsNowhere."""
        found = await self.open_exercise(exercise, user)
        await self.drills.mark_hinted(exercise, user)
        drill = await self.owned(found.drill_id, user)
        preferences = (await self.learners.learner(user)).preferences
        return Step(drill, replace(found, hinted=True), preferences)

    async def stop(self, drill: DrillId, user: UserId, at: datetime) -> Summary:
        """Stop a drill, keeping everything; stopping an ended one just tells how it ended. Raises PressLeadsNowhere."""
        await self.owned(drill, user)
        await self.drills.stop(drill, user, at)
        return await self.summary(drill, user)

    async def summary(self, drill: DrillId, user: UserId) -> Summary:
        """Tell how a drill went. Raises PressLeadsNowhere."""
        owned = await self.owned(drill, user)
        exercises = await self.drills.exercises(drill, user)
        missed = tuple(e for e in exercises if e.verdict is Verdict.WRONG)
        return Summary(owned, missed, await self.streak(user, owned.ended_at) if owned.ended_at else None)

    async def streak(self, user: UserId, at: datetime) -> Streak | None:
        """Tell how many days in a row this person has practised, on their local day of `at`; None: they want none kept."""
        preferences = (await self.learners.learner(user)).preferences
        if not preferences.streaks:
            return None
        return streak(await self.drills.practised(user), local_day(at, preferences.time_zone))

    async def waiting(self, user: UserId, at: datetime) -> int:
        """Count the reviews that a plain drill would ask for in a direct message today, within the day's limit.

        Nobody is asked for it in which servers this person still is.
        """
        preferences = (await self.learners.learner(user)).preferences
        since = day_start(at, preferences.time_zone)
        _, done = await self.drills.reviewed_since(user, Track.LESSON, since)
        visible = await self.packs.visible([guild for guild, _ in await self.learners.visited(user)])
        left = max(0, preferences.reviews_per_day - done)
        return len(await self.drills.due(user, [pack.id for pack in visible], at, left))

    async def owned(self, drill: DrillId, user: UserId) -> Drill:
        """Return a drill of this person. Raises PressLeadsNowhere."""
        found = await self.drills.drill(drill, user)
        if found is None:
            owner = await self.drills.drill_owner(drill)
            raise PressLeadsNowhere(Gone.UNKNOWN if owner is None else Gone.FOREIGN)
        return found

    async def _step(self, drill: Drill, preferences: Preferences) -> Step:
        if drill.state is DrillState.STOPPED:
            raise PressLeadsNowhere(Gone.STOPPED, drill.ended_at)
        exercises = await self.drills.exercises(drill.id, drill.user_id)
        return Step(drill, next((e for e in exercises if e.verdict is None), None), preferences)

    async def _own_guilds(self, user: UserId, at: datetime) -> list[GuildId]:
        """Servers whose packs follow this person into DMs: membership is asked once a day, and doubt keeps it."""
        kept = []
        for guild, seen_at in await self.learners.visited(user):
            if at - seen_at >= MEMBERSHIP_HOLDS:
                member = await self.memberships.is_member(guild, user)
                if member is False:
                    await self.learners.forget_visit(user, guild)
                    continue
                if member:
                    await self.learners.note_visit(user, guild, at)
            kept.append(guild)
        return kept

    async def _as_asked(
        self, ask: DrillRequest, asked: Pack | None, visible: Sequence[Pack], preferences: Preferences, at: datetime
    ) -> tuple[str, list[ItemId]]:
        """Items of a named pack or lesson range: due, then new, then those due soonest; the day's limits do not bind."""
        if not visible:
            raise NoPacks
        sources = [asked] if asked else _sources(visible)
        chosen: list[str] | None = None
        if ask.lessons:
            known = [lesson for pack in sources for lesson in await self.packs.lessons(pack.id)]
            chosen = list(select_lessons(ask.lessons, known))
            if not chosen:
                raise NothingMatches(asked.name if asked else "", ask.lessons, tuple(dict.fromkeys(known)))
        ids = [pack.id for pack in sources]
        count = ask.count or preferences.drill_length
        items = await self.drills.due(ask.user, ids, at, count, chosen)
        items += await self.drills.fresh(ask.user, ids, count - len(items), chosen)
        items += await self.drills.ahead(ask.user, ids, at, count - len(items), chosen)
        if not items:
            raise NothingMatches(asked.name if asked else "", ask.lessons)
        return (asked.title or asked.name) if asked else "", items

    async def _by_itself(
        self, ask: DrillRequest, visible: Sequence[Pack], preferences: Preferences, at: datetime
    ) -> list[ItemId]:
        """Due items first, then new ones, within the day's limits (unless `extra`); ahead of time only as an extra."""
        if not visible:
            raise NoPacks
        everything = [pack.id for pack in visible]
        count = ask.count or preferences.drill_length
        since = day_start(at, preferences.time_zone)
        new_done, reviews_done = await self.drills.reviewed_since(ask.user, Track.LESSON, since)
        reviews_left = count if ask.extra else preferences.reviews_per_day - reviews_done
        new_left = count if ask.extra else preferences.new_per_day - new_done
        items = await self.drills.due(ask.user, everything, at, max(0, min(count, reviews_left)))
        sources = await self._new_sources(ask.user, visible)
        items += await self.drills.fresh(ask.user, sources, max(0, min(count - len(items), new_left)))
        if not items and ask.extra:
            items = await self.drills.ahead(ask.user, everything, at, count)
        if not items:
            more = bool(await self.drills.fresh(ask.user, sources, 1))
            raise NothingDue(await self.drills.next_due(ask.user, everything), more)
        return items

    async def _new_sources(self, user: UserId, visible: Sequence[Pack]) -> list[PackId]:
        """Packs new items come from: the one drilled last first, so that a course goes on where it was left."""
        sources = [pack.id for pack in _sources(visible)]
        last = await self.drills.last_pack(user)
        if last in sources:
            sources.remove(last)
            sources.insert(0, last)
        return sources


def _sources(visible: Sequence[Pack]) -> list[Pack]:
    """The server's own packs; the starter packs where there is none."""
    return [pack for pack in visible if pack.guild_id is not None] or list(visible)


def pack_named(name: str | PackId | None, visible: Sequence[Pack]) -> Pack | None:
    """Return the pack meant by a name, a title or an id (which buttons carry), None for no name. Raises UnknownPack."""
    if not name:
        return None
    wanted = name.strip().casefold() if isinstance(name, str) else name
    for pack in visible:
        if wanted in {pack.id, pack.name.casefold(), pack.title.casefold()}:
            return pack
    raise UnknownPack(str(name), tuple(pack.name for pack in visible))


def _missed(exercises: Sequence[Exercise]) -> list[Exercise]:
    return [e for e in exercises if e.verdict in {Verdict.WRONG, Verdict.SKIPPED}]
