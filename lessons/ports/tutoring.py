"""The stores of what a learner tells the tutor, and of what they said to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from lessons.model import (
        ChannelId,
        Chunk,
        ChunkId,
        Document,
        DocumentId,
        MistakeCard,
        MistakeId,
        ProfileField,
        ProfileLine,
        RecallEvent,
        Space,
        Speaker,
        Study,
        StudyId,
        Topic,
        Turn,
        UserId,
    )


class Documents(Protocol):
    """Documents and their chunks. The owner is asked for on the document and on the chunk, in every query."""

    async def save(self, document: Document, chunks: Sequence[str]) -> Document:
        """Keep a document (its id is ignored) with its chunks, in one transaction."""
        ...

    async def of_user(self, user: UserId) -> list[Document]:
        """Documents of this learner, newest first."""
        ...

    async def document(self, document: DocumentId, user: UserId) -> Document | None:
        """One document of this learner."""
        ...

    async def link_to_ask(self, document: DocumentId, user: UserId, *, linked: bool) -> bool:
        """Let /ask look into a document, or no longer; False when it is not this learner's."""
        ...

    async def remove(self, document: DocumentId, user: UserId) -> bool:
        """Forget a document with its chunks and vectors; False when it is not this learner's."""
        ...

    async def candidates(
        self, user: UserId, documents: Collection[DocumentId], space: Space
    ) -> tuple[list[Chunk], NDArray[np.float32]]:
        """Chunks of these documents of this learner that have a vector in this space, and the vectors [n, width]."""
        ...

    async def chunks_of(self, user: UserId, documents: Collection[DocumentId]) -> list[Chunk]:
        """Chunks of these documents of this learner, in order, with or without vectors."""
        ...

    async def without_vector(self, space: Space, limit: int) -> list[tuple[UserId, Chunk]]:
        """Chunks, oldest first, that have no vector in this space."""
        ...

    async def save_vectors(self, space: Space, vectors: Sequence[tuple[UserId, ChunkId, NDArray[np.float32]]]) -> int:
        """Keep vectors of chunks (as float16); those whose chunk is gone are passed over. The number kept."""
        ...


class Profiles(Protocol):
    """Lines of profiles that learners wrote or accepted."""

    async def lines(self, user: UserId) -> list[ProfileLine]:
        """Stored lines of this learner, in the order of the fields; at most one a field, the learner's own first."""
        ...

    async def write(self, user: UserId, lines: Sequence[ProfileLine], at: datetime) -> None:
        """Set lines, each in the place of the field's one of the same origin; an empty text takes that line away."""
        ...

    async def forget(self, user: UserId, field: ProfileField | None) -> int:
        """Forget a field's lines, or all of them (None); how many there were."""
        ...


class Studies(Protocol):
    """Studies, their topics and turns."""

    async def begin(self, study: Study, at: datetime) -> Study:
        """Start a study (its id is ignored) with its topics and linked documents, ending the learner's open one there.

        "There" is the channel, and all direct messages are one place; a study whose thread is not made yet is nowhere.
        Raises ValueError when another learner's study is open in the channel.
        """
        ...

    async def study(self, study: StudyId, user: UserId) -> Study | None:
        """One study of this learner."""
        ...

    async def in_channel(self, channel: ChannelId) -> Study | None:
        """The open study of a thread or a direct message, whoever's it is."""
        ...

    async def open_of(self, user: UserId) -> list[Study]:
        """Open studies of this learner, newest first."""
        ...

    async def place(self, study: StudyId, user: UserId, channel: ChannelId) -> None:
        """Note where a study takes place. Raises ValueError when another one is open there."""
        ...

    async def progress(self, study: StudyId, user: UserId, topics: Sequence[Topic]) -> None:
        """Keep where the topics of a study stand; one at a position that has none is added, the others keep their words."""
        ...

    async def end(self, study: StudyId, user: UserId, at: datetime) -> bool:
        """End an open study; False when it was over."""
        ...

    async def say(
        self, study: StudyId | None, user: UserId, speaker: Speaker, text: str, *, source: int, at: datetime
    ) -> Turn | None:
        """Keep a turn; `source` is the interaction or message it came by, and leaves a turn of each speaker at most.

        None when that one is kept already, or the study is not this learner's.
        """
        ...

    async def turns(self, study: StudyId, user: UserId, limit: int) -> list[Turn]:
        """The newest turns of a study, oldest first."""
        ...

    async def note_recall(self, event: RecallEvent) -> None:
        """Keep what was recalled in a turn, for the operator."""
        ...

    async def recalls(self, since: datetime, limit: int) -> list[RecallEvent]:
        """What was recalled since then, newest first."""
        ...

    async def prune_recalls(self, before: datetime) -> int:
        """Forget what was recalled before then; how many events there were."""
        ...

    async def note_mistake(self, user: UserId, card: MistakeCard, source: str, at: datetime) -> MistakeId:
        """Keep a mistake that no exercise left: `source` says where it was made, as a pack's name does."""
        ...
