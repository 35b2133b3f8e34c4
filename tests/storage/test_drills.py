"""Drills: exactly one settled answer an exercise, nothing for another person, and what comes next."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace

import pytest

from lessons.model import (
    DrillId,
    DrillState,
    ExerciseId,
    Grade,
    InteractionId,
    ItemId,
    Learning,
    MistakeFilter,
    Rating,
    Spacing,
    Track,
    Verdict,
)
from tests.storage.world import (
    AIKO,
    AT,
    BEN,
    CARD,
    DAY,
    EXACT,
    HOME,
    MINUTE,
    SPACING,
    WRONG,
    Stores,
    attempt,
    begin,
    hit,
    miss,
    prepared,
    rows,
    save,
)

SKIPPED = Grade(Verdict.SKIPPED, "は")
EVERYTHING = MistakeFilter()


async def count(to: Stores, table: str) -> int:
    async with to.db.reading() as snapshot:
        return len(await snapshot.all(f"SELECT * FROM {table}"))


async def test_a_drill_begins_open_with_its_exercises_in_order(to: Stores) -> None:
    change = await save(to)
    items = await to.packs.items(change.pack.id)
    wanted = [items[2].id, items[0].id, items[2].id]
    drill = await to.drills.begin(AIKO, HOME, Track.LESSON, "N5", wanted, AT)
    assert (drill.user_id, drill.guild_id, drill.track, drill.title) == (AIKO, HOME, Track.LESSON, "N5")
    assert (drill.state, drill.started_at, drill.ended_at) == (DrillState.OPEN, AT, None)
    assert (drill.total, drill.answered, drill.right, drill.skipped) == (3, 0, 0, 0)
    exercises = await to.drills.exercises(drill.id, AIKO)
    assert [(e.position, e.item.id) for e in exercises] == list(enumerate(wanted, start=1))
    assert exercises[0].item == items[2]
    assert await to.drills.exercise(exercises[1].id, AIKO) == exercises[1]
    assert await to.drills.drill(drill.id, AIKO) == drill
    assert await to.drills.open_drill(AIKO, Track.LESSON) == drill


async def test_a_new_drill_stops_the_open_one_of_its_track_only(to: Stores) -> None:
    change = await save(to)
    items = [item.id for item in await to.packs.items(change.pack.id)]
    other_track = await to.drills.begin(AIKO, None, Track.EXERCISE, "", items, AT)
    bens = await to.drills.begin(BEN, None, Track.LESSON, "", items, AT)
    first = await to.drills.begin(AIKO, None, Track.LESSON, "", items, AT)
    second = await to.drills.begin(AIKO, None, Track.LESSON, "", items, AT + MINUTE)
    assert await to.drills.drill(first.id, AIKO) == replace(first, state=DrillState.STOPPED, ended_at=AT + MINUTE)
    assert await to.drills.open_drill(AIKO, Track.LESSON) == second
    assert await to.drills.open_drill(AIKO, Track.EXERCISE) == other_track
    assert await to.drills.open_drill(BEN, Track.LESSON) == bens


async def test_a_drill_that_cannot_begin_leaves_the_open_one_open(to: Stores) -> None:
    await save(to)
    drill, _ = await begin(to)
    with pytest.raises(sqlite3.IntegrityError):
        await to.drills.begin(AIKO, HOME, Track.LESSON, "", [ItemId(10**9)], AT)
    with pytest.raises(ValueError, match="exercise"):
        await to.drills.begin(AIKO, HOME, Track.LESSON, "", [], AT)
    assert await to.drills.open_drill(AIKO, Track.LESSON) == drill


async def test_an_answer_is_stored_with_its_spacing_and_mistake(to: Stores) -> None:
    await save(to)
    drill, exercises = await begin(to)
    attempt_id, mistake_id = await miss(to, exercises[0])
    settled = await to.drills.exercise(exercises[0].id, AIKO)
    assert settled == replace(
        exercises[0], verdict=Verdict.WRONG, typed="ば", grade=WRONG, attempt_id=attempt_id, appealed=False
    )
    assert await to.drills.spacing(AIKO, exercises[0].item.id) == SPACING
    mistake = await to.mistakes.mistake(mistake_id, AIKO)
    assert mistake is not None
    assert (mistake.card, mistake.item_id, mistake.pack_name, mistake.at) == (CARD, exercises[0].item.id, "N5", AT)
    tally = await to.drills.drill(drill.id, AIKO)
    assert tally == replace(drill, answered=1)


async def test_the_tally_tells_right_wrong_and_skipped_apart_and_the_last_answer_ends_the_drill(to: Stores) -> None:
    await save(to)
    drill, exercises = await begin(to)
    await miss(to, exercises[0])
    await hit(to, exercises[2])
    assert await to.drills.drill(drill.id, AIKO) == replace(drill, answered=2, right=1)
    recorded = await to.drills.record(attempt(exercises[1], grade=SKIPPED, typed="", at=AT + DAY), None, None)
    assert recorded is not None
    assert recorded[1] is None
    ended = await to.drills.drill(drill.id, AIKO)
    assert ended == replace(drill, answered=2, right=1, skipped=1, state=DrillState.FINISHED, ended_at=AT + DAY)
    assert await to.drills.open_drill(AIKO, Track.LESSON) is None
    assert await to.drills.spacing(AIKO, exercises[1].item.id) is None


async def test_a_second_answer_changes_nothing(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    first = attempt(exercises[0], grade=EXACT, typed="は")
    assert await to.drills.record(first, SPACING, None) is not None
    before = await to.drills.exercises(exercises[0].drill_id, AIKO)
    later = replace(SPACING, due=AT + DAY)
    assert await to.drills.record(first, later, CARD) is None  # delivered twice
    assert await to.drills.record(attempt(exercises[0]), later, CARD) is None  # pressed twice
    reused = replace(attempt(exercises[1]), interaction=first.interaction)
    assert await to.drills.record(reused, later, CARD) is None  # one interaction, two exercises
    assert await to.drills.exercises(exercises[0].drill_id, AIKO) == before
    assert await to.drills.spacing(AIKO, exercises[0].item.id) == SPACING
    assert await to.mistakes.count(AIKO, EVERYTHING) == 0


async def test_of_many_answers_at_once_exactly_one_is_stored(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    twice = [attempt(exercise) for exercise in exercises for _ in range(20)] * 2
    recorded = await asyncio.gather(*(to.drills.record(each, SPACING, CARD) for each in twice))
    assert len([each for each in recorded if each]) == len(exercises)
    assert await count(to, "attempt") == await count(to, "mistake") == len(exercises)


async def test_a_drill_that_is_over_takes_no_answer(to: Stores) -> None:
    await save(to)
    drill, exercises = await begin(to)
    assert await to.drills.stop(drill.id, AIKO, AT + MINUTE)
    assert not await to.drills.stop(drill.id, AIKO, AT + DAY)
    assert await to.drills.drill(drill.id, AIKO) == replace(drill, state=DrillState.STOPPED, ended_at=AT + MINUTE)
    assert await to.drills.record(attempt(exercises[0]), SPACING, CARD) is None
    assert await count(to, "attempt") == await count(to, "spacing") == await count(to, "mistake") == 0


async def test_an_answer_that_cannot_be_stored_leaves_nothing_behind(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    broken = replace(SPACING, learning="sleeping")  # type: ignore[arg-type]
    with pytest.raises(sqlite3.IntegrityError):
        await to.drills.record(attempt(exercises[0]), broken, CARD)
    with pytest.raises(sqlite3.IntegrityError):  # a retry is no attempt
        await to.drills.record(attempt(exercises[0], grade=Grade(Verdict.RETRY, "は")), None, None)
    assert await count(to, "attempt") == await count(to, "spacing") == await count(to, "mistake") == 0
    await miss(to, exercises[0])


async def test_another_person_finds_nothing_and_changes_nothing(to: Stores) -> None:
    await save(to)
    drill, exercises = await begin(to)
    await miss(to, exercises[0])
    mine = await to.drills.exercises(drill.id, AIKO)
    assert await to.drills.drill(drill.id, BEN) is None
    assert await to.drills.open_drill(BEN, Track.LESSON) is None
    assert await to.drills.exercise(exercises[0].id, BEN) is None
    assert await to.drills.exercises(drill.id, BEN) == []
    assert await to.drills.spacing(BEN, exercises[0].item.id) is None
    assert await to.drills.record(attempt(exercises[1], BEN), SPACING, CARD) is None
    assert not await to.drills.stop(drill.id, BEN, AT)
    assert not await to.drills.mark_retried(exercises[1].id, BEN, 5)
    await to.drills.mark_hinted(exercises[1].id, BEN)
    assert await to.drills.exercises(drill.id, AIKO) == mine
    assert await to.drills.last_pack(BEN) is None
    assert await to.drills.reviewed_since(BEN, Track.LESSON, AT) == (0, 0)


async def test_owners_are_told_so_that_a_press_can_be_refused_in_words(to: Stores) -> None:
    await save(to)
    drill, exercises = await begin(to)
    assert await to.drills.owner(exercises[0].id) == AIKO
    assert await to.drills.drill_owner(drill.id) == AIKO
    assert await to.drills.owner(ExerciseId(10**9)) is None
    assert await to.drills.drill_owner(DrillId(10**9)) is None


async def test_a_hint_is_remembered(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    await to.drills.mark_hinted(exercises[0].id, AIKO)
    await to.drills.mark_hinted(exercises[0].id, AIKO)
    assert [e.hinted for e in await to.drills.exercises(exercises[0].drill_id, AIKO)] == [True, False, False]


async def test_the_free_retry_belongs_to_the_interaction_that_used_it(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    assert await to.drills.mark_retried(exercises[0].id, AIKO, 71)
    assert await to.drills.mark_retried(exercises[0].id, AIKO, 71)  # delivered twice
    assert not await to.drills.mark_retried(exercises[0].id, AIKO, 72)
    assert [e.retried for e in await to.drills.exercises(exercises[0].drill_id, AIKO)] == [True, False, False]


async def space(to: Stores, number: int, item: ItemId, due_in_minutes: int) -> None:
    """Let AIKO have answered an item that is due then."""
    drill = await to.drills.begin(AIKO, None, Track.LESSON, "", [item], AT)
    (exercise,) = await to.drills.exercises(drill.id, AIKO)
    spacing = Spacing(Learning.REVIEW, None, float(number), 5.0, AT + due_in_minutes * MINUTE, AT)
    assert await to.drills.record(attempt(exercise, grade=EXACT), spacing, None) is not None


async def test_due_fresh_and_ahead_partition_the_visible_items(to: Stores) -> None:
    one = (await save(to, "one", items=rows(6))).pack.id
    two = (await save(to, "two", items=[prepared(1, lesson="2"), prepared(2, lesson="1")])).pack.id
    a, b, c, d, e, f = (item.id for item in await to.packs.items(one))
    x, y = (item.id for item in await to.packs.items(two))
    for number, (item, minutes) in enumerate([(b, 5), (a, 0), (x, 2), (d, 60), (c, 30)]):
        await space(to, number, item, minutes)
    at = AT + 5 * MINUTE
    assert await to.drills.due(AIKO, [one, two], at, 10) == [a, x, b]
    assert await to.drills.due(AIKO, [one, two], at, 2) == [a, x]
    assert await to.drills.due(AIKO, [one], at, 10) == [a, b]
    assert await to.drills.due(AIKO, [one, two], at, 10, ["2"]) == [x]
    assert await to.drills.ahead(AIKO, [one, two], at, 10) == [c, d]
    assert await to.drills.ahead(AIKO, [one, two], at, 1, ["1", "2"]) == [c]
    assert await to.drills.fresh(AIKO, [two, one], 10) == [y, e, f]
    assert await to.drills.fresh(AIKO, [one, two], 10) == [e, f, y]
    assert await to.drills.fresh(AIKO, [one, two, one], 2, ["1"]) == [e, f]
    assert await to.drills.fresh(BEN, [two], 10) == [x, y]
    assert await to.drills.next_due(AIKO, [one, two]) == AT
    assert await to.drills.next_due(AIKO, [two]) == AT + 2 * MINUTE
    assert await to.drills.next_due(BEN, [one, two]) is None
    for nothing in (0, -1):
        assert await to.drills.due(AIKO, [one], at, nothing) == []
        assert await to.drills.ahead(AIKO, [one], at, nothing) == []
        assert await to.drills.fresh(AIKO, [one], nothing) == []
    assert await to.drills.fresh(AIKO, [], 10) == []
    assert await to.drills.fresh(AIKO, [one], 10, []) == []


async def test_hidden_items_and_packs_are_never_picked(to: Stores) -> None:
    one = (await save(to, "one", items=rows(3))).pack.id
    two = (await save(to, "two", items=rows(2))).pack.id
    a, b, _ = (item.id for item in await to.packs.items(one))
    x, y = (item.id for item in await to.packs.items(two))
    for number, item in enumerate((a, b, x)):
        await space(to, number, item, number)
    await save(to, "one", items=[prepared(2)])
    await to.packs.remove(two, AT)
    everything = [one, two]
    assert await to.drills.due(AIKO, everything, AT + DAY, 10) == [b]
    assert await to.drills.ahead(AIKO, everything, AT - DAY, 10) == [b]
    assert await to.drills.fresh(AIKO, everything, 10) == []
    assert await to.drills.next_due(AIKO, everything) == AT + MINUTE
    await save(to, "two", items=rows(2))
    assert await to.drills.due(AIKO, everything, AT + DAY, 10) == [b, x]
    assert await to.drills.fresh(AIKO, everything, 10) == [y]


async def test_a_skipped_item_stays_new(to: Stores) -> None:
    pack = (await save(to)).pack.id
    _, exercises = await begin(to)
    await to.drills.record(attempt(exercises[0], grade=SKIPPED), None, None)
    assert exercises[0].item.id in await to.drills.fresh(AIKO, [pack], 10)
    assert await to.drills.reviewed_since(AIKO, Track.LESSON, AT) == (0, 0)


async def test_reviews_count_as_new_once_and_as_repeated_ever_after(to: Stores) -> None:
    await save(to)
    _, yesterday = await begin(to)
    await hit(to, yesterday[0], at=AT - DAY)
    _, today = await begin(to)
    await hit(to, today[0], at=AT)  # again
    await miss(to, today[1], at=AT)  # new
    await to.drills.record(attempt(today[2], grade=SKIPPED), None, None)
    _, later = await begin(to)
    await hit(to, later[1], at=AT)  # again, in the same millisecond
    await hit(to, later[2], at=AT + MINUTE)  # new: a skip was no review
    assert await to.drills.reviewed_since(AIKO, Track.LESSON, AT) == (2, 2)
    assert await to.drills.reviewed_since(AIKO, Track.LESSON, AT - DAY) == (3, 2)
    assert await to.drills.reviewed_since(AIKO, Track.LESSON, AT + DAY) == (0, 0)
    assert await to.drills.reviewed_since(AIKO, Track.EXERCISE, AT) == (0, 0)


async def test_the_last_pack_is_that_of_the_latest_attempt(to: Stores) -> None:
    one, two = (await save(to, "one")).pack.id, (await save(to, "two")).pack.id
    assert await to.drills.last_pack(AIKO) is None
    _, of_two = await begin(to, name="two")
    await hit(to, of_two[0], at=AT + MINUTE)
    _, of_one = await begin(to, name="one")
    await hit(to, of_one[0], at=AT)
    assert await to.drills.last_pack(AIKO) == two
    await hit(to, of_one[1], at=AT + MINUTE)
    assert await to.drills.last_pack(AIKO) == one


async def test_spacing_is_replaced_by_the_next_review(to: Stores) -> None:
    await save(to)
    _, first = await begin(to)
    await miss(to, first[0])
    _, second = await begin(to)
    after = Spacing(Learning.REVIEW, None, None, None, AT + 3 * DAY, None)
    await to.drills.record(attempt(second[0], grade=EXACT), after, None)
    assert await to.drills.spacing(AIKO, first[0].item.id) == after
    assert await count(to, "spacing") == 1


async def test_an_answer_with_half_a_surrogate_pair_is_still_saved(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    odd = "は\ud83d\x00<@1>"
    _, mistake_id = await miss(to, exercises[0], typed=odd)
    stored = await to.drills.exercise(exercises[0].id, AIKO)
    mistake = await to.mistakes.mistake(mistake_id, AIKO)
    assert stored is not None
    assert mistake is not None
    assert stored.typed == mistake.card.typed == "は?\x00<@1>"


async def test_an_attempt_keeps_rating_and_hint(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    given = replace(
        attempt(exercises[0], grade=EXACT), hinted=True, rating=Rating.HARD, interaction=InteractionId(2**62)
    )
    assert await to.drills.record(given, SPACING, None) is not None
    async with to.db.reading() as snapshot:
        row = await snapshot.one("SELECT hinted, rating, interaction_id, track FROM attempt")
    assert row is not None
    assert tuple(row) == (1, "hard", 2**62, "lesson")
