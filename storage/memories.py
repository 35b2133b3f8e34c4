"""Vectors of mistake cards, for their owner alone: a learner's matrix stays in memory until something changes it."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import MistakeId, UserId
from storage import codec, vectors
from storage.remembered import Kept, Remembered

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from lessons.model import Space, Trace, Track
    from lessons.ports import Memory
    from storage.connection import Database
    from storage.session import Reading, Value, Writing

CACHED: Final = 64
"""Learners whose matrices stay in memory."""

ROOM: Final = 200 * 2**20
"""Bytes that all these matrices may take; a larger one is read anew each time."""

_AT_ONCE: Final = 1000  # rows that are handed from thread to thread in one piece

# blanks of one sentence count as one item: to be asked for another of its words is no new occasion
_ROWS: Final = """
    SELECT stored.id, stored.mistake_id, stored.vector, coalesce(clipping.sentence_id, mistake.item_id) AS item_id,
        mistake.error_type, mistake.at
    FROM mistake_vector AS stored INDEXED BY mistake_vector_user
    CROSS JOIN mistake ON mistake.id = stored.mistake_id AND mistake.user_id = stored.user_id
    LEFT JOIN clipping ON clipping.item_id = mistake.item_id
    WHERE stored.user_id = :user AND stored.id > :after
        AND stored.embedder = :embedder AND stored.card_version = :card_version
        AND mistake.track IN (SELECT value FROM json_each(:tracks))
    ORDER BY stored.id LIMIT :limit
"""

_WIDTH: Final = "SELECT width FROM mistake_vector WHERE embedder = :embedder AND card_version = :card_version LIMIT 1"

_OWNED: Final = """
    SELECT count(DISTINCT mistake.id) AS found
    FROM json_each(?) AS wanted
    JOIN mistake ON mistake.id = wanted.value ->> 1 AND mistake.user_id = wanted.value ->> 0
"""

# the next number on the learner's shelf, or the first one of a new shelf
_SAVE: Final = """
    INSERT INTO mistake_vector (id, mistake_id, user_id, embedder, card_version, width, vector)
    SELECT
        coalesce(
            (SELECT max(id) + 1 FROM mistake_vector WHERE user_id = :user),
            (SELECT ((max(id) >> 24) + 1) << 24 FROM mistake_vector),
            1 << 24
        ),
        id, user_id, :embedder, :card_version, :width, :vector
    FROM mistake WHERE id = :mistake AND user_id = :user
    ON CONFLICT (mistake_id) DO UPDATE SET
        embedder = excluded.embedder, card_version = excluded.card_version, width = excluded.width,
        vector = excluded.vector
"""

# by an index that has it all: the rows are as wide as their vectors; no further than to the last that lacks one, mostly nowhere
_WITHOUT: Final = """
    SELECT * FROM mistake
    WHERE NOT EXISTS (
        SELECT 1 FROM mistake_vector AS stored INDEXED BY mistake_vector_space
        WHERE stored.embedder = :embedder AND stored.card_version = :card_version AND stored.mistake_id = mistake.id
    )
    ORDER BY id LIMIT min(
        :limit,
        (SELECT count(*) FROM mistake)
            - (SELECT count(*) FROM mistake_vector WHERE embedder = :embedder AND card_version = :card_version)
    )
"""

_COVERED: Final = """
    SELECT count(*) AS found FROM mistake_vector WHERE embedder = :embedder AND card_version = :card_version
"""

_ALL: Final = "SELECT count(*) AS found FROM mistake"

_DISMISS: Final = """
    INSERT INTO dismissal (user_id, one, other, at)
    SELECT earlier.user_id, earlier.id, later.id, :at
    FROM mistake AS earlier JOIN mistake AS later ON later.user_id = earlier.user_id
    WHERE earlier.id = min(:one, :other) AND later.id = max(:one, :other) AND earlier.id < later.id
        AND earlier.user_id = :user
    ON CONFLICT DO UPDATE SET at = min(at, excluded.at)
    RETURNING one
"""

_DISMISSED: Final = """
    SELECT iif(one = :mistake, other, one) AS mistake_id FROM dismissal
    WHERE user_id = :user AND (one = :mistake OR other = :mistake)
"""

_DISMISSALS: Final = "SELECT user_id, one, other FROM dismissal ORDER BY at, one, other"

_THESE: Final = "SELECT * FROM mistake WHERE id IN (SELECT value FROM json_each(?))"

_CALIBRATE: Final = """
    INSERT INTO calibration (embedder, card_version, figures, at) VALUES (:embedder, :card_version, :figures, :at)
    ON CONFLICT DO UPDATE SET figures = excluded.figures, at = excluded.at
"""


class MemoryStore:
    """The Memories port."""

    def __init__(self, db: Database, *, cached: int = CACHED, room: int = ROOM) -> None:
        """Keep the matrices of `cached` learners in `room` bytes at most."""
        self._db = db
        self.remembered = Remembered(cached, room)
        db.watch.tell(self.remembered.changed)

    async def memory(self, user: UserId, tracks: Collection[Track], space: Space) -> Memory:
        """Return the learner's mistakes of these tracks that have a vector in this space, oldest first.

        Without one it is 0 rows of width 0. Only what came since the last time is read, as long as nothing else changed.
        """
        kind = frozenset(tracks), space
        known = self.remembered.find(user, kind)
        if known is not None and known.whole:
            return known.memory
        with self.remembered.loading(user) as load:
            kept = await self._db.read(partial(_load, user=user, tracks=tracks, space=space, known=known))
            self.remembered.keep(user, kind, kept, load)
        return kept.memory

    async def save(self, user: UserId, mistake: MistakeId, space: Space, vector: NDArray[np.float32]) -> bool:
        """Keep a vector (stored as float16), replacing one of another space; False when the mistake is gone.

        Raises ValueError for a vector that cannot be kept, or is not as wide as the others of its space.
        """
        return await self._db.write(partial(_save, rows=_rows(space, [(user, mistake, vector)]))) == 1

    async def save_many(self, space: Space, vectors: Sequence[tuple[UserId, MistakeId, NDArray[np.float32]]]) -> int:
        """Keep many vectors in one transaction; mistakes that are gone are passed over. The number kept.

        Raises ValueError for a vector that cannot be kept, or is not as wide as the others of its space.
        """
        rows = await asyncio.to_thread(_rows, space, vectors)
        return await self._db.write(partial(_save, rows=rows)) if rows else 0

    async def without_vector(self, space: Space, limit: int) -> list[tuple[UserId, Trace]]:
        """Mistakes that have no vector in this space (none at all, or of another), in the order they were made."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_WITHOUT, _of(space) | {"limit": max(0, limit)})
        return [(UserId(row["user_id"]), codec.trace(row)) for row in rows]

    async def coverage(self, space: Space) -> tuple[int, int]:
        """How many mistakes have a vector in this space, and how many mistakes there are."""
        async with self._db.reading() as snapshot:
            (covered,) = await snapshot.all(_COVERED, _of(space))
            (mistakes,) = await snapshot.all(_ALL)
        return covered["found"], mistakes["found"]

    async def dismiss(self, user: UserId, one: MistakeId, other: MistakeId, at: datetime) -> bool:
        """Remember that the learner says these two are not the same mistake, in either direction; False if unknown."""
        values = {"user": user, "one": one, "other": other, "at": codec.to_ms(at)}
        return await self._db.write(lambda transaction: transaction.one(_DISMISS, values)) is not None

    async def dismissed(self, user: UserId, mistake: MistakeId) -> frozenset[MistakeId]:
        """Mistakes the learner said are not like this one."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_DISMISSED, {"user": user, "mistake": mistake})
        return frozenset(MistakeId(row["mistake_id"]) for row in rows)

    async def dismissals(self) -> list[tuple[UserId, Trace, Trace]]:
        """Every dismissal, the oldest first, for calibration by the operator; of each pair the earlier mistake first."""
        async with self._db.reading() as snapshot:
            pairs = await snapshot.all(_DISMISSALS)
            ids = codec.ids(pair[side] for pair in pairs for side in ("one", "other"))
            traces = {row["id"]: codec.trace(row) for row in await snapshot.all(_THESE, (ids,))}
        return [(UserId(pair["user_id"]), traces[pair["one"]], traces[pair["other"]]) for pair in pairs]

    async def calibration(self, space: Space) -> str | None:
        """Return the calibration stored for this space (JSON as recall writes it), or None."""
        sql = "SELECT figures FROM calibration WHERE embedder = :embedder AND card_version = :card_version"
        async with self._db.reading() as snapshot:
            row = await snapshot.one(sql, _of(space))
        return str(row["figures"]) if row else None

    async def save_calibration(self, space: Space, calibration: str, at: datetime) -> None:
        """Store the calibration of a space."""
        values = _of(space) | {"figures": calibration, "at": codec.to_ms(at)}
        await self._db.write(lambda transaction: transaction.run(_CALIBRATE, values))


async def _load(snapshot: Reading, user: UserId, tracks: Collection[Track], space: Space, known: Kept | None) -> Kept:
    """Read a learner's rows, or those behind what is `known`, piece by piece: the event loop must not wait for a large one."""
    values = _of(space) | {"user": user, "tracks": codec.ids(tracks), "limit": _AT_ONCE}
    parts = []
    last = known.last if known else 0
    while rows := await snapshot.all(_ROWS, values | {"after": last}):
        last = rows[-1]["id"]
        parts.append(await asyncio.to_thread(vectors.read, rows))
        if len(rows) < _AT_ONCE:
            break
    before = known.memory if known and len(known.memory.mistakes) else None
    if not parts:
        return Kept(before or vectors.nothing(), last)
    return Kept(await asyncio.to_thread(vectors.assemble, parts, before), last)


async def _save(transaction: Writing, rows: Sequence[dict[str, Value]]) -> int:
    there = await transaction.one(_WIDTH, rows[0])
    widths = {row["width"] for row in rows} | ({there["width"]} if there else set())
    if len(widths) > 1:
        raise ValueError(f"vectors of one embedder and card version are of several widths: {widths}")
    owned = json.dumps([(row["user"], row["mistake"]) for row in rows])
    (found,) = await transaction.all(_OWNED, (owned,))
    await transaction.many(_SAVE, rows)
    return int(found["found"])


def _rows(space: Space, several: Sequence[tuple[UserId, MistakeId, NDArray[np.float32]]]) -> list[dict[str, Value]]:
    """Bring vectors into the shape of the table."""
    return [
        _of(space) | {"user": user, "mistake": mistake, "width": len(vector), "vector": vectors.to_blob(vector)}
        for user, mistake, vector in several
    ]


def _of(space: Space) -> dict[str, Value]:
    return {"embedder": space.embedder, "card_version": space.card_version}
