"""The drill of the day as a channel lives it, on the real bot: one card, private answers."""

from __future__ import annotations

from typing import Any

from cogs.render.shared import daily
from lessons.flows.sharing import DailyDrill
from lessons.model import Asked, ChannelId, GuildId, MessageId
from tests.cogs.racing import answer, cards
from tests.conftest import World
from tests.screen import buttons, said, shown, text
from tests.together import Channel


async def post(world: World, count: int = 1) -> tuple[Any, str]:
    """Post a drill of the day into the study channel; its card and its answer."""
    channel = Channel(world.services, world.clock)
    run = await channel.due(Asked(count=count), GuildId(world.guild.id), ChannelId(world.study.id))
    composed = await world.services.sharing.compose(run, world.clock())
    assert isinstance(composed, DailyDrill)
    place = world.bot.get_partial_messageable(world.study.id)
    sent = await place.send(view=daily(composed).view)
    await world.services.sharing.posted(run, composed, MessageId(sent.id), world.clock())
    return cards(world)[-1], composed.item.answer


async def test_the_drill_of_the_day_is_answered_privately_and_shows_numbers(world: World) -> None:
    card, right = await post(world)
    assert "☀️ Drill of the day" in text(card)
    assert list(buttons(card)) == ["Answer"]
    private = await answer(world.mika, card, "ぬぬぬ")
    assert private.ephemeral
    assert {"Why?", "I was right", "Show my name"} <= set(buttons(shown(private)))
    assert not {"Next", "See how it went", "Stop"} & set(buttons(shown(private)))
    await answer(world.tom, card, right)
    (public,) = cards(world)
    assert "**Answered 2**" in text(public)
    assert "right 1" not in text(public)  # with two, it would tell who
    assert "ぬぬぬ" not in text(public)
    again = await world.mika.click(card, label="Answer")
    assert again.ephemeral
    assert "You wrote: **ぬぬぬ**" in said(again)
    assert "have not missed anything" in said(await world.tom.slash(world.study, "mistakes"))


async def test_a_name_comes_and_goes(world: World) -> None:
    card, right = await post(world)
    private = await answer(world.tom, card, right)
    named = await world.tom.click(shown(private), label="Show my name")
    assert f"✅ <@{world.tom.user.id}>" in text(cards(world)[0])
    assert "not shown" in said(await world.tom.click(shown(named), label="Hide my name"))
    assert "<@" not in text(cards(world)[0])
    await world.tom.slash(world.study, "settings", show_name=True)
    assert f"✅ <@{world.tom.user.id}>" in text(cards(world)[0])
    settings = shown(await world.tom.slash(world.study, "settings"))
    await world.tom.click(settings, custom_id="kz:set_named:0")
    assert "<@" not in text(cards(world)[0])


async def test_the_other_questions_of_the_day_come_by_next(world: World) -> None:
    card, right = await post(world, count=2)
    assert "One question of 2" in text(card)
    private = shown(await answer(world.mika, card, right))
    second = shown(await world.mika.click(private, label="Next"))
    assert "2/2" in text(second)
    verdict = shown(await answer(world.mika, second, "ぬぬぬ"))
    summary = shown(await world.mika.click(verdict, label="See how it went"))
    assert "**1 of 2 right**" in text(summary)
    assert "**Answered 1**" in text(cards(world)[0])


async def test_a_slip_is_free_once_and_answered_again_on_the_same_card(world: World) -> None:
    card, right = await post(world)
    retry = shown(await answer(world.mika, card, "   "))
    assert "did not count" in text(retry)
    assert "Nobody has answered yet" in text(cards(world)[0])
    verdict = await answer(world.mika, retry, right)
    assert "✅ Right" in said(verdict)
    assert "**Answered 1**" in text(cards(world)[0])


async def test_a_card_from_before_a_restart_still_answers(world: World) -> None:
    card, right = await post(world)
    opened = await world.mika.click(card, label="Answer")
    await world.restart()
    assert "✅ Right" in said(await world.mika.submit_modal(opened, {"text": right}))
    assert "**Answered 1**" in text(cards(world)[0])


async def test_an_answer_counts_even_when_the_card_is_gone(world: World) -> None:
    card, right = await post(world)
    opened = await world.mika.click(card, label="Answer")
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=404, code=10008)
    assert "✅ Right" in said(await world.mika.submit_modal(opened, {"text": right}))


async def test_the_day_is_not_what_drill_goes_on_with(world: World) -> None:
    card, right = await post(world, count=2)
    await answer(world.mika, card, right)
    assert "1/9" in said(  # the tenth new one of the day was answered here
        await world.mika.slash(world.study, "drill")
    )
