"""When reviews and reminders come: a local day never brings two, whatever is changed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from bot.app import Services
from lessons.flows.arranging import EVENING, EVERY_DAY, Arranged
from lessons.model import MessageId, Pause, Rule, RunId, RunState, ScheduleKind, ScheduleState, Skip, Slot, UserId
from tests.conftest import MovableClock
from tests.lessons.flows.posts import due, posted

MIKA, TOM = UserId(1), UserId(2)
REVIEW, REMINDER = ScheduleKind.REVIEW, ScheduleKind.REMINDER
SUNDAY = (6,)


async def sent(services: Services, at: datetime) -> RunId:
    """Let the one schedule that is due post something."""
    (run,) = await due(services, at)
    await services.reporting.schedules.settle(run.id, RunState.SENT, at, message=MessageId(run.id))
    return run.id


async def test_nothing_comes_until_it_is_asked_for(services: Services, clock: MovableClock) -> None:
    arranging = services.choosing.arranging
    assert await arranging.arranged(MIKA) == Arranged()
    assert not await arranging.stop(MIKA, REVIEW)
    assert await arranging.resume(MIKA, REVIEW, clock()) is None
    assert await arranging.put_off(MIKA, REVIEW, clock()) is None
    review = await arranging.arrange(MIKA, REVIEW, clock())
    reminder = await arranging.arrange(MIKA, REMINDER, clock(), minute=450)
    assert review.rule == Rule("UTC", EVENING, SUNDAY)
    assert reminder.rule == Rule("UTC", 450, EVERY_DAY)
    assert await arranging.arranged(MIKA) == Arranged(review, reminder)
    assert await arranging.arranged(TOM) == Arranged()
    assert await arranging.stop(MIKA, REVIEW)
    assert await arranging.arranged(MIKA) == Arranged(None, reminder)


async def test_what_is_not_said_stays(services: Services, clock: MovableClock) -> None:
    arranging = services.choosing.arranging
    await services.choosing.set_zone(MIKA, "Tokyo", clock())
    await arranging.wish(MIKA, REVIEW, clock(), minute=None, weekdays=(0,))
    await arranging.wish(MIKA, REVIEW, clock(), minute=61, weekdays=None)
    review = (await arranging.arranged(MIKA)).review
    assert review is not None
    assert review.rule == Rule("Asia/Tokyo", 61, (0,))
    assert review.upcoming is not None
    assert review.upcoming.due == datetime(2026, 12, 6, 16, 1, tzinfo=UTC)
    assert review.upcoming.day == date(2026, 12, 7)
    await arranging.wish(MIKA, REVIEW, clock(), minute=None, weekdays=())
    assert await arranging.arranged(MIKA) == Arranged()


async def test_a_day_that_had_its_post_gets_no_second_one(services: Services, clock: MovableClock) -> None:
    arranging = services.choosing.arranging
    await arranging.arrange(MIKA, REMINDER, clock(), minute=600)
    clock.at = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
    await sent(services, clock())
    later = await arranging.arrange(MIKA, REMINDER, clock(), minute=1200)
    assert later.upcoming is not None
    assert later.upcoming.day == date(2026, 12, 1)
    await services.choosing.set_zone(MIKA, "Honolulu", clock())  # where it is midnight, and that day begins
    moved = (await arranging.arranged(MIKA)).reminder
    assert moved is not None
    assert moved.upcoming is not None
    assert moved.rule == Rule("Pacific/Honolulu", 1200, EVERY_DAY)
    assert moved.upcoming.day == date(2026, 12, 1)
    assert moved.upcoming.due == datetime(2026, 12, 2, 6, 0, tzinfo=UTC)


async def test_a_zone_that_changes_while_a_post_is_under_way_brings_no_second_one(
    services: Services, clock: MovableClock
) -> None:
    arranging, schedules = services.choosing.arranging, services.reporting.schedules
    await services.choosing.set_zone(MIKA, "Tokyo", clock())
    for kind in (REVIEW, REMINDER):
        await arranging.arrange(MIKA, kind, clock(), minute=1200, weekdays=EVERY_DAY)
    clock.at = datetime(2026, 11, 30, 11, 0, tzinfo=UTC)
    under_way = await due(services, clock())
    await services.choosing.set_zone(MIKA, "Honolulu", clock())
    for run in under_way:
        await schedules.settle(run.id, RunState.SENT, clock(), message=MessageId(run.id))
    clock.move(days=1)
    assert await posted(services, clock()) == []


async def test_a_second_one_of_a_local_day_is_passed_over_wherever_it_came_from(
    services: Services, clock: MovableClock
) -> None:
    arranging, schedules = services.choosing.arranging, services.reporting.schedules
    made = [
        await arranging.arrange(MIKA, kind, clock(), minute=1140, weekdays=EVERY_DAY) for kind in (REVIEW, REMINDER)
    ]
    clock.at = datetime(2026, 11, 30, 19, 0, tzinfo=UTC)
    for run in await due(services, clock()):
        await schedules.settle(run.id, RunState.SENT, clock(), message=MessageId(run.id))
    clock.move(hours=1)
    for each in made:
        await schedules.reset(each.id, each.rule, Slot(clock(), date(2026, 11, 30)))
    assert await posted(services, clock()) == [Skip.DONE, Skip.DONE]


async def test_what_is_paused_moves_too_and_goes_on_in_the_zone_of_now(services: Services, clock: MovableClock) -> None:
    arranging, schedules = services.choosing.arranging, services.reporting.schedules
    review = await arranging.arrange(MIKA, REVIEW, clock(), weekdays=EVERY_DAY)
    clock.at = datetime(2026, 11, 30, 19, 0, tzinfo=UTC)
    run = await sent(services, clock())
    await schedules.pause(review.id, Pause.UNANSWERED, clock())
    await services.choosing.set_zone(MIKA, "Tokyo", clock())
    paused = (await arranging.arranged(MIKA)).review
    assert paused is not None
    assert (paused.state, paused.rule.time_zone, paused.upcoming) == (ScheduleState.PAUSED, "Asia/Tokyo", None)
    assert await arranging.put_off(MIKA, REVIEW, clock()) is None
    assert not await schedules.is_answered(run)
    resumed = await arranging.resume(MIKA, REVIEW, clock())
    assert resumed is not None
    assert (resumed.id, resumed.state, resumed.last_day) == (review.id, ScheduleState.ACTIVE, date(2026, 11, 30))
    assert await schedules.is_answered(run)  # so that the next one is not held back
    assert await arranging.resume(MIKA, REVIEW, clock()) == resumed


async def test_a_review_is_put_off_to_tomorrow_once(services: Services, clock: MovableClock) -> None:
    arranging = services.choosing.arranging
    await arranging.arrange(MIKA, REVIEW, clock(), weekdays=(0,))
    clock.at = datetime(2026, 11, 30, 19, 0, tzinfo=UTC)  # a Monday
    await sent(services, clock())
    clock.move(minutes=5)
    tomorrow = await arranging.put_off(MIKA, REVIEW, clock())
    assert tomorrow is not None
    assert tomorrow.due == datetime(2026, 12, 1, 19, 0, tzinfo=UTC)
    clock.move(hours=6)
    assert await arranging.put_off(MIKA, REVIEW, clock()) == tomorrow
    assert await services.posting.begin(clock()) == 0  # a restart keeps it
    clock.at = tomorrow.due
    (run,) = await due(services, clock())
    assert run.slot == tomorrow
    after = (await arranging.arranged(MIKA)).review
    assert after is not None
    assert after.upcoming is not None
    assert after.upcoming.day == date(2026, 12, 7)  # and then on its own day again


async def test_a_review_that_comes_tomorrow_anyway_is_not_moved(services: Services, clock: MovableClock) -> None:
    arranging = services.choosing.arranging
    daily = await arranging.arrange(MIKA, REVIEW, clock(), weekdays=EVERY_DAY, minute=480)
    assert await arranging.put_off(MIKA, REVIEW, clock()) == daily.upcoming


async def test_only_the_learner_of_a_post_answers_it(services: Services, clock: MovableClock) -> None:
    arranging, schedules = services.choosing.arranging, services.reporting.schedules
    await arranging.arrange(MIKA, REMINDER, clock(), minute=600)
    run = await sent(services, clock() + timedelta(hours=2))
    await arranging.pressed(run, TOM, clock())
    await arranging.pressed(RunId(999), MIKA, clock())
    assert not await schedules.is_answered(run)
    await arranging.pressed(run, MIKA, clock())
    assert await schedules.is_answered(run)


async def test_what_was_put_off_stays_put_off_in_another_zone(services: Services, clock: MovableClock) -> None:
    arranging = services.choosing.arranging
    await arranging.arrange(MIKA, REVIEW, clock(), weekdays=(0,))
    clock.at = datetime(2026, 11, 30, 19, 5, tzinfo=UTC)  # a Monday
    await due(services, clock())
    tomorrow = await arranging.put_off(MIKA, REVIEW, clock())
    assert tomorrow is not None
    await services.choosing.set_zone(MIKA, "Berlin", clock())
    moved = (await arranging.arranged(MIKA)).review
    assert moved is not None
    assert moved.upcoming is not None
    assert (moved.upcoming.day, moved.upcoming.due) == (tomorrow.day, datetime(2026, 12, 1, 18, 0, tzinfo=UTC))
    clock.at = datetime(2026, 12, 1, 13, 0, tzinfo=UTC)
    await services.choosing.set_zone(MIKA, "Tokyo", clock())  # where that evening is over already
    moved = (await arranging.arranged(MIKA)).review
    assert moved is not None
    assert moved.upcoming is not None
    assert moved.upcoming.day == date(2026, 12, 7)
