"""A reply that grows on screen: edits at a pace Discord takes, one at a time, and always the last word."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

import aiohttp
import discord

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from discord.ui import LayoutView

    from lessons.flows.conversing import Saying

PACE: Final = 1.5
"""Seconds between two edits."""
FALLEN: Final = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError)
"""What an edit may die of without ending the reply."""


class Paper(Protocol):
    """Where a reply is written, a message a page."""

    async def put(self, page: int, view: LayoutView) -> None:
        """Show a page (from 0): in the message it stands in already, else in a new one."""
        ...


@dataclass(slots=True)
class Private:
    """The private reply to an interaction that was deferred, with followups for further pages."""

    interaction: discord.Interaction
    further: list[discord.WebhookMessage] = field(default_factory=list)

    async def put(self, page: int, view: LayoutView) -> None:
        """Show a page."""
        if page == 0:
            await self.interaction.edit_original_response(view=view)
        elif page <= len(self.further):
            await self.further[page - 1].edit(view=view)
        else:
            hidden = self.interaction.guild_id is not None
            self.further.append(await self.interaction.followup.send(view=view, ephemeral=hidden, wait=True))


@dataclass(slots=True)
class Posted:
    """Ordinary messages of a thread or of direct messages."""

    channel: discord.abc.Messageable
    messages: list[discord.Message] = field(default_factory=list)

    async def put(self, page: int, view: LayoutView) -> None:
        """Show a page."""
        if page < len(self.messages):
            await self.messages[page].edit(view=view)
        else:
            self.messages.append(await self.channel.send(view=view))


async def write(
    sayings: AsyncGenerator[Saying, None],
    paper: Paper,
    draw: Callable[[Saying], Sequence[LayoutView]],
    pace: float = PACE,
) -> Saying | None:
    """Write a reply while it grows, and return its end; None, with nothing written, when there is none.

    `draw` makes its pages. Between two edits lie `pace` seconds of the loop at least, except before the last one. An
    edit that falls through is made up for by the next; the last one is tried twice and raises. Whatever the generator
    raises is raised once what came before stands there as broken off.
    """
    writing = _Writing(paper, draw, pace)
    last = None
    try:
        async with aclosing(sayings) as coming:
            async for last in coming:
                if not last.done:
                    writing.take(last)
    except Exception:
        await writing.rest()
        if last is not None:
            with suppress(*FALLEN):
                await writing.show(replace(last, done=True, broken=True))
        raise
    finally:
        await writing.rest()
    if last is not None:
        await _insisting(lambda: writing.show(last))
    return last


@dataclass(slots=True)
class _Writing:
    paper: Paper
    draw: Callable[[Saying], Sequence[LayoutView]]
    pace: float
    newest: Saying | None = None
    shown: list[object] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    edit: asyncio.Task[None] | None = None
    free_at: float = 0.0

    def take(self, saying: Saying) -> None:
        """Show this as soon as the pace allows, or something newer."""
        self.newest = saying
        if self.edit is None or self.edit.done():
            self.edit = asyncio.create_task(self._in_time())

    async def rest(self) -> None:
        """Let the edit under way finish, and begin no other."""
        self.ended.set()
        if self.edit is not None:
            await self.edit

    async def show(self, saying: Saying) -> None:
        """Write the pages that changed."""
        for page, view in enumerate(self.draw(saying)):
            drawn = view.to_components()  # type: ignore[no-untyped-call]
            if page < len(self.shown) and self.shown[page] == drawn:
                continue
            await self.paper.put(page, view)
            self.shown[page : page + 1] = [drawn]

    async def _in_time(self) -> None:
        loop = asyncio.get_running_loop()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), max(0.0, self.free_at - loop.time()))
            return
        if self.newest is not None:
            with suppress(*FALLEN):
                await self.show(self.newest)
        self.free_at = loop.time() + self.pace


async def _insisting(work: Callable[[], Awaitable[None]]) -> None:
    try:
        await work()
    except FALLEN:
        await work()
