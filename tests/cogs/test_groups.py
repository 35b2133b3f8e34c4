"""A group's review as the channel sees it, and what its buttons answer to the one who pressed."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ButtonStyle
from simcord.backend.models import Overwrite

from bot.app import Services
from bot.settings import Settings
from bot.wiring import open_services
from cogs.render import groups as render
from lessons.flows.surveying import GroupReview, TooFewCounted
from lessons.groups import GroupTheme, GroupTotal
from lessons.model import ChannelId, ErrorType, GuildId, ItemId, RunId, Track, UserId
from tests.cogs.drawing import fits, message_of
from tests.cogs.newsroom import forge
from tests.cogs.test_reviews import miss
from tests.conftest import BEGINNING, MovableClock, World
from tests.screen import buttons, components, custom_ids, said, shown, text, told

LESSON, NEWS = Track.LESSON, Track.EXERCISE
PARTICLES = GroupTheme(LESSON, ErrorType.PARTICLE, 45, (("は", "が"), ("に", "で")))
WEEK = timedelta(days=7)


@dataclass
class Together:
    """Keeps which drills were started, in the place of what starts them."""

    begun: list[tuple[int, int, int, list[ItemId], str]] = field(default_factory=list)

    async def together(
        self, guild: GuildId, channel: ChannelId, starter: UserId, items: Sequence[ItemId], title: str, at: datetime
    ) -> None:
        self.begun.append((guild, channel, starter, list(items), title))


@pytest.fixture
def together() -> Together:
    return Together()


@pytest.fixture
async def services(data: Path, clock: MovableClock, together: Together) -> AsyncIterator[Services]:
    async with open_services(Settings(data=data, embedder="hashed"), clock=clock) as opened:
        yield replace(opened, surveying=replace(opened.surveying, sharing=together))


def a_review(*themes: GroupTheme, totals: tuple[GroupTotal, ...] = (), chart: bytes | None = None) -> GroupReview:
    told_ = totals or (GroupTotal(LESSON, 10, 320, 70),)
    kinds = frozenset({ErrorType.PARTICLE})
    return GroupReview(RunId(3), BEGINNING - WEEK, BEGINNING, told_, themes, chart, kinds)


async def post(world: World, review: GroupReview | TooFewCounted) -> Any:
    """Put a review into the channel, where everybody sees it."""
    channel = world.bot.get_channel(world.study.id)
    assert isinstance(channel, discord.TextChannel)
    if isinstance(review, TooFewCounted):
        await channel.send(view=render.too_few(review))
    else:
        files = [discord.File(io.BytesIO(review.chart), render.CHART)] if review.chart else []
        await channel.send(view=render.review(review), files=files)
    return world.study.last_message


async def test_a_review_shows_figures_patterns_a_chart_and_ways_on(world: World) -> None:
    message = await post(world, a_review(PARTICLES, GroupTheme(NEWS, ErrorType.TENSE, 5), chart=b"PNG"))
    seen = text(message)
    assert "### What we mixed up" in seen
    assert "Lessons: **10+ people**, 320+ answers, about 70 % right at the first try" in seen
    assert "**1 · particles** · 45+ exercises" in seen
    assert "**は** written as **が**, **に** written as **で**" in seen
    assert "**2 · tense in the news** · 5+ exercises" in seen
    assert set(buttons(message)) == {"Drill this together", "Show mine", "Count me in"}


async def test_one_sees_ones_own_review_alone(world: World) -> None:
    await miss(world, "が", "は", 5)
    message = await post(world, a_review(PARTICLES))
    mine = await world.mika.click(message, label="Show mine")
    assert mine.ephemeral
    assert "### Your last 30 days" in said(mine)
    nothing = await world.tom.click(message, label="Show mine")
    assert "not missed anything" in said(nothing)
    assert "### What we mixed up" in text(message)


async def test_being_counted_is_answered_privately_each_time(world: World) -> None:
    message = await post(world, TooFewCounted(BEGINNING - WEEK))
    assert "fewer than 5" in text(message)
    styles = {part["label"]: part["style"] for part in components(message) if "style" in part}
    assert styles == {"Count me in": ButtonStyle.primary.value, "Show mine": ButtonStyle.secondary.value}
    first = await world.mika.click(message, label="Count me in")
    assert first.ephemeral
    assert "You are counted.** A review looks back" in said(first)
    again = await world.mika.click(message, label="Count me in")
    assert "You are counted already" in said(again)
    learners = world.services.delivering.learners
    assert (await learners.learner(UserId(world.mika.id))).preferences.counted
    out = await world.mika.click(shown(again), label="Don't count me")
    assert "not counted any more" in said(out)
    assert "You are not counted." in said(await world.mika.click(shown(again), label="Don't count me"))
    assert not (await learners.learner(UserId(world.mika.id))).preferences.counted


async def test_a_theme_is_drilled_together_in_the_channel(world: World, together: Together) -> None:
    message = await post(world, a_review(PARTICLES))
    await world.restart()
    begun = await world.tom.click(message, label="Drill this together")
    assert begun.ephemeral
    assert "It begins below" in said(begun)
    ((guild, channel, starter, items, title),) = together.begun
    assert (guild, channel, starter, title) == (world.guild.id, world.study.id, world.tom.id, "Together: particles")
    packs = world.services.delivering.packs
    answers = [item.answer for each in items if (item := await packs.item(each))]
    assert len(answers) == 5
    assert sum(answer in {"は", "に"} for answer in answers) == 3


async def test_what_no_review_offers_is_answered(world: World, together: Together) -> None:
    own = shown(await world.mika.slash(world.study, "settings"))
    cases = {
        "kz:together:essay:1:1:は": "older version of me",
        "kz:together:particle:x:1:は": "older version of me",
        "kz:together:word_order:1:1:": "There is nothing about word order",
    }
    for pressed, sentence in cases.items():
        forge(world, own, pressed)
        result = await world.mika.click(own, label=pressed)
        assert sentence in (told(result) if result.followups else said(result)), pressed
    assert not together.begun


async def test_where_the_bot_may_not_write_nothing_begins(world: World, together: Together) -> None:
    message = await post(world, a_review(PARTICLES))
    deny = discord.Permissions(send_messages=True).value
    world.env.backend.set_overwrite(world.study.id, Overwrite(world.guild.id, 0, allow=0, deny=deny))
    writer = Overwrite(world.tom.id, 1, allow=deny, deny=0)
    world.env.backend.set_overwrite(world.study.id, writer)
    await world.env.settle()
    result = await world.tom.click(message, label="Drill this together")
    assert "I need **Send Messages** there." in (told(result) if result.followups else said(result))
    assert not together.begun


async def test_in_a_direct_message_nobody_is_counted_and_nothing_begins(world: World, together: Together) -> None:
    own = shown(await world.mika.user.slash("settings"))
    for pressed in ("kz:count_in:0", "kz:together:particle:1:1:は"):
        forge(world, own, pressed)
        result = await world.mika.user.click(own, label=pressed)
        assert "works in a server only" in (told(result) if result.followups else said(result))
    assert not together.begun


async def test_who_may_not_write_in_the_channel_starts_nothing_there(world: World, together: Together) -> None:
    quiet = {world.tom: discord.PermissionOverwrite(send_messages=False)}
    world.study = world.guild.create_text_channel("quiet", overwrites=quiet)
    message = await post(world, a_review(PARTICLES))
    result = await world.tom.click(message, label="Drill this together")
    assert "**Send Messages**" in (told(result) if result.followups else said(result))
    assert not together.begun


@pytest.mark.parametrize("answer", ["が", "*_~`|>[]#@<*", "@everyone", "👩‍👩‍👧" * 2, "|" * 12])
def test_five_themes_of_hostile_confusions_fit(answer: str) -> None:
    pairs = tuple((answer, f"{answer[:11]}{number}") for number in range(3))
    themes = [GroupTheme(LESSON, ErrorType.PARTICLE, 10_000, pairs) for _ in range(5)]
    totals = tuple(GroupTotal(track, 1000, 1_000_000, 100) for track in Track)
    message = message_of(render.review(a_review(*themes, totals=totals, chart=b"PNG")))
    assert fits(message)
    assert "@everyone" not in text(message)
    assert sum(each.startswith("kz:together:") for each in custom_ids(message)) == 5


def test_figures_that_are_not_told_leave_no_gap() -> None:
    totals = (GroupTotal(LESSON, 5, None, None), GroupTotal(NEWS, 10, 60, None))
    seen = text(message_of(render.review(a_review(totals=totals))))
    assert "Lessons: **5+ people**\n" in seen
    assert "News: **10+ people**, 60+ answers\n" in seen
    assert "no pattern to show" in seen
