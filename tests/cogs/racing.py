"""A race, as several people play it: its cards in the channel, presses on them, and time that passes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from simcord.results import InteractionResult

from cogs.races import Races
from lessons.model import Item, Place, Shared, SharedId
from tests.conftest import World
from tests.screen import custom_ids, text

PATIENCE = 400


async def until(found: Callable[[], Awaitable[Any]]) -> Any:
    """Wait for what a race does by itself; it runs beside the test."""
    for _ in range(PATIENCE):
        if result := await found():
            return result
        await asyncio.sleep(0.01)
    raise AssertionError("it never happened")


def cards(world: World) -> list[Any]:
    """What everybody in the study channel sees, oldest first."""
    return [message for message in world.study.messages if message.author_id == world.bot.user.id]


async def card(world: World, part: str) -> Any:
    """Wait for the newest card to say this."""

    async def found() -> Any:
        seen = [each for each in world.env.backend.messages(world.study.id)]
        return seen[-1] if seen and part in text(seen[-1]) else None

    return await until(found)
