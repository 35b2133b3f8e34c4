"""Lines of profiles: a learner's own stands above one of an analysis, and neither overwrites the other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import Origin, ProfileField
from storage import codec, learners

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import ProfileLine, UserId
    from storage.connection import Database
    from storage.session import Value, Writing

_FIELDS: Final = {field: place for place, field in enumerate(ProfileField)}

# the learner's own last, so that it takes the place of the other
_LINES: Final = "SELECT * FROM profile_line WHERE user_id = ? ORDER BY origin = 'learner'"

_SET: Final = """
    INSERT INTO profile_line (user_id, field, origin, text, at) VALUES (:user, :field, :origin, :text, :at)
    ON CONFLICT DO UPDATE SET text = excluded.text, at = excluded.at
"""

_TAKE_AWAY: Final = "DELETE FROM profile_line WHERE user_id = :user AND field = :field AND origin = :origin"

_FORGET: Final = """
    DELETE FROM profile_line WHERE user_id = :user AND (:field IS NULL OR field = :field) RETURNING field
"""


class ProfileStore:
    """The Profiles port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def lines(self, user: UserId) -> list[ProfileLine]:
        """Stored lines of this learner, in the order of the fields; at most one a field, the learner's own first."""
        async with self._db.reading() as snapshot:
            read = map(codec.profile_line, await snapshot.all(_LINES, (user,)))
            above = {line.field: line for line in read}
        return sorted(above.values(), key=lambda line: _FIELDS[line.field])

    async def write(self, user: UserId, lines: Sequence[ProfileLine], at: datetime) -> None:
        """Set lines, each in the place of the field's one of the same origin; an empty text takes that line away.

        All of them or none. Raises ValueError for a summary, which is made anew each time.
        """
        if any(line.origin is Origin.SUMMARY for line in lines):
            raise ValueError("a summary is never stored")
        rows = {(line.field, line.origin): _values(user, line, at) for line in lines}
        await self._db.write(partial(_write, user=user, rows=list(rows.values()), at=at))

    async def forget(self, user: UserId, field: ProfileField | None) -> int:
        """Forget a field's lines, or all of them (None); how many there were."""
        values = {"user": user, "field": field}
        return len(await self._db.write(lambda transaction: transaction.all(_FORGET, values)))


async def _write(transaction: Writing, user: UserId, rows: Sequence[dict[str, Value]], at: datetime) -> None:
    kept = [row for row in rows if row["text"]]
    if kept:
        await learners.ensure(transaction, user, at)
    await transaction.many(_TAKE_AWAY, [row for row in rows if not row["text"]])
    await transaction.many(_SET, kept)


def _values(user: UserId, line: ProfileLine, at: datetime) -> dict[str, Value]:
    return {
        "user": user,
        "field": line.field,
        "origin": line.origin,
        "text": codec.storable(line.text) if line.text.strip() else "",
        "at": codec.to_ms(at),
    }
