"""A drill as a learner lives it, on the real bot."""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from tests.conftest import World
from tests.screen import buttons, custom_ids, said, shown, text, told


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


async def test_drill_without_options_asks_a_question_privately(world: World) -> None:
    result = await world.mika.slash(world.study, "drill")
    assert result.ephemeral
    assert "1/10" in said(result)
    assert "＿＿＿" in said(result)
    assert "counted apart from your exercise log" in said(result)
    assert {"Answer", "Skip", "Stop"} <= set(buttons(shown(result)))


async def test_right_wrong_next_to_the_summary(world: World) -> None:
    message = await start(world, count=2)
    answer = await right_answer(world, message)
    verdict = shown(await submit(world.mika, message, answer))
    assert "✅ Right" in text(verdict)
    assert "Comes back" in text(verdict)
    message = shown(await world.mika.click(verdict, label="Next"))
    assert "2/2" in text(message)
    verdict = shown(await submit(world.mika, message, "ぬぬぬ"))
    assert "❌" in text(verdict)
    assert "You wrote: **ぬぬぬ**" in text(verdict)
    assert await right_answer_of(world, verdict) in text(verdict)
    summary = shown(await world.mika.click(verdict, label="See how it went"))
    assert "**1 of 2 right**" in text(summary)
    assert "Drill the misses" in buttons(summary)


async def right_answer_of(world: World, verdict: Any) -> str:
    number = next(int(cid.rsplit(":", 1)[1]) for cid in custom_ids(verdict) if cid.startswith("kz:right:"))
    drills = world.services.delivering.drills
    exercise = await drills.exercise(number, await drills.owner(number))
    return exercise.item.answer


async def test_the_misses_are_drilled_again(world: World) -> None:
    message = await start(world, count=1)
    asked = text(message).splitlines()[1]
    verdict = shown(await submit(world.mika, message, "ぬぬぬ"))
    summary = shown(await world.mika.click(verdict, label="See how it went"))
    again = shown(await world.mika.click(summary, label="Drill the misses"))
    assert asked in text(again)
    assert "1/1" in text(again)


async def test_a_second_press_and_a_second_submission_change_nothing(world: World) -> None:
    message = await start(world, count=2)
    opened = await world.mika.click(message, label="Answer")
    first = await world.mika.submit_modal(opened, {"text": "ぬぬぬ"})
    second = await world.mika.submit_modal(opened, {"text": await right_answer_of(world, shown(first))})
    assert "already" in told(second)
    summary = shown(await world.mika.click(shown(first), label="Stop"))
    assert "**0 of 1 right**" in text(summary)
