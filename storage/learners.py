"""People and what they chose: one row a person, on which everything else of that person hangs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import GuildId, Learner
from storage import codec

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import Preferences, UserId
    from storage.connection import Database
    from storage.session import Value, Writing

_ENSURE: Final = """
    INSERT INTO learner (user_id, created_at, updated_at) VALUES (:user, :at, :at) ON CONFLICT DO NOTHING
"""

_SAVE: Final = """
    INSERT INTO learner (user_id, time_zone, zone_chosen, language, new_per_day, reviews_per_day, drill_length,
                         furigana, joined_tracks, named, counted, streaks, created_at, updated_at)
    VALUES (:user, :time_zone, :zone_chosen, :language, :new_per_day, :reviews_per_day, :drill_length,
            :furigana, :joined_tracks, :named, :counted, :streaks, :at, :at)
    ON CONFLICT DO UPDATE SET
        time_zone = excluded.time_zone, zone_chosen = excluded.zone_chosen, language = excluded.language,
        new_per_day = excluded.new_per_day, reviews_per_day = excluded.reviews_per_day,
        drill_length = excluded.drill_length, furigana = excluded.furigana,
        joined_tracks = excluded.joined_tracks, named = excluded.named, counted = excluded.counted,
        streaks = excluded.streaks, updated_at = excluded.updated_at
"""

_VISIT: Final = """
    INSERT INTO visit (user_id, guild_id, seen_at) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET seen_at = max(seen_at, excluded.seen_at)
"""


async def ensure(transaction: Writing, user: UserId, at: datetime) -> None:
    """Make the learner's row unless it is there; every first write for a person begins with this."""
    await transaction.run(_ENSURE, {"user": user, "at": codec.to_ms(at)})


class LearnerStore:
    """The Learners port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def learner(self, user: UserId) -> Learner:
        """Return the learner, with defaults when nothing is stored."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM learner WHERE user_id = ?", (user,))
        return codec.learner(row) if row else Learner(user)

    async def save_preferences(
        self, user: UserId, preferences: Preferences, at: datetime, *, zone_chosen: bool
    ) -> None:
        """Store what the learner chose."""
        values: dict[str, Value] = {
            "user": user,
            "time_zone": preferences.time_zone,
            "zone_chosen": zone_chosen,
            "language": preferences.language,
            "new_per_day": preferences.new_per_day,
            "reviews_per_day": preferences.reviews_per_day,
            "drill_length": preferences.drill_length,
            "furigana": preferences.furigana,
            "joined_tracks": preferences.joined_tracks,
            "named": preferences.named,
            "counted": preferences.counted,
            "streaks": preferences.streaks,
            "at": codec.to_ms(at),
        }
        await self._db.write(lambda transaction: transaction.run(_SAVE, values))

    async def note_visit(self, user: UserId, guild: GuildId, at: datetime) -> None:
        """Remember that this person used the bot in this server."""

        async def work(transaction: Writing) -> None:
            await ensure(transaction, user, at)
            await transaction.run(_VISIT, (user, guild, codec.to_ms(at)))

        await self._db.write(work)

    async def visited(self, user: UserId) -> list[tuple[GuildId, datetime]]:
        """Servers this person used the bot in, the latest first, with the moment membership was last seen."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(
                "SELECT guild_id, seen_at FROM visit WHERE user_id = ? ORDER BY seen_at DESC, guild_id", (user,)
            )
        return [(GuildId(row["guild_id"]), codec.from_ms(row["seen_at"])) for row in rows]

    async def forget_visit(self, user: UserId, guild: GuildId) -> None:
        """Note that the person is no longer a member there."""
        await self._db.write(
            lambda transaction: transaction.run("DELETE FROM visit WHERE user_id = ? AND guild_id = ?", (user, guild))
        )
