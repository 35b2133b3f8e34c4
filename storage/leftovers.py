"""What nobody comes back for: files and schedules never confirmed, and all of a server that removed the bot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import PackId
from storage import articles, codec

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from lessons.model import GuildId
    from storage.connection import Database
    from storage.session import Writing

_RETURNED: Final = "DELETE FROM absence WHERE guild_id IN (SELECT value FROM json_each(?))"

_MISSING: Final = """
    INSERT INTO absence (guild_id, since)
    SELECT guild_id, :at
    FROM (
        SELECT guild_id FROM pack WHERE guild_id IS NOT NULL
        UNION SELECT guild_id FROM feed
        UNION SELECT guild_id FROM upload
        UNION SELECT guild_id FROM schedule WHERE guild_id IS NOT NULL
        UNION SELECT guild_id FROM accepted_answer WHERE guild_id IS NOT NULL
    )
    WHERE guild_id NOT IN (SELECT value FROM json_each(:present))
    ON CONFLICT DO NOTHING
"""

_OPEN: Final = "SELECT count(*) AS found FROM absence WHERE cleared_at IS NULL"

_FOR_LONG: Final = "SELECT guild_id FROM absence WHERE cleared_at IS NULL AND since <= ? ORDER BY since, guild_id"

_CLEARED: Final = """
    UPDATE absence SET cleared_at = :at WHERE guild_id = :guild AND cleared_at IS NULL RETURNING guild_id
"""

_PACKS: Final = "SELECT id FROM pack WHERE guild_id = ?"

_HIDE: Final = "UPDATE pack SET removed_at = coalesce(removed_at, :at) WHERE guild_id = :guild"

# else they would look like drills of nobody else, to go on with
_STOP_SHARED: Final = """
    UPDATE drill SET state = 'stopped', ended_at = :at
    WHERE state = 'open' AND shared_id IN (SELECT id FROM shared_drill WHERE guild_id = :guild)
"""

_LET_GO: Final = (
    "DELETE FROM upload WHERE guild_id = ?",
    "DELETE FROM feed WHERE guild_id = ?",
    "DELETE FROM known_key WHERE guild_id = ?",
    "DELETE FROM accepted_answer WHERE guild_id = ?",
    "DELETE FROM schedule WHERE guild_id = ?",
    "DELETE FROM group_review WHERE guild_id = ?",
    "DELETE FROM shared_drill WHERE guild_id = ?",
)

_UPLOADS: Final = "DELETE FROM upload WHERE at < ? RETURNING id"

_DRAFTS: Final = "DELETE FROM schedule WHERE state = 'draft' AND made_at < ? RETURNING id"


class LeftoverStore:
    """The Leftovers port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def roll_call(self, present: Collection[GuildId], at: datetime) -> int:
        """Note which servers with anything in the books are not among those present; how many are missing by now."""
        there = codec.ids(present)

        async def work(transaction: Writing) -> int:
            await transaction.run(_RETURNED, (there,))
            await transaction.run(_MISSING, {"present": there, "at": codec.to_ms(at)})
            (row,) = await transaction.all(_OPEN)
            return int(row["found"])

        return await self._db.write(work)

    async def clear_servers(self, missing_since: datetime, at: datetime) -> int:
        """Let go of what belongs to servers that are missing since then or longer; how many there were.

        Their packs and articles are hidden, without the text of what nobody was asked; learners keep what they answered.
        """
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_FOR_LONG, (codec.to_ms(missing_since),))
        cleared = [await self._db.write(partial(_clear, guild=row["guild_id"], at=codec.to_ms(at))) for row in rows]
        return sum(cleared)

    async def clear_drafts(self, before: datetime) -> int:
        """Drop files and schedules that were waiting to be confirmed since before then; how many there were."""
        moment = (codec.to_ms(before),)

        async def work(transaction: Writing) -> int:
            return len(await transaction.all(_UPLOADS, moment)) + len(await transaction.all(_DRAFTS, moment))

        return await self._db.write(work)

    async def forget_who_left(self, before: datetime) -> None:
        """Forget, too, that anybody asked before then to be forgotten, and empty the log if that is still to be done."""
        self._db.leaving.forget(before)
        await self._db.empty_log()


async def _clear(transaction: Writing, guild: int, at: int) -> bool:
    values = {"guild": guild, "at": at}
    if await transaction.one(_CLEARED, values) is None:
        return False
    await transaction.run(_HIDE, values)
    for row in await transaction.all(_PACKS, (guild,)):
        await articles.drop_unasked(transaction, PackId(row["id"]), at)
    await transaction.run(_STOP_SHARED, values)
    for statement in _LET_GO:
        await transaction.run(statement, (guild,))
    return True
