"""A server's schedules, from what a moderator types to what is due."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from lessons.errors import (
    BadRange,
    Gone,
    KizukiError,
    MaterialGone,
    NothingMatches,
    NoTimeZone,
    PackOrNews,
    PressLeadsNowhere,
    ReviewThere,
    SameSchedule,
    TooManySchedules,
    UnknownPack,
    UnknownTime,
    UnknownTimeZone,
)
from lessons.flows.questioning import Questioning
from lessons.flows.scheduling import MOST, ScheduleRequest, Scheduling
from lessons.model import Asked, ChannelId, Pause, Preferences, Rule, ScheduleId, ScheduleKind, ScheduleState
from storage import migrate
from storage.connection import Database
from storage.shared import SharedStore
from tests.storage.world import AT, AWAY, DAY, HOME, MOD, Stores, rows, save, stores

PLACE = ChannelId(77)
EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
DRILL = ScheduleRequest(ScheduleKind.DAILY_DRILL, HOME, PLACE, MOD, "9:00", EVERY_DAY, "Asia/Tokyo")
REVIEW = replace(DRILL, kind=ScheduleKind.GROUP_REVIEW, weekdays=(6,), time="7pm")


@pytest.fixture
async def to(tmp_path: Path) -> AsyncIterator[Stores]:
    file = await asyncio.to_thread(migrate.prepare, tmp_path / "data", at=AT)
    async with Database(file) as db:
        yield stores(db)


@pytest.fixture
def scheduling(to: Stores) -> Scheduling:
    shared = SharedStore(to.db)
    return Scheduling(to.schedules, to.groups, to.learners, to.packs, Questioning(to.packs, shared))


async def confirmed(scheduling: Scheduling, ask: ScheduleRequest = DRILL) -> ScheduleId:
    planned = await scheduling.draft(ask, AT)
    return (await scheduling.confirm(planned.schedule.id, ask.guild, AT)).schedule.id


async def test_a_plan_tells_its_next_three_times_and_nothing_begins(scheduling: Scheduling) -> None:
    planned = await scheduling.draft(REVIEW, AT)  # a Sunday, 18:26 in Tokyo
    assert planned.schedule.state is ScheduleState.DRAFT
    assert planned.schedule.rule == Rule("Asia/Tokyo", 19 * 60, (6,))
    assert [f"{at:%d %H:%M}" for at in planned.times] == ["14 10:00", "21 10:00", "28 10:00"]
    assert not await scheduling.of_server(HOME)


async def test_a_plan_that_is_confirmed_begins_once(scheduling: Scheduling) -> None:
    planned = await scheduling.draft(DRILL, AT)
    begun = await scheduling.confirm(planned.schedule.id, HOME, AT)
    assert begun.schedule.state is ScheduleState.ACTIVE
    assert begun.times == planned.times
    with pytest.raises(PressLeadsNowhere) as again:
        await scheduling.confirm(planned.schedule.id, HOME, AT)
    assert again.value.why is Gone.DECIDED
    (listed,) = await scheduling.of_server(HOME)
    assert (listed.schedule, listed.times, listed.latest) == (begun.schedule, begun.times[:1], None)


async def test_a_plan_confirmed_later_begins_from_then(scheduling: Scheduling) -> None:
    planned = await scheduling.draft(DRILL, AT)
    begun = await scheduling.confirm(planned.schedule.id, HOME, AT + 3 * DAY)
    assert begun.times[0] > AT + 3 * DAY


async def test_a_plan_that_is_declined_is_gone(scheduling: Scheduling) -> None:
    planned = await scheduling.draft(DRILL, AT)
    await scheduling.decline(planned.schedule.id, HOME)
    for step in (scheduling.decline(planned.schedule.id, HOME), scheduling.confirm(planned.schedule.id, HOME, AT)):
        with pytest.raises(PressLeadsNowhere) as gone:
            await step
        assert gone.value.why is Gone.SCHEDULE


async def test_what_was_confirmed_is_not_declined(scheduling: Scheduling) -> None:
    made = await confirmed(scheduling)
    with pytest.raises(PressLeadsNowhere):
        await scheduling.decline(made, HOME)
    assert len(await scheduling.of_server(HOME)) == 1


async def test_nothing_of_another_server_can_be_reached(scheduling: Scheduling) -> None:
    made = await confirmed(scheduling)
    draft = (await scheduling.draft(replace(DRILL, time="11"), AT)).schedule.id
    await scheduling.pause(await confirmed(scheduling, replace(DRILL, time="10")), HOME, AT)
    steps = [
        scheduling.planned(made, AWAY, AT),
        scheduling.confirm(draft, AWAY, AT),
        scheduling.decline(draft, AWAY),
        scheduling.pause(made, AWAY, AT),
        scheduling.resume(ScheduleId(made + 2), AWAY, AT),
        scheduling.remove(made, AWAY, AT),
    ]
    for step in steps:
        with pytest.raises(PressLeadsNowhere) as gone:
            await step
        assert gone.value.why is Gone.SCHEDULE
    assert [each.schedule.state for each in await scheduling.of_server(HOME)] == ["active", "paused"]
    assert not await scheduling.of_server(AWAY)


async def test_pausing_and_going_on_are_done_once_each(scheduling: Scheduling) -> None:
    made = await confirmed(scheduling)
    paused = await scheduling.pause(made, HOME, AT)
    assert (paused.schedule.state, paused.schedule.why) == (ScheduleState.PAUSED, Pause.ASKED)
    assert len(paused.times) == 3
    (listed,) = await scheduling.of_server(HOME)
    assert not listed.times
    with pytest.raises(PressLeadsNowhere):
        await scheduling.pause(made, HOME, AT)
    resumed = await scheduling.resume(made, HOME, AT + DAY)
    assert (resumed.schedule.state, resumed.schedule.why) == (ScheduleState.ACTIVE, None)
    assert resumed.times[0] > AT + DAY
    with pytest.raises(PressLeadsNowhere) as again:
        await scheduling.resume(made, HOME, AT)
    assert again.value.why is Gone.DECIDED


async def test_a_schedule_is_removed_once(scheduling: Scheduling) -> None:
    made = await confirmed(scheduling)
    assert (await scheduling.remove(made, HOME, AT)).schedule.id == made
    assert not await scheduling.of_server(HOME)
    with pytest.raises(PressLeadsNowhere):
        await scheduling.remove(made, HOME, AT)


async def test_a_press_that_another_one_overtook_is_told_so(
    scheduling: Scheduling, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = await scheduling.draft(DRILL, AT)

    async def overtaken(*_: object) -> bool:
        return False

    monkeypatch.setattr(type(scheduling.schedules), "activate", overtaken)
    with pytest.raises(PressLeadsNowhere) as late:
        await scheduling.confirm(planned.schedule.id, HOME, AT)
    assert late.value.why is Gone.DECIDED


async def test_a_drill_remembers_what_it_asks_from(to: Stores, scheduling: Scheduling) -> None:
    pack = (await save(to, "Genki", items=rows(2, "3"))).pack
    ask = replace(DRILL, pack="genki", lessons=" 3 ", count=4)
    planned = await scheduling.draft(ask, AT)
    assert planned.schedule.asked == Asked(pack.id, "3", news=False, count=4)
    assert planned.pack == "Genki"
    news = await scheduling.draft(replace(DRILL, news=True), AT)
    assert (news.schedule.asked, news.pack) == (Asked(news=True), "")


async def test_lessons_without_a_pack_are_looked_for_in_the_servers_own(to: Stores, scheduling: Scheduling) -> None:
    await save(to, "Starter", guild=None, items=rows(1, "1"))
    assert (await scheduling.draft(replace(DRILL, lessons="1"), AT)).schedule.asked.lessons == "1"
    await save(to, items=rows(1, "3"))
    with pytest.raises(NothingMatches) as nothing:
        await scheduling.draft(replace(DRILL, lessons="1"), AT)
    assert nothing.value.known == ("3",)


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (replace(DRILL, time="noonish"), UnknownTime),
        (replace(DRILL, zone="Atlantis"), UnknownTimeZone),
        (replace(DRILL, zone=""), NoTimeZone),
        (replace(DRILL, news=True, pack="N5"), PackOrNews),
        (replace(DRILL, news=True, lessons="1"), PackOrNews),
        (replace(DRILL, pack="Nowhere"), UnknownPack),
        (replace(DRILL, pack="N5", lessons="99"), NothingMatches),
        (replace(DRILL, lessons="3--5"), BadRange),
    ],
)
async def test_what_makes_no_sense_is_not_planned(
    to: Stores, scheduling: Scheduling, ask: ScheduleRequest, error: type[KizukiError]
) -> None:
    await save(to)
    await save(to, "Nowhere", guild=AWAY)
    with pytest.raises(error):
        await scheduling.draft(ask, AT)
    assert await to.schedules.schedule(ScheduleId(1), HOME) is None


async def test_the_moderators_own_time_zone_is_taken_when_they_chose_one(to: Stores, scheduling: Scheduling) -> None:
    chosen = Preferences(time_zone="Europe/Berlin")
    await to.learners.save_preferences(MOD, chosen, AT, zone_chosen=True)
    planned = await scheduling.draft(replace(DRILL, zone=""), AT)
    assert planned.schedule.rule.time_zone == "Europe/Berlin"


async def test_a_server_has_room_for_so_many(scheduling: Scheduling) -> None:
    waiting = (await scheduling.draft(DRILL, AT)).schedule.id
    for hour in range(MOST):
        await confirmed(scheduling, replace(DRILL, time=f"{hour % 24}:{hour:02d}"))
    for step in (scheduling.draft(DRILL, AT), scheduling.confirm(waiting, HOME, AT)):
        with pytest.raises(TooManySchedules):
            await step
    assert await confirmed(scheduling, replace(DRILL, guild=AWAY))


async def test_a_server_has_one_review_of_the_group(scheduling: Scheduling) -> None:
    waiting = (await scheduling.draft(REVIEW, AT)).schedule.id
    made = await confirmed(scheduling, REVIEW)
    for step in (scheduling.draft(REVIEW, AT), scheduling.confirm(waiting, HOME, AT)):
        with pytest.raises(ReviewThere) as there:
            await step
        assert there.value.channel == PLACE
    await confirmed(scheduling)
    await scheduling.remove(made, HOME, AT)
    assert await confirmed(scheduling, REVIEW)


async def test_a_schedule_whose_pack_is_gone_does_not_go_on(to: Stores, scheduling: Scheduling) -> None:
    pack = (await save(to)).pack
    made = await confirmed(scheduling, replace(DRILL, pack="N5"))
    await to.schedules.pause(made, Pause.NO_MATERIAL, AT)
    await to.packs.remove(pack.id, AT)
    for seen in (await scheduling.planned(made, HOME, AT), *await scheduling.of_server(HOME)):
        assert (seen.pack, seen.gone) == ("N5", True)
    with pytest.raises(MaterialGone):
        await scheduling.resume(made, HOME, AT)
    await save(to)
    assert (await scheduling.resume(made, HOME, AT)).pack == "N5"


async def test_a_plan_whose_pack_or_lessons_are_gone_does_not_begin(to: Stores, scheduling: Scheduling) -> None:
    pack = (await save(to, items=rows(2, "3"))).pack
    whole = (await scheduling.draft(replace(DRILL, pack="N5"), AT)).schedule.id
    lesson = (await scheduling.draft(replace(DRILL, lessons="3"), AT)).schedule.id
    await save(to, items=rows(2, "4"))
    with pytest.raises(MaterialGone):
        await scheduling.confirm(lesson, HOME, AT)
    assert (await scheduling.planned(lesson, HOME, AT)).there == 0
    await to.packs.remove(pack.id, AT)
    with pytest.raises(MaterialGone):
        await scheduling.confirm(whole, HOME, AT)
    assert (await scheduling.planned(whole, HOME, AT)).gone
    await save(to, items=rows(2, "3"))
    assert (await scheduling.confirm(whole, HOME, AT)).schedule.state is ScheduleState.ACTIVE
    assert (await scheduling.confirm(lesson, HOME, AT)).schedule.state is ScheduleState.ACTIVE


async def test_a_plan_tells_how_many_questions_there_are(to: Stores, scheduling: Scheduling) -> None:
    assert (await scheduling.draft(replace(DRILL, count=5), AT)).there == 0
    assert (await scheduling.draft(replace(DRILL, news=True), AT)).there == 0
    assert (await scheduling.draft(REVIEW, AT)).there is None
    await save(to, items=rows(3, "3"))
    assert (await scheduling.draft(replace(DRILL, count=5, pack="N5"), AT)).there == 3
    assert (await scheduling.draft(replace(DRILL, count=2, lessons="3"), AT)).there == 2


@pytest.mark.parametrize("again", [DRILL, replace(DRILL, count=7), replace(DRILL, time="9am")])
async def test_the_same_is_not_scheduled_twice(scheduling: Scheduling, again: ScheduleRequest) -> None:
    waiting = (await scheduling.draft(DRILL, AT)).schedule.id
    made = await confirmed(scheduling)
    await scheduling.pause(made, HOME, AT)
    for step in (scheduling.draft(again, AT), scheduling.confirm(waiting, HOME, AT)):
        with pytest.raises(SameSchedule) as same:
            await step
        assert same.value.channel == PLACE
    await scheduling.remove(made, HOME, AT)
    assert (await scheduling.confirm(waiting, HOME, AT)).schedule.state is ScheduleState.ACTIVE


@pytest.mark.parametrize(
    "other",
    [
        replace(DRILL, channel=ChannelId(78)),
        replace(DRILL, time="9:01"),
        replace(DRILL, weekdays=(0,)),
        replace(DRILL, zone="Asia/Seoul"),
        replace(DRILL, pack="N5"),
        replace(DRILL, lessons="1"),
        replace(DRILL, news=True),
        replace(REVIEW, time="9:00", weekdays=EVERY_DAY),
    ],
)
async def test_what_differs_in_anything_is_scheduled_as_well(
    to: Stores, scheduling: Scheduling, other: ScheduleRequest
) -> None:
    await save(to, items=rows(2, "1"))
    await confirmed(scheduling)
    assert await confirmed(scheduling, other)


async def test_who_asks_from_a_pack_is_counted(to: Stores, scheduling: Scheduling) -> None:
    pack = (await save(to)).pack
    assert await scheduling.asking(pack.id, HOME) == 0
    await confirmed(scheduling)
    await confirmed(scheduling, replace(DRILL, pack="N5"))
    paused = await confirmed(scheduling, replace(DRILL, pack="N5", time="10"))
    await scheduling.pause(paused, HOME, AT)
    assert await scheduling.asking(pack.id, HOME) == 1
    assert await scheduling.asking(pack.id, AWAY) == 0


async def test_zones_and_packs_are_offered(to: Stores, scheduling: Scheduling) -> None:
    await save(to)
    assert scheduling.zones_like("toky", 3) == ["Asia/Tokyo"]
    assert [pack.name for pack in await scheduling.packs_of(HOME)] == ["N5"]
