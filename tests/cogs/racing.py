"""A race, as several people play it: its cards in the channel, presses on them, and time that passes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from simcord.results import InteractionResult

from cogs.together.races import Races
from lessons.model import Shared, SharedId
from tests.conftest import World
from tests.screen import custom_ids, shown, text

PATIENCE = 2000


async def until(found: Callable[[], Awaitable[Any]]) -> Any:
    """Wait for what a race does by itself: it runs beside the test."""
    for _ in range(PATIENCE):
        if result := await found():
            return result
        await asyncio.sleep(0.01)
    raise AssertionError("it never happened")


def cards(world: World) -> list[Any]:
    """What everybody in the study channel sees, oldest first."""
    nobody = world.stranger.user.id
    return [
        each
        for each in world.study.history()
        if world.env.backend.get_message(each.channel.id, each.id).visible_to(nobody)
    ]


async def card(world: World, *parts: str) -> Any:
    """Wait for the newest card in the channel to say all this."""

    async def found() -> Any:
        last = cards(world)[-1:]
        return last[0] if last and all(part in text(last[0]) for part in parts) else None

    try:
        return await until(found)
    except AssertionError:
        raise AssertionError([text(each) for each in cards(world)]) from None


def race_of(message: Any) -> SharedId:
    """Read the race's number from its card."""
    return SharedId(next(int(cid.split(":")[2]) for cid in custom_ids(message) if cid.startswith("kz:race_")))


async def standing(world: World, race: SharedId) -> Shared:
    found = await world.services.sharing.shared.shared(race)
    assert found is not None
    return found


async def wait(world: World, race: SharedId, **by: float) -> None:
    """Let time pass, and the race look at the clock."""
    world.clock.move(**by)
    course(world).attend(race)


def course(world: World) -> Any:
    """The racecourse of the present bot."""
    found = world.bot.get_cog("Races")
    assert isinstance(found, Races)
    return found.course


async def right_answer(world: World, race: SharedId) -> str:
    now = await standing(world, race)
    place = await world.services.sharing.shared.place(race, now.position)
    assert place is not None
    return place.item.answer


async def answer(who: Any, message: Any, typed: str) -> InteractionResult:
    opened = await who.click(message, label="Answer")
    assert opened.modal is not None, shown(opened)
    return await who.submit_modal(opened, {"text": typed})
