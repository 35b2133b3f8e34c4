"""Studies: one open one a channel, its turns in order and once each, and nothing of it for anybody else."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from lessons.model import (
    ChannelId,
    ChunkId,
    DocumentId,
    ErrorType,
    Mode,
    PackId,
    RecallEvent,
    Silence,
    Speaker,
    StudyId,
    StudyState,
    Surface,
    Topic,
    TopicState,
)
from tests.storage.world import AIKO, AT, AWAY, BEN, DAY, HOME, MINUTE, TOPICS, Stores, hand_over, save, study

THREAD, NEXT, DIRECT, THEIR_DIRECT = (ChannelId(700_000_000_000_000_000 + number) for number in range(4))


async def test_a_study_comes_back_as_it_began(to: Stores) -> None:
    pack = (await save(to)).pack.id
    goal, background = await hand_over(to), await hand_over(to)
    wanted = replace(
        study(channel=THREAD, mode=Mode.ROLEPLAY),
        pack=pack,
        lesson="3",
        topics=TOPICS,
        documents=(goal.id, background.id),
        state=StudyState.ENDED,
        ended_at=AT,
    )
    begun = await to.studies.begin(wanted, AT + DAY)
    assert begun == replace(wanted, id=begun.id, started_at=AT + DAY, state=StudyState.OPEN, ended_at=None)
    assert await to.studies.study(begun.id, AIKO) == begun
    assert await to.studies.in_channel(THREAD) == begun
    assert await to.studies.open_of(AIKO) == [begun]


async def test_nobody_sees_or_changes_the_study_of_another(to: Stores) -> None:
    begun = await to.studies.begin(replace(study(channel=THREAD), topics=TOPICS), AT)
    assert await to.studies.study(begun.id, BEN) is None
    assert await to.studies.open_of(BEN) == []
    assert not await to.studies.end(begun.id, BEN, AT)
    await to.studies.place(begun.id, BEN, NEXT)
    await to.studies.progress(begun.id, BEN, [replace(TOPICS[0], steps=9), replace(TOPICS[0], position=3)])
    assert await to.studies.say(begun.id, BEN, Speaker.LEARNER, "mine?", source=1, at=AT) is None
    await to.studies.say(begun.id, AIKO, Speaker.LEARNER, "mine", source=2, at=AT)
    assert await to.studies.turns(begun.id, BEN, 9) == []
    assert await to.studies.study(begun.id, AIKO) == begun
    async with to.db.reading() as snapshot:
        assert [row["user_id"] for row in await snapshot.all("SELECT user_id FROM learner")] == [AIKO]


async def test_documents_of_others_and_packs_that_are_gone_are_not_linked(to: Stores) -> None:
    theirs, own = await hand_over(to, BEN), await hand_over(to)
    wanted = replace(study(), documents=(theirs.id, own.id, DocumentId(999), own.id), pack=PackId(99))
    begun = await to.studies.begin(wanted, AT)
    assert (begun.documents, begun.pack) == ((own.id,), None)
    async with to.db.reading() as snapshot:
        assert [tuple(row) for row in await snapshot.all("SELECT * FROM study_document")] == [(begun.id, own.id)]


async def test_a_new_study_ends_the_learners_open_one_in_that_channel_alone(to: Stores) -> None:
    first, second = [await to.studies.begin(study(channel=channel), AT) for channel in (THREAD, NEXT)]
    waiting = await to.studies.begin(study(), AT)
    third = await to.studies.begin(study(channel=THREAD), AT + MINUTE)
    assert await to.studies.study(first.id, AIKO) == replace(first, state=StudyState.ENDED, ended_at=AT + MINUTE)
    assert await to.studies.open_of(AIKO) == [third, waiting, second]
    assert await to.studies.in_channel(THREAD) == third


@pytest.mark.parametrize("channel", [None, DIRECT])
async def test_all_direct_messages_are_one_place(to: Stores, channel: ChannelId | None) -> None:
    there = await to.studies.begin(study(channel=THREAD), AT)
    theirs = await to.studies.begin(study(BEN, THEIR_DIRECT, guild=None), AT)
    first = await to.studies.begin(study(channel=channel, guild=None), AT)
    second = await to.studies.begin(study(channel=DIRECT, guild=None, mode=Mode.INTERVIEW), AT + MINUTE)
    assert await to.studies.open_of(AIKO) == [second, there]
    assert await to.studies.open_of(BEN) == [theirs]
    assert not await to.studies.end(first.id, AIKO, AT)


async def test_the_channel_of_another_learners_open_study_is_refused(to: Stores) -> None:
    theirs = await to.studies.begin(study(BEN, THREAD), AT)
    with pytest.raises(ValueError, match=str(THREAD)):
        await to.studies.begin(study(channel=THREAD), AT)
    begun = await to.studies.begin(study(guild=None), AT)
    with pytest.raises(ValueError, match=str(THREAD)):
        await to.studies.begin(study(channel=THREAD, guild=None), AT)
    with pytest.raises(ValueError, match=str(THREAD)):
        await to.studies.place(begun.id, AIKO, THREAD)
    assert await to.studies.open_of(AIKO) == [begun]  # nor was any ended for it
    assert await to.studies.in_channel(THREAD) == theirs
    await to.studies.end(theirs.id, BEN, AT)
    await to.studies.place(begun.id, AIKO, THREAD)
    await to.studies.place(theirs.id, BEN, THREAD)  # over, so not in the way
    assert await to.studies.in_channel(THREAD) == replace(begun, channel=THREAD)


async def test_of_many_that_begin_at_once_in_a_channel_one_stays_open(to: Stores) -> None:
    begun = await asyncio.gather(*(to.studies.begin(study(channel=THREAD), AT) for _ in range(20)))
    assert await to.studies.open_of(AIKO) == [max(begun, key=lambda one: one.id)]


async def test_a_study_finds_its_place_and_keeps_it(to: Stores) -> None:
    begun = await to.studies.begin(study(), AT)
    assert await to.studies.in_channel(THREAD) is None
    for channel in (THREAD, THREAD, NEXT):
        await to.studies.place(begun.id, AIKO, channel)
        assert await to.studies.in_channel(channel) == replace(begun, channel=channel)
    assert await to.studies.in_channel(THREAD) is None


async def test_what_ended_is_over_once(to: Stores) -> None:
    begun = await to.studies.begin(study(channel=THREAD), AT)
    assert await to.studies.end(begun.id, AIKO, AT + DAY)
    assert not await to.studies.end(begun.id, AIKO, AT + 2 * DAY)
    assert not await to.studies.end(StudyId(999), AIKO, AT)
    assert await to.studies.in_channel(THREAD) is None
    assert await to.studies.study(begun.id, AIKO) == replace(begun, state=StudyState.ENDED, ended_at=AT + DAY)


async def test_the_number_of_a_study_is_not_given_twice(to: Stores) -> None:
    begun = await to.studies.begin(study(), AT)
    await to.db.write(lambda transaction: transaction.run("DELETE FROM study WHERE user_id = ?", (AIKO,)))
    assert (await to.studies.begin(study(), AT)).id > begun.id


async def test_topics_move_on_and_keep_their_words(to: Stores) -> None:
    begun = await to.studies.begin(replace(study(), topics=TOPICS), AT)
    other = await to.studies.begin(replace(study(), topics=TOPICS), AT)
    first, second = TOPICS
    later = Topic(3, "Times", "The train", "Say when.", ErrorType.PARTICLE)
    moved = replace(first, title="changed", first_step="changed", target=None, state=TopicState.DONE, steps=4)
    await to.studies.progress(begun.id, AIKO, [moved, replace(second, state=TopicState.CURRENT), later])
    found = await to.studies.study(begun.id, AIKO)
    assert found is not None
    assert found.topics == (
        replace(first, state=TopicState.DONE, steps=4),
        replace(second, state=TopicState.CURRENT),
        later,
    )
    assert await to.studies.study(other.id, AIKO) == other
    await to.studies.progress(begun.id, AIKO, [])


async def test_turns_are_the_newest_and_stand_oldest_first(to: Stores) -> None:
    begun, other = [await to.studies.begin(study(), AT) for _ in range(2)]
    said = []
    for number in range(5):
        speaker = list(Speaker)[number % 2]
        turn = await to.studies.say(begun.id, AIKO, speaker, f"{number} です\ud800", source=number, at=AT)
        assert turn is not None
        assert (turn.study, turn.speaker, turn.text, turn.at) == (begun.id, speaker, f"{number} です?", AT)
        said.append(turn)
    assert await to.studies.turns(begun.id, AIKO, 99) == said
    assert await to.studies.turns(begun.id, AIKO, 2) == said[-2:]
    assert await to.studies.turns(begun.id, AIKO, 0) == await to.studies.turns(begun.id, AIKO, -1) == []
    assert await to.studies.turns(other.id, AIKO, 9) == []


async def test_a_message_leaves_one_turn_of_each_speaker(to: Stores) -> None:
    begun = await to.studies.begin(study(), AT)
    turn = await to.studies.say(begun.id, AIKO, Speaker.LEARNER, "はい", source=5, at=AT)
    assert turn is not None
    assert await to.studies.say(begun.id, AIKO, Speaker.LEARNER, "いいえ", source=5, at=AT) is None
    assert await to.studies.say(None, BEN, Speaker.LEARNER, "いいえ", source=5, at=AT) is None
    reply = await to.studies.say(begun.id, AIKO, Speaker.TUTOR, "どうぞ", source=5, at=AT)
    assert await to.studies.say(begun.id, AIKO, Speaker.TUTOR, "どうぞ", source=5, at=AT) is None
    assert await to.studies.turns(begun.id, AIKO, 9) == [turn, reply]


async def test_of_one_message_told_at_once_by_many_one_turn_is_kept(to: Stores) -> None:
    begun = await to.studies.begin(study(), AT)
    told = (to.studies.say(begun.id, AIKO, Speaker.LEARNER, "はい", source=5, at=AT) for _ in range(20))
    assert sum(turn is not None for turn in await asyncio.gather(*told)) == 1


async def test_a_question_outside_of_any_study_is_kept_for_a_stranger_too(to: Stores) -> None:
    turn = await to.studies.say(None, AIKO, Speaker.LEARNER, "は or が?", source=5, at=AT)
    assert turn is not None
    assert turn.study is None
    assert await to.studies.say(StudyId(999), AIKO, Speaker.LEARNER, "?", source=6, at=AT) is None


def event(number: int, **other: object) -> RecallEvent:
    scores = ((ChunkId(7), 0.875), (ChunkId(8), 0.1))
    made = RecallEvent(AIKO, AT + number * MINUTE, Surface.STUDY, 12, scores, 1, Silence.NONE)
    return replace(made, **other)  # type: ignore[arg-type]


async def test_events_are_told_newest_first_since_a_moment(to: Stores) -> None:
    silent = event(2, user=BEN, surface=Surface.ASK, candidates=0, scores=(), admitted=0, silence=Silence.NO_DOCUMENTS)
    events = [event(0), event(1), silent]
    for one in events:
        await to.studies.note_recall(one)
    assert await to.studies.recalls(AT, 9) == events[::-1]
    assert await to.studies.recalls(AT + timedelta(milliseconds=1), 9) == [silent, events[1]]
    assert await to.studies.recalls(AT, 1) == [silent]
    assert await to.studies.recalls(AT, -1) == await to.studies.recalls(AT + DAY, 9) == []


@pytest.mark.parametrize(("surface", "silence"), list(zip([*Surface], [*Silence, *Silence], strict=False)))
async def test_every_surface_and_silence_is_kept(to: Stores, surface: Surface, silence: Silence) -> None:
    one = event(0, surface=surface, silence=silence)
    await to.studies.note_recall(one)
    assert await to.studies.recalls(AT, 9) == [one]


async def test_scores_may_be_numbers_of_numpy(to: Stores) -> None:
    scores = tuple(zip(np.arange(2), np.array([0.5, 0.25], np.float32), strict=True))
    await to.studies.note_recall(event(0, scores=scores))
    assert (await to.studies.recalls(AT, 9))[0].scores == ((0, 0.5), (1, 0.25))


async def test_old_events_are_forgotten(to: Stores) -> None:
    for number in range(4):
        await to.studies.note_recall(event(number))
    assert await to.studies.prune_recalls(AT + 2 * MINUTE) == 2
    assert await to.studies.prune_recalls(AT + 2 * MINUTE) == 0
    assert await to.studies.recalls(AT, 9) == [event(3), event(2)]


async def test_studies_of_two_servers_do_not_end_one_another(to: Stores) -> None:
    begun = [await to.studies.begin(study(guild=guild), AT) for guild in (HOME, AWAY, None)]
    assert await to.studies.open_of(AIKO) == begun[::-1]
