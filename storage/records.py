"""The books of one person, whole: counted, handed out, erased for good."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import ChannelId, Erased, Holdings, Section, SharedId
from storage import codec
from storage.sections import SECTIONS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Sequence

    from lessons.model import Cell, UserId
    from lessons.ports import Clock
    from storage.connection import Database
    from storage.session import Reading, Writing

PAGE: Final = 4000
"""Records that are handed from thread to thread in one piece; each piece goes through those before it once more."""

CARDS: Final = 20
"""Shared cards that are drawn anew without somebody's name, the latest ones."""

_HOLDINGS: Final = """
    SELECT
        (SELECT count(*) FROM learner WHERE user_id = :user) AS settings,
        (SELECT count(*) FROM visit WHERE user_id = :user) AS servers,
        (SELECT count(*) FROM drill WHERE user_id = :user) AS drills,
        (SELECT count(*) FROM attempt WHERE user_id = :user) AS answers,
        (SELECT count(*) FROM mistake WHERE user_id = :user) AS mistakes,
        (SELECT count(*) FROM document WHERE user_id = :user) AS documents,
        (SELECT count(*) FROM profile_line WHERE user_id = :user) AS profile_lines,
        (SELECT count(*) FROM study WHERE user_id = :user) AS studies,
        (SELECT count(*) FROM study_turn WHERE user_id = :user) AS turns,
        (SELECT count(*) FROM schedule WHERE user_id = :user) AS schedules,
        (SELECT count(*) FROM upload WHERE user_id = :user)
            + (SELECT count(*) FROM pack WHERE saved_by = :user)
            + (SELECT count(*) FROM feed WHERE added_by = :user)
            + (SELECT count(*) FROM appeal WHERE decided_by = :user)
            + (SELECT count(*) FROM schedule WHERE made_by = :user AND user_id IS NULL)
            AS traces
"""

_ROOMS: Final = "SELECT channel_id FROM study WHERE user_id = ? AND state = 'open' AND channel_id IS NOT NULL"

# only those of people who show their name
_CARDS: Final = """
    SELECT DISTINCT drill.shared_id
    FROM drill JOIN learner ON learner.user_id = drill.user_id
    WHERE drill.user_id = ? AND learner.named = 1 AND drill.shared_id IS NOT NULL
    ORDER BY drill.shared_id DESC LIMIT ?
"""

# what servers keep forgets who made it; all else of a person hangs on their row of learner
_ERASE: Final = (
    "DELETE FROM upload WHERE user_id = ?",
    "DELETE FROM schedule WHERE made_by = ? AND state = 'draft'",
    "UPDATE schedule SET made_by = 0 WHERE made_by = ? AND user_id IS NULL",
    "UPDATE pack SET saved_by = NULL WHERE saved_by = ?",
    "UPDATE feed SET added_by = 0 WHERE added_by = ?",
    "UPDATE appeal SET decided_by = NULL WHERE decided_by = ?",
    "DELETE FROM learner WHERE user_id = ?",
)


class RecordStore:
    """The Records port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def holdings(self, user: UserId) -> Holdings:
        """How much there is."""
        return await self._db.read(partial(_holdings, user=user))

    async def sections(self, user: UserId) -> AsyncIterator[Section]:
        """Hand out every record of this person and nobody else's, of one moment, piece by piece, section by section."""
        async with self._db.reading() as snapshot:
            for name, asked in SECTIONS.items():
                offset = 0
                while rows := await snapshot.all(asked, {"user": user, "limit": PAGE, "offset": offset}):
                    yield Section(name, await asyncio.to_thread(_readable, rows))
                    offset += len(rows)
                    if len(rows) < PAGE:
                        break

    async def erase(self, user: UserId, clock: Clock) -> Erased:
        """Erase everything of this person in ONE transaction, and what deleted rows leave in the file and its log.

        What servers keep forgets who made it; what was spent keeps no name. Nothing that was begun before is written
        for this person afterwards: it raises Forgotten.
        """
        with self._db.leaving.farewell(user, clock):
            gone = await self._db.write(partial(_erase, user=user))
        await self._db.empty_log()
        return gone


async def _holdings(snapshot: Reading, user: UserId) -> Holdings:
    (row,) = await snapshot.all(_HOLDINGS, {"user": user})
    return Holdings(**dict(row))


async def _erase(transaction: Writing, user: UserId) -> Erased:
    held = await _holdings(transaction, user)
    rooms = await transaction.all(_ROOMS, (user,))
    cards = await transaction.all(_CARDS, (user, CARDS))
    for statement in _ERASE:
        await transaction.run(statement, (user,))
    channels = tuple(ChannelId(row["channel_id"]) for row in rooms)
    return Erased(held, channels, tuple(SharedId(row["shared_id"]) for row in cards))


def _readable(rows: Sequence[sqlite3.Row]) -> tuple[dict[str, Cell], ...]:
    """Write rows as a reader takes them: by the endings of their names, without what is empty."""
    return tuple(dict(_cell(name, row[name]) for name in row.keys() if row[name] is not None) for row in rows)  # noqa: SIM118 - a row iterates over its values


def _cell(name: str, value: Cell) -> tuple[str, Cell]:
    if name.endswith("_json"):
        read: Cell = json.loads(str(value))
        return name.removesuffix("_json"), read
    if name.startswith("is_") and not name.endswith("_id"):
        return name, bool(value)
    if isinstance(value, int):
        if name.endswith("_at"):
            return name, codec.from_ms(value).isoformat(timespec="milliseconds")
        if name.endswith("_day"):
            return name, codec.to_date(value).isoformat()
        if name.endswith("_id"):
            return name, str(value)
    return name, value
