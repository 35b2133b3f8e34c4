"""What progress is counted from: settled exercises, no further back than a chart can show, and days of practice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import ItemId
from storage import codec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection
    from datetime import date, datetime

    from lessons.model import UserId
    from storage.session import Reading, Value

DAYS: Final = 400
"""How far back the exercises reach, counted from the learner's latest one."""

_DAY: Final = 86_400_000  # milliseconds

_DAILY: Final = """
    SELECT
        attempt.at,
        attempt.track,
        attempt.verdict,
        mistake.error_type,
        NOT EXISTS (
            SELECT 1 FROM attempt AS before
            WHERE before.user_id = attempt.user_id AND before.item_id = attempt.item_id
                AND before.rating IS NOT NULL AND (before.at, before.id) < (attempt.at, attempt.id)
        ) AS first_attempt
    FROM attempt
    LEFT JOIN mistake ON mistake.attempt_id = attempt.id AND mistake.user_id = attempt.user_id
    WHERE attempt.user_id = :user AND attempt.track IN ('lesson', 'exercise')
        AND attempt.at >= :since
        AND attempt.at > (SELECT max(at) FROM attempt WHERE user_id = :user) - :reach
    ORDER BY attempt.at, attempt.id
"""

_LATEST: Final = """
    SELECT value AS item_id, (
        SELECT verdict <> 'wrong' FROM attempt
        WHERE user_id = :user AND item_id = wanted.value AND at > :since AND at <= :until
            AND verdict IN ('exact', 'equivalent', 'wrong')
        ORDER BY at DESC, id DESC LIMIT 1
    ) AS is_right
    FROM json_each(:items) AS wanted
"""


async def daily(snapshot: Reading, user: UserId, since: datetime) -> list[sqlite3.Row]:
    """Rows of at, track, verdict, error_type and first_attempt, oldest first."""
    return await snapshot.all(_DAILY, {"user": user, "since": codec.to_ms(since), "reach": DAYS * _DAY})


async def practised(snapshot: Reading, user: UserId) -> list[date]:
    """Return the days of practice, rising."""
    rows = await snapshot.all("SELECT day FROM study_day WHERE user_id = ? ORDER BY day", (user,))
    return [codec.to_date(row["day"]) for row in rows]


async def latest_answers(
    snapshot: Reading, user: UserId, items: Collection[ItemId], since: datetime, until: datetime
) -> dict[ItemId, bool]:
    """Tell of these items, where they were answered after `since` and by `until`, whether the latest answer was right."""
    values: dict[str, Value] = {
        "user": user,
        "items": codec.ids(items),
        "since": codec.to_ms(since),
        "until": codec.to_ms(until),
    }
    rows = await snapshot.all(_LATEST, values)
    return {ItemId(row["item_id"]): bool(row["is_right"]) for row in rows if row["is_right"] is not None}
