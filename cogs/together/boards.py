"""Keeps each card for many as new as the database: one edit at a time, and no older numbers over newer ones."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol
from weakref import WeakValueDictionary

from cogs.render import races, shared
from lessons.errors import PostFailed, PostRefused
from lessons.model import SharedKind

if TYPE_CHECKING:
    from cogs.ui.letters import Letter
    from lessons.flows.racing import Racing
    from lessons.flows.sharing import Sharing
    from lessons.model import ChannelId, MessageId, Shared, SharedId

_log = logging.getLogger(__name__)


class PostRoom(Protocol):
    """Posts cards and brings them up to date. Both raise PostRefused (for good) and PostFailed (it may work later)."""

    async def send_to(self, channel: ChannelId, letter: Letter, nonce: str) -> MessageId:
        """Post a message, once under one nonce."""
        ...

    async def edit(self, channel: ChannelId, message: MessageId, letter: Letter) -> None:
        """Put something else in the place of a message."""
        ...


class Boards:
    """The public cards. Whoever changed something asks for a new drawing; many who ask at once share one."""

    def __init__(self, sharing: Sharing, racing: Racing, room: PostRoom) -> None:
        self._sharing = sharing
        self._racing = racing
        self._room = room
        self._locks: WeakValueDictionary[SharedId, asyncio.Lock] = WeakValueDictionary()
        self._waiting: set[SharedId] = set()

    async def redraw(self, number: SharedId) -> None:
        """Bring a card up to date; one that is gone stays gone. What waits for its turn already covers this too."""
        if number in self._waiting:
            return
        self._waiting.add(number)
        lock = self._locks.get(number) or self._locks.setdefault(number, asyncio.Lock())
        try:
            await lock.acquire()
        finally:
            self._waiting.discard(number)  # from here on the database is read: later changes need another drawing
        try:
            await self._draw(number)
        finally:
            lock.release()

    async def _draw(self, number: SharedId) -> None:
        found = await self._sharing.shared.shared(number)
        letter = await self._letter(found) if found is not None and found.message is not None else None
        if found is None or found.message is None or letter is None:
            return
        try:
            await self._room.edit(found.new.channel, found.message, letter)
        except (PostRefused, PostFailed) as error:
            _log.info("the card of shared drill %d stays as it is: %s", number, type(error).__name__)

    async def _letter(self, found: Shared) -> Letter | None:
        if found.new.kind is SharedKind.DAILY:
            post = await self._sharing.card(found.id)
            return shared.daily(post) if post is not None else None
        question = await self._racing.question(found.id)
        return races.question(question) if question is not None else None
