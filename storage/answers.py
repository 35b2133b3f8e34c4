"""Accepted answers of stored items: the pack's, and those that moderators accepted, each where it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage import codec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import Accepted, GuildId, ItemId
    from storage.session import Reading, Writing

_OF_ITEMS: Final = """
    SELECT * FROM accepted_answer
    WHERE item_id IN (SELECT value FROM json_each(:items)) AND (guild_id IS NULL OR guild_id = :guild)
    ORDER BY item_id, origin = 'appeal', position, id
"""

_ACCEPT: Final = """
    INSERT INTO accepted_answer (item_id, position, text, folded, readings, analysis, origin, guild_id, added_at)
    SELECT item.id, 0, ?, ?, ?, ?, 'appeal', iif(pack.guild_id IS NULL, ?, NULL), ?
    FROM item JOIN pack ON pack.id = item.pack_id
    WHERE item.id = ?
    ON CONFLICT DO NOTHING
"""

_RETRACT: Final = """
    DELETE FROM accepted_answer
    WHERE item_id = :item AND folded = :folded AND origin = 'appeal'
        AND guild_id IS iif((SELECT pack.guild_id FROM item JOIN pack ON pack.id = item.pack_id WHERE item.id = :item)
                            IS NULL, :guild, NULL)
"""


async def of_items(snapshot: Reading, rows: Sequence[sqlite3.Row], guild: GuildId | None) -> list[sqlite3.Row]:
    """Rows of `accepted_answer` for rows of `item`, as drills of this server accept them: sorted by item, the pack's first."""
    return await snapshot.all(_OF_ITEMS, {"items": codec.ids(row["id"] for row in rows), "guild": guild})


async def accept(transaction: Writing, item: ItemId, answer: Accepted, guild: GuildId | None, at: datetime) -> None:
    """Add an answer that this server's moderators accepted; one that is there already stays as it is.

    It counts wherever the server's own pack is drilled; for a starter pack in drills of this server alone (None:
    the operator accepted it, for everybody).
    """
    await transaction.run(_ACCEPT, (*codec.accepted_to_columns(answer), guild, codec.to_ms(at), item))


async def retract(transaction: Writing, item: ItemId, folded: str, guild: GuildId | None) -> None:
    """Take away an answer that this server's moderators accepted; what the pack itself accepts stays."""
    await transaction.run(_RETRACT, {"item": item, "folded": folded, "guild": guild})
