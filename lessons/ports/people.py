"""Stores of people: what they chose, what they missed, what they object to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import (
        Accepted,
        Appeal,
        AppealId,
        AttemptId,
        ErrorType,
        GuildId,
        ItemId,
        Learner,
        Mistake,
        MistakeFilter,
        MistakeId,
        Preferences,
        UserId,
    )


class Learners(Protocol):
    """People and what they chose."""

    async def learner(self, user: UserId) -> Learner:
        """Return the learner, with defaults when nothing is stored."""
        ...

    async def save_preferences(
        self, user: UserId, preferences: Preferences, at: datetime, *, zone_chosen: bool
    ) -> None:
        """Store what the learner chose."""
        ...

    async def note_visit(self, user: UserId, guild: GuildId, at: datetime) -> None:
        """Remember that this person used the bot in this server (their packs are offered in DMs)."""
        ...

    async def visited(self, user: UserId) -> list[tuple[GuildId, datetime]]:
        """Servers this person used the bot in, with the moment membership was last seen or checked."""
        ...

    async def forget_visit(self, user: UserId, guild: GuildId) -> None:
        """The person is no longer a member there."""
        ...


class Mistakes(Protocol):
    """What a learner missed."""

    async def page(self, user: UserId, only: MistakeFilter, offset: int, limit: int) -> list[Mistake]:
        """Mistakes of this learner, newest first."""
        ...

    async def count(self, user: UserId, only: MistakeFilter) -> int:
        """How many mistakes the filter selects."""
        ...

    async def counts(self, user: UserId) -> dict[ErrorType, int]:
        """Mistakes by error type."""
        ...

    async def since(self, user: UserId, since: datetime) -> list[Mistake]:
        """Mistakes of this learner since then, newest first."""
        ...

    async def items_of(self, mistakes: Sequence[MistakeId], user: UserId) -> list[ItemId]:
        """Items of these mistakes of this learner that can still be drilled, each once, in the order of `mistakes`."""
        ...

    async def mistake(self, mistake: MistakeId, user: UserId) -> Mistake | None:
        """One mistake of this learner."""
        ...

    async def relabel(self, mistake: MistakeId, user: UserId, error_type: ErrorType, at: datetime) -> bool:
        """Set the error type; False when there is no such mistake of this learner."""
        ...

    async def delete(self, mistake: MistakeId, user: UserId) -> bool:
        """Delete the card (the attempt stays in the tally); False when there is none."""
        ...


class Appeals(Protocol):
    """Every "I was right": what learners ask moderators to accept."""

    async def open_appeal(self, attempt: AttemptId, user: UserId, folded: str, at: datetime) -> bool:
        """File an appeal for a wrong attempt of this learner; False when one was filed before, or it is not wrong.

        It goes to the server that owns the pack, for a starter pack to the server the drill ran in (None: a DM).
        """
        ...

    async def waiting(self, guild: GuildId | None, limit: int) -> list[Appeal]:
        """Open appeals of a server, one per item and folded answer (`times` counts them), oldest first."""
        ...

    async def appeal(self, appeal: AppealId, guild: GuildId | None) -> Appeal | None:
        """One appeal of this server, in any state."""
        ...

    async def decide(
        self, appeal: AppealId, guild: GuildId | None, by: UserId, at: datetime, answer: Accepted | None
    ) -> bool:
        """Decide an open appeal and the others of the same item and answer, in ONE transaction.

        With an `answer` they are accepted: the item takes it as a further accepted answer (for a starter pack in
        drills of this server alone), the attempts become EQUIVALENT and their mistake cards go. Without one they are
        declined. False when it was decided before.
        """
        ...

    async def reopen(self, appeal: AppealId, guild: GuildId | None, decided: datetime) -> bool:
        """Take back what was decided at `decided` about this appeal and the others with it, in ONE transaction.

        After an acceptance the attempts are wrong again, their mistake cards are back as they were, and the answer is
        no longer accepted, unless another decision accepted it too. False when there is no such decision any more.
        """
        ...
