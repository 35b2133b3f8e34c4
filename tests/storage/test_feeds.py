"""Feeds: one an address and server, looked at in turn, forgotten with or without what came of them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from lessons.model import Feed, FeedId, FeedState
from tests.storage.world import AT, AWAY, DAY, HOME, MINUTE, MOD, Stores, article, feed, items_of, publish, read_news


async def added(to: Stores, given: Feed) -> Feed:
    kept = await to.feeds.add(given, MOD, AT)
    assert kept is not None
    return kept


async def test_a_feed_is_kept_as_it_was_given(to: Stores) -> None:
    given = replace(
        feed(), state=FeedState.PAUSED, checked_at=AT - DAY, last_modified="Sun", failures=3, trouble="too_slow"
    )
    kept = await added(to, given)
    assert kept == replace(given, id=kept.id)
    assert await to.feeds.feed(kept.id, HOME) == kept
    assert await to.feeds.feed(kept.id, AWAY) is None
    assert await to.feeds.feed(FeedId(99), HOME) is None


async def test_a_server_has_an_address_once_whoever_adds_it_at_once(to: Stores) -> None:
    kept = await asyncio.gather(*(to.feeds.add(feed(), MOD, AT) for _ in range(9)))
    assert len([one for one in kept if one]) == 1
    assert await to.feeds.add(feed(guild=AWAY), MOD, AT) is not None
    assert len(await to.feeds.of_guild(HOME)) == len(await to.feeds.of_guild(AWAY)) == 1


async def test_feeds_are_listed_by_title(to: Stores) -> None:
    for number, title in enumerate(("b", "C", "a", "b")):
        await added(to, replace(feed(number), title=title))
    assert [(each.title, each.url[-5]) for each in await to.feeds.of_guild(HOME)] == [
        ("a", "2"),
        ("b", "0"),
        ("b", "3"),
        ("C", "1"),
    ]


async def test_active_feeds_are_due_the_longest_overdue_first(to: Stores) -> None:
    for number, minutes in enumerate((5, -5, 0, 1)):
        await added(to, replace(feed(number, AWAY if number % 2 else HOME), next_check=AT + minutes * MINUTE))
    await added(to, replace(feed(9), next_check=AT - DAY, state=FeedState.PAUSED))
    assert [each.url[-5] for each in await to.feeds.due(AT + MINUTE, 9)] == ["1", "2", "3"]
    assert [each.url[-5] for each in await to.feeds.due(AT + MINUTE, 1)] == ["1"]
    assert await to.feeds.due(AT, -1) == []


async def test_a_look_changes_what_it_found(to: Stores) -> None:
    kept = await added(to, feed())
    seen = replace(
        kept,
        url="https://news.example/moved.xml",
        title="なまえ\ud83d",
        state=FeedState.PAUSED,
        next_check=AT + DAY,
        etag='"2"',
        last_modified="Mon",
        failures=10,
        trouble="gone",
    )
    await to.feeds.looked(seen, AT + MINUTE)
    assert await to.feeds.feed(kept.id, HOME) == replace(seen, title="なまえ?", checked_at=AT + MINUTE)
    await to.feeds.looked(replace(seen, guild_id=AWAY, title="theirs"), AT)
    stored = await to.feeds.feed(kept.id, HOME)
    assert stored is not None
    assert stored.title == "なまえ?"


async def test_a_feed_that_moved_to_where_another_is_keeps_its_address(to: Stores) -> None:
    one, other = await added(to, feed(1)), await added(to, feed(2))
    await to.feeds.looked(replace(one, url=other.url, title="Moved"), AT)
    stored = await to.feeds.feed(one.id, HOME)
    assert stored is not None
    assert (stored.url, stored.title) == (one.url, "Moved")


async def test_a_feed_counts_the_articles_that_are_there(to: Stores) -> None:
    kept = await added(to, feed())
    for number in range(3):
        assert await to.articles.save(replace(article(number), feed_id=kept.id), AT) is not None
    await publish(to, 9)
    gone = (await to.articles.of_guilds([HOME], 9))[-1]
    await to.articles.remove(gone.id, HOME, AT)
    stored = await to.feeds.feed(kept.id, HOME)
    assert stored is not None
    assert stored.articles == 2


async def test_a_feed_is_forgotten_and_its_articles_stay(to: Stores) -> None:
    kept = await added(to, feed())
    one = await to.articles.save(replace(article(), feed_id=kept.id), AT)
    assert one is not None
    assert one.feed_id == kept.id
    assert not await to.feeds.remove(kept.id, AWAY, AT, articles=True)
    assert await to.feeds.remove(kept.id, HOME, AT, articles=False)
    assert not await to.feeds.remove(kept.id, HOME, AT, articles=False)
    assert await to.articles.article(one.id, [HOME]) == replace(one, feed_id=None)
    assert await to.feeds.add(feed(), MOD, AT) is not None


async def test_a_feed_is_forgotten_with_its_articles(to: Stores) -> None:
    kept = await added(to, feed())
    one = await to.articles.save(replace(article(), feed_id=kept.id), AT)
    other = await publish(to, 2)
    assert one is not None
    asked, *_ = await items_of(to, one.id)
    await read_news(to, [asked])
    assert await to.feeds.remove(kept.id, HOME, AT + DAY, articles=True)
    assert [each.id for each in await to.articles.of_guilds([HOME], 9)] == [other.id]
    assert await items_of(to, one.id) == []
    item = await to.packs.item(asked)
    assert item is not None
    assert item.clipping is not None


async def test_an_article_of_a_feed_that_is_gone_meanwhile_is_not_kept(to: Stores) -> None:
    kept = await added(to, feed())
    await to.feeds.remove(kept.id, HOME, AT, articles=True)
    assert await to.articles.save(replace(article(), feed_id=kept.id), AT) is None
    assert await to.articles.known(HOME, article().keys) == frozenset()
