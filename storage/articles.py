"""Articles as what is left of them: title, link, and the sentences that are asked about, each as items of one pack."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import PackId
from storage import codec, offering, shelving
from storage.packs import fold_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import Article, Candidate, Cutting, GuildId, NewArticle, UserId
    from storage.connection import Database
    from storage.session import Value, Writing

NAME: Final = 60
"""Characters of a title that serve as the name of the pack, which mistakes keep."""

_KNOWN: Final = """
    SELECT key FROM known_key WHERE guild_id = ? AND key IN (SELECT value FROM json_each(?))
"""

_HOLDING: Final = """
    SELECT pack.title
    FROM known_key JOIN pack ON pack.id = known_key.pack_id
    WHERE known_key.guild_id = ? AND known_key.key IN (SELECT value FROM json_each(?))
    LIMIT 1
"""

_NOTE: Final = "INSERT INTO known_key (guild_id, key, at, pack_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

_FREE: Final = "DELETE FROM known_key WHERE pack_id = ?"

_PACK: Final = """
    INSERT INTO pack (kind, guild_id, name, folded, title, language, strict_kana, saved_by, created_at, updated_at)
    SELECT 'article', :guild, :name, :folded, :title, :language, 0, :by, :at, :at
    WHERE :feed IS NULL OR EXISTS (SELECT 1 FROM feed WHERE id = :feed AND guild_id = :guild)
    RETURNING id
"""

_ARTICLE: Final = """
    INSERT INTO article (pack_id, feed_id, url, source, published_at) VALUES (:pack, :feed, :url, :source, :published)
"""

_CLIPPING: Final = """
    INSERT INTO clipping (item_id, sentence_id, unit, level, certainty, closed) VALUES (?, ?, ?, ?, ?, ?)
"""

# counted for those that are shown alone: the newest are found first
_OF_GUILDS: Final = """
    SELECT * FROM visible_article
    WHERE id IN (
        SELECT id FROM pack
        WHERE kind = 'article' AND guild_id IN (SELECT value FROM json_each(?)) AND removed_at IS NULL
            AND EXISTS (SELECT 1 FROM item WHERE item.pack_id = pack.id AND item.removed_at IS NULL)
        ORDER BY created_at DESC, id DESC LIMIT ?
    )
    ORDER BY created_at DESC, id DESC
"""

_ONE: Final = "SELECT * FROM visible_article WHERE id = ? AND guild_id IN (SELECT value FROM json_each(?))"

_HIDE: Final = """
    UPDATE pack SET removed_at = :at
    WHERE id = :article AND guild_id = :guild AND kind = 'article' AND removed_at IS NULL
    RETURNING id
"""

_NEVER_ASKED: Final = """
    SELECT id FROM item
    WHERE pack_id = ? AND NOT EXISTS (SELECT 1 FROM exercise WHERE exercise.item_id = item.id)
        AND NOT EXISTS (SELECT 1 FROM shared_item WHERE shared_item.item_id = item.id)
"""

# the row stays, so that its number is not given to another item; SQLite looks for references only when a row is deleted
_EMPTY: Final = """
    UPDATE item SET
        row_key = 'dropped ' || id, prompt = '', lesson = '', reading = '', meaning = '', hint = '', explanation = '',
        skill = NULL, tags = '', part_of_speech = '', furigana = '', removed_at = ?
    WHERE id = ?
"""


class ArticleStore:
    """The Articles port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def known(self, guild: GuildId, keys: Collection[str]) -> frozenset[str]:
        """Which of these keys (guids, addresses, texts, sentences) this server has met before."""
        stored = {_key(key): key for key in keys}
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_KNOWN, (guild, codec.ids(stored)))
        return frozenset(stored[row["key"]] for row in rows)

    async def holding(self, guild: GuildId, keys: Collection[str]) -> str:
        """Return the title of an article of this server that one of these keys goes with, "" when there is none."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_HOLDING, (guild, codec.ids(map(_key, keys))))
        return row["title"] if row else ""

    async def note(self, guild: GuildId, keys: Collection[str], at: datetime) -> None:
        """Remember keys, so that what they name is not looked at again."""
        rows = [(guild, _key(key), codec.to_ms(at), None) for key in keys]
        if rows:
            await self._db.write(lambda transaction: transaction.many(_NOTE, rows))

    async def save(self, article: NewArticle, at: datetime) -> Article | None:
        """Keep an article with its items, and its keys, in one transaction.

        None when one of its keys is known, or the feed it came from is gone; then nothing is written. Raises ValueError
        for two cuttings whose rows have one key.
        """
        rows = await shelving.encode([cutting.prepared for cutting in article.cuttings])
        return await self._db.write(partial(_save, article=article, rows=rows, at=codec.to_ms(at)))

    async def of_guilds(self, guilds: Collection[GuildId], limit: int) -> list[Article]:
        """Articles of these servers that have something to ask, newest first."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_OF_GUILDS, (codec.ids(guilds), max(0, limit)))
        return [codec.article(row) for row in rows]

    async def article(self, article: PackId, guilds: Collection[GuildId]) -> Article | None:
        """One article of these servers that is not removed."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_ONE, (article, codec.ids(guilds)))
        return codec.article(row) if row else None

    async def remove(self, article: PackId, guild: GuildId, at: datetime) -> bool:
        """Hide an article, drop the text of what nobody was asked, and free its keys; False when it is not there."""
        return await self._db.write(partial(hide, article=article, guild=guild, at=codec.to_ms(at)))

    async def candidates(self, user: UserId, articles: Sequence[PackId]) -> list[Candidate]:
        """Blanks of these articles in sentences that this learner never answered, in the order of `articles`."""
        return await self._db.read(partial(offering.unread, user=user, articles=articles))

    async def due(self, user: UserId, articles: Collection[PackId], at: datetime, limit: int) -> list[Candidate]:
        """Blanks of these articles that this learner answered and that are due by now, the longest overdue first."""
        return await self._db.read(partial(offering.due, user=user, articles=articles, at=at, limit=limit))


async def hide(transaction: Writing, article: PackId, guild: GuildId, at: int) -> bool:
    """Hide an article, free its keys, and drop the text of the items that no exercise asks.

    The other items stay for those who met them.
    """
    if await transaction.one(_HIDE, {"article": article, "guild": guild, "at": at}) is None:
        return False
    await transaction.run(_FREE, (article,))
    await drop_unasked(transaction, article, at)
    return True


async def drop_unasked(transaction: Writing, pack: PackId, at: int) -> None:
    """Drop the text of the items of a hidden pack or article that no exercise asks."""
    dropped = [row["id"] for row in await transaction.all(_NEVER_ASKED, (pack,))]
    await transaction.many("DELETE FROM accepted_answer WHERE item_id = ?", [(item,) for item in dropped])
    await transaction.many("DELETE FROM clipping WHERE item_id = ?", [(item,) for item in dropped])
    await transaction.many(_EMPTY, [(at, item) for item in dropped])


async def _save(transaction: Writing, article: NewArticle, rows: Sequence[shelving.Wanted], at: int) -> Article | None:
    own, lasting = [_key(key) for key in article.keys], [_key(key) for key in article.lasting]
    keys = [*own, *lasting]
    if await transaction.all(_KNOWN, (article.guild_id, codec.ids(keys))):
        return None
    values = _values(article, at)
    saved = await transaction.one(_PACK, values)
    if saved is None:
        return None
    pack = PackId(saved["id"])
    await transaction.run(_ARTICLE, values | {"pack": pack})
    await shelving.shelve(transaction, pack, rows, at)
    items = await transaction.all("SELECT id, row_key FROM item WHERE pack_id = ?", (pack,))
    numbers: dict[str, int] = {row["row_key"]: row["id"] for row in items}
    await transaction.many(_CLIPPING, _clippings(article.cuttings, numbers))
    await transaction.many(_NOTE, [(article.guild_id, key, at, pack) for key in own])
    await transaction.many(_NOTE, [(article.guild_id, key, at, None) for key in lasting])
    (stored,) = await transaction.all(_ONE, (pack, codec.ids([article.guild_id])))
    return codec.article(stored)


def _clippings(cuttings: Sequence[Cutting], numbers: dict[str, int]) -> list[tuple[Value, ...]]:
    """Rows of `clipping`: a sentence is known by the lowest of its items."""
    first: dict[int, int] = {}
    for cutting in cuttings:
        number = numbers[cutting.prepared.row.key]
        first[cutting.sentence] = min(number, first.get(cutting.sentence, number))
    return [
        (
            numbers[cutting.prepared.row.key],
            first[cutting.sentence],
            cutting.blank.unit,
            cutting.blank.level,
            cutting.blank.certainty,
            cutting.blank.closed,
        )
        for cutting in cuttings
    ]


def _values(article: NewArticle, at: int) -> dict[str, Value]:
    titles = (" ".join(codec.storable(text).replace("\0", " ").split()) for text in (article.title, article.source))
    title = next(filter(None, titles), "?")
    name = title[:NAME].strip()
    return {
        "guild": article.guild_id,
        "feed": article.feed_id,
        "name": name,
        "folded": fold_name(name) or name,
        "title": title,
        "language": article.language,
        "by": article.added_by,
        "url": codec.storable(article.url),
        "source": codec.storable(article.source),
        "published": codec.ms(article.published),
        "at": at,
    }


def _key(key: str) -> str:
    """Return a key as SQLite takes it, inside JSON too."""
    return codec.storable(key).replace("\0", "\N{REPLACEMENT CHARACTER}")
