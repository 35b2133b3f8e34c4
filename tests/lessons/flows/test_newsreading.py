"""News drills: whose articles, which sentences, and never the same sentence twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from lessons.errors import DrillUnfinished, NewsAllRead, NoNews, UnknownArticle
from lessons.flows.newsreading import NewsRequest
from lessons.flows.reviewing import ThemeDrill
from lessons.model import DrillState, PackId, Track, Verdict
from tests.conftest import MovableClock
from tests.messages.behaviours import fails
from tests.newsroom import HERE, MIKA, THERE, TOM, Newsroom, newsroom, wrong_for


@pytest.fixture
async def room(data: Path, clock: MovableClock) -> AsyncIterator[Newsroom]:
    async with newsroom(data, clock) as opened:
        yield opened


async def start(room: Newsroom, **asked):
    wanted = NewsRequest(**({"user": MIKA, "guild": HERE} | asked))
    return await room.services.newsreading.start(wanted, room.clock())


async def whole(room: Newsroom, step):
    return await room.services.delivering.drills.exercises(step.drill.id, step.drill.user_id)


async def test_without_news_it_is_said_where(room: Newsroom) -> None:
    for guild in (HERE, None):
        with pytest.raises(NoNews) as nothing:
            await start(room, guild=guild)
        assert nothing.value.in_server is (guild is HERE)


async def test_a_drill_asks_each_sentence_once_in_reading_order(room: Newsroom) -> None:
    for number in range(3):
        await room.bring(number=number)
    exercises = await whole(room, await start(room, count=20))
    sentences = [exercise.item.clipping.sentence for exercise in exercises]
    assert len(sentences) == len(set(sentences)) == 20
    by_article = [exercise.item.pack_id for exercise in exercises]
    assert len([one for one, other in pairwise(by_article) if one != other]) == 2
    assert {exercise.item.clipping.unit for exercise in exercises} >= {"particle", "form"}


async def test_the_track_is_kept_apart_from_lessons(room: Newsroom) -> None:
    await room.bring()
    step = await start(room)
    assert step.drill.track is Track.EXERCISE
    assert await room.services.delivering.drills.open_drill(MIKA, Track.LESSON) is None
    visible = await room.services.delivering.visible_packs(MIKA, HERE, room.clock())
    assert step.exercise.item.pack_id not in {pack.id for pack in visible}


async def test_what_was_read_is_not_asked_again_but_what_was_missed_comes_back(room: Newsroom) -> None:
    await room.bring()
    room.server.script.always = fails(500)
    seen: Counter = Counter()
    missed = None
    while True:
        try:
            step = await start(room, anew=True, count=4)
        except NewsAllRead as over:
            next_due = over.next_due
            break
        for exercise in await whole(room, step):
            await room.fits_one(exercise, closed=True)
            seen[exercise.item.clipping.sentence] += 1
            text = exercise.item.answer if missed else wrong_for(exercise)
            missed = missed or exercise
            await room.answer(exercise, text)
    assert max(seen.values()) == 1
    assert next_due is not None
    room.clock.move(days=1)
    step = await start(room, anew=True, count=4)
    assert missed is not None
    assert missed.item.id in {exercise.item.id for exercise in await whole(room, step)}


async def test_an_article_can_be_named_by_title_or_number(room: Newsroom) -> None:
    first, second = await room.bring(number=0), await room.bring(number=1)
    for name in (first.title, first.title[:4], str(first.id), first.id):
        step = await start(room, article=name, anew=True)
        assert {exercise.item.pack_id for exercise in await whole(room, step)} == {first.id}
        assert step.drill.title == first.title
    for name in ("nothing like it", PackId(99_999)):
        with pytest.raises(UnknownArticle):
            await start(room, article=name, anew=True)
    assert second.id != first.id


async def test_an_unfinished_drill_is_offered_first(room: Newsroom) -> None:
    article = await room.bring()
    begun = await start(room)
    with pytest.raises(DrillUnfinished) as unfinished:
        await start(room, article=article.title)
    assert (unfinished.value.drill.id, unfinished.value.pack) == (begun.drill.id, article.id)
    anew = await start(room, anew=True)
    stopped = await room.services.delivering.owned(begun.drill.id, MIKA)
    assert (stopped.state, anew.drill.state) == (DrillState.STOPPED, DrillState.OPEN)


async def test_nobody_of_another_server_sees_an_article(room: Newsroom) -> None:
    article = await room.bring(HERE)
    with pytest.raises(NoNews):
        await start(room, guild=THERE, user=TOM)
    await room.bring(THERE, number=1)
    with pytest.raises(UnknownArticle):
        await start(room, guild=THERE, user=TOM, article=article.id)
    assert await room.services.newsreading.visible(TOM, None, room.clock()) != []  # Tom was in THERE
    assert article.id not in {each.id for each in await room.services.newsreading.visible(TOM, None, room.clock())}


async def test_without_a_judge_only_sure_gaps_are_asked(data: Path, clock: MovableClock) -> None:
    async with newsroom(data, clock, llm_enabled=False) as room:
        for number in range(3):
            await room.bring(number=number)
        exercises = await whole(room, await start(room, count=50))
        assert exercises
        assert all(exercise.item.clipping.closed for exercise in exercises)
        outcome = await room.answer(exercises[0], wrong_for(exercises[0]))
        assert outcome.grade.verdict is Verdict.WRONG
        assert room.server.requests == []


async def test_a_theme_of_news_goes_on_with_new_sentences(room: Newsroom) -> None:
    for number in range(3):
        await room.bring(number=number)
    exercises = [each for each in await whole(room, await start(room, count=50)) if each.item.row.skill == "particle"]
    for exercise in exercises[:4]:
        await room.answer(exercise, wrong_for(exercise))
    review = await room.services.reviewing.review(MIKA, room.clock(), 5)
    theme = review.themes[0]
    assert theme.characteristic.card.track is Track.EXERCISE
    asked = ThemeDrill(MIKA, HERE, review.made, theme.characteristic.id, anew=True)
    step = await room.services.reviewing.drill(asked, room.clock())
    assert step is not None
    items = {exercise.item.id for exercise in await whole(room, step)}
    assert {member.item_id for member in theme.members} <= items
    with pytest.raises(DrillUnfinished):
        await room.services.reviewing.drill(replace(asked, anew=False), room.clock())


async def test_tracks_are_joined_for_those_who_want_it(room: Newsroom) -> None:
    recalling = room.services.answering.recalling
    await room.bring()
    exercise = await room.ask()
    outcome = await room.answer(exercise, wrong_for(exercise))
    mistake = await recalling.mistakes.mistake(outcome.mistake, MIKA)
    assert await recalling._tracks(MIKA, mistake) == {Track.EXERCISE}
    await room.services.choosing.change(MIKA, room.clock(), joined_tracks=True)
    assert await recalling._tracks(MIKA, mistake) == set(Track)
