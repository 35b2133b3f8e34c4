"""Studies, role-plays and interviews: a plan that is followed, kept over restarts, and closed with a report."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lessons.errors import ModelAway, PressLeadsNowhere, TextTooLong
from lessons.model import ChannelId, DocumentKind, MistakeFilter, Mode, Speaker, Surface, TopicState, Verdict
from tests.classroom import Classroom, whole
from tests.conftest import MovableClock
from tests.messages.behaviours import fails, says
from tests.messages.streams import in_pieces
from tests.newsroom import MIKA, TOM, newsroom

PLENTY = {"user_cents": 1_000_000, "server_cents": 1_000_000, "bot_cents": 1_000_000}
WORDS = "Good. Now you: 雨（　）降っています。"
CHANNEL = ChannelId(4242)


@pytest.fixture
async def room(data: Path, clock: MovableClock) -> AsyncIterator[Classroom]:
    async with newsroom(data, clock, **PLENTY) as opened:
        opened.server.script.always = in_pieces(WORDS)
        yield Classroom(opened)


async def opened(room: Classroom, **more):
    study = await room.begin(**more)
    await whole(room.services.studying.open(study, "en", next(room.sources), room.now()))
    return await room.services.studying.owned(study.id, study.user)


async def test_a_study_follows_its_roadmap(room: Classroom) -> None:
    room.server.script.always = fails(500)  # the plan is drawn without a model
    study = await room.begin(subject="particles for my N2 essay")
    assert study.topics
    assert study.topics[0].first_step
    room.server.script.always = in_pieces(WORDS)
    await whole(room.services.studying.open(study, "en", next(room.sources), room.now()))
    study = await room.services.studying.owned(study.id, MIKA)
    assert study.topics[0].state is TopicState.CURRENT
    assert study.topics[0].first_step[:40] in room.prompts()[-1]
    await room.say(study, "I think が is new information.")
    assert "past mistakes" in room.prompts()[-1]
    await whole(room.services.studying.go_on(study, "en", next(room.sources), room.now()))
    study = await room.services.studying.owned(study.id, MIKA)
    assert study.topics[0].state is TopicState.DONE


async def test_forty_turns_go_on_over_a_restart(data: Path, clock: MovableClock) -> None:
    async with newsroom(data, clock, **PLENTY) as first:
        first.server.script.always = in_pieces(WORDS)
        room = Classroom(first)
        study = await opened(room)
        await room.services.studying.studies.place(study.id, MIKA, CHANNEL)
        for number in range(20):
            await room.say(study, f"turn {number}", source=1000 + number)
    async with newsroom(data, clock, PLENTY.get("policy"), **PLENTY) as second:
        second.server.script.always = in_pieces(WORDS)
        room = Classroom(second)
        found = await room.services.studying.found(CHANNEL, MIKA)
        assert found is not None
        assert await room.services.studying.found(CHANNEL, TOM) is None
        assert await room.say(found, "turn 19", source=1019) == []  # it came before
        for number in range(20, 40):
            await room.say(found, f"turn {number}", source=1000 + number)
        assert "turn 30" in room.prompts()[-1]
        turns = await room.services.studying.studies.turns(found.id, MIKA, 500)
        assert [turn.text for turn in turns if turn.speaker is Speaker.LEARNER] == [f"turn {n}" for n in range(40)]
        assert sum(turn.speaker is Speaker.TUTOR for turn in turns) == 41


async def test_an_exercise_moves_the_topic_on(room: Classroom) -> None:
    study = await opened(room, subject="particles")
    step = await room.services.studying.exercise(study, room.now())
    assert step is not None
    assert step.drill.title.startswith("Study: ")
    for exercise in await room.services.delivering.drills.exercises(step.drill.id, MIKA):
        room.room.clock.move(seconds=5)
        outcome = await room.room.answer(exercise, exercise.item.answer)
        assert outcome.grade.verdict is Verdict.EXACT
    await room.say(study, "Done!")
    assert "exercise was right" in room.prompts()[-1] or "what was right" in room.prompts()[-1]


async def test_an_end_keeps_what_was_corrected(room: Classroom) -> None:
    study = await opened(room)
    await room.say(study, "きのう図書館を行きました。")
    correction = {
        "quote": "を", "occurrence": 1, "diagnosis": "particle に marks a destination", "error_type": "particle",
        "part_of_speech": "particle", "right": "に", "feedback": "行く goes to a place: に.",
    }  # fmt: skip
    room.server.script.always = says({"corrections": [correction], "comment": "Almost."})
    closing = await room.services.studying.end(study.id, MIKA, "en", room.now())
    assert len(closing.kept) == 1
    (mistake,) = await room.services.recollecting.mistakes.page(MIKA, MistakeFilter(), 0, 9)
    assert (mistake.card.typed, mistake.card.reference, mistake.pack_name) == ("を", "に", "Your study")
    with pytest.raises(PressLeadsNowhere):
        await room.services.studying.end(study.id, MIKA, "en", room.now())
    with pytest.raises(PressLeadsNowhere):
        await room.services.studying.owned(study.id, TOM)


async def test_an_end_pressed_twice_ends_once(room: Classroom) -> None:
    study = await opened(room)
    ends = [room.services.studying.end(study.id, MIKA, "en", room.now()) for _ in range(2)]
    outcomes = await asyncio.gather(*ends, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Closing", "PressLeadsNowhere"]


async def test_a_role_play_is_held_to_a_lesson(room: Classroom) -> None:
    packs = await room.services.loading.packs_of(None)
    pack = next(pack for pack in packs if pack.name == "giving_receiving")
    study = await opened(room, mode=Mode.ROLEPLAY, subject="at a birthday party", pack=pack.id)
    assert study.topics == ()
    assert "くれ" in room.prompts()[-1] or "もら" in room.prompts()[-1]


async def test_an_interview_changes_its_angle_and_ends_in_a_report(room: Classroom) -> None:
    study = await opened(room, mode=Mode.INTERVIEW, subject="nurse")
    for number in range(3):
        await room.say(study, f"私の答え{number}です。")
    assert "change the angle" in room.prompts()[-1]
    report = {"strengths": ["clear"], "points": ["short"], "next_steps": ["longer"], "samples": []}
    room.server.script.always = says(
        lambda seen: report if "strengths" in json.dumps(seen.schema) else {"corrections": [], "comment": ""}
    )
    closing = await room.services.studying.end(study.id, MIKA, "en", room.now())
    assert closing.report is not None
    assert closing.report.strengths == ("clear",)


@pytest.mark.parametrize("mode", list(Mode))
async def test_without_a_model_a_plan_still_leads(data: Path, clock: MovableClock, mode: Mode) -> None:
    async with newsroom(data, clock, llm_enabled=False) as house:
        room = Classroom(house)
        study = await room.begin(mode, "particles")
        (said,) = await whole(room.services.studying.open(study, "en", next(room.sources), room.now()))
        assert (said.done, said.looked_up) == (True, True)
        assert said.text
        again = await room.say(study, "は is the topic")
        assert again[-1].text
        assert (again[-1].text != said.text) is (mode is not Mode.ROLEPLAY)
        closing = await room.services.studying.end(study.id, MIKA, "en", room.now())
        assert (closing.report is not None) is (mode is Mode.INTERVIEW)
        assert house.server.requests == []


async def test_only_linked_documents_are_looked_into(room: Classroom) -> None:
    linked = await room.tell(DocumentKind.BACKGROUND, "The project with the handover sheets was called Hotaru.")
    await room.tell(DocumentKind.BACKGROUND, "The project with the lamps was called Andorinha.")
    study = await opened(room, documents=(linked,))
    await room.say(study, "What was my project with the handover sheets called?")
    assert "Hotaru" in room.prompts()[-1]
    await room.say(study, "What was my project with the lamps called?")
    newest = json.loads(room.prompts()[-1])[-1]
    assert "was called Andorinha" not in json.dumps(newest, ensure_ascii=False)


async def test_a_composition_is_corrected_piece_by_piece(room: Classroom) -> None:
    text = "きのう図書館を行きました。本をかりました。"
    correction = {
        "quote": "図書館を", "occurrence": 1, "diagnosis": "particle に marks a destination", "error_type": "particle",
        "part_of_speech": "particle", "right": "図書館に", "feedback": "に",
    }  # fmt: skip
    room.server.script.always = says({"corrections": [correction], "comment": "Good."})
    made = await room.services.composing.compose(text, "", room.place(Surface.COMPOSITION))
    (found,) = made.corrected.corrections
    assert text[found.start : found.end] == "図書館を"
    (mistake,) = await room.services.recollecting.mistakes.page(MIKA, MistakeFilter(), 0, 9)
    assert (mistake.id, mistake.pack_name) == (made.kept[0], "Your writing")
    with pytest.raises(TextTooLong):
        await room.services.composing.compose("あ" * 1501, "", room.place(Surface.COMPOSITION))
    room.server.script.always = fails(401)
    with pytest.raises(ModelAway):
        await room.services.composing.compose(text, "", room.place(Surface.COMPOSITION))
