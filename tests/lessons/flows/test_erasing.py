"""Forgetting somebody while things are still under way for them: it all comes to nothing, and to nobody else's harm."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from lessons.errors import Forgotten, PressLeadsNowhere
from lessons.model import DocumentKind, Holdings, Payer, ProfileField, Track, Verdict
from tests.classroom import GOAL, Classroom
from tests.conftest import MovableClock
from tests.messages.behaviours import fails, says, stalls
from tests.messages.streams import in_pieces, stalls_after
from tests.newsroom import HERE, MIKA, TOM, Newsroom, judges, newsroom, verdict, wrong_for

SAID: dict[str, object] = {name.value: "" for name in ProfileField} | {"target": "Pass N2.", "projects": []}
REPLY = "は marks the topic. が marks what is new."


@pytest.fixture
async def room(data: Path, clock: MovableClock) -> AsyncIterator[Newsroom]:
    async with newsroom(data, clock) as opened:
        await opened.bring()
        yield opened


async def asked(room: Newsroom) -> None:
    """Wait until the judge or the tutor was asked something more."""
    before = len(room.server.requests)
    await until(lambda: len(room.server.requests) > before)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what is waited for knows of no event
            await asyncio.sleep(0.005)


async def erase(room: Newsroom) -> Holdings:
    room.clock.move(seconds=1)
    return (await room.services.erasing.erase(MIKA)).held


async def nothing_is_left(room: Newsroom) -> bool:
    return (await room.services.erasing.holdings(MIKA)).are_none


async def test_an_answer_that_is_being_judged_comes_to_nothing(room: Newsroom) -> None:
    exercise = await room.ask()
    await room.fits_one(exercise, closed=False)
    room.server.script.always = stalls(judges(verdict()))
    answering = asyncio.create_task(room.answer(exercise, wrong_for(exercise)))
    await asked(room)
    assert (await erase(room)).answers == 1
    room.server.release.set()
    with pytest.raises(PressLeadsNowhere):
        await answering
    assert await nothing_is_left(room)
    assert await room.services.regrading.regrade(room.clock()) == 0


async def test_who_waits_for_the_same_judge_gets_its_word_all_the_same(room: Newsroom) -> None:
    exercise = await room.ask()
    await room.fits_one(exercise, closed=False)
    drills = room.services.delivering.drills
    theirs = await drills.begin(TOM, HERE, Track.EXERCISE, "", [exercise.item.id], room.clock())
    (same,) = await drills.exercises(theirs.id, TOM)
    room.server.script.always = stalls(judges(verdict()))
    first = asyncio.create_task(room.answer(exercise, wrong_for(exercise)))
    await asked(room)
    second = asyncio.create_task(room.answer(same, wrong_for(exercise), TOM))
    await asyncio.sleep(0.1)
    await erase(room)
    room.server.release.set()
    with pytest.raises(PressLeadsNowhere):
        await first
    outcome = await second
    assert outcome.grade.verdict is Verdict.WRONG
    assert outcome.grade.judgement is not None
    assert await nothing_is_left(room)


async def test_who_joined_before_the_judge_was_asked_asks_for_themselves(room: Newsroom) -> None:
    exercise = await room.ask()
    await room.fits_one(exercise, closed=False)
    drills = room.services.delivering.drills
    theirs = await drills.begin(TOM, HERE, Track.EXERCISE, "", [exercise.item.id], room.clock())
    (same,) = await drills.exercises(theirs.id, TOM)
    judging = room.services.answering.judging
    turns = judging.consulting.turns
    async with turns.turn(Payer(MIKA, None), background=False):  # so that Mika's question waits for its turn
        first = asyncio.create_task(room.answer(exercise, wrong_for(exercise)))
        await until(lambda: bool(judging.asking))
        second = asyncio.create_task(room.answer(same, wrong_for(exercise), TOM))
        await asyncio.sleep(0.1)
        await erase(room)
    with pytest.raises((PressLeadsNowhere, Forgotten)):
        await first
    assert (await second).grade.verdict is Verdict.WRONG
    assert await nothing_is_left(room)


@pytest.mark.parametrize("is_asked", [True, False])
async def test_an_answer_that_is_asked_about_again_comes_to_nothing(room: Newsroom, is_asked: bool) -> None:
    exercise = await room.ask()
    await room.fits_one(exercise, closed=False)
    room.server.script.always = fails(529)
    assert (await room.answer(exercise, wrong_for(exercise))).grade.verdict is Verdict.PENDING
    room.clock.move(days=1)
    room.server.script.always = stalls(judges(verdict()))
    turns = room.services.answering.judging.consulting.turns
    async with AsyncExitStack() as busy:
        if not is_asked:
            await busy.enter_async_context(turns.turn(Payer(None, None), background=True))
        regrading = asyncio.create_task(room.services.regrading.regrade(room.clock()))
        await (asked(room) if is_asked else until(lambda: bool(room.services.answering.judging.asking)))
        await erase(room)
    room.server.release.set()
    await regrading
    assert await nothing_is_left(room)


async def test_a_reply_of_the_tutor_that_is_growing_is_not_kept(room: Newsroom) -> None:
    school = Classroom(room)
    room.server.script.always = stalls_after(2, REPLY)
    asking = asyncio.create_task(school.ask("When do I use は?"))
    await asked(room)
    assert (await erase(room)).turns == 1
    room.server.release.set()
    with pytest.raises(Forgotten):
        await asking
    assert await nothing_is_left(room)


async def test_a_study_that_is_being_answered_is_over(room: Newsroom) -> None:
    school = Classroom(room)
    room.server.script.always = in_pieces(REPLY)
    study = await school.begin()
    room.server.script.always = stalls_after(2, REPLY)

    async def speak() -> None:
        async for _ in room.services.studying.say(study, "はい", "en", 77, room.clock()):
            pass

    speaking = asyncio.create_task(speak())
    await asked(room)
    assert (await erase(room)).studies == 1
    room.server.release.set()
    await asyncio.gather(speaking, return_exceptions=True)
    assert await nothing_is_left(room)


async def test_an_analysis_under_way_is_not_proposed(room: Newsroom) -> None:
    school = Classroom(room)
    profiling = room.services.profiling
    await school.tell(DocumentKind.GOAL, GOAL)
    room.server.script.always = stalls(says(SAID))
    proposing = asyncio.create_task(profiling.propose(MIKA, "en", Payer(MIKA, HERE), room.clock()))
    await asked(room)
    await erase(room)
    room.server.release.set()
    with pytest.raises(Forgotten):
        await proposing
    assert not profiling.held
    assert await nothing_is_left(room)


async def test_who_is_forgotten_is_let_go_of_by_all_who_remember(room: Newsroom) -> None:
    profiling = room.services.profiling
    await room.ask()
    profiling.held[MIKA] = profiling.held[TOM] = await profiling.propose(TOM, "en", Payer(TOM, HERE), room.clock())
    await erase(room)
    assert list(profiling.held) == [TOM]
    assert (await erase(room)).are_none  # and a second time it is harmless
