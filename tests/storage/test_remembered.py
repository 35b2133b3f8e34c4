"""What is cached of learners: bounded, and never older than what was acknowledged, whoever overtakes whom."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lessons.model import ErrorType, Track, UserId
from storage.connection import Database
from storage.memories import MemoryStore
from storage.remembered import Kept, Remembered
from storage.vectors import nothing, size
from storage.watching import Change
from tests.storage.test_memories import assert_alike, missed, vector
from tests.storage.world import AIKO, AT, BEN, SPACE, Stores, begin, miss, rows, save, stores

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

    from lessons.model import MistakeId
    from lessons.ports import Memory

LESSON = (Track.LESSON,)
KIND = frozenset(LESSON), SPACE


async def filled(to: Stores, user: UserId, amount: int = 6) -> list[MistakeId]:
    """Mistakes of a learner, each with a vector."""
    ids = await missed(to, user, amount)
    assert await to.memories.save_many(SPACE, [(user, mistake, vector(mistake)) for mistake in ids]) == amount
    return ids


@pytest.fixture
async def memories(to: Stores) -> AsyncIterator[MemoryStore]:
    store = to.memories
    assert isinstance(store, MemoryStore)
    yield store
    kept = [kept for several in store.remembered._kept.values() for kept in several.values()]
    assert store.remembered.bytes == sum(size(one.memory) for one in kept)
    assert not store.remembered._loads


@contextlib.contextmanager
def threads_held() -> Iterator[ThreadPoolExecutor]:
    """Within it, what is handed to a thread has to wait: a load stands still between its rows and its end."""
    pool = ThreadPoolExecutor(1)
    asyncio.get_running_loop().set_default_executor(pool)
    held, begun = threading.Event(), threading.Event()
    pool.submit(lambda: (begun.set(), held.wait()))
    begun.wait()
    try:
        yield pool
    finally:
        held.set()


async def overtaken(memories: MemoryStore, change: Callable[[], Awaitable[object]]) -> Memory:
    """What a load returns whose rows were read before the change and put together after it."""
    with threads_held() as pool:
        load = asyncio.create_task(memories.memory(AIKO, LESSON, SPACE))
        while pool._work_queue.empty():  # noqa: ASYNC110
            await asyncio.sleep(0)
        assert await change()
        assert not load.done()
    return await load


CHANGES: dict[str, Callable[[Stores, list[MistakeId]], Awaitable[object]]] = {
    "relabelled": lambda to, ids: to.mistakes.relabel(ids[0], AIKO, ErrorType.TENSE, AT),
    "deleted": lambda to, ids: to.mistakes.delete(ids[0], AIKO),
    "replaced": lambda to, ids: to.memories.save(AIKO, ids[0], SPACE, vector(1000)),
    "forgotten": lambda to, _: to.db.write(
        lambda run: run.all("DELETE FROM learner WHERE user_id = ? RETURNING user_id", (AIKO,))
    ),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("cached", [False, True])
async def test_a_load_that_a_change_overtakes_is_not_kept(
    to: Stores, memories: MemoryStore, change: str, *, cached: bool
) -> None:
    ids = await filled(to, AIKO)
    if cached:  # then the load only continues what is there
        await memories.memory(AIKO, LESSON, SPACE)
        _, exercises = await begin(to)
        _, late = await miss(to, exercises[0])
        assert await memories.save(AIKO, late, SPACE, vector(7))
    old = await overtaken(memories, lambda: CHANGES[change](to, ids))
    assert len(old.mistakes) == 6 + cached
    now = await memories.memory(AIKO, LESSON, SPACE)
    assert_alike(now, await MemoryStore(to.db).memory(AIKO, LESSON, SPACE))
    with pytest.raises(AssertionError):
        assert_alike(now, old)


async def test_a_load_that_a_further_mistake_overtakes_is_continued(to: Stores, memories: MemoryStore) -> None:
    await filled(to, AIKO)
    _, exercises = await begin(to)
    _, late = await miss(to, exercises[0])
    old = await overtaken(memories, lambda: memories.save(AIKO, late, SPACE, vector(7)))
    assert late not in old.mistakes
    now = await memories.memory(AIKO, LESSON, SPACE)
    assert sorted(now.mistakes) == sorted([*old.mistakes, late])
    assert_alike(now, await MemoryStore(to.db).memory(AIKO, LESSON, SPACE))


async def test_a_change_that_is_rolled_back_costs_a_load_and_nothing_else(to: Stores, memories: MemoryStore) -> None:
    ids = await filled(to, AIKO)
    before = await memories.memory(AIKO, LESSON, SPACE)

    async def broken(run: object) -> None:
        await run.run("DELETE FROM mistake WHERE id = ? AND user_id = ?", (ids[0], AIKO))  # type: ignore[attr-defined]
        raise LookupError

    with pytest.raises(LookupError):
        await to.db.write(broken)
    assert_alike(await memories.memory(AIKO, LESSON, SPACE), before)


async def test_a_load_that_is_cancelled_leaves_no_trace(to: Stores, memories: MemoryStore) -> None:
    await filled(to, AIKO)
    for steps in range(40):
        task = asyncio.create_task(memories.memory(AIKO, LESSON, SPACE))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    assert len((await memories.memory(AIKO, LESSON, SPACE)).mistakes) == 6


@dataclass
class Known:
    """What was acknowledged of a learner's mistakes; one that is being changed is unknown."""

    kinds: dict[MistakeId, ErrorType] = field(default_factory=dict)
    deleted: set[MistakeId] = field(default_factory=set)


async def learn(to: Stores, memories: MemoryStore, user: UserId, known: Known, chance: random.Random) -> None:
    """Answer wrongly, and now and then delete, relabel or dismiss."""
    for exercise in (await begin(to, user))[1]:
        _, mistake = await miss(to, exercise, user)
        assert await memories.save(user, mistake, SPACE, vector(mistake))
        known.kinds[mistake] = ErrorType.PARTICLE
        chosen = chance.choice(list(known.kinds))
        match chance.randrange(4):
            case 0:
                del known.kinds[chosen]
                assert await to.mistakes.delete(chosen, user)
                known.deleted.add(chosen)
            case 1:
                before = known.kinds.pop(chosen)
                kind = chance.choice([kind for kind in ErrorType if kind != before])
                assert await to.mistakes.relabel(chosen, user, kind, AT)
                known.kinds[chosen] = kind
            case 2:
                await memories.dismiss(user, chosen, mistake, AT)


async def look(memories: MemoryStore, user: UserId, known: Known, learning: asyncio.Task[None]) -> int:
    """Read until the learner is done; return how often."""
    looks = 0
    while not learning.done():
        kinds, deleted = dict(known.kinds), set(known.deleted)
        memory = await memories.memory(user, LESSON, SPACE)
        found = {mistake: list(ErrorType)[kind] for mistake, kind in zip(memory.mistakes, memory.kinds, strict=True)}
        unchanged = {mistake: kind for mistake, kind in kinds.items() if known.kinds.get(mistake) == kind}
        assert {mistake: found.get(mistake) for mistake in unchanged} == unchanged
        assert found.keys().isdisjoint(deleted)
        expected = [vector(mistake) for mistake in memory.mistakes]
        np.testing.assert_array_equal(memory.vectors, np.reshape(expected, memory.vectors.shape))
        looks += 1
        await asyncio.sleep(0)
    return looks


async def test_readers_and_writers_at_once_never_see_less_than_was_acknowledged(to: Stores, file: Path) -> None:
    """In a cache with room for one of two learners."""
    chance = random.Random(77)
    memories = MemoryStore(to.db, cached=1)
    await save(to, items=rows(12))
    known = {AIKO: Known(), BEN: Known()}
    learning = {user: asyncio.create_task(learn(to, memories, user, mine, chance)) for user, mine in known.items()}
    looking = [look(memories, user, known[user], learning[user]) for user in (AIKO, BEN) for _ in range(2)]
    looks = await asyncio.gather(*looking)
    await asyncio.gather(*learning.values())
    assert min(looks) > 10
    for user, mine in known.items():
        assert mine.deleted
        now = await memories.memory(user, LESSON, SPACE)
        assert now.mistakes.tolist() == sorted(mine.kinds)
        async with Database(file) as anew:
            assert_alike(now, await stores(anew).memories.memory(user, LESSON, SPACE))


async def test_growth_is_read_behind_what_is_known_and_sorted_in(to: Stores, memories: MemoryStore) -> None:
    """An older mistake may get its vector later."""
    ids = await missed(to)
    for mistake in (ids[2], ids[4], ids[5], ids[0], ids[1], ids[3]):
        assert await memories.save(AIKO, mistake, SPACE, vector(mistake))
        now = await memories.memory(AIKO, LESSON, SPACE)
        assert_alike(now, await MemoryStore(to.db).memory(AIKO, LESSON, SPACE))
    assert now.mistakes.tolist() == ids


async def test_a_large_memory_is_read_in_pieces_while_the_loop_goes_on(to: Stores, memories: MemoryStore) -> None:
    await filled(to, AIKO, 1)
    await to.db.write(lambda run: run.run(_MANY, (AIKO,)))
    for _ in range(4):
        lacking = await memories.without_vector(SPACE, 1000)
        await memories.save_many(SPACE, [(user, trace.mistake, vector(trace.mistake)) for user, trace in lacking])
    load = asyncio.create_task(memories.memory(AIKO, LESSON, SPACE))
    turns = 0
    while not load.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 20
    memory = load.result()
    assert len(memory.mistakes) == 3501
    np.testing.assert_array_equal(memory.vectors[:-1], [vector(mistake) for mistake in memory.mistakes[:-1]])
    assert (np.diff(memory.at) >= 0).all()


_MANY = """
    INSERT INTO mistake (user_id, track, prompt, reference, typed, error_type, part_of_speech, feedback, level,
                         pack_name, at)
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3500)
    SELECT ?, 'lesson', 'p', 'r', 't', 'tense', '', '', '', '', i * 1000 FROM n
"""


def memory_of(amount: int) -> Memory:
    """A memory of `amount` bytes."""
    empty = nothing()
    return type(empty)(empty.mistakes, empty.items, empty.at, empty.kinds, np.zeros((amount // 4, 1), np.float32))


def keep(cache: Remembered, user: int, amount: int) -> None:
    with cache.loading(UserId(user)) as load:
        cache.keep(UserId(user), KIND, Kept(memory_of(amount), 1), load)


def users(cache: Remembered) -> list[int]:
    return [user for user in range(100) if UserId(user) in cache._kept]


def test_the_learner_who_was_away_longest_is_given_up_first() -> None:
    cache = Remembered(learners=3, room=1000)
    for user in (1, 2, 3):
        keep(cache, user, 100)
    assert cache.find(UserId(1), KIND) is not None
    keep(cache, 4, 100)
    assert users(cache) == [1, 3, 4]
    assert cache.find(UserId(2), KIND) is None
    assert (len(cache), cache.bytes) == (3, 300)


def test_bytes_are_bounded_too() -> None:
    cache = Remembered(learners=50, room=1000)
    for user in range(1, 30):
        keep(cache, user, 300)
        assert cache.bytes <= 1000
    assert users(cache) == [27, 28, 29]
    keep(cache, 28, 400)  # in place of what was there
    assert (users(cache), cache.bytes) == ([27, 28, 29], 1000)
    keep(cache, 28, 404)
    assert (users(cache), cache.bytes) == ([28, 29], 704)
    keep(cache, 30, 1004)  # larger than all the room there is
    assert (users(cache), cache.bytes) == ([28, 29], 704)
    cache.changed(Change(frozenset(), frozenset({UserId(28), UserId(77)})))
    assert (users(cache), cache.bytes) == ([29], 300)


async def test_what_is_not_kept_is_read_each_time(to: Stores) -> None:
    await filled(to, AIKO)
    small = MemoryStore(to.db, room=100)
    one, other = await small.memory(AIKO, LESSON, SPACE), await small.memory(AIKO, LESSON, SPACE)
    assert one is not other
    assert_alike(one, other)
    assert (len(small.remembered), small.remembered.bytes) == (0, 0)
