"""Drills that several people answer: one row for the card, and a drill of their own for each who answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import DrillId, Gap, ItemId, PackId, Place, Scores, SharedId, Tally, UserId
from storage import answers, codec, exercises, joining

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import ChannelId, Ending, GuildId, Joined, MessageId, NewShared, RunId, Shared
    from storage.connection import Database
    from storage.session import Value, Writing

_RACE_IN: Final = "SELECT * FROM shared_tally WHERE channel_id = ? AND state = 'open' AND kind = 'race'"

_UNFINISHED: Final = """
    SELECT * FROM shared_tally
    WHERE kind = 'race' AND last_id IS NULL AND ended_why <> 'lost' AND (state = 'open' OR ended_at >= ?)
    ORDER BY id
"""

_ASK: Final = """
    UPDATE shared_drill SET position = :position, phase = 'asking', phase_at = :at, hints = 0, message_id = NULL
    WHERE id = :shared AND kind = 'race' AND state = 'open'
        AND (position = :position AND phase = 'waiting' OR position = :position - 1 AND phase = 'closed')
        AND EXISTS (SELECT 1 FROM shared_item WHERE shared_id = :shared AND position = :position)
    RETURNING id
"""

_HINT: Final = """
    UPDATE shared_drill SET hints = :hints
    WHERE id = :shared AND state = 'open' AND phase = 'asking' AND position = :position AND hints < :hints
    RETURNING id
"""

_CLOSE: Final = """
    UPDATE shared_drill SET phase = 'closed', phase_at = :at
    WHERE id = :shared AND kind = 'race' AND state = 'open' AND phase = 'asking' AND position = :position
    RETURNING id
"""

_END: Final = """
    UPDATE shared_drill SET state = 'ended', ended_why = :why, ended_at = :at
    WHERE id = :shared AND kind = 'race' AND state = 'open'
    RETURNING id
"""

_END_DRILLS: Final = "UPDATE drill SET state = 'stopped', ended_at = :at WHERE shared_id = :shared AND state = 'open'"

_ANEW: Final = """
    UPDATE shared_drill SET phase = 'waiting', message_id = NULL
    WHERE id = ? AND kind = 'race' AND state = 'open' AND phase = 'asking'
    RETURNING id
"""

_POSTED: Final = """
    UPDATE shared_drill SET
        message_id = :message,
        phase_at = iif(kind = 'race' AND state = 'open' AND phase = 'asking', max(phase_at, :at), phase_at)
    WHERE id = :shared AND position = :position
"""

_LAST: Final = "UPDATE shared_drill SET last_id = ? WHERE id = ? AND state = 'ended'"

_PLACE: Final = """
    SELECT clipped_item.*
    FROM shared_item JOIN clipped_item ON clipped_item.id = shared_item.item_id
    WHERE shared_item.shared_id = ? AND shared_item.position = ?
"""

_OWN: Final = "SELECT * FROM exercise_state WHERE shared_id = ? AND place = ? AND user_id = ?"

_ANSWERS: Final = """
    SELECT user_id, named, is_right FROM shared_answer WHERE shared_id = ? AND position = ? ORDER BY at, attempt_id
"""

_POINTS: Final = """
    SELECT user_id, named, sum(is_right) AS points FROM shared_answer WHERE shared_id = ?
    GROUP BY user_id ORDER BY points DESC, max(at), user_id
"""

_HARDEST: Final = """
    SELECT position, count(*) AS missed FROM shared_answer WHERE shared_id = ? AND is_wrong
    GROUP BY position ORDER BY missed DESC, position LIMIT 1
"""

_TAKEN_PART: Final = """
    SELECT shared_id FROM drill WHERE user_id = ? AND shared_id IS NOT NULL ORDER BY shared_id DESC LIMIT ?
"""

_ASKED_IN: Final = """
    SELECT shared_item.item_id
    FROM shared_drill JOIN shared_item ON shared_item.shared_id = shared_drill.id
    WHERE shared_drill.channel_id = ? AND shared_drill.started_at >= ?
    GROUP BY shared_item.item_id ORDER BY max(shared_drill.started_at) DESC, shared_item.item_id
"""

_ITEMS: Final = """
    SELECT id FROM visible_item
    WHERE pack_id IN (SELECT value FROM json_each(:packs))
        AND (:lessons IS NULL OR lesson IN (SELECT value FROM json_each(:lessons)))
    ORDER BY id
"""

_ITEMS_OF: Final = """
    SELECT shared_item.item_id
    FROM shared_item JOIN item ON item.id = shared_item.item_id
    WHERE shared_item.shared_id = ? AND item.prompt <> ''
    ORDER BY shared_item.position
"""

_GAPS: Final = """
    SELECT item.id, clipping.sentence_id, item.pack_id
    FROM item
    JOIN clipping ON clipping.item_id = item.id AND clipping.closed = 1
    JOIN pack ON pack.id = item.pack_id
    WHERE item.removed_at IS NULL AND item.pack_id IN (
        SELECT id FROM pack
        WHERE kind = 'article' AND guild_id = ? AND removed_at IS NULL
        ORDER BY created_at DESC, id DESC LIMIT ?
    )
    ORDER BY pack.created_at DESC, pack.id DESC, item.position
"""


class SharedStore:
    """The SharedDrills port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(self, new: NewShared, items: Sequence[ItemId], at: datetime) -> Shared | None:
        """Start one over these items; None when a race is under way in the channel, or there is one of this run.

        Raises ValueError without items: such a drill could never end.
        """
        if not items:
            raise ValueError("a shared drill needs a question")
        return await self._db.write(lambda transaction: joining.begin(transaction, new, items, at))

    async def shared(self, shared: SharedId) -> Shared | None:
        """Return one as it stands."""
        return await self._one("SELECT * FROM shared_tally WHERE id = ?", shared)

    async def of_run(self, run: RunId) -> Shared | None:
        """Return the one that was made for this time of a schedule."""
        return await self._one("SELECT * FROM shared_tally WHERE run_id = ?", run)

    async def race_in(self, channel: ChannelId) -> Shared | None:
        """Return the race that is under way in a channel."""
        return await self._one(_RACE_IN, channel)

    async def unfinished(self, since: datetime) -> list[Shared]:
        """Return races that are open, or ended since then (not LOST) without a last card."""
        async with self._db.reading() as snapshot:
            return [codec.shared(row) for row in await snapshot.all(_UNFINISHED, (codec.to_ms(since),))]

    async def ask(self, shared: SharedId, position: int, at: datetime) -> bool:
        """Open the question that waits, or the one after the question that closed."""
        return await self._change(_ASK, {"shared": shared, "position": position, "at": codec.to_ms(at)})

    async def hint(self, shared: SharedId, position: int, hints: int) -> bool:
        """Note how many hints are shown with the open question."""
        return await self._change(_HINT, {"shared": shared, "position": position, "hints": hints})

    async def close(self, shared: SharedId, position: int, at: datetime) -> bool:
        """Close the open question; answers that came in before still count."""
        return await self._change(_CLOSE, {"shared": shared, "position": position, "at": codec.to_ms(at)})

    async def end(self, shared: SharedId, why: Ending, at: datetime) -> bool:
        """End a race, and the drills of those who took part."""
        values: dict[str, Value] = {"shared": shared, "why": why, "at": codec.to_ms(at)}

        async def work(transaction: Writing) -> bool:
            if await transaction.one(_END, values) is None:
                return False
            await transaction.run(_END_DRILLS, values)
            return True

        return await self._db.write(work)

    async def anew(self, shared: SharedId) -> bool:
        """Let the open question of a race wait to be shown once more."""
        return await self._db.write(lambda transaction: transaction.one(_ANEW, (shared,))) is not None

    async def posted(self, shared: SharedId, position: int, message: MessageId, at: datetime) -> None:
        """Note which message shows this question; the time of a race's question begins with it."""
        values: dict[str, Value] = {"shared": shared, "position": position, "message": message, "at": codec.to_ms(at)}
        await self._db.write(lambda transaction: transaction.run(_POSTED, values))

    async def concluded(self, shared: SharedId, message: MessageId) -> None:
        """Note which message tells how it ended."""
        await self._db.write(lambda transaction: transaction.run(_LAST, (message, shared)))

    async def place(self, shared: SharedId, position: int, user: UserId | None = None) -> Place | None:
        """Return one question, with this person's exercise."""
        async with self._db.reading() as snapshot:
            head = await snapshot.one("SELECT * FROM shared_tally WHERE id = ?", (shared,))
            rows = await snapshot.all(_PLACE, (shared, position))
            if head is None or not rows:
                return None
            (item,) = codec.items(rows, await answers.of_items(snapshot, rows, codec.guild(head)))
            own = await exercises.of_rows(snapshot, await snapshot.all(_OWN, (shared, position, user)))
        return Place(codec.shared(head), position, item, own[0] if own else None)

    async def join(self, shared: SharedId, user: UserId, at: datetime) -> Joined | None:
        """Give a person their own drill over the items of an open one, once; None when it is gone or over."""
        return await self._db.write(lambda transaction: joining.join(transaction, shared, user, at))

    async def drill_of(self, shared: SharedId, user: UserId) -> DrillId | None:
        """Return the person's own drill over the items of a shared one."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT id FROM drill WHERE shared_id = ? AND user_id = ?", (shared, user))
        return DrillId(row["id"]) if row else None

    async def taken_part(self, user: UserId, limit: int) -> list[SharedId]:
        """Return the shared drills that this person answered in, the latest first."""
        async with self._db.reading() as snapshot:
            return [SharedId(row["shared_id"]) for row in await snapshot.all(_TAKEN_PART, (user, limit))]

    async def tally(self, shared: SharedId, position: int) -> Tally:
        """Count the answers to one question."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_ANSWERS, (shared, position))
        right = [row for row in rows if row["is_right"]]
        return Tally(len(rows), len(right), tuple(UserId(row["user_id"]) for row in right if row["named"]))

    async def scores(self, shared: SharedId) -> Scores:
        """Count the right answers of everybody."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_POINTS, (shared,))
            hardest = await snapshot.one(_HARDEST, (shared,))
        named = tuple((UserId(row["user_id"]), row["points"]) for row in rows if row["named"] and row["points"])
        others = len(rows) - len(named)
        return Scores(named, others, hardest["position"], hardest["missed"]) if hardest else Scores(named, others)

    async def asked_in(self, channel: ChannelId, since: datetime) -> list[ItemId]:
        """Return items that shared drills of a channel asked since then, each once, the latest first."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_ASKED_IN, (channel, codec.to_ms(since)))
        return [ItemId(row["item_id"]) for row in rows]

    async def items(self, packs: Collection[PackId], lessons: Collection[str] | None = None) -> list[ItemId]:
        """Return visible items of these packs (and lessons, unless None)."""
        values = {"packs": codec.ids(packs), "lessons": None if lessons is None else codec.ids(lessons)}
        async with self._db.reading() as snapshot:
            return [ItemId(row["id"]) for row in await snapshot.all(_ITEMS, values)]

    async def items_of(self, shared: SharedId) -> list[ItemId]:
        """Return the items of a shared drill that can still be asked, in order."""
        async with self._db.reading() as snapshot:
            return [ItemId(row["item_id"]) for row in await snapshot.all(_ITEMS_OF, (shared,))]

    async def gaps(self, guild: GuildId, articles: int) -> list[Gap]:
        """Return closed blanks of the newest so many articles of a server, the newest first."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_GAPS, (guild, articles))
        return [Gap(ItemId(row["id"]), row["sentence_id"], PackId(row["pack_id"])) for row in rows]

    async def _one(self, sql: str, number: int) -> Shared | None:
        async with self._db.reading() as snapshot:
            row = await snapshot.one(sql, (number,))
        return codec.shared(row) if row else None

    async def _change(self, sql: str, values: dict[str, Value]) -> bool:
        return await self._db.write(lambda transaction: transaction.one(sql, values)) is not None
