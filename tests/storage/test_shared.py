"""Drills that several people answer: one card, a drill of their own for each, and no answer where the time is up."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lessons.model import (
    ChannelId,
    Drill,
    Ending,
    GuildId,
    ItemId,
    MessageId,
    NewShared,
    Phase,
    Preferences,
    RunId,
    Scores,
    SharedId,
    SharedKind,
    Tally,
    Track,
    UserId,
)
from storage.shared import SharedStore
from tests.storage.world import (
    AIKO,
    AT,
    AWAY,
    BEN,
    DAY,
    HOME,
    MINUTE,
    Stores,
    begin,
    hit,
    items_of,
    miss,
    publish,
    rows,
    save,
)

if TYPE_CHECKING:
    from lessons.model import Exercise, Shared

CHANNEL = ChannelId(70)
RACE = NewShared(SharedKind.RACE, HOME, CHANNEL, Track.LESSON, "N5", AIKO, seconds=16)
DAILY = NewShared(SharedKind.DAILY, HOME, CHANNEL, Track.LESSON, "N5")


@pytest.fixture
def shared(to: Stores) -> SharedStore:
    return SharedStore(to.db)


async def started(to: Stores, shared: SharedStore, new: NewShared = RACE, amount: int = 3) -> Shared:
    pack = (await save(to, items=rows(amount))).pack
    begun = await shared.begin(new, await items_of(to, pack.id), AT)
    assert begun is not None
    return begun


async def own(to: Stores, shared: SharedStore, of: Shared, user: UserId, position: int = 1) -> Exercise:
    """The person's exercise of a question, joined if they had not."""
    assert await shared.join(of.id, user, AT) is not None
    place = await shared.place(of.id, position, user)
    assert place is not None
    assert place.exercise is not None
    return place.exercise


async def drill_of(to: Stores, shared: SharedStore, of: Shared, user: UserId) -> Drill:
    number = await shared.drill_of(of.id, user)
    assert number is not None
    drill = await to.drills.drill(number, user)
    assert drill is not None
    return drill


async def test_a_race_waits_for_its_first_question_and_a_daily_drill_is_open(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    assert (race.phase, race.position, race.total, race.ending) == (Phase.WAITING, 1, 3, None)
    assert race.new == RACE
    daily = await started(to, shared, DAILY)
    assert daily.phase is Phase.ASKING
    assert await shared.shared(daily.id) == daily
    assert await shared.shared(SharedId(99)) is None


async def test_one_race_a_channel_at_a_time(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    items = await shared.items_of(race.id)
    assert await shared.begin(RACE, items, AT) is None
    assert await shared.begin(DAILY, items, AT) is not None
    assert await shared.begin(replace(RACE, channel=ChannelId(71)), items, AT) is not None
    assert await shared.race_in(CHANNEL) == race
    await shared.end(race.id, Ending.STOPPED, AT)
    assert await shared.race_in(CHANNEL) is None
    assert await shared.begin(RACE, items, AT) is not None


async def test_one_drill_a_time_of_a_schedule(to: Stores, shared: SharedStore) -> None:
    await to.db.write(
        lambda transaction: transaction.run(
            "INSERT INTO schedule (id, kind, guild_id, channel_id, made_by, time_zone, minute, weekdays, lessons, news,"
            " count, state, paused_why, made_at) VALUES (1, 'daily_drill', 1, 1, 1, 'UTC', 0, 1, '', 0, 1, 'draft', '', 0)"
        )
    )
    await to.db.write(
        lambda transaction: transaction.run(
            "INSERT INTO run (id, schedule_id, due_at, day, late, state, why) VALUES (5, 1, 0, 0, 0, 'claimed', '')"
        )
    )
    first = await started(to, shared, replace(DAILY, run=RunId(5)))
    assert await shared.of_run(RunId(5)) == first
    assert await shared.of_run(RunId(6)) is None
    assert await shared.begin(replace(DAILY, run=RunId(5)), await shared.items_of(first.id), AT) is None


async def test_a_drill_without_a_question_is_refused(shared: SharedStore) -> None:
    with pytest.raises(ValueError, match="needs a question"):
        await shared.begin(RACE, [], AT)


async def test_a_question_is_opened_hinted_and_closed_once_and_in_order(to: Stores, shared: SharedStore) -> None:
    race = (await started(to, shared)).id
    assert not await shared.close(race, 1, AT)
    assert not await shared.ask(race, 2, AT)
    assert await shared.ask(race, 1, AT)
    assert not await shared.ask(race, 1, AT)
    await shared.posted(race, 1, MessageId(900), AT + MINUTE)
    assert await shared.hint(race, 1, 1)
    assert not await shared.hint(race, 1, 1)
    assert not await shared.hint(race, 2, 2)
    now = await shared.shared(race)
    assert now is not None
    assert (now.hints, now.message, now.phase, now.phase_at) == (1, 900, Phase.ASKING, AT + MINUTE)
    assert await shared.close(race, 1, AT + MINUTE)
    assert not await shared.close(race, 1, AT + MINUTE)
    assert await shared.ask(race, 2, AT + MINUTE)
    now = await shared.shared(race)
    assert now is not None
    assert (now.position, now.hints, now.message, now.phase_at) == (2, 0, None, AT + MINUTE)
    await shared.close(race, 2, AT)
    await shared.ask(race, 3, AT)
    await shared.close(race, 3, AT)
    assert not await shared.ask(race, 4, AT)  # there are three


async def test_a_daily_drill_has_no_moves(to: Stores, shared: SharedStore) -> None:
    daily = (await started(to, shared, DAILY)).id
    assert not await shared.close(daily, 1, AT)
    assert not await shared.end(daily, Ending.STOPPED, AT)
    assert not await shared.anew(daily)
    assert await shared.unfinished(AT - DAY) == []


async def test_a_question_is_asked_anew(to: Stores, shared: SharedStore) -> None:
    race = (await started(to, shared)).id
    assert not await shared.anew(race)
    await shared.ask(race, 1, AT)
    assert await shared.anew(race)
    assert await shared.ask(race, 1, AT)


async def test_races_without_their_last_card_are_found(to: Stores, shared: SharedStore) -> None:
    race = (await started(to, shared)).id
    assert [each.id for each in await shared.unfinished(AT)] == [race]
    await shared.end(race, Ending.FINISHED, AT)
    assert [each.id for each in await shared.unfinished(AT)] == [race]
    assert await shared.unfinished(AT + MINUTE) == []
    await shared.concluded(race, MessageId(901))
    assert await shared.unfinished(AT) == []
    ended = await shared.shared(race)
    assert ended is not None
    assert (ended.ending, ended.ended_at, ended.last) == (Ending.FINISHED, AT, 901)
    lost = (await started(to, shared)).id
    await shared.end(lost, Ending.LOST, AT)
    assert await shared.unfinished(AT) == []


async def test_everybody_gets_one_drill_of_their_own(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    joined = await asyncio.gather(*(shared.join(race.id, user, AT) for user in [AIKO, BEN] * 10))
    drills = [await drill_of(to, shared, race, user) for user in (AIKO, BEN)]
    exercises = [tuple(each.id for each in await to.drills.exercises(drill.id, drill.user_id)) for drill in drills]
    assert {each.exercises for each in joined if each} == set(exercises)
    drill = await drill_of(to, shared, race, AIKO)
    assert (drill.shared, drill.race, drill.total, drill.guild_id, drill.title) == (race.id, True, 3, HOME, "N5")
    daily = await started(to, shared, DAILY)
    assert (await shared.join(daily.id, AIKO, AT)) is not None
    assert not (await drill_of(to, shared, daily, AIKO)).race


async def test_the_first_shared_drill_of_a_person_is_told_from_later_ones(to: Stores, shared: SharedStore) -> None:
    race, daily = await started(to, shared), await started(to, shared, DAILY)
    for _ in range(2):  # as after an answer that earned another try
        joined = await shared.join(race.id, AIKO, AT)
        assert joined is not None
        assert joined.first
    later = await shared.join(daily.id, AIKO, AT)
    assert later is not None
    assert not later.first


async def test_nobody_joins_what_is_over_or_gone(to: Stores, shared: SharedStore) -> None:
    race = (await started(to, shared)).id
    await shared.end(race, Ending.STOPPED, AT)
    assert await shared.join(race, AIKO, AT) is None
    assert await shared.join(SharedId(99), AIKO, AT) is None
    assert await shared.drill_of(race, AIKO) is None


async def test_a_shared_drill_stands_in_nobodys_way(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    await shared.join(race.id, AIKO, AT)
    assert await to.drills.open_drill(AIKO, Track.LESSON) is None
    assert await to.drills.last_titled(AIKO, "N5") is None
    drill, _ = await begin(to)
    assert (await drill_of(to, shared, race, AIKO)).ended_at is None
    other = await started(to, shared, DAILY)
    await shared.join(other.id, AIKO, AT)
    assert await to.drills.open_drill(AIKO, Track.LESSON) == drill


async def test_answers_count_while_a_question_is_asked_and_those_on_their_way_when_it_closes(
    to: Stores, shared: SharedStore
) -> None:
    race = await started(to, shared)
    first = await own(to, shared, race, AIKO)
    assert first.time_up
    with pytest.raises(AssertionError):  # it waits
        await hit(to, first, AIKO)
    await shared.ask(race.id, 1, AT)
    assert not (await own(to, shared, race, AIKO)).time_up
    await hit(to, first, AIKO)
    with pytest.raises(AssertionError):  # not yet
        await hit(to, await own(to, shared, race, AIKO, 2), AIKO)
    await shared.close(race.id, 1, AT + MINUTE)
    on_its_way = await own(to, shared, race, BEN)
    assert on_its_way.time_up
    with pytest.raises(AssertionError):
        await miss(to, on_its_way, BEN, at=AT + 2 * MINUTE)
    await miss(to, on_its_way, BEN, at=AT + MINUTE)
    assert await shared.tally(race.id, 1) == Tally(2, 1)
    await shared.ask(race.id, 2, AT + 2 * MINUTE)
    late = UserId(3)
    with pytest.raises(AssertionError):
        await miss(to, await own(to, shared, race, late), late, at=AT)


async def test_a_daily_drill_takes_answers_for_ever(to: Stores, shared: SharedStore) -> None:
    daily = await started(to, shared, DAILY)
    await hit(to, await own(to, shared, daily, AIKO), AIKO, AT + 30 * DAY)
    await hit(to, await own(to, shared, daily, AIKO, 2), AIKO, AT + 30 * DAY)
    assert await shared.tally(daily.id, 1) == Tally(1, 1)


async def test_numbers_name_only_those_who_want_it_and_only_when_right(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    await shared.ask(race.id, 1, AT)
    for user in (AIKO, BEN, UserId(3)):
        await to.learners.save_preferences(user, Preferences(named=user != BEN), AT, zone_chosen=False)
    await hit(to, await own(to, shared, race, AIKO), AIKO)
    await hit(to, await own(to, shared, race, BEN), BEN)
    await miss(to, await own(to, shared, race, UserId(3)), UserId(3))
    assert await shared.tally(race.id, 1) == Tally(3, 2, (AIKO,))
    assert await shared.tally(race.id, 2) == Tally()
    now = await shared.shared(race.id)
    assert now is not None
    assert (now.answered, now.right_at, now.touched_at, now.last_answered) == (3, AT, AT, 1)
    assert await shared.scores(race.id) == Scores(((AIKO, 1),), 2, 1, 1)


async def test_scores_of_a_race_nobody_answered(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    await shared.join(race.id, AIKO, AT)
    assert await shared.scores(race.id) == Scores()


async def test_the_end_ends_everybodys_drill(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    other, _ = await begin(to, BEN)
    for user in (AIKO, BEN):
        await shared.join(race.id, user, AT)
    await shared.end(race.id, Ending.STOPPED, AT)
    for user in (AIKO, BEN):
        assert (await drill_of(to, shared, race, user)).ended_at == AT
    assert await to.drills.open_drill(BEN, Track.LESSON) == other


async def test_places_belong_to_the_person_who_looks(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    await shared.join(race.id, AIKO, AT)
    for user, there in ((AIKO, True), (BEN, False), (None, False)):
        place = await shared.place(race.id, 2, user)
        assert place is not None
        assert (place.exercise is not None) is there
        assert place.item.row.key == "row 2"
    assert await shared.place(race.id, 4, AIKO) is None
    assert await shared.place(SharedId(99), 1, AIKO) is None


async def test_forgetting_a_person_leaves_the_others_their_race(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared)
    await shared.ask(race.id, 1, AT)
    await hit(to, await own(to, shared, race, AIKO), AIKO)
    await miss(to, await own(to, shared, race, BEN), BEN)
    await to.db.write(lambda transaction: transaction.run("DELETE FROM learner WHERE user_id = ?", (AIKO,)))
    now = await shared.shared(race.id)
    assert now is not None
    assert now.new.starter is None
    assert await shared.tally(race.id, 1) == Tally(1, 0)


async def test_what_a_channel_was_asked_lately(to: Stores, shared: SharedStore) -> None:
    race = await started(to, shared, amount=2)
    items = await shared.items_of(race.id)
    assert await shared.asked_in(CHANNEL, AT) == items
    assert await shared.asked_in(CHANNEL, AT + MINUTE) == []
    assert await shared.asked_in(ChannelId(71), AT) == []
    await shared.begin(DAILY, items[1:], AT + MINUTE)
    assert await shared.asked_in(CHANNEL, AT) == [items[1], items[0]]


async def test_items_of_packs_and_lessons(to: Stores, shared: SharedStore) -> None:
    pack = (await save(to, items=[*rows(2, "1"), *rows(3, "2")[2:]])).pack
    assert len(await shared.items([pack.id])) == 3
    assert len(await shared.items([pack.id], ["2"])) == 1
    assert await shared.items([pack.id], []) == []
    await to.packs.remove(pack.id, AT)
    assert await shared.items([pack.id]) == []


async def test_closed_gaps_of_the_newest_articles_of_the_server(to: Stores, shared: SharedStore) -> None:
    old, new = await publish(to, 1), await publish(to, 2, at=AT + MINUTE)
    await publish(to, 3, AWAY)
    gaps = await shared.gaps(HOME, 10)
    assert [gap.article for gap in gaps] == [new.id, new.id, old.id, old.id]
    assert len({gap.sentence for gap in gaps}) == 4
    assert {gap.article for gap in await shared.gaps(HOME, 1)} == {new.id}
    assert await shared.gaps(GuildId(99), 10) == []


async def test_what_a_card_asks_keeps_its_text_when_the_article_goes(to: Stores, shared: SharedStore) -> None:
    article = await publish(to)
    asked, other = (gap.item for gap in await shared.gaps(HOME, 10))
    daily = await shared.begin(replace(DAILY, track=Track.EXERCISE), [asked], AT)
    assert daily is not None
    await to.articles.remove(article.id, HOME, AT)
    place = await shared.place(daily.id, 1)
    assert place is not None
    assert place.item.clipping is not None
    assert await shared.items_of(daily.id) == [asked]
    assert await to.packs.item(ItemId(other)) is None
