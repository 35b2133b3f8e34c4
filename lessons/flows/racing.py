"""Races: how one begins, goes from question to question, and ends; each step is one transaction, and a restart finds it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons import groups, racing
from lessons.errors import (
    DrillUnfinished,
    Gone,
    NothingMissed,
    NotTheirRace,
    PressLeadsNowhere,
    RaceUnderWay,
)
from lessons.flows.questioning import Wanted
from lessons.flows.sharing import is_open
from lessons.model import Ending, NewShared, SharedKind, Track, Verdict
from lessons.racing import Move
from lessons.wording import cue_and_hint

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.flows.delivering import Delivering, Step
    from lessons.flows.questioning import Questioning
    from lessons.flows.sharing import Sharing, Try
    from lessons.model import (
        ChannelId,
        Exercise,
        GuildId,
        Item,
        ItemId,
        MessageId,
        PackId,
        Scores,
        Shared,
        SharedId,
        Tally,
        UserId,
    )
    from lessons.ports import SharedDrills

QUESTIONS: Final = 10
"""Of a race, unless something else is asked for."""
LAST_CARD: Final = timedelta(minutes=5)
"""How long after its end a race that lacks its last card, as after a restart, still gets it."""


@dataclass(frozen=True, slots=True)
class RaceRequest:
    """What somebody asked for; `seconds` None has no time limit. `typed`: answers are read in the channel as well."""

    user: UserId
    guild: GuildId
    channel: ChannelId
    pack: str | PackId = ""
    lessons: str = ""
    count: int = QUESTIONS
    seconds: int | None = racing.SECONDS
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a race on its card: what is asked, the hints shown so far, how it went so far."""

    shared: Shared
    item: Item
    hints: tuple[str, ...]
    tally: Tally


@dataclass(frozen=True, slots=True)
class Finish:
    """A race at its end: the scores, and the question that most people missed, where they are too many to be told apart."""

    shared: Shared
    scores: Scores
    hardest: Item | None


@dataclass(frozen=True, slots=True)
class Turn:
    """A step that was taken (None: none was due) and when to look again; `over`: there is nothing more to wait for."""

    move: Move | None
    again: datetime | None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Racing:
    """Runs races. What people answer goes through `sharing`, whose watchers hear of a race that begins."""

    shared: SharedDrills
    sharing: Sharing
    questioning: Questioning
    delivering: Delivering

    async def start(self, ask: RaceRequest, at: datetime) -> Shared:
        """Begin a race. Raises RaceUnderWay, NoPacks, UnknownPack, BadRange, NothingMatches."""
        if await self.shared.race_in(ask.channel) is not None:
            raise RaceUnderWay
        wanted = Wanted(ask.guild, ask.channel, ask.count, ask.pack, ask.lessons)
        drawn = await self.questioning.lesson(wanted, ask.channel ^ int(at.timestamp() * 1000), at)
        new = NewShared(
            SharedKind.RACE,
            ask.guild,
            ask.channel,
            Track.LESSON,
            drawn.title,
            ask.user,
            pack=drawn.pack.id if drawn.pack else None,
            lessons=ask.lessons,
            seconds=ask.seconds,
            typed=ask.typed,
        )
        return await self.sharing.begin(new, drawn.items, at)

    async def again(self, race: SharedId, user: UserId, guild: GuildId | None, at: datetime) -> Shared:
        """Begin a race like one that ended: drawn anew, or over the same items where they were given.

        Raises PressLeadsNowhere, and what `start` does.
        """
        before = await self._ended(race, guild)
        new = before.new
        if new.title and new.pack is None:
            items = await self.shared.items_of(race)
            return await self.sharing.begin(replace(new, starter=user), items, at)
        ask = RaceRequest(
            user, new.guild, new.channel, new.pack or "", new.lessons, before.total, new.seconds, new.typed
        )
        return await self.start(ask, at)

    async def turn(self, race: SharedId, at: datetime) -> Turn:
        """Take the step that is due, if one is. It is for whoever runs the race to show it."""
        found = await self.shared.shared(race)
        if found is None:
            return Turn(None, None, over=True)
        if found.ending is not None:
            shown = found.last is not None or found.ending is Ending.LOST
            return Turn(None if shown else Move.END, None, over=True)
        due = racing.following(found, at)
        if due.move is None:
            return Turn(None, due.again)
        if due.move is Move.ASK:
            taken = await self.shared.ask(race, due.position, at)
        elif due.move is Move.HINT:
            taken = await self.shared.hint(race, due.position, due.hints)
        elif due.move is Move.CLOSE:
            taken = await self.shared.close(race, due.position, at)
        else:
            taken = await self.shared.end(race, due.why or Ending.FINISHED, at)
        return Turn(due.move if taken else None, at, over=taken and due.move is Move.END)

    async def question(self, race: SharedId) -> Question | None:
        """Return the question that is open, or was last, as it is now."""
        found = await self.shared.shared(race)
        place = await self.shared.place(race, found.position) if found is not None else None
        if place is None:
            return None
        hints = racing.hints(place.item.answer, cue_and_hint(place.item.row.hint)[1])
        tally = await self.shared.tally(race, place.position)
        return Question(place.shared, place.item, hints[: place.shared.hints], tally)

    async def finish(self, race: SharedId) -> Finish | None:
        """Return how a race went."""
        found = await self.shared.shared(race)
        if found is None:
            return None
        scores = await self.shared.scores(race)
        hardest = scores.hardest if scores.missed >= groups.LEAST else None
        place = await self.shared.place(race, hardest) if hardest is not None else None
        return Finish(found, scores, place.item if place else None)

    async def posted(self, race: SharedId, position: int, message: MessageId, at: datetime) -> None:
        """Note which message shows a question; its time begins now, however long it was on its way."""
        await self.shared.posted(race, position, message, at)

    async def concluded(self, race: SharedId, message: MessageId) -> None:
        """Note which message tells how a race ended."""
        await self.shared.concluded(race, message)

    async def next(self, race: SharedId, position: int, user: UserId, guild: GuildId | None, at: datetime) -> None:
        """Close a question without a time limit, for who began the race or answered the question.

        Raises PressLeadsNowhere, NotTheirRace.
        """
        place = await self.shared.place(race, position, user)
        if place is None or place.shared.new.guild != guild:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        if not is_open(place):
            raise PressLeadsNowhere(Gone.RACE_OVER if place.shared.ending else Gone.TIME_UP)
        answered = place.exercise is not None and place.exercise.verdict is not None
        if not answered and place.shared.new.starter != user:
            raise NotTheirRace(stop=False)
        await self.shared.close(race, position, at)
        self.sharing.tell(race)

    async def stop(self, race: SharedId, user: UserId, guild: GuildId | None, at: datetime, *, moderates: bool) -> None:
        """End a race, for who began it or may look after the channel. Raises PressLeadsNowhere, NotTheirRace."""
        found = await self.shared.shared(race)
        if found is None or found.new.guild != guild:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        if not moderates and found.new.starter != user:
            raise NotTheirRace(stop=True)
        if not await self.shared.end(race, Ending.STOPPED, at):
            raise PressLeadsNowhere(Gone.RACE_OVER)
        self.sharing.tell(race)

    async def lose(self, race: SharedId, at: datetime) -> None:
        """End a race whose channel is gone."""
        await self.shared.end(race, Ending.LOST, at)

    async def resume(self, at: datetime, running: Collection[SharedId]) -> list[SharedId]:
        """Return the races that a restart left behind, beside those that run; what was asked then is asked anew."""
        left = [race.id for race in await self.shared.unfinished(at - LAST_CARD) if race.id not in running]
        for race in left:
            await self.shared.anew(race)
        return left

    async def misses(self, race: SharedId, user: UserId, guild: GuildId | None, at: datetime, *, anew: bool) -> Step:
        """Begin a drill over what this person missed or left out in a race that ended.

        Raises PressLeadsNowhere, NothingMissed, and DrillUnfinished unless `anew`.
        """
        await self._ended(race, guild)
        drill = await self.shared.drill_of(race, user)
        exercises: Sequence[Exercise] = await self.delivering.drills.exercises(drill, user) if drill else ()
        missed: list[ItemId] = [
            each.item.id for each in exercises if each.verdict in {None, Verdict.WRONG, Verdict.SKIPPED}
        ]
        if not missed:
            raise NothingMissed(drill is not None)
        open_drill = await self.delivering.drills.open_drill(user, Track.LESSON)
        if open_drill is not None and not anew:
            raise DrillUnfinished(open_drill)
        ended = await self.delivering.owned(exercises[0].drill_id, user)
        begun = await self.delivering.drills.begin(user, ended.guild_id, Track.LESSON, ended.title, missed, at)
        return await self.delivering.step(begun.id, user)

    async def heard(self, said: Try) -> bool:
        """Take what somebody wrote in the channel of a race; only a right answer counts, anything else is no answer.

        It is taken for the question that is open, whatever `said` names.
        """
        race = await self.shared.shared(said.shared)
        said = replace(said, position=race.position if race else 0)
        place = await self.shared.place(said.shared, said.position, said.user)
        if place is None or not is_open(place) or (place.exercise is not None and place.exercise.verdict is not None):
            return False
        if not await self.sharing.answering.is_right(place.item, said.text):
            return False
        with suppress(PressLeadsNowhere):
            return (await self.sharing.answer(said)).outcome is not None
        return False

    async def _ended(self, race: SharedId, guild: GuildId | None) -> Shared:
        found = await self.shared.shared(race)
        if found is None or found.new.guild != guild or found.new.kind is not SharedKind.RACE:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        if found.ending is None:
            raise PressLeadsNowhere(Gone.RACE_UNDER_WAY)
        return found
