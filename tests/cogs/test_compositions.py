"""`/compose`: a text with its corrections marked, what was kept of them, and the text given back where nobody can correct."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app import Services
from cogs.render.compositions import corrected
from lessons.flows.composing import Composition
from lessons.model import Corrected, Correction, ErrorType
from tests.cogs.drawing import fits, message_of
from tests.cogs.tutoring import HOSTILE, heard, house, messages_of, tutor
from tests.conftest import MovableClock, World
from tests.messages.behaviours import fails
from tests.messages.server import MessagesServer, messages_server
from tests.screen import text

TEXT = "きのう学校で行きました。とても楽しいでした。"


def correction(quote: str, right: str, feedback: str) -> dict[str, object]:
    return {
        "quote": quote,
        "occurrence": 1,
        "diagnosis": "A form that does not fit",
        "error_type": "particle",
        "part_of_speech": "particle",
        "right": right,
        "feedback": feedback,
    }


REPLY = {
    "corrections": [
        correction("学校で", "学校に", "行く takes に."),
        correction("楽しいでした", "楽しかったです", "い-adjectives bend themselves."),
    ],
    "comment": "A clear little text.",
}


@pytest.fixture
async def model() -> AsyncIterator[MessagesServer]:
    async with messages_server(tutor(corrections=REPLY)) as server:
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


async def compose(world: World, words: str = TEXT, **options: str) -> Any:
    opened = await world.mika.slash(world.study, "compose", **options)
    assert opened.modal is not None
    return await world.mika.submit_modal(opened, {"text": words})


async def test_corrections_are_marked_numbered_and_kept(world: World) -> None:
    result = await compose(world)
    said = heard(result)
    assert "きのう~~学校で~~ **学校に**行きました。とても~~楽しいでした~~ **楽しかったです**。" in said
    assert "1. ~~学校で~~ **学校に**: 行く takes に." in said
    assert "A clear little text." in said
    assert "2 mistakes** kept" in said
    assert all(fits(each) and each.flags.ephemeral for each in messages_of(result))
    assert "学校" in heard(await world.mika.slash(world.study, "mistakes"))


async def test_prompt_and_pack_reach_the_model(world: World, model: MessagesServer) -> None:
    await compose(world, prompt="yesterday: a day", pack="particles")
    assert "yesterday: a day" in model.requests[-1].turn


async def test_a_pack_that_is_not_there_is_told(world: World) -> None:
    assert "no pack called" in heard(await world.mika.slash(world.study, "compose", pack="nowhere"))


async def test_a_text_without_a_mistake_is_praised_by_saying_so(world: World, model: MessagesServer) -> None:
    model.script.always = tutor(corrections={"corrections": [], "comment": ""})
    said = heard(await compose(world))
    assert "Nothing to correct" in said
    assert "kept" not in said


@pytest.mark.parametrize("llm_enabled", [False])
async def test_without_a_model_nothing_is_pretended_and_the_text_comes_back(world: World) -> None:
    said = heard(await compose(world))
    assert "Nobody but a language model can correct free writing" in said
    assert TEXT in said


async def test_a_model_that_is_down_gives_the_text_back(world: World, model: MessagesServer) -> None:
    model.script.always = fails(529)
    assert TEXT in heard(await compose(world))


async def test_hostile_text_is_shown_escaped(world: World) -> None:
    result = await compose(world, HOSTILE)
    for bad in ("@everyone", "<@123>", "[click](", "\u202e", "https://", "discord.gg"):
        assert bad not in heard(result)


async def test_in_direct_messages_it_is_plain(world: World) -> None:
    opened = await world.mika.user.slash("compose")
    result = await world.mika.user.submit_modal(opened, {"text": TEXT})
    assert "2 mistakes** kept" in heard(result)
    assert not any(each.flags.ephemeral for each in messages_of(result))


@pytest.mark.parametrize("words", ["あ" * 1_500, "*" * 1_500, "😀" * 750, "@" * 1_500, "a b\n\n" * 300])
def test_long_texts_fit_on_pages(words: str) -> None:
    many = tuple(
        Correction(n, n + 1, words[n], "い" * 150, ErrorType.OTHER, "noun", "A form", "f" * 280)
        for n in range(0, 300, 15)
    )
    views = corrected(Composition(Corrected(words, many, "c" * 600), tuple(range(20))))  # type: ignore[arg-type]
    assert all(fits(message_of(view)) for view in views)
    assert "20 mistakes** kept" in text(message_of(views[-1]))


async def test_packs_are_offered(world: World) -> None:
    assert await world.mika.autocomplete(world.study, "compose", "pack", "part")
