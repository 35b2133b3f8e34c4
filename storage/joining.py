"""How a shared drill starts, and how a person gets a drill of their own over its items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import ExerciseId, Joined, Phase, SharedKind
from storage import codec, learners

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import ItemId, NewShared, Shared, SharedId, UserId
    from storage.session import Value, Writing

_TAKEN: Final = """
    SELECT 1 FROM shared_drill
    WHERE run_id = :run OR :kind = 'race' AND kind = 'race' AND channel_id = :channel AND state = 'open'
"""

_BEGIN: Final = """
    INSERT INTO shared_drill (kind, run_id, guild_id, channel_id, started_by, track, title, pack_id, lessons, seconds,
                              typed, state, ended_why, position, phase, phase_at, hints, started_at)
    VALUES (:kind, (SELECT id FROM run WHERE id = :run), :guild, :channel, :starter, :track, :title,
            (SELECT id FROM pack WHERE id = :pack), :lessons, :seconds,
            :typed, 'open', '', 1, :phase, :at, 0, :at)
    RETURNING id
"""

# refuses an item whose text was dropped meanwhile
_ITEMS: Final = """
    INSERT INTO shared_item (shared_id, position, item_id)
    VALUES (?, ?, (SELECT id FROM item WHERE id = ? AND prompt <> ''))
"""

_OWN: Final = "SELECT id FROM drill WHERE shared_id = :shared AND user_id = :user"

_SEEN: Final = "SELECT 1 FROM drill WHERE user_id = :user AND shared_id <> :shared LIMIT 1"

_JOIN: Final = """
    INSERT INTO drill (user_id, guild_id, track, title, state, started_at, shared_id)
    SELECT :user, guild_id, track, title, 'open', :at, id FROM shared_drill WHERE id = :shared
    RETURNING id
"""

_EXERCISES: Final = """
    INSERT INTO exercise (drill_id, position, item_id)
    SELECT :drill, position, item_id FROM shared_item WHERE shared_id = :shared ORDER BY position
"""

_ASKED: Final = """
    SELECT exercise.id
    FROM drill JOIN exercise ON exercise.drill_id = drill.id
    WHERE drill.shared_id = :shared AND drill.user_id = :user
    ORDER BY exercise.position
"""


async def begin(transaction: Writing, new: NewShared, items: Sequence[ItemId], at: datetime) -> Shared | None:
    """Start a shared drill; None when there is one of its run, or a race is under way in its channel."""
    values: dict[str, Value] = {
        "kind": new.kind,
        "run": new.run,
        "guild": new.guild,
        "channel": new.channel,
        "starter": new.starter,
        "track": new.track,
        "title": codec.storable(new.title),
        "pack": new.pack,
        "lessons": codec.storable(new.lessons),
        "seconds": new.seconds,
        "typed": new.typed,
        "phase": Phase.WAITING if new.kind is SharedKind.RACE else Phase.ASKING,
        "at": codec.to_ms(at),
    }
    if await transaction.one(_TAKEN, values) is not None:
        return None
    if new.starter is not None:
        await learners.ensure(transaction, new.starter, at)
    (begun,) = await transaction.all(_BEGIN, values)
    await transaction.many(_ITEMS, [(begun["id"], place, item) for place, item in enumerate(items, start=1)])
    (row,) = await transaction.all("SELECT * FROM shared_tally WHERE id = ?", (begun["id"],))
    return codec.shared(row)


async def join(transaction: Writing, shared: SharedId, user: UserId, at: datetime) -> Joined | None:
    """Return the person's drill over an open shared one, made unless it is there; None when that is gone or over."""
    values: dict[str, Value] = {"shared": shared, "user": user, "at": codec.to_ms(at)}
    if await transaction.one("SELECT 1 FROM shared_drill WHERE id = :shared AND state = 'open'", values) is None:
        return None
    first = await transaction.one(_SEEN, values) is None
    if await transaction.one(_OWN, values) is None:
        await learners.ensure(transaction, user, at)
        (own,) = await transaction.all(_JOIN, values)
        await transaction.run(_EXERCISES, values | {"drill": own["id"]})
    asked = await transaction.all(_ASKED, values)
    return Joined(tuple(ExerciseId(row["id"]) for row in asked), first)
