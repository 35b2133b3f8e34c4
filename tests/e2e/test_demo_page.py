"""The demo's page by itself, played in a browser with a small bot: whatever a person does there, nothing gets stuck."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import discord
import pytest
import simcord
import simcord.preview
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from bot.demo import PortTaken, preview, serve, world
from tests.e2e.browser import CONTROL, Browser, Demo, chromium, running
from tests.e2e.waiter import Waiter

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    with running(Waiter) as demo:
        yield demo


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(downloads: Path) -> Iterator[Browser]:
    with chromium(downloads) as browser:
        yield browser


def test_the_lobby_lists_every_room_by_person_and_leads_there_and_back(browser: Browser, demo: Demo) -> None:
    browser.open_lobby(demo)
    for person in world.PEOPLE:
        keys = browser.script(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.id);", f".{person.key} .door"
        )
        assert keys == [f"room-study-{person.key}", f"room-general-{person.key}", f"room-dm-{person.key}"]
    browser.one("#room-study-tom").send_keys(Keys.ENTER)
    browser.wait_quiet()
    browser.wait_text("ようこそ")
    assert browser.text(".viewer-control").split()[-1] == "Tom"
    browser.one(".kizuki-home").click()
    browser.one("#people .door")
    browser.wait_text("open", "#room-study-tom, .tom")


def test_the_lobby_needs_nothing_from_elsewhere_and_hides_its_names_from_other_hosts(demo: Demo) -> None:
    with urllib.request.urlopen(demo.url) as answer:
        page = answer.read().decode()
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    with urllib.request.urlopen(f"{demo.url}{world.SAMPLE_PACK_NAME}") as answer:
        assert answer.read().decode("utf-8-sig").startswith("lesson,type,prompt,answer")
    stranger = urllib.request.Request(demo.url, headers={"Host": "example.com"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(stranger)


def test_a_drill_by_keyboard_in_japanese_that_only_its_learner_sees(browser: Browser, demo: Demo) -> None:
    browser.open_room(demo, "study-mika")
    browser.begin_slash("drill")
    browser.keys(Keys.ENTER)
    browser.wait_text("1/10 図書館")
    browser.press("Answer")
    browser.type_in_modal("で" + Keys.ENTER)
    browser.wait_text("答え: で")
    browser.press("Next")
    browser.choose("Kind of mistake", "助詞")
    browser.wait_text("chosen ['particle']")
    browser.open_room(demo, "study-tom")
    browser.wait_text("ようこそ")
    assert "図書館" not in browser.text()


def test_time_in_the_room_is_the_time_of_the_day(browser: Browser, demo: Demo) -> None:
    browser.open_room(demo, "dm-tom")
    started = time.monotonic()
    for _ in range(2):
        browser.run_slash("drill")
        time.sleep(1)
    sent = [message.created_at for message in demo.call(lambda: history(demo.bot, "tom"))]
    assert abs(discord.utils.utcnow() - sent[-1]) < timedelta(seconds=5)
    assert timedelta(seconds=0.5) < sent[-1] - sent[-2] < timedelta(seconds=time.monotonic() - started)


async def history(bot: Waiter, name: str) -> list[discord.Message]:
    return [message async for message in bot.person(name).history(oldest_first=True)]


def test_what_the_bot_posts_by_itself_appears_and_a_draft_survives_it(browser: Browser, demo: Demo) -> None:
    browser.open_room(demo, "study-mika")
    browser.run_slash("drill")
    browser.press("Answer")
    browser.type_in_modal("下書き")
    demo.call(lambda: demo.bot.room("study").send("本日の練習"))
    browser.wait_text("本日の練習")
    assert browser.script("return document.querySelector('.modal-input').value;") == "下書き"
    assert "modal-input" in browser.script("return document.activeElement.className;")
    browser.submit_modal()
    browser.wait_text("答え: 下書き")


def test_presses_while_the_page_refreshes_itself_all_count(browser: Browser, demo: Demo) -> None:
    browser.open_room(demo, "dm-mika")
    browser.run_slash("drill")
    answer = browser.until(lambda: browser.script(CONTROL, "Answer"), "Answer")
    ActionChains(browser.chrome).double_click(answer).perform()
    browser.one(".modal-dialog")
    browser.press("Cancel")

    async def storm() -> None:
        for number in range(12):
            await demo.bot.person("mika").send(f"嵐 {number}")
            await asyncio.sleep(0.1)

    weather = threading.Thread(target=demo.call, args=(storm,))
    weather.start()
    for _ in range(5):
        browser.press("Skip")
    weather.join()
    browser.wait_text("6/10")
    assert browser.status()["transport"]["failures"] == 0
    assert not browser.status()["diagnostics"]


def test_the_newest_is_in_sight_unless_someone_reads_further_up(browser: Browser, demo: Demo) -> None:
    below = (
        "const t = document.querySelector('#channel-timeline'); return t.scrollHeight - t.scrollTop - t.clientHeight;"
    )
    browser.open_room(demo, "dm-aoki")
    for _ in range(6):
        browser.run_slash("drill")
    browser.until(lambda: browser.script(below) <= 1, "the newest message")
    browser.script("document.querySelector('#channel-timeline').scrollTop = 0;")
    demo.call(lambda: demo.bot.person("aoki").send("お知らせ"))
    browser.wait_text("お知らせ")
    assert browser.script(below) > 100
    browser.press("New messages · jump to latest")
    browser.until(lambda: browser.script(below) <= 1, "the newest message")


def test_rooms_stay_open_side_by_side_and_a_dialog_waits_for_its_owner(browser: Browser, demo: Demo) -> None:
    browser.open_room(demo, "general-mika")
    browser.run_slash("drill")
    browser.press("Answer")
    browser.type_in_modal("待つ")
    left = browser.new_tab()
    browser.open_room(demo, "general-tom")
    browser.say("こんにちは")
    browser.chrome.refresh()
    browser.wait_quiet()
    browser.wait_text("こんにちは")
    browser.chrome.close()
    browser.to_tab(left)
    browser.wait_text("こんにちは")
    browser.submit_modal()
    browser.wait_text("答え: 待つ")
    browser.press("Next")
    browser.press("Answer")
    browser.chrome.refresh()
    browser.wait_quiet()
    browser.press("Answer")
    browser.type_in_modal("もう一度")
    browser.submit_modal()
    browser.wait_text("答え: もう一度")


def test_windows_beyond_the_limit_take_the_place_of_the_oldest(browser: Browser, demo: Demo) -> None:
    """A browser that crashes gives no window back."""
    browser.open_room(demo, "general-aoki")
    opened = browser.script(
        """const open = () => fetch('/api/pages', {method: 'POST', body: '{}', headers: {
             'Content-Type': 'application/json', 'X-Simcord-Capability': location.hash.slice(1)}});
           return Promise.all(Array.from({length: 20}, open)).then((all) => all.map((answer) => answer.status));"""
    )
    assert opened == [200] * 20
    browser.chrome.refresh()
    browser.wait_quiet()


def test_files_go_both_ways_and_only_a_moderator_can_load_them(
    browser: Browser, demo: Demo, downloads: Path, tmp_path: Path
) -> None:
    pack = tmp_path / "課.csv"
    pack.write_text("prompt,answer\n", encoding="utf-8")
    browser.open_room(demo, "study-aoki")
    browser.run_slash("pack load", file=pack)
    browser.wait_text("課.csv arrived")
    browser.press("Download copy.csv")
    browser.until((downloads / "copy.csv").exists, "the file")
    assert (downloads / "copy.csv").read_text(encoding="utf-8") == "prompt,answer\n"
    browser.open_room(demo, "study-mika")
    browser.begin_slash("drill")
    assert browser.script("return document.querySelectorAll('.command-entry').length;") == 0
    browser.fill_option("pack", "げ")
    browser.wait_text("げんき", ".command-popup")
    browser.keys(Keys.ENTER)
    chosen = "return document.querySelector('.command-pill input')?.value === 'げんき';"
    browser.until(lambda: browser.script(chosen), "the choice")
    browser.send_slash("drill")
    browser.wait_text("pack げんき")


def test_a_thread_becomes_a_room_for_those_who_may_enter(browser: Browser, demo: Demo) -> None:
    browser.open_lobby(demo)

    async def begin() -> None:
        thread = await demo.bot.room("study").create_thread(name="敬語の部屋")
        await thread.add_user(demo.bot.person("mika"))
        await thread.send("はじめましょう")

    demo.call(begin)
    browser.wait_text("敬語の部屋", ".person.mika")
    assert "敬語の部屋" not in browser.text(".person.tom")
    browser.one(".person.mika .door.thread").click()
    browser.wait_quiet()
    browser.wait_text("はじめましょう")
    browser.say("はい")
    browser.wait_text("はい")


def test_kanji_are_looked_for_in_japanese_fonts_first(browser: Browser, demo: Demo) -> None:
    browser.open_room(demo, "study-mika")
    family = str(browser.script("return getComputedStyle(document.body).fontFamily;"))
    assert 0 < family.index("Noto Sans CJK JP") < family.index("Noto Sans SC")
    assert 0 < family.index("Hiragino Sans") < family.index("Noto Sans SC")


async def test_a_simcord_without_a_private_name_gets_the_public_page(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with simcord.run(Waiter()) as env:
        demo = world.build(env)
        assert preview.missing_names(env) == []
        monkeypatch.delattr("simcord.preview._server.PreviewServer._asset")
        pages = await preview.open_pages(env, 0, "http://127.0.0.1/", demo)
        assert not pages.live
        assert "_asset" in caplog.text


def test_the_public_page_shows_one_room_at_a_time_and_refreshes_by_hand(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "missing_names", lambda _: ["a name"])
    with running(Waiter) as plain:
        browser.open_lobby(plain)
        browser.wait_text("One room at a time", ".note")
        browser.open_room(plain, "study-mika")
        browser.run_slash("drill")
        browser.press("Answer")
        browser.type_in_modal("で")
        browser.submit_modal()
        browser.wait_text("答え: で")
        plain.call(lambda: plain.bot.room("study").send("本日の練習"))
        browser.press("Refresh preview")
        browser.wait_text("本日の練習")
        browser.open_room(plain, "dm-tom")
        browser.run_slash("drill")
        browser.wait_text("1/10")


def test_every_amendment_still_finds_its_place() -> None:
    static = Path(simcord.preview.__file__).with_name("static")
    for path, changes in preview.AMENDMENTS.items():
        text = (static / ("index.html" if path == "/" else path[1:])).read_text(encoding="utf-8")
        for standing, _ in changes:
            assert standing in text, (path, standing)


@pytest.mark.parametrize("option", ["--port", "--lobby-port"])
async def test_a_taken_port_is_named_with_its_option_and_the_bot_is_closed(option: str) -> None:
    bots: list[Waiter] = []

    def make_bot() -> Waiter:
        bots.append(Waiter())
        return bots[-1]

    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        ports = {"port": 0, "lobby_port": 0, option.strip("-").replace("-", "_"): number}
        with pytest.raises(PortTaken, match=rf"^Port {number} is in use: choose another with {option}"):
            await serve(make_bot, **ports, stop=asyncio.Event(), ready=pytest.fail)
    assert bots[0].is_closed()


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_when_told_to_and_leaves_nothing(told: signal.Signals) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", "--port", "0", "--lobby-port", "0"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert demo.stderr is not None
    while "Ctrl-C ends it" not in demo.stderr.readline():
        assert demo.poll() is None
    demo.send_signal(told)
    _, complaints = demo.communicate(timeout=60)
    assert demo.returncode == 0
    assert "Traceback" not in complaints
