"""A race as a channel lives it, on the real bot."""

from __future__ import annotations

from typing import Any

import discord

from bot.app import KizukiBot
from tests.cogs.racing import answer, card, cards, course, race_of, right_answer, standing, until, wait
from tests.conftest import World
from tests.screen import buttons, said, shown, text, told


async def begin(world: World, **options: Any) -> tuple[Any, Any]:
    """Begin a race as Mika; its first card and its number."""
    started = await world.mika.slash(world.study, "race", pack="particles", **options)
    assert started.ephemeral
    assert "The race is on" in said(started)
    first = await card(world, "1/")
    return first, race_of(first)


async def test_a_race_from_its_first_question_to_the_scores(world: World) -> None:
    first, race = await begin(world, questions=2)
    assert "🏁 **Particles** · 1/2" in text(first)
    assert "Nobody has answered yet" in text(first)
    right = await right_answer(world, race)
    private = await answer(world.tom, first, "ぬぬぬ")
    assert private.ephemeral
    assert "❌" in said(private)
    assert "Show my name" in buttons(shown(private))
    assert "Next" not in buttons(shown(private))
    await card(world, "**Answered 1**")
    named = await world.tom.click(shown(private), label="Show my name")
    assert "from now on" in said(named)
    again = await world.tom.click(shown(private), label="Show my name")
    assert "already" in said(again)
    private = await answer(world.mika, first, right)
    assert "✅ Right" in said(private)
    open_card = await card(world, "**Answered 2**")
    assert "ぬぬぬ" not in text(open_card)
    await wait(world, race, seconds=2.2)
    closed = await card(world, "had it right")
    assert f"**{right}**" in text(closed)
    assert "<@" not in text(closed)  # Mika never asked for it
    assert buttons(closed) == {}
    await wait(world, race, seconds=3)
    second = await card(world, "2/2")
    right = await right_answer(world, race)
    assert "✅ Right" in said(await answer(world.tom, second, right))
    await card(world, "Answered", f"<@{world.tom.user.id}>")
    await wait(world, race, seconds=2.2)
    await card(world, f"✅ <@{world.tom.user.id}>", f"**{right}**")
    await wait(world, race, seconds=3)
    last = await card(world, "The race is over")
    assert f"🥇 <@{world.tom.user.id}> · 1 right" in text(last)
    assert "and 1 other" in text(last)
    assert "Most missed" not in text(last)  # it would tell who
    assert str(world.mika.user.id) not in text(last)
    assert len(cards(world)) == 3
    misses = await world.tom.click(last, label="Drill my misses")
    assert misses.ephemeral
    assert "1/1" in said(misses)
    assert "unfinished drill: **0 of 1** done" in said(await world.tom.click(last, label="Drill my misses"))
    anew = await world.mika.click(last, label="Race again")
    assert "The race is on" in said(anew)
    await card(world, "1/2")


async def test_hints_come_and_the_answer_is_told_when_the_time_is_up(world: World) -> None:
    first, race = await begin(world, questions=1)
    opened = await world.mika.click(first, label="Answer")
    right = await right_answer(world, race)
    await wait(world, race, seconds=10)
    await card(world, "💡")
    await wait(world, race, seconds=6)
    closed = await card(world, "Nobody answered this one")
    assert f"**{right}**" in text(closed)
    late = await world.mika.submit_modal(opened, {"text": right})
    assert "The time was up" in said(late)
    assert "What you wrote was right" in said(late)
    assert f"**{right}**" in said(late)
    assert "Nothing was recorded" in said(late)
    assert "have not missed anything" in said(await world.mika.slash(world.study, "mistakes"))
    await wait(world, race, seconds=6)
    last = await card(world, "The race is over", "Nobody answered")
    assert "Drill my misses" not in buttons(last)


async def test_a_race_goes_on_after_a_restart_with_its_question_asked_anew(world: World) -> None:
    first, race = await begin(world, questions=2)
    assert "✅ Right" in said(await answer(world.mika, first, await right_answer(world, race)))
    opened = await world.tom.click(first, label="Answer")
    await world.restart()

    async def asked_anew() -> Any:
        return len(cards(world)) == 2 and (await standing(world, race)).message == cards(world)[-1].id

    await until(asked_anew)
    again = await card(world, "1/2", "**Answered 1**")
    assert "✅ Right" in said(await world.mika.click(again, label="Answer"))  # told once more, not asked once more
    assert "✅ Right" in said(await world.tom.submit_modal(opened, {"text": await right_answer(world, race)}))
    await card(world, "**Answered 2**")
    await wait(world, race, seconds=2.2)
    await card(world, "2 had it right")


async def test_twenty_people_answer_at_once_and_each_is_counted_once(world: World) -> None:
    import asyncio

    from lessons.flows.sharing import Try
    from lessons.model import GuildId, InteractionId, UserId

    _, race = await begin(world, questions=1)
    right = await right_answer(world, race)
    boards = world.bot.get_cog("SharedCards")._boards
    given = [
        Try(
            race,
            1,
            GuildId(world.guild.id),
            UserId(user),
            right if user % 2 else "ぬ",
            world.clock(),
            InteractionId(user),
        )
        for user in range(1, 21)
    ]

    async def answered(each: Try) -> None:
        await world.services.sharing.answer(each)
        await boards.redraw(race)

    await asyncio.gather(*(answered(each) for each in [*given, *given]))
    await card(world, "Answered 20 · right 10")


async def test_one_race_a_channel_and_who_may_end_it(world: World) -> None:
    first, race = await begin(world, questions=2, seconds=0)
    refused = said(await world.tom.slash(world.study, "race"))
    assert "under way in this channel" in refused
    assert "**Next** goes on" in refused
    assert "may manage messages or this server" in refused
    assert "stop it" in told(await world.tom.click(first, label="Stop"))
    assert "answered this one" in told(await world.tom.click(first, label="Next"))
    await answer(world.tom, first, "ぬぬぬ")
    opened = await world.aoki.click(first, label="Answer")
    await world.tom.click(first, label="Next")
    late = said(await world.aoki.submit_modal(opened, {"text": "ぬ"}))
    assert "The others went on" in late
    assert "was right" not in late
    await card(world, "Nobody had it", "1/2")
    await wait(world, race, seconds=3)
    second = await card(world, "2/2")
    assert "Until" not in text(second)
    opened = await world.mika.click(second, label="Answer")
    await world.aoki.click(second, label="Stop")  # who began it is another one; she may manage the server
    assert "The race was stopped" in said(await world.mika.submit_modal(opened, {"text": "ぬ"}))
    last = await card(world, "The race was stopped")
    assert "One person took part" in text(last)
    assert buttons(cards(world)[-2]) == {}
    misses = await world.tom.click(last, label="Drill my misses")
    assert "1/2" in said(misses)
    assert "nothing of yours to drill" in said(await world.mika.click(last, label="Drill my misses"))


async def test_a_race_whose_channel_refuses_ends_without_another_try(world: World) -> None:
    first, race = await begin(world, questions=2)
    world.env.inject_error("POST", f"/channels/{world.study.id}/messages", status=403, code=50013)
    await wait(world, race, seconds=16)
    await card(world, "Nobody answered this one")
    await wait(world, race, seconds=6)

    async def lost() -> bool:
        return (await standing(world, race)).ending == "lost" and race not in course(world)._bells

    await until(lost)
    assert cards(world)[-1].id == first.id


async def test_no_race_where_the_bot_may_not_write(world: World) -> None:
    silent = discord.PermissionOverwrite(send_messages=False)
    closed = world.guild.create_text_channel("closed", overwrites={world.guild.default_role: silent})
    assert "I lack **Send Messages**" in said(await world.mika.slash(closed, "race"))


async def test_typed_answers_count_where_the_operator_allows_it(world: World) -> None:
    await world.bot.close()
    world.bot = KizukiBot(world.services, message_content=True)
    await world.env.restart_bot(world.bot)
    first, race = await begin(world, questions=2, typed=True)
    assert "just type it here" in text(first)
    await world.tom.send(world.study, "おはよう")
    await world.tom.send(world.study, await right_answer(world, race))
    await until(lambda: _tally(world, race, 1))
    await world.tom.send(world.study, await right_answer(world, race))
    await world.mika.send(world.study, await right_answer(world, race))
    await until(lambda: _tally(world, race, 2))
    assert "have not missed anything" in said(await world.tom.slash(world.study, "mistakes"))


async def test_typed_answers_need_the_operator(world: World) -> None:
    started = await world.mika.slash(world.study, "race", pack="particles", typed=True)
    assert "not let me read messages" in said(started)
    first = await card(world, "1/")
    assert "type it here" not in text(first)


async def _tally(world: World, race: Any, answered: int) -> bool:
    return (await standing(world, race)).answered == answered


async def test_another_servers_race_is_no_ones_business(world: World) -> None:
    _, race = await begin(world, questions=1)
    theirs = shown(await world.stranger.slash(world.next_door_channel, "drill"))
    presses = [
        f"shared_answer:{race}:1",
        f"race_next:{race}:1",
        f"race_stop:{race}",
        f"race_again:{race}",
        f"race_misses:{race}:0",
    ]
    world.env.backend.get_message(world.next_door_channel.id, theirs.id).components = [
        {"type": 1, "components": [{"type": 2, "style": 1, "label": press, "custom_id": f"kz:{press}"}]}
        for press in presses
    ]
    for press in presses:
        result = await world.stranger.click(theirs, label=press)
        sentence = told(result) if result.followups else said(result)
        assert "no longer here" in sentence, press
    assert (await standing(world, race)).ending is None


async def test_a_race_needs_a_pack_there_is(world: World) -> None:
    assert "no pack called" in said(await world.mika.slash(world.study, "race", pack="nothing"))
    assert "Nothing matches" in said(await world.mika.slash(world.study, "race", pack="particles", lessons="99"))
