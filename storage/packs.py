"""Lesson packs and their items: rows keep their ids through every new version of a file."""

from __future__ import annotations

import asyncio
import unicodedata
from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import PackChange, PackId
from storage import answers, codec, shelving, uploads

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import GuildId, Item, ItemId, Pack, PackHead, Prepared, Upload, UploadId
    from storage.connection import Database
    from storage.session import Value, Writing

_VISIBLE: Final = """
    SELECT * FROM visible_pack
    WHERE guild_id IS NULL OR guild_id IN (SELECT value FROM json_each(?))
    ORDER BY guild_id IS NULL, iif(guild_id IS NULL, id, folded), guild_id
"""

_FIND: Final = """
    SELECT * FROM visible_pack
    WHERE folded = ? AND (guild_id IS NULL OR guild_id IN (SELECT value FROM json_each(?)))
    ORDER BY guild_id IS NULL, guild_id LIMIT 1
"""

_REMOVED: Final = """
    SELECT pack.*, (SELECT count(*) FROM item WHERE item.pack_id = pack.id AND item.removed_at IS NULL) AS items
    FROM pack
    WHERE coalesce(guild_id, 0) = ? AND folded = ? AND kind = 'lesson' AND removed_at IS NOT NULL
"""

_SAVE: Final = """
    INSERT INTO pack (guild_id, name, folded, title, digest, language, strict_kana, saved_by, created_at, updated_at)
    VALUES (:guild, :name, :folded, :title, :digest, :language, :strict_kana, :by, :at, :at)
    ON CONFLICT (coalesce(guild_id, 0), folded) WHERE kind = 'lesson' DO UPDATE SET
        name = excluded.name, title = excluded.title, digest = excluded.digest, language = excluded.language,
        strict_kana = excluded.strict_kana, saved_by = excluded.saved_by, updated_at = excluded.updated_at,
        removed_at = NULL
    RETURNING id
"""

_ITEMS: Final = """
    SELECT * FROM clipped_item
    WHERE pack_id = :pack AND removed_at IS NULL
        AND EXISTS (SELECT 1 FROM pack WHERE id = :pack AND removed_at IS NULL)
    ORDER BY position
"""

# one without a prompt is what is left of an item whose text was dropped
_ITEM: Final = "SELECT * FROM clipped_item WHERE id = ? AND prompt <> ''"

_LESSONS: Final = "SELECT lesson FROM visible_item WHERE pack_id = ? GROUP BY lesson ORDER BY min(position)"

_SIBLINGS: Final = """
    SELECT DISTINCT answer.text
    FROM item AS asked
    JOIN item AS other ON other.pack_id = asked.pack_id AND other.prompt = asked.prompt AND other.kind = asked.kind
    JOIN accepted_answer AS answer ON answer.item_id = other.id
    WHERE asked.id = ? AND other.id <> asked.id AND other.removed_at IS NULL
        AND answer.guild_id IS NULL
    ORDER BY +other.position, answer.origin = 'appeal', answer.position -- "+": look up by prompt, then sort the few
"""

_IS_TAKEN: Final = """
    SELECT 1
    FROM accepted_answer AS answer
    JOIN item AS other ON other.id = answer.item_id
    WHERE answer.folded = :folded AND other.id <> :item AND other.removed_at IS NULL
        AND other.pack_id = (SELECT pack_id FROM item WHERE id = :item)
        AND answer.guild_id IS NULL
    LIMIT 1
"""


class PackStore:
    """The Packs port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def visible(self, guilds: Collection[GuildId]) -> list[Pack]:
        """Packs of these servers by name, then the starter packs in the order they were first saved."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_VISIBLE, (codec.ids(guilds),))
        return [codec.pack(row) for row in rows]

    async def find(self, name: str, guilds: Collection[GuildId]) -> Pack | None:
        """Return the pack of that name (case and width folded), a server's own before a starter pack."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_FIND, (fold_name(name), codec.ids(guilds)))
        return codec.pack(row) if row else None

    async def by_id(self, pack: PackId) -> Pack | None:
        """Return a pack that is not removed."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM visible_pack WHERE id = ?", (pack,))
        return codec.pack(row) if row else None

    async def title(self, pack: PackId) -> str:
        """Return what a pack is called, also one that was removed; "" when there never was one."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT iif(title = '', name, title) AS title FROM pack WHERE id = ?", (pack,))
        return row["title"] if row else ""

    async def removed(self, name: str, guild: GuildId) -> Pack | None:
        """Return the server's removed pack of that name, which saving brings back, with the rows it had."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_REMOVED, (guild, fold_name(name)))
        return codec.pack(row) if row else None

    async def save(self, head: PackHead, items: Sequence[Prepared], at: datetime) -> PackChange:
        """Make the pack, or bring it up to these rows in one transaction; all of it, or nothing."""
        values: dict[str, Value] = {
            "guild": head.guild_id,
            "name": head.name.strip(),
            "folded": fold_name(head.name),
            "title": head.title,
            "digest": head.digest,
            "language": head.language,
            "strict_kana": head.strict_kana,
            "by": head.saved_by,
            "at": codec.to_ms(at),
        }
        rows = await shelving.encode(items)
        return await self._db.write(partial(_save, values=values, rows=rows, at=codec.to_ms(at)))

    async def items(self, pack: PackId) -> list[Item]:
        """All items of a pack in file order, with the answers that are accepted everywhere."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_ITEMS, {"pack": pack})
            accepted = await answers.of_items(snapshot, rows, None)
        return await asyncio.to_thread(codec.items, rows, accepted)

    async def lessons(self, pack: PackId) -> list[str]:
        """Return the lessons of a pack's visible items, each once, in file order."""
        async with self._db.reading() as snapshot:
            return [row["lesson"] for row in await snapshot.all(_LESSONS, (pack,))]

    async def item(self, item: ItemId) -> Item | None:
        """One item, also of a removed pack, with the answers that are accepted everywhere."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_ITEM, (item,))
            accepted = await answers.of_items(snapshot, rows, None)
        return next(iter(codec.items(rows, accepted)), None)

    async def remove(self, pack: PackId, at: datetime) -> None:
        """Hide the pack; mistakes and progress are kept, and loading it again brings it back."""
        hide = "UPDATE pack SET removed_at = ? WHERE id = ? AND kind = 'lesson' AND removed_at IS NULL"
        await self._db.write(lambda transaction: transaction.run(hide, (codec.to_ms(at), pack)))

    async def siblings(self, item: ItemId) -> list[str]:
        """Return accepted answers of the other visible items of the same pack, kind and prompt."""
        async with self._db.reading() as snapshot:
            return [row["text"] for row in await snapshot.all(_SIBLINGS, (item,))]

    async def is_taken(self, item: ItemId, folded: str) -> bool:
        """Tell whether this folded text is an accepted answer of another visible item of the same pack."""
        async with self._db.reading() as snapshot:
            return await snapshot.one(_IS_TAKEN, {"item": item, "folded": folded}) is not None

    async def hold_upload(self, upload: Upload) -> UploadId:
        """Keep a file until it is confirmed (the id in `upload` is ignored); drops uploads older than a day."""
        return await self._db.write(partial(uploads.hold, upload=upload))

    async def upload(self, upload: UploadId) -> Upload | None:
        """Return a held file."""
        return await self._db.read(partial(uploads.find, upload=upload))

    async def drop_upload(self, upload: UploadId) -> bool:
        """Forget a held file; False when it was gone already (a second press)."""
        return await self._db.write(partial(uploads.drop, upload=upload))


def fold_name(name: str) -> str:
    """Return a pack's name as it is looked up: width and case folded, spaces trimmed and collapsed."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


async def _save(transaction: Writing, values: dict[str, Value], rows: Sequence[shelving.Wanted], at: int) -> PackChange:
    (saved,) = await transaction.all(_SAVE, values)
    plan = await shelving.shelve(transaction, PackId(saved["id"]), rows, at)
    (stored,) = await transaction.all("SELECT * FROM visible_pack WHERE id = ?", (saved["id"],))
    return PackChange(codec.pack(stored), plan.added, plan.updated, plan.unchanged, len(plan.gone))
