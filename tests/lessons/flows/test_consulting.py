"""Turns at a language model: who may speak now, who waits, and who is sent away."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.wiring import open_database
from lessons.errors import ModelAway
from lessons.flows.consulting import REQUESTS, Consulting, Lanes, Turns
from lessons.model import Away, Caps, GuildId, Payer, Purpose, UserId
from storage.usage import UsageStore
from tests.conftest import BEGINNING, MovableClock
from tests.messages.asking import a_call, a_model, a_turn
from tests.messages.behaviours import cuts, fails, refuses, runs_out, says, stalls
from tests.messages.server import MessagesServer, messages_server
from tests.messages.streams import cuts_after, fails_after, refuses_after, stalls_after

SHORT = Lanes(bot=3, guild=2, user=1, background=1, queue=2, patience=0.05)
ANN, BEN, CAT = UserId(1), UserId(2), UserId(3)
HERE, THERE = GuildId(7), GuildId(8)


async def refused(turns: Turns, payer: Payer, *, background: bool = False) -> bool:
    try:
        async with turns.turn(payer, background=background):
            return False
    except ModelAway as away:
        return away.why is Away.BUSY


@pytest.mark.parametrize(
    ("taken", "next_one", "waits"),
    [
        ([Payer(ANN, HERE)], Payer(ANN, HERE), True),  # one person, one at a time
        ([Payer(ANN, HERE)], Payer(ANN, None), True),
        ([Payer(ANN, HERE)], Payer(BEN, HERE), False),
        ([Payer(ANN, HERE), Payer(BEN, HERE)], Payer(CAT, HERE), True),  # two of one server
        ([Payer(ANN, HERE), Payer(BEN, HERE)], Payer(CAT, THERE), False),
        ([Payer(ANN, None), Payer(BEN, None)], Payer(CAT, None), False),  # messages are no server
        ([Payer(ANN, HERE), Payer(BEN, THERE), Payer(CAT, None)], Payer(UserId(4), None), True),  # three in all
    ],
)
async def test_how_many_may_speak_at_once(taken: list[Payer], next_one: Payer, waits: bool) -> None:
    turns = Turns(SHORT)
    async with AsyncExitStack() as stack:
        for payer in taken:
            await stack.enter_async_context(turns.turn(payer, background=False))
        assert await refused(turns, next_one) is waits
    assert not await refused(turns, next_one)


async def test_who_waits_gets_the_next_turn() -> None:
    turns = Turns(Lanes(user=1, patience=5))
    order: list[int] = []

    async def speak(number: int) -> None:
        async with turns.turn(Payer(ANN, HERE), background=False):
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(speak(number) for number in range(20)))
    assert sorted(order) == list(range(20))


async def test_no_more_wait_than_the_queue_holds() -> None:
    turns = Turns(Lanes(bot=1, queue=2, patience=5))
    async with turns.turn(Payer(ANN, None), background=False):
        waiting = [asyncio.create_task(refused(turns, Payer(UserId(n), None))) for n in (2, 3)]
        await asyncio.sleep(0)
        assert await refused(turns, Payer(UserId(4), None))
    assert await asyncio.gather(*waiting) == [False, False]


async def test_background_work_is_one_at_a_time_and_only_when_nobody_waits() -> None:
    turns = Turns(Lanes(bot=2, queue=8, patience=0.05))
    nobody = Payer(None, None)
    async with turns.turn(nobody, background=True):
        assert await refused(turns, nobody, background=True)
        async with turns.turn(Payer(ANN, None), background=False):
            waiting = asyncio.create_task(refused(turns, Payer(BEN, None)))
            await asyncio.sleep(0)
        assert not await waiting
    one = Turns(Lanes(bot=1, patience=0.2))
    async with one.turn(Payer(ANN, None), background=False):
        waiting = asyncio.create_task(refused(one, Payer(BEN, None)))
        await asyncio.sleep(0)
        assert await refused(Turns(Lanes(bot=0, patience=0.01)), nobody, background=True)
    assert not await waiting


async def test_a_turn_is_given_back_when_its_owner_is_cancelled() -> None:
    turns = Turns(SHORT)

    async def speak() -> None:
        async with turns.turn(Payer(ANN, HERE), background=False):
            await asyncio.Event().wait()

    task = asyncio.create_task(speak())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert not await refused(turns, Payer(ANN, HERE))


WIDE = Lanes(bot=50, guild=50, user=50, queue=50, patience=30)


@dataclass
class Bank:
    """A consulting whose model is a server of this machine, with money for so many calls."""

    consulting: Consulting
    server: MessagesServer

    async def ask(self, person: int, guild: GuildId | None = None, **call: object) -> str:
        payer = Payer(UserId(person), guild)
        return await self.consulting.consult(replace(a_call(), **call), payer, BEGINNING, str)

    async def listen(self, person: int = 1, guild: GuildId | None = None, **call: object) -> tuple[str, Away | None]:
        """What a person hears of a reply, and why not the rest."""
        heard = ""
        try:
            payer = Payer(UserId(person), guild)
            async with aclosing(self.consulting.converse(a_turn(**call), payer, BEGINNING)) as pieces:
                async for piece in pieces:
                    heard += piece
        except ModelAway as away:
            return heard, away.why
        return heard, None

    async def booked(self) -> list[tuple[Purpose, int, int, int]]:
        """Lines of the bill: purpose, calls, those that failed, and the cost."""
        rows = await self.consulting.usage.bill(BEGINNING.date())
        return [(row.purpose, row.calls, row.failed, row.micro_usd) for row in rows]


@pytest.fixture
async def bank(tmp_path: Path, clock: MovableClock) -> AsyncIterator[Callable[..., Bank]]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(messages_server(says("done")))
        model = await stack.enter_async_context(a_model(server, clock))
        database = await stack.enter_async_context(open_database(tmp_path / "data", clock))

        def with_money(calls: int, lanes: Lanes = WIDE, **caps: int) -> Bank:
            worst = REQUESTS * model.at_most(a_call())
            plenty = Caps(user_micro_usd=10**9, guild_micro_usd=10**9, bot_micro_usd=calls * worst, grades=10**6)
            return Bank(Consulting(model, UsageStore(database), replace(plenty, **caps), Turns(lanes)), server)

        yield with_money


async def test_fifty_at_once_with_money_for_ten_make_ten_calls(bank: Callable[..., Bank]) -> None:
    asked = bank(10)
    asked.server.script.always = stalls(says("done"))
    asking = [asyncio.create_task(asked.ask(person)) for person in range(1, 51)]
    await asked.server.arrived(10)
    refused = asyncio.as_completed(asking)
    for _ in range(40):
        with pytest.raises(ModelAway):
            await next(refused)
    asked.server.release.set()
    outcomes = await asyncio.gather(*asking, return_exceptions=True)
    assert outcomes.count("done") == len(asked.server.requests) == 10
    away = [each for each in outcomes if isinstance(each, ModelAway)]
    assert {each.why for each in away} == {Away.BUDGET_BOT}
    assert {each.until for each in away} == {BEGINNING.replace(hour=0) + timedelta(days=1)}


async def test_what_a_call_did_not_cost_can_be_spent_again(bank: Callable[..., Bank]) -> None:
    asked = bank(3)
    assert [await asked.ask(1) for _ in range(5)] == ["done"] * 5
    (row,) = await asked.consulting.usage.bill(BEGINNING.date())
    assert (row.calls, row.failed) == (5, 0)
    assert 0 < row.micro_usd < 5 * asked.consulting.model.at_most(a_call())


async def test_a_spoilt_reply_is_asked_for_once_more_with_twice_the_room(bank: Callable[..., Bank]) -> None:
    asked = bank(100)
    asked.server.script.then(runs_out("a long text", at=3), says("7"))
    assert await asked.consulting.consult(a_call(), Payer(ANN, None), BEGINNING, int) == 7
    first, second = (seen.body["max_tokens"] for seen in asked.server.requests)
    assert second == 2 * first
    asked.server.script.always = says("no number")
    with pytest.raises(ModelAway) as nonsense:
        await asked.consulting.consult(a_call(), Payer(ANN, None), BEGINNING, int)
    assert nonsense.value.why is Away.NONSENSE


@pytest.mark.parametrize(
    ("behaviour", "why", "outcome", "costs"),
    [
        (refuses(), Away.REFUSED, 1, True),
        (fails(401), Away.KEY, 0, False),
        (cuts(), Away.DOWN, 1, True),
        (fails(500), Away.DOWN, 1, True),
    ],
)
async def test_what_may_be_billed_is_booked(bank, behaviour, why: Away, outcome: int, costs: bool) -> None:
    asked = bank(100)
    asked.server.script.always = behaviour
    with pytest.raises(ModelAway) as away:
        await asked.ask(1)
    assert away.value.why is why
    rows = await asked.consulting.usage.bill(BEGINNING.date())
    assert [row.failed for row in rows] == [1] * outcome
    assert bool(sum(row.micro_usd for row in rows)) is costs


async def test_who_goes_away_leaves_a_booking(bank: Callable[..., Bank]) -> None:
    asked = bank(100)
    asked.server.script.always = stalls()
    task = asyncio.create_task(asked.ask(1))
    await asked.server.arrived(1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    (row,) = await asked.consulting.usage.bill(BEGINNING.date())
    assert (row.calls, row.failed) == (1, 1)
    assert row.micro_usd > 0


async def test_without_a_model_nobody_is_asked(bank: Callable[..., Bank]) -> None:
    nobody = Consulting(None, bank(1).consulting.usage, Caps())
    assert not nobody.is_there
    with pytest.raises(ModelAway) as away:
        await nobody.consult(a_call(), Payer(ANN, None), BEGINNING, str)
    assert away.value.why is Away.NO_MODEL


TEXT = "「も」は同じことを足します。"  # two pieces
FIRST = TEXT[:8]
TURN = Purpose.TUTOR


async def test_a_conversation_is_heard_in_pieces_and_booked_at_what_it_cost(bank: Callable[..., Bank]) -> None:
    asked = bank(1000)
    asked.server.script.always = says(TEXT)
    assert await asked.listen() == (TEXT, None)
    assert await asked.booked() == [(TURN, 1, 0, 3300)]


@pytest.mark.parametrize(
    ("behaviour", "heard", "why"),
    [
        (cuts_after(1, TEXT), FIRST, Away.DOWN),
        (fails_after(1, TEXT), FIRST, Away.DOWN),
        (stalls_after(1, TEXT), FIRST, Away.SLOW),
        (fails(500), "", Away.DOWN),
    ],
)
async def test_a_conversation_that_breaks_off_is_booked_at_its_reserve(bank, behaviour, heard: str, why: Away) -> None:
    asked = bank(1000)
    asked.server.script.always = behaviour
    assert await asked.listen(seconds=0.8) == (heard, why)
    assert await asked.booked() == [(TURN, 1, 1, asked.consulting.model.at_most(a_turn()))]


@pytest.mark.parametrize(
    ("behaviour", "heard", "why", "failed"),
    [
        (refuses(), "", Away.REFUSED, 1),
        (refuses_after(1, TEXT), FIRST, Away.REFUSED, 1),
        (says(""), "", Away.NONSENSE, 0),
        (says(" \n" * 9), " \n" * 9, Away.NONSENSE, 0),
        (runs_out(TEXT, at=10), TEXT[:10] + "…", None, 1),
    ],
)
async def test_how_a_conversation_can_end_that_costs_what_it_used(
    bank, behaviour, heard: str, why: Away | None, failed: int
) -> None:
    asked = bank(1000)
    asked.server.script.always = behaviour
    assert await asked.listen() == (heard, why)
    assert await asked.booked() == [(TURN, 1, failed, 3300)]


async def test_a_conversation_that_no_request_left_for_costs_nothing(bank: Callable[..., Bank]) -> None:
    asked = bank(1000)
    asked.server.script.always = fails(401)
    assert await asked.listen() == ("", Away.KEY)
    assert await asked.booked() == []
    assert await bank(0).listen() == ("", Away.BUDGET_BOT)


async def test_a_second_conversation_of_one_person_is_turned_away_at_once(bank: Callable[..., Bank]) -> None:
    asked = bank(1000, Lanes(patience=30))
    asked.server.script.always = stalls_after(1, TEXT)
    first = asyncio.create_task(asked.listen(1))
    await asked.server.arrived(1)
    async with asyncio.timeout(10):
        assert await asked.listen(1, HERE) == ("", Away.BUSY)
    other = asyncio.create_task(asked.listen(2))
    await asked.server.arrived(2)
    asked.server.release.set()
    assert await asyncio.gather(first, other) == [(TEXT, None)] * 2
    assert await asked.listen(1) == (TEXT, None)


async def test_so_is_one_while_the_first_waits_for_its_turn(bank: Callable[..., Bank]) -> None:
    asked = bank(1000, Lanes(bot=1, patience=30))
    asked.server.script.always = stalls_after(1, TEXT)
    others = asyncio.create_task(asked.listen(2))
    await asked.server.arrived(1)
    waiting = asyncio.create_task(asked.listen(1))
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        assert await asked.listen(1) == ("", Away.BUSY)
    asked.server.release.set()
    assert await asyncio.gather(others, waiting) == [(TEXT, None)] * 2


async def test_the_bots_own_conversations_are_nobodys(bank: Callable[..., Bank]) -> None:
    turns = bank(1, replace(WIDE, user=2)).consulting.turns
    async with turns.conversation(Payer(None, None)), turns.conversation(Payer(None, None)):
        assert not await refused(turns, Payer(ANN, None))


@pytest.mark.parametrize("leaves", ["by closing", "by being cancelled", "before the first word"])
async def test_who_leaves_a_conversation_ends_its_request_and_pays_the_reserve(bank, leaves: str) -> None:
    asked = bank(1000)
    asked.server.script.always = stalls() if leaves == "before the first word" else stalls_after(1, TEXT)
    if leaves == "by closing":
        async with aclosing(asked.consulting.converse(a_turn(), Payer(ANN, HERE), BEGINNING)) as pieces:
            assert await anext(pieces) == FIRST
    else:
        listening = asyncio.create_task(asked.listen(1))
        await asked.server.arrived(1)
        await asyncio.sleep(0.05)
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    await asked.server.idle()
    assert await asked.booked() == [(TURN, 1, 1, asked.consulting.model.at_most(a_turn()))]
    asked.server.script.always = says(TEXT)
    assert await asked.listen(1) == (TEXT, None)


async def test_without_a_model_there_is_no_conversation(bank: Callable[..., Bank]) -> None:
    nobody = replace(bank(1), consulting=Consulting(None, bank(1).consulting.usage, Caps()))
    assert await nobody.listen() == ("", Away.NO_MODEL)
