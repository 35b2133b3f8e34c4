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

from benchmarks.measuring import standstill
from benchmarks.table import HEAD, Effort, Ratio, medians
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
    from collections.abc import Awaitable, Callable, Sequence

    from lessons.flows.posting import Tally
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

    async def send(
        self, schedule: Schedule, post: Post, nonce: str, handing: Callable[[], Awaitable[None]]
    ) -> MessageId:
        """Take a post."""
        await handing()
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


async def tick(posting: Posting, at: datetime) -> tuple[float, float, Tally]:
    """Let a tick run; milliseconds, the longest stall in milliseconds, and what came of it."""
    async with standstill() as stood:
        began = time.perf_counter()
        tally = await posting.tick(lambda: at)
        took = 1000 * (time.perf_counter() - began)
    return took, stood.longest, tally


@dataclass(frozen=True, slots=True)
class Cost:
    """So many schedules: MiB they add, ticks with nothing due, `claimed` and then `sent` of them, in milliseconds."""

    number: int
    grown: float
    idle: list[float]
    claimed: int
    claiming: float
    claiming_stall: float
    sent: int
    sending: float
    sending_stall: float


async def costs(folder: Path, number: int, ticks: int = 200) -> Cost:
    """Claim what is due in one house, and let a tick send it in another."""
    async with Database(migrate.prepare(folder / "claim", at=AT)) as db:
        store = ScheduleStore(db)
        before = memory()
        await fill(db, number)
        posting = Posting(store, Letterbox(), dict.fromkeys(ScheduleKind, Teller()))
        idle = [(await tick(posting, AT))[0] for _ in range(ticks)]
        grown = memory() - before
        async with standstill() as stood:
            began = time.perf_counter()
            claimed = 0
            while runs := await store.claim(DUE, 100, planned(DUE)):
                claimed += len(runs)
            claiming = 1000 * (time.perf_counter() - began)
    async with Database(migrate.prepare(folder / "send", at=AT)) as db:
        await fill(db, number)
        posting = Posting(ScheduleStore(db), Letterbox(), dict.fromkeys(ScheduleKind, Teller()))
        sending, stall, tally = await tick(posting, DUE)
    return Cost(number, grown, idle, claimed, claiming, stood.longest, tally.sent, sending, stall)


async def away(folder: Path) -> None:
    """A thousand daily schedules through two days of absence."""
    async with Database(migrate.prepare(folder, at=AT)) as db:
        store = ScheduleStore(db)
        await fill(db, DUE_AT_ONCE)
        posting = Posting(store, Letterbox(), dict.fromkeys(ScheduleKind, Teller()))
        for name, at in [("40 minutes after a time", 40), ("5 hours after a time", 300)]:
            began = DUE + 2 * DAY * (1 if at == 40 else 2) + timedelta(minutes=at)
            _, _, tally = await tick(posting, began)
            what = f"sent {tally.sent}, skipped {tally.skipped}"
            async with db.reading() as snapshot:
                rows = await snapshot.all("SELECT state, why, sum(late) AS late, count(*) AS n FROM run GROUP BY 1, 2")
            print(f"| {name} | {what} | {[tuple(row) for row in rows]} |")


def whole_year(rule_of: Callable[[str, int], Rule], zones: Sequence[str]) -> tuple[int, int, int, int]:
    """Look at the days round every change of clocks; zones with one, local days looked at, missed, doubled."""
    changing = days = missed = doubled = 0
    for zone in zones:
        changes = moved(zone)
        changing += bool(changes)
        for change in changes:
            for minute in TIMES:
                wanted = [change + number * DAY for number in range(-1, 2)]
                found = Counter(slots(rule_of(zone, minute), wanted, zone))
                days += len(wanted)
                missed += sum(not found[day] for day in wanted)
                doubled += sum(found[day] > 1 for day in wanted)
    return changing, days, missed, doubled


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


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    ticks = effort.of(200, 50, 2)
    with tempfile.TemporaryDirectory() as folder:
        few, many = (
            asyncio.run(costs(Path(folder) / f"{number}", number, ticks))
            for number in (DUE_AT_ONCE, effort.of(NUMBER, NUMBER, DUE_AT_ONCE))
        )
    known = sorted(zone_names())
    changing, days, missed, doubled = whole_year(Rule, effort.of(known, known[::10], ["Europe/Berlin"]))
    ms = f"{statistics.median(many.idle):.2f} and {statistics.median(few.idle):.2f} ms"
    zones = f"of {days:,} in {changing} zones"
    return [
        Ratio(f"a tick with nothing due, {many.number:,} schedules", f"{few.number:,}", medians(many.idle, few.idle), ms, ticks),
        Ratio(f"memory that {many.number:,} schedules add", "of the process", many.grown / memory(), f"{many.grown:.1f} MiB"),
        Ratio("claimed", "due at once", many.claimed / DUE_AT_ONCE, f"{many.claimed} in {many.claiming:.0f} ms"),
        Ratio("longest stall of the loop, claiming", "the time that takes", many.claiming_stall / many.claiming,
              f"{many.claiming_stall:.1f} of {many.claiming:.0f} ms"),
        Ratio("sent", "due at once", many.sent / DUE_AT_ONCE, f"{many.sent} in {many.sending:.0f} ms, letters that go at once"),
        Ratio("longest stall of the loop, sending", "the time that takes", many.sending_stall / many.sending,
              f"{many.sending_stall:.1f} of {many.sending:.0f} ms"),
        Ratio("local days missed around changes of clocks", "local days", missed / days, f"{missed} {zones}"),
        Ratio("local days doubled around changes of clocks", "local days", doubled / days, f"{doubled} {zones}"),
    ]  # fmt: skip


def main() -> None:
    print(HEAD)
    for ratio in ratios():
        print(ratio.row("scheduling"))
    print(f"\n{DUE_AT_ONCE:,} daily drills, two days away, found again\n")
    print("| when | tick | runs: state, why, passed over, number |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(away(Path(folder) / "away"))


if __name__ == "__main__":
    main()
