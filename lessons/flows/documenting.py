"""What learners hand over about themselves: kept as it is, and recalled piece by piece where a message asks for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import chunking
from lessons.errors import EmbedderUnavailable, KizukiError, TextTooLong, UnusableName
from lessons.model import Document, DocumentId, DocumentKind, RecallEvent, Silence, Space
from lessons.text import tidy

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from lessons.model import Chunk, ChunkId, Surface, UserId
    from lessons.ports import Documents, Embedder

LONGEST: Final = 20_000
"""Characters of a document."""
MOST: Final = 10
"""Documents of a learner."""
NAME: Final = 80
"""Characters of a document's name."""
BUDGET: Final = 1.5
"""Seconds a turn waits for details; after that it goes without them."""
BATCH: Final = 64
"""Pieces embedded at a time when vectors are filled in."""
NOTED: Final = 10
"""Candidates whose scores an event keeps, the best ones."""


@dataclass(eq=False)
class EmptyDocument(KizukiError):
    """A document without a word in it."""


@dataclass(eq=False)
class TooManyDocuments(KizukiError):
    """The learner has as many documents as a learner may have."""

    limit: int


@dataclass(frozen=True, slots=True)
class Message:
    """A message to the tutor: whose, where, the names that the persona goes by, and the documents linked here."""

    user: UserId
    surface: Surface
    text: str
    persona_names: tuple[str, ...]
    documents: tuple[DocumentId, ...]


@dataclass(frozen=True, slots=True)
class Documenting:
    """Keeps documents and recalls details. Neither ever fails for want of an embedder.

    `guard` is None for an embedder that none was fitted for: then no detail is ever recalled.
    """

    documents: Documents
    embedder: Embedder
    guard: chunking.Guard | None
    budget: float = BUDGET
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def space(self) -> Space:
        """The space that new vectors belong to."""
        return Space(self.embedder.name, chunking.FRAME_VERSION)

    async def save(self, user: UserId, kind: DocumentKind, name: str, text: str, at: datetime) -> Document:
        """Keep a document; its vectors come later, by `fill_in`. A name that is blank becomes that of the kind.

        Raises EmptyDocument, TextTooLong, UnusableName, TooManyDocuments.
        """
        shown = tidy(name) or kind.value
        if len(text) > LONGEST:
            raise TextTooLong(len(text), LONGEST)
        if len(shown) > NAME:
            raise UnusableName(shown, NAME)
        clean = text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n").strip()
        if not tidy(clean):
            raise EmptyDocument
        pieces = await asyncio.to_thread(chunking.chunks, clean)
        async with self.saving:
            if len(await self.documents.of_user(user)) >= MOST:
                raise TooManyDocuments(MOST)
            return await self.documents.save(Document(DocumentId(0), user, kind, shown, clean, at), pieces)

    async def fill_in(self, limit: int = BATCH) -> int:
        """Embed up to `limit` pieces that have no vector in this space; the number done, 0 when none was left.

        Raises EmbedderUnavailable.
        """
        waiting = await self.documents.without_vector(self.space, limit)
        if not waiting:
            return 0
        vectors = await self.embedder.embed([chunking.framed(chunk.kind, chunk.text) for _, chunk in waiting])
        rows = [(user, chunk.id, vector) for (user, chunk), vector in zip(waiting, vectors, strict=True)]
        await self.documents.save_vectors(self.space, rows)
        return len(rows)

    async def details(self, message: Message, at: datetime) -> tuple[tuple[str, ...], RecallEvent]:
        """Return the pieces that a message asks for, the likeliest first, and what to note of it.

        Only the linked documents of this learner are looked into, and only by the message itself: no topic, no
        history, no name of the persona. Mostly nothing is recalled; the event says why.
        """
        if not message.documents:
            return (), _event(message, at, Silence.NO_DOCUMENTS)
        if self.guard is None:
            return (), _event(message, at, Silence.UNCALIBRATED)
        try:
            async with asyncio.timeout(self.budget):
                return await self._recall(message, self.guard, at)
        except (TimeoutError, EmbedderUnavailable):
            return (), _event(message, at, Silence.AWAY)

    async def _recall(
        self, message: Message, guard: chunking.Guard, at: datetime
    ) -> tuple[tuple[str, ...], RecallEvent]:
        chunks, vectors = await self.documents.candidates(message.user, message.documents, self.space)
        if not chunks:
            there = await self.documents.chunks_of(message.user, message.documents)
            return (), _event(message, at, Silence.NO_VECTORS if there else Silence.NO_DOCUMENTS)
        query = chunking.query_of(message.text, message.persona_names)
        if not tidy(query):
            return (), _event(message, at, Silence.BELOW, len(chunks))
        (asked,) = await self.embedder.embed([query])
        found = await asyncio.to_thread(_scores, query, chunks, vectors @ asked, guard)
        kept = chunking.admitted(found, guard.threshold)
        best = [
            (chunks[place].id, round(float(found[place]), 4)) for place in np.argsort(-found, kind="stable")[:NOTED]
        ]
        silence = Silence.NONE if kept else Silence.BELOW
        event = _event(message, at, silence, len(chunks), tuple(best), len(kept))
        return tuple(chunks[place].text for place in kept), event


def _scores(
    query: str, chunks: Sequence[Chunk], cosines: NDArray[np.float32], guard: chunking.Guard
) -> NDArray[np.float64]:
    return chunking.scores(query, cosines, [chunk.text for chunk in chunks], guard)


def _event(
    message: Message,
    at: datetime,
    silence: Silence,
    candidates: int = 0,
    scores: tuple[tuple[ChunkId, float], ...] = (),
    admitted: int = 0,
) -> RecallEvent:
    return RecallEvent(message.user, at, message.surface, candidates, scores, admitted, silence)


def linked(documents: Collection[Document]) -> tuple[DocumentId, ...]:
    """Return the documents that a learner lets /ask look into."""
    return tuple(document.id for document in documents if document.in_ask)
