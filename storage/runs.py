"""What became of each time of a schedule: claimed in one transaction, tried, settled once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import MessageId, RunId, RunState
from storage import codec

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from lessons.model import Plan, Run, Schedule, ScheduleId, UserId
    from storage.connection import Database
    from storage.session import Value, Values, Writing

_IS_DUE: Final = "SELECT 1 FROM schedule WHERE state = 'active' AND next_due <= ? LIMIT 1"

_DUE: Final = "SELECT * FROM schedule WHERE state = 'active' AND next_due <= ? ORDER BY next_due LIMIT ?"

_NEXT: Final = """
    UPDATE schedule SET next_due = json_extract(plan.value, '$[4]'), next_day = json_extract(plan.value, '$[5]')
    FROM json_each(?) AS plan WHERE schedule.id = json_extract(plan.value, '$[0]')
"""

_CLAIM: Final = """
    INSERT INTO run (schedule_id, user_id, due_at, day, late, state, why)
    SELECT schedule.id, schedule.user_id, json_extract(plan.value, '$[1]'), json_extract(plan.value, '$[2]'),
           json_extract(plan.value, '$[3]'), 'claimed', ''
    FROM json_each(?) AS plan JOIN schedule ON schedule.id = json_extract(plan.value, '$[0]')
    WHERE true ORDER BY plan.key ON CONFLICT DO NOTHING
"""

_CLAIMED: Final = """
    SELECT schedule.*, run.id AS run_id, run.due_at, run.day, run.late, run.tried_at
    FROM run JOIN schedule ON schedule.id = run.schedule_id
    WHERE run.state = 'claimed' AND run.id > ? ORDER BY run.id
"""

_LATEST_RUN: Final = "SELECT coalesce(max(id), 0) AS latest FROM run"

_TRYING: Final = """
    UPDATE run SET tried_at = coalesce(tried_at, ?) WHERE id = ? AND state = 'claimed' RETURNING id
"""

_UNTRIED: Final = "UPDATE run SET tried_at = NULL WHERE id = ? AND state = 'claimed'"

_SETTLE: Final = """
    UPDATE run SET state = :state, why = :why, settled_at = :at, message_id = :message
    WHERE id = :run AND state = 'claimed' RETURNING schedule_id, day
"""

_LAST_DAY: Final = "UPDATE schedule SET last_day = max(coalesce(last_day, :day), :day) WHERE id = :schedule"

_LATEST_SENT: Final = """
    SELECT id, settled_at, why FROM run WHERE schedule_id = ? AND state = 'sent' ORDER BY due_at DESC LIMIT 1
"""

_IS_ANSWERED: Final = """
    SELECT answered_at IS NOT NULL OR EXISTS (
        SELECT 1 FROM attempt
        WHERE attempt.user_id = run.user_id AND attempt.track IN ('lesson', 'exercise') AND attempt.at >= run.settled_at
    ) AS answered
    FROM run WHERE id = ?
"""

_ANSWERED: Final = """
    UPDATE run SET answered_at = coalesce(answered_at, ?) WHERE id = ? AND user_id = ? RETURNING id
"""

_PRUNE: Final = """
    DELETE FROM run WHERE due_at < :before AND state <> 'claimed' AND NOT (state = 'sent' AND NOT EXISTS (
        SELECT 1 FROM run AS later
        WHERE later.schedule_id = run.schedule_id AND later.state = 'sent' AND later.due_at > run.due_at
    )) RETURNING id
"""

_PRUNE_DRAFTS: Final = "DELETE FROM schedule WHERE state = 'draft' AND made_at < ?"


class Runs:
    """The half of the Schedules port that the clock works with."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def claim(self, at: datetime, limit: int, plan: Callable[[Schedule], Plan]) -> list[Run]:
        """Take up schedules that are due, the longest first, in ONE transaction: a run each, and their next time.

        A time that has a run already, as after the clock was set back, gets no second one.
        """
        now = codec.to_ms(at)
        async with self._db.reading() as snapshot:
            if await snapshot.one(_IS_DUE, (now,)) is None:
                return []

        async def work(transaction: Writing) -> list[Run]:
            found = [codec.schedule(row) for row in await transaction.all(_DUE, (now, limit))]
            plans = codec.plans([(schedule.id, plan(schedule)) for schedule in found])
            (before,) = await transaction.all(_LATEST_RUN)
            await transaction.run(_CLAIM, (plans,))
            await transaction.run(_NEXT, (plans,))
            return [codec.run(row) for row in await transaction.all(_CLAIMED, (before["latest"],))]

        return await self._db.write(work)

    async def unsettled(self) -> list[Run]:
        """Return the runs that are claimed: under way, or left behind by a process that ended."""
        async with self._db.reading() as snapshot:
            return [codec.run(row) for row in await snapshot.all(_CLAIMED, (0,))]

    async def trying(self, run: RunId, at: datetime) -> bool:
        """Note that a claimed run is handed to Discord now (the first time counts); False when it is settled or gone."""
        return await self._did(_TRYING, (codec.to_ms(at), run))

    async def untried(self, run: RunId) -> None:
        """Note that Discord surely did not take a claimed run, so that a later try is a first one."""
        await self._db.write(lambda transaction: transaction.run(_UNTRIED, (run,)))

    async def settle(
        self, run: RunId, state: RunState, at: datetime, *, why: str = "", message: MessageId | None = None
    ) -> None:
        """Note what became of a claimed run; a run that was SENT counts as a post for its day."""
        values: dict[str, Value] = {"run": run, "state": state, "why": why, "at": codec.to_ms(at), "message": message}

        async def work(transaction: Writing) -> None:
            row = await transaction.one(_SETTLE, values)
            if row and state is RunState.SENT:
                await transaction.run(_LAST_DAY, {"schedule": row["schedule_id"], "day": row["day"]})

        await self._db.write(work)

    async def latest_sent(self, schedule: ScheduleId) -> tuple[RunId, datetime, str] | None:
        """Return the latest run that was sent, when, and its `why`."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_LATEST_SENT, (schedule,))
        return (RunId(row["id"]), codec.from_ms(row["settled_at"]), row["why"]) if row else None

    async def is_answered(self, run: RunId) -> bool:
        """Tell whether the learner of a sent run has pressed something on it, or practised since."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_IS_ANSWERED, (run,))
        return bool(row and row["answered"])

    async def answered(self, run: RunId, user: UserId, at: datetime) -> bool:
        """Note that this learner pressed something on a post of theirs; False when it is not theirs or gone."""
        return await self._did(_ANSWERED, (codec.to_ms(at), run, user))

    async def prune(self, before: datetime) -> int:
        """Drop runs that were due before then, but for the latest sent one of each schedule, and drafts; the number of runs."""
        values = (codec.to_ms(before),)

        async def work(transaction: Writing) -> int:
            await transaction.run(_PRUNE_DRAFTS, values)
            return len(await transaction.all(_PRUNE, {"before": values[0]}))

        return await self._db.write(work)

    async def _found(self, sql: str, values: Values) -> list[Schedule]:
        async with self._db.reading() as snapshot:
            return [codec.schedule(row) for row in await snapshot.all(sql, values)]

    async def _did(self, sql: str, values: Values) -> bool:
        """Carry out a statement that returns what it changed; whether it changed anything."""
        return await self._db.write(lambda transaction: transaction.one(sql, values)) is not None
