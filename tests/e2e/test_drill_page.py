"""A whole drill on the demo's page: the real command, the real bot, the real browser, by mouse and by keyboard."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from selenium.webdriver.common.keys import Keys

from tests.e2e.browser import PHONE, Browser, chromium, programs

ROOT = Path(__file__).parents[2]
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


@contextmanager
def kizuki_demo(data: Path) -> Iterator[Any]:
    """Start `kizuki demo` as its own process, as `make demo` does; it must end cleanly when interrupted."""
    programs()
    command = [sys.executable, "-m", "bot", "demo", "--port", "0", "--lobby-port", "0", "--keep", str(data)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        address = next(found[0] for line in process.stderr if (found := ADDRESS.search(line)))
        yield SimpleNamespace(url=address)
    finally:
        process.send_signal(signal.SIGINT)
        with process.stderr:
            rest = process.stderr.read()
        assert process.wait(30) == 0, rest
        assert "Traceback" not in rest


def answer(browser: Browser, typed: str) -> None:
    browser.press("Answer")
    browser.type_in_modal(typed)
    browser.submit_modal()


def test_a_drill_is_played_to_the_end_by_mouse(tmp_path: Path) -> None:
    with kizuki_demo(tmp_path / "data") as demo, chromium() as browser:
        browser.open_room(demo, "study-tom")
        browser.run_slash("drill", pack="particles", count="3")
        browser.wait_text("1/3")
        answer(browser, "ぬ")
        browser.wait_text("Not this time")
        browser.wait_text("You wrote: ぬ")
        browser.press("Next")
        browser.wait_text("2/3")
        answer(browser, "が")
        browser.wait_text("✅ Right")
        browser.press("Next")
        browser.wait_text("3/3")
        browser.press("Stop")
        browser.wait_text("1 of 2 right")
        browser.press("Drill the misses")
        browser.wait_text("1/1")
        answer(browser, "は")
        browser.press("See how it went")
        browser.wait_text("Drill finished")
        browser.run_slash("mistakes")
        browser.wait_text("Your mistakes · 1")
        browser.open_room(demo, "study-mika")
        browser.wait_no_text("Your mistakes")


def test_a_drill_is_played_by_keyboard_at_phone_width(tmp_path: Path) -> None:
    with kizuki_demo(tmp_path / "data") as demo, chromium() as browser:
        browser.resize(PHONE)
        browser.open_room(demo, "dm-tom")
        composer = browser.one("#channel-composer-input")
        composer.send_keys("/drill")
        browser.wait_text("/drill", "body")
        composer.send_keys(Keys.ENTER)
        browser.one(".command-chip")
        browser.keys(Keys.ENTER)
        browser.wait_text("1/10")
        tab_to(browser, "Answer")
        browser.keys(Keys.ENTER)
        browser.one(".modal-dialog .modal-input")
        tab_to(browser, "", field=True)
        browser.keys("ぬ")
        tab_to(browser, "Submit")
        browser.keys(Keys.ENTER)
        browser.wait_text("Not this time")
        tab_to(browser, "Stop")
        browser.keys(Keys.ENTER)
        browser.wait_text("0 of 1 right")


def tab_to(browser: Browser, label: str, *, field: bool = False) -> None:
    """Press Tab until the focus stands on that button, or in the dialog's field."""
    focused = "const e = document.activeElement; return [e.innerText || '', e.classList.contains('modal-input')];"
    for _ in range(60):
        text, is_field = browser.script(focused)
        if is_field if field else text.strip() == label:
            return
        browser.keys(Keys.TAB)
    raise AssertionError(f"Tab never reaches {label or 'the field'}")


def test_a_kept_folder_finds_its_people_again(tmp_path: Path) -> None:
    with kizuki_demo(tmp_path / "data") as demo, chromium() as browser:
        browser.open_room(demo, "study-tom")
        browser.run_slash("drill", pack="particles", count="3")
        answer(browser, "ぬ")
        browser.wait_text("Not this time")
    with kizuki_demo(tmp_path / "data") as demo, chromium() as browser:
        browser.open_room(demo, "study-tom")
        browser.run_slash("drill")
        browser.wait_text("1 of 3 done")
        browser.press("Continue")
        browser.wait_text("2/3")


def test_a_refusal_in_words_is_no_failure_of_the_bot(tmp_path: Path) -> None:
    with kizuki_demo(tmp_path / "data") as demo, chromium() as browser:
        browser.open_room(demo, "study-tom")
        browser.run_slash("drill", pack="nothing of the kind")
        browser.wait_text("There is no pack called")
        assert "uncertain" not in browser.text("body")
        assert "error log" not in browser.text("body")
