"""What the clock costs: ten thousand schedules at rest and falling due, and every zone's changes of clocks for a year."""

from __future__ import annotations

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from lessons.calendar import next_slot, plan, zone_names
from lessons.flows.posting import Posting
from lessons.model import (
    MessageId,
    Post,
    Rule,
    Schedule,
    ScheduleKind,
)
from storage import codec, migrate
from storage.connection import Database
from storage.schedules import ScheduleStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.model import Plan, Run
    from storage.session import Writing

AT = datetime(2027, 3, 14, 9, tzinfo=UTC)
DUE = datetime(2027, 3, 14, 10, tzinfo=UTC)
DAY = timedelta(days=1)
NUMBER = 10_000
DUE_AT_ONCE = 1_000
YEAR = 2027
TIMES = range(0, 1440, 30)

_FILL = """
    INSERT INTO schedule (kind, guild_id, channel_id, made_by, time_zone, minute, weekdays, lessons, news, count,
                          state, next_due, next_day, paused_why, made_at)
    VALUES ('daily_drill', :guild, :channel, 9, 'UTC', :minute, 127, '', 0, 1, 'active', :due, :day, '', 0)
"""


class Words(Post):
    """A post that says nothing."""


@dataclass
class Teller:
    """Composes at once."""

    async def compose(self, run: Run, at: datetime) -> Post:
        """Return a post."""
        return Words()

    async def posted(self, run: Run, post: Post, message: MessageId, at: datetime) -> None:
        """There is nothing to note."""


@dataclass
class Letterbox:
    """Takes everything."""

    is_open: bool = True

    async def send(self, schedule: Schedule, post: Post, nonce: str) -> MessageId:
        """Take a post."""
        return MessageId(1)


async def fill(db: Database, number: int) -> None:
    """Keep so many schedules, the first DUE_AT_ONCE of them due at DUE and the others an hour later."""
    rows = [
        {
            "guild": 1 + each % 500,
            "channel": 1 + each,
            "minute": 600 if each < DUE_AT_ONCE else 660,
            "due": codec.to_ms(DUE if each < DUE_AT_ONCE else DUE + timedelta(hours=1)),
            "day": codec.of_date(DUE.date()),
        }
        for each in range(number)
    ]

    async def work(transaction: Writing) -> None:
        await transaction.many(_FILL, rows)

    await db.write(work)


def planned(at: datetime) -> Callable[[Schedule], Plan]:
    def make(schedule: Schedule) -> Plan:
        assert schedule.upcoming is not None
        return plan(schedule.rule, schedule.upcoming, at, schedule.last_day)

    return make


async def stalls(longest: list[float]) -> None:
    """Keep the longest time the event loop stood still, in milliseconds."""
    before = time.perf_counter()
    while True:
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        longest[0], before = max(longest[0], 1000 * (now - before)), now


async def tick(posting: Posting, at: datetime) -> tuple[float, float, str]:
    """Let a tick run; milliseconds, the longest stall in milliseconds, and what came of it."""
    longest = [0.0]
    watch = asyncio.create_task(stalls(longest))
    await asyncio.sleep(0.01)
    longest[0] = 0.0
    began = time.perf_counter()
    tally = await posting.tick(lambda: at)
    took = 1000 * (time.perf_counter() - began)
    watch.cancel()
    return took, longest[0], f"sent {tally.sent}, skipped {tally.skipped}"


async def costs(folder: Path, number: int) -> None:
    async with Database(migrate.prepare(folder, at=AT)) as db:
        store = ScheduleStore(db)
        before = memory()
        await fill(db, number)
        posting = Posting(store, Letterbox(), dict.fromkeys(ScheduleKind, Teller()))
        idle = [(await tick(posting, AT))[0] for _ in range(200)]
        grown = memory() - before
        print(f"| {number:,} schedules | {grown:.1f} | {statistics.median(idle):.2f} | {p99(idle):.2f} |", end="")
        longest = [0.0]
        watch = asyncio.create_task(stalls(longest))
        began = time.perf_counter()
        claimed = 0
        while runs := await store.claim(DUE, 100, planned(DUE)):
            claimed += len(runs)
        print(f" {claimed} in {1000 * (time.perf_counter() - began):.0f} | {longest[0]:.1f} |", end="")
        watch.cancel()
        took, stall, what = await tick(Posting(store, Letterbox(), dict.fromkeys(ScheduleKind, Teller())), DUE)
        print(f" {what} in {took:.0f} | {stall:.1f} |")


async def away(folder: Path) -> None:
    """A thousand daily schedules through two days of absence."""
    async with Database(migrate.prepare(folder, at=AT)) as db:
        store = ScheduleStore(db)
        await fill(db, DUE_AT_ONCE)
        posting = Posting(store, Letterbox(), dict.fromkeys(ScheduleKind, Teller()))
        for name, at in [("40 minutes after a time", 40), ("5 hours after a time", 300)]:
            began = DUE + 2 * DAY * (1 if at == 40 else 2) + timedelta(minutes=at)
            _, _, what = await tick(posting, began)
            async with db.reading() as snapshot:
                rows = await snapshot.all("SELECT state, why, sum(late) AS late, count(*) AS n FROM run GROUP BY 1, 2")
            print(f"| {name} | {what} | {[tuple(row) for row in rows]} |")


def whole_year(rule_of: Callable[[str, int], Rule]) -> tuple[int, int, int, int]:
    """Look at the days round every change of clocks; zones, local days looked at, missed, doubled."""
    zones = days = missed = doubled = 0
    for zone in zone_names():
        changes = moved(zone)
        zones += bool(changes)
        for change in changes:
            for minute in TIMES:
                wanted = [change + number * DAY for number in range(-1, 2)]
                found = Counter(slots(rule_of(zone, minute), wanted, zone))
                days += len(wanted)
                missed += sum(not found[day] for day in wanted)
                doubled += sum(found[day] > 1 for day in wanted)
    return zones, days, missed, doubled


def moved(zone: str) -> list[date]:
    known = ZoneInfo(zone)
    noons = [datetime(YEAR, 1, 1, tzinfo=UTC) + number * DAY for number in range(366)]
    offsets = [each.astimezone(known).utcoffset() for each in noons]
    return [noons[n].astimezone(known).date() for n in range(365) if offsets[n] != offsets[n + 1]]


def slots(rule: Rule, wanted: list[date], zone: str) -> list[date]:
    """Follow a rule through these local days, by the moment alone, as the clock does."""
    at = datetime.combine(wanted[0] - DAY, datetime.min.time(), ZoneInfo(zone)).astimezone(UTC)
    found = []
    while (slot := next_slot(rule, at)).day <= wanted[-1]:
        found.append(slot.day)
        at = slot.due
    return found


def memory() -> float:
    """MiB that are in use by this process."""
    if sys.platform.startswith("linux"):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def main() -> None:
    print(
        "| | MiB added | tick, nothing due: median ms | p99 ms | claimed, ms | longest stall ms | a tick, ms | stall ms |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for number in (DUE_AT_ONCE, NUMBER):
            asyncio.run(costs(Path(folder) / f"{number}", number))
        print(
            f"\n{DUE_AT_ONCE:,} daily drills, two days away, found again\n\n| when | tick | runs: state, why, passed over, number |\n|---|---|---|"
        )
        asyncio.run(away(Path(folder) / "away"))
    began = time.perf_counter()
    zones, days, missed, doubled = whole_year(Rule)
    took = time.perf_counter() - began
    print(
        f"\n{YEAR}: {zones} zones with a change, {len(TIMES)} times of day, {days:,} local days: {missed} missed, {doubled} doubled"
    )
    print(f"{1e6 * took / days:.1f} us a day")


if __name__ == "__main__":
    main()
