"""What progress counts: a learner's own answers, one by one, and no further back than a chart can show."""

from __future__ import annotations

from lessons.model import DayAnswer, ErrorType, Grade, Track, Verdict
from tests.storage.world import AIKO, AT, BEN, DAY, MINUTE, Stores, attempt, begin, hit, miss, rows, save

SKIPPED = Grade(Verdict.SKIPPED, "は")


async def test_days_are_told_answer_by_answer(to: Stores) -> None:
    await save(to)
    _, first = await begin(to)
    await to.drills.record(attempt(first[0], grade=SKIPPED, at=AT), None, None)
    _, mistake = await miss(to, first[1], at=AT + MINUTE)
    _, second = await begin(to)
    await hit(to, second[0], at=AT + DAY)  # new: a skip was no answer
    await hit(to, second[1], at=AT + DAY)
    assert await to.drills.daily(AIKO, AT) == [
        DayAnswer(AT, Track.LESSON, Verdict.SKIPPED, None, first_attempt=True),
        DayAnswer(AT + MINUTE, Track.LESSON, Verdict.WRONG, ErrorType.PARTICLE, first_attempt=True),
        DayAnswer(AT + DAY, Track.LESSON, Verdict.EXACT, None, first_attempt=True),
        DayAnswer(AT + DAY, Track.LESSON, Verdict.EXACT, None, first_attempt=False),
    ]
    assert len(await to.drills.daily(AIKO, AT + MINUTE)) == 3
    assert await to.drills.daily(BEN, AT) == []
    await to.mistakes.relabel(mistake, AIKO, ErrorType.TENSE, AT)
    assert (await to.drills.daily(AIKO, AT))[1].error_type is ErrorType.TENSE
    await to.mistakes.delete(mistake, AIKO)
    assert (await to.drills.daily(AIKO, AT))[1].error_type is None


async def test_days_reach_back_a_little_more_than_a_year(to: Stores) -> None:
    await save(to, items=rows(6))
    _, exercises = await begin(to)
    for exercise, days in zip(exercises, (0, 1, 2, 399, 400, 401), strict=True):
        await hit(to, exercise, at=AT + days * DAY)
    daily = await to.drills.daily(AIKO, AT - DAY)
    assert [(answer.at - AT).days for answer in daily] == [2, 399, 400, 401]
