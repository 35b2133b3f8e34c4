"""Races as a story: begun, asked, closed, ended, taken up again; who may do what."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.app import Services
from lessons.errors import (
    BadRange,
    DrillUnfinished,
    Gone,
    NothingMatches,
    NothingMissed,
    NotTheirRace,
    PressLeadsNowhere,
    RaceUnderWay,
    UnknownPack,
)
from lessons.flows.delivering import DrillRequest
from lessons.flows.racing import Turn
from lessons.model import DrillState, Ending, GuildId, MessageId, Phase, SharedId, UserId, Verdict
from lessons.racing import Move
from tests.conftest import MovableClock
from tests.together import AOKI, CHANNEL, HERE, MIKA, THERE, TOM, Channel


@pytest.fixture
def channel(services: Services, clock: MovableClock) -> Channel:
    return Channel(services, clock)


async def turns(channel: Channel, race: SharedId, until: Move | None = None) -> list[Move]:
    """Let a race run by itself, to its end or to a move; every move it makes."""
    seen: list[Move] = []
    while True:
        turn = await channel.services.racing.turn(race, channel.clock())
        if turn.move is not None:
            seen.append(turn.move)
        if turn.over or (until is not None and turn.move is until):
            return seen
        assert turn.again is not None
        channel.clock.at = max(channel.clock.at, turn.again)


async def nowhere(why: Gone, press: Any) -> None:
    with pytest.raises(PressLeadsNowhere) as led:
        await press
    assert led.value.why is why


async def test_a_race_nobody_answers_runs_to_its_end(channel: Channel) -> None:
    begun = channel.clock()
    race = await channel.race()
    assert await turns(channel, race.id) == [Move.HINT, Move.CLOSE, Move.ASK, Move.HINT, Move.CLOSE, Move.END]
    assert channel.clock() - begun == timedelta(seconds=2 * (16 + 6))
    ended = await channel.standing(race.id)
    assert ended.ending is Ending.FINISHED
    assert await channel.services.sharing.shared.drill_of(race.id, MIKA) is None  # it starts nothing for anybody


async def test_five_questions_without_an_answer_are_enough(channel: Channel) -> None:
    race = await channel.race(count=20)
    moves = await turns(channel, race.id)
    assert moves.count(Move.CLOSE) == 5
    assert (await channel.standing(race.id)).ending is Ending.UNANSWERED


async def test_a_right_answer_shortens_the_wait_and_watchers_hear_of_it(channel: Channel) -> None:
    heard: list[int] = []
    channel.services.sharing.watchers.append(heard.append)
    race = await channel.race()
    channel.clock.move(seconds=4)
    await channel.answer(race.id, await channel.right(race.id))
    channel.services.sharing.watchers.remove(heard.append)
    assert heard == [race.id, race.id]
    turn = await channel.services.racing.turn(race.id, channel.clock())
    assert turn == Turn(None, channel.clock() + timedelta(seconds=2.1))
    channel.clock.move(seconds=2.1)
    assert (await channel.services.racing.turn(race.id, channel.clock())).move is Move.CLOSE
    turn = await channel.services.racing.turn(race.id, channel.clock())
    assert turn.again == channel.clock() + timedelta(seconds=3)


async def test_hints_are_shown_one_after_the_other(channel: Channel) -> None:
    race = await channel.race(seconds=30)
    racing = channel.services.racing
    shown = []
    for seconds in (0, 10, 10):
        channel.clock.move(seconds=seconds)
        await racing.turn(race.id, channel.clock())
        question = await racing.question(race.id)
        assert question is not None
        shown.append(len(question.hints))
    assert shown == [0, 1, 2]


async def test_a_right_answer_after_a_hint_counts_as_hinted(channel: Channel) -> None:
    race = await channel.race()
    before = await channel.answer(race.id, "  ", TOM)  # earns another try
    assert before.outcome is not None
    assert not before.outcome.exercise.hinted
    channel.clock.move(seconds=10)
    await channel.services.racing.turn(race.id, channel.clock())
    for user in (MIKA, TOM):
        told = await channel.answer(race.id, await channel.right(race.id), user)
        assert told.outcome is not None
        assert told.outcome.exercise.hinted


async def test_what_a_race_asks_is_what_was_asked_for(channel: Channel) -> None:
    race = await channel.race(pack="verb forms", lessons="1", count=3, seconds=None, typed=True)
    assert (race.total, race.new.title, race.new.seconds, race.new.typed) == (3, "Verb forms", None, True)
    place = await channel.services.sharing.shared.place(race.id, 1)
    assert place is not None
    assert place.item.row.lesson == "1"


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"pack": "nothing"}, UnknownPack),
        ({"lessons": "none such"}, BadRange | NothingMatches),
        ({"lessons": "99999"}, NothingMatches),
    ],
)
async def test_a_race_over_nothing_is_refused(channel: Channel, asked: dict[str, Any], error: Any) -> None:
    with pytest.raises(error if isinstance(error, type) else (BadRange, NothingMatches)):
        await channel.race(**asked)


async def test_one_race_at_a_time(channel: Channel) -> None:
    await channel.race()
    with pytest.raises(RaceUnderWay):
        await channel.race(user=TOM)


async def test_two_races_begun_at_once_are_one(channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
    await channel.race()

    async def none(_: object) -> None:
        return None

    monkeypatch.setattr(channel.services.sharing.shared, "race_in", none)
    with pytest.raises(RaceUnderWay):
        await channel.race()


async def test_the_next_question_is_for_those_who_answered_or_the_one_who_began(channel: Channel) -> None:
    race = await channel.race(seconds=None, count=3)
    racing, now = channel.services.racing, channel.clock()
    with pytest.raises(NotTheirRace) as refused:
        await racing.next(race.id, 1, TOM, HERE, now)
    assert not refused.value.stop
    await channel.answer(race.id, "ぬぬ", TOM)
    await racing.next(race.id, 1, TOM, HERE, now)
    await nowhere(Gone.TIME_UP, racing.next(race.id, 1, TOM, HERE, now))
    await nowhere(Gone.UNKNOWN, racing.next(race.id, 1, TOM, THERE, now))
    await nowhere(Gone.UNKNOWN, racing.next(race.id, 9, TOM, HERE, now))
    channel.clock.move(seconds=3)
    assert (await racing.turn(race.id, channel.clock())).move is Move.ASK
    await racing.next(race.id, 2, MIKA, HERE, channel.clock())
    assert (await channel.standing(race.id)).phase is Phase.CLOSED
    await racing.stop(race.id, MIKA, HERE, now, moderates=False)
    await nowhere(Gone.RACE_OVER, racing.next(race.id, 2, MIKA, HERE, now))


async def test_stopping_is_for_the_one_who_began_and_for_moderators(channel: Channel) -> None:
    racing, now = channel.services.racing, channel.clock()
    race = await channel.race()
    with pytest.raises(NotTheirRace) as refused:
        await racing.stop(race.id, TOM, HERE, now, moderates=False)
    assert refused.value.stop
    await nowhere(Gone.UNKNOWN, racing.stop(race.id, AOKI, THERE, now, moderates=True))
    await nowhere(Gone.UNKNOWN, racing.stop(SharedId(99), AOKI, HERE, now, moderates=True))
    await racing.stop(race.id, AOKI, HERE, now, moderates=True)
    await nowhere(Gone.RACE_OVER, racing.stop(race.id, MIKA, HERE, now, moderates=False))
    assert (await channel.standing(race.id)).ending is Ending.STOPPED
    turn = await racing.turn(race.id, now)
    assert turn == Turn(Move.END, None, over=True)
    await racing.concluded(race.id, MessageId(4))
    assert await racing.turn(race.id, now) == Turn(None, None, over=True)


async def test_a_lost_race_has_no_last_card(channel: Channel) -> None:
    race = await channel.race()
    await channel.services.racing.lose(race.id, channel.clock())
    assert await channel.services.racing.turn(race.id, channel.clock()) == Turn(None, None, over=True)


async def test_what_is_not_there_has_no_turn_no_question_and_no_end(channel: Channel) -> None:
    racing = channel.services.racing
    assert await racing.turn(SharedId(99), channel.clock()) == Turn(None, None, over=True)
    assert await racing.question(SharedId(99)) is None
    assert await racing.finish(SharedId(99)) is None


async def test_a_step_that_somebody_else_took_is_looked_at_again(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = await channel.race()

    async def taken(*_: object) -> bool:
        return False

    monkeypatch.setattr(channel.services.sharing.shared, "close", taken)
    channel.clock.move(seconds=16)
    assert await channel.services.racing.turn(race.id, channel.clock()) == Turn(None, channel.clock())


async def test_a_restart_asks_the_open_question_anew_and_leaves_running_races_alone(channel: Channel) -> None:
    racing = channel.services.racing
    race = await channel.race()
    await racing.posted(race.id, 1, MessageId(3), channel.clock())
    await channel.answer(race.id, "ぬぬ")
    assert await racing.resume(channel.clock(), {race.id}) == []
    assert await racing.resume(channel.clock(), ()) == [race.id]
    assert (await channel.standing(race.id)).phase is Phase.WAITING
    assert (await racing.turn(race.id, channel.clock())).move is Move.ASK
    assert (await channel.standing(race.id)).message is None
    told = await channel.answer(race.id, await channel.right(race.id))
    assert told.outcome is not None
    assert told.outcome.grade.verdict is Verdict.WRONG  # the first try counts
    await racing.stop(race.id, MIKA, HERE, channel.clock(), moderates=False)
    assert await racing.resume(channel.clock(), ()) == [race.id]  # for its last card
    channel.clock.move(minutes=6)
    assert await racing.resume(channel.clock(), ()) == []


async def test_misses_and_what_was_left_out_are_drilled_privately(channel: Channel) -> None:
    racing = channel.services.racing
    race = await channel.race(count=3)
    await nowhere(Gone.RACE_UNDER_WAY, racing.misses(race.id, MIKA, HERE, channel.clock(), anew=False))
    await channel.answer(race.id, "ぬぬ")
    await turns(channel, race.id, until=Move.ASK)
    await channel.answer(race.id, await channel.right(race.id, 2), position=2)
    await racing.stop(race.id, MIKA, HERE, channel.clock(), moderates=False)
    now = channel.clock()
    with pytest.raises(NothingMissed) as nothing:
        await racing.misses(race.id, TOM, HERE, now, anew=False)
    assert not nothing.value.took_part
    await nowhere(Gone.UNKNOWN, racing.misses(race.id, MIKA, THERE, now, anew=False))
    step = await racing.misses(race.id, MIKA, HERE, now, anew=False)
    assert (step.drill.total, step.drill.shared, step.drill.title) == (2, None, "Particles")
    with pytest.raises(DrillUnfinished) as unfinished:
        await racing.misses(race.id, MIKA, HERE, now, anew=False)
    assert unfinished.value.drill.id == step.drill.id
    anew = await racing.misses(race.id, MIKA, HERE, now, anew=True)
    assert anew.drill.id != step.drill.id
    assert (await channel.services.delivering.owned(step.drill.id, MIKA)).state is DrillState.STOPPED


async def test_who_missed_nothing_has_nothing_to_drill(channel: Channel) -> None:
    race = await channel.race(count=1)
    await channel.answer(race.id, await channel.right(race.id))
    await turns(channel, race.id)
    with pytest.raises(NothingMissed) as nothing:
        await channel.services.racing.misses(race.id, MIKA, HERE, channel.clock(), anew=False)
    assert nothing.value.took_part


async def test_the_end_names_who_wants_it_and_what_was_hardest(channel: Channel) -> None:
    await channel.services.choosing.change(TOM, channel.clock(), named=True)
    race = await channel.race(count=1)
    await channel.answer(race.id, "ぬぬ")
    await channel.answer(race.id, await channel.right(race.id), TOM)
    await turns(channel, race.id)
    finish = await channel.services.racing.finish(race.id)
    assert finish is not None
    assert (finish.scores.named, finish.scores.others, finish.scores.missed) == (((TOM, 1),), 1, 1)
    assert finish.hardest is None  # it would tell who missed it
    crowd = await channel.race(count=1)
    for user in range(100, 105):
        await channel.services.choosing.change(UserId(user), channel.clock(), named=True)
        await channel.answer(crowd.id, "ぬぬ", UserId(user))
    await turns(channel, crowd.id)
    finish = await channel.services.racing.finish(crowd.id)
    assert finish is not None
    assert finish.hardest is not None
    assert (finish.scores.named, finish.scores.others) == ((), 5)  # no point, no name
    empty = await channel.race()
    await channel.services.racing.stop(empty.id, MIKA, HERE, channel.clock(), moderates=False)
    finish = await channel.services.racing.finish(empty.id)
    assert finish is not None
    assert finish.hardest is None


async def test_again_is_the_same_kind_of_race(channel: Channel) -> None:
    racing = channel.services.racing
    race = await channel.race(lessons="1", count=2, seconds=20)
    await nowhere(Gone.RACE_UNDER_WAY, racing.again(race.id, TOM, HERE, channel.clock()))
    await turns(channel, race.id)
    await nowhere(Gone.UNKNOWN, racing.again(race.id, TOM, THERE, channel.clock()))
    anew = await racing.again(race.id, TOM, HERE, channel.clock())
    assert (anew.new.starter, anew.new.pack, anew.new.lessons, anew.new.seconds, anew.total) == (
        TOM,
        race.new.pack,
        "1",
        20,
        2,
    )
    shared = channel.services.sharing.shared
    assert set(await shared.items_of(anew.id)).isdisjoint(await shared.items_of(race.id))


async def test_again_over_given_items_asks_them_again(channel: Channel) -> None:
    sharing, racing, now = channel.services.sharing, channel.services.racing, channel.clock()
    particles = next(pack for pack in await channel.services.delivering.visible_packs(MIKA, HERE, now))
    items = (await sharing.shared.items([particles.id]))[:2]
    race = await sharing.together(HERE, CHANNEL, AOKI, items, "Particles", now)
    await racing.stop(race.id, AOKI, HERE, now, moderates=False)
    anew = await racing.again(race.id, TOM, HERE, now)
    assert await sharing.shared.items_of(anew.id) == items
    assert (anew.new.starter, anew.new.title) == (TOM, "Particles")


async def test_a_race_is_no_drill_of_the_day(channel: Channel) -> None:
    post = await channel.daily()
    await nowhere(Gone.UNKNOWN, channel.services.racing.again(post.shared.id, TOM, HERE, channel.clock()))


async def test_only_right_words_in_the_channel_are_answers(channel: Channel) -> None:
    racing = channel.services.racing
    race = await channel.race(typed=True)
    right = await channel.right(race.id)
    for said in ("ぬぬ", "", "は" * 501, "おはよう"):
        assert not await racing.heard(channel.given(race.id, said, TOM, position=0))
    assert await channel.services.sharing.shared.drill_of(race.id, TOM) is None
    assert await racing.heard(channel.given(race.id, right, TOM, position=0))
    assert not await racing.heard(channel.given(race.id, right, TOM, position=0))
    assert (await channel.standing(race.id)).answered == 1
    await channel.services.sharing.shared.close(race.id, 1, channel.clock())
    assert not await racing.heard(channel.given(race.id, right, MIKA, position=0))
    assert not await racing.heard(channel.given(SharedId(99), right, MIKA, position=0))
    assert not await racing.heard(channel.given(race.id, right, MIKA, guild=GuildId(5)))


async def test_words_that_come_as_the_question_closes_are_no_answer(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = await channel.race(typed=True)
    answering = channel.services.sharing.answering
    said = channel.given(race.id, await channel.right(race.id), TOM, position=0)
    anew = channel.services.sharing.shared.anew
    tokenizer = answering.tokenizer.analyse

    async def slow(texts: list[str]) -> object:
        await anew(race.id)
        return await tokenizer(texts)

    monkeypatch.setattr(answering.tokenizer, "analyse", slow)
    assert not await channel.services.racing.heard(said)


async def test_a_private_card_of_a_question_whose_time_is_up_is_answered_in_words(channel: Channel) -> None:
    race = await channel.race()
    told = await channel.answer(race.id, "  ")  # another try
    assert told.outcome is not None
    channel.clock.move(seconds=16)
    await channel.services.racing.turn(race.id, channel.clock())
    await nowhere(Gone.TIME_UP, channel.services.delivering.open_exercise(told.outcome.exercise.id, MIKA))


async def test_a_race_stops_nobodys_drill(channel: Channel) -> None:
    mine = await channel.services.delivering.start(DrillRequest(MIKA, HERE), channel.clock())
    race = await channel.race()
    await channel.answer(race.id, "ぬぬ")
    await turns(channel, race.id)
    assert (await channel.services.delivering.owned(mine.drill.id, MIKA)).state is DrillState.OPEN
