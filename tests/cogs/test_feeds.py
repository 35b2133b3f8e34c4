"""What moderators do with feeds, on the real bot, with a web of its own on the loopback interface."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app import Services
from bot.settings import Settings
from bot.wiring import open_services
from cogs import messages
from cogs.render import feeds as render
from lessons.flows.gathering import Look
from lessons.model import Feed, FeedId, FeedState, GuildId
from tests.bot.news.web import Web, answer
from tests.cogs.drawing import fits, message_of
from tests.cogs.newsroom import BAKERY, LIBRARY, forge, news, page, rss
from tests.conftest import BEGINNING, MovableClock, World
from tests.screen import buttons, components, custom_ids, said, shown, text, told

RSS = {"Content_Type": "application/rss+xml; charset=utf-8"}
HTML = {"Content_Type": "text/html; charset=utf-8"}


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with Web().open() as opened:
        opened.answers["/feed"] = feed_of(opened, "bread", "books")
        opened.answers["/bread"] = answer(200, page("朝のパン屋", BAKERY.split("\n", 2)[2]), **HTML)
        opened.answers["/books"] = answer(200, page("図書館の夜", LIBRARY.split("\n", 2)[2]), **HTML)
        yield opened


@pytest.fixture
async def services(data: Path, clock: MovableClock, web: Web) -> AsyncIterator[Services]:
    async with open_services(Settings(data=data, embedder="hashed"), clock=clock, policy=web.policy) as opened:
        yield opened


def feed_of(web: Web, *names: str, title: str = "例ニュース") -> bytes:
    return answer(200, rss(title, *((f"記事 {name}", web.url(f"/{name}")) for name in names)), **RSS)


async def add(world: World, url: str, **options: str) -> Any:
    return shown(await world.aoki.slash(world.study, "feed add", url=url, **options))


async def feed_list(world: World) -> Any:
    return shown(await world.aoki.slash(world.study, "feed list"))


async def feed_id(world: World) -> str:
    return (await world.aoki.autocomplete(world.study, "feed remove", "feed", ""))[0]["value"]


async def test_a_feed_is_added_and_its_articles_can_be_drilled(world: World, web: Web) -> None:
    result = await world.aoki.slash(world.study, "feed add", url=web.url("/feed"))
    assert result.ephemeral
    added = said(result)
    assert f"### Added: [例ニュース](<{web.url('/feed')}>)" in added
    assert "Language: Japanese" in added
    assert "**2 new articles**" in added
    assert f"[記事 bread](<{web.url('/bread')}>)" in added
    assert "sentences\n" in added
    assert "blank" not in added
    assert "about every hour" in added
    question = await news(world, article="記事 bread", count=1)
    assert f"-# [記事 bread](<{web.url('/bread')}>) · 例ニュース" in text(question)
    tried = shown(await world.aoki.click(shown(result), label="Try it"))
    assert "Answer" in buttons(tried)


async def test_what_is_looked_at_is_said_meanwhile(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    edits = [str(entry.json) for entry in world.env.http_requests if entry.method == "PATCH"]
    assert "Looking at" in edits[-2]
    assert "Added" in edits[-1]


async def test_a_site_that_names_its_feed_will_do(world: World, web: Web) -> None:
    head = f'<html><head><link rel="alternate" type="application/rss+xml" href="{web.url("/feed")}"></head></html>'
    web.answers["/"] = answer(200, head.encode(), **HTML)
    assert "### Added: [例ニュース]" in text(await add(world, web.url("/")))


async def test_entries_that_cannot_be_read_are_counted_and_keep_nothing_out(world: World, web: Web) -> None:
    web.answers["/feed"] = feed_of(web, "bread", "gone", "locked")
    web.answers["/locked"] = answer(403)
    added = text(await add(world, web.url("/feed")))
    assert "**1 new article**" in added
    assert "2 more new entries passed over: no text that I could read or make exercises of." in added
    assert "already" not in added


async def test_a_site_that_lets_nothing_be_read_is_told_with_a_way_out(world: World, web: Web) -> None:
    web.answers["/feed"] = feed_of(web, "locked")
    added = text(await add(world, web.url("/feed")))
    assert "⚠️ Nothing could be made of its newest pages: the site refuses to show them" in added
    assert "-# 1 new entry passed over." in added
    assert "`/article add`" in added


async def test_a_feed_that_brings_nothing_does_not_look_healthy(world: World, web: Web) -> None:
    web.answers["/feed"] = feed_of(web, "locked")
    web.answers["/other"] = feed_of(web, "talk", title="別のニュース")
    web.answers["/talk"] = answer(200, page("はい", "はい。"), **HTML)
    await add(world, web.url("/feed"))
    await add(world, web.url("/other"))
    listed = text(await feed_list(world))
    lines = said(await world.aoki.slash(world.study, "feed refresh"))
    for seen in (listed, lines):
        assert "Nothing could be made of its newest pages: the site refuses to show them" in seen
        assert seen.count("⚠️") == seen.count("Nothing could be made of its newest pages: ") == 2
        assert "The last look failed" not in seen
        assert "✅" not in seen
    web.answers["/feed"] = feed_of(web, "bread")
    number = await feed_id(world)
    for _ in range(2):
        await world.aoki.slash(world.study, "feed refresh", feed=number)
    one = said(await world.aoki.slash(world.study, "feed refresh", feed=number))
    assert "There are no new articles in it" in one
    assert "⚠️" not in one


async def test_entries_that_are_here_already_are_told_apart_from_those_that_cannot_be_read(
    world: World, web: Web
) -> None:
    web.answers["/feed"] = feed_of(web, "bread")
    await add(world, web.url("/feed"))
    web.answers["/copy"] = web.answers["/bread"]
    web.answers["/other"] = feed_of(web, "copy", title="別のニュース")
    added = text(await add(world, web.url("/other")))
    assert "-# 1 new entry is here already, under another address." in added
    assert "passed over" not in added
    assert "⚠️" not in added
    web.answers["/another"] = feed_of(web, "copy", "books", "locked", title="第三のニュース")
    added = text(await add(world, web.url("/another")))
    assert "**1 new article**" in added
    assert "1 more new entry passed over" in added
    web.answers["/feed"] = feed_of(web, "bread", "second")
    web.answers["/second"] = web.answers["/bread"]
    assert "- ✅ 例ニュース: nothing new, 1 here already" in said(await world.aoki.slash(world.study, "feed refresh"))


async def test_a_feed_of_no_known_language_learns_it_with_its_first_article(world: World, web: Web) -> None:
    mute = feed_of(web, "locked").replace(b"<language>ja</language>", b"")
    web.answers["/feed"] = answer(200, mute.split(b"\r\n\r\n", 1)[-1], **RSS)
    added = text(await add(world, web.url("/feed")))
    assert "Its language is found out with the first article." in added
    assert "language not known yet · 0 articles" in text(await feed_list(world))


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        ("/nothing", None, "refuses or fails (it answers 404)"),
        ("/gone", answer(410), "gone for good"),
        ("/text", answer(200, b"hello", Content_Type="text/plain"), "That is no feed"),
        ("/empty", answer(200, b"", **RSS), "There is no text in it"),
        ("/none", answer(200, rss("空"), **RSS), "no entry in it yet"),
    ],
)
async def test_what_is_no_feed_gets_a_sentence(
    world: World, web: Web, path: str, given: bytes | None, expected: str
) -> None:
    if given is not None:
        web.answers[path] = given
    refused = text(await add(world, web.url(path)))
    assert expected in refused
    assert "Nothing was added" in refused
    assert "There are no feeds here yet" in text(await feed_list(world))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("news", "Write it in full"),
        ("javascript:alert(1)", "web addresses only"),
        ("http://10.0.0.1/feed", "or one it leads to"),
        ("https://localhost/feed", "or one it leads to"),
        ("https://a:b@news.example/feed", "a user name or a password"),
        ("https://news.example:81/feed", "only the usual ones, 80 and 443"),
    ],
)
async def test_an_address_that_may_not_be_opened_is_refused(world: World, url: str, expected: str) -> None:
    assert expected in text(await add(world, url))


async def test_the_same_feed_is_not_added_twice(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    assert "has that feed already: **例ニュース**" in text(await add(world, f"{web.url('/feed')}#top"))


async def test_the_list_leads_to_a_feed_that_can_be_refreshed_and_removed(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    listed = await feed_list(world)
    assert "Japanese · 2 articles · looked at" in text(listed)
    one = shown(await world.aoki.select(listed, [await feed_id(world)], custom_id="kz:feed:0"))
    web.answers["/feed"] = feed_of(web, "bread", "books", title="新しい名前")
    looked = shown(await world.aoki.click(one, label="Refresh"))
    assert "### [新しい名前]" in text(looked)
    assert "There are no new articles in it" in text(looked)
    question = shown(await world.aoki.click(looked, label="Remove"))
    assert "Its 2 articles can stay" in text(question)
    kept = shown(await world.aoki.click(question, label="Keep it"))
    question = shown(await world.aoki.click(kept, label="Remove"))
    removed = shown(await world.aoki.click(question, label="Remove the feed only"))
    assert "was removed, its articles stay" in text(removed)
    assert "There are no feeds here yet" in text(shown(await world.aoki.click(removed, label="All feeds")))
    assert "Answer" in buttons(await news(world, count=1))


async def test_a_feed_goes_with_its_articles_and_a_second_press_is_answered(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    question = shown(await world.aoki.slash(world.study, "feed remove", feed="例ニュース"))
    stored = world.env.backend.get_message(world.study.id, question.id).components
    removed = shown(await world.aoki.click(question, label="Remove it with its articles"))
    assert "and so are its articles" in text(removed)
    assert "There is no news here yet" in text(await news(world))
    world.env.backend.get_message(world.study.id, removed.id).components = stored
    for label in buttons(question):
        assert "no longer here" in told(await world.aoki.click(removed, label=label)), label


async def test_trouble_is_kept_in_words_and_a_paused_feed_says_why(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    web.answers["/feed"] = answer(500)
    number = await feed_id(world)
    failed = said(await world.aoki.slash(world.study, "feed refresh", feed=number))
    assert "⚠️ The last look failed. The site refuses or fails." in failed
    assert "⚠️ The last look failed" in text(await feed_list(world))
    web.answers["/feed"] = answer(410)
    assert "gone for good" in said(await world.aoki.slash(world.study, "feed refresh", feed=number))
    assert "⏸ Paused: I do not look at it any more. The site says that this is gone for good." in text(
        await feed_list(world)
    )
    web.answers["/feed"] = feed_of(web, "bread", "books")
    await world.aoki.slash(world.study, "feed refresh", feed=number)
    assert "Paused" not in text(await feed_list(world))


async def test_all_feeds_are_refreshed_with_a_line_each(world: World, web: Web) -> None:
    assert "There are no feeds here yet" in said(await world.aoki.slash(world.study, "feed refresh"))
    web.answers["/other"] = feed_of(web, "books", title="別のニュース")
    web.answers["/feed"] = feed_of(web, "bread")
    await add(world, web.url("/feed"))
    await add(world, web.url("/other"))
    web.answers["/other"] = answer(503)
    web.answers["/feed"] = feed_of(web, "night", "bread")
    night = "夜になると、店の前に長い列ができます。田中さんは新しい人を探しています。"
    web.answers["/night"] = answer(200, page("夜", night * 3), **HTML)
    lines = said(await world.aoki.slash(world.study, "feed refresh"))
    assert "- ✅ 例ニュース: 1 new article" in lines
    assert "- ⚠️ 別のニュース: The site refuses" in lines
    edits = [str(entry.json) for entry in world.env.http_requests if entry.method == "PATCH"]
    assert "and 1 to go" in edits[-3]


async def test_names_are_completed_and_a_wrong_one_gets_those_there_are(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    choices = await world.aoki.autocomplete(world.study, "feed refresh", "feed", "例")
    assert [choice["name"] for choice in choices] == ["例ニュース"]
    for command in ("feed refresh", "feed remove"):
        refused = said(await world.aoki.slash(world.study, command, feed="ない"))
        assert "There is no feed called `ない`. There are: `例ニュース`." in refused


async def test_only_moderators_of_the_server_touch_its_feeds(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    number = await feed_id(world)
    ids = (
        f"kz:refresh_feed:{number}",
        f"kz:remove_feed:{number}",
        f"kz:feed_kept:{number}",
        f"kz:feed_removed:{number}:1",
    )
    for who, channel, answer_ in [
        (world.mika, world.study, "Manage Server"),
        (world.stranger, world.next_door_channel, "no longer here"),
    ]:
        own = shown(await who.slash(channel, "settings"))
        for each in ids:
            forge(world, own, each)
            assert answer_ in told(await who.click(own, label=each)), each
    own = shown(await world.mika.slash(world.study, "settings"))
    forge(world, own, "kz:feeds:0")
    assert "Manage Server" in told(await world.mika.click(own, label="kz:feeds:0"))
    assert "例ニュース" in text(await feed_list(world))
    assert "no feeds here" in said(await world.stranger.slash(world.next_door_channel, "feed list"))
    assert await world.stranger.autocomplete(world.next_door_channel, "feed remove", "feed", "") == []


async def test_a_feed_is_looked_after_across_a_restart(world: World, web: Web) -> None:
    await add(world, web.url("/feed"))
    listed = await feed_list(world)
    number = await feed_id(world)
    await world.restart()
    one = shown(await world.aoki.select(listed, [number], custom_id="kz:feed:0"))
    assert "2 articles" in text(one)


async def test_a_hostile_feed_is_shown_as_text(world: World, web: Web) -> None:
    evil = "](http://evil.example) @everyone **b**"
    web.answers["/feed"] = answer(200, rss(evil, (evil, web.url("/bread")), (evil, "javascript:alert(1)")), **RSS)
    added = text(await add(world, web.url("/feed")))
    question = text(await news(world, count=1))
    listed = await feed_list(world)
    for seen in (added, question, text(listed)):
        assert "@everyone" not in seen
        assert "http://evil" not in seen
        assert "javascript" not in seen
        assert seen.count("](") == seen.count(f"](<http://127.0.0.1:{web.port}/") > 0
    options = [option["label"] for part in components(listed) for option in part.get("options", ())]
    assert options == [evil]


def a_feed(number: int, title: str, **changed: object) -> Feed:
    given = {"state": FeedState.ACTIVE, "checked_at": BEGINNING, "failures": 3, "trouble": "consent", "articles": 9}
    return Feed(
        FeedId(number),
        GuildId(1),
        f"https://a.example/{'x' * 170}",
        title,
        "ja",
        next_check=BEGINNING,
        **given | changed,
    )  # type: ignore[arg-type]


@pytest.mark.parametrize("title", ["", "猫" * 300, "*_~`|>[]#@<" * 40, "👩‍👩‍👧" * 60, "\u202e"])
@pytest.mark.parametrize("state", list(FeedState))
def test_fifty_feeds_in_trouble_fit(title: str, state: FeedState) -> None:
    feeds = [a_feed(number, title, state=state) for number in range(50)]
    for number in range(7):
        assert fits(message_of(render.listing(feeds, number)))
    assert fits(message_of(render.several([Look(feed) for feed in feeds[:15]], feeds[15:])))
    assert fits(message_of(render.several([Look(feed) for feed in feeds[:15]], feeds[15:], now=feeds[0])))
    assert fits(message_of(render.feed(feeds[0])))
    assert fits(message_of(render.remove_question(feeds[0])))
    page_ = message_of(render.listing(feeds, 99))
    assert "page 7 of 7" in text(page_)
    assert messages.trouble("consent") in text(page_)
    assert custom_ids(page_)[0] == "kz:feed:6"
