"""What a learner missed: cards that outlive their pack, for their owner alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from lessons.model import ErrorType, ItemId
from storage import codec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import Mistake, MistakeFilter, MistakeId, UserId
    from storage.connection import Database
    from storage.session import Value

_PAGE: Final = """
    SELECT * FROM mistake
    WHERE user_id = :user
        AND (:error_type IS NULL OR error_type = :error_type)
        AND (:track IS NULL OR track = :track)
        AND (:contains = '' OR instr(lower(prompt || char(10) || reference || char(10) || typed), lower(:contains)))
    ORDER BY at DESC, id DESC LIMIT :limit OFFSET :offset
"""

_COUNT: Final = """
    SELECT count(*) AS found FROM mistake
    WHERE user_id = :user
        AND (:error_type IS NULL OR error_type = :error_type)
        AND (:track IS NULL OR track = :track)
        AND (:contains = '' OR instr(lower(prompt || char(10) || reference || char(10) || typed), lower(:contains)))
"""

_COUNTS: Final = """
    SELECT error_type, count(*) AS found FROM mistake WHERE user_id = ?
    GROUP BY error_type ORDER BY found DESC, error_type
"""

_SINCE: Final = "SELECT * FROM mistake WHERE user_id = ? AND at >= ? ORDER BY at DESC, id DESC"

_ITEMS: Final = """
    SELECT visible_item.id AS item_id
    FROM json_each(:mistakes) AS wanted
    JOIN mistake ON mistake.id = wanted.value AND mistake.user_id = :user
    JOIN visible_item ON visible_item.id = mistake.item_id
    GROUP BY visible_item.id ORDER BY min(wanted.key)
"""

_RELABEL: Final = """
    UPDATE mistake SET error_type = ?, relabelled_at = ? WHERE id = ? AND user_id = ? RETURNING id
"""

_DELETE: Final = "DELETE FROM mistake WHERE id = ? AND user_id = ? RETURNING id"


class MistakeStore:
    """The Mistakes port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def page(self, user: UserId, only: MistakeFilter, offset: int, limit: int) -> list[Mistake]:
        """Mistakes of this learner, newest first."""
        values = _filter(user, only) | {"offset": max(0, offset), "limit": max(0, limit)}
        async with self._db.reading() as snapshot:
            return [codec.mistake(row) for row in await snapshot.all(_PAGE, values)]

    async def count(self, user: UserId, only: MistakeFilter) -> int:
        """How many mistakes the filter selects."""
        async with self._db.reading() as snapshot:
            (row,) = await snapshot.all(_COUNT, _filter(user, only))
        return int(row["found"])

    async def counts(self, user: UserId) -> dict[ErrorType, int]:
        """Mistakes by error type, the most frequent first; types without one are absent."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_COUNTS, (user,))
        return {ErrorType(row["error_type"]): row["found"] for row in rows}

    async def since(self, user: UserId, since: datetime) -> list[Mistake]:
        """Mistakes of this learner since then, newest first."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_SINCE, (user, codec.to_ms(since)))
        return await asyncio.to_thread(lambda: [codec.mistake(row) for row in rows])

    async def items_of(self, mistakes: Sequence[MistakeId], user: UserId) -> list[ItemId]:
        """Items of these mistakes of this learner that can still be drilled, each once, in the order of `mistakes`."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_ITEMS, {"mistakes": codec.ids(mistakes), "user": user})
        return [ItemId(row["item_id"]) for row in rows]

    async def mistake(self, mistake: MistakeId, user: UserId) -> Mistake | None:
        """One mistake of this learner."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM mistake WHERE id = ? AND user_id = ?", (mistake, user))
        return codec.mistake(row) if row else None

    async def relabel(self, mistake: MistakeId, user: UserId, error_type: ErrorType, at: datetime) -> bool:
        """Set the error type; False when there is no such mistake of this learner."""
        values = (error_type, codec.to_ms(at), mistake, user)
        return await self._db.write(lambda transaction: transaction.one(_RELABEL, values)) is not None

    async def delete(self, mistake: MistakeId, user: UserId) -> bool:
        """Delete the card (the attempt stays in the tally); False when there is none."""
        return await self._db.write(lambda transaction: transaction.one(_DELETE, (mistake, user))) is not None


def _filter(user: UserId, only: MistakeFilter) -> dict[str, Value]:
    """Say what is looked for in prompt, reference and typed answer; upper and lower case of Latin letters are one."""
    return {
        "user": user,
        "error_type": only.error_type,
        "track": only.track,
        "contains": codec.storable(only.contains),
    }
