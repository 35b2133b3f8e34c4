"""Documents that learners handed over, in chunks with their vectors, for their owner alone."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import UserId
from storage import codec, learners, vectors

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lessons.model import Chunk, ChunkId, Document, DocumentId, Space
    from storage.connection import Database
    from storage.session import Value, Writing

_KEEP: Final = """
    INSERT INTO document (user_id, kind, name, text, in_ask, at) VALUES (:user, :kind, :name, :text, :in_ask, :at)
    RETURNING *
"""

_CUT: Final = "INSERT INTO chunk (document_id, user_id, position, text) VALUES (?, ?, ?, ?)"

_OF_USER: Final = "SELECT * FROM document WHERE user_id = ? ORDER BY at DESC, id DESC"

_LINK: Final = "UPDATE document SET in_ask = ? WHERE id = ? AND user_id = ? RETURNING id"

_REMOVE: Final = "DELETE FROM document WHERE id = ? AND user_id = ? RETURNING id"

# the owner is asked for thrice, so that one wrong row shows nobody another's text
_CANDIDATES: Final = """
    SELECT chunk.*, document.kind, stored.vector
    FROM json_each(:documents) AS wanted
    CROSS JOIN document ON document.id = wanted.value AND document.user_id = :user
    CROSS JOIN chunk ON chunk.document_id = document.id AND chunk.user_id = :user
    CROSS JOIN chunk_vector AS stored ON stored.chunk_id = chunk.id AND stored.user_id = :user
    WHERE stored.embedder = :embedder AND stored.frame_version = :frame_version
    ORDER BY wanted.key, chunk.position
"""

_CHUNKS: Final = """
    SELECT chunk.*, document.kind
    FROM json_each(:documents) AS wanted
    CROSS JOIN document ON document.id = wanted.value AND document.user_id = :user
    CROSS JOIN chunk ON chunk.document_id = document.id AND chunk.user_id = :user
    ORDER BY wanted.key, chunk.position
"""

_WITHOUT: Final = """
    SELECT chunk.*, document.kind
    FROM chunk CROSS JOIN document ON document.id = chunk.document_id AND document.user_id = chunk.user_id
    WHERE NOT EXISTS (
        SELECT 1 FROM chunk_vector AS stored INDEXED BY chunk_vector_space
        WHERE stored.embedder = :embedder AND stored.frame_version = :frame_version AND stored.chunk_id = chunk.id
    )
    ORDER BY chunk.id LIMIT :limit
"""

_WIDTH: Final = """
    SELECT width FROM chunk_vector WHERE embedder = :embedder AND frame_version = :frame_version LIMIT 1
"""

_OWNED: Final = """
    SELECT count(DISTINCT chunk.id) AS found
    FROM json_each(?) AS wanted
    JOIN chunk ON chunk.id = wanted.value ->> 1 AND chunk.user_id = wanted.value ->> 0
"""

_SAVE: Final = """
    INSERT INTO chunk_vector (chunk_id, user_id, embedder, frame_version, width, vector)
    SELECT id, user_id, :embedder, :frame_version, :width, :vector FROM chunk WHERE id = :chunk AND user_id = :user
    ON CONFLICT (chunk_id) DO UPDATE SET
        embedder = excluded.embedder, frame_version = excluded.frame_version, width = excluded.width,
        vector = excluded.vector
"""


class DocumentStore:
    """The Documents port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def save(self, document: Document, chunks: Sequence[str]) -> Document:
        """Keep a document (its id is ignored) with its chunks, in one transaction."""
        return await self._db.write(partial(_keep, document=document, chunks=chunks))

    async def of_user(self, user: UserId) -> list[Document]:
        """Documents of this learner, newest first."""
        async with self._db.reading() as snapshot:
            return [codec.document(row) for row in await snapshot.all(_OF_USER, (user,))]

    async def document(self, document: DocumentId, user: UserId) -> Document | None:
        """One document of this learner."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM document WHERE id = ? AND user_id = ?", (document, user))
        return codec.document(row) if row else None

    async def link_to_ask(self, document: DocumentId, user: UserId, *, linked: bool) -> bool:
        """Let /ask look into a document, or no longer; False when it is not this learner's."""
        values = (linked, document, user)
        return await self._db.write(lambda transaction: transaction.one(_LINK, values)) is not None

    async def remove(self, document: DocumentId, user: UserId) -> bool:
        """Forget a document with its chunks and vectors; False when it is not this learner's."""
        return await self._db.write(lambda transaction: transaction.one(_REMOVE, (document, user))) is not None

    async def candidates(
        self, user: UserId, documents: Collection[DocumentId], space: Space
    ) -> tuple[list[Chunk], NDArray[np.float32]]:
        """Chunks of these documents of this learner that have a vector in this space, and the vectors [n, width].

        In the order of `documents`, then of the text. Read-only; without a chunk it is 0 rows of width 0.
        """
        values: dict[str, Value] = _of(space) | {"user": user, "documents": codec.ids(documents)}
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_CANDIDATES, values)
        return [codec.chunk(row) for row in rows], vectors.matrix([row["vector"] for row in rows])

    async def chunks_of(self, user: UserId, documents: Collection[DocumentId]) -> list[Chunk]:
        """Chunks of these documents of this learner, in order, with or without vectors."""
        values: dict[str, Value] = {"user": user, "documents": codec.ids(documents)}
        async with self._db.reading() as snapshot:
            return [codec.chunk(row) for row in await snapshot.all(_CHUNKS, values)]

    async def without_vector(self, space: Space, limit: int) -> list[tuple[UserId, Chunk]]:
        """Chunks, oldest first, that have no vector in this space (none at all, or of another)."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_WITHOUT, _of(space) | {"limit": max(0, limit)})
        return [(UserId(row["user_id"]), codec.chunk(row)) for row in rows]

    async def save_vectors(self, space: Space, vectors: Sequence[tuple[UserId, ChunkId, NDArray[np.float32]]]) -> int:
        """Keep vectors of chunks (as float16); those whose chunk is gone are passed over. The number kept.

        Raises ValueError for a vector that cannot be kept, or is not as wide as the others of its space.
        """
        if not vectors:
            return 0
        return await self._db.write(partial(_save, rows=_rows(space, vectors)))


async def _keep(transaction: Writing, document: Document, chunks: Sequence[str]) -> Document:
    values: dict[str, Value] = {
        "user": document.user,
        "kind": document.kind,
        "name": codec.storable(document.name),
        "text": codec.storable(document.text),
        "in_ask": document.in_ask,
        "at": codec.to_ms(document.at),
    }
    await learners.ensure(transaction, document.user, document.at)
    (row,) = await transaction.all(_KEEP, values)
    pieces = [(row["id"], document.user, place, codec.storable(text)) for place, text in enumerate(chunks)]
    await transaction.many(_CUT, pieces)
    return codec.document(row)


async def _save(transaction: Writing, rows: Sequence[dict[str, Value]]) -> int:
    there = await transaction.one(_WIDTH, rows[0])
    widths = {row["width"] for row in rows} | ({there["width"]} if there else set())
    if len(widths) > 1:
        raise ValueError(f"vectors of one embedder and frame are of several widths: {widths}")
    owned = json.dumps([(row["user"], row["chunk"]) for row in rows])
    (found,) = await transaction.all(_OWNED, (owned,))
    await transaction.many(_SAVE, rows)
    return int(found["found"])


def _rows(space: Space, several: Sequence[tuple[UserId, ChunkId, NDArray[np.float32]]]) -> list[dict[str, Value]]:
    """Bring vectors into the shape of the table."""
    return [
        _of(space) | {"user": user, "chunk": chunk, "width": len(vector), "vector": vectors.to_blob(vector)}
        for user, chunk, vector in several
    ]


def _of(space: Space) -> dict[str, Value]:
    return {"embedder": space.embedder, "frame_version": space.card_version}
