"""The quiet line under a verdict, its evidence in place, and the way to say that it is not the same."""

from __future__ import annotations

from typing import Any

from tests.cogs.drilling import right_answer, start, submit
from tests.conftest import World
from tests.screen import buttons, custom_ids, said, shown, text, told

HABITS = {"は": "が", "が": "は", "を": "が", "に": "で", "で": "に"}


async def miss_particles(world: World, who: Any, count: int) -> Any:
    """Answer a particles drill with one habit; give the last verdict that has the line."""
    message = await start(world, who, pack="particles", lessons="1-3", count=count)
    found = None
    for _ in range(count):
        typed = HABITS.get(await right_answer(world, message), "は")
        verdict = shown(await submit(who, message, typed))
        if "Show similar" in buttons(verdict):
            found = verdict
            break
        message = shown(await who.click(verdict, label=next(iter(buttons(verdict)))))
    assert found is not None, "no miss was like another"
    return found


async def test_similar_mistakes_open_and_close_in_place(world: World) -> None:
    verdict = await miss_particles(world, world.mika, 12)
    assert "**Similar mistakes** ·" in text(verdict)
    assert "last on <t:" in text(verdict)
    opened = shown(await world.mika.click(verdict, label="Show similar"))
    assert opened.id == verdict.id
    assert "you wrote **" in text(opened)
    assert "＿＿＿" in text(opened)
    closed = shown(await world.mika.click(opened, label="Hide similar"))
    assert "you wrote **" not in text(closed)
    assert "Next" in buttons(closed)


async def test_not_the_same_mistake_is_kept(world: World) -> None:
    verdict = await miss_particles(world, world.mika, 12)
    opened = shown(await world.mika.click(verdict, label="Show similar"))
    before = text(opened).count("you wrote **")
    label = next(label for label in buttons(opened) if "ot the same" in label)
    after = shown(await world.mika.click(opened, label=label))
    assert text(after).count("you wrote **") < before


async def test_the_page_of_mistakes_has_the_line_and_the_evidence(world: World) -> None:
    await miss_particles(world, world.mika, 12)
    message = shown(await world.mika.slash(world.study, "mistakes"))
    assert "**Similar mistakes** ·" in text(message)
    newest = next(custom_id for custom_id in custom_ids(message) if custom_id.startswith("kz:mistake:"))
    one = shown(await world.mika.click(message, custom_id=newest))
    before = text(one).count("you wrote **")
    assert before
    label = next(label for label in buttons(one) if "ot the same" in label)
    after = shown(await world.mika.click(one, label=label))
    assert text(after).count("you wrote **") < before
    assert "Back" in buttons(after)


async def test_nobody_opens_anothers_similar_mistakes(world: World) -> None:
    verdict = await miss_particles(world, world.mika, 12)
    theirs = await start(world, world.tom)
    stored = world.env.backend.get_message(world.study.id, verdict.id).components
    world.env.backend.get_message(world.study.id, theirs.id).components = stored
    assert "no longer here" in told(await world.tom.click(theirs, label="Show similar"))
    assert "have not missed anything" in said(await world.tom.slash(world.study, "mistakes"))
