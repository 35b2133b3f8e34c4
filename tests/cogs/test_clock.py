"""Posts by the clock on Discord: paced, once, refused without asking where the gateway knows, resumed when access returns."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite

from cogs.ui.layouts import notice
from cogs.ui.letters import Letter
from lessons.calendar import next_slot
from lessons.errors import PostFailed, PostRefused
from lessons.model import (
    ChannelId,
    GuildId,
    NewSchedule,
    Pause,
    Post,
    Rule,
    Run,
    Schedule,
    ScheduleId,
    ScheduleKind,
    ScheduleState,
    UserId,
)
from storage.schedules import ScheduleStore
from tests.conftest import World
from tests.screen import buttons, shown, text, told

RULE = Rule("UTC", 600)  # an hour after the beginning of every test
CLOSED = {"status": 403, "code": 50007}
NOBODY = Overwrite


@dataclass(frozen=True, slots=True)
class Words(Post):
    text: str


class Teller:
    async def compose(self, run: Run, at: object) -> Words:
        return Words(f"good morning {run.schedule.id}")

    async def posted(self, *_: object) -> None:
        return


@dataclass
class Clockwork:
    world: World

    def __post_init__(self):
        self.store: ScheduleStore = self.world.services.resuming.schedules
        self.world.services.posting._composers.update(dict.fromkeys(ScheduleKind, Teller()))
        self.attach()

    def attach(self):
        self.world.services.outbox._renderers = {Words: lambda post: Letter(notice(post.text))}

    async def own(self, who: Any, kind: ScheduleKind = ScheduleKind.REVIEW) -> Schedule:
        now = self.world.clock()
        return await self.store.set_own(
            NewSchedule(kind, RULE, UserId(who.id), user=UserId(who.id)), next_slot(RULE, now), now
        )

    async def post_into(self, channel: Any, guild: Any = None) -> ScheduleId:
        guild = guild or self.world.guild
        new = NewSchedule(
            ScheduleKind.DAILY_DRILL,
            RULE,
            UserId(self.world.aoki.id),
            guild=GuildId(guild.id),
            channel=ChannelId(channel.id),
        )
        made = await self.store.draft(new, self.world.clock())
        await self.store.activate(made, new.guild, next_slot(RULE, self.world.clock()))
        return made

    async def tomorrow(self) -> None:
        """Let the next time come, and everything that is sent arrive."""
        at = self.world.clock()
        self.world.clock.at = next_slot(RULE, at).due
        await self.world.services.posting.tick(self.world.clock)
        await self.world.env.settle()

    async def of(self, schedule: ScheduleId, guild: Any = None) -> Schedule:
        found = await self.store.schedule(schedule, GuildId((guild or self.world.guild).id))
        assert found is not None
        return found

    def asked(self) -> Counter[int]:
        """How often each channel was written to over HTTP."""
        posted = [entry for entry in self.world.env.http_requests if entry.method == "POST"]
        return Counter(int(entry.path.split("/")[2]) for entry in posted if entry.path.endswith("/messages"))


@pytest.fixture
def clockwork(world: World) -> Clockwork:
    return Clockwork(world)


def posts(channel: Any) -> list[str]:
    return [text(message) for message in channel.history() if message.author.bot]


async def test_what_is_due_arrives_in_a_channel_and_in_direct_messages(clockwork: Clockwork):
    world = clockwork.world
    await clockwork.post_into(world.study)
    await clockwork.own(world.mika)
    await clockwork.tomorrow()
    assert posts(world.study) == ["good morning 1"]
    assert posts(world.mika.user.dm_channel) == ["good morning 2"]
    await clockwork.tomorrow()
    assert len(posts(world.mika.user.dm_channel)) == 2


async def test_ready_three_times_is_one_tick_and_a_restart_posts_nothing_twice(clockwork: Clockwork, monkeypatch):
    world = clockwork.world
    await clockwork.post_into(world.study)
    world.clock.at = next_slot(RULE, world.clock()).due
    world.bot.cogs["Access"]._was_ready = False
    ticks, done = [], asyncio.Semaphore(0)
    tick = world.services.posting.tick

    async def counted(clock):
        ticks.append(await tick(clock))
        done.release()

    monkeypatch.setattr(world.services.posting, "tick", counted)
    for _ in range(3):
        world.bot.dispatch("ready")
    await done.acquire()
    assert [tally.sent for tally in ticks] == [1]
    await world.restart()
    await done.acquire()
    assert [tally.sent for tally in ticks] == [1, 0]
    assert posts(world.study) == ["good morning 1"]


async def test_a_closed_dm_a_deleted_channel_and_a_lost_server_leave_the_others_alone(clockwork: Clockwork):
    world = clockwork.world
    gone = world.guild.create_text_channel("gone")
    others = [await clockwork.post_into(world.study) for _ in range(7)]
    deleted = await clockwork.post_into(gone)
    kicked = await clockwork.post_into(world.next_door_channel, world.next_door)
    closed = await clockwork.own(world.mika)
    world.env.inject_error("POST", f"/channels/{world.mika.user.dm_channel.id}/messages", times=None, **CLOSED)
    world.env.backend.delete_channel(gone.id)
    world.env.backend.remove_guild(world.next_door.id)
    await world.env.settle()
    for _ in range(3):
        await clockwork.tomorrow()
    assert len(posts(world.study)) == 21
    assert clockwork.asked() == {world.study.id: 21, world.mika.user.dm_channel.id: 1}
    assert {(await clockwork.of(each)).state for each in others} == {ScheduleState.ACTIVE}
    assert (await clockwork.of(deleted)).why is Pause.NO_CHANNEL
    assert (await clockwork.of(kicked, world.next_door)).why is Pause.NO_SERVER
    own = await clockwork.store.own(closed.user, ScheduleKind.REVIEW)
    assert own.why is Pause.NO_DM


async def test_what_was_lost_while_the_bot_was_away_costs_no_request_either(clockwork: Clockwork):
    world = clockwork.world
    made = await clockwork.post_into(type("Gone", (), {"id": 4_242})())
    elsewhere = await clockwork.post_into(world.study, type("Gone", (), {"id": 2_424})())
    await clockwork.tomorrow()
    assert clockwork.asked() == {}
    assert (await clockwork.of(made)).why is Pause.NO_CHANNEL
    assert (await clockwork.of(elsewhere, type("Gone", (), {"id": 2_424})())).why is Pause.NO_SERVER


async def test_a_channel_that_may_not_be_written_to_pauses_without_a_request_and_resumes_with_the_rights(
    clockwork: Clockwork,
):
    world = clockwork.world
    made = await clockwork.post_into(world.study)
    everyone = world.guild.default_role.id
    mine = world.bot.get_guild(world.guild.id).me.roles[-1].id
    for target in (everyone, mine):
        world.env.backend.set_overwrite(
            world.study.id, Overwrite(target, 0, allow=0, deny=discord.Permissions(send_messages=True).value)
        )
    await world.env.settle()
    await clockwork.tomorrow()
    assert (await clockwork.of(made)).why is Pause.NO_ACCESS
    assert clockwork.asked() == {}
    for target in (everyone, mine):
        world.env.backend.delete_overwrite(world.study.id, target)
    await world.env.settle()
    resumed = await clockwork.of(made)
    assert resumed.state is ScheduleState.ACTIVE
    assert resumed.upcoming.due == world.clock() + timedelta(days=1)
    await clockwork.tomorrow()
    assert posts(world.study) == ["good morning 1"]


async def test_a_role_that_returns_resumes_and_one_that_is_still_missing_does_not(clockwork: Clockwork):
    world = clockwork.world
    made = await clockwork.post_into(world.study)
    guild = world.bot.get_guild(world.guild.id)
    mine = guild.me.roles[-1]
    nothing = discord.Permissions.none().value
    world.env.backend.edit_role(guild.id, guild.default_role.id, {"permissions": nothing})
    world.env.backend.edit_role(guild.id, mine.id, {"permissions": nothing})
    await world.env.settle()
    await clockwork.tomorrow()
    assert (await clockwork.of(made)).why is Pause.NO_ACCESS
    few = discord.Permissions(view_channel=True).value
    world.env.backend.edit_role(guild.id, mine.id, {"permissions": few})
    await world.env.settle()
    assert (await clockwork.of(made)).state is ScheduleState.PAUSED
    many = discord.Permissions(view_channel=True, send_messages=True).value
    world.env.backend.edit_role(guild.id, mine.id, {"permissions": many})
    await world.env.settle()
    assert (await clockwork.of(made)).state is ScheduleState.ACTIVE


async def test_a_learner_who_writes_or_presses_in_direct_messages_is_written_to_again(clockwork: Clockwork):
    world = clockwork.world
    own = await clockwork.own(world.mika)
    world.env.inject_error("POST", f"/channels/{world.mika.user.dm_channel.id}/messages", **CLOSED)
    await clockwork.tomorrow()
    assert (await clockwork.store.own(own.user, own.kind)).why is Pause.NO_DM
    await world.mika.user.send_dm("hello?")
    assert (await clockwork.store.own(own.user, own.kind)).state is ScheduleState.ACTIVE
    await clockwork.store.pause(own.id, Pause.NO_DM, world.clock())
    await world.mika.user.slash("settings")
    assert (await clockwork.store.own(own.user, own.kind)).state is ScheduleState.ACTIVE
    await clockwork.store.pause(own.id, Pause.ASKED, world.clock())
    await world.mika.user.send_dm("hello?")
    assert (await clockwork.store.own(own.user, own.kind)).why is Pause.ASKED


async def test_a_pause_is_told_once_at_the_next_command_and_resume_is_pressed_twice(clockwork: Clockwork):
    world = clockwork.world
    own = await clockwork.own(world.mika)
    await clockwork.store.pause(own.id, Pause.UNANSWERED, world.clock())
    assert (await world.tom.slash(world.study, "settings")).followups == []
    result = await world.mika.slash(world.study, "settings")
    assert "Time zone" in text(shown(result))
    (message,) = result.followups
    assert "**Your review** is paused since <t:" in told(result)
    assert "not opened" in told(result)
    assert (await world.mika.slash(world.study, "settings")).followups == []
    pressed = await world.mika.click(message, label="Resume")
    assert "It goes on: next <t:" in text(shown(pressed))
    pressed = await world.mika.click(message, label="Resume")
    assert "It is on already" in text(shown(pressed))


async def test_whoever_made_a_channels_schedule_is_told_what_became_of_it(clockwork: Clockwork):
    world = clockwork.world
    made = await clockwork.post_into(world.study)
    await clockwork.own(world.aoki)
    await clockwork.store.pause(made, Pause.NO_ACCESS, world.clock())
    result = await world.aoki.slash(world.study, "settings")
    assert f"**The drill of the day** in <#{world.study.id}> is paused" in told(result)
    assert buttons(result.followups[-1]) == {}


async def test_ten_pauses_are_told_in_one_message(clockwork: Clockwork):
    world = clockwork.world
    for _ in range(10):
        await clockwork.store.pause(await clockwork.post_into(world.study), Pause.NO_CHANNEL, world.clock())
    (message,) = (await world.aoki.slash(world.study, "settings")).followups
    assert text(message).count("The drill of the day") == 8
    assert "2 more" in text(message)


async def test_a_stranger_cannot_resume_somebodys_review(clockwork: Clockwork):
    world = clockwork.world
    own = await clockwork.own(world.mika)
    await clockwork.store.pause(own.id, Pause.UNANSWERED, world.clock())
    (message,) = (await world.mika.user.slash("settings")).followups
    with pytest.raises(Exception, match=r"."):
        await world.tom.click(message, label="Resume")
    assert (await clockwork.store.own(own.user, own.kind)).state is ScheduleState.PAUSED


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"status": 404, "code": 10003}, PostRefused(Pause.NO_CHANNEL)),
        ({"status": 403, "code": 50013}, PostRefused(Pause.NO_ACCESS)),
        ({"status": 403, "code": 0}, PostRefused(Pause.NO_ACCESS)),
        ({"status": 400, "code": 50035}, PostFailed()),
        ({"status": 503, "code": 0}, PostFailed()),
        ({"status": 403, "code": 40003}, PostFailed(certain=True)),
        ({"status": 429, "code": 0}, PostFailed(certain=True)),
    ],
)
async def test_what_discord_refuses_for_good_is_told_from_what_may_pass(clockwork: Clockwork, fault, error):
    world = clockwork.world
    world.env.inject_error("POST", f"/channels/{world.study.id}/messages", times=None, **fault)
    outbox, letter = world.services.outbox, Letter(notice("x"))
    with pytest.raises(type(error)) as raised:
        await outbox.send_to(ChannelId(world.study.id), letter, "kz1")
    assert vars(raised.value) == vars(error)
    assert outbox.is_open is (fault["status"] != 429)


async def test_when_direct_messages_are_opened_too_fast_the_others_go_on(clockwork: Clockwork):
    world = clockwork.world
    one, two = await clockwork.own(world.mika), await clockwork.own(world.tom)
    outbox = world.services.outbox
    await outbox.send(two, Words("good morning"), "kz1")
    world.env.inject_error("POST", "/users/@me/channels", status=403, code=40003, times=None)
    for _ in range(3):
        with pytest.raises(PostFailed) as raised:
            await outbox.send(one, Words("good morning"), "kz2")
        assert raised.value.certain
    await outbox.send(two, Words("good evening"), "kz3")
    assert posts(world.tom.user.dm_channel) == ["good morning", "good evening"]
    opened = [entry for entry in world.env.http_requests if entry.path.endswith("/users/@me/channels")]
    assert len(opened) <= 2


async def test_direct_messages_whose_channel_is_gone_are_opened_anew(clockwork: Clockwork):
    world = clockwork.world
    own, outbox = await clockwork.own(world.mika), world.services.outbox
    await outbox.send(own, Words("good morning"), "kz1")
    world.env.inject_error("POST", f"/channels/{world.mika.user.dm_channel.id}/messages", status=404, code=10003)
    with pytest.raises(PostFailed) as raised:
        await outbox.send(own, Words("good day"), "kz2")
    assert raised.value.certain
    await outbox.send(own, Words("good day"), "kz2")
    assert posts(world.mika.user.dm_channel) == ["good morning", "good day"]


async def test_posts_of_one_channel_keep_their_order_and_are_spread_out(clockwork: Clockwork):
    world = clockwork.world
    outbox = world.services.outbox
    loop = asyncio.get_running_loop()
    began = loop.time()
    here, there = ChannelId(world.study.id), ChannelId(world.next_door_channel.id)
    await asyncio.gather(
        *(outbox.send_to(channel, Letter(notice(f"{n}")), f"kz{n}") for n in range(8) for channel in (here, there))
    )
    assert posts(world.study) == [f"{n}" for n in range(8)]
    assert loop.time() - began >= 15 / 30 - 0.01


async def test_a_card_is_changed_in_place_and_one_that_is_gone_says_so(clockwork: Clockwork):
    world = clockwork.world
    outbox, here = world.services.outbox, ChannelId(world.study.id)
    message = await outbox.send_to(here, Letter(notice("before")), "kz1")
    await outbox.edit(here, message, Letter(notice("after")))
    assert posts(world.study) == ["after"]
    with pytest.raises(PostRefused):
        await outbox.edit(here, type(message)(1), Letter(notice("after")))


@pytest.mark.errors_expected
async def test_a_post_that_cannot_be_shown_fails(clockwork: Clockwork):
    world = clockwork.world
    made = await clockwork.post_into(world.study)
    with pytest.raises(PostFailed):
        await world.services.outbox.send(await clockwork.of(made), Post(), "kz1")


async def test_nothing_is_open_while_the_gateway_is_lost(clockwork: Clockwork):
    world, outbox = clockwork.world, clockwork.world.services.outbox
    assert outbox.is_open
    world.bot.dispatch("disconnect")
    await world.env.settle()
    assert not outbox.is_open
    with pytest.raises(PostFailed) as raised:
        await outbox.send_to(ChannelId(world.study.id), Letter(notice("x")), "kz1")
    assert raised.value.certain
    world.bot.dispatch("resumed")
    await world.env.settle()
    assert outbox.is_open
