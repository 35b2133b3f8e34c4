"""A drill, press by press, as the learner does it."""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from lessons.model import Exercise
from tests.conftest import World
from tests.screen import custom_ids, shown


async def exercise_on(world: World, message: Any) -> Exercise:
    """Read the exercise on screen out of the database."""
    number = next(int(cid.rsplit(":", 1)[1]) for cid in custom_ids(message) if cid.startswith("kz:answer:"))
    drills = world.services.delivering.drills
    return await drills.exercise(number, await drills.owner(number))


async def right_answer(world: World, message: Any) -> str:
    """Read the answer of the exercise on screen out of the database."""
    return (await exercise_on(world, message)).item.answer


async def submit(who: Any, message: Any, typed: str) -> InteractionResult:
    opened = await who.click(message, label="Answer")
    assert opened.modal is not None
    return await who.submit_modal(opened, {"text": typed})


async def start(world: World, who: Any = None, **options: Any) -> Any:
    return shown(await (who or world.mika).slash(world.study, "drill", **options))
