"""The store of what a group's review is counted from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from lessons.model import (
        AskedItem,
        CountedAnswers,
        CountedMiss,
        ErrorType,
        GuildId,
        LatestRun,
        ReviewedTime,
        UserId,
    )


class Groups(Protocol):
    """Answers of those who let themselves be counted, server by server; every call names the server."""

    async def counted(self, guild: GuildId) -> list[tuple[UserId, datetime]]:
        """Return who wants to be counted and used the bot in this server, with the moment membership was last seen."""
        ...

    async def answers(
        self, guild: GuildId, users: Collection[UserId], since: datetime, until: datetime
    ) -> list[CountedAnswers]:
        """Count answers (skips are none) of these people in drills of this server, from `since` to before `until`."""
        ...

    async def misses(
        self, guild: GuildId, users: Collection[UserId], since: datetime, until: datetime
    ) -> list[CountedMiss]:
        """Return mistakes that these people made in drills of this server, from `since` to before `until`."""
        ...

    async def asked_items(self, guild: GuildId, kind: ErrorType) -> list[AskedItem]:
        """Return items of this server's lesson packs and the starter packs that may be of this kind, by id."""
        ...

    async def reviewed(self, guild: GuildId) -> ReviewedTime | None:
        """Return the time that the latest review of this server counted."""
        ...

    async def note_reviewed(self, time: ReviewedTime) -> None:
        """Keep the time that a review counts, in the place of the one before."""
        ...

    async def latest_runs(self, guild: GuildId) -> list[LatestRun]:
        """Return what became of the latest settled run of each schedule of this server."""
        ...
