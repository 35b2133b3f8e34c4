"""What a moderator decides about "I was right", and takes back."""

from __future__ import annotations

from typing import Any

from tests.cogs.drilling import start, submit
from tests.conftest import World
from tests.screen import buttons, said, shown, text, told


async def appealed(world: World, *wrong: str) -> Any:
    """Let Mika miss one exercise after the other and say each time that it was right; return the queue."""
    message = await start(world, count=len(wrong), pack="particles")
    for typed in wrong:
        verdict = shown(await submit(world.mika, message, typed))
        await world.mika.click(verdict, label="I was right")
        message = shown(await world.mika.click(verdict, label=next(iter(buttons(verdict)))))
    return shown(await world.aoki.slash(world.study, "queue"))


async def test_an_acceptance_can_be_taken_back(world: World) -> None:
    queue = await appealed(world, "ぬぬぬ")
    assert "Undo" not in buttons(queue)
    missed = said(await world.mika.slash(world.study, "mistakes"))
    after = shown(await world.aoki.click(queue, label="Accept"))
    assert list(buttons(after)) == ["Undo"]
    again = shown(await world.aoki.click(after, label="Undo"))
    assert "Taken back: **ぬぬぬ** waits for a decision again." in text(again)
    assert "“I was right” · 1 waiting" in text(again)
    assert "Undo" not in buttons(again)
    assert said(await world.mika.slash(world.study, "mistakes")) == missed
    theirs = await start(world, world.tom, count=1, pack="particles")
    assert "❌" in text(shown(await submit(world.tom, theirs, "ぬぬぬ")))
    assert "is right from now on" in text(shown(await world.aoki.click(again, label="Accept")))
    assert "have not missed anything" in said(await world.mika.slash(world.study, "mistakes"))


async def test_undo_stands_on_the_next_card_and_means_the_decision_before(world: World) -> None:
    queue = await appealed(world, "ぬぬぬ", "ねねね")
    following = shown(await world.aoki.click(queue, label="Keep as wrong"))
    assert "**ぬぬぬ** stays wrong." in text(following)
    assert "wrote **ねねね**" in text(following)
    assert list(buttons(following)) == ["Accept", "Keep as wrong", "Undo"]
    back = shown(await world.aoki.click(following, label="Undo"))
    assert "wrote **ぬぬぬ**" in text(back)
    assert "2 waiting" in text(back)


async def test_an_undo_that_was_used_does_nothing_to_a_later_decision(world: World) -> None:
    queue = await appealed(world, "ぬぬぬ")
    after = shown(await world.aoki.click(queue, label="Accept"))
    stored = world.env.backend.get_message(world.study.id, after.id).components
    back = shown(await world.aoki.click(after, label="Undo"))
    world.clock.move(seconds=5)
    decided = shown(await world.aoki.click(back, label="Keep as wrong"))
    world.env.backend.get_message(world.study.id, decided.id).components = stored
    assert "was done already" in told(await world.aoki.click(decided, label="Undo"))
    assert "Nobody waits" in said(await world.aoki.slash(world.study, "queue"))


async def test_only_moderators_of_the_server_take_decisions_back(world: World) -> None:
    queue = await appealed(world, "ぬぬぬ")
    after = shown(await world.aoki.click(queue, label="Accept"))
    stored = world.env.backend.get_message(world.study.id, after.id).components
    theirs = shown(await world.mika.slash(world.study, "drill", count=1))
    world.env.backend.get_message(world.study.id, theirs.id).components = stored
    assert "Manage Server" in told(await world.mika.click(theirs, label="Undo"))
    elsewhere = shown(await world.stranger.slash(world.next_door_channel, "queue"))
    world.env.backend.get_message(world.next_door_channel.id, elsewhere.id).components = stored
    assert "no longer here" in told(await world.stranger.click(elsewhere, label="Undo"))
    assert "Nobody waits" in said(await world.aoki.slash(world.study, "queue"))


async def test_the_operator_takes_back_what_was_decided_for_everybody(world: World) -> None:
    message = shown(await world.mika.user.slash("drill", count=1))
    opened = await world.mika.user.click(message, label="Answer")
    verdict = shown(await world.mika.user.submit_modal(opened, {"text": "ぬぬぬ"}))
    await world.mika.user.click(verdict, label="I was right")
    world.bot.owner_id = world.aoki.id
    queue = shown(await world.aoki.slash(world.study, "queue"))
    after = shown(await world.aoki.click(queue, label="Accept"))
    world.bot.owner_id = world.tom.id
    assert "owner of this bot" in told(await world.aoki.click(after, label="Undo"))
    world.bot.owner_id = world.aoki.id
    back = shown(await world.aoki.click(after, label="Undo"))
    assert "“I was right” · 1 waiting" in text(back)
    assert "for everybody" in text(back)
    theirs = await start(world, world.tom, count=1)
    assert "❌" in text(shown(await submit(world.tom, theirs, "ぬぬぬ")))
