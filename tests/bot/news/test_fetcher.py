"""Fetching: what a server says is kept, and no server costs more than the limits."""

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta

import pytest

from bot.clients.news import HttpFetcher, Limits
from lessons.errors import Unfetchable
from lessons.model import FetchTrouble
from tests.bot.news.web import Names, Web, answer, zipped

AT = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
SMALL = Limits(total=0.6, connect=0.3, size=20_000)


@pytest.fixture
async def web():
    async with Web().open() as opened:
        yield opened


@pytest.fixture
async def fetcher(web):
    opened = HttpFetcher("mail@example.com", web.policy, SMALL, clock=lambda: AT, resolver=Names())
    yield opened
    await opened.close()


async def trouble(fetcher, url):
    with pytest.raises(Unfetchable) as caught:
        await fetcher.fetch(url)
    return caught.value


async def test_body_type_and_validators_are_kept(web, fetcher):
    web.answers["/feed"] = answer(
        body=b"<rss/>", Content_Type="application/rss+xml", ETag='W/"1"', Last_Modified="Mon, 30 Nov 2026 08:00:00 GMT"
    )
    found = await fetcher.fetch(web.url("/feed"))
    assert (found.status, found.data, found.url, found.moved) == (200, b"<rss/>", web.url("/feed"), "")
    assert (found.content_type, found.etag) == ("application/rss+xml", 'W/"1"')
    assert found.last_modified == "Mon, 30 Nov 2026 08:00:00 GMT"
    assert found.fresh_after is None


async def test_the_bot_says_who_it_is_and_how_to_reach_its_operator(web, fetcher):
    web.answers["/"] = answer()
    await fetcher.fetch(web.url())
    agent = web.requests[0]["User-Agent"]
    assert agent.startswith("Kizuki/")
    assert agent.endswith("(+mail@example.com)")


@pytest.mark.parametrize("contact", ["", "a\r\nX-Evil: 1", "雪 (snow)", "x" * 5000])
async def test_no_contact_breaks_a_request(web, contact):
    web.answers["/"] = answer()
    fetcher = HttpFetcher(contact, web.policy, SMALL)
    await fetcher.fetch(web.url())
    await fetcher.close()
    assert "X-Evil" not in web.requests[0]
    assert len(web.requests[0]["User-Agent"]) < 300


async def test_the_second_look_sends_the_validators_and_gets_304(web, fetcher):
    web.answers["/"] = answer(304, ETag='"2"')
    found = await fetcher.fetch(web.url(), etag='"2"', last_modified="Mon, 30 Nov 2026 08:00:00 GMT")
    assert (found.status, found.data, found.etag) == (304, b"", '"2"')
    assert web.requests[0]["If-None-Match"] == '"2"'
    assert web.requests[0]["If-Modified-Since"] == "Mon, 30 Nov 2026 08:00:00 GMT"


async def test_304_without_a_validator_is_a_fault(web, fetcher):
    web.answers["/"] = answer(304)
    assert ((error := await trouble(fetcher, web.url())).why, error.status) == (FetchTrouble.STATUS, 304)


async def test_no_cookie_is_kept(web, fetcher):
    web.answers["/"] = answer(Set_Cookie="a=b; Path=/")
    await fetcher.fetch(web.url())
    await fetcher.fetch(web.url())
    assert "Cookie" not in web.requests[1]


@pytest.mark.parametrize(
    ("headers", "hours"),
    [
        ({"Cache_Control": "public, max-age=3600"}, 1),
        ({"Cache_Control": "max-age=7200", "Retry_After": "3600"}, 2),
        ({"Retry_After": "Mon, 30 Nov 2026 12:00:00 GMT"}, 3),
        ({"Retry_After": "Mon, 30 Nov 2026 12:00:00 -0000"}, 3),
        ({"Cache_Control": "max-age=99999999999999"}, 24),
        ({"Retry_After": "Fri, 31 Dec 9999 23:59:59 GMT"}, 24),
        ({"Retry_After": "Mon, 30 Nov 2026 08:00:00 GMT"}, 0),
        ({"Cache_Control": "no-cache, max-age=3600"}, None),
        ({"Cache_Control": "s-max-age=3600"}, None),
        ({"Retry_After": "soon"}, None),
        ({"Retry_After": "-5"}, None),
        ({"Retry_After": "١٢"}, None),
        ({}, None),
    ],
)
async def test_what_a_server_asks_for_is_kept_up_to_a_day(web, fetcher, headers, hours):
    web.answers["/"] = answer(**headers)
    assert (await fetcher.fetch(web.url())).fresh_after == (None if hours is None else timedelta(hours=hours))


@pytest.mark.parametrize(
    ("status", "headers", "why", "wait"),
    [
        (410, {}, FetchTrouble.GONE, None),
        (404, {}, FetchTrouble.STATUS, None),
        (429, {"Retry_After": "60"}, FetchTrouble.STATUS, timedelta(minutes=1)),
        (503, {"Retry_After": "Mon, 30 Nov 2026 10:00:00 GMT"}, FetchTrouble.STATUS, timedelta(hours=1)),
        (500, {"Retry_After": "99999999"}, FetchTrouble.STATUS, timedelta(days=1)),
        (300, {"Location": "/"}, FetchTrouble.STATUS, None),
    ],
)
async def test_other_statuses_are_told_without_what_the_server_wrote(web, fetcher, status, headers, why, wait):
    web.answers["/"] = answer(status, b"secret words", **headers)
    error = await trouble(fetcher, web.url())
    assert (error.why, error.status, error.again) == (why, status, None if wait is None else AT + wait)
    assert "secret" not in f"{error!r} {error} {error.__cause__}"


@pytest.mark.parametrize("status", [301, 308])
async def test_permanent_redirects_name_the_new_address(web, fetcher, status):
    web.answers |= {"/": answer(status, Location="/a"), "/a": answer(301, Location=web.url("/b")), "/b": answer()}
    found = await fetcher.fetch(web.url())
    assert (found.url, found.moved) == (web.url("/b"), web.url("/b"))


async def test_one_redirect_for_now_makes_the_whole_way_one_for_now(web, fetcher):
    web.answers |= {
        "/": answer(301, Location="a"),
        "/a": answer(302, Location="//" + web.url("/b")[7:]),
        "/b": answer(),
    }
    found = await fetcher.fetch(web.url())
    assert (found.url, found.moved) == (web.url("/b"), "")


async def test_validators_go_along_the_redirects(web, fetcher):
    web.answers |= {"/": answer(302, Location="/a"), "/a": answer(304)}
    assert (await fetcher.fetch(web.url(), etag='"1"')).status == 304
    assert web.requests[1]["If-None-Match"] == '"1"'


@pytest.mark.parametrize("location", ["/", "/?{n}", "", "http://[", "http://a b/"])
async def test_redirects_without_end_or_aim_stop(web, fetcher, location):
    web.answers |= {path: answer(302, Location=location) for path in ("/", "/?{n}", "/?%7Bn%7D")}
    error = await trouble(fetcher, web.url())
    assert error.why in {FetchTrouble.REDIRECTS, FetchTrouble.BAD_ADDRESS}
    assert len(web.requests) <= 4


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://example.com/", "javascript:1", "http://u@example.com"]
)
async def test_redirects_to_another_kind_of_address_stop(web, fetcher, location):
    web.answers["/"] = answer(302, Location=location)
    assert (await trouble(fetcher, web.url())).why is FetchTrouble.BAD_ADDRESS


async def test_a_gzip_bomb_is_cut_off(web, fetcher):
    web.answers["/"] = zipped(bytes(50_000_000))
    assert (await trouble(fetcher, web.url())).why is FetchTrouble.TOO_LARGE


async def test_zipped_text_is_unzipped(web, fetcher):
    web.answers["/"] = zipped("雪".encode())
    assert (await fetcher.fetch(web.url())).data == "雪".encode()


async def test_a_body_without_end_is_cut_off(web, fetcher):
    async def script():
        yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        while True:
            yield bytes(10_000)

    web.answers["/"] = script
    assert (await trouble(fetcher, web.url())).why is FetchTrouble.TOO_LARGE


async def test_a_body_that_announces_too_much_is_not_read(web, fetcher):
    web.answers["/"] = b"HTTP/1.1 200 OK\r\nContent-Length: 20001\r\n\r\n"
    assert (await trouble(fetcher, web.url())).why is FetchTrouble.TOO_LARGE


async def test_a_body_of_exactly_the_limit_passes(web, fetcher):
    web.answers["/"] = answer(body=bytes(20_000))
    assert len((await fetcher.fetch(web.url())).data) == 20_000


@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"])
async def test_a_drip_ends_with_the_time(web, fetcher, beginning):
    async def script():
        yield beginning
        while True:
            await asyncio.sleep(0.02)
            yield b"X" if b"\r\n\r\n" in beginning else b""

    web.answers["/"] = script
    assert (await trouble(fetcher, web.url())).why is FetchTrouble.TOO_SLOW


async def test_time_is_one_for_all_redirects(web, fetcher):
    async def script():
        await asyncio.sleep(0.25)
        yield answer(302, Location="/")

    web.answers["/"] = script
    assert (await trouble(fetcher, web.url())).why is FetchTrouble.TOO_SLOW


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"no HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    ],
    ids=["nothing", "no HTTP", "cut off", "odd length", "odd chunk", "no gzip", "long header"],
)
async def test_broken_answers_are_unreachable_and_not_quoted(web, fetcher, said):
    web.answers["/"] = said
    error = await trouble(fetcher, web.url())
    assert error.why is FetchTrouble.UNREACHABLE
    assert error.__cause__ is None
    assert error.__suppress_context__


async def test_no_such_name_and_a_closed_port_are_unreachable(web, fetcher):
    assert (await trouble(fetcher, f"http://nowhere.example:{web.port}/")).why is FetchTrouble.UNREACHABLE
    async with Web().open() as other:
        pass
    closed = HttpFetcher(policy=other.policy)
    assert (await trouble(closed, other.url())).why is FetchTrouble.UNREACHABLE
    await closed.close()


@pytest.mark.parametrize("etag", ['"a"\r\nX-Evil: 1', "\x00", "\udc80"])
async def test_a_validator_that_is_no_header_never_becomes_two(web, fetcher, etag):
    web.answers["/"] = answer()
    with contextlib.suppress(Unfetchable):
        await fetcher.fetch(web.url(), etag=etag)
    assert not any("X-Evil" in request for request in web.requests)


async def test_headers_of_absurd_length_are_not_kept(web, fetcher):
    web.answers["/"] = answer(ETag='"' + "x" * 2000 + '"')
    assert (await fetcher.fetch(web.url())).etag == ""


async def test_a_cancelled_fetch_leaves_the_next_one_alone(web, fetcher):
    async def script():
        await asyncio.sleep(5)
        yield b""

    web.answers |= {"/slow": script, "/": answer(body=b"ok")}
    task = asyncio.create_task(fetcher.fetch(web.url("/slow")))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await fetcher.fetch(web.url())).data == b"ok"


async def test_fetches_at_once_do_not_mix(web, fetcher):
    web.answers |= {f"/{n}": answer(body=f"{n}".encode()) for n in range(20)}
    inner = fetcher.fetch(f"http://127.0.0.2:{web.port}/")
    found = await asyncio.gather(inner, *(fetcher.fetch(web.url(f"/{n}")) for n in range(20)), return_exceptions=True)
    assert found[0].why is FetchTrouble.FORBIDDEN_ADDRESS
    assert [one.data for one in found[1:]] == [f"{n}".encode() for n in range(20)]


async def test_it_can_be_closed_twice_and_used_again(web, fetcher):
    web.answers["/"] = answer(body=b"ok")
    await fetcher.close()
    await fetcher.fetch(web.url())
    await fetcher.close()
    await fetcher.close()
    assert (await fetcher.fetch(web.url())).data == b"ok"
