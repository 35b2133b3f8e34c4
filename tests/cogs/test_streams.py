"""A reply that grows: the pace of its edits, one at a time, the last one always, and what happens when one falls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

import aiohttp
import pytest
from discord.ui import LayoutView, TextDisplay

from cogs.ui.streams import write
from lessons.flows.conversing import Saying


def draw(saying: Saying) -> Sequence[LayoutView]:
    """A page a line, with a mark where the reply ended."""
    views = []
    for line in saying.text.split("\n"):
        view = LayoutView(timeout=None)
        view.add_item(TextDisplay(f"{line}{'!' if saying.broken else '.' if saying.done else ''}"))
        views.append(view)
    return views


class Sheet:
    """A paper that remembers what was put on it, and how many put at once."""

    def __init__(self, *, slow: float = 0.0, fall: int = 0) -> None:
        self.puts: list[tuple[int, str]] = []
        self.at: list[float] = []
        self.slow, self.fall = slow, fall
        self.under_way = self.most = 0

    async def put(self, page: int, view: LayoutView) -> None:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        self.at.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.slow)
        self.under_way -= 1
        if self.fall:
            self.fall -= 1
            raise aiohttp.ServerDisconnectedError
        (item,) = view.children
        assert isinstance(item, TextDisplay)
        self.puts.append((page, item.content))


async def growing(
    words: Sequence[str], pause: float = 0.0, fail: Exception | None = None
) -> AsyncGenerator[Saying, None]:
    for number in range(1, len(words)):
        yield Saying("".join(words[:number]))
        await asyncio.sleep(pause)
    if fail is not None:
        raise fail
    yield Saying("".join(words), done=True)


async def test_every_piece_is_shown_where_the_pace_allows_it() -> None:
    sheet = Sheet()
    last = await write(growing("abcd", 0.01), sheet, draw, pace=0.0)
    assert last == Saying("abcd", done=True)
    assert sheet.puts == [(0, "a"), (0, "ab"), (0, "abc"), (0, "abcd.")]


async def test_edits_keep_their_distance_but_the_last_one_comes_at_once() -> None:
    sheet = Sheet()
    await write(growing("abcdefgh", 0.01), sheet, draw, pace=30.0)
    assert sheet.puts == [(0, "a"), (0, "abcdefgh.")]


async def test_what_came_meanwhile_is_shown_once_the_pace_allows_it() -> None:
    sheet = Sheet()
    await write(growing("abcdef", 0.05), sheet, draw, pace=0.12)
    assert sheet.puts[-1] == (0, "abcdef.")
    assert len(sheet.puts) < 6
    gaps = [later - earlier for earlier, later in zip(sheet.at, sheet.at[1:], strict=False)][:-1]
    assert all(gap >= 0.1 for gap in gaps)


async def test_slow_edits_never_overlap_nor_hold_the_reply_up() -> None:
    sheet = Sheet(slow=0.05)
    await write(growing("abcdefgh", 0.01), sheet, draw, pace=0.0)
    assert sheet.most == 1
    assert len(sheet.puts) < 8
    assert sheet.puts[-1] == (0, "abcdefgh.")


async def test_only_pages_that_changed_are_written() -> None:
    sheet = Sheet()
    await write(growing(["one", "\ntwo", "\nthree"], 0.01), sheet, draw, pace=0.0)
    assert sheet.puts == [(0, "one"), (1, "two"), (0, "one."), (1, "two."), (2, "three.")]


async def test_a_fallen_edit_is_made_up_for() -> None:
    sheet = Sheet(fall=1)
    await write(growing("abc", 0.01), sheet, draw, pace=0.0)
    assert sheet.puts == [(0, "ab"), (0, "abc.")]


async def test_the_last_edit_is_tried_twice() -> None:
    sheet = Sheet(fall=1)
    await write(growing("a"), sheet, draw)
    assert sheet.puts == [(0, "a.")]
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await write(growing("a"), Sheet(fall=2), draw)


async def test_a_generator_that_fails_midway_leaves_what_came_as_broken_off() -> None:
    sheet = Sheet()
    with pytest.raises(RuntimeError, match="gone"):
        await write(growing("abc", 0.01, RuntimeError("gone")), sheet, draw, pace=30.0)
    assert sheet.puts[-1] == (0, "ab!")


async def test_a_generator_that_fails_at_once_writes_nothing() -> None:
    sheet = Sheet()
    with pytest.raises(RuntimeError, match="gone"):
        await write(growing("a", fail=RuntimeError("gone")), sheet, draw)
    assert sheet.puts == []


async def test_no_reply_writes_nothing() -> None:
    async def silent() -> AsyncGenerator[Saying, None]:
        for saying in ():
            yield saying

    sheet = Sheet()
    assert await write(silent(), sheet, draw) is None
    assert sheet.puts == []


async def test_a_reply_that_is_left_is_closed() -> None:
    closed = asyncio.Event()

    async def endless() -> AsyncGenerator[Saying, None]:
        try:
            while True:
                yield Saying("a")
                await asyncio.sleep(0.01)
        finally:
            closed.set()

    writing = asyncio.create_task(write(endless(), Sheet(), draw))
    await asyncio.sleep(0.03)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert closed.is_set()
