"""`/ask` and "Why?": a reply that grows, its pages, who spoke it, and what is said where nobody does."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import Services
from cogs.render.tutor import exercise_button, note, pages
from lessons.flows.conversing import Saying
from lessons.model import Away, GuildId, UserId
from tests.cogs.drawing import fits, message_of
from tests.cogs.drilling import start, submit
from tests.cogs.newsroom import forge
from tests.cogs.tutoring import HOSTILE, ask, edits, hand_over, heard, house, hurry, messages_of, pressable, tutor
from tests.conftest import MovableClock, World
from tests.messages.behaviours import fails, refuses
from tests.messages.server import MessagesServer, messages_server
from tests.messages.streams import ORDER, cuts_after, in_pieces, long_reply, obeys_documents
from tests.screen import buttons, shown, text

WORDS = "「に」 marks where you go. 「で」 marks where something happens. Both follow a noun."


@pytest.fixture
async def model() -> AsyncIterator[MessagesServer]:
    async with messages_server(tutor(WORDS)) as server:
        yield server


@pytest.fixture
async def services(data: Path, clock: MovableClock, model: MessagesServer) -> AsyncIterator[Services]:
    async with house(data, clock, model) as opened:
        yield opened


async def missed(world: World) -> object:
    """A drill whose first answer was wrong."""
    message = await start(world, pack="particles")
    return shown(await submit(world.mika, message, "まちがい"))


async def test_an_answer_stands_there_whole_and_says_who_wrote_it(world: World) -> None:
    message = await ask(world)
    assert WORDS in text(message)
    assert "language model wrote this" in text(message)
    assert "✍️" not in text(message)
    assert buttons(message) == {"Give me an exercise": True}
    assert fits(message)


async def test_a_reply_grows_by_several_edits(world: World) -> None:
    hurry(world)
    before = len(world.env.backend.transcript)
    await ask(world)
    assert len(edits(world, before)) >= 3


async def test_at_its_pace_a_quick_reply_takes_two_edits(world: World) -> None:
    before = len(world.env.backend.transcript)
    await ask(world)
    assert len(edits(world, before)) == 2


async def test_in_direct_messages_everything_is_there_too(world: World) -> None:
    message = shown(await world.mika.user.slash("ask", question="Why に?"))
    assert WORDS in text(message)
    assert not message.flags.ephemeral


async def test_in_a_server_nobody_else_sees_it(world: World) -> None:
    assert (await ask(world)).flags.ephemeral


async def test_a_long_reply_goes_on_in_followups_as_private_as_the_first(world: World, model: MessagesServer) -> None:
    model.script.then(in_pieces(long_reply(9_000), size=400))
    result = await world.mika.slash(world.study, "ask", question="Tell me everything.")
    pages = [shown(result), *result.followups]
    assert len(pages) >= 5
    assert all(fits(page) and page.flags.ephemeral for page in pages)
    assert "Give me an exercise" in buttons(pages[-1])
    assert not any(buttons(page) for page in pages[:-1])
    whole = "".join(text(page) for page in pages)
    assert all(line in whole for line in re.findall(r"駅に着く\d+\n", long_reply(9_000)))


async def test_a_reply_that_breaks_off_says_so(world: World, model: MessagesServer) -> None:
    model.script.always = cuts_after(8, WORDS)
    message = await ask(world)
    assert "broke off here" in text(message)
    assert "「に」 marks where you go." in text(message)
    assert "✍️" not in text(message)


@pytest.mark.parametrize("behaviour", [fails(529), fails(401, "authentication_error"), refuses()])
async def test_without_the_model_it_is_a_look_up_that_says_so(
    world: World, model: MessagesServer, behaviour: object
) -> None:
    model.script.always = behaviour
    message = await ask(world, "When is 「に」 used?")
    assert "Looked up, no language model" in text(message)
    assert "「に」" in text(message) or "に" in text(message)


def test_a_day_used_up_says_when_it_is_back(clock: MovableClock) -> None:
    said = note(Saying("x", done=True, looked_up=True, away=Away.BUDGET_USER), clock())
    assert "<t:1796083200:R>" in said  # the next midnight in UTC


async def test_what_a_model_says_pings_and_links_nobody(world: World, model: MessagesServer) -> None:
    model.script.always = in_pieces("Look @everyone <@1> [here](https://evil.example) discord.gg/abc now. Good?")
    shown_text = text(await ask(world))
    assert "@everyone" not in shown_text
    assert "https://" not in shown_text
    assert "](" not in shown_text
    assert "discord.gg" not in shown_text


async def test_an_exercise_is_a_real_drill_of_that_kind_in_a_message_of_its_own(world: World) -> None:
    message = await ask(world, "Which particle goes with 行く?")
    assert pressable(message, "ask_drill") == "kz:ask_drill:particle"
    result = await world.mika.click(message, label="Give me an exercise")
    drill = next(each for each in messages_of(result) if "Answer" in buttons(each))
    assert drill.flags.ephemeral


async def test_a_kind_nobody_knows_is_a_stale_press(world: World) -> None:
    message = await ask(world)
    forge(world, message, "kz:ask_drill:nonsense")
    assert "older version" in heard(await world.mika.click(message, custom_id="kz:ask_drill:nonsense"))


async def test_why_explains_a_miss_in_a_new_private_message(world: World, model: MessagesServer) -> None:
    verdict = await missed(world)
    result = await world.mika.click(verdict, label="Why?")
    assert WORDS in heard(result)
    assert "まちがい" in model.requests[-1].turn


async def test_why_of_somebody_else_leads_nowhere(world: World) -> None:
    verdict = await missed(world)
    why = pressable(verdict, "why")
    theirs = await ask(world, who=world.tom)
    forge(world, theirs, why)
    assert "no longer here" in heard(await world.tom.click(theirs, custom_id=why))


async def test_two_questions_at_once_the_second_is_told(world: World) -> None:
    asking = world.services.asking
    place = await asking.place(UserId(world.mika.id), GuildId(world.guild.id), "en", world.clock())
    first = asking.ask("one?", place, 1)
    begun = await anext(first)
    assert not begun.done
    assert "still answering your last question" in text(await ask(world))
    await first.aclose()


@pytest.mark.errors_expected
async def test_what_fails_on_our_side_never_leaves_it_thinking(world: World, monkeypatch: pytest.MonkeyPatch) -> None:

    async def broken(*_: object) -> object:
        raise RuntimeError("no disk")

    monkeypatch.setattr(type(world.services.asking.conversing), "prepared", broken)
    assert "Something went wrong on my side" in text(await ask(world))


async def test_an_edit_that_fails_is_made_up_for(world: World) -> None:
    hurry(world)
    world.env.inject_error("PATCH", "/webhooks/*/messages/@original", status=400, times=1)
    assert WORDS in text(await ask(world))


@pytest.mark.parametrize("away", list(Away))
def test_every_reason_has_words(away: Away, clock: MovableClock) -> None:
    said = note(Saying("x", done=True, looked_up=True, away=away), clock())
    assert said.startswith("-# Looked up, no language model: ")
    assert note(Saying("x", done=True, looked_up=True), clock()) == "-# Looked up, no language model"


@pytest.mark.parametrize(
    "words", ["@" * 9_000, "<" * 9_000, "あ" * 9_000, "😀" * 5_000, "```\n" + "a\n" * 4_000, "](" * 4_000]
)
def test_pages_of_anything_fit(words: str, clock: MovableClock) -> None:
    for done in (False, True):
        drawn = pages(Saying(words, done=done), clock(), [exercise_button(None)])
        assert all(fits(message_of(view)) for view in drawn)


async def test_where_there_is_nothing_to_practise_it_is_said(world: World) -> None:
    message = await ask(world)
    forge(world, message, "kz:ask_drill:word_order")
    said = heard(await world.mika.click(message, custom_id="kz:ask_drill:word_order"))
    assert "nothing to practise" in said or "＿＿＿" in said


async def test_a_question_that_was_answered_before_is_not_answered_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def known(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(type(world.services.asking.studies), "say", known)
    assert "done already" in text(await ask(world))


async def test_an_order_in_a_document_pings_and_links_nobody(world: World, model: MessagesServer) -> None:
    saved = await hand_over(world, words=f"I learn for work. {ORDER}{HOSTILE}")
    await world.mika.click(saved, label="Use in /ask: off")
    model.script.always = obeys_documents()
    said = text(await ask(world, "What do I learn for work?"))
    for bad in ("@everyone", "<@123>", "[click](", "\u202e", "https://", "discord.gg"):
        assert bad not in said


async def test_a_question_is_answered_after_a_restart_too(world: World) -> None:
    message = await ask(world)
    await world.restart()
    result = await world.mika.click(message, label="Give me an exercise")
    assert any("Answer" in buttons(each) for each in messages_of(result))
