"""Vectors: for their owner alone, as they were stored, and never of another space."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lessons.model import ErrorType, MistakeId, Space, Track
from storage.memories import _WITHOUT, MemoryStore
from tests.storage.world import (
    AIKO,
    AT,
    BEN,
    CARD,
    DAY,
    HOME,
    MINUTE,
    MOD,
    SPACE,
    SPACING,
    WRONG,
    Stores,
    accepted,
    attempt,
    begin,
    miss,
    rows,
    save,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime
    from pathlib import Path

    from numpy.typing import NDArray

    from lessons.model import Exercise, UserId
    from lessons.ports import Memory

OTHER_MODEL, OTHER_CARD = Space("e5", 1), Space("usem3", 2)
BOTH = (Track.LESSON, Track.EXERCISE)


def vector(seed: int, width: int = 24) -> NDArray[np.float32]:
    """A direction that survives float16."""
    drawn = np.random.default_rng(seed).normal(size=width).astype(np.float32)
    return (drawn / np.linalg.norm(drawn)).astype(np.float16).astype(np.float32)


async def exercises(to: Stores, user: UserId = AIKO, amount: int = 6) -> list[Exercise]:
    await save(to, items=rows(amount))
    return (await begin(to, user))[1]


async def missed(to: Stores, user: UserId = AIKO, amount: int = 6, at: datetime = AT) -> list[MistakeId]:
    """Mistakes of a minute each, without vectors."""
    return [
        (await miss(to, exercise, user, at=at + number * MINUTE))[1]
        for number, exercise in enumerate(await exercises(to, user, amount))
    ]


async def of(to: Stores, user: UserId = AIKO, space: Space = SPACE, tracks: Collection[Track] = BOTH) -> list[int]:
    return list(map(int, (await to.memories.memory(user, tracks, space)).mistakes))


def assert_alike(one: Memory, other: Memory) -> None:
    for name in ("mistakes", "items", "at", "kinds", "vectors"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), strict=True)


async def test_a_memory_has_what_was_stored_row_by_row(to: Stores) -> None:
    ids = await missed(to)
    for number in (3, 0, 5):  # vectors come in any order
        assert await to.memories.save(AIKO, ids[number], SPACE, vector(number))
    assert await to.mistakes.relabel(ids[3], AIKO, ErrorType.TENSE, AT)
    memory = await to.memories.memory(AIKO, [Track.LESSON], SPACE)
    cards = [await to.mistakes.mistake(ids[number], AIKO) for number in (0, 3, 5)]
    assert memory.mistakes.tolist() == [card.id for card in cards if card]
    assert memory.items.tolist() == [card.item_id for card in cards if card]
    assert memory.at.tolist() == [pytest.approx(card.at.timestamp() / 86_400) for card in cards if card]
    assert [list(ErrorType)[kind] for kind in memory.kinds] == [card.card.error_type for card in cards if card]
    np.testing.assert_array_equal(memory.vectors, [vector(0), vector(3), vector(5)])
    kinds = [column.dtype for column in (memory.mistakes, memory.items, memory.at, memory.kinds, memory.vectors)]
    assert kinds == [np.int64, np.int64, np.float64, np.int16, np.float32]


async def test_nobody_can_change_what_is_shared(to: Stores) -> None:
    ids = await missed(to)
    for memory in (await to.memories.memory(AIKO, BOTH, SPACE), await kept(to, ids), await grown(to, ids)):
        for column in (memory.mistakes, memory.items, memory.at, memory.kinds, memory.vectors):
            with pytest.raises(ValueError, match="read-only"):
                column[:] = 0


async def kept(to: Stores, ids: Sequence[MistakeId]) -> Memory:
    await to.memories.save_many(SPACE, [(AIKO, mistake, vector(mistake)) for mistake in ids[1:]])
    return await to.memories.memory(AIKO, BOTH, SPACE)


async def grown(to: Stores, ids: Sequence[MistakeId]) -> Memory:
    await to.memories.save(AIKO, ids[0], SPACE, vector(0))
    return await to.memories.memory(AIKO, BOTH, SPACE)


async def test_without_vectors_there_is_an_empty_memory(to: Stores) -> None:
    await missed(to)
    memory = await to.memories.memory(AIKO, BOTH, SPACE)
    assert memory.vectors.shape == (0, 0)
    assert await of(to, BEN) == []
    assert (await of(to, tracks=[])) == []


async def test_vectors_of_other_models_and_card_versions_are_not_there(to: Stores) -> None:
    ids = await missed(to)
    await to.memories.save_many(SPACE, [(AIKO, mistake, vector(mistake)) for mistake in ids[:4]])
    await to.memories.save_many(OTHER_MODEL, [(AIKO, mistake, vector(mistake, 8)) for mistake in ids[4:]])
    assert await of(to) == ids[:4]
    assert await of(to, space=OTHER_MODEL) == ids[4:]
    assert await of(to, space=OTHER_CARD) == []
    assert await to.memories.save(AIKO, ids[0], OTHER_MODEL, vector(1, 8))  # takes the place of the first one
    assert await of(to) == ids[1:4]
    assert await of(to, space=OTHER_MODEL) == [ids[0], *ids[4:]]
    assert await to.memories.coverage(SPACE) == (3, 6)
    assert await to.memories.coverage(OTHER_MODEL) == (3, 6)
    assert await to.memories.coverage(OTHER_CARD) == (0, 6)


async def test_tracks_are_pools_of_their_own_unless_joined(to: Stores) -> None:
    ids = []
    for exercise, track in zip(await exercises(to, amount=2), BOTH, strict=True):
        recorded = await to.drills.record(attempt(exercise), SPACING, replace(CARD, track=track))
        assert recorded is not None
        assert recorded[1] is not None
        ids.append(recorded[1])
    await to.memories.save_many(SPACE, [(AIKO, mistake, vector(mistake)) for mistake in ids])
    for _ in range(2):
        assert await of(to, tracks=[Track.LESSON]) == ids[:1]
        assert await of(to, tracks=[Track.EXERCISE]) == ids[1:]
        assert await of(to, tracks=BOTH) == await of(to, tracks=BOTH[::-1]) == ids


async def test_an_item_that_is_gone_equals_no_other(to: Stores) -> None:
    ids = await missed(to, amount=2)
    await to.memories.save_many(SPACE, [(AIKO, mistake, vector(mistake)) for mistake in ids])
    assert min((await to.memories.memory(AIKO, BOTH, SPACE)).items) > 0
    await to.db.write(lambda transaction: transaction.run("UPDATE mistake SET item_id = NULL WHERE id = ?", (ids[0],)))
    assert (await to.memories.memory(AIKO, BOTH, SPACE)).items[0] == -ids[0]


async def test_a_vector_of_a_mistake_that_is_gone_or_another_persons_is_not_kept(to: Stores) -> None:
    ids = await missed(to)
    await to.mistakes.delete(ids[0], AIKO)
    assert not await to.memories.save(AIKO, ids[0], SPACE, vector(0))
    assert not await to.memories.save(BEN, ids[1], SPACE, vector(0))
    assert not await to.memories.save(AIKO, MistakeId(10**9), SPACE, vector(0))
    wanted = [(AIKO, ids[0]), (AIKO, ids[2]), (BEN, ids[3]), (AIKO, ids[4])]
    assert await to.memories.save_many(SPACE, [(user, mistake, vector(9)) for user, mistake in wanted]) == 2
    assert await to.memories.save_many(SPACE, []) == 0
    assert await of(to) == [ids[2], ids[4]]
    assert await of(to, BEN) == []


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(0, np.float32),
        np.zeros((2, 2), np.float32),
        np.array([1.0, np.nan], np.float32),
        np.array([1e9, 0.0], np.float32),
    ],
    ids=["empty", "matrix", "no number", "beyond float16"],
)
async def test_what_is_no_vector_is_refused(to: Stores, wrong: NDArray[np.float32]) -> None:
    (mistake, *_) = await missed(to)
    with pytest.raises(ValueError, match="not a vector"):
        await to.memories.save(AIKO, mistake, SPACE, wrong)
    assert await to.memories.coverage(SPACE) == (0, 6)


async def test_vectors_of_one_space_are_equally_wide(to: Stores) -> None:
    ids = await missed(to)
    with pytest.raises(ValueError, match="several widths"):
        await to.memories.save_many(SPACE, [(AIKO, ids[0], vector(0, 8)), (AIKO, ids[1], vector(0, 9))])
    assert await to.memories.save(AIKO, ids[0], SPACE, vector(0, 8))
    with pytest.raises(ValueError, match="several widths"):
        await to.memories.save(AIKO, ids[1], SPACE, vector(0, 9))
    assert await to.memories.coverage(SPACE) == (1, 6)


async def test_one_learners_rows_lie_side_by_side(to: Stores) -> None:
    mine, theirs = await missed(to, AIKO), await missed(to, BEN)
    for one, other in zip(mine, theirs, strict=True):
        await to.memories.save(AIKO, one, SPACE, vector(one))
        await to.memories.save(BEN, other, SPACE, vector(other))
    async with to.db.reading() as snapshot:
        keys = await snapshot.all("SELECT id, user_id FROM mistake_vector ORDER BY id")
    assert [row["user_id"] for row in keys] == [AIKO] * 6 + [BEN] * 6
    assert [(row["id"] >> 24, row["id"] & 0xFFFFFF) for row in keys] == [
        (shelf, number) for shelf in (1, 2) for number in range(6)
    ]


async def test_what_lacks_a_vector_comes_oldest_first_with_its_owner(to: Stores) -> None:
    mine, theirs = await missed(to, AIKO), await missed(to, BEN)
    await to.memories.save_many(SPACE, [(AIKO, mine[1], vector(1)), (BEN, theirs[0], vector(2))])
    await to.memories.save(AIKO, mine[2], OTHER_CARD, vector(3))
    lacking = await to.memories.without_vector(SPACE, 100)
    expected = [(AIKO, mine[0]), *((AIKO, m) for m in mine[2:]), *((BEN, m) for m in theirs[1:])]
    assert [(user, trace.mistake) for user, trace in lacking] == expected
    assert await to.memories.without_vector(SPACE, 3) == lacking[:3]
    assert await to.memories.without_vector(SPACE, -1) == []
    first = await to.mistakes.mistake(mine[0], AIKO)
    assert first is not None
    trace = lacking[0][1]
    assert (trace.item, trace.card, trace.at) == (first.item_id, first.card, first.at)
    while lacking := await to.memories.without_vector(SPACE, 2):
        await to.memories.save_many(SPACE, [(user, trace.mistake, vector(0)) for user, trace in lacking])
    assert await to.memories.coverage(SPACE) == (12, 12)


async def test_where_no_vector_lacks_the_mistakes_are_counted_and_none_is_visited(to: Stores, file: Path) -> None:
    ids = await missed(to, AIKO, amount=40)
    await to.memories.save_many(SPACE, [(AIKO, mistake, vector(0)) for mistake in ids[:-1]])
    lacking = steps_of_looking(file)
    await to.memories.save(AIKO, ids[-1], SPACE, vector(0))
    assert await to.memories.without_vector(SPACE, 100) == []
    assert 3 * steps_of_looking(file) < lacking


def steps_of_looking(file: Path) -> int:
    """How many of its own instructions SQLite carries out to say what lacks a vector."""
    steps = count()
    with closing(sqlite3.connect(file)) as conn:
        conn.execute("SELECT * FROM mistake LIMIT 0").fetchall()  # the schema is read by now
        conn.set_progress_handler(lambda: next(steps) < 0, 1)
        conn.execute(_WITHOUT, {"embedder": SPACE.embedder, "card_version": SPACE.card_version, "limit": 1}).fetchall()
    return next(steps)


async def test_a_dismissal_has_no_direction_and_is_kept_once(to: Stores) -> None:
    one, other, third, *_ = await missed(to)
    assert await to.memories.dismiss(AIKO, other, one, AT)
    assert await to.memories.dismiss(AIKO, one, other, AT + DAY)
    assert await to.memories.dismiss(AIKO, other, third, AT + DAY)
    assert await to.memories.dismissed(AIKO, one) == {other}
    assert await to.memories.dismissed(AIKO, other) == {one, third}
    assert [(user, a.mistake, b.mistake) for user, a, b in await to.memories.dismissals()] == [
        (AIKO, one, other),
        (AIKO, other, third),
    ]
    assert await to.mistakes.delete(other, AIKO)
    assert await to.memories.dismissals() == []
    assert await to.memories.dismissed(AIKO, one) == frozenset()


async def test_what_is_not_the_learners_cannot_be_dismissed(to: Stores) -> None:
    mine, theirs = await missed(to, AIKO), await missed(to, BEN)
    assert not await to.memories.dismiss(AIKO, mine[0], theirs[0], AT)
    assert not await to.memories.dismiss(AIKO, theirs[0], mine[0], AT)
    assert not await to.memories.dismiss(BEN, mine[0], mine[1], AT)
    assert not await to.memories.dismiss(AIKO, mine[0], mine[0], AT)
    assert not await to.memories.dismiss(AIKO, mine[0], MistakeId(10**9), AT)
    assert await to.memories.dismissals() == []
    assert await to.memories.dismiss(AIKO, mine[0], mine[1], AT)
    assert await to.memories.dismissed(BEN, mine[0]) == frozenset()


async def test_a_calibration_belongs_to_its_space(to: Stores) -> None:
    assert await to.memories.calibration(SPACE) is None
    for number in (1, 2):
        await to.memories.save_calibration(SPACE, json.dumps({"threshold": number / 4}), AT + number * DAY)
    assert await to.memories.calibration(SPACE) == '{"threshold": 0.5}'
    assert await to.memories.calibration(OTHER_MODEL) is None
    assert await to.memories.calibration(OTHER_CARD) is None


async def test_two_learners_of_the_same_mistakes_never_meet(to: Stores) -> None:
    """The same items, answers and vectors; a thousand questions in any order, with a cache too small for both."""
    mine = {AIKO: await missed(to, AIKO, 9), BEN: await missed(to, BEN, 9)}
    memories = MemoryStore(to.db, cached=1)
    for user, ids in mine.items():
        assert await memories.save_many(SPACE, [(user, mistake, vector(n)) for n, mistake in enumerate(ids)]) == 9
        assert await memories.dismiss(user, ids[0], ids[1], AT)
    chance = random.Random(2)
    for _ in range(1000):
        user, number = chance.choice((AIKO, BEN)), chance.randrange(2)
        tracks = chance.sample(BOTH, chance.randint(1, 2))
        memory = await chance.choice((memories, to.memories)).memory(user, tracks, SPACE)
        assert memory.mistakes.tolist() == (mine[user] if Track.LESSON in tracks else [])
        assert await memories.dismissed(user, mine[user][number]) == {mine[user][1 - number]}
        assert await memories.dismissed(user, mine[AIKO if user == BEN else BEN][number]) == frozenset()


async def test_a_vector_whose_card_is_another_persons_is_nobodys(to: Stores) -> None:
    """The owner is asked of both rows; only a program other than this one could make them differ."""
    ids = await missed(to)
    await missed(to, BEN)
    await to.memories.save_many(SPACE, [(AIKO, mistake, vector(mistake)) for mistake in ids])
    move = "UPDATE mistake_vector SET user_id = ? WHERE mistake_id = ?"
    await to.db.write(lambda transaction: transaction.run(move, (BEN, ids[0])))
    assert await of(to, BEN) == []
    assert await of(to, AIKO) == ids[1:]


@pytest.mark.parametrize("change", ["delete", "relabel", "accept", "forget", "replace", "save", "dismiss", "hide item"])
async def test_every_change_is_seen_by_the_next_question(to: Stores, change: str) -> None:
    """A cached matrix is what a store without a cache would read."""
    mine, theirs = await missed(to, AIKO), await missed(to, BEN)
    for user, ids in ((AIKO, mine), (BEN, theirs)):
        await to.memories.save_many(SPACE, [(user, mistake, vector(mistake)) for mistake in ids[:-1]])
    before = [await to.memories.memory(user, BOTH, SPACE) for user in (AIKO, BEN)]
    match change:
        case "delete":
            await to.mistakes.delete(mine[1], AIKO)
        case "relabel":
            await to.mistakes.relabel(mine[1], AIKO, ErrorType.TENSE, AT)
        case "accept":
            found = await attempt_of(to, mine[1])
            assert await to.appeals.open_appeal(found, AIKO, "ば", AT)
            (waiting,) = await to.appeals.waiting(HOME, 9)
            assert await to.appeals.decide(waiting.id, HOME, MOD, AT, accepted("ば"))
        case "forget":
            await to.db.write(lambda run: run.run("DELETE FROM learner WHERE user_id = ?", (AIKO,)))
        case "replace":
            await to.memories.save(AIKO, mine[1], SPACE, vector(99))
        case "save":
            await to.memories.save(AIKO, mine[-1], SPACE, vector(99))
        case "dismiss":
            await to.memories.dismiss(AIKO, mine[1], mine[2], AT)
        case "hide item":
            await to.db.write(lambda run: run.run("UPDATE mistake SET item_id = NULL WHERE id = ?", (mine[1],)))
    now = await to.memories.memory(AIKO, BOTH, SPACE)
    assert now is not before[0]
    assert_alike(now, await MemoryStore(to.db).memory(AIKO, BOTH, SPACE))
    assert (len(now.mistakes) < 5) == (change in {"delete", "accept", "forget"})
    assert await to.memories.memory(AIKO, BOTH, SPACE) is now
    assert await to.memories.memory(BEN, BOTH, SPACE) is before[1]  # nobody else's


async def attempt_of(to: Stores, mistake: MistakeId) -> int:
    async with to.db.reading() as snapshot:
        (row,) = await snapshot.all("SELECT attempt_id FROM mistake WHERE id = ? AND user_id = ?", (mistake, AIKO))
    return row["attempt_id"]


async def test_what_is_answered_or_read_changes_no_memory(to: Stores) -> None:
    ids = await missed(to)
    await to.memories.save_many(SPACE, [(AIKO, mistake, vector(mistake)) for mistake in ids])
    memory = await to.memories.memory(AIKO, BOTH, SPACE)
    _, again = await begin(to)
    assert await to.drills.record(attempt(again[0], grade=WRONG), SPACING, CARD) is not None  # a card without a vector
    await to.memories.dismissed(AIKO, ids[0])
    await to.memories.save_calibration(SPACE, "{}", AT)
    assert await to.memories.memory(AIKO, BOTH, SPACE) is memory
