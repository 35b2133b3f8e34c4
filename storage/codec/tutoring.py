"""Documents, profiles, studies and recall events, out of rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lessons.model import (
    ChannelId,
    Chunk,
    ChunkId,
    Document,
    DocumentId,
    DocumentKind,
    Mode,
    Origin,
    PackId,
    ProfileField,
    ProfileLine,
    RecallEvent,
    Silence,
    Speaker,
    Study,
    StudyId,
    StudyState,
    Surface,
    Topic,
    TopicState,
    Turn,
    TurnId,
    UserId,
)
from storage.codec.plain import dumps, error_type, from_ms, guild, moment

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


def document(row: sqlite3.Row) -> Document:
    """From a row of `document`."""
    return Document(
        id=DocumentId(row["id"]),
        user=UserId(row["user_id"]),
        kind=DocumentKind(row["kind"]),
        name=row["name"],
        text=row["text"],
        at=from_ms(row["at"]),
        in_ask=bool(row["in_ask"]),
    )


def chunk(row: sqlite3.Row) -> Chunk:
    """From a row of `chunk` with the kind of its document."""
    return Chunk(
        id=ChunkId(row["id"]),
        document=DocumentId(row["document_id"]),
        kind=DocumentKind(row["kind"]),
        position=row["position"],
        text=row["text"],
    )


def profile_line(row: sqlite3.Row) -> ProfileLine:
    """From a row of `profile_line`."""
    return ProfileLine(ProfileField(row["field"]), row["text"], Origin(row["origin"]))


def study(row: sqlite3.Row, topics: Sequence[sqlite3.Row], documents: Sequence[sqlite3.Row]) -> Study:
    """From a row of `study` and the rows of `study_topic` and `study_document` that are its own, in order."""
    return Study(
        id=StudyId(row["id"]),
        user=UserId(row["user_id"]),
        guild=guild(row),
        channel=ChannelId(row["channel_id"]) if row["channel_id"] is not None else None,
        mode=Mode(row["mode"]),
        subject=row["subject"],
        persona=row["persona"],
        state=StudyState(row["state"]),
        started_at=from_ms(row["started_at"]),
        ended_at=moment(row["ended_at"]),
        pack=PackId(row["pack_id"]) if row["pack_id"] is not None else None,
        lesson=row["lesson"],
        topics=tuple(map(_topic, topics)),
        documents=tuple(DocumentId(linked["document_id"]) for linked in documents),
    )


def turn(row: sqlite3.Row) -> Turn:
    """From a row of `study_turn`."""
    return Turn(
        id=TurnId(row["id"]),
        study=StudyId(row["study_id"]) if row["study_id"] is not None else None,
        speaker=Speaker(row["speaker"]),
        text=row["text"],
        at=from_ms(row["at"]),
    )


def scores_to_json(scores: Sequence[tuple[ChunkId, float]]) -> str:
    """`[[chunk, score] ...]`; a score may be a number of numpy's."""
    return dumps([[int(of), float(score)] for of, score in scores])


def recall(row: sqlite3.Row) -> RecallEvent:
    """From a row of `recall_event`."""
    return RecallEvent(
        user=UserId(row["user_id"]),
        at=from_ms(row["at"]),
        surface=Surface(row["surface"]),
        candidates=row["candidates"],
        scores=tuple((ChunkId(of), score) for of, score in json.loads(row["scores"])),
        admitted=row["admitted"],
        silence=Silence(row["silence"]),
    )


def _topic(row: sqlite3.Row) -> Topic:
    return Topic(
        position=row["position"],
        title=row["title"],
        reason=row["reason"],
        first_step=row["first_step"],
        target=error_type(row["target"]),
        state=TopicState(row["state"]),
        steps=row["steps"],
    )
