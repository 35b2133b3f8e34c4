"""Who may do what: every command and every press there is, by everybody, everywhere, with everybody's objects.

A new command or press fails here until it says who may use it, and is tried if that is not everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from typing import Any, Final

import discord
import pytest
import simcord.actors

from cogs.render.appeals import OPERATOR
from cogs.routing import Presses
from lessons.model import GuildId, Upload, UploadId
from storage.connection import Database
from tests.conftest import World
from tests.screen import shown, text
from tests.storage.world import (
    AIKO,
    AT,
    MOD,
    Stores,
    accepted,
    begin,
    feed,
    miss,
    prepared,
    publish,
    save,
    stores,
)


class Who(Enum):
    """Who may use it."""

    EVERYONE = "everyone, on what is their own"
    MEMBERS = "members of the server it happens in, on what is that server's"
    MODERATORS = "who may manage the server it happens in, on what is that server's"


COMMANDS: Final = {
    "ask": Who.EVERYONE,
    "compose": Who.EVERYONE,
    "drill": Who.EVERYONE,
    "interview": Who.EVERYONE,
    "mistakes": Who.EVERYONE,
    "mydata about": Who.EVERYONE,
    "mydata delete": Who.EVERYONE,
    "mydata export": Who.EVERYONE,
    "news": Who.EVERYONE,
    "profile background": Who.EVERYONE,
    "profile correct": Who.EVERYONE,
    "profile forget": Who.EVERYONE,
    "profile goal": Who.EVERYONE,
    "profile view": Who.EVERYONE,
    "progress": Who.EVERYONE,
    "review": Who.EVERYONE,
    "roleplay": Who.EVERYONE,
    "settings": Who.EVERYONE,
    "study end": Who.EVERYONE,
    "study list": Who.EVERYONE,
    "study start": Who.EVERYONE,
    "race": Who.MEMBERS,
    "article add": Who.MODERATORS,
    "article list": Who.MODERATORS,
    "article remove": Who.MODERATORS,
    "feed add": Who.MODERATORS,
    "feed list": Who.MODERATORS,
    "feed refresh": Who.MODERATORS,
    "feed remove": Who.MODERATORS,
    "pack export": Who.MODERATORS,
    "pack list": Who.MODERATORS,
    "pack load": Who.MODERATORS,
    "pack remove": Who.MODERATORS,
    "pack show": Who.MODERATORS,
    "pack template": Who.MODERATORS,
    "queue": Who.MODERATORS,
    "schedule drill": Who.MODERATORS,
    "schedule list": Who.MODERATORS,
    "schedule remove": Who.MODERATORS,
    "schedule review": Who.MODERATORS,
}

OWN_PRESSES: Final = (
    "answer again next hint right unlike similar skip fresh stop submit",  # of a drill
    "unmistake deleted unload unlike_here mistake relabel sift mistakes review theme progress",
    "news fresh_news compose_text ask_drill why",
    "profile profile_accept profile_analyse profile_ask_forget profile_corrected profile_document profile_field",
    "profile_forget profile_forgotten profile_link profile_text profile_unwanted",
    "study_begin study_direct study_end study_exercise study_map study_next study_papers study_reply study_said study_who",
    "settings zone set_zone set_furigana set_joined set_language set_number set_named set_counted set_streaks",
    "show_name hide_name",
    "coming coming_from own_day own_hour own_time set_own_time own_off own_resume unpause",
    "put_off nudge_drill nudge_rest nudge_off group_mine count_in count_out",
    "mydata_word mydata_delete mydata_erase mydata_export mydata_keep",
)
"""Presses of everyone."""


@dataclass(frozen=True, slots=True)
class Things:
    """What a server has, by its ids and names."""

    guild: int
    pack: int
    pack_name: str
    article: int
    feed: int
    upload: int
    appeal: int
    draft: int
    active: int
    paused: int
    shared: int


MEMBERS_PRESSES: Final[dict[str, Callable[[Things], str]]] = {
    "shared_answer": lambda its: f"shared_answer:{its.shared}:1",
    "shared_submit": lambda its: f"shared_submit:{its.shared}:1",
    "race_next": lambda its: f"race_next:{its.shared}:1",
    "race_stop": lambda its: f"race_stop:{its.shared}",
    "race_again": lambda its: f"race_again:{its.shared}",
    "race_misses": lambda its: f"race_misses:{its.shared}:1",
    "together": lambda _: "together:particle:1:1:",
}
"""Presses on what a whole server sees."""

MODERATORS_PRESSES: Final[dict[str, Callable[[Things], str]]] = {
    "load": lambda its: f"load:{its.upload}",
    "unload_upload": lambda its: f"unload_upload:{its.upload}",
    "problems": lambda its: f"problems:{its.upload}",
    "pack": lambda its: f"pack:{its.pack}:0",
    "export": lambda its: f"export:{its.pack}",
    "remove": lambda its: f"remove:{its.pack}",
    "keep": lambda its: f"keep:{its.pack}",
    "articles": lambda _: "articles:0",
    "article": lambda its: f"article:0={its.article}",
    "remove_article": lambda its: f"remove_article:{its.article}",
    "article_removed": lambda its: f"article_removed:{its.article}",
    "article_kept": lambda its: f"article_kept:{its.article}",
    "article_text": lambda _: "article_text:ja",
    "feeds": lambda _: "feeds:0",
    "feed": lambda its: f"feed:0={its.feed}",
    "refresh_feed": lambda its: f"refresh_feed:{its.feed}",
    "remove_feed": lambda its: f"remove_feed:{its.feed}",
    "feed_removed": lambda its: f"feed_removed:{its.feed}:1",
    "feed_kept": lambda its: f"feed_kept:{its.feed}",
    "accept": lambda its: f"accept:{its.appeal}:",
    "decline": lambda its: f"decline:{its.appeal}:",
    "schedules": lambda _: "schedules:0",
    "schedule": lambda its: f"schedule:0={its.active}",
    "sched_begin": lambda its: f"sched_begin:{its.draft}",
    "sched_drop": lambda its: f"sched_drop:{its.draft}",
    "sched_kept": lambda its: f"sched_kept:{its.active}",
    "sched_pause": lambda its: f"sched_pause:{its.active}",
    "sched_resume": lambda its: f"sched_resume:{its.paused}",
    "sched_remove": lambda its: f"sched_remove:{its.active}",
    "sched_gone": lambda its: f"sched_gone:{its.active}",
    "undecide": lambda its: f"undecide:{its.appeal}::{int(AT.timestamp() * 1000)}",
}
"""Presses of moderators, as their custom id names one of a server's things; what follows = is chosen from a select."""

MODERATORS_OPTIONS: Final[dict[str, Callable[[Things], dict[str, Any]]]] = {
    "article add": lambda _: {"file": ("a.txt", "図書館の夜。".encode())},
    "article list": lambda _: {},
    "article remove": lambda its: {"article": str(its.article)},
    "feed add": lambda _: {"url": "http://127.0.0.1/feed"},
    "feed list": lambda _: {},
    "feed refresh": lambda its: {"feed": str(its.feed)},
    "feed remove": lambda its: {"feed": str(its.feed)},
    "pack export": lambda its: {"name": its.pack_name},
    "pack list": lambda _: {},
    "pack load": lambda _: {"file": ("a.csv", b"prompt,answer\na,b\n")},
    "pack remove": lambda its: {"name": its.pack_name},
    "pack show": lambda its: {"name": its.pack_name},
    "pack template": lambda _: {},
    "queue": lambda _: {},
    "schedule drill": lambda its: {"time": "9:00", "time_zone": "Asia/Tokyo", "pack": its.pack_name},
    "schedule list": lambda _: {},
    "schedule remove": lambda its: {"schedule": str(its.active)},
    "schedule review": lambda _: {"time": "9:00", "time_zone": "Asia/Tokyo"},
}

REFUSED: Final = (
    "You need the permission **Manage Server**",
    "You need the permission **owner of this bot**",
    "That works in a server only",
    "That is no longer here",
    "That schedule is gone",
    "That was done already",  # of an appeal: nothing of it can be decided here
    "There is no pack called",
    "There is no feed called",
    "There is no article called",
    "There is no schedule",
    "This belongs to somebody else",
)
THE_SAME_FOR_ALL: Final = {"articles", "article_text", "feeds", "schedules"}
"""Presses that name no thing."""

_numbers = count(1)


def the_database(world: World) -> Database:
    return world.services.erasing.records._db


_SCHEDULE: Final = """
    INSERT INTO schedule (kind, guild_id, channel_id, made_by, time_zone, minute, weekdays, lessons, news, count, state,
                          next_due, next_day, paused_why, paused_at, made_at)
    VALUES ('daily_drill', :guild, :channel, 9, 'UTC', 540, 127, '', 0, 1, :state,
            iif(:state = 'active', 4000000000000, NULL), iif(:state = 'active', 46296, NULL),
            iif(:state = 'paused', 'asked', ''), iif(:state = 'paused', 1, NULL), :at)
    RETURNING id
"""
_RACE: Final = """
    INSERT INTO shared_drill (kind, guild_id, channel_id, started_by, track, title, lessons, typed, state, ended_why,
                              position, phase, phase_at, hints, started_at)
    VALUES ('daily', :guild, :channel, :by, 'lesson', 'a drill of the day', '', 0, 'open', '', 1, 'asking', :at, 0, :at)
    RETURNING id
"""


async def clockwork(to: Stores, guild: int, channel: int, item: int) -> tuple[int, int, int, int]:
    """Give a server a draft, an active and a paused schedule, and a drill for all of its members."""
    at = int(AT.timestamp() * 1000)

    async def work(transaction: Any) -> tuple[int, ...]:
        values = {"guild": guild, "channel": channel, "at": at, "by": AIKO}
        made = [await transaction.one(_SCHEDULE, values | {"state": state}) for state in ("draft", "active", "paused")]
        shared = await transaction.one(_RACE, values)
        await transaction.run("INSERT INTO shared_item VALUES (?, 1, ?)", (shared["id"], item))
        return tuple(row["id"] for row in (*made, shared))

    draft, active, paused, shared = await to.db.write(work)
    return draft, active, paused, shared


async def furnish(to: Stores, guild: int, channel: int) -> Things:
    """Give a server one thing of each kind."""
    number, home = next(_numbers), GuildId(guild)
    name = f"pack {number}"
    pack = (await save(to, name, home, [prepared(1, prompt=f"secret {number} [＿＿＿]")])).pack
    news = await publish(to, number, home)
    address = replace(feed(number, home), url=f"http://127.0.0.1/{number}", title=f"feed {number}")
    kept = await to.feeds.add(address, MOD, AT)
    assert kept is not None
    held = Upload(UploadId(0), home, MOD, f"new {number}", "ja", False, "n.csv", b"prompt,answer\na,b\nc,\n", AT)
    upload = await to.packs.hold_upload(held)
    _, (exercise,) = await begin(to, AIKO, name, home, home)
    missed, _ = await miss(to, exercise)
    await to.appeals.open_appeal(missed, AIKO, "ば", AT)
    async with to.db.reading() as snapshot:
        row = await snapshot.one("SELECT id FROM appeal WHERE attempt_id = ?", (missed,))
    assert row is not None
    clocked = await clockwork(to, guild, channel, exercise.item.id)
    return Things(guild, pack.id, name, news.id, kept.id, upload, row["id"], *clocked)


SERVERS_TABLES: Final = (
    "pack", "item", "accepted_answer", "upload", "feed", "article", "clipping", "known_key", "appeal", "schedule",
    "run", "shared_drill", "shared_item",
)  # fmt: skip


async def everything(db: Database, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    async with db.reading() as snapshot:
        return {name: [tuple(row) for row in await snapshot.all(f"SELECT * FROM {name}")] for name in tables}


@dataclass
class Place:
    """Somebody somewhere, with a message of their own to press on."""

    name: str
    actor: Any
    channel: Any  # None: direct messages
    message: Any = None

    async def run(self, command: str, **options: Any) -> str:
        if self.channel is None:
            return read(await self.actor.slash(command, **options))
        return read(await self.actor.slash(self.channel, command, **options))

    async def press(self, world: World, pressed: str) -> str:
        if self.message is None:
            own = self.actor.slash("settings") if self.channel is None else self.actor.slash(self.channel, "settings")
            self.message = shown(await own)
        custom_id, _, chosen = pressed.partition("=")
        custom_id = f"kz:{custom_id}"
        part: dict[str, Any] = {"type": 2, "style": 1, "label": "x", "custom_id": custom_id}
        if chosen:
            part = {"type": 3, "custom_id": custom_id, "options": [{"label": "x", "value": chosen}]}
        stored = world.env.backend.get_message(self.message.channel_id, self.message.id)
        stored.components = [{"type": 1, "components": [part]}]
        if chosen:
            return read(await self.actor.select(self.message, [chosen], custom_id=custom_id))
        return read(await self.actor.click(self.message, custom_id=custom_id))


def read(result: Any) -> str:
    """All that an interaction says."""
    assert result.acknowledged
    if result.modal is not None:
        return f"modal {result.modal}"
    last = result.followups[-1:] or [result.response]
    return "\n".join(text(each) for each in last if each is not None)


def is_refused(said: str) -> bool:
    return any(sentence in said for sentence in REFUSED)


@dataclass
class Cast:
    """Everybody who tries, and the two servers' things."""

    owner: Place
    moderator: Place
    nobodies: list[Place]
    stranger: Place
    here: Things
    next_door: Things


@pytest.fixture
async def cast(world: World, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """Nothing on Discord's side keeps anybody from anything, as if its settings were wrong."""
    monkeypatch.setattr(simcord.actors, "_check_command_access", lambda *_: None)
    to = stores(the_database(world))
    admin = world.guild.create_role("Admin", permissions=discord.Permissions(administrator=True))
    boss = world.guild.add_member(world.env.create_user("boss"), roles=[admin])
    return Cast(
        Place("an admin", boss, world.study),
        Place("a moderator", world.aoki, world.study),
        [
            Place("a member", world.mika, world.study),
            Place("an admin in direct messages", boss.user, None),
            Place("a moderator in direct messages", world.aoki.user, None),
            Place("a member in direct messages", world.mika.user, None),
            Place("a moderator of next door in direct messages", world.stranger.user, None),
            Place("nobody's member in direct messages", world.env.create_user("nobody"), None),
        ],
        Place("a moderator of next door", world.stranger, world.next_door_channel),
        await furnish(to, world.guild.id, world.study.id),
        await furnish(to, world.next_door.id, world.next_door_channel.id),
    )


def cells(cast: Cast) -> Iterator[tuple[Place, Things]]:
    """Who must not succeed with what."""
    for place in cast.nobodies:
        yield place, cast.here
        yield place, cast.next_door
    for place in (cast.owner, cast.moderator):
        yield place, cast.next_door
    yield cast.stranger, cast.here


def test_every_command_says_who_may_use_it(world: World) -> None:
    commands = [each for each in world.bot.tree.walk_commands() if not isinstance(each, discord.app_commands.Group)]
    assert {each.qualified_name for each in commands} == set(COMMANDS)
    assert set(MODERATORS_OPTIONS) == {name for name, who in COMMANDS.items() if who is Who.MODERATORS}
    for each in commands:
        top = each.root_parent or each
        is_hidden = top.default_permissions is not None and top.default_permissions.manage_guild and top.guild_only
        assert is_hidden == (COMMANDS[each.qualified_name] is Who.MODERATORS), each.qualified_name


def test_every_press_says_who_may_use_it(world: World) -> None:
    presses = world.bot.get_cog("Presses")
    assert isinstance(presses, Presses)
    actions = [action for action, _ in presses._answers()]
    assert len(actions) == len(set(actions))
    everyones = set(" ".join(OWN_PRESSES).split())
    assert not everyones & {*MODERATORS_PRESSES, *MEMBERS_PRESSES}
    assert set(actions) == everyones | {*MODERATORS_PRESSES, *MEMBERS_PRESSES}


async def test_nobody_presses_what_they_may_not(world: World, cast: Cast, record_property: Any) -> None:
    before, tried, wrong = await everything(the_database(world), *SERVERS_TABLES), 0, []
    for action, named in MODERATORS_PRESSES.items():
        for place, things in cells(cast):
            if action in THE_SAME_FOR_ALL and (place.channel is not None and place.actor is not world.mika):
                continue  # in their own server these are theirs to press
            said = await place.press(world, named(things))
            tried += 1
            if not is_refused(said):
                wrong.append((action, place.name, said))
    assert wrong == []
    assert await everything(the_database(world), *SERVERS_TABLES) == before
    record_property("presses tried", tried)
    print(f"presses: {tried} tried, {len(wrong)} wrong allows")  # noqa: T201
    assert tried > 300


async def test_nobody_runs_what_they_may_not(world: World, cast: Cast) -> None:
    before, tried, wrong = await everything(the_database(world), *SERVERS_TABLES), 0, []
    for command, options in MODERATORS_OPTIONS.items():
        for place, things in cells(cast):
            given = options(things)
            is_theirs = any(place is each for each in (cast.owner, cast.moderator, cast.stranger))
            if is_theirs and given == options(cast.here) == options(cast.next_door):
                continue  # it names nothing of anybody's, and in their own server it is theirs to run
            said = await place.run(command, **given)
            tried += 1
            if not is_refused(said):
                wrong.append((command, place.name, said))
    assert wrong == []
    assert await everything(the_database(world), *SERVERS_TABLES) == before
    print(f"commands: {tried} tried, {len(wrong)} wrong allows")  # noqa: T201
    assert tried > 150


async def test_nobody_from_elsewhere_takes_part(world: World, cast: Cast) -> None:
    """Nor does a member who did not start it end it."""
    tables = (*SERVERS_TABLES, "drill", "attempt")
    before, tried = await everything(the_database(world), *tables), 0
    for action, named in MEMBERS_PRESSES.items():
        elsewhere = [(place, cast.here) for place in (cast.stranger, *cast.nobodies[1:])]
        members = [(cast.nobodies[0], cast.next_door), (cast.moderator, cast.next_door)]
        for place, things in (*elsewhere, *members) if action != "together" else elsewhere[1:]:
            said = await place.press(world, named(things))
            tried += 1
            assert "secret" not in said, (action, place.name, said)
            assert await everything(the_database(world), *tables) == before, (action, place.name, said)
    await cast.nobodies[0].press(world, f"race_stop:{cast.here.shared}")
    for place in cast.nobodies[1:]:
        assert is_refused(await place.run("race"))
    assert await everything(the_database(world), *tables) == before
    print(f"presses on what a server shares: {tried} tried, 0 wrong allows")  # noqa: T201
    assert tried > 50


async def test_who_may_does(world: World, cast: Cast) -> None:
    """Else all would be refused above because nothing works."""
    to = stores(the_database(world))
    for place in (cast.owner, cast.moderator):
        for action, named in MODERATORS_PRESSES.items():
            things = await furnish(to, world.guild.id, world.study.id)
            if action == "undecide":
                await to.appeals.decide(things.appeal, GuildId(world.guild.id), MOD, AT, accepted("ば"))
            said = await place.press(world, named(things))
            assert not is_refused(said), (action, place.name, said)
        for command, options in MODERATORS_OPTIONS.items():
            said = await place.run(command, **options(await furnish(to, world.guild.id, world.study.id)))
            assert not is_refused(said), (command, place.name, said)


async def test_only_the_operator_decides_for_everybody(world: World, cast: Cast) -> None:
    to = stores(the_database(world))
    await save(to, "starter", None, [prepared(1, prompt="for all [＿＿＿]")])
    _, (exercise,) = await begin(to, AIKO, "starter", None, None)
    missed, _ = await miss(to, exercise)
    await to.appeals.open_appeal(missed, AIKO, "ば", AT)
    (waiting,) = await to.appeals.waiting(None, 9)
    before = await everything(the_database(world), *SERVERS_TABLES)
    for place in (cast.owner, cast.moderator, cast.stranger, *cast.nobodies):
        for action in ("accept", "decline"):
            for scope in ("", OPERATOR):
                assert is_refused(await place.press(world, f"{action}:{waiting.id}:{scope}")), (place.name, action)
    assert await everything(the_database(world), *SERVERS_TABLES) == before


@pytest.mark.parametrize(
    "pressed", ["fresh:0:{pack}:1:", "fresh:1:{article}:1:", "news:{article}:1", "fresh_news:{pack}:1"]
)
async def test_nobody_elsewhere_drills_what_is_a_servers(world: World, cast: Cast, pressed: str) -> None:
    for place in (cast.stranger, *cast.nobodies[4:]):
        said = await place.press(world, pressed.format(pack=cast.here.pack, article=cast.here.article))
        assert "secret" not in said
        assert "大雨" not in said
    async with the_database(world).reading() as snapshot:
        asked = await snapshot.all(
            "SELECT drill.user_id FROM exercise JOIN drill ON drill.id = drill_id JOIN item ON item.id = item_id "
            "WHERE pack_id IN (?, ?)",
            (cast.here.pack, cast.here.article),
        )
    assert {row["user_id"] for row in asked} == {AIKO}


PERSONAL: Final = (
    "schedule", "run", "study_day",
    "learner", "visit", "drill", "exercise", "attempt", "spacing", "mistake", "appeal", "dismissal", "document", "chunk",
    "profile_line", "study", "study_topic", "study_turn", "waiting_judgement",
)  # fmt: skip


async def test_nobody_presses_anything_of_anothers(world: World) -> None:
    """Tom presses every button there is with the numbers of what is Mika's."""
    await world.mika.slash(world.study, "profile goal", text="Mika's secret goal")
    await world.mika.slash(world.study, "profile correct", field="target")
    drill = shown(await world.mika.slash(world.study, "drill", count=3))
    opened = await world.mika.click(drill, label="Answer")
    await world.mika.submit_modal(opened, {"text": "ぬぬぬ"})
    await world.mika.slash(world.study, "ask", question="Mika's secret question は?")
    card = shown(await world.mika.slash(world.study, "study start", topic="Mika's secret topic"))
    await world.mika.click(card, label="Start")
    await Place("Mika", world.mika, world.study).press(world, "own_hour:review=540")
    db, tom = the_database(world), Place("Tom", world.tom, world.study)
    await db.write(lambda transaction: transaction.run(_RUN, (world.mika.id,)))
    before = await mikas(db, world.mika.id)
    assert len(before) > 10
    for action in " ".join(OWN_PRESSES).split():
        for pressed in (f"{action}:1:1:1:1:1", f"{action}:{world.mika.id}", f"{action}:0=1", f"{action}:document.1"):
            said = await tom.press(world, pressed)
            assert "secret" not in said, (pressed, said)
            assert "ぬぬぬ" not in said, (pressed, said)
            assert await mikas(db, world.mika.id) == before, pressed


_RUN: Final = """
    INSERT INTO run (id, schedule_id, user_id, due_at, day, late, state, why, settled_at, message_id)
    SELECT 1, id, user_id, 1, 1, 0, 'sent', '', 1, 1 FROM schedule WHERE user_id = ?
"""


async def mikas(db: Database, mika: int) -> list[tuple[Any, ...]]:
    async with db.reading() as snapshot:
        rows = [
            row
            for table in PERSONAL
            if table not in {"exercise", "study_topic"}
            for row in await snapshot.all(f"SELECT * FROM {table} WHERE user_id = ?", (mika,))
        ]
        rows += await snapshot.all(
            "SELECT * FROM exercise WHERE drill_id IN (SELECT id FROM drill WHERE user_id = ?)", (mika,)
        )
        return [tuple(row) for row in rows]
