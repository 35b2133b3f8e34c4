"""The clock against a real store and an outbox that writes down what it is handed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lessons.calendar import next_slot, slot_on
from lessons.errors import PostFailed, PostRefused, StorageBusy, StorageFull
from lessons.flows import posting as flow
from lessons.flows.posting import Posting, Tally
from lessons.model import (
    ChannelId,
    GuildId,
    MessageId,
    NewSchedule,
    Pause,
    Post,
    Rule,
    Run,
    RunState,
    Schedule,
    ScheduleId,
    ScheduleKind,
    ScheduleState,
    Skip,
    UserId,
)
from storage import migrate
from storage.connection import Database
from storage.schedules import ScheduleStore
from tests.conftest import MovableClock

BEGUN = datetime(2027, 3, 14, 9, tzinfo=UTC)
DUE = datetime(2027, 3, 14, 10, tzinfo=UTC)
HOME = GuildId(5)
MOD = UserId(9)


@dataclass(frozen=True, slots=True)
class Words(Post):
    text: str
    note: str = ""


async def say(run: Run) -> Post | Skip | Pause:
    return Words(f"{run.schedule.id} {run.slot.day}")


@dataclass
class Teller:
    """Composes as it is told to."""

    how: Callable[[Run], Awaitable[Post | Skip | Pause]] = say
    noted: list[MessageId] = field(default_factory=list)

    async def compose(self, run: Run, at: datetime) -> Post | Skip | Pause:
        return await self.how(run)

    async def posted(self, run: Run, post: Post, message: MessageId, at: datetime) -> None:
        self.noted.append(message)


@dataclass
class Letterbox:
    """Discord as the clock sees it: one message a nonce; `moods` say what happens to the posts of a schedule."""

    is_open: bool = True
    moods: dict[ScheduleId, Callable[[], Awaitable[None]]] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    requests: Counter[ScheduleId] = field(default_factory=Counter)

    async def send(self, schedule: Schedule, post: Post, nonce: str, handing) -> MessageId:
        assert isinstance(post, Words)
        await handing()
        self.requests[schedule.id] += 1
        if mood := self.moods.get(schedule.id):
            await mood()
        self.messages.setdefault(nonce, post.text)
        return MessageId(1000 + list(self.messages).index(nonce))


def raising(error: BaseException):
    async def mood(*_: object):
        raise error

    return mood


def giving(answer: Skip | Pause):
    async def compose(_: Run):
        return answer

    return compose


@dataclass
class House:
    db: Database
    clock: MovableClock
    box: Letterbox = field(default_factory=Letterbox)
    teller: Teller = field(default_factory=Teller)

    def __post_init__(self):
        self.schedules = ScheduleStore(self.db)
        self.posting = self.started()

    def started(self) -> Posting:
        """A process of its own: it remembers nothing."""
        return Posting(self.schedules, self.box, dict.fromkeys(ScheduleKind, self.teller))

    async def add(self, number: int = 1, minute: int = 600, kind=ScheduleKind.DAILY_DRILL) -> list[ScheduleId]:
        made = []
        for _ in range(number):
            new = NewSchedule(kind, Rule("UTC", minute), MOD, guild=HOME, channel=ChannelId(7))
            made.append(await self.schedules.draft(new, BEGUN))
            await self.schedules.activate(made[-1], HOME, next_slot(new.rule, BEGUN))
        return made

    async def tick(self, at: datetime = DUE) -> Tally:
        self.clock.at = at
        return await self.posting.tick(self.clock)

    async def state(self, schedule: ScheduleId) -> tuple[ScheduleState, Pause | None]:
        found = await self.schedules.schedule(schedule, HOME)
        assert found is not None
        return found.state, found.why

    async def runs(self) -> list[tuple[str, str]]:
        async with self.db.reading() as snapshot:
            return [tuple(row) for row in await snapshot.all("SELECT state, why FROM run ORDER BY id")]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with Database(migrate.prepare(tmp_path / "data", at=BEGUN)) as db:
        yield House(db, MovableClock(BEGUN))


async def test_what_is_due_is_posted_once_and_the_next_day_again(house: House):
    await house.add(2)
    assert (await house.tick(DUE - timedelta(minutes=1))).sent == 0
    assert (await house.tick()).sent == 2
    assert (await house.tick(DUE + timedelta(minutes=1))).sent == 0
    assert list(house.box.messages.values()) == ["1 2027-03-14", "2 2027-03-14"]
    assert house.teller.noted == [1000, 1001]
    assert (await house.tick(DUE + timedelta(days=1))).sent == 2
    assert len(house.box.messages) == 4
    assert house.posting.total.sent == 4
    assert house.posting.ticked_at == DUE + timedelta(days=1)


async def test_more_than_a_batch_is_posted_in_one_tick(house: House, monkeypatch):
    monkeypatch.setattr(flow, "BATCH", 3)
    await house.add(8)
    tally = await house.tick(DUE + timedelta(seconds=20))
    assert (tally.sent, tally.lateness) == (8, 20.0)
    assert len(house.box.messages) == 8


async def test_what_is_special_about_a_post_is_kept_with_its_run(house: House):
    (made,) = await house.add()

    async def few(_: Run):
        return Words("", note="few")

    house.teller.how = few
    await house.tick()
    latest = await house.schedules.latest_sent(made)
    assert latest is not None
    assert latest[2] == "few"
    assert Post().note == ""


async def test_ticks_never_overlap(house: House):
    await house.add(3)
    tallies = await asyncio.gather(house.tick(), house.tick(), house.tick())
    assert sorted(tally.sent for tally in tallies) == [0, 0, 3]


async def test_nothing_is_claimed_while_there_is_no_connection(house: House):
    await house.add()
    house.box.is_open = False
    await house.tick()
    assert await house.runs() == []
    house.box.is_open = True
    assert (await house.tick(DUE + timedelta(minutes=59))).sent == 1


@pytest.mark.parametrize(("kind", "hours"), [(ScheduleKind.DAILY_DRILL, 1), (ScheduleKind.GROUP_REVIEW, 6)])
async def test_what_is_found_too_late_is_skipped_and_counted(house: House, kind, hours):
    await house.add(kind=kind)
    await house.tick(DUE + timedelta(hours=hours))
    tally = await house.tick(DUE + timedelta(days=1, hours=hours, seconds=1))
    assert (tally.sent, tally.skipped) == (0, 1)
    assert await house.runs() == [("sent", ""), ("skipped", "late")]


async def test_after_two_days_away_each_schedule_comes_to_one_run(house: House):
    await house.add(2)
    await house.add(1, minute=0)
    tally = await house.tick(DUE + timedelta(days=2, minutes=30))
    assert (tally.sent, tally.skipped) == (2, 1)
    assert sorted(await house.runs()) == [("sent", ""), ("sent", ""), ("skipped", "late")]


@pytest.mark.parametrize(
    ("answer", "run", "state"),
    [
        (Skip.NOTHING, ("skipped", "nothing"), (ScheduleState.ACTIVE, None)),
        (Pause.NO_MATERIAL, ("skipped", "no_material"), (ScheduleState.PAUSED, Pause.NO_MATERIAL)),
    ],
)
async def test_a_composer_may_pass_a_time_over_or_pause_the_schedule(house: House, answer, run, state):
    (made,) = await house.add()
    house.teller.how = giving(answer)
    await house.tick()
    assert await house.runs() == [run]
    assert await house.state(made) == state
    assert house.box.messages == {}


@pytest.mark.errors_expected
async def test_a_fault_of_one_composition_stays_with_that_one_and_its_text_out_of_the_log(house: House, caplog):
    made = await house.add(5)

    async def faulty(run: Run):
        if run.schedule.id == made[2]:
            raise ZeroDivisionError("what a learner typed")
        return await say(run)

    house.teller.how = faulty
    tally = await house.tick()
    assert (tally.sent, tally.failed) == (4, 1)
    assert ("failed", "not composed") in await house.runs()
    assert "ZeroDivisionError at test_posting.py" in caplog.text
    assert "learner typed" not in caplog.text
    assert await house.state(made[2]) == (ScheduleState.ACTIVE, None)


@pytest.mark.errors_expected
async def test_a_composition_without_end_is_given_up(house: House, monkeypatch):
    monkeypatch.setattr(flow, "PATIENCE", 0.01)
    await house.add()

    async def endless(_: Run):
        await asyncio.Event().wait()

    house.teller.how = endless
    assert (await house.tick()).failed == 1


async def test_what_a_composer_foresees_is_tried_again_in_a_minute(house: House):
    await house.add()
    house.teller.how = raising(StorageBusy())
    assert (await house.tick()).put_off == 1
    house.teller.how = say
    assert (await house.tick(DUE + timedelta(minutes=1))).sent == 1


@pytest.mark.errors_expected
async def test_a_post_that_could_not_be_noted_is_sent_all_the_same(house: House, monkeypatch, caplog):
    await house.add()

    async def posted(*_: object):
        raise KeyError("text")

    monkeypatch.setattr(house.teller, "posted", posted)
    assert (await house.tick()).sent == 1
    assert "was sent, but not noted: KeyError" in caplog.text


async def test_a_refusal_pauses_that_schedule_at_the_first_request_and_no_other(house: House):
    made = await house.add(5)
    house.box.moods[made[3]] = raising(PostRefused(Pause.NO_ACCESS))
    tally = await house.tick()
    assert (tally.sent, tally.failed, tally.paused) == (4, 1, 1)
    for day in range(1, 4):
        await house.tick(DUE + timedelta(days=day))
    assert house.box.requests[made[3]] == 1
    assert await house.state(made[3]) == (ScheduleState.PAUSED, Pause.NO_ACCESS)
    assert ("failed", "no_access") in await house.runs()
    assert [each.id for each in await house.schedules.untold(MOD)] == [made[3]]


async def test_a_failure_is_tried_again_under_the_same_nonce_for_two_minutes(house: House):
    (made,) = await house.add()
    house.box.moods[made] = raising(PostFailed())
    for minute in range(6):
        await house.tick(DUE + timedelta(minutes=minute))
    assert house.box.requests[made] == 2
    assert await house.runs() == [("failed", "not sent")]
    assert await house.state(made) == (ScheduleState.ACTIVE, None)


async def test_a_failure_that_passes_in_time_is_posted_once(house: House):
    (made,) = await house.add()

    async def posted_but_the_answer_is_lost():
        house.box.messages["kz1"] = "there"
        raise PostFailed

    house.box.moods[made] = posted_but_the_answer_is_lost
    await house.tick()
    del house.box.moods[made]
    assert (await house.tick(DUE + timedelta(minutes=1))).sent == 1
    assert house.box.messages == {"kz1": "there"}


async def test_what_discord_surely_does_not_have_is_tried_as_long_as_it_is_not_too_late(house: House):
    (made,) = await house.add()
    house.box.moods[made] = raising(PostFailed(certain=True))
    for minute in range(0, 50, 10):
        await house.tick(DUE + timedelta(minutes=minute))
    assert await house.runs() == [("claimed", "")]
    del house.box.moods[made]
    assert (await house.tick(DUE + timedelta(minutes=55))).sent == 1


async def test_a_failure_that_outlasts_its_window_is_skipped(house: House):
    (made,) = await house.add()
    house.box.moods[made] = raising(PostFailed(certain=True))
    await house.tick()
    await house.tick(DUE + timedelta(minutes=61))
    assert await house.runs() == [("skipped", "late")]


async def test_a_post_without_end_is_tried_again_and_then_unknown(house: House, monkeypatch):
    monkeypatch.setattr(flow, "PATIENCE", 0.01)
    (made,) = await house.add()

    async def endless():
        await asyncio.Event().wait()

    house.box.moods[made] = endless
    assert (await house.tick()).put_off == 1
    assert (await house.tick(DUE + timedelta(minutes=1))).put_off == 1
    assert (await house.tick(DUE + timedelta(minutes=2))).unknown == 1


async def cut_off(house: House) -> ScheduleId:
    """A process that died while Discord had its post, which is there."""
    (made,) = await house.add()
    (run,) = await house.posting._claim(DUE)
    await house.schedules.trying(run.id, DUE)
    house.box.messages[flow.nonce(run.id)] = "there"
    house.posting = house.started()
    return made


async def test_a_run_that_was_cut_off_is_sent_again_under_its_nonce_while_that_is_known(house: House):
    await cut_off(house)
    tally = await house.tick(DUE + timedelta(seconds=100))
    assert (tally.sent, tally.unknown) == (1, 0)
    assert house.box.messages == {"kz1": "there"}


async def test_a_run_that_was_cut_off_longer_ago_is_unknown_and_not_sent_again(house: House):
    made = await cut_off(house)
    tally = await house.tick(DUE + timedelta(minutes=2))
    assert (tally.sent, tally.unknown) == (0, 1)
    assert house.box.requests[made] == 0
    assert await house.runs() == [("unknown", "not sent")]


@pytest.mark.parametrize("answer", [Skip.DONE, Pause.NO_MATERIAL])
async def test_a_run_that_was_cut_off_and_would_not_be_sent_now_is_unknown(house: House, answer):
    await cut_off(house)
    house.teller.how = giving(answer)
    await house.tick(DUE + timedelta(seconds=30))
    assert await house.runs() == [("unknown", answer)]


async def test_a_run_that_was_claimed_and_never_tried_is_sent_or_too_late(house: House):
    await house.add(2)
    await house.posting._claim(DUE)
    house.posting = house.started()
    assert (await house.tick(DUE + timedelta(minutes=50))).sent == 2
    await house.posting._claim(DUE + timedelta(days=1))
    house.posting = house.started()
    assert (await house.tick(DUE + timedelta(days=1, hours=2))).skipped == 2


async def test_a_schedule_that_is_paused_while_its_post_is_composed_is_not_posted(house: House):
    (made,) = await house.add()

    async def paused_meanwhile(run: Run):
        await house.schedules.pause(made, Pause.ASKED, DUE)
        return await say(run)

    house.teller.how = paused_meanwhile
    tally = await house.tick()
    assert tally == Tally()
    assert await house.runs() == [("skipped", "asked")]


async def test_what_cannot_be_written_down_stays_with_its_run(house: House, monkeypatch, caplog):
    await house.add(3)
    settle = house.schedules.settle

    async def full(run, *rest, **more):
        if run == 2:
            raise StorageBusy
        await settle(run, *rest, **more)

    monkeypatch.setattr(house.schedules, "settle", full)
    tally = await house.tick()
    assert (tally.sent, tally.put_off) == (2, 1)
    assert "run 2 is left for the next minute: StorageBusy" in caplog.text
    monkeypatch.undo()
    assert (await house.tick(DUE + timedelta(minutes=1))).sent == 1
    assert len(house.box.messages) == 3


async def test_stopping_lets_what_is_being_sent_finish_and_starts_nothing_more(house: House, monkeypatch):
    monkeypatch.setattr(flow, "AT_ONCE", 2)
    made = await house.add(6)
    under_way, go = asyncio.Event(), asyncio.Event()

    async def slow():
        under_way.set()
        await go.wait()

    house.box.moods = dict.fromkeys(made, slow)
    ticking = asyncio.create_task(house.tick())
    await under_way.wait()
    await asyncio.sleep(0.01)
    stopping = asyncio.create_task(house.posting.stop())
    await asyncio.sleep(0.01)
    assert not stopping.done()
    go.set()
    await stopping
    assert (await ticking).sent == 2
    assert Counter(state for state, _ in await house.runs()) == {"sent": 2, "claimed": 4}
    assert (await house.tick()).sent == 0
    house.posting.start()
    assert (await house.tick(DUE + timedelta(minutes=1))).sent == 4
    assert len(house.box.messages) == 6


async def test_new_rules_of_a_zone_move_what_is_not_due_yet_and_keep_its_day(house: House):
    made = await house.add(3)
    rule = Rule("UTC", 600)
    right = slot_on(rule, DUE.date())
    for schedule, hours in zip(made, (0, 3, -3), strict=True):  # as other zone files had it
        await house.schedules.reset(schedule, rule, type(right)(right.due + timedelta(hours=hours), right.day))
    assert await house.posting.begin(BEGUN) == 1
    upcoming = {schedule.id: schedule.upcoming for schedule in await house.schedules.active()}
    assert (upcoming[made[0]], upcoming[made[1]]) == (right, right)
    assert upcoming[made[2]] == type(right)(right.due - timedelta(hours=3), right.day)  # it is due


def test_a_nonce_fits_what_discord_takes():
    assert len(flow.nonce(2**63 - 1)) <= 25


def test_every_kind_has_a_window():
    assert set(flow.WINDOW) == set(ScheduleKind)


async def test_a_due_schedule_without_a_time_cannot_be(house: House, monkeypatch):
    async def claim(_at, _limit, plan):
        await house.add()
        (schedule,) = await house.schedules.active()
        await house.schedules.pause(schedule.id, Pause.ASKED, DUE)
        plan(await house.schedules.schedule(schedule.id, HOME))

    monkeypatch.setattr(house.schedules, "claim", claim)
    with pytest.raises(ValueError, match="has a time"):
        await house.tick()


def test_run_states_are_those_of_the_table():
    assert {state.value for state in RunState} == {"claimed", "sent", "failed", "skipped", "unknown"}


async def test_a_full_disk_holds_everything_until_there_is_room(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.add(3)
    monkeypatch.setattr(house.schedules, "claim", raising(StorageFull()))
    assert (await house.tick()).sent == 0
    monkeypatch.undo()
    assert (await house.tick(DUE + timedelta(minutes=1))).sent == 3
