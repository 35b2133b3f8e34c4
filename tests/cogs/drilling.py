"""A drill, press by press, as the learner does it."""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from tests.conftest import World
from tests.screen import custom_ids, shown


async def right_answer(world: World, message: Any) -> str:
    """Read the answer of the exercise on screen out of the database."""
    number = next(int(cid.rsplit(":", 1)[1]) for cid in custom_ids(message) if cid.startswith("kz:answer:"))
    drills = world.services.delivering.drills
    exercise = await drills.exercise(number, await drills.owner(number))
    return exercise.item.answer


async def submit(who: Any, message: Any, typed: str) -> InteractionResult:
    opened = await who.click(message, label="Answer")
    assert opened.modal is not None
    return await who.submit_modal(opened, {"text": typed})


async def start(world: World, who: Any = None, **options: Any) -> Any:
    return shown(await (who or world.mika).slash(world.study, "drill", **options))
