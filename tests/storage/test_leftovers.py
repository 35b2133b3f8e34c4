"""What servers and moderators leave behind goes in time; what learners did there stays theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from jobs.retention import DRAFTS_KEPT, SERVERS_KEPT, Keeping, let_go
from lessons.model import ChannelId, GuildId, MistakeFilter, NewShared, SharedKind, Track, Upload, UploadId
from storage.shared import SharedStore
from tests.storage.world import (
    AIKO,
    AT,
    AWAY,
    DAY,
    HOME,
    MINUTE,
    MOD,
    Stores,
    accepted,
    begin,
    feed,
    items_of,
    miss,
    publish,
    read_news,
    rows,
    save,
)


@dataclass
class Here:
    """Says which servers the bot is in."""

    servers: Collection[GuildId] | None = ()
    asked: int = field(default=0)

    async def present(self) -> frozenset[GuildId] | None:
        self.asked += 1
        return None if self.servers is None else frozenset(self.servers)

    async def is_member(self, guild: GuildId, user: object) -> bool | None:
        return None


async def upload(to: Stores, guild: GuildId = HOME, at=AT) -> UploadId:
    return await to.packs.hold_upload(Upload(UploadId(0), guild, MOD, "N5", "ja", False, "n5.csv", b"a,b", at))


async def furnish(to: Stores, guild: GuildId) -> None:
    """A pack that a learner drilled, one that nobody did, an article, a feed, an answer accepted for a starter pack."""
    await save(to, "drilled", guild, rows(2))
    await save(to, "unseen", guild, rows(2))
    await save(to, "starter", None, rows(1))
    await publish(to, 1, guild)
    read = await publish(to, 2, guild)
    await to.feeds.add(feed(1, guild), MOD, AT)
    await upload(to, guild)
    _, (first, _) = await begin(to, AIKO, "drilled", guild, guild)
    await miss(to, first)
    (first, *_) = await read_news(to, await items_of(to, read.id), AIKO, guild)
    await miss(to, first)
    _, (first,) = await begin(to, AIKO, "starter", None, guild)
    missed, _ = await miss(to, first, typed="ばば")
    await to.appeals.open_appeal(missed, AIKO, "ばば", AT)
    (waiting,) = await to.appeals.waiting(guild, 9)
    await to.appeals.decide(waiting.id, guild, MOD, AT, accepted("ばば"))


async def texts(to: Stores, guild: GuildId) -> list[str]:
    """What is left to read of a server's rows."""
    async with to.db.reading() as snapshot:
        found = await snapshot.all(
            "SELECT item.prompt FROM item JOIN pack ON pack.id = item.pack_id WHERE guild_id = ? AND prompt <> ''",
            (guild,),
        )
    return [row["prompt"] for row in found]


async def left_of(to: Stores, guild: GuildId) -> dict[str, int]:
    tables = ("feed", "upload", "known_key", "accepted_answer", "schedule", "group_review", "shared_drill")
    async with to.db.reading() as snapshot:
        return {
            table: len(await snapshot.all(f"SELECT 1 FROM {table} WHERE guild_id = ?", (guild,))) for table in tables
        }


async def learned(to: Stores) -> tuple[object, ...]:
    """What a learner has of all that."""
    async with to.db.reading() as snapshot:
        return (
            await to.mistakes.page(AIKO, MistakeFilter(), 0, 99),
            [tuple(row) for row in await snapshot.all("SELECT * FROM attempt")],
            [tuple(row) for row in await snapshot.all("SELECT * FROM spacing")],
            [tuple(row) for row in await snapshot.all("SELECT * FROM drill")],
        )


async def test_what_a_server_left_goes_after_a_month_and_what_learners_did_stays(to: Stores) -> None:
    await furnish(to, HOME)
    await furnish(to, AWAY)
    theirs, before, kept = await learned(to), len(await texts(to, HOME)), await texts(to, AWAY)
    here = Keeping(to.leftovers, Here([AWAY]))
    await let_go(here, lambda: AT)
    await let_go(here, lambda: AT + SERVERS_KEPT - MINUTE)
    assert len(await texts(to, HOME)) == before
    assert {name: pack.guild_id for pack in await to.packs.visible([HOME]) if (name := pack.name) != "starter"} == {
        "drilled": HOME,
        "unseen": HOME,
    }
    await let_go(here, lambda: AT + SERVERS_KEPT)
    assert [pack.name for pack in await to.packs.visible([HOME])] == ["starter"]
    assert await to.articles.of_guilds([HOME], 9) == []
    assert set((await left_of(to, HOME)).values()) == {0}
    assert len(await texts(to, HOME)) == 2 + 6  # of the pack and the article that somebody was asked about
    assert await learned(to) == theirs
    assert await texts(to, AWAY) == kept
    assert await to.feeds.of_guild(AWAY) != []


async def test_a_shared_drill_of_a_server_that_is_gone_waits_for_nobody(to: Stores) -> None:
    """It would look like a drill of one's own, to go on with."""
    shared, pack = SharedStore(to.db), (await save(to, "drilled", HOME, rows(3))).pack
    new = NewShared(SharedKind.DAILY, HOME, ChannelId(70), Track.LESSON, "N5")
    begun = await shared.begin(new, await items_of(to, pack.id), AT)
    assert begun is not None
    await shared.join(begun.id, AIKO, AT)
    here = Keeping(to.leftovers, Here([AWAY]))
    for moment in (AT, AT + SERVERS_KEPT):
        await let_go(here, lambda at=moment: at)
    assert await shared.shared(begun.id) is None
    assert await to.drills.open_drill(AIKO, Track.LESSON) is None


async def test_it_happens_once(to: Stores) -> None:
    await furnish(to, HOME)
    assert await to.leftovers.roll_call([], AT) == 1
    assert sorted(await asyncio.gather(*(to.leftovers.clear_servers(AT, AT) for _ in range(2)))) == [0, 1]
    assert await to.leftovers.clear_servers(AT, AT) == 0
    assert await to.leftovers.roll_call([], AT + DAY) == 0


async def test_a_server_that_comes_back_in_time_finds_everything(to: Stores) -> None:
    await furnish(to, HOME)
    before, left = await texts(to, HOME), await left_of(to, HOME)
    await let_go(Keeping(to.leftovers, Here()), lambda: AT)
    await let_go(Keeping(to.leftovers, Here([HOME])), lambda: AT + 20 * DAY)
    await let_go(Keeping(to.leftovers, Here()), lambda: AT + 21 * DAY)
    await let_go(Keeping(to.leftovers, Here()), lambda: AT + 50 * DAY)
    assert await texts(to, HOME) == before
    assert await left_of(to, HOME) == left | {"upload": 0}


async def test_a_server_that_comes_back_too_late_can_load_its_packs_anew(to: Stores) -> None:
    await furnish(to, HOME)
    await to.leftovers.roll_call([], AT)
    await to.leftovers.clear_servers(AT, AT)
    await to.leftovers.roll_call([HOME], AT + DAY)
    change = await save(to, "unseen", HOME, rows(2), AT + DAY)
    assert (change.added, change.pack.items) == (2, 2)
    change = await save(to, "drilled", HOME, rows(2), AT + DAY)
    assert change.pack.items == 2
    assert await to.leftovers.roll_call([], AT + 2 * DAY) == 1


async def test_nothing_is_concluded_while_discord_says_nothing(to: Stores) -> None:
    await furnish(to, HOME)
    silent = Keeping(to.leftovers, Here(None))
    await let_go(silent, lambda: AT)
    await let_go(silent, lambda: AT + 2 * SERVERS_KEPT)
    assert await to.leftovers.clear_servers(AT + 3 * SERVERS_KEPT, AT) == 0
    assert len(await to.packs.visible([HOME])) == 3


@pytest.mark.parametrize(("late", "left"), [(timedelta(), 1), (MINUTE, 0)])
async def test_what_was_never_confirmed_is_kept_for_a_day(to: Stores, late: timedelta, left: int) -> None:
    kept = await upload(to)

    async def draft(transaction: object) -> None:
        await transaction.run(  # type: ignore[attr-defined]
            "INSERT INTO schedule (kind, guild_id, channel_id, made_by, time_zone, minute, weekdays, lessons, news, count,"
            " state, paused_why, made_at) VALUES ('daily_drill', 1, 1, 1, 'UTC', 0, 1, '', 0, 1, ?, '', ?)",
            ("draft", int(AT.timestamp() * 1000)),
        )

    await to.db.write(draft)
    await let_go(Keeping(to.leftovers, Here([HOME])), lambda: AT + DRAFTS_KEPT + late)
    assert (await to.packs.upload(kept) is not None) == bool(left)
    async with to.db.reading() as snapshot:
        assert len(await snapshot.all("SELECT 1 FROM schedule")) == left
