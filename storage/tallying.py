"""What progress is counted from: a learner's settled exercises, no further back than a chart can show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage import codec

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from lessons.model import UserId
    from storage.session import Reading

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


async def daily(snapshot: Reading, user: UserId, since: datetime) -> list[sqlite3.Row]:
    """Rows of at, track, verdict, error_type and first_attempt, oldest first."""
    return await snapshot.all(_DAILY, {"user": user, "since": codec.to_ms(since), "reach": DAYS * _DAY})
