"""Whether money for ten calls ever pays for an eleventh, and what the book of calls costs as a day fills up."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.table import Effort, Ratio, medians
from lessons.errors import ModelAway
from lessons.model import Booking, Caps, GuildId, Outcome, Payer, Purpose, Tokens, UserId
from storage import learners, migrate
from storage.connection import Database
from storage.usage import UsageStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

AT = datetime(2027, 3, 14, 9, tzinfo=UTC)
PRICE = 1000  # millionths of a dollar
PLENTY = Caps(user_micro_usd=10**12, guild_micro_usd=10**12, bot_micro_usd=10**12, grades=10**9)


def booking(number: int) -> Booking:
    """A call of one of fifty people in five servers."""
    payer = Payer(UserId(1 + number % 50), GuildId(1 + number % 5))
    return Booking(payer, Purpose.GRADE, "a model", PRICE, AT)


async def at_once(usage: UsageStore, calls: int, money: int) -> int:
    """Reserve so many at once with money for some of them; how many were let through."""
    caps = Caps(user_micro_usd=10**9, guild_micro_usd=10**9, bot_micro_usd=money * PRICE, grades=10**6)
    tried = await asyncio.gather(*(usage.reserve(booking(n), caps) for n in range(calls)), return_exceptions=True)
    assert all(not isinstance(each, BaseException) or isinstance(each, ModelAway) for each in tried)
    return sum(not isinstance(each, BaseException) for each in tried)


async def timed(work: Callable[[], Awaitable[object]], runs: int) -> list[float]:
    """Milliseconds of each run."""
    found = []
    for _ in range(runs):
        started = time.perf_counter()
        await work()
        found.append(1000 * (time.perf_counter() - started))
    return found


async def measured(folder: Path, day: int, runs: int) -> list[Ratio]:
    numbers = itertools.count()
    async with Database(migrate.prepare(folder / "one", at=AT)) as db:
        let_through = await at_once(UsageStore(db), 50, 10)
    async with Database(migrate.prepare(folder / "two", at=AT)) as db:
        usage = UsageStore(db)

        async def reserve() -> None:
            await usage.reserve(booking(next(numbers)), PLENTY)

        async def write() -> None:
            await db.write(lambda transaction: learners.ensure(transaction, UserId(1), AT))

        async def fill() -> None:
            booked = await usage.reserve(booking(next(numbers)), PLENTY)
            await usage.settle(booked, Outcome.DONE, Tokens(), PRICE, 1.0)

        early, plain = await timed(reserve, runs), await timed(write, runs)
        for _ in range(0, day, 50):
            await asyncio.gather(*(fill() for _ in range(min(50, day))))
        late = await timed(reserve, runs)
    return [
        Ratio("calls let through, fifty asked for at once", "calls there is money for", let_through / 10, f"{let_through} of 10"),
        Ratio("reserving a call", "a plain write", medians(early, plain), f"{median(early):.2f} and {median(plain):.2f} ms", runs),
        Ratio(f"reserving after {day:,} calls of the day", "at its beginning", medians(late, early),
              f"{median(late):.2f} and {median(early):.2f} ms", runs),
    ]  # fmt: skip


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder), effort.of(10_000, 1000, 5), effort.of(200, 50, 2)))


def main() -> None:
    for ratio in ratios():
        print(ratio.row("reservations"))


if __name__ == "__main__":
    main()
