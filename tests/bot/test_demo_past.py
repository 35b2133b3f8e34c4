"""The demo's learner has a past, written through the flows that real answers take."""

from __future__ import annotations

from bot.app import Services
from bot.demo.past import DAYS_AGO, PACKS, give_past, give_review
from lessons.flows.reporting import ReviewPost
from lessons.model import ErrorType, MistakeFilter, Track, UserId
from lessons.themes import theme_name
from tests.conftest import MovableClock
from tests.lessons.flows.posts import posted

MIKA = UserId(1)


async def test_five_weeks_with_three_habits(services: Services, clock: MovableClock) -> None:
    await give_past(services, MIKA, clock())
    mistakes, drills = services.recollecting.mistakes, services.delivering.drills
    assert 38 <= await mistakes.count(MIKA, MistakeFilter()) <= 44
    assert await drills.open_drill(MIKA, Track.LESSON) is None
    shown = await services.reviewing.review(MIKA, clock(), 5)
    named = "\n".join(map(theme_name, shown.themes))
    for habit in ("が written as は", "で written as に"):
        assert habit in named
    assert ErrorType.CONJUGATION in {theme.error_type for theme in shown.themes}
    weeks = [week for _, week in (await services.reviewing.progress(MIKA, clock())).figures.weeks if week]
    assert weeks[0][Track.LESSON].percent < weeks[-1][Track.LESSON].percent
    assert all(each.at < clock() for each in await drills.daily(MIKA, clock().replace(year=2020)))


async def test_every_question_of_it_is_there_and_goes_as_told(services: Services, clock: MovableClock) -> None:
    await give_past(services, MIKA, clock())
    prompts = {memory.prompt for memories in PACKS.values() for memory in memories}
    answered = await services.delivering.drills.daily(MIKA, clock().replace(year=2020))
    assert sum(each.first_attempt for each in answered) == len(prompts)
    assert len({each.at.date() for each in answered}) == len(DAYS_AGO)
    told = {memory.prompt for memories in PACKS.values() for memory in memories if memory.wrong}
    kept = await services.recollecting.mistakes.since(MIKA, clock().replace(year=2020))
    assert {mistake.card.prompt for mistake in kept} == told


async def test_somebody_with_a_past_keeps_it(services: Services, clock: MovableClock) -> None:
    await give_past(services, MIKA, clock())
    before = await services.recollecting.mistakes.count(MIKA, MistakeFilter())
    clock.move(days=3)
    await give_past(services, MIKA, clock())
    assert await services.recollecting.mistakes.count(MIKA, MistakeFilter()) == before


async def test_a_review_came_a_week_ago_and_the_next_one_tells_what_became_of_it(
    services: Services, clock: MovableClock
) -> None:
    clock.move(seconds=25)
    await give_past(services, MIKA, clock())
    await give_review(services, MIKA, clock())
    await give_review(services, MIKA, clock())
    (post,) = await posted(services, clock())
    assert isinstance(post, ReviewPost)
    assert post.review.days == 7
    assert post.review.themes
    assert sum(each.right for each in post.returned) > 0
    (firsts,) = post.firsts
    assert firsts.now.percent > firsts.then.percent
