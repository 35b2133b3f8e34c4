"""What a learner does with their own record."""

from __future__ import annotations

from typing import Any

from tests.cogs.drilling import start, submit
from tests.conftest import World
from tests.screen import buttons, said, shown, text, told

OPTION = {"label": "Tense", "value": "tense"}


async def miss(world: World, times: int, **options: Any) -> None:
    message = await start(world, count=times, **options)
    for _ in range(times):
        verdict = shown(await submit(world.mika, message, "ぬぬぬ"))
        message = shown(await world.mika.click(verdict, label=next(iter(buttons(verdict)))))


async def test_nothing_missed_yet(world: World) -> None:
    assert "have not missed anything" in said(await world.mika.slash(world.study, "mistakes"))


async def test_pages_filter_and_search(world: World) -> None:
    await miss(world, 7, pack="particles")
    message = shown(await world.mika.slash(world.study, "mistakes"))
    assert "Your mistakes · 7" in text(message)
    assert "page 1 of 2" in text(message)
    second = shown(await world.mika.click(message, label="▶"))
    assert "page 2 of 2" in text(second)
    sifted = shown(await world.mika.select(second, ["particle"]))
    assert "page 1 of 2" in text(sifted)
    nothing = await world.mika.slash(world.study, "mistakes", kind="tense")
    assert "Nothing matches" in said(nothing)
    found = await world.mika.slash(world.study, "mistakes", search="ぬぬ")
    assert "with “ぬぬ” · 7" in said(found)


async def test_relabel_then_delete(world: World) -> None:
    await miss(world, 1, pack="particles")
    message = shown(await world.mika.slash(world.study, "mistakes"))
    one = shown(await world.mika.click(message, label="Open"))
    assert "**Particle**" in text(one)
    relabelled = shown(await world.mika.select(one, ["vocabulary"]))
    assert "**Vocabulary** (your label)" in text(relabelled)
    question = shown(await world.mika.click(relabelled, label="Delete"))
    assert "for good?" in text(question)
    kept = shown(await world.mika.click(question, label="Keep it"))
    question = shown(await world.mika.click(kept, label="Delete"))
    stored = world.env.backend.get_message(world.study.id, question.id).components
    gone = shown(await world.mika.click(question, label="Delete for good"))
    assert "have not missed anything" in text(gone)
    world.env.backend.get_message(world.study.id, gone.id).components = stored
    assert "no longer here" in told(await world.mika.click(gone, label="Delete for good"))


async def test_export_holds_every_mistake_and_no_formula(world: World) -> None:
    message = await start(world, count=1, pack="particles")
    await submit(world.mika, message, "=1+1")
    await miss(world, 2, pack="verb_forms")
    page = shown(await world.mika.slash(world.study, "mistakes"))
    (file,) = shown(await world.mika.click(page, label="Export as CSV")).attachments
    table = (await file.read()).decode("utf-8-sig")
    assert table.count("\r\n") >= 3
    assert "ぬぬぬ" in table
    assert ",=1+1" not in table


async def test_nobody_sees_anothers_mistakes(world: World) -> None:
    await miss(world, 1)
    assert "have not missed anything" in said(await world.tom.slash(world.study, "mistakes"))
    theirs = shown(await world.tom.slash(world.study, "drill"))
    world.env.backend.get_message(world.study.id, theirs.id).components = [
        {"type": 1, "components": [{"type": 2, "style": 1, "label": action, "custom_id": f"kz:{action}:1:0::"}]}
        for action in ("mistake", "unmistake", "deleted")
    ]
    for action in ("mistake", "unmistake", "deleted"):
        assert "no longer here" in told(await world.tom.click(theirs, label=action))
    world.env.backend.get_message(world.study.id, theirs.id).components = [
        {"type": 1, "components": [{"type": 3, "custom_id": "kz:relabel:1:0::", "options": [OPTION]}]}
    ]
    assert "no longer here" in told(await world.tom.select(theirs, ["tense"]))
    assert "ぬぬぬ" in said(await world.mika.slash(world.study, "mistakes"))
