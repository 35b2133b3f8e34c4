"""What is picked for a drill, over real stores."""

from datetime import timedelta

import pytest

from bot.app import Services
from lessons.errors import Gone, NoPacks, NothingDue, NothingMatches, PressLeadsNowhere, UnknownPack
from lessons.flows.delivering import Delivering, DrillRequest
from lessons.model import DrillId, ExerciseId, GuildId, InteractionId, PackHead, Preferences, Submission, UserId
from lessons.streaks import Streak
from tests.conftest import MovableClock

MIKA, TOM = UserId(1), UserId(2)
HERE, THERE = GuildId(10), GuildId(20)


class Answers:
    """Answers exercises of one learner, right or wrong, under ever new interaction ids."""

    def __init__(self, services: Services, clock: MovableClock) -> None:
        self.services, self.clock, self.last = services, clock, 1000

    async def finish(self, user: UserId, drill: DrillId, *, right: bool = True) -> None:
        while (step := await self.services.delivering.step(drill, user)).exercise:
            typed = step.exercise.item.answer if right else "ぬぬ"
            self.last += 1
            await self.services.answering.answer(
                Submission(user, step.exercise.id, typed, self.clock(), InteractionId(self.last))
            )


@pytest.fixture
def answers(services: Services, clock: MovableClock) -> Answers:
    return Answers(services, clock)


async def items_of(services: Services, drill: DrillId, user: UserId) -> list[int]:
    return [exercise.item.id for exercise in await services.delivering.drills.exercises(drill, user)]


async def test_due_items_come_first_then_new_ones(services: Services, clock: MovableClock, answers: Answers) -> None:
    first = await services.delivering.start(DrillRequest(MIKA, None, count=3), clock())
    await answers.finish(MIKA, first.drill.id)
    clock.move(days=1)
    second = await services.delivering.start(DrillRequest(MIKA, None, count=5), clock())
    before, after = [await items_of(services, step.drill.id, MIKA) for step in (first, second)]
    assert after[:3] == before
    assert not set(after[3:]) & set(before)


async def test_the_days_limits_bind_and_extra_goes_past_them(
    services: Services, clock: MovableClock, answers: Answers
) -> None:
    await services.choosing.change(MIKA, clock(), new_per_day=2, reviews_per_day=1)
    step = await services.delivering.start(DrillRequest(MIKA, None), clock())
    assert step.drill.total == 2
    await answers.finish(MIKA, step.drill.id)
    with pytest.raises(NothingDue) as nothing:
        await services.delivering.start(DrillRequest(MIKA, None), clock())
    assert nothing.value.new_left
    assert nothing.value.next_due == clock() + timedelta(minutes=10)
    clock.move(hours=1)
    step = await services.delivering.start(DrillRequest(MIKA, None), clock())
    assert step.drill.total == 1
    await answers.finish(MIKA, step.drill.id)
    step = await services.delivering.start(DrillRequest(MIKA, None, extra=True), clock())
    assert step.drill.total == 10


async def test_ahead_of_time_when_everything_was_learned(
    services: Services, clock: MovableClock, answers: Answers
) -> None:
    names = [pack.name for pack in await services.delivering.visible_packs(MIKA, None, clock())]
    for name in names:
        for _ in range(4):
            step = await services.delivering.start(DrillRequest(MIKA, None, pack=name, count=50, anew=True), clock())
            await answers.finish(MIKA, step.drill.id)
    step = await services.delivering.start(DrillRequest(MIKA, None, count=4, anew=True, extra=True), clock())
    assert step.drill.total == 4


async def test_a_learner_goes_on_in_the_pack_of_last_time(
    services: Services, clock: MovableClock, answers: Answers
) -> None:
    step = await services.delivering.start(DrillRequest(MIKA, None, pack="politeness", count=1), clock())
    await answers.finish(MIKA, step.drill.id)
    step = await services.delivering.start(DrillRequest(MIKA, None, count=1), clock())
    assert step.exercise is not None
    pack = await services.delivering.packs.by_id(step.exercise.item.pack_id)
    assert pack is not None
    assert pack.name == "politeness"


async def test_lessons_alone_and_with_a_pack(services: Services, clock: MovableClock) -> None:
    step = await services.delivering.start(DrillRequest(MIKA, None, lessons="2", count=50), clock())
    exercises = await services.delivering.drills.exercises(step.drill.id, MIKA)
    assert {exercise.item.row.lesson for exercise in exercises} == {"2"}
    with pytest.raises(NothingMatches) as nothing:
        await services.delivering.start(DrillRequest(TOM, None, pack="particles", lessons="77"), clock())
    assert "1" in nothing.value.known
    with pytest.raises(UnknownPack):
        await services.delivering.start(DrillRequest(TOM, None, pack="no such pack"), clock())


class Doorkeeper:
    """Says who is a member where, and counts how often it was asked."""

    def __init__(self, *answers: bool | None) -> None:
        self.answers, self.asked = list(answers), 0

    async def is_member(self, _: GuildId, __: UserId) -> bool | None:
        self.asked += 1
        return self.answers.pop(0)


async def test_packs_follow_into_direct_messages_while_membership_holds(
    services: Services, clock: MovableClock
) -> None:
    wired = services.delivering
    await services.loading.packs.save(PackHead("secret", HERE), [], clock())
    door = Doorkeeper(None, True, False)
    delivering = Delivering(wired.packs, wired.drills, wired.learners, door)

    async def sees() -> bool:
        return "secret" in {pack.name for pack in await delivering.visible_packs(MIKA, None, clock())}

    assert not await sees()
    await wired.learners.note_visit(MIKA, HERE, clock())
    assert await sees()
    assert door.asked == 0
    clock.move(days=2)
    assert await sees()  # Discord is silent: doubt keeps it, and it is asked again
    assert await sees()
    assert door.asked == 2
    assert await sees()
    assert door.asked == 2
    clock.move(days=2)
    assert not await sees()
    assert not await sees()
    assert door.asked == 3


async def test_nothing_at_all_to_drill(services: Services, clock: MovableClock) -> None:
    wired = services.delivering
    for pack in await wired.packs.visible([]):
        await wired.packs.remove(pack.id, clock())
    for ask in (DrillRequest(MIKA, None), DrillRequest(MIKA, None, lessons="1")):
        with pytest.raises(NoPacks):
            await wired.start(ask, clock())
    await services.loading.packs.save(PackHead("empty", HERE), [], clock())
    with pytest.raises(NothingMatches):
        await wired.start(DrillRequest(MIKA, HERE, pack="empty"), clock())
    with pytest.raises(NothingDue) as nothing:
        await wired.start(DrillRequest(MIKA, HERE), clock())
    assert (nothing.value.next_due, nothing.value.new_left) == (None, False)


async def test_presses_that_lead_nowhere(services: Services, clock: MovableClock, answers: Answers) -> None:
    wired = services.delivering
    step = await wired.start(DrillRequest(MIKA, None, count=1), clock())
    assert step.exercise is not None
    drill, exercise = step.drill.id, step.exercise.id

    async def why(attempt: object) -> Gone:
        with pytest.raises(PressLeadsNowhere) as gone:
            await attempt  # type: ignore[misc]
        return gone.value.why

    assert await why(wired.step(drill, TOM)) is Gone.FOREIGN
    assert await why(wired.step(DrillId(999), TOM)) is Gone.UNKNOWN
    assert await why(wired.open_exercise(exercise, TOM)) is Gone.FOREIGN
    assert await why(wired.open_exercise(ExerciseId(999), TOM)) is Gone.UNKNOWN
    assert await why(services.appealing.file(exercise, TOM, "en", clock())) is Gone.FOREIGN
    assert await why(services.appealing.file(exercise, MIKA, "en", clock())) is Gone.UNKNOWN
    await answers.finish(MIKA, drill)
    assert await why(wired.open_exercise(exercise, MIKA)) is Gone.ANSWERED
    assert await why(services.appealing.file(exercise, MIKA, "en", clock())) is Gone.DECIDED
    assert await why(wired.again(drill, MIKA, clock())) is Gone.FINISHED
    stopped = await wired.start(DrillRequest(MIKA, None, pack="particles", count=1), clock())
    await wired.stop(stopped.drill.id, MIKA, clock())
    assert await why(wired.step(stopped.drill.id, MIKA)) is Gone.STOPPED
    assert stopped.exercise is not None
    assert await why(wired.open_exercise(stopped.exercise.id, MIKA)) is Gone.STOPPED


def test_preferences_have_the_products_defaults() -> None:
    assert (Preferences().new_per_day, Preferences().reviews_per_day, Preferences().drill_length) == (10, 100, 10)


async def test_a_drill_ends_with_the_streak_of_its_day(
    services: Services, clock: MovableClock, answers: Answers
) -> None:
    streaks = []
    for _ in range(2):
        step = await services.delivering.start(DrillRequest(MIKA, None, pack="particles", count=2), clock())
        assert (await services.delivering.summary(step.drill.id, MIKA)).streak is None  # it is not over
        await answers.finish(MIKA, step.drill.id)
        clock.move(days=1)
        streaks.append((await services.delivering.summary(step.drill.id, MIKA)).streak)
    assert streaks == [Streak(1, 1, today=True), Streak(2, 2, today=True)]
    await services.choosing.change(MIKA, clock(), streaks=False)
    assert (await services.delivering.summary(step.drill.id, MIKA)).streak is None


async def test_what_waits_is_what_a_drill_would_ask_for(
    services: Services, clock: MovableClock, answers: Answers
) -> None:
    step = await services.delivering.start(DrillRequest(MIKA, None, pack="particles", count=5), clock())
    await answers.finish(MIKA, step.drill.id, right=False)
    waiting = services.delivering.waiting
    assert await waiting(MIKA, clock()) == 0
    clock.move(days=1)
    assert (await waiting(MIKA, clock()), await waiting(TOM, clock())) == (5, 0)
    await services.choosing.change(MIKA, clock(), reviews_per_day=3)
    assert await waiting(MIKA, clock()) == 3
    again = await services.delivering.start(DrillRequest(MIKA, None), clock())
    await answers.finish(MIKA, again.drill.id)
    assert await waiting(MIKA, clock()) == 0
