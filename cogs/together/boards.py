"""Keeps each card for many as new as the database: one edit at a time, and no older numbers over newer ones."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final, Protocol
from weakref import WeakValueDictionary

from cogs.render import races, shared
from lessons.errors import PostFailed, PostRefused
from lessons.model import SharedKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cogs.ui.letters import Letter
    from lessons.flows.racing import Racing
    from lessons.flows.sharing import Sharing
    from lessons.model import ChannelId, MessageId, Shared, SharedId, UserId

_log = logging.getLogger(__name__)

LATEST: Final = 20
"""Cards that are drawn anew when somebody shows or hides their name."""


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

    async def redraw_of(self, user: UserId) -> None:
        """Bring the latest cards up to date on which this person's name stands, or could."""
        for number in await self._sharing.shared.taken_part(user, LATEST):
            await self.redraw(number)

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
        if found is None:
            return
        async for message, letter in self._letters(found):
            try:
                await self._room.edit(found.new.channel, message, letter)
            except (PostRefused, PostFailed) as error:
                _log.info("a card of shared drill %d stays as it is: %s", number, type(error).__name__)

    async def _letters(self, found: Shared) -> AsyncIterator[tuple[MessageId, Letter]]:
        """Yield the cards there are, as they should be: a drill of the day's; of a race its question's, and the last."""
        if found.new.kind is SharedKind.DAILY:
            post = await self._sharing.card(found.id)
            if found.message is not None and post is not None:
                yield found.message, shared.daily(post)
            return
        question = await self._racing.question(found.id)
        if found.message is not None and question is not None:
            yield found.message, races.question(question)
        finish = await self._racing.finish(found.id)
        if found.last is not None and finish is not None:
            yield found.last, races.finish(finish)
