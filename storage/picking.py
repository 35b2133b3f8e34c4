"""Which items a learner meets next: what is due, what is new, and how much of the day's share is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import ItemId, PackId
from storage import codec

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from lessons.model import Track, UserId
    from storage.session import Reading, Value

_DUE: Final = """
    SELECT spacing.item_id
    FROM spacing JOIN visible_item ON visible_item.id = spacing.item_id
    WHERE spacing.user_id = :user AND spacing.due <= :at
        AND pack_id IN (SELECT value FROM json_each(:packs))
        AND (:lessons IS NULL OR lesson IN (SELECT value FROM json_each(:lessons)))
    ORDER BY spacing.due, spacing.item_id LIMIT :limit
"""

_AHEAD: Final = """
    SELECT spacing.item_id
    FROM spacing JOIN visible_item ON visible_item.id = spacing.item_id
    WHERE spacing.user_id = :user AND spacing.due > :at
        AND pack_id IN (SELECT value FROM json_each(:packs))
        AND (:lessons IS NULL OR lesson IN (SELECT value FROM json_each(:lessons)))
    ORDER BY spacing.due, spacing.item_id LIMIT :limit
"""

_FRESH: Final = """
    SELECT visible_item.id AS item_id
    FROM json_each(:packs) AS wanted CROSS JOIN visible_item ON visible_item.pack_id = wanted.value
    WHERE NOT EXISTS (
            SELECT 1 FROM spacing WHERE spacing.user_id = :user AND spacing.item_id = visible_item.id
        )
        AND (:lessons IS NULL OR lesson IN (SELECT value FROM json_each(:lessons)))
    ORDER BY wanted.key, visible_item.position LIMIT :limit
"""

_NEXT_DUE: Final = """
    SELECT min(spacing.due) AS due
    FROM spacing JOIN visible_item ON visible_item.id = spacing.item_id
    WHERE spacing.user_id = :user AND pack_id IN (SELECT value FROM json_each(:packs))
"""

_REVIEWED: Final = """
    SELECT count(*) FILTER (WHERE is_first) AS new, count(*) FILTER (WHERE NOT is_first) AS again
    FROM (
        SELECT NOT EXISTS (
            SELECT 1 FROM attempt AS before
            WHERE before.user_id = attempt.user_id AND before.item_id = attempt.item_id
                AND before.rating IS NOT NULL AND (before.at, before.id) < (attempt.at, attempt.id)
        ) AS is_first
        FROM attempt
        WHERE user_id = :user AND track = :track AND at >= :since AND rating IS NOT NULL
    )
"""

_LAST_PACK: Final = """
    SELECT pack_id FROM attempt JOIN item ON item.id = attempt.item_id
    WHERE attempt.user_id = ? AND attempt.track = 'lesson' ORDER BY attempt.at DESC, attempt.id DESC LIMIT 1
"""


def choice(
    user: UserId, packs: Collection[PackId], at: datetime | None, limit: int, lessons: Collection[str] | None
) -> dict[str, Value]:
    """Say what the three selections below are asked with; a limit below 0 is 0."""
    return {
        "user": user,
        "packs": codec.ids(packs),
        "at": codec.to_ms(at) if at else None,
        "limit": max(0, limit),
        "lessons": None if lessons is None else codec.ids(lessons),
    }


async def due(snapshot: Reading, asked: dict[str, Value]) -> list[ItemId]:
    """Items due by then, the longest overdue first."""
    return [ItemId(row["item_id"]) for row in await snapshot.all(_DUE, asked)]


async def ahead(snapshot: Reading, asked: dict[str, Value]) -> list[ItemId]:
    """Items that fall due after then, the soonest first."""
    return [ItemId(row["item_id"]) for row in await snapshot.all(_AHEAD, asked)]


async def fresh(snapshot: Reading, asked: dict[str, Value]) -> list[ItemId]:
    """Items without spacing, in the order of the packs, then of the file."""
    return [ItemId(row["item_id"]) for row in await snapshot.all(_FRESH, asked)]


async def next_due(snapshot: Reading, user: UserId, packs: Collection[PackId]) -> datetime | None:
    """Return the earliest due time."""
    row = await snapshot.one(_NEXT_DUE, {"user": user, "packs": codec.ids(packs)})
    return codec.from_ms(row["due"]) if row and row["due"] is not None else None


async def reviewed_since(snapshot: Reading, user: UserId, track: Track, since: datetime) -> tuple[int, int]:
    """Reviews since then: first ones of an item, and further ones. A skip is no review."""
    (row,) = await snapshot.all(_REVIEWED, {"user": user, "track": track, "since": codec.to_ms(since)})
    return row["new"], row["again"]


async def last_pack(snapshot: Reading, user: UserId) -> PackId | None:
    """Return the pack of the latest attempt; articles are no packs to go on with."""
    row = await snapshot.one(_LAST_PACK, (user,))
    return PackId(row["pack_id"]) if row else None
