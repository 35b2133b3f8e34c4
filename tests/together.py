"""A channel whose people answer the same questions: schedules that fall due, races, answers of many."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from itertools import count
from typing import Any

from bot.app import Services
from lessons.flows.racing import RaceRequest
from lessons.flows.sharing import DailyDrill, Told, Try
from lessons.model import (
    Asked,
    ChannelId,
    GuildId,
    InteractionId,
    Pause,
    Rule,
    Run,
    RunId,
    Schedule,
    ScheduleId,
    ScheduleKind,
    ScheduleState,
    Shared,
    SharedId,
    Skip,
    Slot,
    UserId,
)
from tests.conftest import MovableClock

HERE, THERE = GuildId(71), GuildId(72)
CHANNEL = ChannelId(700)
MIKA, TOM, AOKI = UserId(1), UserId(2), UserId(9)

ANYTHING = Asked()

_SCHEDULE = """
    INSERT INTO schedule (id, kind, guild_id, channel_id, made_by, time_zone, minute, weekdays, lessons, news, count,
                          state, paused_why, made_at)
    VALUES (1, 'daily_drill', 71, 700, 9, 'UTC', 0, 1, '', 0, 1, 'draft', '', 0) ON CONFLICT DO NOTHING
"""
_RUN = "INSERT INTO run (id, schedule_id, due_at, day, late, state, why) VALUES (?, 1, ?, 0, 0, 'claimed', '')"


@dataclass
class Channel:
    """The study channel of a server, and everybody in it."""

    services: Services
    clock: MovableClock
    numbers: Any = field(default_factory=lambda: count(1))

    async def due(self, asked: Asked = ANYTHING, guild: GuildId | None = HERE, channel: ChannelId = CHANNEL) -> Run:
        """A time of a schedule that fell due."""
        run = RunId(next(self.numbers))
        database = self.services.sharing.shared._db
        await database.write(lambda transaction: transaction.run(_SCHEDULE))
        await database.write(lambda transaction: transaction.run(_RUN, (run, run)))
        schedule = Schedule(
            ScheduleId(1),
            ScheduleKind.DAILY_DRILL,
            Rule("UTC", 0),
            ScheduleState.ACTIVE,
            AOKI,
            self.clock(),
            guild=guild,
            channel=channel,
            asked=asked,
        )
        return Run(run, schedule, Slot(self.clock(), date(2026, 11, 30)))

    async def daily(self, asked: Asked = ANYTHING, guild: GuildId = HERE) -> DailyDrill | Skip | Pause:
        return await self.services.sharing.compose(await self.due(asked, guild), self.clock())

    async def race(self, **asked: Any) -> Shared:
        """A race whose first question is asked."""
        ask = RaceRequest(
            **({"user": MIKA, "guild": HERE, "channel": CHANNEL, "pack": "particles", "count": 2} | asked)
        )
        race = await self.services.racing.start(ask, self.clock())
        await self.services.racing.turn(race.id, self.clock())
        return race

    async def right(self, shared: SharedId, position: int = 1) -> str:
        place = await self.services.sharing.shared.place(shared, position)
        assert place is not None
        return place.item.answer

    def given(self, shared: SharedId, text: str, user: UserId = MIKA, **more: Any) -> Try:
        values = {"position": 1, "guild": HERE, "at": self.clock()} | more
        return Try(shared=shared, text=text, user=user, interaction=InteractionId(next(self.numbers)), **values)

    async def answer(self, shared: SharedId, text: str, user: UserId = MIKA, **more: Any) -> Told:
        return await self.services.sharing.answer(self.given(shared, text, user, **more))

    async def standing(self, shared: SharedId) -> Shared:
        found = await self.services.sharing.shared.shared(shared)
        assert found is not None
        return found
