"""A real model client that talks to the Messages API of the tests, on a clock that the test moves."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import datetime

from bot.clients.model import ClaudeModel, Pace
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
    server: MessagesServer | str, clock: Callable[[], datetime], key: str = KEY, *, pace: dict | None = None, **names
) -> AsyncIterator[ClaudeModel]:
    """A model client, started; its seconds are those of `clock`, its retries come at once, and it waits for anything."""
    url = server if isinstance(server, str) else server.url
    paced = {"retry_pause": 0.01, "monotonic": lambda: clock().timestamp(), "first_piece": 20.0} | (pace or {})
    model = ClaudeModel(key, base_url=url, clock=clock, pace=Pace(**paced), **names)
    await model.start()
    try:
        yield model
    finally:
        await model.close()


def a_turn(turn: str = CANARY, *, purpose: Purpose = Purpose.TUTOR, **other) -> ModelCall:
    """A learner's turn with the tutor, which is answered in pieces of free text."""
    return a_call(turn, purpose=purpose, **({"schema": None, "max_tokens": 1500} | other))


async def heard(model: ClaudeModel, call: ModelCall | None = None) -> tuple[list[str], ModelReply | ModelAway]:
    """What a streamed call comes to: the pieces, and the reply or the error behind them."""
    parts: list[str | ModelReply | ModelAway] = []
    try:
        async with aclosing(model.stream(call or a_turn())) as coming:
            async for part in coming:
                parts.append(part)  # noqa: PERF401 - what came before an error counts
    except ModelAway as away:
        parts.append(away)
    return parts[:-1], parts[-1]


async def outcome(model: ClaudeModel, call: ModelCall | None = None) -> ModelReply | ModelAway:
    """What a call comes to: the reply, or the error."""
    try:
        return await model.ask(call or a_call())
    except ModelAway as away:
        return away
