"""A study as its learner comes to it: begun in a thread or in direct messages, and replied in by the form."""

from __future__ import annotations

from typing import Any

from simcord.builders import ChannelHandle

from tests.conftest import World
from tests.screen import shown

WORDS = "「に」 marks where you go. 「で」 marks where something happens. Try one sentence with each."
CORRECTIONS = {
    "corrections": [
        {
            "quote": "学校で行きます",
            "occurrence": 1,
            "diagnosis": "particle に marks a goal",
            "error_type": "particle",
            "part_of_speech": "particle",
            "right": "学校に行きます",
            "feedback": "行く takes に.",
        }
    ],
    "comment": "Clear.",
}
REPORT = {
    "strengths": ["You gave an example."],
    "points": ["Say 御社 in an interview."],
    "next_steps": ["Practise one answer aloud."],
    "samples": [{"question": "Why us?", "answer": "御社の製品を使っています。"}],
}


async def begin(world: World, command: str = "study start", who: Any = None, **options: Any) -> ChannelHandle:
    """Begin a study in the server, and return its thread."""
    who = who or world.mika
    card = shown(await who.slash(world.study, command, **(options or {"topic": "Particles"})))
    assert card.flags.ephemeral
    await who.click(card, label="Start")
    return world.study.threads[-1]


async def begin_directly(world: World) -> ChannelHandle:
    """Begin a study in direct messages, and return them."""
    card = shown(await world.mika.user.slash("study start", topic="Particles"))
    await world.mika.user.click(card, label="Start")
    return world.mika.user.dm_channel


def newest(room: ChannelHandle) -> Any:
    message = room.last_message
    assert message is not None
    return message


async def reply(world: World, room: ChannelHandle, words: str, who: Any = None) -> Any:
    """Say something by the form under the tutor's newest words."""
    who = who or world.mika
    opened = await who.click(newest(room), label="Reply")
    assert opened.modal is not None
    return await who.submit_modal(opened, {"text": words})
