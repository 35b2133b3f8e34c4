"""Days of practice are kept with the answers that make them so."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from lessons.model import Grade, Verdict
from tests.storage.world import (
    AIKO,
    AT,
    BEN,
    DAY,
    EXACT,
    MINUTE,
    SPACING,
    Stores,
    attempt,
    begin,
    hit,
    miss,
    rows,
    save,
)

TODAY = date(2027, 3, 14)


async def test_an_answer_makes_its_day_one_of_practice_once(to: Stores) -> None:
    await save(to, items=rows(4))
    _, exercises = await begin(to)
    for exercise, day in zip(exercises, (TODAY, TODAY, TODAY - timedelta(days=1)), strict=False):
        await to.drills.record(replace(attempt(exercise, grade=EXACT, typed="は"), day=day), SPACING, None)
    assert await to.drills.practised(AIKO) == [TODAY - timedelta(days=1), TODAY]
    assert await to.drills.practised(BEN) == []


async def test_what_is_no_answer_or_is_not_settled_leaves_no_day(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    await to.drills.record(attempt(exercises[0], grade=Grade(Verdict.SKIPPED, "は"), typed=""), None, None)
    assert await to.drills.practised(AIKO) == []
    again = replace(attempt(exercises[0], grade=EXACT), day=TODAY)
    assert await to.drills.record(again, SPACING, None) is None
    assert await to.drills.practised(AIKO) == []


async def test_the_latest_answer_to_each_item_counts_within_the_time(to: Stores) -> None:
    await save(to, items=rows(4))
    _, first = await begin(to)
    for exercise in first[:3]:
        await miss(to, exercise)
    _, second = await begin(to)
    await hit(to, second[0], at=AT + DAY)
    await to.drills.record(attempt(second[1], typed="ば", at=AT + DAY), SPACING, None)
    skipped = attempt(second[2], grade=Grade(Verdict.SKIPPED, "は"), typed="", at=AT + DAY)
    await to.drills.record(skipped, None, None)
    _, third = await begin(to)
    await hit(to, third[1], at=AT + 2 * DAY)
    items = [exercise.item.id for exercise in first]
    latest = to.drills.latest_answers
    assert await latest(AIKO, items, AT, AT + 2 * DAY) == {items[0]: True, items[1]: True}
    assert await latest(AIKO, items, AT, AT + 2 * DAY - MINUTE) == {items[0]: True, items[1]: False}
    assert await latest(AIKO, items[:1], AT - MINUTE, AT + MINUTE) == {items[0]: False}
    assert await latest(AIKO, [], AT, AT + 2 * DAY) == await latest(BEN, items, AT - DAY, AT + 3 * DAY) == {}
