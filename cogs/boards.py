"""Keeps each card for many as new as the database: one edit at a time, and no older numbers over newer ones."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from typing import TYPE_CHECKING

from cogs.render import races, shared
from lessons.errors import PostFailed, PostRefused
from lessons.model import SharedKind

if TYPE_CHECKING:
    from cogs.outbox import DiscordOutbox
    from cogs.ui.letters import Letter
    from lessons.flows.racing import Racing
    from lessons.flows.sharing import Sharing
    from lessons.model import Shared, SharedId

_log = logging.getLogger(__name__)


class Boards:
    """The public cards. Whoever changed something asks for a new drawing; many who ask at once share one."""

    def __init__(self, sharing: Sharing, racing: Racing, outbox: DiscordOutbox) -> None:
        self._sharing = sharing
        self._racing = racing
        self._outbox = outbox
        self._locks: defaultdict[SharedId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._waiting: set[SharedId] = set()

    async def redraw(self, number: SharedId) -> None:
        """Bring a card up to date; one that is gone stays gone. What waits for its turn already covers this too."""
        if number in self._waiting:
            return
        self._waiting.add(number)
        lock = self._locks[number]
        try:
            async with lock:
                self._waiting.discard(number)  # from here on the database is read: later changes need another drawing
                await self._draw(number)
        finally:
            self._waiting.discard(number)
            if not lock.locked():
                self._locks.pop(number, None)

    async def _draw(self, number: SharedId) -> None:
        found = await self._sharing.shared.shared(number)
        letter = await self._letter(found) if found is not None and found.message is not None else None
        if found is None or found.message is None or letter is None:
            return
        try:
            await self._outbox.edit(found.new.channel, found.message, letter)
        except (PostRefused, PostFailed) as error:
            _log.info("the card of shared drill %d stays as it is: %s", number, type(error).__name__)

    async def _letter(self, found: Shared) -> Letter | None:
        if found.new.kind is SharedKind.DAILY:
            post = await self._sharing.card(found.id)
            return shared.daily(post) if post is not None else None
        question = await self._racing.question(found.id)
        return races.question(question) if question is not None else None
