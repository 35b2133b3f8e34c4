"""Everything of a person, or of a server that has gone, across all stores at once: counted, written out, erased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection
    from datetime import datetime

    from lessons.model import Erased, GuildId, Holdings, Section, UserId
    from lessons.ports.world import Clock


class Records(Protocol):
    """The books of one person, whole."""

    async def holdings(self, user: UserId) -> Holdings:
        """How much there is."""
        ...

    def sections(self, user: UserId) -> AsyncIterator[Section]:
        """Hand out every record of this person and nobody else's, of one moment, piece by piece, section by section."""
        ...

    async def erase(self, user: UserId, clock: Clock) -> Erased:
        """Erase everything of this person in ONE transaction, and what deleted rows leave in the file and its log.

        What servers keep forgets who made it; what was spent keeps no name. Nothing that was begun before is written
        for this person afterwards: it raises Forgotten.
        """
        ...


class Leftovers(Protocol):
    """What nobody comes back for: files and schedules never confirmed, and all of a server that removed the bot."""

    async def roll_call(self, present: Collection[GuildId], at: datetime) -> int:
        """Note which servers with anything in the books are not among those present; how many are missing by now."""
        ...

    async def clear_servers(self, missing_since: datetime, at: datetime) -> int:
        """Let go of what belongs to servers that are missing since then or longer; how many there were.

        Their packs and articles are hidden, without the text of what nobody was asked; learners keep what they answered.
        """
        ...

    async def clear_drafts(self, before: datetime) -> int:
        """Drop files and schedules that were waiting to be confirmed since before then; how many there were."""
        ...

    async def forget_who_left(self, before: datetime) -> None:
        """Forget, too, that anybody asked before then to be forgotten, and empty the log if that is still to be done."""
        ...
