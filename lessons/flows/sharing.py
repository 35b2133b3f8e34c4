"""Drills that several people answer: each privately, as a drill of their own; the card for all shows numbers alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lessons.errors import BadRange, Gone, NoPacks, NothingMatches, PressLeadsNowhere, RaceUnderWay, UnknownPack
from lessons.flows.questioning import Drawn, Wanted
from lessons.model import (
    Item,
    MistakeId,
    NewShared,
    Pause,
    Phase,
    Place,
    Post,
    Shared,
    SharedKind,
    Skip,
    Submission,
    Tally,
    Track,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from lessons.flows.answering import Answering, Outcome
    from lessons.flows.questioning import Questioning
    from lessons.model import (
        ChannelId,
        GuildId,
        InteractionId,
        ItemId,
        MessageId,
        Run,
        SharedId,
        UserId,
    )
    from lessons.ports import Learners, Mistakes, SharedDrills

MISTAKEN = (BadRange, NoPacks, NothingMatches, UnknownPack)
"""What tells that a schedule's pack, or its lessons, are there no more."""


@dataclass(frozen=True, slots=True)
class Try:
    """A typed answer to one question of a shared drill, from a server; the rest as in `Submission`."""

    shared: SharedId
    position: int
    guild: GuildId | None
    user: UserId
    text: str
    at: datetime
    interaction: InteractionId
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """What a person is told of a question: their own outcome, None when it took no answers any more.

    `offer` says that their name could be shown, which is asked once; `right`, that what came too late was right.
    """

    place: Place
    outcome: Outcome | None
    offer: bool = False
    right: bool = False


@dataclass(frozen=True, slots=True)
class DailyDrill(Post):
    """The card of a drill of the day: its first question, and how it went so far."""

    shared: Shared
    item: Item
    tally: Tally


@dataclass(frozen=True, slots=True)
class Sharing:
    """Composes drills of the day and takes everybody's answers. `watchers` hear of each race that begins or changes."""

    shared: SharedDrills
    learners: Learners
    mistakes: Mistakes
    answering: Answering
    questioning: Questioning
    watchers: list[Callable[[SharedId], None]] = field(default_factory=list)

    async def look(self, shared: SharedId, position: int, user: UserId, guild: GuildId | None) -> Place:
        """Return a question as this person sees it (one short read). Raises PressLeadsNowhere, also in another server."""
        place = await self.shared.place(shared, position, user)
        if place is None or place.shared.new.guild != guild:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        if not (is_open(place) or is_told(place) or has_answered(place)):
            raise PressLeadsNowhere(Gone.ASKED_ANEW)
        return place

    async def answer(self, given: Try) -> Told:
        """Take an answer; one that was given before stays, and one that comes too late is not recorded.

        Raises PressLeadsNowhere, TextTooLong.
        """
        place = await self.look(given.shared, given.position, given.user, given.guild)
        if has_answered(place):
            return await self.told(place, given.user, given.at)
        if not is_open(place):
            return await self._too_late(place, given)
        try:
            return await self._taken(given, place)
        except PressLeadsNowhere:  # it was answered, or its time was up, between the look and the record
            place = await self.look(given.shared, given.position, given.user, given.guild)
            if not (has_answered(place) or is_told(place)):
                raise
        if not has_answered(place):
            return await self._too_late(place, given)
        return await self.told(place, given.user, given.at)

    async def told(self, place: Place, user: UserId, at: datetime) -> Told:
        """Return once more what became of this person's answer, with what it brings to mind."""
        exercise = place.exercise
        if exercise is None or exercise.verdict is None:
            return Told(place, None)
        card = await self.mistakes.mistake(MistakeId(exercise.attempt_id or 0), user)
        mistake = card.id if card is not None and exercise.verdict is Verdict.WRONG else None
        return Told(place, await self.answering.settled(exercise.id, user, mistake, at))

    async def together(
        self, guild: GuildId, channel: ChannelId, starter: UserId, items: Sequence[ItemId], title: str, at: datetime
    ) -> Shared:
        """Begin a race without a time limit over given lesson items. Raises RaceUnderWay."""
        new = NewShared(SharedKind.RACE, guild, channel, Track.LESSON, title, starter)
        return await self.begin(new, items, at)

    async def begin(self, new: NewShared, items: Sequence[ItemId], at: datetime) -> Shared:
        """Begin a race; whoever runs races hears of it. Raises RaceUnderWay."""
        begun = await self.shared.begin(new, items, at)
        if begun is None:
            raise RaceUnderWay
        self.tell(begun.id)
        return begun

    def tell(self, race: SharedId) -> None:
        """Say that a race began, or that something happened in it that it may not sleep through."""
        for watcher in self.watchers:
            watcher(race)

    async def compose(self, run: Run, at: datetime) -> DailyDrill | Skip | Pause:
        """Return the drill of the day for one time of a schedule; asked again, the same one."""
        found, schedule = await self.shared.of_run(run.id), run.schedule
        if schedule.guild is None or schedule.channel is None:
            return Pause.NO_CHANNEL
        if found is None:
            asked = schedule.asked
            wanted = Wanted(schedule.guild, schedule.channel, asked.count, asked.pack, asked.lessons)
            drawn = await self._drawn(wanted, run, at)
            if not isinstance(drawn, Drawn):
                return drawn
            track = Track.EXERCISE if asked.news else Track.LESSON
            new = NewShared(SharedKind.DAILY, wanted.guild, wanted.channel, track, drawn.title, run=run.id)
            found = await self.shared.begin(new, drawn.items, at) or await self.shared.of_run(run.id)
        place = await self.shared.place(found.id, 1) if found is not None else None
        if place is None:
            return Skip.NOTHING  # the question went with its article meanwhile
        return DailyDrill(place.shared, place.item, await self.shared.tally(place.shared.id, 1))

    async def posted(self, run: Run, post: Post, message: MessageId, at: datetime) -> None:
        """Note which message the card is, so that its numbers can follow the answers."""
        if isinstance(post, DailyDrill):
            await self.shared.posted(post.shared.id, 1, message, at)

    async def card(self, shared: SharedId) -> DailyDrill | None:
        """Return the card of a drill of the day as it is now."""
        place = await self.shared.place(shared, 1)
        if place is None:
            return None
        return DailyDrill(place.shared, place.item, await self.shared.tally(shared, 1))

    async def _too_late(self, place: Place, given: Try) -> Told:
        """Record nothing; say whether it would have been right."""
        return Told(place, None, right=await self.answering.is_right(place.item, given.text))

    async def _taken(self, given: Try, place: Place) -> Told:
        joined = await self.shared.join(given.shared, given.user, given.at)
        if joined is None:
            raise PressLeadsNowhere(Gone.TIME_UP)
        await self.learners.note_visit(given.user, place.shared.new.guild, given.at)
        exercise = joined.exercises[given.position - 1]
        if place.shared.hints:
            await self.answering.drills.mark_hinted(exercise, given.user)
        outcome = await self.answering.answer(
            Submission(given.user, exercise, given.text, given.at, given.interaction, given.locale)
        )
        if place.shared.new.kind is SharedKind.RACE:
            self.tell(given.shared)
        settled = outcome.grade.verdict is not Verdict.RETRY and outcome.drill.answered == 1
        return Told(place, outcome, joined.first and settled and not outcome.preferences.named)

    async def _drawn(self, wanted: Wanted, run: Run, at: datetime) -> Drawn | Skip | Pause:
        if run.schedule.asked.news:
            drawn = await self.questioning.news(wanted, run.id, at)
            return drawn if drawn.items else Skip.NOTHING
        try:
            return await self.questioning.lesson(wanted, run.id, at)
        except MISTAKEN:
            return Pause.NO_MATERIAL


def is_open(place: Place) -> bool:
    """Tell whether a question takes answers now: any of a drill of the day, of a race the one that is asked."""
    shared = place.shared
    if shared.new.kind is SharedKind.DAILY:
        return True
    return shared.ending is None and shared.phase is Phase.ASKING and shared.position == place.position


def is_told(place: Place) -> bool:
    """Tell whether the answer of a question was told to everybody."""
    shared = place.shared
    if shared.new.kind is SharedKind.DAILY:
        return False
    over = shared.ending is not None or place.position < shared.position
    return over or (shared.phase is Phase.CLOSED and shared.position == place.position)


def has_answered(place: Place) -> bool:
    """Tell whether the person who looks has answered this question."""
    return place.exercise is not None and place.exercise.verdict is not None
