"""The book of model calls: no cap is exceeded, whoever calls at once, and a restart forgets nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from lessons.errors import ModelAway
from lessons.model import Away, Booking, Caps, GuildId, Outcome, Payer, Purpose, Tokens, UsageRow
from storage.connection import Database
from storage.usage import UsageStore
from tests.storage.world import AIKO, AT, AWAY, BEN, DAY, HOME, Stores

if TYPE_CHECKING:
    from pathlib import Path

    from lessons.model import UsageId

MIDNIGHT = datetime(2027, 3, 15, tzinfo=UTC)
DIRECT = GuildId(0)
BOOKING = Booking(Payer(AIKO, HOME), Purpose.GRADE, "haiku", 100, AT)
CAPS = Caps(user_micro_usd=1000, guild_micro_usd=2000, bot_micro_usd=3000, grades=1000)
TOKENS = Tokens(900, 1, 2, 3, 150)


async def reserve(to: Stores, booking: Booking = BOOKING, caps: Caps = CAPS, times: int = 1) -> list[UsageId]:
    return [await to.usage.reserve(booking, caps) for _ in range(times)]


async def refused(to: Stores, booking: Booking = BOOKING, caps: Caps = CAPS) -> Away:
    with pytest.raises(ModelAway) as caught:
        await to.usage.reserve(booking, caps)
    assert caught.value.until == MIDNIGHT
    assert not caught.value.left
    return caught.value.why


async def spent(to: Stores) -> int:
    return sum(row.micro_usd for row in await to.usage.bill(AT.date()))


async def test_of_fifty_at_once_with_a_budget_for_ten_ten_are_reserved(to: Stores) -> None:
    outcomes = await asyncio.gather(*(to.usage.reserve(BOOKING, CAPS) for _ in range(50)), return_exceptions=True)
    away = [outcome for outcome in outcomes if isinstance(outcome, ModelAway)]
    assert len(outcomes) - len(away) == 10
    assert {(one.why, one.until) for one in away} == {(Away.BUDGET_USER, MIDNIGHT)}
    assert await spent(to) == CAPS.user_micro_usd


async def test_each_cap_is_told_by_its_name(to: Stores) -> None:
    await reserve(to, times=10)
    assert await refused(to) is Away.BUDGET_USER
    await reserve(to, replace(BOOKING, payer=Payer(BEN, HOME)), times=10)
    guildless = replace(BOOKING, payer=Payer(None, HOME))
    assert await refused(to, guildless) is Away.BUDGET_GUILD
    await reserve(to, replace(BOOKING, payer=Payer(None, AWAY)), times=10)
    assert await refused(to, replace(BOOKING, payer=Payer(None, AWAY))) is Away.BUDGET_BOT
    assert await spent(to) == CAPS.bot_micro_usd


async def test_a_cap_can_be_used_up_to_the_last_millionth(to: Stores) -> None:
    await reserve(to, replace(BOOKING, micro_usd=999))
    assert await refused(to, replace(BOOKING, micro_usd=2)) is Away.BUDGET_USER
    await reserve(to, replace(BOOKING, micro_usd=1))
    assert await refused(to, replace(BOOKING, micro_usd=1)) is Away.BUDGET_USER
    await reserve(to, replace(BOOKING, micro_usd=0))


async def test_a_learner_has_so_many_grades_a_day(to: Stores) -> None:
    few = replace(CAPS, grades=3)
    (first, *_) = await reserve(to, caps=few, times=3)
    assert await refused(to, caps=few) is Away.GRADES
    await reserve(to, replace(BOOKING, purpose=Purpose.REGRADE), few)
    await reserve(to, replace(BOOKING, payer=Payer(BEN, HOME)), few)
    await reserve(to, replace(BOOKING, payer=Payer(None, HOME)), few)
    await to.usage.settle(first, Outcome.DONE, TOKENS, 1, 0.1)
    assert await refused(to, caps=few) is Away.GRADES
    assert await to.usage.reserve(replace(BOOKING, at=MIDNIGHT), few)


async def test_a_learner_has_so_many_turns_with_the_tutor_a_day(to: Stores) -> None:
    few, turn = replace(CAPS, turns=3, grades=0), replace(BOOKING, purpose=Purpose.TUTOR)
    (first, second, _) = await reserve(to, turn, few, times=3)
    assert await refused(to, turn, few) is Away.TURNS
    for purpose in (Purpose.ANALYSIS, Purpose.ROADMAP, Purpose.COMPOSITION, Purpose.REPORT):
        await reserve(to, replace(turn, purpose=purpose, micro_usd=1), few)
    for payer in (Payer(BEN, HOME), Payer(None, HOME)):
        await reserve(to, replace(turn, payer=payer), few)
    await to.usage.settle(first, Outcome.DONE, TOKENS, 1, 0.1)
    assert await refused(to, turn, few) is Away.TURNS
    await to.usage.void(second)
    await reserve(to, turn, few)
    assert await refused(to, turn, few) is Away.TURNS
    assert await to.usage.reserve(replace(turn, at=MIDNIGHT), few)


async def test_of_many_turns_at_once_as_many_are_reserved_as_there_may_be(to: Stores) -> None:
    turn = replace(BOOKING, purpose=Purpose.TUTOR, micro_usd=1)
    caps = replace(CAPS, turns=7)
    outcomes = await asyncio.gather(*(to.usage.reserve(turn, caps) for _ in range(30)), return_exceptions=True)
    assert sum(isinstance(outcome, int) for outcome in outcomes) == 7
    assert {outcome.why for outcome in outcomes if isinstance(outcome, ModelAway)} == {Away.TURNS}


async def test_a_day_ends_at_midnight_utc(to: Stores) -> None:
    late = replace(BOOKING, at=datetime(2027, 3, 14, 23, 59, 59, 999_000, tzinfo=UTC))
    await reserve(to, late, times=10)
    assert await refused(to, late) is Away.BUDGET_USER
    await reserve(to, replace(late, at=MIDNIGHT))


async def test_direct_messages_share_the_cap_of_one_server(to: Stores) -> None:
    for user in (AIKO, BEN):
        await reserve(to, replace(BOOKING, payer=Payer(user, None)), times=10)
    assert await refused(to, replace(BOOKING, payer=Payer(None, None))) is Away.BUDGET_GUILD
    assert [row.guild_id for row in await to.usage.bill(AT.date())] == [DIRECT]


async def test_a_settled_call_counts_at_its_cost_and_a_void_one_not_at_all(to: Stores) -> None:
    taken = await reserve(to, times=10)
    await to.usage.settle(taken[0], Outcome.DONE, TOKENS, 30, 1.25)
    await to.usage.void(taken[1])
    await to.usage.keep_reserve(taken[2], Outcome.TIMEOUT, 8.0)
    assert await spent(to) == 830
    await reserve(to, replace(BOOKING, micro_usd=170))
    assert await refused(to, replace(BOOKING, micro_usd=1)) is Away.BUDGET_USER


async def test_a_call_is_booked_once(to: Stores) -> None:
    (usage,) = await reserve(to)
    await to.usage.settle(usage, Outcome.DONE, TOKENS, 30, 1.0)
    await to.usage.settle(usage, Outcome.ERROR, Tokens(), 99, 9.0)
    await to.usage.keep_reserve(usage, Outcome.TIMEOUT, 9.0)
    await to.usage.void(usage)
    assert await to.usage.settle_lost() == 0
    assert await to.usage.bill(AT.date()) == [UsageRow(AT.date(), Purpose.GRADE, "haiku", HOME, 1, 0, TOKENS, 30, 1.0)]


async def test_a_call_may_cost_more_than_was_reserved(to: Stores) -> None:
    (usage,) = await reserve(to)
    await to.usage.settle(usage, Outcome.DONE, TOKENS, 5000, 1.0)
    assert await spent(to) == 5000
    assert await refused(to) is Away.BUDGET_USER


async def test_what_was_reserved_when_the_process_ended_is_booked_at_its_reserve(file: Path) -> None:
    async with Database(file) as db:
        await asyncio.gather(*(UsageStore(db).reserve(BOOKING, CAPS) for _ in range(9)))
        usage = await UsageStore(db).reserve(BOOKING, CAPS)
        await UsageStore(db).settle(usage, Outcome.DONE, TOKENS, 10, 0.5)
    async with Database(file) as db:
        book = UsageStore(db)
        assert await book.settle_lost() == 9
        assert await book.settle_lost() == 0
        (row,) = await book.bill(AT.date())
        assert (row.calls, row.failed, row.micro_usd) == (10, 9, 910)
        with pytest.raises(ModelAway):
            await book.reserve(BOOKING, CAPS)


async def test_the_bill_is_by_day_purpose_model_and_server_newest_and_dearest_first(to: Stores) -> None:
    yesterday = replace(BOOKING, at=AT - DAY)
    bookings = [
        (yesterday, Outcome.DONE, 90),
        (BOOKING, Outcome.DONE, 10),
        (replace(BOOKING, payer=Payer(BEN, HOME)), Outcome.REFUSED, 20),
        (replace(BOOKING, model="sonnet"), Outcome.CUT, 40),
        (replace(BOOKING, purpose=Purpose.ALTERNATIVES, payer=Payer(None, AWAY)), Outcome.DONE, 50),
    ]
    for booking, outcome, cost in bookings:
        (usage,) = await reserve(to, booking)
        await to.usage.settle(usage, outcome, TOKENS, cost, 0.5)
    (voided,) = await reserve(to)
    await to.usage.void(voided)
    double = Tokens(1800, 2, 4, 6, 300)
    today = [
        UsageRow(AT.date(), Purpose.ALTERNATIVES, "haiku", AWAY, 1, 0, TOKENS, 50, 0.5),
        UsageRow(AT.date(), Purpose.GRADE, "sonnet", HOME, 1, 1, TOKENS, 40, 0.5),
        UsageRow(AT.date(), Purpose.GRADE, "haiku", HOME, 2, 1, double, 30, 1.0),
    ]
    assert await to.usage.bill(AT.date()) == today
    before = UsageRow((AT - DAY).date(), Purpose.GRADE, "haiku", HOME, 1, 0, TOKENS, 90, 0.5)
    assert await to.usage.bill((AT - DAY).date()) == [*today, before]
    assert await to.usage.bill(MIDNIGHT.date()) == []


async def test_forgetting_a_learner_leaves_what_was_spent_in_nobodys_name(to: Stores) -> None:
    await reserve(to, times=10)
    bill = await to.usage.bill(AT.date())
    await to.db.write(lambda transaction: transaction.run("DELETE FROM learner WHERE user_id = ?", (AIKO,)))
    assert await to.usage.bill(AT.date()) == bill
    await reserve(to, times=10)
    assert await refused(to, replace(BOOKING, payer=Payer(BEN, HOME))) is Away.BUDGET_GUILD
