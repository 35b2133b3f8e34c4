"""What the database says of the last moments, for the operator's log: numbers alone, of nobody in particular."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons.model import Pause, RunState
from storage import codec

if TYPE_CHECKING:
    from datetime import date, datetime

    from storage.connection import Database

_WINDOW: Final = timedelta(hours=12)
"""A run that is settled fell due no longer ago than this."""

_RUNS: Final = """
    SELECT state, why, count(*) AS runs, sum(late) AS late, max(settled_at - due_at) AS behind FROM run
    WHERE due_at >= :window AND settled_at >= :since
    GROUP BY state, why
"""

_CALLS: Final = """
    SELECT
        count(*) AS calls, count(*) FILTER (WHERE outcome <> 'done') AS failed,
        coalesce(sum(iif(state = 'settled', cost, reserve)), 0) AS cost
    FROM model_usage WHERE day >= :day AND at >= :since AND state <> 'void'
"""

_SPENT: Final = """
    SELECT coalesce(sum(iif(state = 'settled', cost, reserve)), 0) AS cost FROM model_usage
    WHERE day = ? AND state <> 'void'
"""

_FEEDS: Final = "SELECT count(*) AS found FROM feed WHERE failures > 0"

_JUDGE: Final = "SELECT count(*) AS found FROM waiting_judgement WHERE decided_at IS NULL"


@dataclass(frozen=True, slots=True)
class Figures:
    """Posts by what became of them and model calls since a moment; feeds that fail and answers that wait, as they are now.

    `late` counts times that were passed over, `seconds_behind` is the latest post's delay, costs are millionths of a dollar.
    """

    sent: int
    skipped: int
    paused: int
    failed: int
    unknown: int
    late: int
    seconds_behind: float
    calls: int
    calls_failed: int
    micro_usd: int
    feeds_failing: int
    judge_waiting: int


class FigureStore:
    """Counts what is stored."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def since(self, moment: datetime) -> Figures:
        """Return the figures from `moment` until now."""
        values = {
            "since": codec.to_ms(moment),
            "window": codec.to_ms(moment - _WINDOW),
            "day": codec.to_day(moment),
        }
        async with self._db.reading() as snapshot:
            runs = await snapshot.all(_RUNS, values)
            (calls,) = await snapshot.all(_CALLS, values)
            (feeds,) = await snapshot.all(_FEEDS)
            (judge,) = await snapshot.all(_JUDGE)
        of_access = {pause.value for pause in Pause}
        by_state = {state: [row for row in runs if row["state"] == state] for state in RunState}
        failed, sent = by_state[RunState.FAILED], by_state[RunState.SENT]
        return Figures(
            sent=sum(row["runs"] for row in sent),
            skipped=sum(row["runs"] for row in by_state[RunState.SKIPPED]),
            paused=sum(row["runs"] for row in failed if row["why"] in of_access),
            failed=sum(row["runs"] for row in failed if row["why"] not in of_access),
            unknown=sum(row["runs"] for row in by_state[RunState.UNKNOWN]),
            late=sum(row["late"] for row in runs),
            seconds_behind=max((row["behind"] for row in sent), default=0) / 1000,
            calls=calls["calls"],
            calls_failed=calls["failed"],
            micro_usd=calls["cost"],
            feeds_failing=feeds["found"],
            judge_waiting=judge["found"],
        )

    async def spent_on(self, day: date) -> int:
        """Return what the model cost on a UTC day, in millionths of a dollar; what is reserved counts at its reserve."""
        async with self._db.reading() as snapshot:
            (spent,) = await snapshot.all(_SPENT, (codec.of_date(day),))
        return int(spent["cost"])
