"""The review that comes by itself: since the last one, with what became of it, and nothing where there is nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.app import Services
from lessons.flows.reporting import FirstTries, ReviewPost, Span
from lessons.flows.reviewing import DAYS
from lessons.model import Pause, Post, ScheduleKind, Skip, Track, UserId
from lessons.summary import Tally
from lessons.themes import theme_name
from tests.conftest import MovableClock
from tests.lessons.flows.posts import posted, review
from tests.lessons.flows.test_reviewing import answer, items

MIKA = UserId(1)
REVIEW = ScheduleKind.REVIEW
FIRST = datetime(2026, 12, 7, 19, tzinfo=UTC)
"""A Monday."""
WEEK = timedelta(days=7)


async def weekly(services: Services, clock: MovableClock) -> None:
    await services.choosing.arranging.arrange(MIKA, REVIEW, clock(), weekdays=(0,))
    clock.at = datetime(2026, 11, 30, 19, tzinfo=UTC)
    await posted(services, clock())
    clock.at = FIRST


async def test_a_plain_post_has_nothing_special() -> None:
    assert Post().note == ""


async def test_the_first_one_looks_back_over_thirty_days(services: Services, clock: MovableClock) -> None:
    await weekly(services, clock)
    assert await posted(services, clock()) == [Skip.NOTHING]
    await answer(services, (await items(services, "が"))[:2], "は", FIRST - timedelta(days=1))
    clock.move(days=7)
    assert await posted(services, clock()) == [Skip.NOTHING]  # two misses are no pattern
    await answer(services, (await items(services, "が"))[2:4], "は", clock() - timedelta(days=1))
    clock.move(days=7)
    post = await review(services, clock())
    assert (post.before, post.returned, post.firsts) == (None, (), ())
    assert (post.review.exercises, post.review.days) == (4, DAYS)
    assert post.review.chart is not None


async def test_the_next_one_begins_at_the_last_and_tells_what_became_of_it(
    services: Services, clock: MovableClock
) -> None:
    await weekly(services, clock)
    subjects = await items(services, "が")
    forms = [(await items(services, form, "verb_forms"))[0] for form in ("洗って", "書いて", "待って")]
    await answer(services, subjects[:4], "は", FIRST - timedelta(days=1))
    await answer(services, forms, "行きて", FIRST - timedelta(days=1))
    first = await review(services, clock())
    clock.move(days=2)
    await answer(services, subjects[:2], "は", clock())
    await answer(services, forms[:1], "行きて", clock())
    clock.move(days=1)
    await answer(services, subjects[1:3], "が", clock())
    clock.at = FIRST + WEEK
    second = await review(services, clock())
    assert second.before == Span(first.review.since, FIRST)
    assert (second.review.since, second.review.made, second.review.days) == (FIRST, FIRST + WEEK, 7)
    assert second.review.exercises == 3
    told = [(theme_name(each.theme), each.answered, each.right) for each in second.returned]
    assert told[0] == ("particles: が written as は", 3, 2)
    assert told[1][0].startswith("conjugation")
    assert told[1][1:] == (1, 0)
    assert second.firsts == ()


async def test_what_went_better_is_reason_enough_and_what_did_not_is_none(
    services: Services, clock: MovableClock
) -> None:
    await weekly(services, clock)
    subjects = await items(services, "が")
    await answer(services, subjects[:4], "は", FIRST - timedelta(days=1))
    post = await review(services, clock())
    await services.choosing.arranging.pressed(post.run, MIKA, clock())
    clock.at = FIRST + WEEK
    assert await posted(services, clock()) == [Skip.NOTHING]
    await answer(services, subjects[:1], "は", clock())
    clock.move(days=7)
    assert await posted(services, clock()) == [Skip.NOTHING]
    await answer(services, subjects[1:2], "が", clock())
    clock.move(days=7)
    post = await review(services, clock())
    assert post.review.exercises == 1
    assert [(each.answered, each.right) for each in post.returned] == [(2, 1)]
    assert (post.review.since, post.review.days) == (FIRST, 21)


async def test_first_tries_are_held_against_those_before_where_there_are_enough(
    services: Services, clock: MovableClock
) -> None:
    await weekly(services, clock)
    subjects, places = await items(services, "が"), await items(services, "に")
    await answer(services, subjects[:8], "は", FIRST - timedelta(days=1))
    await answer(services, places[:2], "に", FIRST - timedelta(days=1))
    await review(services, clock())
    clock.move(days=1)
    await answer(services, places[2:11], "に", clock())
    clock.at = FIRST + WEEK
    assert await posted(services, clock()) == [Skip.NOTHING]  # nine are not enough, and nothing was missed
    await answer(services, (await items(services, "を"))[:1], "に", clock())
    clock.move(days=7)
    post = await review(services, clock())
    assert post.firsts == (FirstTries(Track.LESSON, Tally(10, 2), Tally(10, 9)),)
    assert post.is_worth_it


async def test_a_review_that_was_put_off_comes_again_as_it_would_have_been(
    services: Services, clock: MovableClock
) -> None:
    await weekly(services, clock)
    subjects = await items(services, "が")
    await answer(services, subjects[:4], "は", FIRST - timedelta(days=1))
    first = await review(services, clock())
    await answer(services, subjects[4:8], "は", FIRST + timedelta(days=6))
    clock.at = FIRST + WEEK
    second = await review(services, clock())
    arranging = services.choosing.arranging
    await arranging.pressed(second.run, MIKA, clock())
    slot = await arranging.put_off(MIKA, REVIEW, clock())
    assert slot is not None
    clock.at = slot.due
    again = await review(services, clock())
    assert (again.review.exercises, again.review.since, again.before) == (4, FIRST, second.before)
    await arranging.pressed(again.run, MIKA, clock())
    await answer(services, subjects[8:11], "は", clock() + timedelta(hours=1))
    clock.at = FIRST + 2 * WEEK
    third = await review(services, clock())
    assert (third.review.since, third.before) == (slot.due, Span(FIRST, slot.due))
    assert first.before is None


async def test_the_first_one_put_off_is_the_first_one_again(services: Services, clock: MovableClock) -> None:
    await weekly(services, clock)
    await answer(services, (await items(services, "が"))[:4], "は", FIRST - timedelta(days=1))
    first = await review(services, clock())
    await services.choosing.arranging.pressed(first.run, MIKA, clock())
    await services.choosing.arranging.put_off(MIKA, REVIEW, clock())
    clock.move(days=1)
    again = await review(services, clock())
    assert (again.before, again.review.exercises, again.review.days) == (None, 4, DAYS)


async def test_an_unanswered_review_is_the_last_one(services: Services, clock: MovableClock) -> None:
    await weekly(services, clock)
    await answer(services, (await items(services, "が"))[:4], "は", FIRST - timedelta(days=1))
    await review(services, clock())
    clock.move(days=7)
    assert await posted(services, clock()) == [Pause.UNANSWERED]
    paused = (await services.choosing.arranging.arranged(MIKA)).review
    assert paused is not None
    slot, was_paused = await services.resuming.asked(paused.id, MIKA, clock())  # as by the notice of the pause
    assert was_paused
    await answer(services, (await items(services, "が"))[4:8], "は", clock() - timedelta(days=1))
    clock.at = slot.due
    assert (await review(services, clock())).review.exercises == 4


async def test_after_a_long_time_it_looks_back_thirty_days_at_most(services: Services, clock: MovableClock) -> None:
    await weekly(services, clock)
    subjects = await items(services, "が")
    await answer(services, subjects[:4], "は", FIRST - timedelta(days=1))
    await services.choosing.arranging.pressed((await review(services, clock())).run, MIKA, clock())
    for _ in range(8):
        clock.move(days=7)
        assert await posted(services, clock()) == [Skip.NOTHING]
    await answer(services, subjects[4:8], "は", clock())
    clock.move(days=7)
    post = await review(services, clock())
    assert isinstance(post, ReviewPost)
    assert post.review.days == DAYS
    assert post.before is not None
