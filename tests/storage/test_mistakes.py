"""Mistakes: for their owner alone, newest first, and independent of their pack."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.model import ErrorType, MistakeFilter, MistakeId, Track
from tests.storage.world import AIKO, AT, BEN, CARD, DAY, MINUTE, SPACING, Stores, attempt, begin, miss, rows, save

ALL = MistakeFilter()


async def three(to: Stores) -> list[MistakeId]:
    await save(to)
    _, exercises = await begin(to)
    cards = [
        replace(CARD, typed="Gakkoo", error_type=ErrorType.KANJI_KANA, prompt="学校 100%"),
        replace(CARD, typed="ば", reference="に_は"),
        replace(CARD, typed="を", track=Track.EXERCISE, level="N4"),
    ]
    ids = []
    for number, (exercise, card) in enumerate(zip(exercises, cards, strict=True)):
        recorded = await to.drills.record(attempt(exercise, at=AT + number * MINUTE), SPACING, card)
        assert recorded is not None
        assert recorded[1] is not None
        ids.append(recorded[1])
    return ids


async def test_pages_are_newest_first(to: Stores) -> None:
    first, second, third = await three(to)
    assert [m.id for m in await to.mistakes.page(AIKO, ALL, 0, 10)] == [third, second, first]
    assert [m.id for m in await to.mistakes.page(AIKO, ALL, 1, 1)] == [second]
    assert await to.mistakes.page(AIKO, ALL, 3, 10) == []
    assert await to.mistakes.page(AIKO, ALL, -1, -1) == []
    assert await to.mistakes.count(AIKO, ALL) == 3
    assert await to.mistakes.counts(AIKO) == {ErrorType.PARTICLE: 2, ErrorType.KANJI_KANA: 1}
    assert list(await to.mistakes.counts(AIKO)) == [ErrorType.PARTICLE, ErrorType.KANJI_KANA]


@pytest.mark.parametrize(
    ("only", "found"),
    [
        (MistakeFilter(error_type=ErrorType.PARTICLE), [2, 1]),
        (MistakeFilter(error_type=ErrorType.TENSE), []),
        (MistakeFilter(track=Track.EXERCISE), [2]),
        (MistakeFilter(error_type=ErrorType.PARTICLE, track=Track.LESSON), [1]),
        (MistakeFilter(contains="gAKKo"), [0]),
        (MistakeFilter(contains="学生"), [2, 1]),
        (MistakeFilter(contains="%"), [0]),
        (MistakeFilter(contains="_"), [1]),
        (MistakeFilter(contains="' OR 1=1 --"), []),
        (MistakeFilter(contains="\ud83d"), []),
    ],
)
async def test_filters_select_and_count_alike(to: Stores, only: MistakeFilter, found: list[int]) -> None:
    ids = await three(to)
    assert [m.id for m in await to.mistakes.page(AIKO, only, 0, 10)] == [ids[number] for number in found]
    assert await to.mistakes.count(AIKO, only) == len(found)
    assert await to.mistakes.count(BEN, only) == 0


async def test_a_learner_sets_the_error_type(to: Stores) -> None:
    first, _, _ = await three(to)
    before = await to.mistakes.mistake(first, AIKO)
    assert before is not None
    assert not before.relabelled
    assert await to.mistakes.relabel(first, AIKO, ErrorType.VOCABULARY, AT + DAY)
    after = await to.mistakes.mistake(first, AIKO)
    assert after == replace(before, relabelled=True, card=replace(before.card, error_type=ErrorType.VOCABULARY))


async def test_a_deleted_card_leaves_the_tally(to: Stores) -> None:
    first, _, _ = await three(to)
    assert await to.mistakes.delete(first, AIKO)
    assert not await to.mistakes.delete(first, AIKO)
    assert not await to.mistakes.relabel(first, AIKO, ErrorType.TENSE, AT)
    assert await to.mistakes.mistake(first, AIKO) is None
    assert await to.mistakes.count(AIKO, ALL) == 2
    assert await to.drills.reviewed_since(AIKO, Track.LESSON, AT) == (3, 0)


async def test_the_id_of_a_deleted_card_is_not_used_again(to: Stores) -> None:
    """A button, or a vector on its way, would else meet another card."""
    used = await three(to)
    for _ in range(3):
        assert await to.mistakes.delete(used[-1], AIKO)
        _, exercises = await begin(to)
        _, mistake = await miss(to, exercises[0])
        assert mistake > used[-1]
        used.append(mistake)


async def test_mistakes_since_a_moment_are_newest_first(to: Stores) -> None:
    first, second, third = await three(to)
    assert [m.id for m in await to.mistakes.since(AIKO, AT)] == [third, second, first]
    assert await to.mistakes.since(AIKO, AT + MINUTE) == await to.mistakes.page(AIKO, ALL, 0, 2)
    assert await to.mistakes.since(AIKO, AT + 3 * MINUTE) == []
    assert await to.mistakes.since(BEN, AT) == []


async def test_items_of_mistakes_are_those_that_can_still_be_drilled(to: Stores) -> None:
    change = await save(to, items=rows(3))
    ids = []
    for _ in range(2):
        _, exercises = await begin(to)
        ids += [(await miss(to, exercise))[1] for exercise in exercises]
    items = [item.id for item in await to.packs.items(change.pack.id)]
    assert await to.mistakes.items_of([ids[2], ids[0], ids[5], ids[1]], AIKO) == [items[2], items[0], items[1]]
    assert await to.mistakes.items_of([], AIKO) == []
    assert await to.mistakes.items_of(ids, BEN) == []
    await save(to, items=rows(2))
    assert await to.mistakes.items_of(ids, AIKO) == items[:2]
    await to.packs.remove(change.pack.id, AT)
    assert await to.mistakes.items_of(ids, AIKO) == []


async def test_another_person_finds_nothing_and_changes_nothing(to: Stores) -> None:
    first, _, _ = await three(to)
    before = await to.mistakes.page(AIKO, ALL, 0, 10)
    assert await to.mistakes.page(BEN, ALL, 0, 10) == []
    assert await to.mistakes.counts(BEN) == {}
    assert await to.mistakes.mistake(first, BEN) is None
    assert not await to.mistakes.relabel(first, BEN, ErrorType.TENSE, AT)
    assert not await to.mistakes.delete(first, BEN)
    assert await to.mistakes.page(AIKO, ALL, 0, 10) == before


async def test_a_card_outlives_its_pack(to: Stores) -> None:
    change = await save(to)
    _, exercises = await begin(to)
    _, mistake = await miss(to, exercises[0])
    before = await to.mistakes.mistake(mistake, AIKO)
    await save(to, items=[])
    await to.packs.remove(change.pack.id, AT)
    assert await to.mistakes.mistake(mistake, AIKO) == before
