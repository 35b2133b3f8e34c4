"""Which blanks of articles a learner meets next: in sentences that are new to them, or due again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage import codec

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import Candidate, PackId, UserId
    from storage.session import Reading, Value

# CROSS: from a sentence's few blanks to the learner's attempts, never the other way round
_UNREAD: Final = """
    SELECT
        item.id AS item_id, clipping.sentence_id, item.pack_id, clipping.unit, item.skill, clipping.level,
        clipping.certainty, clipping.closed, pack.created_at AS at,
        (
            SELECT text FROM accepted_answer
            WHERE accepted_answer.item_id = item.id AND origin = 'pack' ORDER BY position LIMIT 1
        ) AS reference
    FROM json_each(:articles) AS wanted
    CROSS JOIN pack ON pack.id = wanted.value AND pack.removed_at IS NULL
    CROSS JOIN item ON item.pack_id = pack.id AND item.removed_at IS NULL
    CROSS JOIN clipping ON clipping.item_id = item.id
    WHERE NOT EXISTS (
        SELECT 1 FROM clipping AS same CROSS JOIN attempt ON attempt.item_id = same.item_id
        WHERE same.sentence_id = clipping.sentence_id AND attempt.user_id = :user
    )
    ORDER BY wanted.key, item.position
"""

_DUE: Final = """
    SELECT
        item.id AS item_id, clipping.sentence_id, item.pack_id, clipping.unit, item.skill, clipping.level,
        clipping.certainty, clipping.closed, pack.created_at AS at,
        (
            SELECT text FROM accepted_answer
            WHERE accepted_answer.item_id = item.id AND origin = 'pack' ORDER BY position LIMIT 1
        ) AS reference
    FROM spacing
    JOIN item ON item.id = spacing.item_id AND item.removed_at IS NULL
    JOIN clipping ON clipping.item_id = item.id
    JOIN pack ON pack.id = item.pack_id AND pack.removed_at IS NULL
    WHERE spacing.user_id = :user AND spacing.due <= :at
        AND item.pack_id IN (SELECT value FROM json_each(:articles))
    ORDER BY spacing.due, spacing.item_id LIMIT :limit
"""


async def unread(snapshot: Reading, user: UserId, articles: Sequence[PackId]) -> list[Candidate]:
    """Blanks in sentences of which the learner settled none, in the order of the articles, then of their text."""
    rows = await snapshot.all(_UNREAD, {"user": user, "articles": codec.ids(articles)})
    return [codec.candidate(row) for row in rows]


async def due(
    snapshot: Reading, user: UserId, articles: Collection[PackId], at: datetime, limit: int
) -> list[Candidate]:
    """Blanks that were answered and are due by then, the longest overdue first."""
    values: dict[str, Value] = {
        "user": user,
        "articles": codec.ids(articles),
        "at": codec.to_ms(at),
        "limit": max(0, limit),
    }
    return [codec.candidate(row) for row in await snapshot.all(_DUE, values)]
