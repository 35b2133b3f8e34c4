"""How each bomb of the web ends, how long the event loop stands still meanwhile, and how many pages a second are read."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import threading
import time
import zlib
from dataclasses import dataclass, field
from ipaddress import ip_network
from statistics import median
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from benchmarks.measuring import standstill
from benchmarks.table import Effort, Ratio
from bot.clients.news import HttpFetcher, Policy, ProcessReader
from bot.clients.news.reading.pages import read_page
from lessons.errors import Unfetchable, UnreadableNews

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator

MEBIBYTE = 1024 * 1024
PAGES = 200
LIMIT = 16  # seconds
T = TypeVar("T")
Bombs: TypeAlias = "dict[str, Callable[[], bytes]]"

SENTENCE = "昨日、東京で大きな雪が降りました。電車が止まって、たくさんの人が駅で困っていました。"


@dataclass(frozen=True)
class Ending:
    """How a bomb ended, after how many seconds, with the longest stall in milliseconds and the growth in MiB."""

    how: str
    seconds: float
    stall: float
    growth: float


def article(paragraphs: int, number: int = 0) -> bytes:
    body = "".join(f"<p>{SENTENCE}{number}の{n}番目の話です。</p>" for n in range(paragraphs))
    return f"<html lang='ja'><title>雪</title><body><article><h1>雪</h1>{body}</article></body></html>".encode()


def rss(body: str, before: str = "") -> bytes:
    return f'<?xml version="1.0"?>{before}<rss version="2.0"><channel><title>t</title>{body}</channel></rss>'.encode()


def laughs() -> bytes:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return rss("<item><title>&l9;</title></item>", f'<!DOCTYPE rss [<!ENTITY l0 "lol">{lines}]>')


def quadratic() -> bytes:
    return rss(f"<item><title>{'&a;' * 100_000}</title></item>", f'<!DOCTYPE rss [<!ENTITY a "{"a" * 100_000}">]>')


FEEDS: Bombs = {
    "billion laughs": laughs,
    "quadratic blow-up": quadratic,
    "outside entity": lambda: rss(
        "<item><title>&x;</title></item>", '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    ),
    "a million entries": lambda: rss("<item/>" * 1_000_000)[: 5 * MEBIBYTE],
    "100,000 entries": lambda: rss("<item><title>a title of it</title></item>" * 100_000),
    "5 MiB of HTML in entries": lambda: rss(
        f"<item><title>t</title><description><![CDATA[{'<p><b>x</b> y</p>' * 600}]]></description></item>" * 480
    ),
    "100,000 elements deep": lambda: rss("<a>" * 100_000),
    "one title of 5 MiB": lambda: rss(f"<item><title>{'雪' * 1_700_000}</title></item>"),
    "never closed CDATA": lambda: rss("<item><title><![CDATA[" + "<![CDATA[" * 400_000),
    "brackets in a doctype": lambda: b"<!DOCTYPE rss [" + b"[<!ENTITY a 'b'>" * 300_000 + b"<rss/>",
    "angle brackets": lambda: rss("<" * 4_000_000),
    "ampersands": lambda: rss(f"<item><title>{'&' * 4_000_000}</title></item>"),
    "open tags in a title": lambda: rss(f"<item><title><![CDATA[{'<a' * 1_500_000}]]></title></item>"),
    "open comments": lambda: b"<!--" * 1_200_000,
}
PAGE_BOMBS: Bombs = {
    "586 KiB of HTML": lambda: article(3_700)[: 586 * 1024],
    "5 MiB of paragraphs": lambda: article(30_000)[: 5 * MEBIBYTE],
    "100,000 elements deep": lambda: b"<div>" * 100_000 + SENTENCE.encode(),
    "one million elements": lambda: b"<html><body>" + b"<b>x" * 1_000_000,
    "5 MiB without a tag": lambda: b"<p>" + SENTENCE.encode() * 40_000,
    "one attribute of 5 MiB": lambda: b"<p title='" + b"x" * 5_000_000 + b"'>",
    "100,000 rubies": lambda: b"<p>" + "<ruby>雪<rt>ゆき</rt></ruby>".encode() * 100_000,
    "nested rubies": lambda: b"<ruby>" * 3_000 + b"x",
    "100,000 links": lambda: b"<a href=/x>link</a> " * 100_000,
    "tables in tables": lambda: b"<table><tr><td>" * 20_000,
    "entities": lambda: b"<p>" + b"&#x65E5;" * 600_000,
    "bytes of no encoding": lambda: b"<p>" + bytes(range(0x80, 0x100)) * 30_000,
}


async def ending(deed: Awaitable[object]) -> Ending:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with standstill() as stood:
        started = time.perf_counter()
        try:
            found = await deed
            how = type(found).__name__
        except (Unfetchable, UnreadableNews) as error:
            how = error.why.value
        took = time.perf_counter() - started
    growth = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return Ending(how, took, stood.longest, growth)


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer with the bomb that the path names."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        async for chunk in BOMBS[path]():
            writer.write(chunk)
            await writer.drain()
    writer.close()


async def gzipped() -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
    press = zlib.compressobj(9, zlib.DEFLATED, 31)
    for _ in range(200):
        yield press.compress(bytes(MEBIBYTE))
    yield press.flush()


async def endless() -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    for _ in range(100):
        yield bytes(MEBIBYTE)


async def announced() -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n"


async def drip() -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    while True:
        yield b"x"
        await asyncio.sleep(0.1)


async def silence() -> AsyncIterator[bytes]:
    await asyncio.sleep(60)
    yield b""


async def headers() -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    for number in range(1_000_000):
        yield f"X-{number}: {'x' * 4000}\r\n".encode()


async def around() -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 302 Found\r\nLocation: /around\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


BOMBS: dict[str, Callable[[], AsyncIterator[bytes]]] = {
    "/gzip-of-200-MiB": gzipped,
    "/100-MiB": endless,
    "/100-MiB-announced": announced,
    "/drip": drip,
    "/silence": silence,
    "/headers-without-end": headers,
    "/around": around,
}


@contextlib.contextmanager
def server() -> Iterator[int]:
    """A server in a thread of its own, so that its work is no stall of the loop that is measured."""
    loop = asyncio.new_event_loop()
    listening = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield listening.sockets[0].getsockname()[1]
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    for task in asyncio.all_tasks(loop):
        task.cancel()
        loop.run_until_complete(asyncio.wait([task]))
    listening.close()
    loop.close()


def show(title: str, endings: dict[str, Ending]) -> None:
    print(f"\n| {title} | ends as | seconds | longest stall, ms | growth, MiB |\n|---|---|---|---|---|")
    for name, end in endings.items():
        print(f"| {name.strip('/')} | {end.how} | {end.seconds:.1f} | {end.stall:.0f} | {end.growth:.0f} |", flush=True)


async def fetches(port: int, paths: Iterable[str]) -> dict[str, Ending]:
    policy = Policy(ports=frozenset({port}), exempt=(ip_network("127.0.0.1/32"),))
    fetcher = HttpFetcher("benchmark", policy)
    found = {}
    for path in paths:
        found[path] = await ending(fetcher.fetch(f"http://127.0.0.1:{port}{path}"))
    await fetcher.close()
    return found


async def readings(feeds: Bombs, pages: Bombs) -> tuple[dict[str, Ending], dict[str, Ending]]:
    reader = ProcessReader()
    await reader.page(article(5), "text/html", "https://news.example/")
    as_feeds, as_pages = {}, {}
    for name, make in feeds.items():
        data = make()
        as_feeds[name] = await ending(reader.feed(data, "application/xml", "https://news.example/feed"))
    for name, make in pages.items():
        data = make()
        as_pages[name] = await ending(reader.page(data, "text/html", "https://news.example/"))
    await reader.close()
    return as_feeds, as_pages


@dataclass
class Speed:
    """Milliseconds a page takes in the child and in this process, and the longest stalls of the loop meanwhile."""

    child: list[float] = field(default_factory=list)
    inside: list[float] = field(default_factory=list)
    stalls: dict[str, float] = field(default_factory=lambda: {"child": 0.0, "inside": 0.0})


async def speed(amount: int) -> Speed:
    """Read pages of 20 paragraphs, in turn in the child and here."""
    reader, found = ProcessReader(), Speed()
    pages = [article(20, number) for number in range(amount)]
    await reader.page(pages[0], "text/html", "https://news.example/")
    read_page(pages[0], "text/html", "https://news.example/")

    async def here(page: bytes) -> None:
        read_page(page, "text/html", "https://news.example/")

    async def there(page: bytes) -> None:
        await reader.page(page, "text/html", "https://news.example/")

    for page in pages:
        for name, read, into in (("child", there, found.child), ("inside", here, found.inside)):
            end = await ending(read(page))
            into.append(1000 * end.seconds)
            found.stalls[name] = max(found.stalls[name], end.stall)
    await reader.close()
    return found


def some(bombs: dict[str, T], names: tuple[str, ...] | None) -> dict[str, T]:
    """The bombs of these names; None: all."""
    return {name: bomb for name, bomb in bombs.items() if names is None or name in names}


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    paths = effort.of(None, ("/gzip-of-200-MiB", "/100-MiB", "/around"), ("/around",))
    feeds = effort.of(None, ("billion laughs", "a million entries", "open comments"), ("outside entity",))
    pages = effort.of(None, ("586 KiB of HTML", "nested rubies", "tables in tables"), ("nested rubies",))
    with server() as port:
        ends = list(asyncio.run(fetches(port, some(BOMBS, paths))).values())
    for several in asyncio.run(readings(some(FEEDS, feeds), some(PAGE_BOMBS, pages))):
        ends += several.values()
    found = asyncio.run(speed(effort.of(PAGES, 40, 2)))
    child, inside = median(found.child), median(found.inside)
    in_time = sum(end.seconds <= LIMIT for end in ends)
    longest = max(ends, key=lambda end: end.seconds)
    stall = max(end.stall for end in ends)
    figures = (
        f"{in_time} of {len(ends)}, longest {longest.seconds:.1f} s, growth {max(end.growth for end in ends):.0f} MiB"
    )
    return [
        Ratio(f"bombs that ended within {LIMIT} s", "bombs", in_time / len(ends), figures, len(ends)),
        Ratio("longest stall of the loop over all bombs", "the longest reading", stall / 1000 / longest.seconds,
              f"{stall:.0f} ms of {longest.seconds:.1f} s", len(ends)),
        Ratio("reading a page in a process of its own", "in this process", child / inside,
              f"{child:.1f} and {inside:.1f} ms, {1000 / child:.0f} pages/s", len(found.child)),
        Ratio("longest stall of the loop, page read in a process of its own", "in this process",
              found.stalls["child"] / found.stalls["inside"],
              f"{found.stalls['child']:.1f} and {found.stalls['inside']:.1f} ms", len(found.child)),
    ]  # fmt: skip


def main() -> None:
    with server() as port:
        show("fetched", asyncio.run(fetches(port, BOMBS)))
    feeds, pages = asyncio.run(readings(FEEDS, PAGE_BOMBS))
    show("read as a feed", feeds)
    show("read as a page", pages)
    found = asyncio.run(speed(PAGES))
    print(f"\n{1000 / median(found.child):.0f} pages of 20 paragraphs a second; stall {found.stalls['child']:.0f} ms")


if __name__ == "__main__":
    main()
