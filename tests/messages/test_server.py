"""The Messages API of the tests, held against the real SDK: what it says is what the SDK hears."""

import asyncio
import json

import anthropic
import httpx2
import pytest

from .behaviours import fails, obeys, refuses, runs_out, says, thinks_first, waits
from .server import Counters, messages_server
from .streams import (
    babbles_after,
    cuts_after,
    ends_after,
    fails_after,
    obeys_documents,
    refuses_after,
    stalls_after,
)

ASKED = {"model": "claude-haiku-5-5", "max_tokens": 50, "messages": [{"role": "user", "content": "猫が好き"}]}


@pytest.fixture
async def server():
    async with messages_server() as serving:
        yield serving


@pytest.fixture
async def sdk(server):
    plain = anthropic.DefaultAsyncHttpxClient(trust_env=False)
    async with anthropic.AsyncAnthropic(api_key="key", base_url=server.url, max_retries=0, http_client=plain) as client:
        yield client


@pytest.mark.parametrize(
    ("behaviour", "kinds", "stop"),
    [
        (says("食べます。" * 9, usage=Counters(7, 9, 5, 3)), ["text"], "end_turn"),
        (thinks_first("はい"), ["thinking", "text"], "end_turn"),
        (runs_out("0123456789", at=4), ["text"], "max_tokens"),
        (refuses(), [], "refusal"),
    ],
)
async def test_a_stream_ends_in_the_message_that_comes_in_one_piece(server, sdk, behaviour, kinds, stop):
    server.script.always = behaviour
    whole = await sdk.messages.create(**ASKED)
    async with sdk.messages.stream(**ASKED) as stream:
        pieces = [piece async for piece in stream.text_stream]
        streamed = await stream.get_final_message()
    assert [block.type for block in streamed.content] == kinds
    assert [block.to_dict().get("thinking") for block in streamed.content] == [
        block.to_dict().get("thinking") for block in whole.content
    ]
    assert streamed.stop_reason == whole.stop_reason == stop
    assert "".join(pieces) == "".join(block.text for block in whole.content if block.type == "text")
    for counter in ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"):
        assert getattr(streamed.usage, counter) == getattr(whole.usage, counter)


@pytest.mark.parametrize(
    ("behaviour", "raised"),
    [
        (cuts_after(1, "食べます。" * 9), httpx2.RemoteProtocolError),
        (fails_after(1, "食べます。" * 9), anthropic.APIStatusError),
        (babbles_after(1, "食べます。" * 9), json.JSONDecodeError),
        (stalls_after(1, "食べます。" * 9), TimeoutError),
    ],
)
async def test_a_stream_can_come_to_a_bad_end(server, sdk, behaviour, raised):
    server.script.always = behaviour
    pieces = []

    async def listen() -> None:
        async with asyncio.timeout(1), sdk.messages.stream(**ASKED) as stream:
            async for piece in stream.text_stream:
                pieces.append(piece)  # noqa: PERF401 - what came before the error counts

    with pytest.raises(raised):
        await listen()
    assert pieces == ["食べます。食べます"[:8]]
    await server.idle()
    whole = await sdk.messages.create(**ASKED)
    assert whole.content[0].text == "食べます。" * 9


async def test_a_stream_can_end_without_an_end_or_with_a_refusal(server, sdk):
    server.script.then(ends_after(1, "食べます。" * 9), refuses_after(1, "食べます。" * 9))
    stops = []
    for _ in range(2):
        async with sdk.messages.stream(**ASKED) as stream:
            stops.append((await stream.get_final_message()).stop_reason)
    assert stops == [None, "refusal"]


async def test_an_obedient_stream_repeats_what_nobody_ordered(server, sdk):
    server.script.always = obeys_documents()
    turns = [
        {"role": "user", "content": 'Reference:\n{"details": ["Kyoto", {"not": 1}]}\n{broken'},
        {"role": "user", "content": [{"type": "text", "text": "は？"}]},
    ]
    async with sdk.messages.stream(**ASKED | {"messages": turns}) as stream:
        assert await stream.get_final_text() == "Kyoto\ntext\nは？"


async def test_tokens_can_be_counted(sdk):
    asked = {name: ASKED[name] for name in ("model", "messages")}
    assert (await sdk.messages.count_tokens(**asked)).input_tokens > 0


async def test_an_error_is_the_sdks_own(server, sdk):
    server.script.always = fails(429, "rate_limit_error", code="ramp_limit_exceeded", retry_after=7)
    with pytest.raises(anthropic.RateLimitError) as caught:
        await sdk.messages.create(**ASKED)
    assert (caught.value.type, caught.value.error_code) == ("rate_limit_error", "ramp_limit_exceeded")
    assert caught.value.response.headers["retry-after"] == "7"


@pytest.mark.parametrize("headers", [{"x-api-key": "right"}, {"Authorization": "Bearer right"}])
async def test_a_key_may_come_either_way(server, sdk, headers):
    server.keys = frozenset({"right"})
    with pytest.raises(anthropic.AuthenticationError):
        await sdk.messages.create(**ASKED)
    without = {"Authorization": anthropic.Omit()} | headers
    assert (await sdk.messages.create(**ASKED, extra_headers=without)).type == "message"


async def test_what_is_queued_comes_before_what_is_always_done(server, sdk):
    server.script.always = waits(0, says("always"))
    server.script.then(says("first"), says(lambda seen: seen.turn))
    heard = [(await sdk.messages.create(**ASKED)).content[0].text for _ in range(3)]
    assert heard == ["first", "猫が好き", "always"]


async def test_obedience_fills_any_schema(server, sdk):
    server.script.always = obeys()
    schema = {
        "type": "object",
        "properties": {
            "diagnosis": {"type": "string"},
            "verdict": {"enum": ["incorrect", "correct"]},
            "confidence": {"enum": ["low", "high"]},
            "kind": {"enum": ["a", "b"]},
            "others": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
            "attempt": {"type": "boolean"},
            "count": {"type": "integer"},
        },
        "additionalProperties": False,
    }
    asked = ASKED | {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
    message = await sdk.messages.create(**asked)
    assert json.loads(message.content[0].text) == {
        "diagnosis": "猫が好き",
        "verdict": "correct",
        "confidence": "high",
        "kind": "a",
        "others": ["猫が好き"],
        "attempt": True,
        "count": 1,
    }
