"""Every way to fail ends in a sentence, and the log tells the operator what the person is not told."""

from __future__ import annotations

import asyncio
import logging

import discord
import pytest

from cogs import messages, refusals
from cogs.ui.presses import MARK, Press
from lessons import errors
from tests.cogs.drilling import right_answer, start, submit
from tests.cogs.newsroom import forge
from tests.conftest import World
from tests.screen import said, shown, text, told


def every(root: type[BaseException]) -> set[type[BaseException]]:
    return {kind for sub in root.__subclasses__() for kind in {sub, *every(sub)}}


OURS = ("lessons.errors", "lessons.flows.documenting", "cogs.refusals")
SHOWN_ELSEWHERE = {
    errors.DrillUnfinished, errors.NothingDue,  # have cards of their own
    errors.DataFolderTaken, errors.NewerDatabase, errors.AlteredDatabase,  # told at start-up
    errors.EmbedderUnavailable,  # costs a line, never an answer
}  # fmt: skip


def test_every_error_of_the_subject_has_a_sentence() -> None:
    ours = {kind for kind in every(errors.KizukiError) if kind.__module__.startswith(OURS)}
    told_here = {kind for kind in messages.failure.registry if kind is not Exception}
    assert ours - SHOWN_ELSEWHERE == told_here - {object}


@pytest.mark.parametrize("reason", list(errors.Refusal))
def test_every_refusal_of_a_file_says_what_to_do(reason: errors.Refusal) -> None:
    sentence = messages.failure(errors.UnreadableFile(reason, "a thing", 7, 5))
    assert "{" not in sentence
    assert "Nothing was loaded" in sentence


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (errors.StorageFull(), "disk is full"),
        (errors.StorageBusy(), "few seconds"),
        (errors.StorageReadOnly("/x"), "operator"),
        (errors.NoPacks(), "/pack load"),
        (errors.TextTooLong(501, 500), "501"),
        (errors.UnusableName("", 60), "1 to 60"),
        (errors.BadRange("%%"), "34-38"),
        (errors.EmptyPack("a.csv", ()), "Not one row"),
        (errors.UnknownPack("x"), "no packs"),
        (errors.NothingMatches("p", ""), "nothing to drill"),
        (refusals.AttachmentTooLarge(9, 5), "at most 5"),
        (refusals.AttachmentLost(), "send it again"),
        (refusals.Restarting(), "restarting"),
        (refusals.ServerOnly(), "server only"),
        (RuntimeError("secret"), "RuntimeError"),
    ],
)
def test_sentences_of_single_errors(error: Exception, part: str) -> None:
    sentence = messages.failure(error)
    assert part in sentence
    assert "secret" not in sentence


@pytest.mark.errors_expected
async def test_a_fault_of_ours_gets_a_reference_and_one_line_in_the_log(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    message = await start(world)
    drills = type(world.services.delivering.drills)

    async def broken(*_: object) -> None:
        raise RuntimeError("the learner's text is in here")

    monkeypatch.setattr(drills, "record", broken)
    sentence = told(await submit(world.mika, message, await right_answer(world, message)))
    assert "Something went wrong on my side" in sentence
    assert "learner's text" not in sentence
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert sentence.split("`")[1] in record.getMessage()
    monkeypatch.undo()
    verdict = shown(await submit(world.mika, message, await right_answer(world, message)))
    assert "✅ Right" in text(verdict)


@pytest.mark.errors_expected
async def test_a_fault_of_a_command_is_told_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(type(world.services.delivering.drills), "begin", broken)
    assert "Something went wrong on my side" in said(await world.mika.slash(world.study, "drill"))


async def test_a_full_disk_loses_nothing_and_is_said(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await start(world)

    async def full(*_: object) -> None:
        raise errors.StorageFull

    monkeypatch.setattr(type(world.services.delivering.drills), "record", full)
    assert "disk is full" in told(await submit(world.mika, message, "は"))
    monkeypatch.undo()
    assert "1/10" in text(shown(await submit(world.mika, message, "は")))


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 40060)])
async def test_a_lost_interaction_is_counted_and_no_error(world: World, status: int, code: int) -> None:
    message = await start(world)
    world.env.inject_error("POST", "/interactions/*/*/callback", status=status, code=code)
    await world.mika.click(message, label="Skip")
    assert world.bot.funnel.lost == 1


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_reply_that_discord_does_not_take_is_no_error_of_ours_and_the_answer_is_kept(
    world: World, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.failures.REST", 0)
    message = await start(world)
    opened = await world.mika.click(message, label="Answer")
    world.env.inject_error("PATCH", "/webhooks/*/*/messages/@original", status=status, code=0)
    world.env.inject_error("POST", "/webhooks/*/*", status=status, code=0)
    result = await world.mika.submit_modal(opened, {"text": "ぬぬ"})
    assert "Discord did not take my reply" in told(result)
    assert "answered" in said(await world.mika.click(message, label="Answer"))


async def test_a_person_who_cannot_be_told_stops_nothing(world: World) -> None:
    message = await start(world)
    world.env.inject_error("POST", "/interactions/*/*/callback", status=403, code=50001)
    world.env.inject_error("POST", "/interactions/*/*/callback", status=403, code=50001)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger("cogs.failures"), "error", logging.getLogger("cogs.failures").info)
        await world.mika.click(message, label="Skip")
    verdict = shown(await world.mika.click(message, label="Skip"))
    assert "Skipped" in text(verdict)


async def test_a_bot_about_to_stop_says_so_and_waits_for_what_is_under_way(world: World) -> None:
    message = await start(world)
    await world.bot.drain(1)
    assert "restarting" in said(await world.mika.click(message, label="Answer"))
    assert "restarting" in said(await world.mika.slash(world.study, "drill"))


async def test_draining_waits_for_an_answer_under_way(world: World) -> None:
    funnel, order = world.bot.funnel, []

    class Slow:
        id = 1

    async def under_way() -> None:
        await asyncio.sleep(0.01)
        order.append("answered")

    task = asyncio.ensure_future(funnel.guard(Slow(), under_way))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    await funnel.drain(5)
    order.append("drained")
    await task
    assert order == ["answered", "drained"]


async def test_draining_waits_for_a_typed_message_that_is_being_answered(world: World) -> None:
    funnel, order = world.bot.funnel, []

    class Typed:
        id = 1

    async def under_way() -> None:
        with funnel.under_way(Typed()):  # type: ignore[arg-type]
            await asyncio.sleep(0.01)
            order.append("answered")

    task = asyncio.ensure_future(under_way())
    await asyncio.sleep(0)
    await funnel.drain(5)
    order.append("drained")
    await task
    assert order == ["answered", "drained"]


NO_NUMBERS = [2**63, 10**40, "9" * 90, -1, "１２", "²", "1 ", "+1", "1_0", "0x1", ""]


@pytest.mark.parametrize("turn", range(3))
async def test_a_number_that_no_button_of_ours_holds_is_answered_whatever_it_is_for(world: World, turn: int) -> None:
    """Every press has three of them, the presses together have all."""
    own = shown(await world.aoki.slash(world.study, "settings"))
    for place, (action, count) in enumerate(sorted(actions(world))):
        number = NO_NUMBERS[(3 * place + turn) % len(NO_NUMBERS)]
        pressed = ":".join(["kz", action, *[str(number)] * count])[:100]
        forge(world, own, pressed)
        result = await world.aoki.click(own, label=pressed)
        assert result.followups or result.response or result.modal, pressed
    assert world.bot.funnel.lost == 0


async def test_the_largest_number_that_can_be_stored_is_answered_too(world: World) -> None:
    own = shown(await world.aoki.slash(world.study, "settings"))
    for action, count in actions(world):
        pressed = ":".join(["kz", action, *[str(2**63 - 1)] * count])
        forge(world, own, pressed)
        await world.aoki.click(own, label=pressed)


@pytest.mark.parametrize("chosen", [str(2**63), "-1", "１２", "²", ""])
def test_a_choice_that_is_no_number_of_ours_is_stale(chosen: str) -> None:
    press = Press(None, (), (chosen,), {})  # type: ignore[arg-type]
    with pytest.raises(refusals.StalePress):
        press.chosen_number()


def actions(world: World) -> list[tuple[str, int]]:
    """Every action that a press can ask for, with the number of its arguments."""
    methods = [getattr(type(cog), name) for cog in world.bot.cogs.values() for name in dir(type(cog))]
    return [getattr(method, MARK) for method in methods if hasattr(method, MARK)]


def test_the_bot_asks_for_no_privileged_intent(world: World) -> None:
    assert not world.bot.intents.message_content
    assert not world.bot.intents.members
    assert not world.bot.intents.presences
    assert world.bot.allowed_mentions == discord.AllowedMentions.none() or world.bot.allowed_mentions.everyone is False


async def test_greetings_for_those_who_write(world: World) -> None:
    await world.mika.send_dm("hello?")
    assert "/drill" in text(world.mika.user.dm_channel.last_message)
    assert "**/news** fills gaps in recent news" in text(world.mika.user.dm_channel.last_message)
    await world.mika.send(world.study, "just talking")
    assert world.study.last_message.content == "just talking"
    await world.mika.send(world.study, f"<@{world.bot.user.id}> hi")
    assert "/drill" in text(world.study.last_message)
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    await world.mika.send(world.study, f"<@{world.bot.user.id}> hi")


async def test_memberships_are_asked_of_discord(world: World) -> None:
    door = world.services.memberships
    assert await door.is_member(world.guild.id, world.mika.id) is True
    assert await door.is_member(world.guild.id, world.stranger.id) is False
    assert await door.is_member(12345, world.mika.id) is False
    world.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001)
    assert await door.is_member(world.guild.id, world.mika.id) is None
    assert await type(door)().is_member(world.guild.id, world.mika.id) is None
