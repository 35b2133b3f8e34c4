"""`/profile`: what the tutor knows of a learner, who wrote it, and what only the learner changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app import Services
from tests.cogs.drawing import fits
from tests.cogs.newsroom import forge
from tests.cogs.tutoring import GOAL, HOSTILE, hand_over, heard, house, messages_of, options_of, pressable, tutor
from tests.conftest import MovableClock, World
from tests.messages.server import MessagesServer, messages_server
from tests.screen import buttons, shown, text

ANALYSIS = {
    "overview": "Writes to clients in Osaka.",
    "target": "Business e-mail by spring.",
    "strengths": "",
    "gaps": "Politeness.",
    "focus": "Openings of e-mails.",
    "projects": [],
    "experience": "",
    "requirements": "",
}


@pytest.fixture
async def model() -> AsyncIterator[MessagesServer]:
    async with messages_server(tutor(overview=ANALYSIS)) as server:
        yield server


@pytest.fixture
def llm_enabled() -> bool:
    return True


@pytest.fixture
async def services(
    data: Path, clock: MovableClock, model: MessagesServer, llm_enabled: bool
) -> AsyncIterator[Services]:
    async with house(data, clock, model, llm_enabled=llm_enabled) as opened:
        yield opened


async def view(world: World, who: Any = None) -> Any:
    return shown(await (who or world.mika).slash(world.study, "profile view"))


async def test_an_empty_profile_says_what_to_do(world: World) -> None:
    message = await view(world)
    assert "`/profile goal`" in text(message)
    assert message.flags.ephemeral
    assert fits(message)


@pytest.mark.parametrize("kind", ["goal", "background"])
async def test_a_text_is_saved_with_its_size_and_what_can_be_done(world: World, kind: str) -> None:
    message = await hand_over(world, kind, name="My plan")
    assert "Saved: My plan" in text(message)
    assert f"{len(GOAL)} characters" in text(message)
    assert buttons(message) == {"Use in /ask: off": True, "Analyse": True, "Profile": True, "Forget it": True}


async def test_a_form_takes_a_text_when_neither_text_nor_file_is_given(world: World) -> None:
    opened = await world.mika.slash(world.study, "profile goal")
    assert opened.modal is not None
    result = await world.mika.submit_modal(opened, {"name": "", "text": GOAL})
    assert "Saved: goal" in heard(result)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
async def test_a_file_is_read_whatever_encoding_it_has(world: World, encoding: str) -> None:
    data = ("大阪の会社でメールを書きます。" * 5).encode(encoding)
    message = shown(await world.mika.slash(world.study, "profile goal", file=("plan.md", data)))
    assert "Saved: plan" in text(message)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("plan.pdf", b"%PDF-1.7", "I cannot read"),
        ("plan.txt", b"PK\x03\x04zip", "I cannot read"),
        ("plan.txt", b"  \n", "not a word in it"),
        ("plan.txt", b"a" * 100_001, "at most 100,000"),
        ("plan.txt", b"word " * 5_000, "at most 20,000 fit"),
    ],
)
async def test_a_file_that_cannot_be_kept_is_refused_with_a_reason(
    world: World, name: str, content: bytes, sentence: str
) -> None:
    result = await world.mika.slash(world.study, "profile goal", file=(name, content))
    assert sentence in heard(result)
    assert "Documents" not in text(await view(world))


async def test_empty_text_long_names_and_too_many_documents_are_refused(world: World) -> None:
    assert "not a word in it" in text(await hand_over(world, words="\u200b "))
    assert "at most 80 characters" in text(await hand_over(world, name="n" * 81))
    for number in range(10):
        await hand_over(world, name=f"plan {number}")
    assert "You have 10 documents" in text(await hand_over(world))
    assert fits(await view(world))


async def test_the_profile_names_who_wrote_what(world: World) -> None:
    await hand_over(world)
    opened = await world.mika.slash(world.study, "profile correct", field="focus")
    result = await world.mika.submit_modal(opened, {"text": "Openings of e-mails"})
    message = messages_of(result)[-1]
    assert "**Focus** · Openings of e-mails\n-# by: you" in text(message)
    assert "by: counted and quoted" in text(message)
    assert "not used in `/ask`" in text(message)


async def test_a_field_is_corrected_from_the_profile_in_place(world: World) -> None:
    message = await view(world)
    opened = await world.mika.select(message, ["target"], custom_id=pressable(message, "profile_field"))
    assert opened.modal is not None
    result = await world.mika.submit_modal(opened, {"text": "JLPT N2"})
    assert "JLPT N2" in heard(result) or "JLPT N2" in text(await view(world))


async def test_a_document_is_linked_to_ask_and_taken_off_again(world: World) -> None:
    message = await hand_over(world)
    message = shown(await world.mika.click(message, label="Use in /ask: off"))
    assert "`/ask` looks into it" in text(message)
    message = shown(await world.mika.click(message, label="Use in /ask: on"))
    assert "does not look into it" in text(message)


async def test_a_document_is_shown_escaped(world: World) -> None:
    await hand_over(world, words=HOSTILE, name=HOSTILE[:70])
    message = await view(world)
    assert fits(message)
    opened = shown(
        await world.mika.select(
            message, [options_of(message, "profile_document")[0]["value"]], custom_id="kz:profile_document"
        )
    )
    for each in (message, opened):
        assert "@everyone" not in text(each)
        assert "<@123>" not in text(each)
        assert "[click](" not in text(each)
        assert "\u202e" not in text(each)
        assert "https://" not in text(each)
        assert "discord.gg" not in text(each)


async def test_nobody_reaches_the_document_of_somebody_else(world: World) -> None:
    mine = await hand_over(world)
    link, forget = pressable(mine, "profile_link"), pressable(mine, "profile_ask_forget")
    theirs = await view(world, world.tom)
    gone = forget.replace("profile_ask_forget", "profile_forgotten")
    forge(world, theirs, link, forget, gone)
    for each in (link, forget, gone):
        assert "no longer here" in heard(await world.tom.click(theirs, custom_id=each))
    assert "not used in `/ask`" in text(await view(world))


async def forget(world: World, value: str) -> Any:
    message = shown(await world.mika.slash(world.study, "profile forget"))
    asked = shown(await world.mika.select(message, [value], custom_id=pressable(message, "profile_unwanted")))
    assert "cannot be taken back" in text(asked)
    return shown(await world.mika.click(asked, label="Forget"))


async def test_a_field_a_document_and_everything_is_forgotten_after_a_question(world: World) -> None:
    await hand_over(world, name="one")
    await hand_over(world, name="two")
    opened = await world.mika.slash(world.study, "profile correct", field="focus")
    await world.mika.submit_modal(opened, {"text": "Openings"})
    assert "Openings" not in text(await forget(world, "field.focus"))
    message = shown(await world.mika.slash(world.study, "profile forget"))
    first = options_of(message, "profile_unwanted")[0]["value"]
    left = await forget(world, first)
    assert "two" not in text(left)
    assert "one" in text(left)
    assert "Nothing yet" in text(await forget(world, "all"))


async def test_what_is_to_be_forgotten_can_be_chosen_from_the_profile_and_kept_after_all(world: World) -> None:
    await hand_over(world, name="one")
    choice = shown(await world.mika.click(await view(world), label="Forget …"))
    asked = shown(await world.mika.select(choice, ["all"], custom_id=pressable(choice, "profile_unwanted")))
    assert "**one**" in text(shown(await world.mika.click(asked, label="Keep it")))


async def test_there_is_nothing_to_forget_in_an_empty_profile(world: World) -> None:
    assert "nothing to forget" in heard(await world.mika.slash(world.study, "profile forget"))


@pytest.mark.parametrize("llm_enabled", [False])
async def test_without_a_model_an_analysis_says_what_works_instead(world: World) -> None:
    result = await world.mika.click(await hand_over(world), label="Analyse")
    assert "language model" in heard(result)
    assert "what you write yourself" in heard(result)


async def test_an_analysis_is_shown_field_by_field_and_accepted(world: World, model: MessagesServer) -> None:
    result = await world.mika.click(await hand_over(world), label="Analyse")
    message = next(each for each in messages_of(result) if "Accept" in buttons(each))
    assert "→ Business e-mail by spring" in text(message)
    assert fits(message)
    accepted = shown(await world.mika.click(message, label="Accept"))
    assert "Business e-mail by spring.\n-# by: accepted analysis" in text(accepted)


async def test_an_analysis_is_accepted_by_its_learner_alone_and_once(world: World, model: MessagesServer) -> None:
    result = await world.mika.click(await hand_over(world), label="Analyse")
    message = next(each for each in messages_of(result) if "Accept" in buttons(each))
    accept = pressable(message, "profile_accept")
    theirs = await view(world, world.tom)
    forge(world, theirs, accept)
    assert "no longer here" in heard(await world.tom.click(theirs, custom_id=accept))
    left = shown(await world.mika.click(message, label="Leave it"))
    assert "accepted analysis" not in text(left)


@pytest.mark.parametrize(
    "press",
    [
        "kz:profile_link:x:1",
        "kz:profile_ask_forget:document.x",
        "kz:profile_forgotten:nothing",
        "kz:profile_forgotten:field.x",
    ],
)
async def test_presses_of_another_release_are_told(world: World, press: str) -> None:
    message = await view(world)
    forge(world, message, press)
    assert "older version" in heard(await world.mika.click(message, custom_id=press))


async def test_in_direct_messages_it_is_plain(world: World) -> None:
    message = shown(await world.mika.user.slash("profile view"))
    assert not message.flags.ephemeral


async def test_without_a_document_there_is_nothing_to_analyse(world: World) -> None:
    message = await view(world)
    forge(world, message, "kz:profile_analyse")
    assert "no document to analyse" in heard(await world.mika.click(message, custom_id="kz:profile_analyse"))


async def test_an_analysis_that_changes_nothing_says_so(world: World, model: MessagesServer) -> None:
    model.script.always = tutor(overview=dict.fromkeys(ANALYSIS, "") | {"projects": []})
    result = await world.mika.click(await hand_over(world), label="Analyse")
    assert "would change nothing" in heard(result)


async def test_a_form_of_another_release_is_told(world: World) -> None:
    opened = await world.mika.slash(world.study, "profile goal")
    message = await view(world)
    forge(world, message, "kz:profile_text:nothing")
    assert opened.modal is not None
    assert "older version" in heard(await world.mika.click(message, custom_id="kz:profile_text:nothing"))
