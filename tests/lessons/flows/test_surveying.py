"""A group's review, from real stores to the value that is posted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from lessons.errors import NothingOfKind
from lessons.flows.surveying import ASKED_ABOUT, FEW, GroupReview, Surveying, TogetherAsk, TooFewCounted, theme_title
from lessons.groups import GroupTheme
from lessons.model import (
    ChannelId,
    Chart,
    ErrorType,
    GuildId,
    ItemId,
    MessageId,
    NewSchedule,
    Plan,
    Preferences,
    Rule,
    Run,
    RunState,
    Schedule,
    ScheduleKind,
    Skip,
    Slot,
    Track,
    UserId,
)
from storage import migrate
from storage.connection import Database
from tests.storage.world import AT, AWAY, CARD, DAY, HOME, MINUTE, MOD, SPACING, Stores, attempt, rows, save, stores

WEEK = 7 * DAY
PLACE = ChannelId(77)
FIVE = tuple(map(UserId, range(1, 6)))


@dataclass
class Members:
    """Discord as far as it knows who is in the server."""

    gone: set[UserId] = field(default_factory=set)
    silent: bool = False
    asked: list[UserId] = field(default_factory=list)

    async def is_member(self, guild: GuildId, user: UserId) -> bool | None:
        self.asked.append(user)
        return None if self.silent else user not in self.gone


@dataclass
class Drawings:
    drawn: list[Chart] = field(default_factory=list)

    async def draw(self, chart: Chart) -> bytes:
        self.drawn.append(chart)
        return b"PNG"


@dataclass
class Started:
    drills: list[tuple[UserId, list[ItemId], str]] = field(default_factory=list)

    async def together(
        self, guild: GuildId, channel: ChannelId, starter: UserId, items: Sequence[ItemId], title: str, at: datetime
    ) -> None:
        assert (guild, channel) == (HOME, PLACE)
        self.drills.append((starter, list(items), title))


@dataclass
class Group:
    """A server with a pack, a schedule for a review each week, and people who practise."""

    to: Stores
    members: Members = field(default_factory=Members)
    drawings: Drawings = field(default_factory=Drawings)
    started: Started = field(default_factory=Started)
    items: int = 3

    @property
    def surveying(self) -> Surveying:
        return Surveying(self.to.groups, self.to.schedules, self.to.learners, self.members, self.drawings, self.started)

    async def schedule(self, at: datetime = AT) -> Schedule:
        new = NewSchedule(ScheduleKind.GROUP_REVIEW, Rule("UTC", 540), MOD, guild=HOME, channel=PLACE)
        made = await self.to.schedules.draft(new, at)
        await self.to.schedules.activate(made, HOME, Slot(at, at.date()))
        found = await self.to.schedules.schedule(made, HOME)
        assert found is not None
        return found

    async def opt_in(self, users: Iterable[UserId], at: datetime = AT) -> None:
        for user in users:
            await self.to.learners.note_visit(user, HOME, at)
            await self.to.learners.save_preferences(user, Preferences(counted=True), at, zone_chosen=False)

    async def miss(
        self, user: UserId, at: datetime = AT, typed: str = "が", track: Track = Track.LESSON, guild: GuildId = HOME
    ) -> None:
        """Let a learner answer all items of the pack wrongly."""
        pack = await self.to.packs.find("N5", [HOME])
        assert pack is not None
        asked = [item.id for item in await self.to.packs.items(pack.id)]
        drill = await self.to.drills.begin(user, guild, track, "", asked, at)
        card = replace(CARD, typed=typed, track=track)
        for exercise in await self.to.drills.exercises(drill.id, user):
            await self.to.drills.record(attempt(exercise, user, typed=typed, at=at), SPACING, card)

    async def due(self, schedule: Schedule, at: datetime) -> Run:
        """Claim the schedule's next time."""
        (run,) = await self.to.schedules.claim(
            at, 1, lambda _: Plan(Slot(at, at.date()), 0, Slot(at + MINUTE, _next(at)))
        )
        assert run.schedule.id == schedule.id
        return run

    async def post(self, schedule: Schedule, at: datetime) -> GroupReview | TooFewCounted | Skip:
        """Compose what is due and settle it, as the clock does."""
        run = await self.due(schedule, at)
        made = await self.surveying.compose(run, at)
        if isinstance(made, Skip):
            await self.to.schedules.settle(run.id, RunState.SKIPPED, at, why=made.value)
            return made
        assert isinstance(made, GroupReview | TooFewCounted)
        message = MessageId(run.id)
        await self.to.schedules.settle(run.id, RunState.SENT, at, why=made.note, message=message)
        await self.surveying.posted(run, made, message, at)
        return made


def _next(at: datetime) -> date:
    return (at + MINUTE).date()


@pytest.fixture
async def group(tmp_path: Path) -> AsyncIterator[Group]:
    file = await asyncio.to_thread(migrate.prepare, tmp_path / "data", at=AT)
    async with Database(file) as db:
        made = Group(stores(db))
        await save(made.to, items=rows(3))
        yield made


async def test_five_who_are_counted_have_a_review_with_a_chart(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT + MINUTE)
    review = await group.post(schedule, AT + DAY)
    assert isinstance(review, GroupReview)
    assert (review.since, review.until, review.note) == (AT + DAY - WEEK, AT + DAY, "")
    (total,) = review.totals
    assert (total.learners, total.answered, total.firsts_percent) == (5, 15, 0)
    assert review.themes == (GroupTheme(Track.LESSON, ErrorType.PARTICLE, 15, (("は", "が"),)),)
    assert review.chart == b"PNG"
    assert review.drillable == {ErrorType.PARTICLE}
    assert group.drawings.drawn[0].series[0].xs == ("particles  は→が",)


async def test_with_fewer_than_five_a_card_says_so_once_and_never_after_a_review(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE[:4])
    for user in FIVE[:4]:
        await group.miss(user, AT + MINUTE)
    first = await group.post(schedule, AT + DAY)
    assert isinstance(first, TooFewCounted)
    assert first.note == FEW
    assert await group.post(schedule, AT + 2 * DAY) is Skip.NOTHING
    await group.opt_in(FIVE)
    await group.miss(FIVE[4], AT + 2 * DAY)
    assert isinstance(await group.post(schedule, AT + 3 * DAY), GroupReview)
    assert await group.post(schedule, AT + 4 * DAY) is Skip.NOTHING, "it would tell that somebody withdrew"


async def test_people_who_did_not_opt_in_are_not_counted(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE[:4])
    for user in map(UserId, range(1, 30)):
        await group.miss(user, AT + MINUTE)
    assert isinstance(await group.post(schedule, AT + DAY), TooFewCounted)


async def test_no_answer_is_counted_in_two_reviews_whatever_becomes_of_schedules(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT + MINUTE)
    first = await group.post(schedule, AT + DAY)
    assert isinstance(first, GroupReview)
    await group.to.schedules.remove(schedule.id, HOME)
    newcomer = UserId(6)
    await group.opt_in([newcomer])
    await group.miss(newcomer, AT + MINUTE)  # of the time that was reviewed already
    other = await group.schedule(AT + DAY)
    assert await group.post(other, AT + DAY + MINUTE) is Skip.NOTHING
    for user in (*FIVE, newcomer):
        await group.miss(user, AT + 2 * DAY, "に")
    second = await group.post(other, AT + 3 * DAY)
    assert isinstance(second, GroupReview)
    assert second.since == first.until
    assert second.themes[0].pairs == (("は", "に"),)


async def test_the_same_run_composed_again_counts_the_same_time(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT + MINUTE)
    run = await group.due(schedule, AT + DAY)
    first = await group.surveying.compose(run, AT + DAY)
    assert await group.surveying.compose(run, AT + DAY + MINUTE) == first


async def test_a_review_looks_back_a_month_at_most(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for day in (0, 60):
        for user in FIVE:
            await group.miss(user, AT + day * DAY)
        review = await group.post(schedule, AT + day * DAY + MINUTE)
        assert isinstance(review, GroupReview)
    assert review.until - review.since == timedelta(days=30)


async def test_a_clock_that_was_set_back_counts_nothing(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT)
    assert isinstance(await group.post(schedule, AT + 2 * DAY), GroupReview)
    run = await group.due(schedule, AT + 3 * DAY)
    assert await group.surveying.compose(run, AT + DAY) is Skip.NOTHING


async def test_members_who_left_are_not_counted_and_are_asked_about_once_a_day(group: Group) -> None:
    schedule = await group.schedule()
    six = (*FIVE, UserId(6))
    await group.opt_in(six)
    for user in six:
        await group.miss(user, AT + MINUTE)
    group.members.gone = {UserId(1), UserId(2)}
    assert isinstance(await group.post(schedule, AT + DAY), TooFewCounted)
    assert group.members.asked == list(six)
    assert [user for user, _ in await group.to.groups.counted(HOME)] == list(six[2:])
    await group.post(schedule, AT + DAY + MINUTE)
    assert len(group.members.asked) == 6


async def test_of_many_those_not_seen_for_the_longest_are_asked_about(group: Group) -> None:
    schedule = await group.schedule()
    many = [UserId(number) for number in range(1, ASKED_ABOUT + 6)]
    await group.opt_in(many[:5], AT + MINUTE)
    await group.opt_in(many[5:])
    for user in many:
        await group.miss(user, AT + MINUTE)
    assert isinstance(await group.post(schedule, AT + 2 * DAY), GroupReview)
    assert group.members.asked == many[5:]


async def test_people_seen_within_a_day_are_not_asked_about(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT)
    assert isinstance(await group.post(schedule, AT + MINUTE), GroupReview)
    assert not group.members.asked


async def test_in_doubt_a_member_stays_one(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT)
    group.members.silent = True
    assert isinstance(await group.post(schedule, AT + 2 * DAY), GroupReview)


async def test_five_who_practised_and_missed_nothing_alike_have_totals_alone(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT)
        for mistake in await group.to.mistakes.since(user, AT):
            await group.to.mistakes.delete(mistake.id, user)
    review = await group.post(schedule, AT + MINUTE)
    assert isinstance(review, GroupReview)
    assert (review.themes, review.chart, review.drillable) == ((), None, frozenset())
    assert not group.drawings.drawn


async def test_what_was_done_in_another_server_is_not_told(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT, guild=AWAY)
    assert isinstance(await group.post(schedule, AT + MINUTE), TooFewCounted)


async def test_a_theme_of_kinds_without_items_has_no_drill(group: Group) -> None:
    schedule = await group.schedule()
    await group.opt_in(FIVE)
    for user in FIVE:
        await group.miss(user, AT)
        for mistake in await group.to.mistakes.since(user, AT):
            await group.to.mistakes.relabel(mistake.id, user, ErrorType.TENSE, AT)
    review = await group.post(schedule, AT + MINUTE)
    assert isinstance(review, GroupReview)
    assert review.themes[0].error_type is ErrorType.TENSE
    assert not review.drillable


async def test_a_schedule_of_nobodys_server_says_nothing(group: Group) -> None:
    run = await group.due(await group.schedule(), AT)
    lost = replace(run, schedule=replace(run.schedule, guild=None))
    assert await group.surveying.compose(lost, AT) is Skip.NOTHING


async def test_being_counted_is_chosen_and_taken_back(group: Group) -> None:
    mika = UserId(9)
    assert await group.surveying.count_in(mika, HOME, AT)
    assert not await group.surveying.count_in(mika, HOME, AT)
    assert [user for user, _ in await group.to.groups.counted(HOME)] == [mika]
    assert await group.surveying.count_out(mika, AT)
    assert not await group.surveying.count_out(mika, AT)
    assert not await group.to.groups.counted(HOME)


async def test_being_counted_leaves_the_other_choices_alone(group: Group) -> None:
    mika = UserId(9)
    chosen = Preferences(time_zone="Asia/Tokyo", drill_length=7)
    await group.to.learners.save_preferences(mika, chosen, AT, zone_chosen=True)
    await group.surveying.count_in(mika, HOME, AT)
    learner = await group.to.learners.learner(mika)
    assert (learner.preferences, learner.zone_chosen) == (replace(chosen, counted=True), True)


async def test_a_theme_is_drilled_together_over_items_of_its_kind(group: Group) -> None:
    await save(group.to, "Big", items=rows(20))
    ask = TogetherAsk(HOME, PLACE, UserId(3), ErrorType.PARTICLE, ("は",))
    await group.surveying.drill_together(ask, 4, AT)
    ((starter, asked, title),) = group.started.drills
    assert (starter, title, len(set(asked))) == (UserId(3), "Together: particles", 5)
    await group.surveying.drill_together(ask, 4, AT)
    await group.surveying.drill_together(ask, 5, AT)
    assert group.started.drills[1] == group.started.drills[0] != group.started.drills[2]


async def test_a_kind_without_items_is_not_drilled(group: Group) -> None:
    with pytest.raises(NothingOfKind):
        await group.surveying.drill_together(TogetherAsk(HOME, PLACE, UserId(3), ErrorType.TENSE), 1, AT)
    assert not group.started.drills


def test_themes_say_which_are_of_the_news() -> None:
    names = [theme_title(GroupTheme(track, ErrorType.TENSE, 5)) for track in Track]
    assert names == ["tense", "tense in the news"]
