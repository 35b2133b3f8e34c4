"""Where studies take place: rights that are missing, rooms that are refused, what is typed there, and what is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot.app import Services
from tests.cogs.drawing import fits
from tests.cogs.newsroom import forge
from tests.cogs.studying import CORRECTIONS, REPORT, WORDS, begin, begin_directly, newest
from tests.cogs.tutoring import (
    HOSTILE,
    ROADMAP,
    hand_over,
    heard,
    house,
    options_of,
    pressable,
    tutor,
)
from tests.conftest import MovableClock, World
from tests.messages.server import MessagesServer, messages_server
from tests.screen import buttons, shown, text


@pytest.fixture
def llm_enabled() -> bool:
    return True


@pytest.fixture
async def model() -> AsyncIterator[MessagesServer]:
    async with messages_server(tutor(WORDS, topics=ROADMAP, corrections=CORRECTIONS, strengths=REPORT)) as server:
        yield server


@pytest.fixture
async def services(
    data: Path, clock: MovableClock, model: MessagesServer, llm_enabled: bool
) -> AsyncIterator[Services]:
    async with house(data, clock, model, llm_enabled=llm_enabled) as opened:
        yield opened


async def test_where_threads_are_missing_it_says_which_right_and_offers_direct_messages(world: World) -> None:
    here = world.guild.create_text_channel(
        "narrow", overwrites={world.guild.default_role: discord.PermissionOverwrite(create_private_threads=False)}
    )
    await hand_over(world, name="Plan")
    card = shown(await world.mika.slash(here, "study start", topic="Particles", persona="ken"))
    paper = options_of(card, "study_papers")[0]["value"]
    card = shown(await world.mika.select(card, [paper], custom_id=pressable(card, "study_papers")))
    refused = shown(await world.mika.click(card, label="Start"))
    assert "`Create Private Threads`" in text(refused)
    assert not here.threads
    await world.mika.click(refused, label="Start in direct messages")
    (study,) = await world.services.studying.studies.open_of(world.mika.id)
    assert (study.persona, list(map(str, study.documents)), study.guild) == ("ken", [paper], None)
    assert WORDS in text(world.mika.user.dm_channel.last_message)


async def test_closed_direct_messages_are_told_and_nothing_begins(world: World) -> None:
    here = world.guild.create_text_channel(
        "narrow", overwrites={world.guild.default_role: discord.PermissionOverwrite(create_private_threads=False)}
    )
    card = shown(await world.mika.slash(here, "study start", topic="Particles"))
    refused = shown(await world.mika.click(card, label="Start"))
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50007, times=None)
    assert "privacy settings" in heard(await world.mika.click(refused, label="Start in direct messages"))
    assert not await world.services.studying.studies.open_of(world.mika.id)


async def test_a_thread_that_discord_refuses_leaves_nothing_behind(world: World) -> None:
    card = shown(await world.mika.slash(world.study, "study start", topic="Particles"))
    world.env.inject_error("POST", "/channels/*/threads", status=403, code=50013)
    assert "cannot open a private thread" in heard(await world.mika.click(card, label="Start"))
    assert not await world.services.studying.studies.open_of(world.mika.id)


async def test_what_is_over_says_so_and_has_no_buttons_left(world: World) -> None:
    room = await begin_directly(world)
    words = newest(room)
    press = pressable(words, "study_reply")
    await world.mika.user.click(words, label="End")
    words = next(each for each in room.history() if each.id == words.id)
    assert not buttons(words)
    card = shown(await world.mika.user.slash("study list"))
    forge(world, card, press)
    assert "That study ended" in heard(await world.mika.user.click(card, custom_id=press))


async def test_a_reply_that_comes_after_the_end_is_given_back(world: World) -> None:
    room = await begin_directly(world)
    words = newest(room)
    opened = await world.mika.user.click(words, label="Reply")
    await world.mika.user.slash("study end")
    result = await world.mika.user.submit_modal(opened, {"text": "駅まで**歩いて**行きました。"})
    assert "That study ended" in heard(result)
    assert r"駅まで\*\*歩いて\*\*行きました。" in heard(result)


async def test_typed_words_to_a_bot_about_to_stop_are_told_and_not_kept(world: World) -> None:
    room = await begin_directly(world)
    (study,) = await world.services.studying.studies.open_of(world.mika.id)
    before = await world.services.studying.studies.turns(study.id, study.user, 10)
    await world.bot.drain(1)
    await world.mika.send_dm("はい")
    assert "restarting" in text(newest(room))
    assert await world.services.studying.studies.turns(study.id, study.user, 10) == before


async def test_in_direct_messages_a_second_study_ends_the_first_and_says_so_before(world: World) -> None:
    await begin_directly(world)
    card = shown(await world.mika.user.slash("study start", topic="Another"))
    assert "ends when this one starts" in text(card)
    await world.mika.user.click(card, label="Start")
    assert [each.subject for each in await world.services.studying.studies.open_of(world.mika.id)] == ["Another"]


async def test_a_study_that_starts_inside_a_thread_gets_one_beside_it(world: World) -> None:
    room = await begin(world)
    card = shown(await world.mika.slash(room, "study start", topic="Deeper"))
    await world.mika.click(card, label="Start")
    assert [each.name for each in world.study.threads] == ["Particles", "Deeper"]


async def test_a_thread_that_the_learner_cannot_be_let_into_is_taken_away(world: World) -> None:
    card = shown(await world.mika.slash(world.study, "study start", topic="Particles"))
    world.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50013)
    assert "cannot open a private thread" in heard(await world.mika.click(card, label="Start"))
    assert not world.study.threads


@pytest.mark.errors_expected
@pytest.mark.parametrize("direct", [False, True])
async def test_a_study_that_cannot_be_kept_leaves_no_room_behind(
    world: World, monkeypatch: pytest.MonkeyPatch, direct: bool
) -> None:
    async def broken(*_: object) -> object:
        raise RuntimeError("no disk")

    monkeypatch.setattr(type(world.services.studying), "begin", broken)
    who = world.mika.user if direct else world.mika
    card = shown(await who.slash(*([] if direct else [world.study]), "study start", topic="Particles"))
    assert "Something went wrong on my side" in heard(await who.click(card, label="Start"))
    assert not world.study.threads
    assert not direct or "being prepared" not in [text(each) for each in world.mika.user.dm_channel.history()][1:]


async def test_a_card_begins_one_study(world: World) -> None:
    card = shown(await world.mika.slash(world.study, "study start", topic="Particles"))
    studies = world.bot.get_cog("Studies")
    studies._beginning.add(card.id)  # type: ignore[union-attr] # a first press is under way
    assert "done already" in heard(await world.mika.click(card, label="Start"))
    studies._beginning.clear()  # type: ignore[union-attr]
    await world.mika.click(card, label="Start")
    assert len(world.study.threads) == 1


async def test_lessons_are_offered_of_the_pack_that_was_named(world: World) -> None:
    offered = await world.mika.autocomplete(world.study, "roleplay", "lesson", "", scene="x", pack="particles")
    assert offered
    assert not await world.mika.autocomplete(world.study, "roleplay", "lesson", "", scene="x", pack="nowhere")


async def test_typed_words_while_a_reply_is_written_are_told_to_wait(world: World) -> None:
    room = await begin_directly(world)
    (study,) = await world.services.studying.studies.open_of(world.mika.id)
    world.bot.get_cog("Studies").talking._speaking.add(study.id)  # type: ignore[union-attr]
    await world.mika.send_dm("まだ？")
    assert "still answering" in text(newest(room))


@pytest.mark.errors_expected
async def test_typed_words_that_fail_on_our_side_are_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    room = await begin_directly(world)

    async def broken(*_: object) -> object:
        raise RuntimeError("no disk")

    monkeypatch.setattr(type(world.services.asking.conversing), "prepared", broken)
    await world.mika.send_dm("はい")
    assert "Something went wrong on my side" in text(newest(room))


async def test_a_reply_that_discord_refuses_is_no_error_of_ours(world: World) -> None:
    room = await begin_directly(world)
    before = len(room.history())
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50007, times=None)
    await world.mika.send_dm("はい")
    assert len(room.history()) == before + 1


async def test_a_message_without_text_is_told_what_can_be_read(world: World) -> None:
    room = await begin_directly(world)
    file = world.env.backend.store_attachments(room.id, [("essay.txt", b"x")])
    await world.mika.send_dm("", attachments=file)
    assert "I can read text here" in text(newest(room))


async def test_many_studies_fit_into_a_list(world: World) -> None:
    for number in range(12):
        await begin(world, topic=f"{number} {HOSTILE}"[:80])
    listed = shown(await world.mika.slash(world.study, "study list"))
    assert "and 2 more" in text(listed)
    assert fits(listed)


async def test_a_thread_that_may_not_be_locked_is_archived_all_the_same(world: World) -> None:
    room = await begin(world)
    world.env.inject_error("PATCH", f"/channels/{room.id}", status=403, code=50013)
    await world.mika.click(newest(room), label="End")
    assert "Ended: Particles" in text(newest(room))
