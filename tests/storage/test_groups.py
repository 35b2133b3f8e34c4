"""What a group's review is counted from: of whom, of which server, of which time, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from lessons.model import (
    CountedAnswers,
    ErrorType,
    Grade,
    MessageId,
    NewSchedule,
    Plan,
    Preferences,
    ReviewedTime,
    Rule,
    RunId,
    RunState,
    Schedule,
    ScheduleKind,
    Slot,
    Track,
    UserId,
    Verdict,
)
from tests.storage.world import (
    AIKO,
    AT,
    AWAY,
    BEN,
    CARD,
    DAY,
    HOME,
    MINUTE,
    MOD,
    Stores,
    attempt,
    begin,
    hit,
    items_of,
    miss,
    prepared,
    publish,
    read_news,
    save,
)

if TYPE_CHECKING:
    from lessons.model import ChannelId, Exercise, GuildId, ScheduleId

LATER = AT + DAY


async def opt_in(to: Stores, *users: UserId, guild: GuildId = HOME, counted: bool = True) -> None:
    for user in users:
        await to.learners.note_visit(user, guild, AT)
        await to.learners.save_preferences(user, Preferences(counted=counted), AT, zone_chosen=False)


async def drilled(to: Stores, user: UserId = AIKO, guild: GuildId | None = HOME) -> list[Exercise]:
    return (await begin(to, user, guild=guild))[1]


async def test_only_who_wants_to_be_counted_and_was_here_is_counted(to: Stores) -> None:
    await opt_in(to, AIKO)
    await opt_in(to, BEN, guild=AWAY)
    await opt_in(to, MOD, counted=False)
    assert await to.groups.counted(HOME) == [(AIKO, AT)]
    assert await to.groups.counted(AWAY) == [(BEN, AT)]


async def test_answers_are_counted_with_their_first_tries(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO, BEN)
    first = await drilled(to)
    await miss(to, first[0])
    await hit(to, first[1])
    again = await drilled(to)
    await hit(to, again[0], at=AT + MINUTE)
    (other,) = (await drilled(to, BEN))[:1]
    await hit(to, other, BEN)
    assert await to.groups.answers(HOME, [AIKO, BEN], AT, LATER) == [
        CountedAnswers(AIKO, Track.LESSON, answered=3, firsts=2, firsts_right=1),
        CountedAnswers(BEN, Track.LESSON, answered=1, firsts=1, firsts_right=1),
    ]


async def test_lessons_and_news_are_counted_apart(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO)
    await hit(to, (await drilled(to))[0])
    article = await publish(to)
    (news, *_) = await read_news(to, await items_of(to, article.id))
    await miss(to, news)
    tracks = [each.track for each in await to.groups.answers(HOME, [AIKO], AT, LATER)]
    assert sorted(tracks) == [Track.EXERCISE, Track.LESSON]


@pytest.mark.parametrize("guild", [AWAY, None])
async def test_what_was_done_elsewhere_does_not_count(to: Stores, guild: GuildId | None) -> None:
    await save(to, guild=None)
    await opt_in(to, AIKO)
    elsewhere = (await begin(to, AIKO, pack_guild=None, guild=guild))[1]
    await miss(to, elsewhere[0])
    assert not await to.groups.answers(HOME, [AIKO], AT, LATER)
    assert not await to.groups.misses(HOME, [AIKO], AT, LATER)


async def test_a_skip_is_no_answer(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO)
    exercise = (await drilled(to))[0]
    skipped = attempt(exercise, AIKO, Grade(Verdict.SKIPPED, ""), "")
    await to.drills.record(skipped, None, None)
    assert not await to.groups.answers(HOME, [AIKO], AT, LATER)


async def test_the_time_begins_with_its_first_moment_and_ends_before_its_last(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO)
    exercises = await drilled(to)
    for exercise, at in zip(exercises, (AT - MINUTE, AT, LATER), strict=True):
        await miss(to, exercise, at=at)
    assert len(await to.groups.misses(HOME, [AIKO], AT, LATER)) == 1
    assert len(await to.groups.misses(HOME, [AIKO], AT - DAY, AT)) == 1
    assert [each.answered for each in await to.groups.answers(HOME, [AIKO], AT, LATER)] == [1]


async def test_misses_tell_the_confusion_and_whose_it_is(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO)
    exercise = (await drilled(to))[0]
    await miss(to, exercise, typed="ば")
    (found,) = await to.groups.misses(HOME, [AIKO], AT, LATER)
    assert (found.user, found.track, found.error_type) == (AIKO, Track.LESSON, ErrorType.PARTICLE)
    assert (found.reference, found.typed, found.item) == (CARD.reference, "ば", exercise.item.id)


async def test_a_deleted_card_is_no_miss_and_stays_an_answer(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO)
    _, card = await miss(to, (await drilled(to))[0])
    await to.mistakes.delete(card, AIKO)
    assert not await to.groups.misses(HOME, [AIKO], AT, LATER)
    assert len(await to.groups.answers(HOME, [AIKO], AT, LATER)) == 1


async def test_who_changed_their_mind_between_the_list_and_the_count_is_left_out(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO)
    await miss(to, (await drilled(to))[0])
    await to.learners.save_preferences(AIKO, Preferences(), AT, zone_chosen=False)
    assert not await to.groups.answers(HOME, [AIKO], AT, LATER)
    assert not await to.groups.misses(HOME, [AIKO], AT, LATER)


async def test_people_who_were_not_named_are_not_looked_at(to: Stores) -> None:
    await save(to)
    await opt_in(to, AIKO, BEN)
    await miss(to, (await drilled(to))[0])
    assert not await to.groups.misses(HOME, [BEN], AT, LATER)
    assert not await to.groups.answers(HOME, [], AT, LATER)


async def test_items_come_from_the_packs_of_the_server_and_the_starter_packs(to: Stores) -> None:
    own, starter = await save(to), await save(to, "Particles", guild=None)
    await save(to, "Next door", guild=AWAY)
    gone = await save(to, "Old")
    await to.packs.remove(gone.pack.id, AT)
    await publish(to)
    found = await to.groups.asked_items(HOME, ErrorType.PARTICLE)
    there = [*await items_of(to, own.pack.id), *await items_of(to, starter.pack.id)]
    assert [each.id for each in found] == sorted(there)
    assert {(each.reference, each.skill) for each in found} == {("は", ErrorType.PARTICLE)}
    assert not await to.groups.asked_items(HOME, ErrorType.TENSE)


async def test_an_item_without_a_skill_may_be_of_any_kind(to: Stores) -> None:
    bare = prepared(1)
    await save(to, items=[replace(bare, row=replace(bare.row, skill=None))])
    (found,) = await to.groups.asked_items(HOME, ErrorType.TENSE)
    assert (found.skill, found.part_of_speech) == (None, "助詞")


async def test_the_time_of_the_latest_review_is_kept_in_the_place_of_the_one_before(to: Stores) -> None:
    assert await to.groups.reviewed(HOME) is None
    await to.groups.note_reviewed(ReviewedTime(HOME, RunId(1), AT - DAY, AT))
    later = ReviewedTime(HOME, RunId(2), AT, LATER)
    await to.groups.note_reviewed(later)
    assert await to.groups.reviewed(HOME) == later
    assert await to.groups.reviewed(AWAY) is None


async def scheduled(to: Stores, guild: GuildId = HOME, channel: int = 5) -> ScheduleId:
    place: ChannelId = channel  # type: ignore[assignment]
    new = NewSchedule(ScheduleKind.GROUP_REVIEW, Rule("UTC", 540), MOD, guild=guild, channel=place)
    made = await to.schedules.draft(new, AT)
    await to.schedules.activate(made, guild, Slot(AT, date(2027, 3, 14)))
    return made


def tomorrow(schedule: Schedule) -> Plan:
    assert schedule.upcoming is not None
    slot = schedule.upcoming
    return Plan(slot, 0, Slot(slot.due + DAY, slot.day + timedelta(days=1)))


async def test_the_latest_settled_run_of_each_schedule_of_the_server_is_told(to: Stores) -> None:
    told, silent = await scheduled(to), await scheduled(to, channel=6)
    await scheduled(to, AWAY)
    assert not await to.groups.latest_runs(HOME)
    for day, state in enumerate((RunState.SKIPPED, RunState.SENT)):
        for run in await to.schedules.claim(AT + day * DAY, 10, tomorrow):
            if run.schedule.id == told:
                message = MessageId(7) if state is RunState.SENT else None
                await to.schedules.settle(run.id, state, run.slot.due, why="" if message else "late", message=message)
    (found,) = await to.groups.latest_runs(HOME)
    assert (found.schedule, found.state, found.at) == (told, RunState.SENT, LATER)
    assert silent != told
