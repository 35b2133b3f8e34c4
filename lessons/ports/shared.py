"""The store of drills that several people answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import (
        ChannelId,
        DrillId,
        Ending,
        Gap,
        GuildId,
        ItemId,
        Joined,
        MessageId,
        NewShared,
        PackId,
        Place,
        RunId,
        Scores,
        Shared,
        SharedId,
        Tally,
        UserId,
    )


class SharedDrills(Protocol):
    """Shared drills, and who answered what in them. Each change of one is a transaction; False when it came too late."""

    async def begin(self, new: NewShared, items: Sequence[ItemId], at: datetime) -> Shared | None:
        """Start one over these items; None when a race is under way in the channel, or there is one of this run.

        A race waits for its first question to be shown; a DAILY one is open at once.
        """
        ...

    async def shared(self, shared: SharedId) -> Shared | None:
        """Return one as it stands."""
        ...

    async def of_run(self, run: RunId) -> Shared | None:
        """Return the one that was made for this time of a schedule."""
        ...

    async def race_in(self, channel: ChannelId) -> Shared | None:
        """Return the race that is under way in a channel."""
        ...

    async def unfinished(self, since: datetime) -> list[Shared]:
        """Return races that are open, or ended since then (not LOST) without a last card."""
        ...

    async def ask(self, shared: SharedId, position: int, at: datetime) -> bool:
        """Open the question that waits, or the one after the question that closed."""
        ...

    async def hint(self, shared: SharedId, position: int, hints: int) -> bool:
        """Note how many hints are shown with the open question."""
        ...

    async def close(self, shared: SharedId, position: int, at: datetime) -> bool:
        """Close the open question; answers that came in before still count."""
        ...

    async def end(self, shared: SharedId, why: Ending, at: datetime) -> bool:
        """End a race, and the drills of those who took part."""
        ...

    async def anew(self, shared: SharedId) -> bool:
        """Let the open question of a race wait to be shown once more."""
        ...

    async def posted(self, shared: SharedId, position: int, message: MessageId, at: datetime) -> None:
        """Note which message shows this question; the time of a race's question begins with it."""
        ...

    async def concluded(self, shared: SharedId, message: MessageId) -> None:
        """Note which message tells how it ended."""
        ...

    async def place(self, shared: SharedId, position: int, user: UserId | None = None) -> Place | None:
        """Return one question, with this person's exercise."""
        ...

    async def join(self, shared: SharedId, user: UserId, at: datetime) -> Joined | None:
        """Give a person their own drill over the items of an open one, once; None when it is gone or over."""
        ...

    async def drill_of(self, shared: SharedId, user: UserId) -> DrillId | None:
        """Return the person's own drill over the items of a shared one."""
        ...

    async def taken_part(self, user: UserId, limit: int) -> list[SharedId]:
        """Return the shared drills that this person answered in, the latest first."""
        ...

    async def tally(self, shared: SharedId, position: int) -> Tally:
        """Count the answers to one question."""
        ...

    async def scores(self, shared: SharedId) -> Scores:
        """Count the right answers of everybody."""
        ...

    async def asked_in(self, channel: ChannelId, since: datetime) -> list[ItemId]:
        """Return items that shared drills of a channel asked since then, each once, the latest first."""
        ...

    async def items(self, packs: Collection[PackId], lessons: Collection[str] | None = None) -> list[ItemId]:
        """Return visible items of these packs (and lessons, unless None)."""
        ...

    async def items_of(self, shared: SharedId) -> list[ItemId]:
        """Return the items of a shared drill that can still be asked, in order."""
        ...

    async def gaps(self, guild: GuildId, articles: int) -> list[Gap]:
        """Return closed blanks of the newest so many articles of a server, the newest first."""
        ...
