"""Feeds of servers, and when each is looked at next."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import PackId
from storage import articles, codec

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import Feed, FeedId, GuildId, UserId
    from storage.connection import Database
    from storage.session import Value, Writing

_ADD: Final = """
    INSERT INTO feed (guild_id, url, title, language, state, next_check, checked_at, etag, last_modified, failures,
                      trouble, added_by, added_at)
    VALUES (:guild, :url, :title, :language, :state, :next_check, :checked_at, :etag, :last_modified, :failures,
            :trouble, :by, :at)
    ON CONFLICT DO NOTHING RETURNING id
"""

_OF_GUILD: Final = "SELECT * FROM feed_tally WHERE guild_id = ? ORDER BY title COLLATE NOCASE, id"

_ONE: Final = "SELECT * FROM feed_tally WHERE id = ? AND guild_id = ?"

_DUE: Final = """
    SELECT * FROM feed_tally WHERE state = 'active' AND next_check <= ? ORDER BY next_check, id LIMIT ?
"""

# a feed that moved to where another one of the server is stays known by its old address
_LOOKED: Final = """
    UPDATE feed SET
        url = iif(EXISTS (
            SELECT 1 FROM feed AS other WHERE other.guild_id = :guild AND other.url = :url AND other.id <> :feed
        ), url, :url),
        title = :title, state = :state, next_check = :next_check, checked_at = :at, etag = :etag,
        last_modified = :last_modified, failures = :failures, trouble = :trouble
    WHERE id = :feed AND guild_id = :guild
"""

_ARTICLES: Final = """
    SELECT pack.id FROM article JOIN pack ON pack.id = article.pack_id
    WHERE article.feed_id = ? AND pack.guild_id = ? AND pack.removed_at IS NULL
"""

_FORGET: Final = "DELETE FROM feed WHERE id = ? AND guild_id = ? RETURNING id"


class FeedStore:
    """The Feeds port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, feed: Feed, by: UserId, at: datetime) -> Feed | None:
        """Keep a feed (its id is ignored); None when the server has that address already."""
        values = _values(feed) | {
            "language": codec.storable(feed.language),
            "checked_at": codec.ms(feed.checked_at),
            "by": by,
            "at": codec.to_ms(at),
        }

        async def work(transaction: Writing) -> Feed | None:
            added = await transaction.one(_ADD, values)
            if added is None:
                return None
            (row,) = await transaction.all(_ONE, (added["id"], feed.guild_id))
            return codec.feed(row)

        return await self._db.write(work)

    async def of_guild(self, guild: GuildId) -> list[Feed]:
        """Feeds of a server, by title."""
        async with self._db.reading() as snapshot:
            return [codec.feed(row) for row in await snapshot.all(_OF_GUILD, (guild,))]

    async def feed(self, feed: FeedId, guild: GuildId) -> Feed | None:
        """One feed of this server."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_ONE, (feed, guild))
        return codec.feed(row) if row else None

    async def due(self, at: datetime, limit: int) -> list[Feed]:
        """Active feeds of all servers to look at by now, the longest overdue first."""
        async with self._db.reading() as snapshot:
            return [codec.feed(row) for row in await snapshot.all(_DUE, (codec.to_ms(at), max(0, limit)))]

    async def looked(self, feed: Feed, at: datetime) -> None:
        """Keep what a look changed: address, title, validators, state, trouble, failures and the next look."""
        values = _values(feed) | {"feed": feed.id, "at": codec.to_ms(at)}
        await self._db.write(lambda transaction: transaction.run(_LOOKED, values))

    async def remove(self, feed: FeedId, guild: GuildId, at: datetime, *, articles: bool) -> bool:
        """Forget a feed, and hide its articles if `articles`; else they stay. False when it was gone already."""
        work = partial(_remove, feed=feed, guild=guild, at=codec.to_ms(at), hiding=articles)
        return await self._db.write(work)


async def _remove(transaction: Writing, feed: FeedId, guild: GuildId, at: int, *, hiding: bool) -> bool:
    hidden = await transaction.all(_ARTICLES, (feed, guild)) if hiding else []
    for row in hidden:
        await articles.hide(transaction, PackId(row["id"]), guild, at)
    return await transaction.one(_FORGET, (feed, guild)) is not None


def _values(feed: Feed) -> dict[str, Value]:
    return {
        "guild": feed.guild_id,
        "url": codec.storable(feed.url),
        "title": codec.storable(feed.title),
        "state": feed.state,
        "next_check": codec.to_ms(feed.next_check),
        "etag": codec.storable(feed.etag),
        "last_modified": codec.storable(feed.last_modified),
        "failures": feed.failures,
        "trouble": feed.trouble,
    }
