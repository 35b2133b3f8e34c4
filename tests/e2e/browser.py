"""Plays the demo in a headless Chromium: a demo in a thread of its own, and verbs for a person at the page.

Everything is looked up with `execute_script`, again and again until a deadline: the page draws itself anew twice a
second, so an element found earlier may be gone, and its content policy forbids the library's waiting helpers.
"""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from discord.ext import commands
    from selenium.webdriver.remote.webelement import WebElement

T = TypeVar("T")

PATIENCE: Final = 10.0
FLAGS: Final = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
DESKTOP: Final = (1280, 900)
PHONE: Final = (390, 844)

TEXT: Final = "const e = document.querySelector(arguments[0]); return e ? e.innerText : '';"
CONTROL: Final = """
const seen = (e) => e.checkVisibility() && !e.disabled && e.getAttribute('aria-disabled') !== 'true';
const named = (e) => [e.innerText.trim(), e.getAttribute('aria-label') || ''].includes(arguments[0]);
const root = document.querySelector('.modal-dialog') || document;
return [...root.querySelectorAll('button, a')].filter((e) => seen(e) && named(e)).at(-1) || null;
"""
ONE: Final = "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).at(-1) || null;"
QUIET: Final = """
const page = window.simcordPreview;
return Boolean(page && page.ready && page.authorized && !page.pendingAction && page.awaitingRevision === null);
"""
STATUS: Final = "return JSON.parse(JSON.stringify(window.simcordPreview));"


class Demo:
    """A demo that runs in a thread of its own, with a loop of its own."""

    def __init__(self, make_bot: Callable[[], commands.Bot], timeout: float = 30.0) -> None:
        self.bot: Any = None
        self.said: list[str] = []
        self._make_bot = make_bot
        self._timeout = timeout
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)

    @property
    def url(self) -> str:
        """The lobby's address."""
        return next(word for word in "\n".join(self.said).split() if word.startswith("http://"))

    def start(self) -> None:
        self._thread.start()
        if not self._ready.wait(self._timeout):
            raise TimeoutError("the demo did not get ready")
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """End the demo and wait for its thread; AssertionError when it does not end."""
        if self._loop is not None and self._stop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(self._timeout)
        assert not self._thread.is_alive(), "the demo does not end"
        if self._failure is not None:
            raise self._failure

    def call(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run something in the demo's loop, for example what a job of the bot would do."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(make(), self._loop).result(self._timeout)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as failure:  # noqa: BLE001 (handed to the test)
            self._failure = failure
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        from bot.demo import serve

        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()

        def make_bot() -> commands.Bot:
            self.bot = self._make_bot()
            return self.bot

        def ready(text: str) -> None:
            self.said.append(text)
            self._ready.set()

        await serve(make_bot, port=0, lobby_port=0, stop=self._stop, ready=ready)


@contextmanager
def running(make_bot: Callable[[], commands.Bot]) -> Iterator[Demo]:
    """Give a running demo of that bot, on free ports; it has ended and closed the bot afterwards."""
    demo = Demo(make_bot)
    demo.start()
    try:
        yield demo
    finally:
        demo.stop()


def programs() -> tuple[str, str]:
    """Find Chromium and its driver, or skip the test and say what is missing."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        missing = "Chromium" if browser is None else "chromedriver"
        pytest.skip(f"the demo's page is played in a browser, and no {missing} is installed")
    return browser, driver


@contextmanager
def chromium(downloads: Path | None = None) -> Iterator[Browser]:
    """Give a headless browser; what it downloads goes to that folder."""
    program, driver = programs()
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(flag)
    if downloads is not None:
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    chrome = webdriver.Chrome(options, webdriver.ChromeService(driver))
    try:
        browser = Browser(chrome)
        browser.resize(DESKTOP)
        yield browser
    finally:
        chrome.quit()


class Browser:
    """A person at the page. Each verb waits until it has happened, ten seconds at most."""

    def __init__(self, chrome: webdriver.Chrome) -> None:
        self.chrome = chrome

    # looking

    def script(self, source: str, *arguments: Any) -> Any:
        return self.chrome.execute_script(source, *arguments)

    def until(self, look: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
        """Look until there is something to see; AssertionError with the page's text after `patience` seconds."""
        deadline = time.monotonic() + patience
        while True:
            seen = look()
            if seen:
                return seen
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come. The page says:\n{self.text('body')}")
            time.sleep(0.05)

    def text(self, selector: str = "#preview-app") -> str:
        return str(self.script(TEXT, selector))

    def status(self) -> dict[str, Any]:
        """What SimCord's page says about itself."""
        return dict(self.script(STATUS))

    def wait_text(self, text: str, selector: str = "#preview-app", patience: float = PATIENCE) -> None:
        self.until(lambda: text in self.text(selector), f"{text!r}", patience)

    def wait_no_text(self, text: str, selector: str = "#preview-app", patience: float = PATIENCE) -> None:
        self.until(lambda: text not in self.text(selector), f"the end of {text!r}", patience)

    def wait_quiet(self) -> None:
        """Wait until the page has drawn itself and nothing is under way."""
        self.until(lambda: self.script(QUIET), "a quiet page")

    def one(self, selector: str) -> WebElement:
        """Give the last visible element of that selector."""
        return self.until(lambda: self.script(ONE, selector), f"a visible {selector}")

    def screenshot(self, path: str | Path) -> Path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        assert self.chrome.save_screenshot(str(path))
        return Path(path)

    # moving about

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window exactly this much room for the page."""
        self.chrome.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 500},
        )

    def open_lobby(self, demo: Demo) -> None:
        self.chrome.get(demo.url)
        self.one("#people .door")

    def open_room(self, demo: Demo, key: str) -> None:
        """Go to a room by its key, such as "study-mika", "general-tom" or "dm-mika"."""
        self.chrome.get(f"{demo.url}rooms/{key}")
        self.wait_quiet()

    def new_tab(self) -> str:
        """Open an empty tab and go to it; gives the tab that was left."""
        left = self.chrome.current_window_handle
        self.chrome.switch_to.new_window("tab")
        self.resize(DESKTOP)
        return left

    def to_tab(self, handle: str) -> None:
        self.chrome.switch_to.window(handle)

    # doing

    def press(self, label: str) -> None:
        """Press the last button of that label: in the open dialog, else on the page."""
        self._click(lambda: self.script(CONTROL, label), f"a button {label!r}")
        self.wait_quiet()

    def type_in_modal(self, text: str, field: int = 0) -> None:
        """Write into a field of the open dialog, in place of what is in it."""
        selector = ".modal-dialog .modal-input"
        self.one(selector)
        box = self.script("return document.querySelectorAll(arguments[0])[arguments[1]];", selector, field)
        self.write(box, text)

    def write(self, box: WebElement, text: str) -> None:
        """Write into a box in place of what is in it, by the keyboard: the page listens to keys only."""
        box.send_keys(Keys.CONTROL + "a")
        box.send_keys(Keys.DELETE)
        box.send_keys(text)

    def keys(self, *keys: str) -> None:
        """Press keys wherever the focus is."""
        self.chrome.switch_to.active_element.send_keys(*keys)

    def submit_modal(self) -> None:
        self.press("Submit")
        self.until(lambda: not self.script(ONE, ".modal-dialog"), "the end of the dialog")

    def say(self, text: str) -> None:
        """Write a message into the room."""
        box = self.one("#channel-composer-input")
        box.send_keys(text, Keys.ENTER)
        self.wait_quiet()

    def run_slash(self, command: str, **options: str | Path) -> None:
        """Run a slash command such as "drill" or "pack load". A Path as an option is a file to upload."""
        self.begin_slash(command)
        for name, value in options.items():
            self.fill_option(name, value)
        self.send_slash(command)

    def send_slash(self, command: str) -> None:
        """Send the command that was written."""
        self._click(lambda: self.script(ONE, "#send-message:not(:disabled)"), "the send button")
        self.until(lambda: self.status()["commandPicker"]["state"] == "closed", f"the end of /{command}")
        self.wait_quiet()

    def begin_slash(self, command: str) -> None:
        """Write the command and pick it from the list; a command left unsent is given up first."""
        if self.script(ONE, ".command-chip"):
            self._click(lambda: self.script(ONE, ".command-context-close"), "the way out of the command")
        self.write(self.one("#channel-composer-input"), f"/{command}")
        find = (
            "return [...document.querySelectorAll('.command-entry')].find("
            "(e) => e.querySelector('strong').textContent === arguments[0]) || null;"
        )
        self._click(lambda: self.script(find, f"/{command}"), f"/{command} in the list")
        self.one(".command-chip")

    def fill_option(self, name: str, value: str | Path) -> None:
        """Give an option of the command being written; one that is not shown yet is added first."""
        pill = f'.command-pill[data-option="{name}"]'
        if not self.script(ONE, pill):
            self._click(lambda: self.script(ONE, ".command-ghost"), "the list of options")
            self._click(lambda: self.script(ONE, f'.command-suggestion[data-value="{name}"]'), f"the option {name}")
        self.one(pill)
        if isinstance(value, Path):
            self.chrome.find_element(By.CSS_SELECTOR, f"{pill} input[type=file]").send_keys(str(value))
            self.wait_text(value.name)
        else:
            self.one(f"{pill} .command-option-input").send_keys(value)

    def choose(self, placeholder: str, option: str) -> None:
        """Choose from the menu that shows this placeholder."""
        menu = (
            "return [...document.querySelectorAll('.select-trigger, [role=combobox], .component-select button')]"
            ".filter((e) => e.checkVisibility() && e.innerText.includes(arguments[0])).at(-1) || null;"
        )
        self._click(lambda: self.script(menu, placeholder), f"the menu {placeholder!r}")
        item = (
            "return [...document.querySelectorAll('[role=option]')]"
            ".find((e) => e.checkVisibility() && e.innerText.includes(arguments[0])) || null;"
        )
        self._click(lambda: self.script(item, option), f"the option {option!r}")
        self.wait_quiet()

    def _click(self, find: Callable[[], WebElement | None], what: str) -> None:
        """Click what is found; once more when the page was drawn anew in between."""
        from selenium.common.exceptions import WebDriverException

        def clicked() -> bool:
            element = find()
            if element is None:
                return False
            try:
                self.script("arguments[0].scrollIntoView({block: 'nearest'});", element)
                element.click()
            except WebDriverException:
                return False
            return True

        self.until(clicked, what)
