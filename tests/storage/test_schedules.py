"""Schedules and their runs: claimed once, tried, settled, paused and taken up again, each for its owner alone."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from lessons.calendar import next_slot, plan
from lessons.model import (
    Asked,
    ChannelId,
    MessageId,
    NewSchedule,
    Pause,
    Plan,
    Rule,
    Run,
    RunId,
    RunState,
    Schedule,
    ScheduleId,
    ScheduleKind,
    ScheduleState,
    Slot,
)
from tests.storage.world import AIKO, AT, AWAY, BEN, DAY, HOME, MINUTE, MOD, Stores, attempt, begin, hit, save

if TYPE_CHECKING:
    from pathlib import Path

    from lessons.model import GuildId, UserId

HERE, THERE = ChannelId(70_000_000_000_000_001), ChannelId(70_000_000_000_000_002)
RULE = Rule("Asia/Tokyo", 480, (0, 2, 4))
EACH_DAY = Rule("UTC", 600)
DUE = datetime(2027, 3, 14, 10, tzinfo=UTC)


def own(user: UserId = AIKO, kind: ScheduleKind = ScheduleKind.REVIEW, rule: Rule = EACH_DAY) -> NewSchedule:
    return NewSchedule(kind, rule, user, user=user)


def drill(guild: GuildId = HOME, channel: ChannelId = HERE, asked: Asked | None = None) -> NewSchedule:
    return NewSchedule(ScheduleKind.DAILY_DRILL, EACH_DAY, MOD, guild=guild, channel=channel, asked=asked or Asked())


async def set_own(to: Stores, new: NewSchedule | None = None, at: datetime = AT) -> Schedule:
    new = new or own()
    return await to.schedules.set_own(new, next_slot(new.rule, at), at)


async def running(to: Stores, new: NewSchedule | None = None, at: datetime = AT) -> ScheduleId:
    new = new or drill()
    made = await to.schedules.draft(new, at)
    assert new.guild is not None
    assert await to.schedules.activate(made, new.guild, next_slot(new.rule, at))
    return made


def by(at: datetime):
    def planned(schedule: Schedule) -> Plan:
        assert schedule.upcoming is not None
        return plan(schedule.rule, schedule.upcoming, at, schedule.last_day)

    return planned


async def claim(to: Stores, at: datetime = DUE, limit: int = 100) -> list[Run]:
    return await to.schedules.claim(at, limit, by(at))


def states(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as conn:
        return conn.execute("SELECT state, why FROM run ORDER BY id").fetchall()


async def test_a_schedule_is_read_as_it_was_stored(to: Stores):
    pack = (await save(to)).pack.id
    asked = Asked(pack, "3-5", news=False, count=3)
    new = replace(drill(asked=asked), rule=RULE)
    made = await to.schedules.draft(new, AT)
    assert await to.schedules.of_server(HOME) == []
    assert await to.schedules.activate(made, HOME, Slot(DUE, date(2027, 3, 14)))
    (found,) = await to.schedules.of_server(HOME)
    assert found == await to.schedules.schedule(made, HOME)
    assert found == Schedule(
        made,
        ScheduleKind.DAILY_DRILL,
        RULE,
        ScheduleState.ACTIVE,
        MOD,
        AT,
        guild=HOME,
        channel=HERE,
        asked=asked,
        upcoming=Slot(DUE, date(2027, 3, 14)),
    )


async def test_a_schedule_belongs_to_its_server(to: Stores):
    made = await running(to)
    assert await to.schedules.schedule(made, AWAY) is None
    assert await to.schedules.of_server(AWAY) == []
    assert not await to.schedules.remove(made, AWAY)
    await to.schedules.pause(made, Pause.ASKED, AT)
    assert not await to.schedules.activate(made, AWAY, Slot(DUE, date(2027, 3, 14)))
    assert await to.schedules.pause_server(AWAY, Pause.NO_SERVER, AT) == 0


async def test_drafts_of_yesterday_go(to: Stores):
    old = await to.schedules.draft(drill(), AT)
    await to.schedules.draft(drill(), AT + DAY + MINUTE)
    assert not await to.schedules.activate(old, HOME, Slot(DUE, date(2027, 3, 14)))


async def test_a_draft_is_confirmed_once(to: Stores):
    made = await running(to)
    assert not await to.schedules.activate(made, HOME, Slot(DUE, date(2027, 3, 14)))


async def test_a_learner_has_one_of_each_kind_and_a_new_rule_takes_the_place_of_the_old(to: Stores):
    first = await set_own(to)
    (run,) = await claim(to)
    await to.schedules.settle(run.id, RunState.SENT, DUE, message=MessageId(5))
    await to.schedules.pause(first.id, Pause.UNANSWERED, DUE)
    await set_own(to, own(kind=ScheduleKind.REMINDER))
    again = await set_own(to, own(rule=RULE), DUE)
    assert (again.id, again.rule, again.state, again.last_day) == (first.id, RULE, ScheduleState.ACTIVE, DUE.date())
    assert (again.why, again.paused_at, again.made_at) == (None, None, AT)
    assert await to.schedules.own(AIKO, ScheduleKind.REVIEW) == again
    assert await to.schedules.own(BEN, ScheduleKind.REVIEW) is None
    with pytest.raises(ValueError, match="names the learner"):
        await to.schedules.set_own(drill(), Slot(DUE, DUE.date()), AT)


async def test_what_is_due_is_claimed_once_the_longest_due_first_and_its_next_time_is_known(to: Stores):
    later = await set_own(to, own(BEN, rule=Rule("UTC", 660)))
    sooner = await set_own(to)
    await set_own(to, own(AIKO, ScheduleKind.REMINDER, Rule("UTC", 900)))
    now = DUE + timedelta(hours=2)
    runs = await claim(to, now)
    assert [run.schedule.id for run in runs] == [sooner.id, later.id]
    assert (runs[0].slot, runs[0].late, runs[0].tried_at) == (Slot(DUE, DUE.date()), 0, None)
    assert runs[0].schedule.upcoming == Slot(DUE + DAY, DUE.date() + timedelta(days=1))
    assert await claim(to, now) == []
    assert [run.id for run in await to.schedules.unsettled()] == [run.id for run in runs]


async def test_a_claim_takes_as_many_as_it_is_told(to: Stores):
    for minute in range(5):
        await running(to, replace(drill(), rule=Rule("UTC", 600 - minute)))
    now = DUE + MINUTE
    taken = [len(await claim(to, now, 2)) for _ in range(4)]
    assert taken == [2, 2, 1, 0]
    assert len(await to.schedules.unsettled()) == 5


async def test_claims_at_the_same_moment_take_each_time_once(to: Stores):
    for _ in range(20):
        await running(to)
    claimed = [run for runs in await asyncio.gather(*(claim(to, limit=7) for _ in range(9))) for run in runs]
    assert len({run.schedule.id for run in claimed}) == len(claimed) == 20


async def test_days_that_were_missed_come_to_one_run(to: Stores):
    await set_own(to)
    (run,) = await claim(to, DUE + 3 * DAY + MINUTE)
    assert (run.slot.day, run.late) == (DUE.date() + timedelta(days=3), 3)


async def test_a_time_that_has_a_run_gets_no_second_one_when_the_clock_is_set_back(to: Stores):
    made = await set_own(to)
    await claim(to)
    await to.schedules.reset(made.id, made.rule, Slot(DUE, DUE.date()))
    assert await claim(to) == []
    (active,) = await to.schedules.active()
    assert active.upcoming == Slot(DUE + DAY, DUE.date() + timedelta(days=1))


async def test_the_first_try_counts_until_discord_surely_has_nothing(to: Stores):
    await set_own(to)
    (run,) = await claim(to)
    assert await to.schedules.trying(run.id, DUE)
    assert await to.schedules.trying(run.id, DUE + MINUTE)
    assert [left.tried_at for left in await to.schedules.unsettled()] == [DUE]
    await to.schedules.untried(run.id)
    assert [left.tried_at for left in await to.schedules.unsettled()] == [None]
    await to.schedules.settle(run.id, RunState.FAILED, DUE, why="x")
    assert not await to.schedules.trying(run.id, DUE)
    assert not await to.schedules.trying(RunId(99), DUE)


async def test_a_run_is_settled_once_and_only_what_was_sent_counts_for_its_day(to: Stores, file: Path):
    made = await set_own(to)
    (run,) = await claim(to)
    await to.schedules.settle(run.id, RunState.SKIPPED, DUE, why="late")
    await to.schedules.settle(run.id, RunState.SENT, DUE, message=MessageId(5))
    assert states(file) == [("skipped", "late")]
    assert await to.schedules.latest_sent(made.id) is None
    (run,) = await claim(to, DUE + DAY)
    await to.schedules.settle(run.id, RunState.SENT, DUE + DAY, why="few", message=MessageId(6))
    assert await to.schedules.latest_sent(made.id) == (run.id, DUE + DAY, "few")
    (active,) = await to.schedules.active()
    assert active.last_day == (DUE + DAY).date()


async def test_a_post_is_answered_by_a_press_of_its_learner_or_by_practice_since(to: Stores):
    await save(to)
    _, exercises = await begin(to)
    await hit(to, exercises[0], at=DUE - MINUTE)
    await set_own(to)
    (run,) = await claim(to)
    await to.schedules.settle(run.id, RunState.SENT, DUE, message=MessageId(5))
    assert not await to.schedules.is_answered(run.id)
    assert not await to.schedules.answered(run.id, BEN, DUE + MINUTE)
    assert not await to.schedules.is_answered(run.id)
    assert await to.schedules.answered(run.id, AIKO, DUE + MINUTE)
    assert await to.schedules.is_answered(run.id)
    (run,) = await claim(to, DUE + DAY)
    await to.schedules.settle(run.id, RunState.SENT, DUE + DAY, message=MessageId(6))
    assert not await to.schedules.is_answered(run.id)
    await to.drills.record(attempt(exercises[1], at=DUE + DAY + MINUTE), None, None)
    assert await to.schedules.is_answered(run.id)
    assert not await to.schedules.is_answered(RunId(99))


async def test_a_pause_is_told_once_and_ends_with_a_new_time(to: Stores):
    made = await set_own(to)
    await to.schedules.pause(made.id, Pause.NO_DM, AT)
    await to.schedules.pause(made.id, Pause.UNANSWERED, AT + DAY)  # it is paused already
    (found,) = await to.schedules.untold(AIKO)
    assert (found.why, found.paused_at, found.upcoming) == (Pause.NO_DM, AT, None)
    assert await to.schedules.untold(BEN) == []
    await to.schedules.told(BEN, AT)
    assert await to.schedules.untold(AIKO) == [found]
    await to.schedules.told(AIKO, AT)
    assert await to.schedules.untold(AIKO) == []
    assert await claim(to) == []
    assert await to.schedules.resume_own(AIKO, ScheduleKind.REVIEW, Slot(DUE, DUE.date()))
    assert not await to.schedules.resume_own(AIKO, ScheduleKind.REVIEW, Slot(DUE, DUE.date()))
    assert len(await claim(to)) == 1


async def test_whoever_asked_for_a_pause_need_not_be_told(to: Stores):
    made = await running(to)
    await to.schedules.pause(made, Pause.ASKED, AT)
    assert await to.schedules.untold(MOD) == []
    assert await to.schedules.waiting_for_access() == []


async def test_a_pause_drops_what_was_not_handed_to_discord_yet(to: Stores, file: Path):
    one, two = await running(to), await running(to)
    runs = {run.schedule.id: run.id for run in await claim(to)}
    await to.schedules.trying(runs[two], DUE)
    await to.schedules.pause(one, Pause.ASKED, DUE)
    await to.schedules.pause(two, Pause.ASKED, DUE)
    assert not await to.schedules.trying(runs[one], DUE)
    assert sorted(states(file)) == [("claimed", ""), ("skipped", "asked")]


async def test_a_server_or_a_channel_is_paused_as_a_whole_and_waits_for_access(to: Stores):
    here, there = await running(to), await running(to, drill(channel=THERE))
    away = await running(to, drill(AWAY))
    mine = await set_own(to)
    assert await to.schedules.pause_server(HOME, Pause.NO_CHANNEL, AT, THERE) == 1
    assert await to.schedules.pause_server(HOME, Pause.NO_SERVER, AT) == 1
    assert await to.schedules.pause_server(HOME, Pause.NO_SERVER, AT) == 0
    await to.schedules.pause(mine.id, Pause.NO_DM, AT)
    assert [each.id for each in await to.schedules.waiting_for_access(HOME)] == [here, there]
    assert await to.schedules.waiting_for_access(AWAY) == []
    assert [each.id for each in await to.schedules.waiting_for_access(user=AIKO)] == [mine.id]
    assert {each.id for each in await to.schedules.waiting_for_access()} == {here, there, mine.id}
    assert {each.id for each in await to.schedules.active()} == {away}
    assert {each.why for each in await to.schedules.untold(MOD)} == {Pause.NO_CHANNEL, Pause.NO_SERVER}


async def test_another_rule_moves_what_is_active_and_leaves_what_is_paused_paused(to: Stores):
    made = await set_own(to)
    tomorrow = Slot(DUE + DAY, DUE.date() + timedelta(days=1))
    await to.schedules.reset(made.id, RULE, tomorrow)
    (moved,) = await to.schedules.active()
    assert (moved.rule, moved.upcoming) == (RULE, tomorrow)
    await to.schedules.pause(made.id, Pause.ASKED, AT)
    await to.schedules.reset(made.id, EACH_DAY, tomorrow)
    paused = await to.schedules.own(AIKO, ScheduleKind.REVIEW)
    assert paused is not None
    assert (paused.rule, paused.state, paused.upcoming) == (EACH_DAY, ScheduleState.PAUSED, None)


async def test_what_is_removed_goes_with_its_runs(to: Stores, file: Path):
    made, mine = await running(to), await set_own(to)
    assert len(await claim(to)) == 2
    assert await to.schedules.remove(made, HOME)
    assert not await to.schedules.remove(made, HOME)
    assert await to.schedules.remove_own(AIKO, mine.kind)
    assert not await to.schedules.remove_own(AIKO, mine.kind)
    assert states(file) == []


async def test_old_runs_go_but_for_the_latest_that_was_sent_of_each(to: Stores, file: Path):
    mine, made = await set_own(to), await running(to)
    for day, state in enumerate([RunState.SENT, RunState.SENT, RunState.SKIPPED]):
        for run in await claim(to, DUE + day * DAY):
            sent = MessageId(9) if state is RunState.SENT else None
            await to.schedules.settle(run.id, state, DUE + day * DAY, why=str(day), message=sent)
    await claim(to, DUE + 3 * DAY)
    draft = await to.schedules.draft(drill(), DUE + 8 * DAY)
    assert await to.schedules.prune(DUE + 9 * DAY) == 4
    assert states(file) == [("sent", "1"), ("sent", "1"), ("claimed", ""), ("claimed", "")]
    for schedule in (mine.id, made):
        latest = await to.schedules.latest_sent(schedule)
        assert latest is not None
        assert latest[2] == "1"
    assert not await to.schedules.activate(draft, HOME, Slot(DUE, DUE.date()))


async def test_a_learner_who_is_forgotten_leaves_no_schedule_and_no_run(to: Stores, file: Path):
    await set_own(to)
    await claim(to)
    await to.db.write(lambda transaction: transaction.run("DELETE FROM learner WHERE user_id = ?", (AIKO,)))
    assert states(file) == []
    assert await to.schedules.active() == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1 FROM schedule WHERE state = 'active' AND next_due <= ? LIMIT 1",
        "SELECT * FROM schedule WHERE state = 'active' AND next_due <= ? ORDER BY next_due LIMIT ?",
    ],
)
def test_what_is_due_is_found_by_an_index(file: Path, statement: str):
    with closing(sqlite3.connect(file)) as conn:
        steps = [row[3] for row in conn.execute(f"EXPLAIN QUERY PLAN {statement}", (0,) * statement.count("?"))]
    assert len(steps) == 1
    assert "schedule_due (next_due<?)" in steps[0]
