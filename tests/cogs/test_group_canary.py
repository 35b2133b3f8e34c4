"""Nothing of one person reaches the channel: twenty learners, a mark in every text of each, every payload searched."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from lessons.calendar import next_slot
from lessons.model import (
    ChannelId,
    Chart,
    DocumentKind,
    GuildId,
    InteractionId,
    NewSchedule,
    Rule,
    ScheduleKind,
    Submission,
    Track,
    UserId,
)
from tests.conftest import World
from tests.screen import text

WEEKLY = Rule("UTC", 600, (0,))  # first an hour after the beginning of every test, which is a Monday
KANJI = "一二三四五六七八九十百千万山川海空森林火"
ALIKE = 3
"""Items that all of them miss in the same way."""


def mark(number: int) -> str:
    return f"金糸雀{KANJI[number]}"


@dataclass
class Watched:
    """The real charts, and every word that was drawn."""

    charts: Any
    drawn: list[Chart] = field(default_factory=list)

    async def draw(self, chart: Chart) -> bytes:
        self.drawn.append(chart)
        return bytes(await self.charts.draw(chart))


@dataclass
class Circle:
    """Twenty members who miss は alike, and further ones in a way of their own; each has a mark in all they wrote."""

    world: World
    watched: Watched = field(init=False)
    people: list[Any] = field(default_factory=list)
    interactions: int = 0

    def __post_init__(self) -> None:
        surveying = self.world.services.surveying
        self.watched = Watched(surveying.charts)
        composer = replace(surveying, charts=self.watched)
        self.world.services.posting._composers[ScheduleKind.GROUP_REVIEW] = composer
        for number in range(len(KANJI)):
            user = self.world.env.create_user(f"canary{number:02d}")
            self.people.append(self.world.guild.add_member(user))

    @property
    def guild(self) -> GuildId:
        return GuildId(self.world.guild.id)

    async def schedule(self) -> None:
        schedules, now = self.world.services.scheduling.schedules, self.world.clock()
        new = NewSchedule(
            ScheduleKind.GROUP_REVIEW,
            WEEKLY,
            UserId(self.world.aoki.id),
            guild=self.guild,
            channel=ChannelId(self.world.study.id),
        )
        made = await schedules.draft(new, now)
        await schedules.activate(made, self.guild, next_slot(WEEKLY, now))

    async def practise(self) -> None:
        for number, who in enumerate(self.people):
            await self._practise(number, UserId(who.id))

    async def _practise(self, number: int, user: UserId) -> None:
        services, now, own = self.world.services, self.world.clock(), mark(number)
        await services.delivering.learners.note_visit(user, self.guild, now)
        await services.documenting.save(user, DocumentKind.GOAL, own, f"私の目標は{own}です。", now)
        pack = await services.delivering.packs.find("particles", ())
        assert pack is not None
        items = [item for item in await services.delivering.packs.items(pack.id) if item.answer == "は"]
        asked = [item.id for item in items]
        drill = await services.delivering.drills.begin(user, self.guild, Track.LESSON, own, asked, now)
        for place, exercise in enumerate(await services.delivering.drills.exercises(drill.id, user)):
            self.interactions += 1
            typed = "が" if place < ALIKE else own
            submission = Submission(user, exercise.id, typed, now, InteractionId(self.interactions))
            await services.answering.answer(submission)
        kept = await services.recollecting.mistakes.since(user, now)
        assert any(own in each.card.typed for each in kept)

    async def opt_in(self, number: int) -> None:
        for who in self.people[:number]:
            await self.world.services.surveying.count_in(UserId(who.id), self.guild, self.world.clock())

    async def next_week(self) -> str:
        """Let the review fall due; what stands last in the channel then."""
        self.world.clock.at = next_slot(WEEKLY, self.world.clock()).due
        await self.world.services.posting.tick(self.world.clock)
        await self.world.env.settle()
        return text(self.world.study.last_message)

    def outgoing(self) -> str:
        """Everything that was sent into the channel, that stands in it, and that was drawn for it."""
        path = f"/channels/{self.world.study.id}/"
        sent = [repr(entry) for entry in self.world.env.http_requests if path in entry.path]
        stands = [repr(list(message.components)) for message in self.world.study.history()]
        assert sent
        return "\n".join([*sent, *stands, *map(repr, self.watched.drawn)])

    def check(self) -> None:
        everything = self.outgoing()
        for number, who in enumerate(self.people):
            assert mark(number) not in everything
            assert f"canary{number:02d}" not in everything
            assert str(who.id) not in everything


@pytest.fixture
async def circle(world: World) -> Circle:
    made = Circle(world)
    await made.schedule()
    return made


async def test_with_four_who_are_counted_there_is_no_theme_and_with_five_there_is(circle: Circle) -> None:
    await circle.practise()
    await circle.opt_in(4)
    few = await circle.next_week()
    assert "There are fewer than 5 so far" in few
    assert "は" not in few
    assert not circle.watched.drawn
    circle.check()
    await circle.next_week()
    assert len([each for each in circle.world.study.history() if each.author.bot]) == 1
    await circle.practise()
    await circle.opt_in(5)
    review = await circle.next_week()
    assert "**1 · particles** · 25+ exercises" in review
    assert "> **は** written as **が**" in review
    assert "5+ people" in review
    assert len(circle.watched.drawn) == 1
    circle.check()
