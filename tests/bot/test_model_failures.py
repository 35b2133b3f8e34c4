"""The model client when things go wrong: how often it asks, what it says, and when it leaves the provider alone."""

import asyncio
import socket
from datetime import datetime, timedelta

import pytest

from lessons.errors import ModelAway
from lessons.model import Away, ModelReply
from tests.messages.asking import KEY, a_call, a_model, outcome
from tests.messages.behaviours import cuts, fails, raw, says, stalls
from tests.messages.server import messages_server

IN_VAIN = fails(500)


@pytest.fixture
async def server():
    async with messages_server(says("ok")) as serving:
        yield serving


@pytest.fixture
async def model(server, clock):
    async with a_model(server, clock) as made:
        yield made


def facts(ended: ModelReply | ModelAway) -> tuple[Away, datetime | None, bool]:
    assert isinstance(ended, ModelAway)
    return ended.why, ended.until, ended.left


@pytest.mark.parametrize(
    ("behaviour", "left"),
    [
        (fails(408), False),
        (fails(409), False),
        (fails(500), True),
        (fails(503), True),
        (fails(504), True),
        (fails(529, "overloaded_error"), False),
        (cuts(), True),
        (cuts(midway=True), True),
        (raw(b"<html>Sign in to the Wi-Fi</html>", content_type="text/html"), True),
        (raw(b"{"), True),
        (raw(b"[]"), True),
        (raw(b"null"), True),
        (raw(b'{"type": "message"}'), True),
    ],
)
async def test_what_may_pass_is_tried_twice(server, model, behaviour, left):
    server.script.always = behaviour
    assert facts(await outcome(model)) == (Away.DOWN, None, left)
    assert len(server.requests) == 2


@pytest.mark.parametrize("behaviour", [fails(500), fails(529), cuts(), cuts(midway=True), fails(429, retry_after=0)])
async def test_the_second_try_may_succeed(server, model, behaviour):
    server.script.then(behaviour)
    assert (await model.ask(a_call())).text == "ok"
    assert len(server.requests) == 2


@pytest.mark.parametrize(("behaviour", "lost"), [(cuts(midway=True), 1), (fails(500), 1), (fails(529), 0)])
async def test_a_first_try_that_may_be_billed_is_part_of_the_price(server, model, behaviour, lost):
    server.script.then(behaviour)
    reply = await model.ask(a_call())
    assert reply.micro_usd == 165 + lost * model.at_most(a_call())


async def test_there_is_no_second_try_when_time_is_short(server, clock):
    async with a_model(server, clock, pace={"retry_pause": 0.2}) as model:
        server.script.always = IN_VAIN
        assert facts(await outcome(model, a_call(seconds=0.6))) == (Away.DOWN, None, True)
    assert len(server.requests) == 1


async def test_the_provider_can_forbid_the_second_try(server, model):
    server.script.always = fails(500, x_should_retry="false")
    await outcome(model)
    assert len(server.requests) == 1


async def test_nobody_waits_longer_than_the_call_says(server, model):
    server.script.always = stalls()
    assert facts(await outcome(model, a_call(seconds=0.1))) == (Away.SLOW, None, True)
    assert len(server.requests) == 1


async def test_time_that_is_up_before_anything_was_sent_costs_nothing(server, clock):
    from bot.clients.model import ClaudeModel

    model = ClaudeModel(KEY, base_url=server.url, clock=clock)
    assert facts(await outcome(model, a_call(seconds=0))) == (Away.SLOW, None, False)
    assert isinstance(await outcome(model), ModelReply)
    await model.close()
    assert len(server.requests) == 1


async def test_a_provider_that_is_not_there_was_sent_nothing(clock):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        async with a_model(f"http://127.0.0.1:{taken.getsockname()[1]}", clock) as model:
            assert facts(await outcome(model)) == (Away.DOWN, None, False)


class TestTheBreaker:
    async def test_five_failures_in_a_minute_open_it_for_a_minute(self, server, model, clock):
        server.script.always = IN_VAIN
        whys = [facts(await outcome(model)) for _ in range(3)]
        reopens = clock() + timedelta(minutes=1)
        assert whys == [(Away.DOWN, None, True), (Away.DOWN, None, True), (Away.DOWN, reopens, True)]
        assert len(server.requests) == 5
        clock.move(seconds=10)
        assert facts(await outcome(model)) == (Away.DOWN, reopens, False)
        assert len(server.requests) == 5

    async def test_slow_replies_open_it_too(self, server, model, clock):
        server.script.always = stalls()
        ended = await asyncio.gather(*(outcome(model, a_call(seconds=0.2)) for _ in range(5)))
        assert {facts(each)[0] for each in ended} == {Away.SLOW}
        assert facts(await outcome(model))[:2] == (Away.DOWN, clock() + timedelta(minutes=1))
        assert len(server.requests) == 5

    async def test_afterwards_one_probe_goes_at_a_time(self, server, model, clock):
        await self.opened(server, model, clock)
        server.script.always = stalls(says("ok"))
        asking = [asyncio.create_task(outcome(model)) for _ in range(5)]
        await server.arrived(6)
        turned_away = [facts(await each) for each in asking[1:]]
        assert turned_away == [(Away.DOWN, None, False)] * 4
        server.release.set()
        assert isinstance(await asking[0], ModelReply)
        assert isinstance(await outcome(model), ModelReply)
        assert len(server.requests) == 7

    async def test_a_probe_that_fails_is_the_only_request(self, server, model, clock):
        await self.opened(server, model, clock)
        assert facts(await outcome(model)) == (Away.DOWN, clock() + timedelta(minutes=1), True)
        assert facts(await outcome(model)) == (Away.DOWN, clock() + timedelta(minutes=1), False)
        assert len(server.requests) == 6

    async def test_a_probe_that_is_too_slow_is_a_failure(self, server, model, clock):
        await self.opened(server, model, clock)
        server.script.always = stalls()
        assert facts(await outcome(model, a_call(seconds=0.1))) == (Away.SLOW, clock() + timedelta(minutes=1), True)

    async def test_a_probe_that_nobody_waits_for_is_none(self, server, model, clock):
        await self.opened(server, model, clock)
        server.script.always = stalls()
        probe = asyncio.create_task(model.ask(a_call()))
        await server.arrived(6)
        probe.cancel()
        await asyncio.wait([probe])
        server.script.always = says("ok")
        assert isinstance(await outcome(model), ModelReply)

    async def test_who_finds_it_open_does_not_wait_to_try_again(self, server, clock):
        async with a_model(server, clock, pace={"retry_pause": 15}) as model, asyncio.timeout(10):
            server.script.then(*[fails(500, x_should_retry="false")] * 4, IN_VAIN)
            for _ in range(4):
                await outcome(model)
            assert facts(await outcome(model)) == (Away.DOWN, clock() + timedelta(minutes=1), True)
        assert len(server.requests) == 5

    async def test_faults_of_ours_never_open_it(self, server, model):
        server.script.always = fails(400, "invalid_request_error")
        for _ in range(9):
            assert facts(await outcome(model)) == (Away.DOWN, None, False)
        assert len(server.requests) == 9

    async def test_a_hundred_askers_make_no_storm(self, server, model):
        server.script.always = IN_VAIN
        for _ in range(100):
            await outcome(model)
        assert len(server.requests) == 5

    async def opened(self, server, model, clock) -> None:
        server.script.always = IN_VAIN
        for _ in range(3):
            await outcome(model)
        assert len(server.requests) == 5
        clock.move(seconds=60)


class TestALimit:
    async def test_a_short_wait_is_waited_for(self, server, model):
        server.script.then(fails(429, "rate_limit_error", retry_after_ms="20"))
        assert (await model.ask(a_call())).text == "ok"
        assert len(server.requests) == 2

    async def test_a_long_one_is_a_pause_for_everybody(self, server, model, clock):
        until = clock() + timedelta(seconds=30)
        server.script.then(fails(429, "rate_limit_error", retry_after=30))
        assert facts(await outcome(model)) == (Away.LIMITED, until, False)
        clock.move(seconds=29)
        assert facts(await outcome(model)) == (Away.LIMITED, until, False)
        assert len(server.requests) == 1
        clock.move(seconds=1)
        assert (await model.ask(a_call())).text == "ok"

    async def test_a_date_is_a_pause_too(self, server, model, clock):
        server.script.then(fails(429, retry_after="Mon, 30 Nov 2026 09:00:30 GMT"))
        assert facts(await outcome(model)) == (Away.LIMITED, clock() + timedelta(seconds=30), False)

    async def test_no_pause_is_longer_than_an_hour(self, server, model, clock):
        server.script.then(fails(429, retry_after=10**9))
        assert facts(await outcome(model)) == (Away.LIMITED, clock() + timedelta(hours=1), False)

    async def test_without_a_time_it_is_a_minute(self, server, model, clock):
        server.script.then(fails(429))
        assert facts(await outcome(model)) == (Away.LIMITED, clock() + timedelta(minutes=1), False)

    async def test_the_second_refusal_is_the_last(self, server, model, clock):
        server.script.then(fails(429, retry_after_ms="20"), fails(429, retry_after=1))
        assert facts(await outcome(model)) == (Away.LIMITED, clock() + timedelta(seconds=1), False)
        assert facts(await outcome(model))[0] is Away.LIMITED
        assert len(server.requests) == 2

    async def test_no_wait_fits_into_too_little_time(self, server, model, clock):
        server.script.then(fails(429, retry_after=2))
        assert facts(await outcome(model, a_call(seconds=2.4)))[:2] == (Away.LIMITED, clock() + timedelta(seconds=2))
        assert len(server.requests) == 1

    async def test_overload_with_a_time_is_a_pause_as_well(self, server, model, clock):
        until = clock() + timedelta(seconds=20)
        server.script.then(fails(529, "overloaded_error", retry_after=20))
        assert facts(await outcome(model)) == (Away.DOWN, until, False)
        assert facts(await outcome(model)) == (Away.DOWN, until, False)
        assert len(server.requests) == 1

    async def test_a_spending_limit_switches_off_until_the_next_day(self, server, model, clock):
        midnight = datetime.fromisoformat("2026-12-01T00:00:00+00:00")
        server.script.then(fails(429, "rate_limit_error", code="enforced_spend_limit_reached", retry_after=1))
        assert facts(await outcome(model)) == (Away.SPENT, midnight, False)
        clock.move(hours=14)
        assert facts(await outcome(model)) == (Away.SPENT, midnight, False)
        assert len(server.requests) == 1
        clock.move(hours=1)
        assert (await model.ask(a_call())).text == "ok"

    async def test_or_until_the_day_it_names(self, server, model):
        said = "You have reached your specified API usage limits. You will regain access on 2026-12-24 at 00:00 UTC."
        server.script.then(fails(400, "invalid_request_error", said))
        assert facts(await outcome(model))[:2] == (Away.SPENT, datetime.fromisoformat("2026-12-24T00:00:00+00:00"))

    async def test_a_longer_pause_takes_the_place_of_a_shorter_one(self, server, model, clock):
        server.script.then(stalls(fails(429, retry_after=5)), stalls(fails(429, retry_after=60)))
        asking = [asyncio.create_task(outcome(model)) for _ in range(2)]
        await server.arrived(2)
        server.release.set()
        await asyncio.gather(*asking)
        assert facts(await outcome(model)) == (Away.LIMITED, clock() + timedelta(seconds=60), False)

    async def test_a_shorter_pause_does_not_end_a_longer_one(self, server, model, clock):
        server.script.then(stalls(fails(429, retry_after=60)), stalls(fails(429, retry_after=5)))
        asking = [asyncio.create_task(outcome(model)) for _ in range(2)]
        await server.arrived(2)
        server.release.set()
        await asyncio.gather(*asking)
        assert facts(await outcome(model)) == (Away.LIMITED, clock() + timedelta(seconds=60), False)


class TestTheOperatorsPart:
    @pytest.mark.parametrize("status", [302, 401, 402, 403, 404])
    async def test_a_refused_key_switches_off_for_good(self, server, model, clock, status):
        server.script.then(fails(status, "some_error"))
        assert facts(await outcome(model)) == (Away.KEY, None, False)
        clock.move(days=400)
        assert facts(await outcome(model)) == (Away.KEY, None, False)
        assert len(server.requests) == 1

    async def test_it_is_told_once_with_what_to_check(self, server, model, caplog):
        server.keys = frozenset({"another"})
        server.script.always = stalls()
        await asyncio.gather(*(outcome(model) for _ in range(20)))
        (warning,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        assert "401, authentication_error" in warning
        assert "check the API key" in warning

    async def test_no_redirection_is_followed(self, server, model):
        server.script.then(fails(307, location=f"{server.url}/elsewhere/v1/messages"))
        assert facts(await outcome(model))[0] is Away.KEY
        assert [seen.path for seen in server.requests] == ["/v1/messages"]

    @pytest.mark.parametrize("key", ["", "   ", "鍵", f"{KEY}\n", f"{KEY}\x00"])
    async def test_a_key_that_no_request_can_carry_is_never_sent(self, server, clock, key, caplog):
        async with a_model(server, clock, key=key) as model:
            assert facts(await outcome(model)) == (Away.KEY, None, False)
        assert server.requests == []
        assert "the API key has characters that no key has" in caplog.text

    async def test_a_request_of_ours_that_is_no_good_is_told_once(self, server, model, caplog):
        server.script.always = fails(400, "invalid_request_error")
        for _ in range(3):
            await outcome(model)
        assert caplog.text.count("cannot use a request (status 400, invalid_request_error)") == 1

    async def test_the_breaker_and_the_recovery_are_told(self, server, model, clock, caplog):
        caplog.set_level("INFO", logger="bot")
        server.script.then(*[IN_VAIN] * 5)
        for _ in range(3):
            await outcome(model)
        assert caplog.text.count("left alone for 60 s") == 1
        clock.move(seconds=60)
        await outcome(model)
        assert caplog.text.count("answers again") == 1

    async def test_a_pause_and_an_empty_purse_are_told_once(self, server, model, caplog):
        caplog.set_level("INFO", logger="bot")
        server.script.then(fails(429, retry_after=30), fails(429, code="enforced_spend_limit_reached"))
        for _ in range(3):
            await outcome(model)
        assert caplog.text.count("wants a pause (status 429)") == 1

    async def test_a_model_without_a_price_is_told_once_and_booked_dearest(self, server, clock, caplog):
        async with a_model(server, clock, grader="claude-next-6") as model, a_model(server, clock) as known:
            assert model.at_most(a_call()) >= 40 * known.at_most(a_call()) - 40
            await model.ask(a_call())
        assert caplog.text.count("no price is known for claude-next-6") == 1
