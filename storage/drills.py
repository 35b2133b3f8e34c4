"""Drills, their exercises, attempts and spacing: nothing of them is found without its owner's id."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.model import UserId
from storage import codec, exercises, learners, picking, recording, tallying

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date, datetime

    from lessons.model import (
        Attempt,
        AttemptId,
        DayAnswer,
        Drill,
        DrillId,
        Exercise,
        ExerciseId,
        GuildId,
        ItemId,
        MistakeCard,
        MistakeId,
        PackId,
        Spacing,
        Track,
    )
    from storage.connection import Database
    from storage.session import Value, Writing

_OPEN_DRILL: Final = """
    SELECT * FROM drill_tally WHERE user_id = ? AND track = ? AND state = 'open'
    ORDER BY started_at DESC, id DESC LIMIT 1
"""

_TITLED: Final = """
    SELECT * FROM drill_tally WHERE user_id = ? AND title = ? ORDER BY started_at DESC, id DESC LIMIT 1
"""

_OWNER: Final = """
    SELECT drill.user_id FROM exercise JOIN drill ON drill.id = exercise.drill_id WHERE exercise.id = ?
"""

_STOP_OTHERS: Final = """
    UPDATE drill SET state = 'stopped', ended_at = :at WHERE user_id = :user AND track = :track AND state = 'open'
"""

_BEGIN: Final = """
    INSERT INTO drill (user_id, guild_id, track, title, state, started_at)
    VALUES (:user, :guild, :track, :title, 'open', :at) RETURNING id
"""

# refuses an item whose text was dropped meanwhile
_EXERCISES: Final = """
    INSERT INTO exercise (drill_id, position, item_id)
    VALUES (?, ?, (SELECT id FROM item WHERE id = ? AND prompt <> ''))
"""

_HINTED: Final = """
    UPDATE exercise SET hinted = 1
    WHERE id = ? AND hinted = 0 AND drill_id IN (SELECT id FROM drill WHERE user_id = ?)
"""

_RETRIED: Final = """
    UPDATE exercise SET retried_by = coalesce(retried_by, :interaction)
    WHERE id = :exercise AND drill_id IN (SELECT id FROM drill WHERE user_id = :user)
    RETURNING retried_by
"""

_STOP: Final = """
    UPDATE drill SET state = 'stopped', ended_at = ? WHERE id = ? AND user_id = ? AND state = 'open' RETURNING id
"""


class DrillStore:
    """The Drills port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def open_drill(self, user: UserId, track: Track) -> Drill | None:
        """Return the learner's newest open drill."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_OPEN_DRILL, (user, track))
        return codec.drill(row) if row else None

    async def last_titled(self, user: UserId, title: str) -> Drill | None:
        """Return the learner's newest drill of that title, in any state."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_TITLED, (user, title))
        return codec.drill(row) if row else None

    async def drill(self, drill: DrillId, user: UserId) -> Drill | None:
        """Return a drill of this learner."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM drill_tally WHERE id = ? AND user_id = ?", (drill, user))
        return codec.drill(row) if row else None

    async def owner(self, exercise: ExerciseId) -> UserId | None:
        """Whose exercise this is; None when there is no such exercise."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_OWNER, (exercise,))
        return UserId(row["user_id"]) if row else None

    async def drill_owner(self, drill: DrillId) -> UserId | None:
        """Whose drill this is; None when there is no such drill."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT user_id FROM drill WHERE id = ?", (drill,))
        return UserId(row["user_id"]) if row else None

    async def due(
        self, user: UserId, packs: Collection[PackId], at: datetime, limit: int, lessons: Collection[str] | None = None
    ) -> list[ItemId]:
        """Visible items of these packs (and lessons, unless None) due at `at`, the longest overdue first."""
        return await self._db.read(partial(picking.due, asked=picking.choice(user, packs, at, limit, lessons)))

    async def fresh(
        self, user: UserId, packs: Sequence[PackId], limit: int, lessons: Collection[str] | None = None
    ) -> list[ItemId]:
        """Visible items this learner never answered (no spacing row), in the order of `packs`, then of the file."""
        return await self._db.read(partial(picking.fresh, asked=picking.choice(user, packs, None, limit, lessons)))

    async def ahead(
        self, user: UserId, packs: Collection[PackId], at: datetime, limit: int, lessons: Collection[str] | None = None
    ) -> list[ItemId]:
        """Visible items of these packs (and lessons) that fall due after `at`, the soonest first."""
        return await self._db.read(partial(picking.ahead, asked=picking.choice(user, packs, at, limit, lessons)))

    async def next_due(self, user: UserId, packs: Collection[PackId]) -> datetime | None:
        """Return the earliest due time over the visible items of these packs."""
        return await self._db.read(partial(picking.next_due, user=user, packs=packs))

    async def reviewed_since(self, user: UserId, track: Track, since: datetime) -> tuple[int, int]:
        """Reviews since then: of items answered for the first time ever, and of items answered before."""
        return await self._db.read(partial(picking.reviewed_since, user=user, track=track, since=since))

    async def last_pack(self, user: UserId) -> PackId | None:
        """Return the pack of the learner's latest attempt."""
        return await self._db.read(partial(picking.last_pack, user=user))

    async def begin(
        self, user: UserId, guild: GuildId | None, track: Track, title: str, items: Sequence[ItemId], at: datetime
    ) -> Drill:
        """Start a drill over these items and stop the learner's other open drills of the track, in one transaction.

        Raises ValueError without items: such a drill could never end.
        """
        if not items:
            raise ValueError("a drill needs an exercise")
        values: dict[str, Value] = {
            "user": user,
            "guild": guild,
            "track": track,
            "title": title,
            "at": codec.to_ms(at),
        }

        async def work(transaction: Writing) -> Drill:
            await learners.ensure(transaction, user, at)
            await transaction.run(_STOP_OTHERS, values)
            (begun,) = await transaction.all(_BEGIN, values)
            places = [(begun["id"], place, item) for place, item in enumerate(items, start=1)]
            await transaction.many(_EXERCISES, places)
            (row,) = await transaction.all("SELECT * FROM drill_tally WHERE id = ?", (begun["id"],))
            return codec.drill(row)

        return await self._db.write(work)

    async def exercise(self, exercise: ExerciseId, user: UserId) -> Exercise | None:
        """One exercise of this learner, with its item as this drill's server accepts it."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(
                "SELECT * FROM exercise_state WHERE exercise_id = ? AND user_id = ?", (exercise, user)
            )
            return next(iter(await exercises.of_rows(snapshot, rows)), None)

    async def exercises(self, drill: DrillId, user: UserId) -> list[Exercise]:
        """All exercises of a drill of this learner, by position."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(
                "SELECT * FROM exercise_state WHERE drill_id = ? AND user_id = ? ORDER BY place", (drill, user)
            )
            return await exercises.of_rows(snapshot, rows)

    async def spacing(self, user: UserId, item: ItemId) -> Spacing | None:
        """FSRS's memory of this item for this learner."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM spacing WHERE user_id = ? AND item_id = ?", (user, item))
        return codec.spacing(row) if row else None

    async def record(
        self, attempt: Attempt, spacing: Spacing | None, card: MistakeCard | None
    ) -> tuple[AttemptId, MistakeId | None] | None:
        """Settle an exercise: attempt, spacing and mistake card in ONE transaction, unique on exercise and interaction.

        When it was the last open exercise the drill becomes FINISHED. None when the exercise was settled before, its
        drill is no longer open, or it is another person's: then nothing is written.
        """
        return await self._db.write(partial(recording.record, attempt=attempt, spacing=spacing, card=card))

    async def mark_hinted(self, exercise: ExerciseId, user: UserId) -> None:
        """Note that the hint of this exercise was shown."""
        await self._db.write(lambda transaction: transaction.run(_HINTED, (exercise, user)))

    async def mark_retried(self, exercise: ExerciseId, user: UserId, interaction: int) -> bool:
        """Use up the free retry of this exercise; True when it was free, or when this interaction used it."""
        values = {"exercise": exercise, "user": user, "interaction": interaction}
        row = await self._db.write(lambda transaction: transaction.one(_RETRIED, values))
        return row is not None and row["retried_by"] == interaction

    async def stop(self, drill: DrillId, user: UserId, at: datetime) -> bool:
        """Stop an open drill; False when it was not open."""
        values = (codec.to_ms(at), drill, user)
        return await self._db.write(lambda transaction: transaction.one(_STOP, values)) is not None

    async def daily(self, user: UserId, since: datetime) -> list[DayAnswer]:
        """Settled exercises since then, oldest first, of the 400 days before the learner's latest one at most."""
        rows = await self._db.read(partial(tallying.daily, user=user, since=since))
        return await asyncio.to_thread(lambda: [codec.day_answer(row) for row in rows])

    async def practised(self, user: UserId) -> list[date]:
        """Return the days with an answer, each as the learner lived it, rising."""
        return await self._db.read(partial(tallying.practised, user=user))

    async def latest_answers(
        self, user: UserId, items: Collection[ItemId], since: datetime, until: datetime
    ) -> dict[ItemId, bool]:
        """Those of these items that were answered after `since` and by `until`: whether the latest answer was right."""
        return await self._db.read(partial(tallying.latest_answers, user=user, items=items, since=since, until=until))
