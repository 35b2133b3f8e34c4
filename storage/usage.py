"""The book of model calls: what is reserved and spent in a UTC day never exceeds the caps, whoever calls at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from lessons.errors import ModelAway
from lessons.model import Away, Outcome, Purpose, UsageId, UsageRow
from storage import codec, learners

if TYPE_CHECKING:
    import sqlite3
    from datetime import date

    from lessons.model import Booking, Caps, Tokens
    from storage.connection import Database
    from storage.session import Value, Writing

DIRECT: Final = 0
"""The server that direct messages and the bot's own work are booked under."""

_SPENT: Final = """
    SELECT
        (
            SELECT coalesce(sum(iif(state = 'settled', cost, reserve)), 0) FROM model_usage
            WHERE user_id = :user AND day = :day AND state <> 'void'
        ) AS user,
        (
            SELECT coalesce(sum(iif(state = 'settled', cost, reserve)), 0) FROM model_usage
            WHERE day = :day AND guild_id = :guild AND state <> 'void'
        ) AS guild,
        (
            SELECT coalesce(sum(iif(state = 'settled', cost, reserve)), 0) FROM model_usage
            WHERE day = :day AND state <> 'void'
        ) AS bot,
        (
            SELECT count(*) FROM model_usage
            WHERE user_id = :user AND day = :day AND purpose = 'grade' AND state <> 'void'
        ) AS grades,
        (
            SELECT count(*) FROM model_usage
            WHERE user_id = :user AND day = :day AND purpose = 'tutor' AND state <> 'void'
        ) AS turns
"""

_RESERVE: Final = """
    INSERT INTO model_usage (at, day, guild_id, user_id, purpose, model, state, reserve)
    VALUES (:at, :day, :guild, :user, :purpose, :model, 'reserved', :reserve) RETURNING id
"""

_SETTLE: Final = """
    UPDATE model_usage SET
        state = 'settled', outcome = :outcome, cost = :cost, milliseconds = :milliseconds, input = :input,
        cache_write_5m = :cache_write_5m, cache_write_1h = :cache_write_1h, cache_read = :cache_read, output = :output
    WHERE id = :usage AND state = 'reserved'
"""

_KEEP_RESERVE: Final = """
    UPDATE model_usage SET state = 'settled', outcome = ?, cost = reserve, milliseconds = ?
    WHERE id = ? AND state = 'reserved'
"""

_VOID: Final = "UPDATE model_usage SET state = 'void' WHERE id = ? AND state = 'reserved'"

_LOST: Final = """
    UPDATE model_usage SET state = 'settled', outcome = ?, cost = reserve WHERE state = 'reserved' RETURNING id
"""

_BILL: Final = """
    SELECT
        day, purpose, model, guild_id, count(*) AS calls, count(*) FILTER (WHERE outcome <> 'done') AS failed,
        sum(input) AS input, sum(cache_write_5m) AS cache_write_5m, sum(cache_write_1h) AS cache_write_1h,
        sum(cache_read) AS cache_read, sum(output) AS output,
        sum(iif(state = 'settled', cost, reserve)) AS micro_usd, sum(milliseconds) AS milliseconds
    FROM model_usage
    WHERE day >= ? AND state <> 'void'
    GROUP BY day, purpose, model, guild_id
    ORDER BY day DESC, micro_usd DESC, purpose, model, guild_id
"""


class UsageStore:
    """The Usage port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def reserve(self, booking: Booking, caps: Caps) -> UsageId:
        """Reserve the most a call can cost, in one transaction with the sums of its UTC day.

        Direct messages share the cap of a server. Raises ModelAway (BUDGET_USER, BUDGET_GUILD, BUDGET_BOT, GRADES, TURNS)
        with the moment the day ends.
        """
        return await self._db.write(partial(_reserve, booking=booking, caps=caps))

    async def settle(self, usage: UsageId, outcome: Outcome, tokens: Tokens, micro_usd: int, seconds: float) -> None:
        """Book what a call really cost; harmless for one that is booked already."""
        values: dict[str, Value] = {
            "usage": usage,
            "outcome": outcome,
            "cost": micro_usd,
            "milliseconds": round(seconds * 1000),
            "input": tokens.input,
            "cache_write_5m": tokens.cache_write_5m,
            "cache_write_1h": tokens.cache_write_1h,
            "cache_read": tokens.cache_read,
            "output": tokens.output,
        }
        await self._db.write(lambda transaction: transaction.run(_SETTLE, values))

    async def keep_reserve(self, usage: UsageId, outcome: Outcome, seconds: float) -> None:
        """Book a call at its reserve: it left, and may be billed."""
        values = (outcome, round(seconds * 1000), usage)
        await self._db.write(lambda transaction: transaction.run(_KEEP_RESERVE, values))

    async def void(self, usage: UsageId) -> None:
        """Take a reservation back: no request left."""
        await self._db.write(lambda transaction: transaction.run(_VOID, (usage,)))

    async def settle_lost(self) -> int:
        """Book what was reserved when the process ended at its reserve; how many there were. Called once at start."""
        return len(await self._db.write(lambda transaction: transaction.all(_LOST, (Outcome.LOST,))))

    async def bill(self, since: date) -> list[UsageRow]:
        """Usage by day, purpose, model and server, newest day first, then the dearest.

        What is reserved counts at its reserve; a call that gave no whole reply counts as failed.
        """
        async with self._db.reading() as snapshot:
            return [codec.usage_row(row) for row in await snapshot.all(_BILL, (codec.of_date(since),))]


async def _reserve(transaction: Writing, booking: Booking, caps: Caps) -> UsageId:
    payer, day = booking.payer, codec.to_day(booking.at)
    values: dict[str, Value] = {
        "at": codec.to_ms(booking.at),
        "day": day,
        "guild": DIRECT if payer.guild is None else payer.guild,
        "user": payer.user,
        "purpose": booking.purpose,
        "model": booking.model,
        "reserve": booking.micro_usd,
    }
    (spent,) = await transaction.all(_SPENT, values)
    if (why := _too_much(booking, caps, spent)) is not None:
        raise ModelAway(why, codec.first_moment(day + 1))
    if payer.user is not None:
        await learners.ensure(transaction, payer.user, booking.at)
    (kept,) = await transaction.all(_RESERVE, values)
    return UsageId(kept["id"])


def _too_much(booking: Booking, caps: Caps, spent: sqlite3.Row) -> Away | None:
    """Return the first cap that this booking would exceed."""
    person, more = booking.payer.user is not None, booking.micro_usd
    limits = (
        (person and spent["user"] + more > caps.user_micro_usd, Away.BUDGET_USER),
        (spent["guild"] + more > caps.guild_micro_usd, Away.BUDGET_GUILD),
        (spent["bot"] + more > caps.bot_micro_usd, Away.BUDGET_BOT),
        (person and booking.purpose is Purpose.GRADE and spent["grades"] >= caps.grades, Away.GRADES),
        (person and booking.purpose is Purpose.TUTOR and spent["turns"] >= caps.turns, Away.TURNS),
    )
    return next((why for exceeded, why in limits if exceeded), None)
