"""A reply in pieces that does not come to its end: it breaks off, or nobody listens any longer; nothing is left open."""

import asyncio
import gc
from contextlib import aclosing
from datetime import timedelta

import pytest

from lessons.errors import ModelAway
from lessons.model import Away
from tests.messages.asking import a_model, a_turn, heard
from tests.messages.behaviours import fails, raw, says, stalls
from tests.messages.server import Behaviour, messages_server, sse
from tests.messages.streams import babbles_after, cuts_after, ends_after, fails_after, stalls_after

SONNET, HAIKU = "claude-sonnet-5-5", "claude-haiku-5-5"
TEXT = "「も」は同じことを足します。"  # two pieces
FIRST = TEXT[:8]


@pytest.fixture
async def server():
    async with messages_server(says(TEXT)) as serving:
        yield serving


@pytest.fixture
async def model(server, clock):
    async with a_model(server, clock) as made:
        yield made


def asked(server) -> list[str]:
    return [seen.body["model"] for seen in server.requests]


def sent(*events: dict) -> Behaviour:
    """Send these events and no others."""
    return raw(b"".join(sse(event) for event in events), content_type="text/event-stream")


class TestAReplyThatBreaksOff:
    @pytest.mark.parametrize(
        ("behaviour", "why"),
        [
            (cuts_after(1, TEXT), Away.DOWN),
            (ends_after(1, TEXT), Away.DOWN),
            (ends_after(2, TEXT), Away.DOWN),
            (fails_after(1, TEXT), Away.DOWN),
            (fails_after(1, TEXT, "api_error"), Away.DOWN),
            (fails_after(1, TEXT, "something_new"), Away.DOWN),
            (fails_after(1, TEXT, "rate_limit_error"), Away.LIMITED),
            (fails_after(1, TEXT, "invalid_request_error"), Away.DOWN),
            (babbles_after(1, TEXT), Away.DOWN),
            (babbles_after(1, TEXT, b"event: content_block_delta\ndata: []\n\n"), Away.DOWN),
            (babbles_after(1, TEXT, b"event: error\ndata: 7\n\n"), Away.DOWN),
            (babbles_after(1, TEXT, b"\xff\xfe\n\n"), Away.DOWN),
        ],
    )
    async def test_is_told_after_what_came_and_not_begun_anew(self, server, model, behaviour, why):
        server.script.always = behaviour
        pieces, away = await heard(model)
        assert TEXT.startswith("".join(pieces))
        assert pieces[0] == FIRST
        assert (away.why, away.left) == (why, True)
        assert len(server.requests) == 1
        await server.idle()

    async def test_a_whole_one_that_is_no_message_is_none(self, server, model):
        message = {"type": "message", "content": None}
        server.script.always = sent({"type": "message_start", "message": message}, {"type": "message_stop"})
        pieces, away = await heard(model)
        assert (pieces, away.why, away.left) == ([], Away.DOWN, True)

    async def test_so_is_one_that_takes_too_long(self, server, model):
        server.script.always = stalls_after(1, TEXT)
        pieces, away = await heard(model, a_turn(seconds=0.8))
        assert (pieces, away.why, away.left) == ([FIRST], Away.SLOW, True)
        await server.idle()

    async def test_five_of_them_open_the_breaker(self, server, model, clock):
        server.script.always = fails_after(1, TEXT)
        for _ in range(5):
            assert (await heard(model))[0] == [FIRST]
        server.script.always = says(TEXT)
        _, reply = await heard(model)
        assert (reply.model, asked(server)) == (HAIKU, [SONNET] * 5 + [HAIKU])
        clock.move(seconds=60)
        assert (await heard(model))[1].model == SONNET

    async def test_a_dozen_at_once_open_it_once(self, server, model, clock):
        server.script.always = stalls_after(1, TEXT)
        calls = [a_turn(seconds=0.8) for _ in range(12)]
        ended = await asyncio.gather(*(heard(model, call) for call in calls))
        assert {away.why for _, away in ended} <= {Away.SLOW, Away.DOWN}
        assert {away.until for _, away in ended} <= {None, clock() + timedelta(minutes=1)}
        server.script.always = says(TEXT)
        assert (await heard(model))[1].model == HAIKU

    async def test_the_first_word_of_a_probe_closes_the_breaker(self, server, model, clock):
        server.script.always = fails(500)
        for _ in range(5):
            await heard(model)
        clock.move(seconds=60)
        server.script.always = stalls_after(1, TEXT)
        async with aclosing(model.stream(a_turn())) as parts:
            assert await anext(parts) == FIRST
            server.script.always = says(TEXT)
            assert (await heard(model))[1].model == SONNET

    async def test_it_is_none_when_nobody_listened_to_the_probe(self, server, model, clock):
        server.script.always = fails(500)
        for _ in range(5):
            await heard(model)
        clock.move(seconds=60)
        server.script.always = stalls()
        probe = asyncio.create_task(heard(model))
        await server.arrived(11)
        probe.cancel()
        await asyncio.wait([probe])
        server.script.always = says(TEXT)
        assert (await heard(model))[1].model == SONNET


class TestNothingStaysOpen:
    async def test_when_the_listener_is_cancelled(self, server, model):
        server.script.always = stalls_after(1, TEXT)
        listening = asyncio.create_task(heard(model))
        await server.arrived(1)
        await asyncio.sleep(0.05)
        assert server.open == 1
        listening.cancel()
        await asyncio.wait([listening])
        assert listening.cancelled()
        await server.idle()

    async def test_when_it_is_cancelled_before_the_first_word(self, server, model):
        server.script.always = stalls()
        listening = asyncio.create_task(heard(model))
        await server.arrived(1)
        listening.cancel()
        await asyncio.wait([listening])
        await server.idle()

    async def test_when_it_closes_the_iterator(self, server, model):
        server.script.always = stalls_after(1, TEXT)
        async with aclosing(model.stream(a_turn())) as parts:
            assert await anext(parts) == FIRST
        await server.idle()

    async def test_when_it_just_forgets_it(self, server, model):
        server.script.always = stalls_after(1, TEXT)
        parts = model.stream(a_turn())
        assert await anext(parts) == FIRST
        del parts
        gc.collect()
        await server.idle()

    async def test_when_it_never_begins(self, server, model):
        await model.stream(a_turn()).aclose()
        assert server.requests == []

    async def test_when_the_client_is_closed_meanwhile(self, server, clock):
        async with a_model(server, clock) as model:
            server.script.always = stalls_after(1, TEXT)
            parts = model.stream(a_turn())
            assert await anext(parts) == FIRST
            await model.close()
            with pytest.raises(ModelAway) as away:
                await anext(parts)
            assert (away.value.why, away.value.left) == (Away.DOWN, True)
            assert (await heard(model))[1].why is Away.NO_MODEL
        await server.idle()

    async def test_after_fifty_at_once(self, server, model):
        server.script.always = stalls_after(1, TEXT)
        listening = [asyncio.create_task(heard(model)) for _ in range(50)]
        await server.arrived(50)
        for each in listening[::2]:
            each.cancel()
        server.release.set()
        ended = await asyncio.gather(*listening, return_exceptions=True)
        assert {each[1].text for each in ended[1::2]} == {TEXT}
        await server.idle()
        assert not [task for task in asyncio.all_tasks() if "stream" in repr(task.get_coro())]
