"""The marks of twenty learners are found nowhere but in their own replies, over all commands, presses and jobs."""

from __future__ import annotations

import io
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

import discord
import pytest
import simcord.actors

from bot.app import Services
from bot.logs import configure
from bot.settings import Settings
from bot.wiring.round import daily_round
from cogs.routing import Presses
from lessons.model import GuildId, InteractionId, ScheduleKind, Submission, Track, UserId
from tests.canaries import (
    APPEALED,
    DECISIONS,
    NAMES,
    OPTIONS,
    OWNERS,
    SKIPPED,
    UNOFFERED,
    WRITTEN,
    Walk,
    Watch,
    echo,
    marks,
)
from tests.cogs.drilling import start, submit
from tests.cogs.newsroom import BAKERY
from tests.cogs.racing import answer, card, race_of, right_answer, wait
from tests.cogs.studying import reply
from tests.cogs.tutoring import house, hurry
from tests.conftest import MovableClock, World
from tests.messages.server import MessagesServer, messages_server
from tests.messages.streams import in_pieces
from tests.screen import buttons, shown, text

PEOPLE: Final = len(WRITTEN)
ALIKE: Final = 3
"""Items that all of them miss in the same way, so that there is something to tell a group."""
NEXT_MORNING: Final = datetime.fromisoformat("2026-12-01T10:00:00+00:00")

WITH_MARKS: Final = (
    "request: private reply", "request: direct message", "request: direct message reply", "request: thread",
    "message: private reply", "message: direct message", "message: thread", "name of a thread", "modal",
    "file: as it was handed over",
)  # fmt: skip
"""What is somebody's own, and so holds marks: of its owner."""
WITHOUT_MARKS: Final = ("request: public", "message: public", "choices", "log", "chart of the group")
"""What all can see, or what is offered to all."""


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged, as an operator gets it at DEBUG."""
    stream = io.StringIO()
    root = logging.getLogger()
    handlers = root.handlers[:]
    for handler in handlers:  # they belong to others: `configure` closes what it replaces
        root.removeHandler(handler)
    configure("DEBUG", stream)
    for handler in handlers:
        root.addHandler(handler)
    return stream


@pytest.fixture
async def model(log: io.StringIO) -> AsyncIterator[MessagesServer]:
    async with messages_server(in_pieces(echo, size=400)) as it:
        yield it


@pytest.fixture
async def services(data: Path, clock: MovableClock, model: MessagesServer) -> AsyncIterator[Services]:
    async with house(data, clock, model, user_cents=10_000, server_cents=10_000, bot_cents=100_000) as opened:
        yield opened


def written(n: int) -> str:
    """Return what somebody types, which is no answer to anything."""
    return f"ぬ{WRITTEN[n]}ぬ"


@dataclass
class Drawn:
    """The real charts, and all that was drawn for a group."""

    charts: Any
    seen: list[Any] = field(default_factory=list)

    async def draw(self, chart: Any) -> bytes:
        self.seen.append(chart)
        return bytes(await self.charts.draw(chart))


@dataclass
class Aviary:
    """Twenty members, each with a mark in all that is theirs; every other one is named, the others' names are marks too."""

    world: World
    people: list[Any] = field(default_factory=list)
    numbers: Any = field(default_factory=lambda: count(1))
    similar: int = 0

    def __post_init__(self) -> None:
        for n in range(PEOPLE):
            shown_as = None if self.is_named(n) else f"{NAMES[n]}さん"
            user = self.world.env.create_user(f"canary{n:02d}", global_name=shown_as)
            self.people.append(self.world.guild.add_member(user))
        surveying = self.world.services.surveying
        self.drawn = Drawn(surveying.charts)
        composer = replace(surveying, charts=self.drawn)
        self.world.services.posting._composers[ScheduleKind.GROUP_REVIEW] = composer
        self.watch = Watch(self.world, self.people, frozenset(who.id for who in self.people[1::2]))

    @staticmethod
    def is_named(n: int) -> bool:
        return n % 2 == 0

    async def settle_in(self, n: int) -> None:
        """Let somebody do, by themselves, all that leaves something of theirs."""
        who, own, study = self.people[n], WRITTEN[n], self.world.study
        await self._practise(n)
        wishes = {"review": "daily", "review_time": "10:00", "reminder": "10:00", "time_zone": "UTC"}
        await who.slash(study, "settings", show_name=self.is_named(n), group_reviews=True, **wishes)
        await who.slash(study, "profile goal", text=f"{own}へ行きたいです。{own}!", name=f"{own}の目標")
        await who.slash(study, "profile background", text=f"前は{own}で働いていました。{own}!", name=f"{own}の話")
        opened = await who.slash(study, "profile correct", field="focus")
        await who.submit_modal(opened, {"text": f"{own}の敬語"})
        await who.slash(study, "ask", question=f"{own}に or {own}で?")
        opened = await who.slash(study, "compose")
        await who.submit_modal(opened, {"text": f"きのう{own}で行きます。"})
        await self._study(n)
        drill = await start(self.world, who, pack="verb_forms", count=1)
        if "New drill" in buttons(drill):
            drill = shown(await who.click(drill, label="New drill"))
        verdict = shown(await submit(who, drill, f"ぬ{APPEALED[n]}ぬ"))
        await who.click(verdict, label="I was right")

    async def _practise(self, n: int) -> None:
        services, now, user = self.world.services, self.world.clock(), UserId(self.people[n].id)
        await services.delivering.learners.note_visit(user, GuildId(self.world.guild.id), now)
        pack = await services.delivering.packs.find("particles", ())
        assert pack is not None
        items = [item.id for item in await services.delivering.packs.items(pack.id) if item.answer == "は"][:6]
        drill = await services.delivering.drills.begin(
            user, GuildId(self.world.guild.id), Track.LESSON, WRITTEN[n], items, now
        )
        for place, exercise in enumerate(await services.delivering.drills.exercises(drill.id, user)):
            typed = "が" if place < ALIKE else written(n)
            await services.answering.answer(
                Submission(user, exercise.id, typed, now, InteractionId(next(self.numbers)))
            )

    async def _study(self, n: int) -> None:
        """Begin a study, some in a thread and some in direct messages, and say something there."""
        who, own = self.people[n], WRITTEN[n]
        if n % 2:
            draft = shown(await who.slash(self.world.study, "study start", topic=f"{own}の助詞"))
            await who.click(draft, label="Start")
            await reply(self.world, self.world.study.threads[-1], f"{own}で行きます", who)
        else:
            draft = shown(await who.user.slash("study start", topic=f"{own}の助詞"))
            await who.user.click(draft, label="Start")
            await reply(self.world, who.user.dm_channel, f"{own}で行きます", who.user)


@pytest.fixture
async def aviary(world: World, monkeypatch: pytest.MonkeyPatch) -> Aviary:
    monkeypatch.setattr(simcord.actors, "_check_command_access", lambda *_: None)
    hurry(world)
    return Aviary(world)


def filled(options: dict[str, Any], words: str) -> dict[str, Any]:
    """Put somebody's words into options."""
    made = dict(options)
    for name, value in options.items():
        if isinstance(value, str):
            made[name] = value.format(words=words)
        elif isinstance(value, tuple):
            made[name] = (value[0], value[1].replace("{words}", words).encode())
    return made


async def walk(aviary: Aviary, who: Any, channel: Any, words: str, first: list[Any]) -> Walk:
    """Try every command there is in a place, and all that can be pressed, beginning with what stands in the channel."""
    made = Walk(aviary.watch, who, channel, words, frozenset(SKIPPED))
    for message in first:
        made.offer(message)
    await made.press()
    for command in aviary.world.bot.tree.walk_commands():
        if isinstance(command, discord.app_commands.Group):
            continue
        for each in (
            command.parameters if channel is not None or not (command.root_parent or command).guild_only else ()
        ):
            if each.autocomplete:
                await made.choices(command.qualified_name, each.name)
        for options in OPTIONS[command.qualified_name]:
            if channel is not None or not (command.root_parent or command).guild_only:
                await made.run(command.qualified_name, filled(options, words))
    return made


async def run_jobs(aviary: Aviary, data: Path) -> list[str]:
    """Run every job of the daily round once; their names."""
    services, clock = aviary.world.services, aviary.world.clock
    database, embedder = services.erasing.records._db, services.documenting.embedder
    work = daily_round(Settings(data=data, embedder="hashed"), services, database, embedder, clock)
    jobs = work.get_jobs()
    for job in jobs:
        await job.func(*job.args, **job.kwargs)
    await aviary.world.env.settle()
    return [job.id for job in jobs]


async def answer_privately(aviary: Aviary, n: int, message: Any, typed: str) -> None:
    """Answer on a card that all see, and look at what is like it."""
    who = aviary.people[n]
    private = await answer(who, message, typed)
    assert private.ephemeral
    if "Show similar" in buttons(shown(private)):
        await who.click(shown(private), label="Show similar")
        aviary.similar += 1


async def race(aviary: Aviary) -> None:
    """Let five race over one question."""
    world = aviary.world
    await aviary.people[4].slash(world.study, "race", pack="particles", questions=1)
    first = await card(world, "1/")
    number = race_of(first)
    right = await right_answer(world, number)
    for n in range(4, 9):
        await answer_privately(aviary, n, first, written(n) if n < 8 else right)
    await wait(world, number, seconds=20)
    await card(world, "1/1", f"**{right}**")
    await wait(world, number, seconds=10)
    await card(world, "The race is over")


async def a_morning(aviary: Aviary, data: Path) -> None:
    """Let everything that comes by itself come: to each of the twenty, and into the channel; and be answered there."""
    world = aviary.world
    for command in ("schedule review", "schedule drill"):
        plan = await world.aoki.slash(world.study, command, time="10:00", days="every day", time_zone="UTC")
        await world.aoki.click(shown(plan), label="Confirm")
    world.clock.at = NEXT_MORNING
    assert {"post", "regrade", "fill-in-details", "keep-safe", "count", "retention"} <= {*await run_jobs(aviary, data)}
    for who in aviary.people:
        came = [text(each) for each in who.user.dm_channel.history()]
        assert any("missed" in each for each in came)
        assert any("practise" in each for each in came)
    review, daily = (
        next(each for each in posts_of(world.study) if name in text(each)) for name in ("mixed up", "of the day")
    )
    assert "> **は** written as **が**" in text(review)
    for n in range(10, 14):
        await answer_privately(aviary, n, daily, written(n))


async def everybody_tries_everything(aviary: Aviary) -> list[str]:
    """Let one of the twenty, an outsider and a moderator try all there is; the presses they made, one by one."""
    world, posts = aviary.world, posts_of(aviary.world.study)
    tries = ((aviary.people[1], f"{WRITTEN[1]}の声"), (world.tom, "ぬぬぬ"), (world.aoki, "ねねね"))
    own = posts_of(next(each for each in world.study.threads if WRITTEN[1] in (each.name or "")))
    walks = [
        await walk(aviary, who, world.study, words, [*posts, *(own if not n else ())])
        for n, (who, words) in enumerate(tries)
    ]
    walks += [await walk(aviary, who.user, None, words, posts_of(who.user.dm_channel)) for who, words in tries]
    return [action for each in walks for action in sorted(each.pressed)]


def posts_of(channel: Any) -> list[Any]:
    """Return what the bot has said to everybody in a channel."""
    return [each for each in channel.history() if each.author.bot and not each.flags.ephemeral and text(each)]


def test_every_command_says_how_it_is_tried(world: World) -> None:
    commands = [each for each in world.bot.tree.walk_commands() if not isinstance(each, discord.app_commands.Group)]
    assert {each.qualified_name for each in commands} == set(OPTIONS)


async def test_marks_are_found_nowhere_but_in_their_owners_replies(
    aviary: Aviary, data: Path, model: MessagesServer, log: io.StringIO
) -> None:
    world, watch = aviary.world, aviary.watch
    await world.aoki.slash(world.study, "article add", file=("a.txt", BAKERY.encode()))
    for n in range(PEOPLE):
        await aviary.settle_in(n)
    await a_morning(aviary, data)
    await race(aviary)
    pressed = await everybody_tries_everything(aviary)
    for days in (1, 91):
        world.clock.move(days=days)
        await run_jobs(aviary, data)
    watch.everything()
    watch.look("log", None, log.getvalue())
    for chart in aviary.drawn.seen:
        watch.look("chart of the group", None, repr(chart))
    assert not watch.leaks, "\n".join(" · ".join(each) for each in watch.leaks[:20])
    for asked in model.requests:
        assert len({OWNERS[each] for each in marks(asked.body)}) <= 1, "the model was told of two people at once"
    for kind in (*WITH_MARKS, *WITHOUT_MARKS):
        assert watch.looked[kind] > 0, kind
        assert (watch.found[kind] > 0) == (kind in WITH_MARKS), kind
    assert watch.looked[DECISIONS] > 0
    assert aviary.similar > 0
    presses = world.bot.get_cog("Presses")
    assert isinstance(presses, Presses)
    assert {action for action, _ in presses._answers()} <= {*pressed, *SKIPPED, *UNOFFERED}
    assert len(model.requests) > 100
    everything = {**watch.looked, "presses": len(pressed), "requests to the model": len(model.requests)}
    print(f"looked at: {everything}")  # noqa: T201
