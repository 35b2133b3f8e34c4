"""A whole house for each test: a real database in a temporary folder, the real tokenizer, the real bot on SimCord."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import discord
import pytest
import simcord
from simcord import Env

from bot.app import KizukiBot, Services
from bot.settings import Settings
from bot.wiring import open_services

BEGINNING = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


class MovableClock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = BEGINNING) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the starter packs in it, made once and copied for each test."""
    import asyncio

    folder = tmp_path_factory.mktemp("furnished")

    async def furnish() -> None:
        async with open_services(Settings(data=folder, embedder="hashed"), clock=MovableClock()):
            pass

    asyncio.run(furnish())
    return folder


@pytest.fixture
def data(tmp_path: Path, furnished: Path) -> Path:
    return Path(shutil.copytree(furnished, tmp_path / "data"))


@pytest.fixture
async def services(data: Path, clock: MovableClock) -> AsyncIterator[Services]:
    async with open_services(Settings(data=data, embedder="hashed"), clock=clock) as opened:
        yield opened


@dataclass
class World:
    """A server with a study channel, two learners and a moderator, and a second server next door."""

    env: Env
    bot: KizukiBot
    clock: MovableClock
    services: Services
    guild: simcord.GuildHandle = field(init=False)
    study: simcord.ChannelHandle = field(init=False)

    def __post_init__(self) -> None:
        self.guild = self.env.create_guild(name="Study Café")
        self.study = self.guild.create_text_channel("study")
        self.mika = self.guild.add_member(self.env.create_user("mika"))
        self.tom = self.guild.add_member(self.env.create_user("tom"))
        keys = self.guild.create_role("Moderators", permissions=discord.Permissions(manage_guild=True))
        self.aoki = self.guild.add_member(self.env.create_user("aoki"), roles=[keys])
        self.next_door = self.env.create_guild(name="Next Door")
        self.next_door_channel = self.next_door.create_text_channel("chat")
        keys_there = self.next_door.create_role("Moderators", permissions=discord.Permissions(manage_guild=True))
        self.stranger = self.next_door.add_member(self.env.create_user("stranger"), roles=[keys_there])

    async def restart(self) -> None:
        """Stop the bot and start another one on the same services, as after a deploy."""
        await self.bot.close()
        self.bot = KizukiBot(self.services)
        await self.env.restart_bot(self.bot)


@pytest.fixture
async def world(services: Services, clock: MovableClock) -> AsyncIterator[World]:
    bot = KizukiBot(services)
    env = Env(bot, settle_timeout=12.0)
    await env.start()
    place = World(env, bot, clock, services)
    try:
        yield place
    finally:
        await env.shutdown()
        await place.bot.close()


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Undo what a command did to the loggers of this process."""
    named = [logger for logger in logging.Logger.manager.loggerDict.values() if isinstance(logger, logging.Logger)]
    before = [(logger, logger.level, logger.propagate, logger.handlers[:]) for logger in [logging.getLogger(), *named]]
    threshold = logging.root.manager.disable
    yield
    logging.disable(threshold)
    for logger in logging.Logger.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.setLevel(logging.NOTSET)
    for logger, level, propagate, handlers in before:
        logger.setLevel(level)
        logger.propagate, logger.handlers[:] = propagate, handlers


@pytest.fixture(autouse=True)
def no_errors_in_the_log(caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test whose run left an ERROR in the log, unless it is marked `errors_expected`."""
    yield
    if request.node.get_closest_marker("errors_expected") is None:
        errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
        assert not errors, [record.getMessage() for record in errors]
