"""The model client on a real SDK: what it sends, what it makes of every kind of reply, and what that costs."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.errors import ModelAway
from lessons.judging import alternatives, asking
from lessons.model import Away, ModelReply, Purpose, Speaker, Stop, Tokens
from tests.messages.asking import CANARY, KEY, SCHEMA, a_call, a_model, a_turn, outcome
from tests.messages.behaviours import (
    in_blocks,
    obeys,
    raw,
    refuses,
    runs_out,
    says,
    stalls,
    talks_around,
    thinks_first,
    waits,
)
from tests.messages.server import Counters, messages_server

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def server():
    async with messages_server(says({"verdict": "incorrect", "feedback": "に marks the goal."})) as serving:
        yield serving


@pytest.fixture
async def model(server, clock):
    async with a_model(server, clock) as made:
        yield made


OF_THE_TUTOR = [Purpose.TUTOR, Purpose.ROADMAP, Purpose.COMPOSITION, Purpose.REPORT]


@pytest.mark.parametrize("purpose", [each for each in Purpose if each not in OF_THE_TUTOR])
async def test_most_purposes_ask_the_grader_plainly(server, model, purpose):
    reply = await model.ask(a_call(purpose=purpose))
    (seen,) = server.requests
    assert seen.path == "/v1/messages"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.body == {
        "model": "claude-haiku-5-5",
        "max_tokens": 400,
        "system": [{"type": "text", "text": "The rules.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": CANARY}],
        "thinking": {"type": "disabled"},
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": seen.schema}},
    }
    assert model.model_of(a_call(purpose=purpose)) == reply.model == "claude-haiku-5-5"
    assert reply.micro_usd == 165


@pytest.mark.parametrize("purpose", OF_THE_TUTOR)
async def test_what_a_tutor_says_is_asked_of_the_tutor_who_thinks_as_little_as_it_can(server, model, purpose):
    reply = await model.ask(a_call(purpose=purpose))
    (seen,) = server.requests
    assert seen.body["model"] == model.model_of(a_call(purpose=purpose)) == reply.model == "claude-sonnet-5-5"
    assert seen.body["thinking"] == {"type": "between_tools"}
    assert seen.body["output_config"]["effort"] == "low"
    assert seen.schema is not None
    assert reply.micro_usd == 3300


async def test_both_can_be_one_model_and_either_another(server, clock):
    async with a_model(server, clock, tutor="claude-haiku-5-5") as model:
        assert (await model.ask(a_call(purpose=Purpose.ROADMAP))).micro_usd == 165
    async with a_model(server, clock, grader="claude-opus-5-5", tutor="claude-haiku-5-5") as model:
        assert model.model_of(a_call()) == "claude-opus-5-5"
        assert model.model_of(a_turn()) == "claude-haiku-5-5"


@pytest.mark.parametrize(
    ("history", "sent"),
    [
        ((), []),
        (
            ((Speaker.LEARNER, "は？"), (Speaker.TUTOR, "Topic.")),
            [{"role": "user", "content": "は？"}, {"role": "assistant", "content": "Topic."}],
        ),
        (
            (
                (Speaker.TUTOR, "Hello."),
                (Speaker.LEARNER, "は？"),
                (Speaker.TUTOR, " \n"),
                (Speaker.LEARNER, "も\ud800"),
            ),
            [{"role": "user", "content": [*({"type": "text", "text": each} for each in ("は？", "も?", CANARY))]}],
        ),
        (
            ((Speaker.LEARNER, "は"), (Speaker.TUTOR, "a"), (Speaker.TUTOR, "b")),
            [
                {"role": "user", "content": "は"},
                {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            ],
        ),
    ],
    ids=["none", "a pair", "unanswered, after a greeting", "two answers"],
)
async def test_what_was_said_before_goes_in_turns_before_the_last(server, model, history, sent):
    await model.ask(a_call(history=history))
    messages = server.requests[0].body["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * (len(messages) // 2) + ["user"]
    assert messages in (sent, [*sent, {"role": "user", "content": CANARY}])
    assert "cache_control" not in str(messages)


async def test_the_schema_goes_in_the_order_it_has_and_without_lengths(server, model):
    await model.ask(a_call())
    schema = server.requests[0].schema
    assert list(schema["properties"]) == list(SCHEMA["properties"])
    assert schema["properties"]["verdict"]["enum"] == SCHEMA["properties"]["verdict"]["enum"]
    assert "maxLength" not in schema["properties"]["feedback"]
    assert (schema["required"], schema["additionalProperties"]) == (SCHEMA["required"], False)


@pytest.mark.parametrize("schema", [asking.SCHEMA, alternatives.ALTERNATIVES_SCHEMA], ids=["grade", "alternatives"])
async def test_the_schemas_there_are_go_as_they_are(server, model, schema):
    server.script.always = obeys("text")
    reply = await model.ask(a_call(schema=schema))
    sent = server.requests[0].schema
    assert list(sent["properties"]) == list(schema["properties"])
    assert (sent["required"], sent["additionalProperties"]) == (schema["required"], False)
    assert list(json.loads(reply.text)) == schema["required"]


async def test_free_text_needs_no_schema(server, model):
    await model.ask(a_call(schema=None))
    assert server.requests[0].body["output_config"] == {"effort": "low"}


@pytest.mark.parametrize("grader", ["claude-sonnet-5-5", "claude-opus-5-5", "claude-sonnet-5-5-20261001"])
async def test_a_model_that_cannot_stop_thinking_is_not_told_to(server, clock, grader):
    async with a_model(server, clock, grader=grader) as model:
        reply = await model.ask(a_call())
    assert server.requests[0].body["model"] == reply.model == grader
    assert server.requests[0].body["thinking"] == {"type": "between_tools"}


async def test_an_address_may_have_a_path(server, clock):
    async with a_model(f"{server.url}/proxy/claude", clock) as model:
        await model.ask(a_call())
    assert server.requests[0].path == "/proxy/claude/v1/messages"


async def test_the_environment_decides_nothing(server, clock, monkeypatch):
    for name, value in {
        "ANTHROPIC_API_KEY": "another",
        "ANTHROPIC_AUTH_TOKEN": "another",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    async with a_model(server, clock) as model:
        await model.ask(a_call())
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_without_an_address_it_is_the_providers_own(clock, monkeypatch):
    from bot.clients.model.wire import Wire

    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    wire = Wire(KEY, "", clock)
    assert str(wire._client.base_url).rstrip("/") == "https://api.anthropic.com"
    await wire.close()


async def test_a_reply_tells_what_it_used_and_cost(server, model):
    server.script.always = says("{}", usage=Counters(100, 40, 300, 2000, hour=200))
    reply = await model.ask(a_call())
    assert reply == ModelReply(
        text="{}",
        stop=Stop.END,
        model="claude-haiku-5-5",
        tokens=Tokens(input=100, cache_write_5m=100, cache_write_1h=200, cache_read=2000, output=40),
        micro_usd=103,  # (100 * .10 + 100 * .125 + 200 * .20 + 2000 * .01 + 40 * .50) = 102.5
        seconds=0.0,
        request_id="req_1",
    )


async def test_a_reply_that_does_not_say_what_it_used_is_booked_at_the_most(server, model):
    server.script.always = says("{}", usage=None)
    reply = await model.ask(a_call())
    assert reply.tokens == Tokens()
    assert reply.micro_usd == model.at_most(a_call())


@pytest.mark.parametrize(
    "usage", [b"7", b'{"input_tokens": "many", "output_tokens": 1}', b'{"input_tokens": -1}', b"{}"]
)
async def test_counters_that_are_no_numbers_are_booked_at_the_most(server, model, usage):
    server.script.always = raw(b'{"type": "message", "content": [], "stop_reason": "end_turn", "usage": %b}' % usage)
    assert (await model.ask(a_call())).micro_usd == model.at_most(a_call())


async def test_no_usual_reply_costs_more_than_the_most(server, model):
    server.script.always = says("{}", usage=Counters(0, 400, len(CANARY.encode()) + len("The rules.")))
    assert (await model.ask(a_call())).micro_usd <= model.at_most(a_call())


@pytest.mark.parametrize(
    ("behaviour", "text", "stop"),
    [
        (says("はい"), "はい", Stop.END),
        (in_blocks("は", "い"), "はい", Stop.END),
        (thinks_first("はい"), "はい", Stop.END),
        (talks_around("{}"), "Sure! Here is the grade:\n```json\n{}\n```\nAnything else?", Stop.END),
        (runs_out({"verdict": "incorrect"}, at=12), '{"verdict": ', Stop.CUT),
        (refuses(), "", Stop.REFUSED),
        (refuses("I cannot.", category=None), "I cannot.", Stop.REFUSED),
        (refuses(category="new kind\nINFO x"), "", Stop.REFUSED),
        (obeys(), '{"verdict": "correct", "feedback": "カナリアの答え"}', Stop.END),
        (obeys("よくできました"), '{"verdict": "correct", "feedback": "よくできました"}', Stop.END),
        (says("", stop_reason="stop_sequence"), "", Stop.END),
        (says("", stop_reason="pause_turn"), "", Stop.CUT),
        (says("", stop_reason="tool_use"), "", Stop.CUT),
        (says("", stop_reason="model_context_window_exceeded"), "", Stop.CUT),
        (says("", stop_reason="something_new"), "", Stop.END),
        (says("", stop_reason=None), "", Stop.END),
    ],
)
async def test_every_way_to_reply(server, model, behaviour, text, stop):
    server.script.always = behaviour
    reply = await model.ask(a_call())
    assert (reply.text, reply.stop) == (text, stop)
    assert len(server.requests) == 1


async def test_blocks_of_other_kinds_are_passed_over(server, model):
    server.script.always = raw(
        b'{"type": "message", "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1},'
        b'"content": [{"type": "new"}, {"type": "text"}, {"type": "text", "text": 5}, {"type": "text", "text": "a"}, 7]}'
    )
    assert (await model.ask(a_call())).text == "a"


async def test_what_no_request_can_carry_is_replaced(server, model):
    await model.ask(a_call("猫\ud800が\x00"))
    assert server.requests[0].turn == "猫?が\x00"


async def test_a_schema_that_is_none_is_a_fault_of_ours(server, model):
    with pytest.raises(ValueError, match="Schema"):
        await model.ask(a_call(schema={"properties": {}}))
    assert server.requests == []


async def test_fifty_may_ask_at_once(server, model):
    server.script.always = stalls(says(lambda seen: seen.turn))
    asking = [asyncio.create_task(model.ask(a_call(f"answer {number}"))) for number in range(50)]
    await server.arrived(50)
    assert server.open == 50
    server.release.set()
    assert [reply.text for reply in await asyncio.gather(*asking)] == [f"answer {number}" for number in range(50)]
    assert len(server.requests) == 50


async def test_the_first_call_loads_the_sdk_itself(server, clock):
    from bot.clients.model import ClaudeModel

    model = ClaudeModel(KEY, base_url=server.url, clock=clock)
    replies = await asyncio.gather(*(model.ask(a_call()) for _ in range(3)))
    await model.close()
    assert len(replies) == len(server.requests) == 3


async def test_the_sdk_is_loaded_by_nobody_who_does_not_ask():
    script = "import sys, bot.clients.model, bot.__main__; sys.exit('anthropic' in sys.modules)"
    ended = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )
    assert ended.returncode == 0


async def test_a_closed_model_asks_nobody(server, clock):
    async with a_model(server, clock) as model:
        server.script.always = stalls()
        under_way = asyncio.create_task(outcome(model))
        await server.arrived(1)
    ended = await under_way
    assert isinstance(ended, ModelAway)
    assert ended.left
    later = await outcome(model)
    assert isinstance(later, ModelAway)
    assert (later.why, later.left) == (Away.NO_MODEL, False)
    assert len(server.requests) == 1


async def test_a_model_that_never_asked_closes_too(clock):
    from bot.clients.model import ClaudeModel

    model = ClaudeModel(KEY, clock=clock)
    await model.close()


async def test_who_stops_waiting_leaves_nothing_behind(server, model):
    server.script.then(stalls())
    asking = asyncio.create_task(model.ask(a_call()))
    await server.arrived(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert isinstance(await outcome(model), ModelReply)


async def test_a_slow_reply_in_time_is_a_reply(server, model):
    server.script.always = waits(0.05, says("ok"))
    assert (await model.ask(a_call())).text == "ok"
