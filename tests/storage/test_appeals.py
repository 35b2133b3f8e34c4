"""Appeals: filed once, seen by one server, decided once for all who typed the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.model import (
    Accepted,
    Appeal,
    AppealId,
    AppealState,
    AttemptId,
    ErrorType,
    Grade,
    GuildId,
    MistakeFilter,
    PackChange,
    Track,
    UserId,
    Verdict,
)
from tests.storage.world import (
    AIKO,
    AT,
    AWAY,
    BEN,
    DAY,
    HOME,
    MINUTE,
    MOD,
    Stores,
    accepted,
    begin,
    hit,
    miss,
    prepared,
    save,
)

ALL = MistakeFilter()


async def appealed(
    to: Stores,
    user: UserId = AIKO,
    typed: str = "ば",
    *,
    pack_guild: GuildId | None = HOME,
    guild: GuildId | None = HOME,
    minutes: int = 0,
    number: int = 0,
) -> AttemptId:
    """Let a learner miss an exercise of N5 (there already) and appeal."""
    _, exercises = await begin(to, user, pack_guild=pack_guild, guild=guild)
    attempt, _ = await miss(to, exercises[number], user, typed)
    assert await to.appeals.open_appeal(attempt, user, typed.casefold(), AT + minutes * MINUTE)
    return attempt


async def test_an_appeal_shows_what_a_moderator_needs(to: Stores) -> None:
    await save(to)
    attempt = await appealed(to)
    (waiting,) = await to.appeals.waiting(HOME, 10)
    exercise = (await to.drills.exercises((await begin(to))[0].id, AIKO))[0]
    assert waiting == Appeal(
        id=waiting.id,
        attempt_id=attempt,
        item_id=exercise.item.id,
        guild_id=HOME,
        state=AppealState.OPEN,
        prompt=exercise.item.row.prompt,
        typed="ば",
        reference="は",
        pack_name="N5",
        at=AT,
        times=1,
    )
    assert await to.appeals.appeal(waiting.id, HOME) == waiting


async def test_only_a_wrong_attempt_of_ones_own_can_be_appealed_and_once(to: Stores) -> None:
    await save(to)
    drill, exercises = await begin(to)
    wrong, _ = await miss(to, exercises[0])
    right = await hit(to, exercises[1])
    assert not await to.appeals.open_appeal(right, AIKO, "は", AT)
    assert not await to.appeals.open_appeal(wrong, BEN, "ば", AT)
    assert not await to.appeals.open_appeal(AttemptId(10**9), AIKO, "ば", AT)
    assert await to.appeals.open_appeal(wrong, AIKO, "ば", AT)
    assert not await to.appeals.open_appeal(wrong, AIKO, "ば", AT)
    assert [e.appealed for e in await to.drills.exercises(drill.id, AIKO)] == [True, False, False]


@pytest.mark.parametrize(
    ("pack_guild", "guild", "decides"),
    [(HOME, HOME, HOME), (HOME, None, HOME), (HOME, AWAY, HOME), (None, AWAY, AWAY), (None, None, None)],
)
async def test_an_appeal_goes_to_the_packs_server_else_to_the_drills(
    to: Stores, pack_guild: GuildId | None, guild: GuildId | None, decides: GuildId | None
) -> None:
    await save(to, guild=pack_guild)
    await appealed(to, pack_guild=pack_guild, guild=guild)
    (waiting,) = await to.appeals.waiting(decides, 10)
    for other in {HOME, AWAY, None} - {decides}:
        assert await to.appeals.waiting(other, 10) == []
        assert await to.appeals.appeal(waiting.id, other) is None
        assert not await to.appeals.decide(waiting.id, other, MOD, AT, accepted("ば"))
        assert not await to.appeals.decide(waiting.id, other, MOD, AT, None)
    assert await to.appeals.waiting(decides, 10) == [waiting]
    assert await to.appeals.decide(waiting.id, decides, MOD, AT, None)


async def test_equal_answers_wait_together_the_oldest_first(to: Stores) -> None:
    await save(to)
    await appealed(to, AIKO, "BA", minutes=5)
    oldest = await appealed(to, BEN, "ba", minutes=2)
    await appealed(to, BEN, "Ba", minutes=9)  # the same learner again
    other_item = await appealed(to, AIKO, "ba", minutes=4, number=1)
    other_answer = await appealed(to, AIKO, "to", minutes=1)
    waiting = await to.appeals.waiting(HOME, 10)
    assert [(w.attempt_id, w.times, w.typed) for w in waiting] == [
        (other_answer, 1, "to"),
        (oldest, 2, "ba"),
        (other_item, 1, "ba"),
    ]
    assert await to.appeals.waiting(HOME, 2) == waiting[:2]
    assert await to.appeals.waiting(HOME, -1) == []


async def test_accepting_turns_all_of_a_group_right_at_once(to: Stores) -> None:
    change = await save(to, items=[prepared(1, "は"), prepared(2, "は")])
    attempts = [await appealed(to, user, "も") for user in (AIKO, BEN)]
    other = await appealed(to, AIKO, "へ", number=1)
    drill = await to.drills.open_drill(BEN, Track.LESSON)
    assert drill is not None
    assert (drill.answered, drill.right) == (1, 0)
    group = next(w for w in await to.appeals.waiting(HOME, 10) if w.typed == "も")
    assert await to.appeals.decide(group.id, HOME, MOD, AT + DAY, accepted("も"))

    assert [item.accepted for item in await to.packs.items(change.pack.id)] == [
        (accepted("は"), accepted("も")),
        (accepted("は"),),
    ]
    tally = await to.drills.drill(drill.id, BEN)
    assert tally == replace(drill, right=1)
    settled = (await to.drills.exercises(drill.id, BEN))[0]
    assert settled.grade == Grade(Verdict.EQUIVALENT, "も")
    assert (settled.attempt_id, settled.appealed) == (attempts[1], True)
    assert await to.mistakes.count(BEN, ALL) == 0
    assert [m.card.typed for m in await to.mistakes.page(AIKO, ALL, 0, 10)] == ["へ"]
    assert [w.attempt_id for w in await to.appeals.waiting(HOME, 10)] == [other]
    decided = await to.appeals.appeal(group.id, HOME)
    assert decided == replace(group, state=AppealState.ACCEPTED)
    spacing = await to.drills.spacing(BEN, settled.item.id)
    assert spacing is not None  # left as the review made it
    assert not await to.appeals.decide(group.id, HOME, MOD, AT, None)
    assert not await to.appeals.open_appeal(attempts[1], BEN, "も", AT)


async def test_declining_leaves_everything_but_the_queue(to: Stores) -> None:
    change = await save(to)
    await appealed(to)
    (waiting,) = await to.appeals.waiting(HOME, 10)
    before = await to.packs.items(change.pack.id)
    assert await to.appeals.decide(waiting.id, HOME, MOD, AT + DAY, None)
    assert not await to.appeals.decide(waiting.id, HOME, MOD, AT + DAY, accepted("ば"))
    assert await to.appeals.appeal(waiting.id, HOME) == replace(waiting, state=AppealState.DECLINED)
    assert await to.packs.items(change.pack.id) == before
    assert await to.mistakes.count(AIKO, ALL) == 1
    assert not await to.appeals.decide(AppealId(10**9), HOME, MOD, AT, None)
    again = await appealed(to, BEN)  # typed again after the decision: a new question
    assert [(w.attempt_id, w.times) for w in await to.appeals.waiting(HOME, 10)] == [(again, 1)]


async def test_accepting_for_a_starter_pack_counts_in_that_server_alone(to: Stores) -> None:
    await save(to, guild=None, items=[prepared(1, "は")])
    await appealed(to, AIKO, "も", pack_guild=None, guild=HOME)
    there = await appealed(to, BEN, "も", pack_guild=None, guild=AWAY)
    (waiting,) = await to.appeals.waiting(HOME, 10)
    assert await to.appeals.decide(waiting.id, HOME, MOD, AT, accepted("も"))
    assert [w.attempt_id for w in await to.appeals.waiting(AWAY, 10)] == [there]
    for guild, answers in ((HOME, ["は", "も"]), (AWAY, ["は"]), (None, ["は"])):
        _, exercises = await begin(to, AIKO, pack_guild=None, guild=guild)
        assert [answer.text for answer in exercises[0].item.accepted] == answers


async def test_a_card_deleted_meanwhile_does_not_hinder_a_decision(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    attempt, mistake = await miss(to, exercises[0])
    assert await to.appeals.open_appeal(attempt, AIKO, "ば", AT)
    assert await to.mistakes.delete(mistake, AIKO)
    (waiting,) = await to.appeals.waiting(HOME, 10)
    assert await to.appeals.decide(waiting.id, HOME, MOD, AT, accepted("ば"))


async def everything(to: Stores, change: PackChange) -> list[object]:
    """All that a decision can touch."""
    seen: list[object] = [await to.packs.items(change.pack.id), await to.appeals.waiting(HOME, 10)]
    for user in (AIKO, BEN):
        seen += await to.mistakes.page(user, ALL, 0, 10)
        drill = await to.drills.open_drill(user, Track.LESSON)
        assert drill is not None
        seen += [drill, *await to.drills.exercises(drill.id, user)]
        seen += [
            await to.drills.spacing(user, exercise.item.id) for exercise in await to.drills.exercises(drill.id, user)
        ]
    return seen


@pytest.mark.parametrize("answer", [accepted("も"), None])
@pytest.mark.parametrize("owner", [HOME, None])
async def test_a_decision_can_be_taken_back_whole(to: Stores, answer: Accepted | None, owner: GuildId | None) -> None:
    change = await save(to, guild=owner, items=[prepared(1, "は"), prepared(2, "は")])
    for user in (AIKO, BEN):
        await appealed(to, user, "も", pack_guild=owner)
    (aikos,) = await to.mistakes.page(AIKO, ALL, 0, 10)
    await to.mistakes.relabel(aikos.id, AIKO, ErrorType.TENSE, AT)
    (group,) = await to.appeals.waiting(HOME, 10)
    before = await everything(to, change)
    assert await to.appeals.decide(group.id, HOME, MOD, AT + DAY, answer)
    assert await everything(to, change) != before
    assert not await to.appeals.reopen(group.id, AWAY, AT + DAY)
    assert not await to.appeals.reopen(group.id, HOME, AT + 2 * DAY)  # not that decision
    assert await to.appeals.reopen(group.id, HOME, AT + DAY)
    assert await everything(to, change) == before
    assert not await to.appeals.reopen(group.id, HOME, AT + DAY)
    assert await to.appeals.decide(group.id, HOME, MOD, AT + 3 * DAY, answer)
    assert not await to.appeals.reopen(group.id, HOME, AT + DAY)
    assert await to.appeals.reopen(group.id, HOME, AT + 3 * DAY)
    assert await everything(to, change) == before


async def test_taking_back_leaves_what_other_decisions_said(to: Stores) -> None:
    change = await save(to, items=[prepared(1, "は"), prepared(2, "は")])
    for user, number in ((AIKO, 0), (BEN, 0), (AIKO, 1)):
        await appealed(to, user, "も", number=number)
    _, exercises = await begin(to, BEN)
    late, _ = await miss(to, exercises[0], BEN, "も")  # before it was accepted, appealed after
    first, other = await to.appeals.waiting(HOME, 10)
    assert await to.appeals.decide(first.id, HOME, MOD, AT, accepted("も"))
    assert await to.appeals.decide(other.id, HOME, MOD, AT, accepted("も"))
    assert await to.appeals.open_appeal(late, BEN, "も", AT + DAY)
    second = next(w for w in await to.appeals.waiting(HOME, 10) if w.attempt_id == late)
    assert await to.appeals.decide(second.id, HOME, MOD, AT + DAY, accepted("も"))

    async def texts() -> list[list[str]]:
        return [[answer.text for answer in item.accepted] for item in await to.packs.items(change.pack.id)]

    assert await to.appeals.reopen(first.id, HOME, AT)
    assert await texts() == [["は", "も"], ["は", "も"]]
    assert await to.appeals.reopen(second.id, HOME, AT + DAY)
    assert await texts() == [["は"], ["は", "も"]]


async def test_a_card_deleted_by_its_owner_does_not_come_back(to: Stores) -> None:
    await save(to)
    _, exercises = await begin(to)
    attempt, mistake = await miss(to, exercises[0])
    assert await to.appeals.open_appeal(attempt, AIKO, "ば", AT)
    assert await to.mistakes.delete(mistake, AIKO)
    (waiting,) = await to.appeals.waiting(HOME, 10)
    assert await to.appeals.decide(waiting.id, HOME, MOD, AT, accepted("ば"))
    assert await to.appeals.reopen(waiting.id, HOME, AT)
    assert await to.mistakes.count(AIKO, ALL) == 0
    assert await to.appeals.waiting(HOME, 10) == [waiting]
