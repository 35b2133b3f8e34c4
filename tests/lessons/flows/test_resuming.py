"""Schedules that lose their place and find it again, against a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lessons.calendar import next_slot
from lessons.errors import Gone, PressLeadsNowhere
from lessons.flows.resuming import Resuming
from lessons.model import ChannelId, GuildId, NewSchedule, Pause, Rule, Schedule, ScheduleId, ScheduleKind, UserId
from storage import migrate
from storage.connection import Database
from storage.schedules import ScheduleStore

AT = datetime(2027, 3, 14, 9, tzinfo=UTC)
RULE = Rule("UTC", 600)
NEXT = AT + timedelta(hours=1)
HOME, AWAY = GuildId(5), GuildId(6)
MIKA, TOM = UserId(1), UserId(2)


@pytest.fixture
async def resuming(tmp_path: Path) -> AsyncIterator[Resuming]:
    async with Database(migrate.prepare(tmp_path / "data", at=AT)) as db:
        yield Resuming(ScheduleStore(db))


async def channel(resuming: Resuming, guild: GuildId = HOME, place: int = 7) -> ScheduleId:
    new = NewSchedule(ScheduleKind.DAILY_DRILL, RULE, TOM, guild=guild, channel=ChannelId(place))
    made = await resuming.schedules.draft(new, AT)
    await resuming.schedules.activate(made, guild, next_slot(RULE, AT))
    return made


async def own(resuming: Resuming, kind: ScheduleKind = ScheduleKind.REVIEW) -> Schedule:
    return await resuming.schedules.set_own(NewSchedule(kind, RULE, MIKA, user=MIKA), next_slot(RULE, AT), AT)


async def active(resuming: Resuming) -> set[ScheduleId]:
    return {each.id for each in await resuming.schedules.active()}


async def test_what_can_be_posted_again_goes_on_from_now(resuming: Resuming):
    here, there = await channel(resuming), await channel(resuming, place=8)
    away = await channel(resuming, AWAY)
    assert await resuming.lost(HOME, Pause.NO_CHANNEL, AT, ChannelId(8)) == 1
    assert await resuming.lost(HOME, Pause.NO_SERVER, AT) == 1
    assert await active(resuming) == {away}
    back = await resuming.regained(lambda each: each.channel == 7, AT + timedelta(days=2), HOME)
    assert [each.id for each in back] == [here]
    (resumed, _) = sorted(await resuming.schedules.active(), key=lambda each: each.id)
    assert resumed.upcoming == next_slot(RULE, AT + timedelta(days=2))
    assert {each.id for each in await resuming.untold(TOM)} == {there}
    await resuming.told(TOM, AT)
    assert await resuming.untold(TOM) == []
    assert [each.id for each in await resuming.regained(lambda _: True, AT)] == [there]


async def test_a_learner_who_is_met_again_gets_what_could_not_be_sent_and_nothing_they_stopped(resuming: Resuming):
    review, reminder = await own(resuming), await own(resuming, ScheduleKind.REMINDER)
    await resuming.schedules.pause(review.id, Pause.NO_DM, AT)
    await resuming.schedules.pause(reminder.id, Pause.ASKED, AT)
    assert await resuming.regained(lambda _: True, AT) == []
    assert [each.id for each in await resuming.met(MIKA, AT)] == [review.id]
    assert await active(resuming) == {review.id}
    assert await resuming.met(MIKA, AT) == []


async def test_a_learner_resumes_their_own_once(resuming: Resuming):
    reminder = await own(resuming, ScheduleKind.REMINDER)
    await resuming.schedules.pause(reminder.id, Pause.UNANSWERED, AT)
    slot, was_paused = await resuming.asked(reminder.id, MIKA, AT)
    assert (slot.due, was_paused) == (NEXT, True)
    assert await resuming.asked(reminder.id, MIKA, AT) == (slot, False)


async def test_nobody_resumes_what_is_not_theirs(resuming: Resuming):
    review = await own(resuming)
    await resuming.schedules.pause(review.id, Pause.UNANSWERED, AT)
    for schedule, user in [(review.id, TOM), (await channel(resuming), TOM), (ScheduleId(99), MIKA)]:
        with pytest.raises(PressLeadsNowhere) as refused:
            await resuming.asked(schedule, user, AT)
        assert refused.value.why is Gone.UNKNOWN
