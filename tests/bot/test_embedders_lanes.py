"""Whose texts are embedded first, in which thread, and what becomes of those who stop waiting; with a model that waits."""

from __future__ import annotations

import asyncio
import threading
from typing import ClassVar

import numpy as np
import pytest

from bot.clients.embedders import EmbedderUnavailable
from bot.clients.embedders.local import INTERACTIVE, Loaded, LocalEmbedder
from bot.clients.embedders.worker import Worker


class Slow(LocalEmbedder):
    """Encodes a text as its length, one stretch at a time, whenever it is let."""

    kind: ClassVar[str] = "slow"
    stretch: ClassVar[int] = 10

    def __init__(self) -> None:
        super().__init__("slow")
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.seen: list[list[str]] = []
        self.threads: set[str] = set()
        self.failing: Exception | None = None

    def _load(self) -> Loaded:
        self.threads.add(threading.current_thread().name)
        return Loaded(self._encode, 2)

    def _encode(self, texts):
        self.threads.add(threading.current_thread().name)
        self.seen.append(texts)
        self.begun.release()
        assert self.go.acquire(timeout=20)
        if self.failing:
            raise self.failing
        return np.array([[len(text), 1] for text in texts], np.float32)

    async def has_begun(self) -> None:
        assert await asyncio.to_thread(self.begun.acquire, timeout=20)

    def let(self, stretches: int = 100) -> None:
        self.go.release(stretches)


@pytest.fixture
async def slow():
    embedder = Slow()
    await embedder.start()
    yield embedder
    embedder.let()
    embedder.close()


def bulk(letter: str, stretches: int = 3) -> list[str]:
    """So many texts that each stretch of them is two."""
    return [letter * 4] * 2 * max(stretches, INTERACTIVE)


async def soon(*requests):
    """Start these requests and let each put its first stretch into the queue."""
    tasks = [asyncio.ensure_future(request) for request in requests]
    await asyncio.sleep(0)
    return tasks


async def test_a_learner_goes_ahead_of_jobs(slow):
    [first] = await soon(slow.embed(bulk("a")))
    await slow.has_begun()
    second, learner = await soon(slow.embed(bulk("b")), slow.embed(["card", "pair"]))
    slow.let()
    await asyncio.gather(first, second, learner)
    assert slow.seen[:2] == [["aaaa", "aaaa"], ["card", "pair"]]


async def test_jobs_take_turns(slow):
    [first] = await soon(slow.embed(bulk("a")))
    await slow.has_begun()
    [second] = await soon(slow.embed(bulk("b")))
    slow.let()
    await asyncio.gather(first, second)
    assert {texts[0][0] for texts in slow.seen[:2]} == {"a", "b"}


async def test_all_work_happens_in_one_thread_that_is_not_ours(slow):
    slow.let()
    await asyncio.gather(*(slow.embed(["a"] * 30) for _ in range(3)))
    assert slow.threads == {"embedder-slow_0"}


async def test_rows_come_in_the_order_of_the_texts(slow):
    slow.let()
    rows = await slow.embed(["a" * length for length in range(1, 40)])
    assert np.allclose(rows[:, 0] / rows[:, 1], range(1, 40))


async def test_who_stops_waiting_takes_no_more_of_the_thread(slow):
    [job] = await soon(slow.embed(bulk("a")))
    await slow.has_begun()
    [idle] = await soon(slow.embed(["never"]))
    job.cancel()
    idle.cancel()
    await asyncio.gather(job, idle, return_exceptions=True)
    slow.let()
    rows = await slow.embed(["abc"])
    assert rows[0, 0] / rows[0, 1] == pytest.approx(3)
    assert slow.seen == [["aaaa", "aaaa"], ["abc"]]


async def test_closing_leaves_nobody_waiting(slow):
    [running] = await soon(slow.embed(["a"]))
    await slow.has_begun()
    [learner, job] = await soon(slow.embed(["b"]), slow.embed(bulk("c")))
    learner.cancel()
    await asyncio.sleep(0)
    slow.close()
    slow.close()
    with pytest.raises(EmbedderUnavailable) as stopped:
        await job
    assert (stopped.value.kind, stopped.value.reason) == ("slow", "it was stopped")
    slow.let()
    assert (await running).shape == (1, 2)
    for asked in (slow.embed(["d"]), slow.embed([]), slow.start()):
        with pytest.raises(EmbedderUnavailable):
            await asked


def test_a_call_that_finds_the_queue_emptied_by_closing_does_nothing():
    worker = Worker("idle")
    worker.close()
    worker._next()


async def test_a_job_that_is_stopped_half_way_says_so(slow):
    [job] = await soon(slow.embed(bulk("a")))
    await slow.has_begun()
    slow.close()
    slow.let()
    with pytest.raises(EmbedderUnavailable):
        await job


async def test_a_model_that_fails_is_named_without_the_text(slow):
    slow.failing = RuntimeError("わたしの答え")
    slow.let()
    with pytest.raises(EmbedderUnavailable) as failed:
        await slow.embed(["わたしの答え"])
    assert failed.value.reason == "it failed with RuntimeError"
    slow.failing = None
    assert (await slow.embed(["a"])).shape == (1, 2)


@pytest.mark.parametrize("row", [[0, 0], [np.nan, 1], [np.inf, 1], [1e-9, 0]])
async def test_a_row_without_a_direction_becomes_the_first_axis(slow, row, monkeypatch):
    monkeypatch.setattr(slow, "_loaded", Loaded(lambda texts: np.array([row] * len(texts), np.float32), 2))
    assert (await slow.embed(["a"])).tolist() == [[1, 0]]


async def test_nothing_is_there_before_it_starts():
    embedder = Slow()
    with pytest.raises(EmbedderUnavailable):
        _ = embedder.dimension
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed(["a"])
    embedder.close()


class TestLoading:
    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            (EmbedderUnavailable("slow", "of its own reason"), "of its own reason"),
            (ModuleNotFoundError("No module", name="scipy"), "the Python package scipy is not installed"),
            (OSError("bad\n file"), "loading it failed: OSError: bad file"),
            (ValueError("x" * 500), f"loading it failed: ValueError: {'x' * 188}…"),
        ],
    )
    async def test_that_fails_says_why_in_a_line_and_closes(self, error, reason, monkeypatch):
        embedder = Slow()

        def fail() -> Loaded:
            raise error

        monkeypatch.setattr(embedder, "_load", fail)
        with pytest.raises(EmbedderUnavailable) as failed:
            await embedder.start()
        assert failed.value.reason == reason
        with pytest.raises(EmbedderUnavailable):
            await embedder.start()

    async def test_that_is_cancelled_closes(self, monkeypatch):
        embedder, go = Slow(), threading.Event()

        def load() -> Loaded:
            assert go.wait(20)
            return Loaded(embedder._encode, 2)

        monkeypatch.setattr(embedder, "_load", load)
        starting = asyncio.ensure_future(embedder.start())
        await asyncio.sleep(0.01)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        go.set()
        with pytest.raises(EmbedderUnavailable):
            await embedder.embed(["a"])
