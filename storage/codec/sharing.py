"""Shared drills, out of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.model import (
    ChannelId,
    Ending,
    GuildId,
    MessageId,
    NewShared,
    PackId,
    Phase,
    RunId,
    Shared,
    SharedId,
    SharedKind,
    Track,
    UserId,
)
from storage.codec.plain import from_ms, moment

if TYPE_CHECKING:
    import sqlite3


def shared(row: sqlite3.Row) -> Shared:
    """From a row of `shared_tally`."""
    new = NewShared(
        kind=SharedKind(row["kind"]),
        guild=GuildId(row["guild_id"]),
        channel=ChannelId(row["channel_id"]),
        track=Track(row["track"]),
        title=row["title"],
        starter=UserId(row["started_by"]) if row["started_by"] is not None else None,
        run=RunId(row["run_id"]) if row["run_id"] is not None else None,
        pack=PackId(row["pack_id"]) if row["pack_id"] is not None else None,
        lessons=row["lessons"],
        seconds=row["seconds"],
        typed=bool(row["typed"]),
    )
    return Shared(
        id=SharedId(row["id"]),
        new=new,
        position=row["position"],
        phase=Phase(row["phase"]),
        phase_at=from_ms(row["phase_at"]),
        started_at=from_ms(row["started_at"]),
        total=row["total"],
        hints=row["hints"],
        answered=row["answered"],
        right_at=moment(row["right_at"]),
        touched_at=moment(row["touched_at"]),
        last_answered=row["last_answered"],
        message=MessageId(row["message_id"]) if row["message_id"] is not None else None,
        last=MessageId(row["last_id"]) if row["last_id"] is not None else None,
        ending=Ending(row["ended_why"]) if row["ended_why"] else None,
        ended_at=moment(row["ended_at"]),
    )
