"""Feeds and pages of a web of this machine, from an address to drillable articles."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.demo.news import STORIES
from lessons.errors import (
    ArticleThere,
    FeedThere,
    Gone,
    NewsNeedJudge,
    PressLeadsNowhere,
    TextTooLong,
    TooManyFeeds,
    Unfetchable,
    UnreadableNews,
)
from lessons.flows.gathering import FAILURES, PER_LOOK
from lessons.flows.receiving import Handed
from lessons.model import FeedId, FeedState, FetchTrouble, PackId, ReadTrouble
from tests.bot.news.web import Web, answer
from tests.conftest import MovableClock
from tests.messages.behaviours import fails, says
from tests.newsroom import AOKI, HERE, THERE, Newsroom, newsroom


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with Web().open() as served:
        yield served


@pytest.fixture
async def room(data: Path, clock: MovableClock, web: Web) -> AsyncIterator[Newsroom]:
    async with newsroom(data, clock, web.policy, feeds_per_server=2) as opened:
        yield opened


def page(title: str, text: str) -> bytes:
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
    return (
        f"<html lang=ja><head><title>{title}</title></head><body><article>{paragraphs}</article></body></html>".encode()
    )


def feed(web: Web, *entries: tuple[str, str, str], title: str = "町の便り") -> bytes:
    """An RSS feed of (path, title, description) entries."""
    items = "".join(
        f"<item><title>{head}</title><link>{web.url(path) if path else ''}</link><guid>{path or head}</guid>"
        f"<description>{text}</description></item>"
        for path, head, text in entries
    )
    return f"<rss version='2.0'><channel><title>{title}</title><language>ja</language>{items}</channel></rss>".encode()


def serve(web: Web, *entries: tuple[str, str, str], **headers: str) -> None:
    web.answers["/rss"] = answer(200, feed(web, *entries), Content_Type="application/rss+xml", **headers)


def publish(web: Web, *numbers: int) -> list[tuple[str, str, str]]:
    """Put invented stories on the web; entries for a feed."""
    for number in numbers:
        body = page(STORIES[number].title, STORIES[number].text)
        web.answers[f"/story/{number}"] = answer(200, body, Content_Type="text/html")
    return [(f"/story/{number}", STORIES[number].title, "") for number in numbers]


async def add(room: Newsroom, web: Web, path: str = "/rss", guild=HERE):
    return await room.services.gathering.add(guild, web.url(path), "", AOKI, room.clock())


async def test_a_feed_brings_its_articles(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0, 1))
    look = await add(room, web)
    assert (look.feed.title, look.feed.language, look.passed) == ("町の便り", "ja", 0)
    assert {article.title for article in look.added} == {STORIES[0].title, STORIES[1].title}
    for article in look.added:
        assert article.url.startswith(web.url("/story/"))
        assert 1 <= article.sentences <= 10
    exercise = await room.ask()
    assert exercise.item.clipping is not None
    assert exercise.item.clipping.url.startswith(web.url("/story/"))


async def test_a_second_look_sends_the_validators_and_brings_nothing_twice(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0), ETag='"1"', Last_Modified="Mon, 30 Nov 2026 08:00:00 GMT")
    added = await add(room, web)
    again = await room.services.gathering.refresh(added.feed.id, HERE, room.clock())
    assert (again.added, again.passed, again.unchanged) == ((), 0, False)
    asked = [seen for seen in web.requests if seen[":path"] == "/rss"][-1]
    assert asked["If-None-Match"] == '"1"'
    assert asked["If-Modified-Since"] == "Mon, 30 Nov 2026 08:00:00 GMT"
    web.answers["/rss"] = answer(304)
    unchanged = await room.services.gathering.refresh(added.feed.id, HERE, room.clock())
    assert unchanged.unchanged
    assert unchanged.feed.etag == '"1"'


async def test_one_text_under_three_addresses_is_one_article(room: Newsroom, web: Web) -> None:
    (first,) = publish(web, 0)
    for path in ("/copy/1", "/copy/2"):
        web.answers[path] = web.answers["/story/0"]
    serve(
        web, first, ("/copy/1", "写し", ""), ("/copy/2", "もう一つの写し", ""), (first[0] + "?utm_source=x", "追跡", "")
    )
    look = await add(room, web)
    assert (len(look.added), look.passed, look.repeats) == (1, 0, 3)


async def test_an_entry_is_taken_by_its_own_text_where_its_page_cannot_be_read(room: Newsroom, web: Web) -> None:
    serve(web, ("/gone", "市場の話", STORIES[0].text), ("/gone/2", "短い話", "短い。"))
    look = await add(room, web)
    assert [article.title for article in look.added] == ["市場の話"]
    assert look.passed == 1


async def test_what_may_come_back_is_tried_again_and_what_is_lost_is_not(room: Newsroom, web: Web) -> None:
    serve(web, ("/later", "あとで", ""), ("/empty", "空", ""))
    web.answers |= {"/later": answer(503), "/empty": answer(200, b"", Content_Type="text/html")}
    look = await add(room, web)
    assert (look.added, look.passed) == ((), 2)
    web.answers["/later"] = web.answers["/empty"] = answer(
        200, page(STORIES[2].title, STORIES[2].text), Content_Type="text/html"
    )
    again = await room.services.gathering.refresh(look.feed.id, HERE, room.clock())
    assert [article.title for article in again.added] == ["あとで"]
    assert again.passed == 0


async def test_a_look_takes_a_few_articles_only(room: Newsroom, web: Web) -> None:
    serve(web, *((f"/none/{number}", f"話{number}", "") for number in range(PER_LOOK + 3)))
    look = await add(room, web)
    assert look.passed == PER_LOOK


async def test_a_page_that_names_its_feed_will_do(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0))
    link = f"<link rel=alternate type='application/rss+xml' href='{web.url('/rss')}'>"
    web.answers["/"] = answer(200, f"<html><head>{link}</head><body><p>ようこそ</p></body></html>".encode())
    look = await add(room, web, "/")
    assert look.feed.url == web.url("/rss")
    web.answers["/plain"] = answer(200, b"<html><body><p>no feed here</p></body></html>")
    with pytest.raises(UnreadableNews) as refused:
        await add(room, web, "/plain")
    assert refused.value.why is ReadTrouble.NOT_A_FEED


async def test_a_server_has_a_feed_once_and_no_more_than_it_may(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0))
    first = await add(room, web)
    with pytest.raises(FeedThere):
        await add(room, web)
    web.answers["/other"] = answer(200, feed(web, ("/x", "話", ""), title="別の便り"))
    await add(room, web, "/other")
    web.answers["/third"] = web.answers["/other"]
    with pytest.raises(TooManyFeeds) as full:
        await add(room, web, "/third")
    assert full.value.limit == 2
    assert [each.title for each in await room.services.gathering.of_guild(HERE)] == ["別の便り", "町の便り"]
    (elsewhere,) = (await add(room, web, guild=THERE)).added
    assert elsewhere.guild_id == THERE
    with pytest.raises(PressLeadsNowhere) as foreign:
        await room.services.gathering.refresh(first.feed.id, THERE, room.clock())
    assert foreign.value.why is Gone.UNKNOWN


async def test_private_addresses_are_refused_whoever_names_them(room: Newsroom, web: Web) -> None:
    for address in (
        "http://127.0.0.1/",
        "http://10.0.0.1/rss",
        "http://localhost/rss",
        "ftp://example.org/x",
        "nonsense",
    ):
        with pytest.raises(Unfetchable):
            await room.services.gathering.add(HERE, address, "", AOKI, room.clock())
    serve(web, ("", "秘密", ""))
    hidden = feed(web, ("/x", "話", "")).replace(web.url("/x").encode(), b"http://169.254.169.254/latest/meta-data")
    web.answers["/rss"] = answer(200, hidden)
    look = await add(room, web)
    assert (look.added, look.passed) == ((), 1)


async def test_a_feed_that_fails_waits_longer_each_time_and_is_paused_at_last(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0))
    added = (await add(room, web)).feed
    web.answers["/rss"] = answer(500)
    pauses = []
    for number in range(1, FAILURES + 1):
        room.clock.at = (await room.services.gathering.feed(added.id, HERE)).next_check
        (look,) = await room.services.gathering.poll(room.clock())
        assert (look.feed.failures, look.feed.trouble) == (number, "status")
        pauses.append(look.feed.next_check - room.clock())
    assert pauses == sorted(pauses)
    assert pauses[0] == timedelta(hours=1)
    assert pauses[-1] == timedelta(days=1)
    assert look.feed.state is FeedState.PAUSED
    room.clock.move(days=30)
    assert await room.services.gathering.poll(room.clock()) == []
    serve(web, *publish(web, 1))
    back = await room.services.gathering.refresh(added.id, HERE, room.clock())
    assert (back.feed.state, back.feed.trouble, len(back.added)) == (FeedState.ACTIVE, "", 1)


@pytest.mark.parametrize(
    ("said", "trouble", "paused"),
    [
        (answer(410), FetchTrouble.GONE, True),
        (answer(404), FetchTrouble.STATUS, False),
        (answer(429, Retry_After="7200"), FetchTrouble.STATUS, False),
        (answer(200, b""), ReadTrouble.EMPTY, False),
        (answer(200, b"%PDF-1.7"), ReadTrouble.NOT_TEXT, False),
    ],
)
async def test_trouble_is_kept_with_the_feed(room: Newsroom, web: Web, said: bytes, trouble: str, paused: bool) -> None:
    serve(web, *publish(web, 0))
    added = (await add(room, web)).feed
    web.answers["/rss"] = said
    look = await room.services.gathering.refresh(added.id, HERE, room.clock())
    kept = await room.services.gathering.feed(added.id, HERE)
    assert (kept.trouble, kept.state is FeedState.PAUSED) == (trouble.value, paused)
    assert kept.next_check == look.feed.next_check >= room.clock() + timedelta(minutes=30)


async def test_a_removed_feed_leaves_its_articles_or_takes_them_along(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0))
    added = (await add(room, web)).feed
    await room.services.gathering.remove(added.id, HERE, room.clock(), articles=False)
    with pytest.raises(PressLeadsNowhere):
        await room.services.gathering.remove(added.id, HERE, room.clock(), articles=False)
    assert len(await room.services.receiving.articles_of(HERE, 9)) == 1
    web.answers["/rss"] = answer(200, feed(web, *publish(web, 1)))
    again = (await add(room, web)).feed
    assert len(await room.services.receiving.articles_of(HERE, 9)) == 2
    await room.services.gathering.remove(again.id, HERE, room.clock(), articles=True)
    (left,) = await room.services.receiving.articles_of(HERE, 9)
    assert left.title == STORIES[0].title


async def test_two_moderators_at_once_add_one_feed(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0))
    outcomes = await asyncio.gather(add(room, web), add(room, web), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["FeedThere", "Look"]
    (feed_there,) = await room.services.gathering.of_guild(HERE)
    outcomes = await asyncio.gather(
        *(room.services.gathering.remove(feed_there.id, HERE, room.clock(), articles=True) for _ in range(2)),
        return_exceptions=True,
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Feed", "PressLeadsNowhere"]


async def test_two_moderators_at_once_bring_and_remove_one_article(room: Newsroom) -> None:
    outcomes = await asyncio.gather(room.bring(), room.bring(), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Article", "ArticleThere"]
    (article,) = await room.services.receiving.articles_of(HERE, 9)
    outcomes = await asyncio.gather(
        *(room.services.receiving.remove_article(article.id, HERE, room.clock()) for _ in range(2)),
        return_exceptions=True,
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Article", "PressLeadsNowhere"]


def handed(guild=HERE, **what) -> Handed:
    return Handed(guild, AOKI, **what)


SRT = "1\n00:00:01,000 --> 00:00:04,000\n駅前の広場で、毎週日曜日の朝に\n\n2\n00:00:04,000 --> 00:00:06,000\n市場が開かれています。\n"


@pytest.mark.parametrize(
    "what",
    [
        {"text": STORIES[0].text, "title": "市場"},
        {"data": STORIES[0].text.encode("cp932"), "file_name": "market.txt"},
        {"data": STORIES[0].text.encode("utf-16"), "file_name": "market.txt"},
        {"data": page("市場", STORIES[0].text), "file_name": "market.html"},
        {"data": page("市場", STORIES[0].text), "file_name": "market"},
        {"data": page("市場", STORIES[0].text).decode().encode("utf-8-sig"), "file_name": "market"},
        {"data": f"<div><p>{STORIES[0].text}</p></div>".encode(), "file_name": "market"},
        {"data": SRT.encode(), "file_name": "market.srt"},
        {"data": ("WEBVTT\n\n" + SRT.replace(",000", ".000")).encode(), "file_name": "market.vtt"},
    ],
)
async def test_a_moderator_brings_an_article_by_paste_or_file(room: Newsroom, what: dict) -> None:
    article = await room.services.receiving.hand_over(handed(**what), room.clock())
    assert article.language == "ja"
    assert article.sentences >= 1
    assert article.title
    with pytest.raises(ArticleThere):
        await room.services.receiving.hand_over(handed(**what), room.clock())
    (there,) = await room.services.receiving.articles_of(HERE, 9)
    assert there.id == article.id
    assert await room.services.receiving.articles_of(THERE, 9) == []


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ({"text": " \n "}, ReadTrouble.EMPTY),
        ({"text": "短い。"}, ReadTrouble.NO_SENTENCE),
        ({"data": b"%PDF-1.7 \x00\x01", "file_name": "x.pdf"}, ReadTrouble.NOT_TEXT),
    ],
)
async def test_what_cannot_become_an_article_is_refused(room: Newsroom, what: dict, why: ReadTrouble) -> None:
    with pytest.raises(UnreadableNews) as refused:
        await room.services.receiving.hand_over(handed(**what), room.clock())
    assert refused.value.why is why


async def test_a_text_has_a_limit(room: Newsroom) -> None:
    with pytest.raises(TextTooLong):
        await room.services.receiving.hand_over(handed(text="あ" * 60_000), room.clock())


async def test_a_link_is_kept_only_where_it_is_one(room: Newsroom) -> None:
    bad = await room.services.receiving.hand_over(handed(text=STORIES[0].text, url="javascript:alert(1)"), room.clock())
    good = await room.services.receiving.hand_over(
        handed(text=STORIES[1].text, url="https://example.com/x"), room.clock()
    )
    assert (bad.url, good.url) == ("", "https://example.com/x")


async def test_an_article_is_taken_down_once_and_by_its_own_server(room: Newsroom) -> None:
    article = await room.bring()
    with pytest.raises(PressLeadsNowhere):
        await room.services.receiving.remove_article(article.id, THERE, room.clock())
    await room.services.receiving.remove_article(article.id, HERE, room.clock())
    for gone in (article.id, PackId(99_999)):
        with pytest.raises(PressLeadsNowhere):
            await room.services.receiving.remove_article(gone, HERE, room.clock())
    with pytest.raises(PressLeadsNowhere):
        await room.services.gathering.feed(FeedId(99), HERE)


async def test_german_gets_words_for_gaps(room: Newsroom) -> None:
    text = "Gestern hat die Stadt einen neuen Markt eröffnet. Viele Bauern verkaufen dort ihr Gemüse an die Nachbarn."
    article = await room.services.receiving.hand_over(handed(text=text, title="Markt", language="de"), room.clock())
    assert article.language == "de"
    exercise = await room.ask()
    assert exercise.item.clipping is not None
    assert exercise.item.clipping.language == "de"


async def test_what_else_fits_is_asked_once_and_accepted(room: Newsroom) -> None:
    def fitting(seen) -> dict:
        asked = json.loads(seen.turn)
        gaps = asked["gaps"] if isinstance(asked, dict) else asked
        return {
            "gaps": [
                {"id": gap["id"], "alternatives": ["にて"], "open": number == 0} for number, gap in enumerate(gaps)
            ]
        }

    room.server.script.always = says(fitting)
    article = await room.bring()
    assert len(room.server.requests) == 1
    exercise = await room.ask()
    assert "にて" in {one.text for one in exercise.item.accepted}
    assert exercise.item.clipping is not None
    assert exercise.item.clipping.closed
    room.server.script.always = says(
        lambda seen: {
            "gaps": [{"id": gap["id"], "alternatives": [], "open": True} for gap in json.loads(seen.turn)["gaps"]]
        }
    )
    with pytest.raises(UnreadableNews):  # much fits everywhere
        await room.bring(number=2)
    room.server.script.always = fails(500)
    other = await room.bring(number=1)
    assert min(article.blanks, other.blanks) > 0


GERMAN = (
    "Gestern hat die Stadt einen neuen Markt eröffnet. Viele Bauern verkaufen dort ihr Gemüse an die Nachbarn. "
    "Der Markt ist jeden Samstag offen, und die Leute kommen auch aus den Dörfern in der Nähe."
)


async def test_a_title_never_shows_what_is_asked(room: Newsroom) -> None:
    untitled = await room.services.receiving.hand_over(handed(text=STORIES[0].text), room.clock())
    assert untitled.title.endswith("…")
    assert STORIES[0].text.startswith(untitled.title.removesuffix("…"))
    titled = await room.bring(number=1)
    for article in (untitled, titled):
        for item in await room.services.loading.packs.items(article.id):
            assert item.clipping is not None
            if item.clipping.unit != "particle":
                assert item.answer not in article.title


@pytest.mark.parametrize("language", ["", "de"])
async def test_a_language_is_found_out_or_taken_as_told(room: Newsroom, language: str) -> None:
    article = await room.services.receiving.hand_over(
        handed(text=GERMAN, title="Markt", language=language), room.clock()
    )
    assert article.language == "de"


async def test_what_only_a_judge_could_decide_is_not_taken_without_one(data: Path, clock: MovableClock) -> None:
    async with newsroom(data, clock, llm_enabled=False) as room:
        with pytest.raises(UnreadableNews) as refused:
            await room.services.receiving.hand_over(handed(text=GERMAN, title="Markt"), room.clock())
        assert refused.value.why is ReadTrouble.NEEDS_JUDGE
    async with newsroom(data, clock) as room:
        await room.services.receiving.hand_over(handed(text=GERMAN, title="Markt"), room.clock())
    async with newsroom(data, clock, llm_enabled=False) as room:
        with pytest.raises(NewsNeedJudge):
            await room.ask()


async def test_a_removed_article_can_be_brought_back(room: Newsroom) -> None:
    article = await room.bring()
    with pytest.raises(ArticleThere) as there:
        await room.services.receiving.hand_over(handed(text=STORIES[0].text, title="ちがう題"), room.clock())
    assert there.value.title == STORIES[0].title
    await room.services.receiving.remove_article(article.id, HERE, room.clock())
    again = await room.services.receiving.hand_over(handed(text=STORIES[0].text, title="新しい題"), room.clock())
    assert again.title == "新しい題"
    assert again.sentences == article.sentences


async def test_a_feed_that_was_removed_with_its_articles_brings_them_again(room: Newsroom, web: Web) -> None:
    serve(web, *publish(web, 0, 1))
    first = await add(room, web)
    await room.services.gathering.remove(first.feed.id, HERE, room.clock(), articles=True)
    again = await add(room, web)
    assert {article.title for article in again.added} == {article.title for article in first.added}
    (one, _) = again.added
    await room.services.receiving.remove_article(one.id, HERE, room.clock())
    assert (await room.services.gathering.refresh(again.feed.id, HERE, room.clock())).added == ()


async def test_a_feed_that_never_brings_anything_shows_its_trouble(room: Newsroom, web: Web) -> None:
    serve(web, ("/nowhere", "ない話", ""))
    look = await add(room, web)
    assert (look.passed, look.feed.trouble) == (1, FetchTrouble.STATUS.value)
    again = await room.services.gathering.refresh(look.feed.id, HERE, room.clock())
    assert again.feed.trouble == FetchTrouble.STATUS.value
    serve(web, *publish(web, 0))
    better = await room.services.gathering.refresh(look.feed.id, HERE, room.clock())
    assert (len(better.added), better.feed.trouble) == (1, "")


async def test_nobody_is_sent_to_an_address_that_may_not_be_opened(room: Newsroom, web: Web) -> None:
    entry = feed(web, ("/x", "市場の話", STORIES[0].text)).replace(web.url("/x").encode(), b"http://10.0.0.1/x")
    web.answers["/rss"] = answer(200, entry, ETag='"' + "x" * 5000 + '"')
    look = await add(room, web)
    assert [article.url for article in look.added] == [""]
    assert look.feed.etag == ""
