"""From "I was right" to a decision, over real stores."""

import pytest

from bot.app import Services
from lessons.errors import Gone, PressLeadsNowhere
from lessons.flows.delivering import DrillRequest
from lessons.model import AppealId, GuildId, InteractionId, MistakeFilter, Submission, UserId, Verdict
from tests.conftest import MovableClock

MIKA, TOM, AOKI = UserId(1), UserId(2), UserId(5)
HERE, THERE = GuildId(10), GuildId(20)


async def miss_and_appeal(
    services: Services, clock: MovableClock, user: UserId, guild: GuildId | None, at: int
) -> None:
    step = await services.delivering.start(DrillRequest(user, guild, pack="particles", count=1), clock())
    assert step.exercise is not None
    await services.answering.answer(Submission(user, step.exercise.id, "ぬ", clock(), InteractionId(at)))
    await services.appealing.file(step.exercise.id, user, "en", clock())


async def grade_again(services: Services, clock: MovableClock, user: UserId, guild: GuildId, at: int) -> Verdict:
    step = await services.delivering.start(DrillRequest(user, guild, pack="particles", lessons="1", count=50), clock())
    exercises = await services.delivering.drills.exercises(step.drill.id, user)
    first = next(e for e in exercises if e.position == 1)
    outcome = await services.answering.answer(Submission(user, first.id, "ぬ", clock(), InteractionId(at)))
    return outcome.grade.verdict


async def test_equal_answers_are_decided_together_in_their_own_server(services: Services, clock: MovableClock) -> None:
    await miss_and_appeal(services, clock, MIKA, HERE, 1)
    await miss_and_appeal(services, clock, TOM, HERE, 2)
    (appeal,) = await services.appealing.waiting(HERE, 10)
    assert appeal.times == 2
    assert await services.appealing.waiting(THERE, 10) == []
    with pytest.raises(PressLeadsNowhere) as gone:
        await services.appealing.accept(appeal.id, THERE, AOKI, clock())
    assert gone.value.why is Gone.UNKNOWN
    await services.appealing.accept(appeal.id, HERE, AOKI, clock())
    for user in (MIKA, TOM):
        assert await services.recollecting.mistakes.count(user, MistakeFilter()) == 0
    with pytest.raises(PressLeadsNowhere) as gone:
        await services.appealing.decline(appeal.id, HERE, AOKI, clock())
    assert gone.value.why is Gone.DECIDED


async def test_an_accepted_answer_of_one_server_stays_there(services: Services, clock: MovableClock) -> None:
    await miss_and_appeal(services, clock, MIKA, HERE, 1)
    (appeal,) = await services.appealing.waiting(HERE, 10)
    await services.appealing.accept(appeal.id, HERE, AOKI, clock())
    assert await grade_again(services, clock, UserId(7), HERE, 11) is not Verdict.WRONG
    assert await grade_again(services, clock, UserId(8), THERE, 12) is Verdict.WRONG


async def test_appeals_from_direct_messages_wait_for_the_operator(services: Services, clock: MovableClock) -> None:
    await miss_and_appeal(services, clock, MIKA, None, 1)
    (appeal,) = await services.appealing.waiting(None, 10)
    await services.appealing.decline(appeal.id, None, AOKI, clock())
    assert await services.appealing.waiting(None, 10) == []
    with pytest.raises(PressLeadsNowhere):
        await services.appealing.accept(AppealId(99), None, AOKI, clock())


async def test_a_decision_is_taken_back_once_by_those_who_made_it(services: Services, clock: MovableClock) -> None:
    await miss_and_appeal(services, clock, MIKA, HERE, 1)
    (appeal,) = await services.appealing.waiting(HERE, 10)
    before = await services.recollecting.mistakes.page(MIKA, MistakeFilter(), 0, 10)
    decided = clock()
    await services.appealing.accept(appeal.id, HERE, AOKI, decided)
    with pytest.raises(PressLeadsNowhere) as gone:
        await services.appealing.undo(appeal.id, THERE, decided)
    assert gone.value.why is Gone.UNKNOWN
    assert (await services.appealing.undo(appeal.id, HERE, decided)).id == appeal.id
    assert await services.appealing.waiting(HERE, 10) == [appeal]
    assert await services.recollecting.mistakes.page(MIKA, MistakeFilter(), 0, 10) == before
    assert await grade_again(services, clock, UserId(7), HERE, 11) is Verdict.WRONG
    with pytest.raises(PressLeadsNowhere) as gone:
        await services.appealing.undo(appeal.id, HERE, decided)
    assert gone.value.why is Gone.DECIDED
