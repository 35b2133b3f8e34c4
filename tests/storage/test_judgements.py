"""Judgements: kept for who types the same, awaited in turn, and told once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from lessons.model import (
    AttemptId,
    Confidence,
    Drill,
    DrillState,
    ErrorType,
    Exercise,
    Grade,
    GradeSource,
    InteractionId,
    ItemId,
    Judgement,
    MistakeFilter,
    MistakeId,
    Opinion,
    Rating,
    Remark,
    Track,
    UserId,
    Verdict,
    Waiting,
)
from tests.storage.world import (
    AIKO,
    AT,
    BEN,
    CARD,
    DAY,
    EXACT,
    HOME,
    MINUTE,
    MOD,
    SPACING,
    Stores,
    accepted,
    attempt,
    begin,
    items_of,
    miss,
    publish,
    read_news,
    rows,
    save,
)

LATER = AT + 30 * DAY

SAID = Judgement(
    Opinion.INCORRECT, ErrorType.PARTICLE, "助詞", "は for が: the subject is new.", "New: が.", Confidence.HIGH
)
PENDING = Grade(Verdict.PENDING, "が", (Remark.OTHER_ANSWER,))
WRONG = Grade(Verdict.WRONG, "が", source=GradeSource.JUDGE, judgement=SAID)
RIGHT = Grade(Verdict.EQUIVALENT, "が", source=GradeSource.JUDGE, judgement=replace(SAID, opinion=Opinion.CORRECT))
BY_RULES = Grade(Verdict.WRONG, "が", source=GradeSource.RULES, judgement=replace(SAID, confidence=Confidence.LOW))
NEWS_CARD = replace(CARD, track=Track.EXERCISE)
ALL = MistakeFilter()


async def begun(to: Stores, user: UserId = AIKO, number: int = 1) -> list[Exercise]:
    kept = await publish(to, number)
    return await read_news(to, await items_of(to, kept.id), user)


async def leave_pending(to: Stores, exercise: Exercise, user: UserId = AIKO, minutes: int = 0) -> AttemptId:
    answer = replace(attempt(exercise, user, PENDING, "は", AT + minutes * MINUTE), language="de")
    recorded = await to.drills.record(answer, None, None)
    assert recorded is not None
    assert recorded[1] is None
    return recorded[0]


async def decide(
    to: Stores, waiting: AttemptId, exercise: Exercise, grade: Grade = WRONG, user: UserId = AIKO
) -> MistakeId | None:
    settled = replace(attempt(exercise, user, grade, "は", AT + DAY), interaction=InteractionId(0))
    card = NEWS_CARD if grade.verdict is Verdict.WRONG else None
    return await to.judgements.decide(waiting, settled, SPACING, card)


async def drill_of(to: Stores, exercise: Exercise, user: UserId = AIKO) -> Drill:
    drill = await to.drills.drill(exercise.drill_id, user)
    assert drill is not None
    return drill


async def test_a_judgement_is_found_by_item_answer_and_language(to: Stores) -> None:
    first, other, *_ = await begun(to)
    await to.judgements.keep(first.item.id, "は", "en", SAID, by=BEN, at=AT)
    assert await to.judgements.find(first.item.id, "は", "en") == SAID
    assert await to.judgements.find(first.item.id, "は", "de") is None
    assert await to.judgements.find(first.item.id, "を", "en") is None
    assert await to.judgements.find(other.item.id, "は", "en") is None
    assert await to.judgements.find(ItemId(10**9), "は", "en") is None


@pytest.mark.parametrize(
    "said",
    [
        Judgement(Opinion.CORRECT, None, "", "", "", Confidence.LOW),
        Judgement(Opinion.ACCEPTABLE, None, "動詞", "d", "f", Confidence.MEDIUM),
        Judgement(Opinion.INCORRECT, None, "", "d" * 4000, "'\"\0", Confidence.HIGH, attempt=False),
    ],
)
async def test_every_judgement_is_read_as_it_was_kept(to: Stores, said: Judgement) -> None:
    first, *_ = await begun(to)
    await to.judgements.keep(first.item.id, "は\ud83d", "en", said, by=AIKO, at=AT)
    assert await to.judgements.find(first.item.id, "は\ud83d", "en") == said


async def test_the_first_judgement_stays_and_goes_with_its_learner(to: Stores) -> None:
    first, *_ = await begun(to)
    await to.judgements.keep(first.item.id, "は", "en", SAID, by=AIKO, at=AT)
    await to.judgements.keep(first.item.id, "は", "en", replace(SAID, feedback="other"), by=BEN, at=AT)
    assert await to.judgements.find(first.item.id, "は", "en") == SAID
    await to.db.write(lambda transaction: transaction.run("DELETE FROM learner WHERE user_id = ?", (AIKO,)))
    assert await to.judgements.find(first.item.id, "は", "en") is None


async def test_a_pending_answer_waits_with_all_a_judge_needs(to: Stores) -> None:
    exercises = await begun(to)
    waiting = await leave_pending(to, exercises[1])
    (found,) = await to.judgements.waiting(9, LATER)
    exercise = replace(exercises[1], verdict=Verdict.PENDING, typed="は", grade=PENDING, attempt_id=waiting)
    assert found == Waiting(waiting, AIKO, HOME, exercise, "は", PENDING, "de", 0, AT)
    assert found.exercise.item.clipping is not None
    assert await to.judgements.waiting(0, LATER) == await to.judgements.waiting(-1, LATER) == []


async def test_a_pending_answer_counts_as_answered_and_as_waiting_until_it_is_decided(to: Stores) -> None:
    exercises = await begun(to)
    drill = await drill_of(to, exercises[0])
    ids = [await leave_pending(to, exercise) for exercise in exercises[:3]]
    assert await drill_of(to, exercises[0]) == replace(drill, answered=3, waiting=3)
    await decide(to, ids[0], exercises[0], RIGHT)
    await decide(to, ids[1], exercises[1], WRONG)
    assert await drill_of(to, exercises[0]) == replace(drill, answered=3, right=1, waiting=1)
    for exercise in exercises[3:]:
        await to.drills.record(attempt(exercise, grade=EXACT), SPACING, None)
    ended = await drill_of(to, exercises[0])
    assert (ended.state, ended.waiting) == (DrillState.FINISHED, 1)


async def test_only_a_pending_answer_waits(to: Stores) -> None:
    exercises = await begun(to)
    for exercise, grade in zip(exercises, (WRONG, EXACT, Grade(Verdict.SKIPPED, "が")), strict=False):
        await to.drills.record(attempt(exercise, grade=grade), None, None)
    assert await to.judgements.waiting(9, LATER) == []


async def test_what_is_due_longest_comes_first_and_nothing_before_its_time(to: Stores) -> None:
    mine, theirs = await begun(to), await begun(to, BEN, 2)
    late = await leave_pending(to, mine[0], minutes=5)
    early = await leave_pending(to, theirs[0], BEN, minutes=1)
    middle = await leave_pending(to, mine[1], minutes=3)
    assert [one.attempt for one in await to.judgements.waiting(9, LATER)] == [early, middle, late]
    assert [one.attempt for one in await to.judgements.waiting(1, LATER)] == [early]
    assert [one.attempt for one in await to.judgements.waiting(9, AT + 2 * MINUTE)] == [early]
    assert await to.judgements.waiting(9, AT + 1.9 * MINUTE) == []
    await to.judgements.tried(early, AT + 60 * MINUTE)
    await to.judgements.tried(early, AT + 90 * MINUTE)
    await to.judgements.tried(middle, AT + 80 * MINUTE)
    await to.judgements.tried(AttemptId(10**9), AT)
    assert [one.attempt for one in await to.judgements.waiting(9, AT + 79 * MINUTE)] == [late]
    assert [(one.attempt, one.tries) for one in await to.judgements.waiting(9, LATER)] == [
        (late, 0),
        (middle, 1),
        (early, 2),
    ]


async def test_exercises_of_several_servers_wait_with_the_answers_accepted_there(to: Stores) -> None:
    await save(to, guild=None, items=rows(1))
    (first,) = (await begin(to, AIKO, pack_guild=None, guild=HOME))[1]
    missed, _ = await miss(to, first, typed="も")
    await to.appeals.open_appeal(missed, AIKO, "も", AT)
    (appeal,) = await to.appeals.waiting(HOME, 9)
    await to.appeals.decide(appeal.id, HOME, MOD, AT, accepted("も"))
    here = (await begin(to, AIKO, pack_guild=None, guild=HOME))[1][0]
    direct = (await begin(to, BEN, pack_guild=None, guild=None))[1][0]
    await leave_pending(to, direct, BEN, minutes=1)
    await leave_pending(to, here, minutes=2)
    found = await to.judgements.waiting(9, LATER)
    assert [(one.guild, [each.text for each in one.exercise.item.accepted]) for one in found] == [
        (None, ["は", "が"]),
        (HOME, ["は", "が", "も"]),
    ]


async def test_a_decision_settles_the_answer_where_and_when_it_was_given(to: Stores) -> None:
    exercises = await begun(to)
    waiting = await leave_pending(to, exercises[0])
    before = await row_of(to, waiting)
    mistake = await decide(to, waiting, exercises[0])
    assert mistake is not None
    settled = await to.drills.exercise(exercises[0].id, AIKO)
    assert settled == replace(exercises[0], verdict=Verdict.WRONG, typed="は", grade=WRONG, attempt_id=waiting)
    assert await to.drills.spacing(AIKO, exercises[0].item.id) == SPACING
    card = await to.mistakes.mistake(mistake, AIKO)
    assert card is not None
    assert (card.card, card.item_id, card.at, card.pack_name) == (NEWS_CARD, exercises[0].item.id, AT, "大雨 1")
    after = await row_of(to, waiting)
    assert after == {**before, "verdict": "wrong", "rating": Rating.AGAIN, "grade": after["grade"]}
    assert await to.judgements.waiting(9, LATER) == []


async def row_of(to: Stores, which: AttemptId) -> dict[str, object]:
    async with to.db.reading() as snapshot:
        row = await snapshot.one("SELECT * FROM attempt WHERE id = ?", (which,))
    assert row is not None
    return dict(row)


async def test_what_is_decided_stays_so(to: Stores) -> None:
    exercises = await begun(to)
    waiting = await leave_pending(to, exercises[0])
    decided = await asyncio.gather(*(decide(to, waiting, exercises[0], grade) for grade in (RIGHT, WRONG, WRONG)))
    assert decided == [None, None, None]
    assert await to.mistakes.count(AIKO, ALL) == 0
    settled = await to.drills.exercise(exercises[0].id, AIKO)
    assert settled is not None
    assert settled.grade == RIGHT
    later = replace(attempt(exercises[0], grade=WRONG), rating=None)
    assert await to.judgements.decide(AttemptId(10**9), later, None, NEWS_CARD) is None
    assert len(await to.judgements.news_of(AIKO)) == 1


async def test_nobody_decides_for_another(to: Stores) -> None:
    exercises = await begun(to)
    waiting = await leave_pending(to, exercises[0])
    assert await decide(to, waiting, exercises[0], user=BEN) is None
    assert [one.attempt for one in await to.judgements.waiting(9, LATER)] == [waiting]
    assert await to.drills.spacing(BEN, exercises[0].item.id) is None


async def test_news_is_told_once_and_to_its_learner(to: Stores) -> None:
    mine, theirs = await begun(to), await begun(to, BEN, 2)
    first = await leave_pending(to, mine[0], minutes=2)
    second = await leave_pending(to, mine[1], minutes=1)
    await leave_pending(to, mine[2])
    bens = await leave_pending(to, theirs[0], BEN)
    assert await to.judgements.news_of(AIKO) == []
    await decide(to, first, mine[0], RIGHT)
    await decide(to, second, mine[1])
    await decide(to, bens, theirs[0], user=BEN)
    told = await asyncio.gather(*(to.judgements.news_of(AIKO) for _ in range(5)))
    (news,) = (one for one in told if one)
    assert [(one.attempt, one.grade, one.exercise.verdict) for one in news] == [
        (second, WRONG, Verdict.WRONG),
        (first, RIGHT, Verdict.EQUIVALENT),
    ]
    assert [one.attempt for one in await to.judgements.news_of(BEN)] == [bens]
    assert await to.judgements.news_of(BEN) == []
    assert len(await to.judgements.waiting(9, LATER)) == 1


async def test_the_number_of_a_deleted_card_is_not_given_to_one_that_was_decided_late(to: Stores) -> None:
    exercises = await begun(to)
    waiting = await leave_pending(to, exercises[0])
    deleted = [(await miss(to, exercise))[1] for exercise in exercises[1:4]]
    for mistake in deleted:
        await to.mistakes.delete(mistake, AIKO)
    late = await decide(to, waiting, exercises[0])
    _, after = await miss(to, exercises[4])
    assert late is not None
    assert not {late, after} & set(deleted)
    assert late != after


async def test_a_judged_answer_can_be_appealed_against_and_keeps_its_grounds_when_that_is_taken_back(
    to: Stores,
) -> None:
    exercises = await begun(to)
    waiting = await leave_pending(to, exercises[0])
    assert not await to.appeals.open_appeal(waiting, AIKO, "は", AT)  # pending is not wrong
    mistake = await decide(to, waiting, exercises[0])
    assert await to.appeals.open_appeal(waiting, AIKO, "は", AT)
    (appeal,) = await to.appeals.waiting(HOME, 9)
    await to.appeals.decide(appeal.id, HOME, MOD, AT, accepted("は"))
    overturned = await to.drills.exercise(exercises[0].id, AIKO)
    assert overturned is not None
    assert overturned.grade == Grade(Verdict.EQUIVALENT, "は")
    await to.appeals.reopen(appeal.id, HOME, AT)
    wrong_again = await to.drills.exercise(exercises[0].id, AIKO)
    assert wrong_again is not None
    assert wrong_again.grade == WRONG
    assert [card.id for card in await to.mistakes.page(AIKO, ALL, 0, 9)] == [mistake]


async def ruled(to: Stores, exercise: Exercise, grade: Grade = BY_RULES) -> AttemptId:
    recorded = await to.drills.record(attempt(exercise, grade=grade, typed="は"), SPACING, NEWS_CARD)
    assert recorded is not None
    return recorded[0]


async def test_what_rules_decided_can_wait_for_a_judge_after_all(to: Stores) -> None:
    exercises = await begun(to)
    which = await ruled(to, exercises[0])
    found = await to.judgements.reconsider(which, AIKO, "fr", AT + DAY)
    assert found is not None
    string_match = Grade(Verdict.PENDING, "が")
    assert (found.attempt, found.user, found.guild, found.language, found.at) == (which, AIKO, HOME, "fr", AT + DAY)
    assert found.grade == found.exercise.grade == string_match
    assert await to.mistakes.count(AIKO, ALL) == 0
    assert await to.judgements.waiting(9, LATER) == [found]
    assert (await drill_of(to, exercises[0])).waiting == 1
    assert await to.drills.spacing(AIKO, exercises[0].item.id) == SPACING
    assert await to.judgements.reconsider(which, AIKO, "fr", AT + DAY) is None
    assert await decide(to, which, exercises[0], RIGHT) is None
    assert (await drill_of(to, exercises[0])).right == 1
    assert [one.attempt for one in await to.judgements.news_of(AIKO)] == [which]


async def test_who_was_told_at_once_is_not_told_again(to: Stores) -> None:
    exercises = await begun(to)
    one, other = await leave_pending(to, exercises[0]), await leave_pending(to, exercises[1])
    await to.judgements.told(one, AIKO)  # undecided: nothing to tell yet
    for which, exercise in ((one, exercises[0]), (other, exercises[1])):
        await decide(to, which, exercise, RIGHT)
    await to.judgements.told(one, BEN)
    await to.judgements.told(one, AIKO)
    assert [each.attempt for each in await to.judgements.news_of(AIKO)] == [other]


async def test_a_decision_by_rules_that_was_not_told_can_be_reconsidered(to: Stores) -> None:
    exercises = await begun(to)
    which = await leave_pending(to, exercises[0])
    await to.judgements.tried(which, AT)
    await decide(to, which, exercises[0], BY_RULES)
    found = await to.judgements.reconsider(which, AIKO, "fr", AT + DAY)
    assert found is not None
    assert (found.language, found.tries, found.at) == ("fr", 0, AT + DAY)
    assert await to.judgements.news_of(AIKO) == []


@pytest.mark.parametrize(
    "grade", [WRONG, replace(BY_RULES, source=GradeSource.STRING), replace(WRONG, source=GradeSource.CACHE)]
)
async def test_only_what_rules_decided_is_reconsidered(to: Stores, grade: Grade) -> None:
    exercises = await begun(to)
    which = await ruled(to, exercises[0], grade)
    assert await to.judgements.reconsider(which, AIKO, "en", AT) is None
    assert await to.mistakes.count(AIKO, ALL) == 1


async def test_another_persons_answer_and_one_that_people_decide_about_are_not_reconsidered(to: Stores) -> None:
    exercises = await begun(to)
    which = await ruled(to, exercises[0])
    assert await to.judgements.reconsider(which, BEN, "en", AT) is None
    assert await to.judgements.reconsider(AttemptId(10**9), AIKO, "en", AT) is None
    assert await to.appeals.open_appeal(which, AIKO, "は", AT)
    assert await to.judgements.reconsider(which, AIKO, "en", AT) is None
    assert await to.mistakes.count(AIKO, ALL) == 1
