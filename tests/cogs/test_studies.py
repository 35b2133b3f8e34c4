"""`/study`, `/roleplay` and `/interview`: words that grow, what can be done under them, and an end that says what it came to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot.app import KizukiBot, Services
from tests.cogs.drawing import fits
from tests.cogs.newsroom import forge
from tests.cogs.studying import CORRECTIONS, REPORT, WORDS, begin, begin_directly, newest, reply
from tests.cogs.tutoring import (
    HOSTILE,
    ROADMAP,
    edits,
    hand_over,
    heard,
    house,
    hurry,
    messages_of,
    options_of,
    pressable,
    tutor,
)
from tests.conftest import MovableClock, World
from tests.messages.behaviours import fails
from tests.messages.server import MessagesServer, messages_server
from tests.messages.streams import cuts_after, in_pieces, long_reply
from tests.screen import buttons, said, shown, text


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


async def test_a_study_begins_in_a_private_thread_with_roadmap_and_first_words(world: World) -> None:
    room = await begin(world)
    assert room._channel.type == 12
    roadmap, words = room.history()
    assert "▫️" in text(roadmap) or "▶️" in text(roadmap)
    assert "に and で" in text(roadmap)
    assert WORDS in text(words)
    assert list(buttons(words)) == ["Reply", "Exercise", "Next topic", "Roadmap", "End"]
    assert fits(words)
    assert fits(roadmap)
    assert world.mika.id in {member.id for member in await world.bot.get_channel(room.id).fetch_members()}


async def test_the_card_keeps_persona_and_documents_until_start(world: World, model: MessagesServer) -> None:
    await hand_over(world, name="Plan")
    await hand_over(world, "background", name="Past")
    card = shown(await world.mika.slash(world.study, "study start", topic="a:b:c", persona="ken"))
    assert not any(each.get("default") for each in options_of(card, "study_papers"))
    papers = [each["value"] for each in options_of(card, "study_papers")]
    await world.mika.select(card, papers[:1], custom_id=pressable(card, "study_papers"))
    result = await world.mika.select(card, ["socrates"], custom_id=pressable(card, "study_who"))
    card = shown(result)
    assert [each["value"] for each in options_of(card, "study_papers") if each.get("default")] == papers[:1]
    await world.restart()
    await world.mika.click(card, label="Start")
    (study,) = await world.services.studying.studies.open_of(world.mika.id)
    assert (study.subject, study.persona, list(map(str, study.documents))) == ("a:b:c", "socrates", papers[:1])


async def test_words_grow_by_edits_and_old_buttons_go(world: World) -> None:
    room = await begin(world)
    hurry(world)
    before = len(world.env.backend.transcript)
    await reply(world, room, "学校で行きます")
    assert len(edits(world, before)) >= 3
    *_, first, mine, answer = room.history()
    assert not buttons(first)
    assert "学校で行きます" in text(mine)
    assert WORDS in text(answer)
    assert "Reply" in buttons(answer)


async def test_typed_words_are_taken_in_direct_messages_and_no_greeting_comes(world: World) -> None:
    room = await begin_directly(world)
    before = len(room.history())
    await world.mika.send_dm("学校で行きます")
    after = room.history()[before:]
    assert len(after) == 2
    assert WORDS in text(after[-1])


async def test_after_the_end_direct_messages_are_greeted_again(world: World) -> None:
    room = await begin_directly(world)
    await world.mika.user.click(newest(room), label="End")
    await world.mika.send_dm("hello?")
    assert "/drill" in text(newest(room))


async def test_typed_words_in_a_thread_need_the_intent(world: World) -> None:
    room = await begin(world)
    before = len(room.history())
    await world.mika.send(room, "学校で行きます")
    assert len(room.history()) == before + 1


async def test_typed_words_in_a_thread_are_taken_from_its_learner_alone(world: World, services: Services) -> None:
    await world.bot.close()
    world.bot = KizukiBot(services, message_content=True)
    await world.env.restart_bot(world.bot)
    room = await begin(world)
    before = len(room.history())
    await world.mika.send(room, "学校で行きます")
    assert WORDS in text(newest(room))
    assert len(room.history()) == before + 2
    keys = world.guild.create_role("Threads", permissions=discord.Permissions(manage_threads=True))
    helper = world.guild.add_member(world.env.create_user("kenji"), roles=[keys])
    await helper.send(room, "Hello!")
    assert len(room.history()) == before + 3


async def test_after_a_restart_everything_goes_on(world: World) -> None:
    room = await begin(world)
    await world.restart()
    await reply(world, room, "学校で行きます")
    assert WORDS in text(newest(room))
    study = (await world.services.studying.studies.open_of(world.mika.id))[0]
    turns = await world.services.studying.studies.turns(study.id, study.user, 9)
    assert [turn.speaker.value for turn in turns] == ["tutor", "learner", "tutor"]


@pytest.mark.parametrize("action", ["study_reply", "study_next", "study_exercise", "study_map", "study_end"])
async def test_nobody_else_s_press_does_anything(world: World, action: str) -> None:
    room = await begin(world)
    press = pressable(newest(room), action)
    card = shown(await world.tom.slash(world.study, "study start", topic="Mine"))
    forge(world, card, press)
    before = len(room.history())
    assert "no longer here" in heard(await world.tom.click(card, custom_id=press))
    assert len(room.history()) == before
    assert len(await world.services.studying.studies.open_of(world.mika.id)) == 1


async def test_next_topic_exercise_and_roadmap(world: World) -> None:
    room = await begin(world)
    await world.mika.click(newest(room), label="Next topic")
    assert WORDS in text(newest(room))
    result = await world.mika.click(newest(room), label="Roadmap")
    assert any("✅" in text(each) for each in messages_of(result))
    result = await world.mika.click(newest(room), label="Exercise")
    drill = [each for each in messages_of(result) if "Answer" in buttons(each)]
    assert [each.flags.ephemeral for each in drill] == [True]


async def test_an_end_says_what_it_came_to_and_closes_the_thread(world: World) -> None:
    room = await begin(world)
    await reply(world, room, "学校で行きます")
    await world.mika.click(newest(room), label="End")
    closing = newest(room)
    assert "Ended: Particles" in text(closing)
    assert "1 mistake** kept" in text(closing)
    assert fits(closing)
    thread = world.bot.get_channel(room.id) or await world.bot.fetch_channel(room.id)
    assert isinstance(thread, discord.Thread)
    assert thread.archived
    assert not await world.services.studying.studies.open_of(world.mika.id)


async def test_list_and_end_from_another_place(world: World) -> None:
    assert "No study is open" in heard(await world.mika.slash(world.study, "study list"))
    room = await begin(world)
    listed = shown(await world.mika.slash(world.study, "study list"))
    assert f"<#{room.id}>" in text(listed)
    result = await world.mika.slash(world.study, "study end")
    assert "Ended: Particles" in heard(result)
    assert shown(result).flags.ephemeral
    assert "Ended: Particles" in text(newest(room))


async def test_of_several_studies_the_end_asks_which(world: World) -> None:
    await begin(world, topic="One")
    await begin(world, topic="Two")
    message = shown(await world.mika.slash(world.study, "study end"))
    assert list(buttons(message)) == ["End 1", "End 2"]
    assert "Ended: One" in heard(await world.mika.click(message, label="End 2"))


async def test_a_role_play_is_held_to_a_lesson(world: World, model: MessagesServer) -> None:
    choices = await world.mika.autocomplete(world.study, "roleplay", "pack", "part", scene="x")
    assert choices
    pack = next(iter(await world.services.loading.packs_of(None)))
    lesson = (await world.services.loading.shelf(pack.id, None)).lessons[0][0]
    room = await begin(world, "roleplay", scene="At the bakery", pack=pack.name, lesson=lesson)
    assert WORDS in text(newest(room))
    assert list(buttons(newest(room))) == ["Reply", "End"]
    assert "held_to_grammar" in str(model.requests[-1].body["messages"][0])


async def test_a_lesson_that_is_not_there_is_told(world: World) -> None:
    result = await world.mika.slash(world.study, "roleplay", scene="x", pack="particles", lesson="nowhere")
    assert "Nothing matches" in heard(result)
    result = await world.mika.slash(world.study, "roleplay", scene="x", pack="nowhere")
    assert "no pack called" in heard(result)


async def test_an_interview_ends_in_a_report(world: World) -> None:
    room = await begin(world, "interview", position="Engineer")
    await reply(world, room, "学校で行きます")
    await world.mika.click(newest(room), label="End")
    for part in ("What went well", "Say 御社", "Next steps", "improved"):
        assert part in text(newest(room))
    assert fits(newest(room))


@pytest.mark.parametrize("llm_enabled", [False])
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("study start", {"topic": "Particles"}),
        ("interview", {"position": "Engineer"}),
    ],
)
async def test_without_a_model_all_of_it_works_by_looking_up(
    world: World, command: str, options: dict[str, str]
) -> None:
    room = await begin(world, command, **options)
    assert "Looked up, no language model" in text(newest(room))
    await reply(world, room, "はい。")
    assert "Looked up" in text(newest(room))
    await world.mika.click(newest(room), label="End")
    assert "Ended:" in text(newest(room))
    assert fits(newest(room))


@pytest.mark.parametrize("llm_enabled", [False])
async def test_a_role_play_does_not_begin_where_nobody_can_play_it(world: World) -> None:
    result = await world.mika.slash(world.study, "roleplay", scene="Bakery")
    assert "needs a language model, and this bot has none" in said(result)
    assert world.study.threads == []


async def test_a_model_that_goes_down_midway_says_so(world: World, model: MessagesServer) -> None:
    room = await begin(world)
    model.script.always = cuts_after(6, WORDS)
    await reply(world, room, "はい。")
    assert "broke off here" in text(newest(room))
    model.script.always = fails(529)
    await reply(world, room, "もう一度。")
    assert "Looked up" in text(newest(room))


async def test_a_long_reply_takes_several_messages_with_the_buttons_under_the_last(
    world: World, model: MessagesServer
) -> None:
    room = await begin(world)
    before = len(room.history())
    model.script.always = in_pieces(long_reply(9_000), size=400)
    await reply(world, room, "Everything, please.")
    _, *pages = room.history()[before:]
    assert len(pages) >= 5
    assert all(fits(page) for page in pages)
    assert [bool(buttons(page)) for page in pages] == [False] * (len(pages) - 1) + [True]


async def test_while_a_reply_is_written_another_is_refused_and_nothing_is_kept(world: World) -> None:
    room = await begin(world)
    talking = world.bot.get_cog("Studies").talking  # type: ignore[union-attr]
    (study,) = await world.services.studying.studies.open_of(world.mika.id)
    talking._speaking.add(study.id)
    for label in ("Reply", "Next topic", "End"):
        assert "still answering" in heard(await world.mika.click(newest(room), label=label))
    talking._speaking.clear()
    assert len(await world.services.studying.studies.turns(study.id, study.user, 9)) == 1


async def test_hostile_subjects_and_words_are_shown_escaped(world: World, model: MessagesServer) -> None:
    model.script.always = tutor(f"{HOSTILE}. Then this.", topics=ROADMAP)
    room = await begin(world, topic=HOSTILE[:80])
    await reply(world, room, HOSTILE)
    for message in room.history():
        assert fits(message)
        for bad in ("@everyone", "<@123>", "[click](", "\u202e", "https://", "discord.gg"):
            assert bad not in text(message)


@pytest.mark.parametrize(
    "press", ["kz:study_begin:nothing:0:", "kz:study_who:x", "kz:study_direct", "kz:study_reply:x"]
)
async def test_presses_of_another_release_are_told(world: World, press: str) -> None:
    card = shown(await world.mika.slash(world.study, "study list"))
    forge(world, card, press)
    said = heard(await world.mika.click(card, custom_id=press))
    assert "older version" in said
