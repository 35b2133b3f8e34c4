"""The numbers of the last moments: what fell due, what the model cost, what fails and what waits."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from lessons.model import Booking, Caps, GuildId, Outcome, Payer, Purpose, Tokens
from storage.figures import Figures, FigureStore
from storage.usage import UsageStore
from tests.storage.world import AT, BEN

if TYPE_CHECKING:
    from storage.connection import Database
    from storage.session import Writing

MINUTE = timedelta(minutes=1)
NOTHING = Figures(0, 0, 0, 0, 0, 0, 0.0, 0, 0, 0, 0, 0)


async def test_nothing_happened(db: Database) -> None:
    assert await FigureStore(db).since(AT) == NOTHING


async def test_calls_of_the_moment_and_costs_of_the_day(db: Database) -> None:
    usage, figures = UsageStore(db), FigureStore(db)
    for ago, cost in ((0, 300), (5, 7_000)):
        at = AT - ago * MINUTE
        booked = await usage.reserve(Booking(Payer(BEN, GuildId(9)), Purpose.GRADE, "m", 10_000, at), Caps())
        await usage.settle(booked, Outcome.DONE, Tokens(input=9), cost, 1.0)
    await usage.reserve(Booking(Payer(BEN, GuildId(9)), Purpose.GRADE, "m", 500, AT), Caps())
    found = await figures.since(AT - MINUTE)
    assert (found.calls, found.calls_failed, found.micro_usd) == (2, 0, 800)
    assert await figures.spent_on(AT.date()) == 7_800
    assert await figures.spent_on((AT + timedelta(days=1)).date()) == 0


RUNS = (
    ("sent", "", 90, 5, 0),
    ("sent", "", 80, 60, 0),
    ("sent", "", 4000, 70, 0),  # settled before
    ("skipped", "late", 5000, 10, 3),
    ("failed", "no_dm", 70, 10, 0),
    ("failed", "an error", 70, 10, 0),
    ("unknown", "", 70, 10, 0),
)


async def test_runs_are_told_by_what_became_of_them(db: Database) -> None:
    now = round(AT.timestamp() * 1000)

    async def write(transaction: Writing) -> None:
        await transaction.run(
            "INSERT INTO schedule (kind, guild_id, channel_id, made_by, time_zone, minute, weekdays, lessons, news, count,"
            " state, next_due, next_day, paused_why, made_at)"
            " VALUES ('daily_drill', 1, 2, 3, 'UTC', 0, 1, '', 0, 1, 'active', 1, 1, '', 1)"
        )
        for number, (state, why, due, settled, late) in enumerate(RUNS):
            due_at, settled_at = now - due * 1000 - number, now - settled * 1000
            if number == 2:
                settled_at = due_at
            await transaction.run(
                "INSERT INTO run (schedule_id, due_at, day, late, state, why, settled_at, message_id)"
                " VALUES (1, ?, 1, ?, ?, ?, ?, ?)",
                (due_at, late, state, why, settled_at, 7 if state == "sent" else None),
            )

    await db.write(write)
    found = await FigureStore(db).since(AT - MINUTE)
    assert (found.sent, found.skipped, found.paused, found.failed, found.unknown, found.late) == (2, 1, 1, 1, 1, 3)
    assert found.seconds_behind == 85.0
