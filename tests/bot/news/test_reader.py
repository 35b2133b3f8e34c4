"""The reading process: it answers, it dies alone, it is begun anew, and it outlives nobody."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.clients.news import ProcessReader
from bot.clients.news.reading.feeds import read_feed
from bot.clients.news.reading.pages import read_page
from lessons.errors import UnreadableNews
from lessons.model import ReadTrouble
from tests.bot.news.samples import SNOW, TEXT, URL, item, page, rss
from tests.bot.news.web import Web

SLOW = rss("<a>" * 300_000)
ROOT = Path(__file__).parents[3]
linux = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks into /proc")


@pytest.fixture
async def reader():
    opened = ProcessReader(seconds=2)
    yield opened
    await opened.close()


def numbered(number):
    return page(f"<p>{number}日目のことです。{SNOW}</p>", title=f"{number}").encode()


async def trouble(reading):
    with pytest.raises(UnreadableNews) as caught:
        await reading
    return caught.value


def alive(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_it_reads_what_would_be_read_here(reader):
    feed = rss(
        item(
            "題",
            "<![CDATA[<p><ruby>雪<rt>ゆき</rt></ruby>です。</p>]]>",
            "<pubDate>Mon, 30 Nov 2026 09:00:00 GMT</pubDate>",
        )
        + item("\U0001f600", "x" * 3000, "<link>/1</link>")
    )
    assert await reader.feed(feed, "", URL) == read_feed(feed, "", URL)
    dated = page(head="<meta name=date content=2026-11-30>").encode("euc_jp")
    assert await reader.page(dated, "text/html", URL) == read_page(dated, "text/html", URL)


async def test_one_process_serves_all(reader):
    await reader.page(page().encode(), "", URL)
    pid = reader._process.pid
    assert (await trouble(reader.page(b"%PDF-", "", URL))).detail == "a PDF"
    assert (await trouble(reader.feed(page().encode(), "", URL))).why is ReadTrouble.NOT_A_FEED
    assert (await trouble(reader.feed(b"", "", URL))).why is ReadTrouble.EMPTY
    assert reader._process.pid == pid


async def test_questions_at_once_get_their_own_answers(reader):
    found = await asyncio.gather(*(reader.page(numbered(n), "", URL) for n in range(30)))
    assert [prose.title for prose in found] == [f"{n}" for n in range(30)]


async def test_a_process_that_takes_too_long_is_killed_and_those_behind_it_are_served(reader):
    await reader.page(page().encode(), "", URL)
    pid = reader._process.pid
    slow = asyncio.create_task(trouble(reader.feed(SLOW, "", URL)))
    await asyncio.sleep(0)
    found = await asyncio.gather(*(reader.page(numbered(n), "", URL) for n in range(3)))
    assert [prose.title for prose in found] == ["0", "1", "2"]
    assert (await slow).why is ReadTrouble.TOO_MUCH
    assert not alive(pid)


async def test_a_process_that_died_is_replaced(reader):
    await reader.page(page().encode(), "", URL)
    process = reader._process
    process.kill()
    await process.wait()
    assert (await reader.page(page().encode(), "", URL)).paragraphs == TEXT


async def test_a_process_that_dies_at_work_is_too_much(reader):
    await reader.page(page().encode(), "", URL)
    task = asyncio.create_task(trouble(reader.feed(SLOW, "", URL)))
    await asyncio.sleep(0.1)
    os.kill(reader._process.pid, signal.SIGKILL)
    assert (await task).why is ReadTrouble.TOO_MUCH
    assert (await reader.page(page().encode(), "", URL)).paragraphs == TEXT


@linux
async def test_memory_is_bounded():
    reader = ProcessReader(memory_mib=150)
    await reader.page(page().encode(), "", URL)
    pid = reader._process.pid
    assert (await trouble(reader.page(b"<p>x" * 600_000, "", URL))).why is ReadTrouble.TOO_MUCH
    assert (await reader.page(page().encode(), "", URL)).paragraphs == TEXT
    assert reader._process.pid != pid
    await reader.close()


async def test_a_process_without_memory_to_start_is_too_much_and_told_once():
    reader = ProcessReader(memory_mib=20)
    assert (await trouble(reader.page(page().encode(), "", URL))).why is ReadTrouble.TOO_MUCH
    await reader.close()


async def test_a_waiter_that_gives_up_confuses_nobody():
    reader = ProcessReader(seconds=5)
    for number, delay in enumerate((0.1, 0.001, 0.05)):  # while the process starts, is written to, and works
        task = asyncio.create_task(reader.feed(SLOW, "", URL))
        await asyncio.sleep(delay)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        if number:
            assert (await reader.page(numbered(number), "", URL)).title == f"{number}"
        else:
            await reader._ready()
    await reader.close()


async def test_many_that_give_up_confuse_nobody(reader):
    tasks = [asyncio.create_task(reader.page(numbered(n), "", URL)) for n in range(24)]
    await asyncio.sleep(0.6)
    for task in tasks[::3]:
        task.cancel()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    for number, one in enumerate(found):
        assert isinstance(one, asyncio.CancelledError) or one.title == f"{number}"


async def test_closing_ends_the_process_and_what_it_reads():
    reader = ProcessReader(seconds=20)
    await reader.page(page().encode(), "", URL)
    pid = reader._process.pid
    task = asyncio.create_task(trouble(reader.feed(SLOW, "", URL)))
    await asyncio.sleep(0.05)
    await reader.close()
    assert (await task).why is ReadTrouble.TOO_MUCH
    assert not alive(pid)
    assert (await trouble(reader.page(page().encode(), "", URL))).why is ReadTrouble.TOO_MUCH
    await reader.close()


async def test_a_reader_that_never_read_has_nothing_to_close():
    await ProcessReader().close()


PARENT = """
import asyncio, os, sys
from bot.clients.news import ProcessReader
async def main():
    reader = ProcessReader(seconds=1)
    try:
        await reader.page(b"", "", "")
    except Exception:
        pass
    print(reader._process.pid, flush=True)
    if sys.argv[1] == "busy":
        asyncio.create_task(reader.feed(b"<rss><channel>" + b"<a>" * 400_000, "", ""))
        await asyncio.sleep(0.2)
    os._exit(1)
asyncio.run(main())
"""


@pytest.mark.parametrize("state", ["idle", "busy"])
async def test_no_process_outlives_a_parent_that_dies(state):
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", PARENT, state], capture_output=True, text=True, env=environ, check=False
    )
    pid = int(ran.stdout)
    until = time.monotonic() + 8
    while alive(pid) and not _is_zombie(pid) and time.monotonic() < until:
        await asyncio.to_thread(time.sleep, 0.05)
    assert not alive(pid) or _is_zombie(pid)


def _is_zombie(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    return False


@linux
async def test_the_process_knows_no_secret_and_writes_no_file(reader, monkeypatch):
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    await reader.page(page().encode(), "", URL)
    proc = Path(f"/proc/{reader._process.pid}")
    assert b"secret" not in (proc / "environ").read_bytes()
    limits = (proc / "limits").read_text()
    soft = {line[:26].strip(): line[26:].split()[0] for line in limits.splitlines()[1:]}
    assert (soft["Max core file size"], soft["Max file size"]) == ("0", "0")
    assert soft["Max address space"] == str(512 * 1024 * 1024)


async def test_bytes_that_look_like_an_address_are_not_fetched(reader, tmp_path):
    file = tmp_path / "feed.xml"
    file.write_bytes(rss(item("secret")))
    async with Web({"/": rss(item("secret"))}).open() as canary:
        for data in (canary.url(), f"feed:{canary.url()}", str(file), file.as_uri()):
            assert (await trouble(reader.feed(data.encode(), "", URL))).why is ReadTrouble.NOT_A_FEED
            assert (await trouble(reader.page(data.encode(), "", URL))).why is ReadTrouble.NO_ARTICLE
        assert canary.connections == 0


def test_the_front_of_the_package_loads_no_parser():
    code = (
        "import sys, bot.clients.news as n; n.JustextStoplists().function_words('de');"
        "print({'feedparser', 'trafilatura', 'lxml', 'justext'} & set(sys.modules))"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ, check=True)
    assert ran.stdout.strip() == "set()"


async def test_closing_while_the_process_starts_leaves_none_behind():
    reader = ProcessReader()
    task = asyncio.create_task(trouble(reader.page(page().encode(), "", URL)))
    await asyncio.sleep(0)
    await reader.close()
    assert (await task).why is ReadTrouble.TOO_MUCH
    assert reader._process is None or not alive(reader._process.pid)
