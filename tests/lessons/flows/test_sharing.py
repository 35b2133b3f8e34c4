"""Drills of the day and everybody's answers: once each, privately, the card with numbers alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.app import Services
from lessons.errors import DrillUnfinished, Gone, PressLeadsNowhere, RaceUnderWay, TextTooLong
from lessons.flows.delivering import DrillRequest
from lessons.flows.questioning import drawn
from lessons.flows.sharing import DailyDrill
from lessons.model import (
    Asked,
    DrillState,
    ItemId,
    MessageId,
    PackId,
    Pause,
    Phase,
    Post,
    Skip,
    Tally,
    Track,
    UserId,
    Verdict,
)
from tests.conftest import MovableClock
from tests.newsroom import newsroom
from tests.together import ANYTHING, AOKI, CHANNEL, HERE, MIKA, THERE, TOM, Channel


@pytest.fixture
def channel(services: Services, clock: MovableClock) -> Channel:
    return Channel(services, clock)


async def posted(channel: Channel, asked: Asked = ANYTHING) -> DailyDrill:
    post = await channel.daily(asked)
    assert isinstance(post, DailyDrill)
    return post


async def test_a_drill_of_the_day_is_the_same_however_often_it_is_composed(channel: Channel) -> None:
    run = await channel.due(Asked(count=3))
    sharing = channel.services.sharing
    first, *others = [await sharing.compose(run, channel.clock()) for _ in range(3)]
    assert isinstance(first, DailyDrill)
    assert others == [first, first]
    assert (first.shared.total, first.shared.new.run, first.tally) == (3, run.id, Tally())
    at_once = await channel.due()
    made = await asyncio.gather(*(sharing.compose(at_once, channel.clock()) for _ in range(5)))
    assert len({each.shared.id for each in made if isinstance(each, DailyDrill)}) == 1


async def test_the_card_knows_its_message(channel: Channel) -> None:
    run = await channel.due()
    sharing = channel.services.sharing
    post = await sharing.compose(run, channel.clock())
    assert isinstance(post, DailyDrill)
    await sharing.posted(run, post, MessageId(5), channel.clock())
    await sharing.posted(run, Post(), MessageId(6), channel.clock())
    assert (await channel.standing(post.shared.id)).message == 5


async def test_a_channel_is_not_asked_the_same_again_soon(channel: Channel) -> None:
    asked = [(await posted(channel, Asked(count=10))).shared.id for _ in range(4)]
    items = [item for each in asked for item in await channel.services.sharing.shared.items_of(each)]
    assert len(items) == len(set(items)) == 40


async def test_questions_are_drawn_by_the_seed_and_the_oldest_come_back_first() -> None:
    items = [ItemId(number) for number in range(20)]
    assert drawn(items, [], 5, 1) == drawn(items, [], 5, 1) != drawn(items, [], 5, 2)
    assert drawn(items[:3], [items[0], items[2], items[1]], 3, 1) == [items[1], items[2], items[0]]
    assert drawn(items, items[:18], 2, 1) in (items[18:], items[:17:-1])


async def test_what_was_asked_for_is_asked(channel: Channel) -> None:
    packs = await channel.services.delivering.visible_packs(MIKA, HERE, channel.clock())
    forms = next(pack for pack in packs if pack.name == "verb_forms")
    post = await posted(channel, Asked(pack=forms.id, lessons="1"))
    assert (post.item.pack_id, post.item.row.lesson, post.shared.new.title) == (forms.id, "1", "Verb forms")


@pytest.mark.parametrize("asked", [Asked(pack=PackId(999)), Asked(lessons="no such"), Asked(lessons="??")])
async def test_a_schedule_without_its_material_pauses(channel: Channel, asked: Asked) -> None:
    assert await channel.daily(asked) is Pause.NO_MATERIAL


async def test_a_schedule_without_a_server_pauses(channel: Channel) -> None:
    run = await channel.due(guild=None)
    assert await channel.services.sharing.compose(run, channel.clock()) is Pause.NO_CHANNEL


async def test_a_house_without_packs_pauses(channel: Channel) -> None:
    database = channel.services.sharing.shared._db
    await database.write(lambda transaction: transaction.run("UPDATE pack SET removed_at = 1"))
    assert await channel.daily() is Pause.NO_MATERIAL


async def test_news_of_the_day_are_closed_gaps_of_this_server_each_sentence_once(
    data: Path, clock: MovableClock
) -> None:
    async with newsroom(data, clock) as room:
        channel = Channel(room.services, clock)
        assert await channel.daily(Asked(news=True)) is Skip.NOTHING
        await room.bring()
        assert await channel.daily(Asked(news=True), THERE) is Skip.NOTHING
        seen: list[int] = []
        while isinstance(post := await channel.daily(Asked(news=True, count=2)), DailyDrill):
            assert post.shared.new.track is Track.EXERCISE
            for position in range(1, post.shared.total + 1):
                place = await room.services.sharing.shared.place(post.shared.id, position)
                assert place is not None
                assert place.item.clipping is not None
                assert place.item.clipping.closed
                assert place.item.clipping.url
                seen.append(place.item.clipping.sentence)
        assert post is Skip.NOTHING
        assert len(seen) == len(set(seen)) > 2


async def test_an_answer_is_a_persons_own_and_stays(channel: Channel) -> None:
    post = await posted(channel)
    told = await channel.answer(post.shared.id, "ぬぬ")
    assert told.outcome is not None
    assert told.outcome.grade.verdict is Verdict.WRONG
    assert told.outcome.mistake is not None
    assert told.outcome.drill.state is DrillState.FINISHED
    again = await channel.answer(post.shared.id, await channel.right(post.shared.id))
    assert again.outcome is not None
    assert again.outcome.grade.verdict is Verdict.WRONG
    assert again.outcome.mistake == told.outcome.mistake
    right = await channel.answer(post.shared.id, await channel.right(post.shared.id), TOM)
    assert right.outcome is not None
    assert right.outcome.mistake is None
    card = await channel.services.sharing.card(post.shared.id)
    assert card is not None
    assert card.tally == Tally(2, 1)
    assert [guild for guild, _ in await channel.services.delivering.learners.visited(MIKA)] == [HERE]
    looked = await channel.services.sharing.look(post.shared.id, 1, TOM, HERE)
    once_more = await channel.services.sharing.told(looked, TOM, channel.clock())
    assert once_more.outcome is not None
    assert once_more.outcome.mistake is None


async def test_the_first_answer_is_the_one_time_that_a_name_is_offered(channel: Channel) -> None:
    first, second = await posted(channel, Asked(count=2)), await posted(channel)
    told = await channel.answer(first.shared.id, "ぬぬ")
    assert told.offer
    assert not (await channel.answer(first.shared.id, "ぬぬ")).offer
    assert not (await channel.answer(first.shared.id, "ぬぬ", position=2)).offer
    assert not (await channel.answer(second.shared.id, "ぬぬ")).offer
    await channel.services.choosing.change(TOM, channel.clock(), named=True)
    right = await channel.right(first.shared.id)
    assert not (await channel.answer(first.shared.id, right, TOM)).offer
    card = await channel.services.sharing.card(first.shared.id)
    assert card is not None
    assert card.tally == Tally(2, 1, (TOM,))


async def test_an_answer_that_earns_another_try_is_not_counted_yet(channel: Channel) -> None:
    post = await posted(channel, Asked(pack=await pack_id(channel, "particles")))
    told = await channel.answer(post.shared.id, "  ")
    assert told.outcome is not None
    assert told.outcome.grade.verdict is Verdict.RETRY
    assert not told.offer
    card = await channel.services.sharing.card(post.shared.id)
    assert card is not None
    assert card.tally == Tally()
    assert (await channel.answer(post.shared.id, "ぬぬ")).offer


async def pack_id(channel: Channel, name: str) -> PackId:
    packs = await channel.services.delivering.visible_packs(MIKA, HERE, channel.clock())
    return next(pack.id for pack in packs if pack.name == name)


async def test_twenty_people_and_their_repeats_are_graded_once_each(channel: Channel) -> None:
    post = await posted(channel)
    right = await channel.right(post.shared.id)
    given = [channel.given(post.shared.id, right if user % 2 else "ぬ", UserId(user)) for user in range(100, 120)]
    told = await asyncio.gather(*(channel.services.sharing.answer(each) for each in [*given, *given]))
    assert all(each.outcome is not None for each in told)
    card = await channel.services.sharing.card(post.shared.id)
    assert card is not None
    assert card.tally == Tally(20, 10)


async def test_the_following_questions_come_privately(channel: Channel) -> None:
    post = await posted(channel, Asked(count=2))
    told = await channel.answer(post.shared.id, "ぬぬ")
    assert told.outcome is not None
    step = await channel.services.delivering.step(told.outcome.drill.id, MIKA)
    assert step.exercise is not None
    assert step.exercise.position == 2


async def test_a_drill_of_the_day_leaves_ones_own_drill_alone(channel: Channel) -> None:
    mine = await channel.services.delivering.start(DrillRequest(MIKA, HERE), channel.clock())
    post = await posted(channel, Asked(count=2))
    await channel.answer(post.shared.id, "ぬぬ")
    with pytest.raises(DrillUnfinished) as unfinished:
        await channel.services.delivering.start(DrillRequest(MIKA, HERE), channel.clock())
    assert unfinished.value.drill.id == mine.drill.id
    await channel.services.delivering.start(DrillRequest(MIKA, HERE, anew=True), channel.clock())
    number = await channel.services.sharing.shared.drill_of(post.shared.id, MIKA)
    assert number is not None
    assert (await channel.services.delivering.owned(number, MIKA)).state is DrillState.OPEN


@pytest.mark.parametrize("guild", [THERE, None])
async def test_another_servers_card_is_unknown(channel: Channel, guild: object) -> None:
    post = await posted(channel)
    with pytest.raises(PressLeadsNowhere) as nowhere:
        await channel.answer(post.shared.id, "は", guild=guild)
    assert nowhere.value.why is Gone.UNKNOWN


async def test_a_question_that_is_not_there_is_unknown(channel: Channel) -> None:
    post = await posted(channel)
    for shared, position in ((post.shared.id, 2), (99, 1)):
        with pytest.raises(PressLeadsNowhere) as nowhere:
            await channel.answer(shared, "は", position=position)
        assert nowhere.value.why is Gone.UNKNOWN
    assert await channel.services.sharing.card(post.shared.id) is not None
    assert await channel.services.sharing.card(99) is None


async def test_an_answer_that_is_too_long_is_refused(channel: Channel) -> None:
    post = await posted(channel)
    with pytest.raises(TextTooLong):
        await channel.answer(post.shared.id, "は" * 501)


async def test_an_answer_after_the_time_is_not_recorded(channel: Channel) -> None:
    race = await channel.race()
    sharing = channel.services.sharing
    await sharing.shared.close(race.id, 1, channel.clock())
    channel.clock.move(seconds=1)
    told = await channel.answer(race.id, "ぬぬ")
    assert told.outcome is None
    assert told.place.item.answer == await channel.right(race.id)
    assert await sharing.shared.drill_of(race.id, MIKA) is None


async def test_an_answer_on_its_way_when_the_time_runs_out(channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question closes between the look and the record, before the answer was sent, and after."""
    race = await channel.race()
    shared = channel.services.sharing.shared
    join = shared.join

    async def closing(*arguments: object) -> object:
        joined = await join(*arguments)
        await shared.close(race.id, 1, channel.clock())
        return joined

    monkeypatch.setattr(shared, "join", closing)
    channel.clock.move(seconds=1)
    assert (await channel.answer(race.id, "ぬぬ")).outcome is None
    assert (await shared.tally(race.id, 1)).answered == 0


async def test_an_answer_graded_while_the_time_ran_out_counts(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = await channel.race()
    shared, drills = channel.services.sharing.shared, channel.services.sharing.answering.drills
    spacing = drills.spacing

    async def slow(*arguments: object) -> object:
        await shared.close(race.id, 1, channel.clock.at)
        return await spacing(*arguments)

    monkeypatch.setattr(drills, "spacing", slow)
    given = channel.given(race.id, await channel.right(race.id))
    channel.clock.move(seconds=1)
    told = await channel.services.sharing.answer(given)
    assert told.outcome is not None
    assert (await shared.tally(race.id, 1)).right == 1
    late = channel.given(race.id, "ぬぬ", TOM, at=given.at)
    assert (await channel.services.sharing.answer(late)).outcome is None


async def test_a_settled_race_between_look_and_record_is_told_as_over(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = await channel.race()
    shared, drills = channel.services.sharing.shared, channel.services.sharing.answering.drills
    spacing = drills.spacing

    async def slow(*arguments: object) -> object:
        await channel.services.racing.stop(race.id, MIKA, HERE, channel.clock(), moderates=False)
        return await spacing(*arguments)

    monkeypatch.setattr(drills, "spacing", slow)
    assert (await channel.answer(race.id, "ぬぬ", TOM)).outcome is None
    assert (await shared.tally(race.id, 1)).answered == 0


async def test_a_race_that_ended_before_anybody_joined_is_told_as_over(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = await channel.race()
    shared = channel.services.sharing.shared
    join = shared.join

    async def late(*arguments: object) -> object:
        await channel.services.racing.stop(race.id, MIKA, HERE, channel.clock(), moderates=False)
        return await join(*arguments)

    monkeypatch.setattr(shared, "join", late)
    assert (await channel.answer(race.id, "ぬぬ", TOM)).outcome is None


async def test_a_question_that_is_asked_anew_is_not_told_before(channel: Channel) -> None:
    race = await channel.race()
    await channel.services.racing.resume(channel.clock(), ())
    for position in (1, 2):
        with pytest.raises(PressLeadsNowhere) as nowhere:
            await channel.answer(race.id, "ぬぬ", position=position)
        assert nowhere.value.why is Gone.ASKED_ANEW


async def test_a_drill_together_is_a_race_without_a_limit(channel: Channel) -> None:
    heard: list[int] = []
    sharing = channel.services.sharing
    sharing.watchers.append(heard.append)
    items = (await sharing.shared.items([await pack_id(channel, "particles")]))[:3]
    together = await sharing.together(HERE, CHANNEL, AOKI, items, "は and が", channel.clock())
    assert heard == [together.id]
    assert (together.total, together.phase, together.new.seconds) == (3, Phase.WAITING, None)
    with pytest.raises(RaceUnderWay):
        await sharing.together(HERE, CHANNEL, AOKI, items, "は and が", channel.clock())
    sharing.watchers.remove(heard.append)


async def test_a_question_that_went_with_its_pack_is_nothing(channel: Channel) -> None:
    run = await channel.due()
    post = await channel.services.sharing.compose(run, channel.clock())
    assert isinstance(post, DailyDrill)
    database = channel.services.sharing.shared._db
    await database.write(lambda transaction: transaction.run("DELETE FROM shared_item"))
    assert await channel.services.sharing.compose(run, channel.clock()) is Skip.NOTHING


async def test_a_place_nobody_answered_has_no_outcome(channel: Channel) -> None:
    post = await posted(channel)
    look = await channel.services.sharing.look(post.shared.id, 1, MIKA, HERE)
    assert (await channel.services.sharing.told(look, MIKA, channel.clock())).outcome is None
    assert look.exercise is None


async def test_a_drill_of_the_day_that_its_person_stopped_stays_stopped(channel: Channel) -> None:
    post = await posted(channel, Asked(count=2))
    told = await channel.answer(post.shared.id, "  ")  # another try, which never comes
    assert told.outcome is not None
    await channel.services.delivering.stop(told.outcome.drill.id, MIKA, channel.clock())
    with pytest.raises(PressLeadsNowhere) as nowhere:
        await channel.answer(post.shared.id, "ぬぬ")
    assert nowhere.value.why is Gone.STOPPED


async def test_what_comes_too_late_is_not_recorded_and_told_whether_it_was_right(channel: Channel) -> None:
    race = await channel.race(count=1)
    right = await channel.right(race.id)
    await channel.services.racing.stop(race.id, MIKA, HERE, channel.clock(), moderates=False)
    for text, was_right in ((right, True), ("ぬぬ", False)):
        told = await channel.answer(race.id, text, TOM)
        assert (told.outcome, told.right) == (None, was_right)
    assert await channel.services.delivering.drills.practised(TOM) == []
