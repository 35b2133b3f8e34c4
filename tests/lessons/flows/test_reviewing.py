"""Themes, drills over them and progress, over real stores, real embedders and their shipped calibrations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

import pytest

from bot.app import Services
from bot.clients.embedders import LocalEmbedder, Usem3Embedder
from lessons.errors import DrillUnfinished
from lessons.flows.reviewing import Reviewing, ThemeDrill
from lessons.model import (
    Attempt,
    DrillState,
    ErrorType,
    Grade,
    GuildId,
    InteractionId,
    ItemId,
    MistakeId,
    PackHead,
    Prepared,
    Row,
    Submission,
    Track,
    UserId,
    Verdict,
)
from lessons.recall import shipped
from lessons.summary import Tally
from lessons.themes import theme_name
from tests.conftest import BEGINNING, MovableClock

MIKA, TOM = UserId(1), UserId(2)
HERE, THERE = GuildId(10), GuildId(20)
PNG = b"\x89PNG\r\n"
PARTICLE, CONJUGATION = ErrorType.PARTICLE, ErrorType.CONJUGATION
deliveries = count(1)


async def items(services: Services, answer: str, pack: str = "particles") -> list[ItemId]:
    """Items of a starter pack with that answer."""
    found = await services.delivering.packs.find(pack, ())
    assert found is not None
    return [item.id for item in await services.delivering.packs.items(found.id) if item.answer == answer]


async def answer(
    services: Services, chosen: Sequence[ItemId], typed: str, at: datetime, user: UserId = MIKA
) -> list[MistakeId | None]:
    """Drill these items, typing the same for each; the cards that came of it."""
    drills = services.delivering.drills
    drill = await drills.begin(user, None, Track.LESSON, "", chosen, at)
    cards = []
    for exercise in await drills.exercises(drill.id, user):
        submission = Submission(user, exercise.id, typed, at, InteractionId(next(deliveries)))
        cards.append((await services.answering.answer(submission)).mistake)
    return cards


async def habits(services: Services, at: datetime) -> list[MistakeId | None]:
    """は typed for が, を for に, and one of another kind: from here on themes are told by likeness."""
    subjects, places = await items(services, "が"), await items(services, "に")
    cards = await answer(services, subjects[:8], "は", at)
    cards += await answer(services, places[:8], "を", at)
    return cards + await answer(services, (await items(services, "洗って", "verb_forms"))[:1], "洗いて", at)


async def test_nothing_and_next_to_nothing_are_no_pattern(services: Services, clock: MovableClock) -> None:
    empty = await services.reviewing.review(MIKA, clock(), 5)
    assert (empty.exercises, empty.themes, empty.one_offs, empty.chart) == (0, (), (), None)
    await answer(services, (await items(services, "が"))[:2], "は", clock())
    few = await services.reviewing.review(MIKA, clock(), 5)
    assert (few.exercises, few.themes, few.chart, len(few.one_offs)) == (2, (), None, 2)


async def test_a_review_holds_one_mistake_an_exercise_of_the_last_days_and_of_nobody_else(
    services: Services, clock: MovableClock
) -> None:
    subjects = await items(services, "が")
    await answer(services, subjects[:4], "は", clock())
    await answer(services, subjects[4:5], "は", clock() + timedelta(days=3))
    for _ in range(3):
        clock.move(days=9)
        await answer(services, subjects[:4], "は", clock())
    await answer(services, subjects, "を", clock(), TOM)
    clock.move(days=7)
    shown = await services.reviewing.review(MIKA, clock(), 5)
    (theme,) = shown.themes
    assert (shown.exercises, len(theme.members)) == (4, 4)
    assert theme_name(theme) == "particles: が written as は"
    assert {member.user_id for member in theme.members} == {MIKA}
    assert all(member.at > clock() - timedelta(days=8) for member in theme.members)
    assert shown.chart is not None
    assert shown.chart.startswith(PNG)
    assert (shown.one_offs, shown.made) == ((), clock())


async def test_two_habits_of_one_kind_are_two_themes(services: Services, clock: MovableClock) -> None:
    await habits(services, clock())
    by_spelling = await services.reviewing.review(MIKA, clock(), 5)
    async with at_work(services, Usem3Embedder()) as reviewing:
        by_meaning = await reviewing.review(MIKA, clock(), 5)
    for shown in (by_spelling, by_meaning):
        assert sorted(theme_name(theme) for theme in shown.themes) == [
            "particles: が written as は",
            "particles: に written as を",
        ]
        assert [each.card.typed for each in shown.one_offs] == ["洗いて"]
    assert by_spelling.last_resort.startswith("hashed")
    assert by_meaning.last_resort == ""


@asynccontextmanager
async def at_work(services: Services, embedder: LocalEmbedder) -> AsyncIterator[Reviewing]:
    """Another embedder and its shipped calibration, with a vector for everything there is."""
    await embedder.start()
    try:
        recalling = replace(services.reviewing.recalling, embedder=embedder, calibration=shipped(embedder.name))
        while await recalling.fill_in():
            pass
        yield replace(services.reviewing, recalling=recalling)
    finally:
        embedder.close()


async def test_mistakes_without_a_vector_still_find_their_confusion(services: Services, clock: MovableClock) -> None:
    await habits(services, clock())
    subjects = (await items(services, "が"))[8:11]
    silent = replace(
        services, answering=replace(services.answering, recalling=replace(services.reviewing.recalling, budget=0.0))
    )
    await answer(silent, subjects, "は", clock())
    shown = await services.reviewing.review(MIKA, clock(), 5)
    assert max(len(theme.members) for theme in shown.themes if theme.pairs[0][:2] == ("が", "は")) >= 8
    assert sum(len(theme.members) for theme in shown.themes) + len(shown.one_offs) == 20


async def test_without_calibration_or_vectors_a_theme_is_an_error_type(services: Services, clock: MovableClock) -> None:
    await habits(services, clock())
    recalling = services.reviewing.recalling
    for without in (replace(recalling, calibration=None), replace(recalling, embedder=Usem3Embedder())):
        (theme,) = (await replace(services.reviewing, recalling=without).review(MIKA, clock(), 5)).themes
        assert (theme.error_type, len(theme.members)) == (PARTICLE, 16)


async def test_tracks_are_reviewed_apart(services: Services, clock: MovableClock) -> None:
    """A generated exercise's miss is never in one theme with a lesson's."""
    subjects = await items(services, "が")
    await answer(services, subjects[:2], "は", clock())
    (miss, _) = await services.recollecting.mistakes.since(MIKA, clock())
    drills, grade = services.delivering.drills, Grade(Verdict.WRONG, "が")
    drill = await drills.begin(MIKA, None, Track.EXERCISE, "", subjects[2:5], clock())
    for exercise in await drills.exercises(drill.id, MIKA):
        delivery = InteractionId(next(deliveries))
        attempt = Attempt(MIKA, exercise.id, delivery, "は", grade, hinted=False, at=clock())
        await drills.record(attempt, None, replace(miss.card, track=Track.EXERCISE))
    shown = await services.reviewing.review(MIKA, clock(), 5)
    found = [(len(theme.members), {member.card.track for member in theme.members}) for theme in shown.themes]
    assert found == [(3, {Track.EXERCISE}), (2, {Track.LESSON})]
    step = await services.reviewing.drill(ask(shown.themes[0].characteristic.id, clock()), clock())
    assert step is not None
    assert step.drill.track is Track.EXERCISE


def ask(mistake: MistakeId, made: datetime, *, anew: bool = False, guild: GuildId | None = None) -> ThemeDrill:
    return ThemeDrill(MIKA, guild, made, mistake, anew)


async def reviewed(services: Services, at: datetime) -> tuple[Reviewing, MistakeId, list[ItemId]]:
    """は typed for が five times, a minute apart; the theme's mistake and its items, the newest first."""
    subjects = (await items(services, "が"))[:5]
    for minute, each in enumerate(subjects):
        await answer(services, [each], "は", at - timedelta(minutes=10 - minute))
    shown = await services.reviewing.review(MIKA, at, 5)
    return services.reviewing, shown.themes[0].characteristic.id, subjects[::-1]


async def test_a_theme_is_drilled_newest_miss_first_and_later_misses_do_not_matter(
    services: Services, clock: MovableClock
) -> None:
    reviewing, mistake, newest = await reviewed(services, clock())
    made = clock()
    clock.move(minutes=5)
    await answer(services, newest[-1:], "は", clock())
    await answer(services, (await items(services, "に"))[:3], "を", clock())
    step = await reviewing.drill(ask(mistake, made), clock())
    assert step is not None
    assert step.exercise is not None
    exercises = await services.delivering.drills.exercises(step.drill.id, MIKA)
    assert [exercise.item.id for exercise in exercises] == newest
    assert (step.drill.title, step.exercise.position) == ("Your theme: particles", 1)


async def test_a_theme_drill_is_as_long_as_the_learner_likes(services: Services, clock: MovableClock) -> None:
    reviewing, mistake, newest = await reviewed(services, clock())
    await services.choosing.change(MIKA, clock(), drill_length=2)
    step = await reviewing.drill(ask(mistake, clock()), clock())
    assert step is not None
    exercises = await services.delivering.drills.exercises(step.drill.id, MIKA)
    assert [exercise.item.id for exercise in exercises] == newest[:2]


async def test_an_open_drill_is_given_up_on_request_only(services: Services, clock: MovableClock) -> None:
    reviewing, mistake, _ = await reviewed(services, clock())
    drills = services.delivering.drills
    waiting = await drills.begin(MIKA, None, Track.LESSON, "", await items(services, "で"), clock())
    with pytest.raises(DrillUnfinished) as unfinished:
        await reviewing.drill(ask(mistake, clock()), clock())
    assert unfinished.value.drill.id == waiting.id
    assert await reviewing.drill(ask(mistake, clock(), anew=True), clock()) is not None
    stopped = await drills.drill(waiting.id, MIKA)
    assert stopped is not None
    assert stopped.state is DrillState.STOPPED


async def test_a_theme_that_changed_is_not_drilled(services: Services, clock: MovableClock) -> None:
    reviewing, mistake, _ = await reviewed(services, clock())
    assert await reviewing.drill(ask(MistakeId(999), clock()), clock()) is None
    foreign = ThemeDrill(TOM, None, clock(), mistake)
    assert await reviewing.drill(foreign, clock()) is None
    await services.recollecting.delete(mistake, MIKA)
    assert await reviewing.drill(ask(mistake, clock()), clock()) is None
    assert await services.delivering.drills.open_drill(MIKA, Track.LESSON) is None


async def test_only_what_can_be_drilled_here_is_drilled(services: Services, clock: MovableClock) -> None:
    packs = services.delivering.packs
    rows = [Row(f"{n}", n, "1", "cloze", f"{n}[＿＿＿]ある。", ("が",), skill=PARTICLE) for n in range(4)]  # type: ignore[arg-type]
    accepted = (await packs.items((await packs.visible(()))[0].id))[1].accepted
    change = await packs.save(PackHead("ours", HERE), [Prepared(row, accepted, "助詞") for row in rows], clock())
    await answer(services, [item.id for item in await packs.items(change.pack.id)], "は", clock())
    (theme,) = (await services.reviewing.review(MIKA, clock(), 5)).themes
    mistake = theme.characteristic.id
    assert await services.reviewing.drill(ask(mistake, clock(), guild=THERE), clock()) is None
    step = await services.reviewing.drill(ask(mistake, clock(), guild=HERE), clock())
    assert step is not None
    assert step.drill.total == 4
    await packs.remove(change.pack.id, clock())
    assert await services.reviewing.drill(ask(mistake, clock(), guild=HERE), clock()) is None


async def test_progress_counts_the_learners_own_days(services: Services, clock: MovableClock) -> None:
    assert (await services.reviewing.progress(MIKA, clock())).days is None
    subjects = await items(services, "が")
    await answer(services, subjects[:3], "が", BEGINNING.replace(hour=16) - timedelta(days=1))  # in Tokyo: the 30th
    await answer(services, subjects[3:5], "は", BEGINNING)
    shown = await services.reviewing.progress(MIKA, clock())
    assert [tally for _, tally in shown.figures.days[-2:]] == [Tally(3, 3), Tally(2, 0)]
    await services.choosing.set_zone(MIKA, "Asia/Tokyo", clock())
    shown = await services.reviewing.progress(MIKA, clock())
    assert [tally for _, tally in shown.figures.days[-2:]] == [Tally(0, 0), Tally(5, 3)]
    assert shown.figures.kinds == ((PARTICLE, 2, 0),)
    assert shown.figures.firsts == {Track.LESSON: Tally(5, 3)}
    for picture in (shown.days, shown.weeks, shown.kinds):
        assert picture is not None
        assert picture.startswith(PNG)


async def test_what_is_long_past_is_no_progress(services: Services, clock: MovableClock) -> None:
    await answer(services, (await items(services, "が"))[:3], "は", clock())
    clock.move(days=45)
    older = await services.reviewing.progress(MIKA, clock())
    assert older.days is None
    assert older.figures.before == Tally(3, 0)
    assert older.weeks is not None
    clock.move(days=45)
    gone = await services.reviewing.progress(MIKA, clock())
    assert (gone.days, gone.weeks, gone.kinds) == (None, None, None)
