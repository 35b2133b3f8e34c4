"""A real model client that talks to the Messages API of the tests, on a clock that the test moves."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from bot.clients.model import ClaudeModel
from lessons.errors import ModelAway
from lessons.model import ModelCall, ModelReply, Purpose

from .server import MessagesServer

KEY = "sk-ant-canary-0123456789"
CANARY = "カナリアの答え"
SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["incorrect", "acceptable", "correct"]},
        "feedback": {"type": "string", "maxLength": 300},
    },
    "required": ["verdict", "feedback"],
    "additionalProperties": False,
}


def a_call(turn: str = CANARY, *, seconds: float = 20.0, purpose: Purpose = Purpose.GRADE, **other) -> ModelCall:
    """A call that waits longer than any test takes, unless it says otherwise."""
    given = {"system": "The rules.", "max_tokens": 400, "schema": SCHEMA} | other
    return ModelCall(purpose=purpose, turn=turn, seconds=seconds, **given)


@asynccontextmanager
async def a_model(
    server: MessagesServer | str, clock: Callable[[], datetime], key: str = KEY, **options
) -> AsyncIterator[ClaudeModel]:
    """A model client, started; its seconds are those of `clock`, and its retries come at once."""
    url = server if isinstance(server, str) else server.url
    given = {"retry_pause": 0.01, "monotonic": lambda: clock().timestamp()} | options
    model = ClaudeModel(key, base_url=url, clock=clock, **given)
    await model.start()
    try:
        yield model
    finally:
        await model.close()


async def outcome(model: ClaudeModel, call: ModelCall | None = None) -> ModelReply | ModelAway:
    """What a call comes to: the reply, or the error."""
    try:
        return await model.ask(call or a_call())
    except ModelAway as away:
        return away
