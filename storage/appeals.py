"""Every "I was right": filed once an attempt, decided once for all who typed the same, by the server it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import AppealState, AttemptId, ItemId
from storage import answers, codec, recording

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import Accepted, Appeal, AppealId, GuildId, UserId
    from storage.connection import Database
    from storage.session import Value, Writing

_FILE: Final = """
    INSERT INTO appeal (attempt_id, user_id, item_id, guild_id, folded, state, at)
    SELECT attempt.id, attempt.user_id, attempt.item_id, coalesce(pack.guild_id, drill.guild_id), :folded, 'open', :at
    FROM attempt
    JOIN exercise ON exercise.id = attempt.exercise_id
    JOIN drill ON drill.id = exercise.drill_id
    JOIN item ON item.id = attempt.item_id
    JOIN pack ON pack.id = item.pack_id
    WHERE attempt.id = :attempt AND attempt.user_id = :user AND attempt.verdict = 'wrong'
    ON CONFLICT (attempt_id) DO NOTHING
    RETURNING id
"""

# the oldest of each group speaks for it: with min() SQLite takes the other columns from the row that has it
_WAITING: Final = """
    SELECT *, min(at) FROM appeal_card
    WHERE state = 'open' AND guild_id IS ?
    GROUP BY item_id, folded ORDER BY at, id LIMIT ?
"""

_DECIDE: Final = """
    UPDATE appeal SET state = :state, decided_by = :by, decided_at = :at
    WHERE state = 'open' AND guild_id IS :guild AND (item_id, folded) = (
        SELECT item_id, folded FROM appeal WHERE id = :appeal AND state = 'open' AND guild_id IS :guild
    )
    RETURNING attempt_id, item_id
"""

# a decision is known by its appeal and its moment: the others of that moment were decided with it
_REOPEN: Final = """
    UPDATE appeal SET state = :state, decided_by = NULL, decided_at = NULL
    WHERE guild_id IS :guild AND (item_id, folded, decided_at) = (
        SELECT item_id, folded, decided_at FROM appeal
        WHERE id = :appeal AND decided_at = :decided AND guild_id IS :guild
    )
    RETURNING attempt_id, item_id, folded
"""

_STILL_ACCEPTED: Final = """
    SELECT 1 FROM appeal WHERE item_id = ? AND folded = ? AND guild_id IS ? AND state = 'accepted' LIMIT 1
"""


class AppealStore:
    """The Appeals port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def open_appeal(self, attempt: AttemptId, user: UserId, folded: str, at: datetime) -> bool:
        """File an appeal for a wrong attempt of this learner; False when one was filed before, or it is not wrong.

        It goes to the server that owns the pack, for a starter pack to the server the drill ran in (None: a DM).
        """
        values: dict[str, Value] = {
            "attempt": attempt,
            "user": user,
            "folded": codec.storable(folded),
            "at": codec.to_ms(at),
        }
        return await self._db.write(lambda transaction: transaction.one(_FILE, values)) is not None

    async def waiting(self, guild: GuildId | None, limit: int) -> list[Appeal]:
        """Open appeals of a server, one per item and folded answer (`times` counts them), oldest first."""
        async with self._db.reading() as snapshot:
            return [codec.appeal(row) for row in await snapshot.all(_WAITING, (guild, max(0, limit)))]

    async def appeal(self, appeal: AppealId, guild: GuildId | None) -> Appeal | None:
        """One appeal of this server, in any state."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM appeal_card WHERE id = ? AND guild_id IS ?", (appeal, guild))
        return codec.appeal(row) if row else None

    async def decide(
        self, appeal: AppealId, guild: GuildId | None, by: UserId, at: datetime, answer: Accepted | None
    ) -> bool:
        """Decide an open appeal and the others of the same item and answer, in ONE transaction.

        With an `answer` they are accepted: the item takes it as a further accepted answer (for a starter pack in
        drills of this server alone), the attempts become EQUIVALENT and their mistake cards go. Without one they are
        declined. False when it was decided before.
        """
        values: dict[str, Value] = {
            "appeal": appeal,
            "guild": guild,
            "state": AppealState.DECLINED if answer is None else AppealState.ACCEPTED,
            "by": by,
            "at": codec.to_ms(at),
        }

        async def work(transaction: Writing) -> bool:
            decided = await transaction.all(_DECIDE, values)
            if decided and answer is not None:
                await answers.accept(transaction, ItemId(decided[0]["item_id"]), answer, guild, at)
                for row in decided:
                    await recording.overturn(transaction, AttemptId(row["attempt_id"]), at)
            return bool(decided)

        return await self._db.write(work)

    async def reopen(self, appeal: AppealId, guild: GuildId | None, decided: datetime) -> bool:
        """Take back what was decided at `decided` about this appeal and the others with it, in ONE transaction.

        After an acceptance the attempts are wrong again, their mistake cards are back as they were, and the answer is
        no longer accepted, unless another decision accepted it too. False when there is no such decision any more.
        """
        values: dict[str, Value] = {
            "appeal": appeal,
            "guild": guild,
            "state": AppealState.OPEN,
            "decided": codec.to_ms(decided),
        }

        async def work(transaction: Writing) -> bool:
            reopened = await transaction.all(_REOPEN, values)
            overturned = [await recording.reinstate(transaction, AttemptId(row["attempt_id"])) for row in reopened]
            if any(overturned):
                item, folded = ItemId(reopened[0]["item_id"]), reopened[0]["folded"]
                if await transaction.one(_STILL_ACCEPTED, (item, folded, guild)) is None:
                    await answers.retract(transaction, item, folded, guild)
            return bool(reopened)

        return await self._db.write(work)
