"""A reminder comes where it helps, and never piles up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.app import Services
from lessons.flows.reminding import ReminderPost
from lessons.model import Pause, ScheduleKind, Skip, UserId
from lessons.streaks import Streak
from tests.conftest import MovableClock
from tests.lessons.flows.posts import posted
from tests.lessons.flows.test_reviewing import answer, items

MIKA = UserId(1)
REMINDER = ScheduleKind.REMINDER


async def reminded(services: Services, clock: MovableClock, day: int, hour: int = 19) -> ReminderPost | Skip | Pause:
    """What comes of the reminder of that day of December."""
    clock.at = datetime(2026, 12, day, hour, tzinfo=UTC)
    (found,) = await posted(services, clock())
    assert isinstance(found, ReminderPost | Skip | Pause)
    return found


async def test_somebody_without_anything_due_is_left_alone(services: Services, clock: MovableClock) -> None:
    await services.choosing.arranging.arrange(MIKA, REMINDER, clock())
    assert await reminded(services, clock, 1) is Skip.NOTHING


async def test_reviews_that_wait_and_a_streak_are_told(services: Services, clock: MovableClock) -> None:
    for day in (29, 30):
        at = datetime(2026, 11, day, 12, tzinfo=UTC)
        await answer(services, (await items(services, "が"))[3 * (day - 29) :][:3], "は", at)
    await services.choosing.arranging.arrange(MIKA, REMINDER, clock())
    found = await reminded(services, clock, 1)
    assert isinstance(found, ReminderPost)
    assert (found.waiting, found.streak) == (6, Streak(2, 2))
    await services.choosing.arranging.pressed(found.run, MIKA, clock())
    await services.choosing.change(MIKA, clock(), streaks=False, reviews_per_day=4)
    found = await reminded(services, clock, 2)
    assert isinstance(found, ReminderPost)
    assert (found.waiting, found.streak) == (4, None)  # as many as a drill would ask for


async def test_a_day_with_practice_needs_no_reminder(services: Services, clock: MovableClock) -> None:
    await services.choosing.set_zone(MIKA, "Tokyo", clock())
    await services.choosing.arranging.arrange(MIKA, REMINDER, clock(), minute=23 * 60)
    await answer(services, (await items(services, "が"))[:3], "は", datetime(2026, 11, 30, 15, 30, tzinfo=UTC))
    assert await reminded(services, clock, 1, 14) is Skip.DONE  # in Tokyo that answer was on the first
    assert isinstance(await reminded(services, clock, 2, 14), ReminderPost)


async def test_a_streak_alone_is_reason_enough(services: Services, clock: MovableClock) -> None:
    at = datetime(2026, 11, 30, 18, tzinfo=UTC)
    await answer(services, (await items(services, "が"))[:1], "が", at)
    await services.choosing.change(MIKA, clock(), reviews_per_day=0)
    await services.choosing.arranging.arrange(MIKA, REMINDER, clock())
    clock.at = at + timedelta(hours=1)
    assert await posted(services, clock()) == [Skip.DONE]
    found = await reminded(services, clock, 1)
    assert isinstance(found, ReminderPost)
    assert (found.waiting, found.streak) == (0, Streak(1, 1))


async def test_an_unanswered_reminder_is_the_last_one(services: Services, clock: MovableClock) -> None:
    await answer(services, (await items(services, "が"))[:3], "は", clock())
    arranging = services.choosing.arranging
    await arranging.arrange(MIKA, REMINDER, clock())
    clock.at = datetime(2026, 11, 30, 19, tzinfo=UTC)
    assert await posted(services, clock()) == [Skip.DONE]
    assert isinstance(await reminded(services, clock, 1), ReminderPost)
    assert await reminded(services, clock, 2) is Pause.UNANSWERED
    reminder = (await arranging.arranged(MIKA)).reminder
    assert reminder is not None
    assert reminder.why is Pause.UNANSWERED
    clock.move(days=1)
    assert await posted(services, clock()) == []
    await arranging.resume(MIKA, REMINDER, clock())
    assert isinstance(await reminded(services, clock, 4), ReminderPost)
    await answer(services, (await items(services, "に"))[:3], "に", clock())  # practice is an answer, too
    assert isinstance(await reminded(services, clock, 5), ReminderPost)
