"""A session at DEBUG with a mark in everything that is typed: the log has neither a mark nor a token."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.app import Services
from bot.logs import configure
from tests.cogs.drilling import start, submit
from tests.cogs.newsroom import paste
from tests.cogs.studying import CORRECTIONS, REPORT, WORDS, begin_directly
from tests.cogs.test_packs import load
from tests.cogs.tutoring import ROADMAP, ask, hand_over, house, hurry, tutor
from tests.conftest import MovableClock, World
from tests.messages.server import MessagesServer, messages_server
from tests.screen import shown

MARK = "".join(["カナ", "リア"])  # so that no line of this file has it
TOKEN_SHAPES = (
    re.compile(r"[\w-]{60,}", re.ASCII),  # of interactions and webhooks
    re.compile(r"[\w-]{18,}\.[\w-]{5,}\.[\w-]{20,}", re.ASCII),  # of bots
    re.compile(r"sk-ant-[\w-]+", re.ASCII),
)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged, as an operator gets it at DEBUG."""
    stream = io.StringIO()
    root = logging.getLogger()
    handlers = root.handlers[:]
    for handler in handlers:  # they belong to others: `configure` closes what it replaces
        root.removeHandler(handler)
    configure("DEBUG", stream)
    for handler in handlers:
        root.addHandler(handler)
    return stream


@pytest.fixture
async def model(log: io.StringIO) -> AsyncIterator[MessagesServer]:
    async with messages_server(
        tutor(f"{MARK} {WORDS}", topics=ROADMAP, corrections=CORRECTIONS, strengths=REPORT)
    ) as it:
        yield it


@pytest.fixture
async def services(data: Path, clock: MovableClock, model: MessagesServer) -> AsyncIterator[Services]:
    async with house(data, clock, model) as opened:
        yield opened


@pytest.mark.errors_expected
async def test_nothing_that_is_typed_is_logged_at_debug(
    world: World, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(world)
    message = await start(world)
    verdict = shown(await submit(world.mika, message, f"{MARK}です"))
    await world.mika.click(verdict, label="I was right")
    queue = shown(await world.aoki.slash(world.study, "queue"))
    await world.aoki.click(queue, label="Accept")
    await world.mika.slash(world.study, "mistakes", search=MARK)
    await hand_over(world, words=f"My name is {MARK}. I want to write e-mails in Japanese by next spring, {MARK}!")
    await hand_over(world, kind="background", words=f"{MARK} is where I worked for eight years, in a hospital.")
    await ask(world, f"Why is it {MARK} and not で?")
    await load(world, f"prompt,answer\n[＿＿＿]です。,{MARK}\n")
    await paste(world, title=f"{MARK}の朝")
    await begin_directly(world)
    await world.aoki.slash(world.study, "settings", time_zone=f"Mars/{MARK}")

    def quoting(*_: object) -> None:
        raise ValueError(f"cannot read {MARK!r}")

    monkeypatch.setattr(type(world.services.delivering.drills), "begin", quoting)
    await world.tom.slash(world.study, "drill")
    told = log.getvalue()
    assert "failed" in told
    assert "ValueError: (its words are withheld" in told
    assert MARK not in told
    assert [found[0] for shape in TOKEN_SHAPES for found in shape.finditer(told)] == []
    assert str(world.mika.id) not in told
    assert str(world.guild.id) not in told
