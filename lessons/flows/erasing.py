"""Forgetting a person for good: the books, and whatever else remembers them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lessons.model import Erased, Holdings, UserId
    from lessons.ports import Clock, Records


class Rememberer(Protocol):
    """Something that keeps in memory what a person did."""

    def let_go(self, user: UserId) -> None:
        """Keep nothing of this person any more; harmless when there is nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Erasing:
    """Tells a person what there is of them, and erases it."""

    records: Records
    rememberers: tuple[Rememberer, ...]
    clock: Clock

    async def holdings(self, user: UserId) -> Holdings:
        """Return how much is kept of this person."""
        return await self.records.holdings(user)

    async def erase(self, user: UserId) -> Erased:
        """Erase everything of a person; harmless when there is nothing.

        Whatever is still under way for them comes to nothing: its writes raise Forgotten.
        """
        erased = await self.records.erase(user, self.clock)
        for each in self.rememberers:
            each.let_go(user)
        return erased
