"""The one module that knows the provider's SDK: one request goes out, and what came of it comes back as a value."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import httpx2
from anthropic import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    DefaultAsyncHttpxClient,
    transform_schema,
)
from anthropic.types import Message, TextBlock, Usage

from bot.clients.model.outcomes import Answer, Broken, Refused
from bot.clients.model.troubles import retry_after
from lessons.model import Speaker, Stop, Tokens

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from anthropic.lib.streaming import AsyncMessageStream
    from anthropic.types import ThinkingConfigParam

    from lessons.model import ModelCall

_log = logging.getLogger(__name__)

PROVIDER: Final = "https://api.anthropic.com"
TALKATIVE: Final = ("anthropic", "httpx2", "httpcore2")
"""Loggers that write whole requests at DEBUG, and a line for each at INFO."""

_UNSENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
_STOPS: Final = {
    "max_tokens": Stop.CUT,
    "model_context_window_exceeded": Stop.CUT,
    "pause_turn": Stop.CUT,
    "tool_use": Stop.CUT,
    "refusal": Stop.REFUSED,
}
_ALWAYS_THINKS: Final = re.compile(r"claude-(?:sonnet|opus)-5-5\b")
"""Models that refuse to have thinking switched off; where no tool is used, they think the least this way."""
_STATUSES: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status an error has that comes in the middle of a stream, whose own is that of success; of any other it is 500."""
_LINGER: Final = 0.5
"""Seconds that a stream may take to end after the reply has: a connection that is read to its end can be used again."""
_WORD: Final = re.compile(r"[\w-]{1,64}", re.ASCII)


class Wire:
    """A connection to the Messages API. Use and close it on one event loop; it never retries by itself.

    Nothing but `key` and `base_url` decides where a request goes and who pays: neither the environment's own variables
    for that, nor its proxies, nor a redirection.
    """

    def __init__(self, key: str, base_url: str, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._client = AsyncAnthropic(
            api_key=key,
            base_url=base_url or PROVIDER,
            max_retries=0,
            http_client=DefaultAsyncHttpxClient(trust_env=False, follow_redirects=False),
            open_telemetry=False,
        )
        pin_loggers()

    async def send(self, model: str, call: ModelCall) -> Answer | Refused | Broken:
        """Send one request and return what came of it. Raises ValueError for a schema that is none."""
        arguments = request(model, call)
        try:
            message = await self._client.messages.create(**arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is may carry the request: none gets out
            return failure(error, self._clock())
        return answer(message)

    async def stream(self, model: str, call: ModelCall) -> AsyncGenerator[str | Answer | Refused | Broken, None]:
        """Send one request, yield the text of the reply as it comes, and last what came of it, without that text.

        Raises ValueError for a schema that is none.
        """
        arguments = request(model, call)
        outcome: Answer | Refused | Broken = Broken(sent=True)
        try:
            async with self._client.messages.stream(**arguments) as stream:
                async for event in stream:
                    if event.type == "text" and isinstance(event.text, str) and event.text:
                        yield event.text
                    elif event.type == "message_stop":
                        outcome = await _last(stream)
                        break
        except Exception as error:  # noqa: BLE001 - as above
            outcome = failure(error, self._clock())
        yield outcome

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()


def pin_loggers() -> None:
    """Keep the SDK from logging keys and learners' texts, whatever the environment or the operator asks for."""
    for name in (*TALKATIVE, *logging.Logger.manager.loggerDict):
        if name.split(".")[0] in TALKATIVE:
            logger = logging.getLogger(name)
            logger.setLevel(max(logger.level, logging.WARNING))


def request(model: str, call: ModelCall) -> dict[str, Any]:
    """Return the request of a call: what never varies first, marked to be cached, then what was said, last the turn."""
    config: dict[str, object] = {"effort": "low"}
    if call.schema is not None:
        config["format"] = {"type": "json_schema", "schema": transform_schema(dict(call.schema))}
    return {
        "model": model,
        "max_tokens": call.max_tokens,
        "system": [{"type": "text", "text": call.system, "cache_control": {"type": "ephemeral"}}],
        "messages": _messages(call),
        "thinking": _thinking(model),
        "output_config": config,
    }


def failure(error: Exception, now: datetime) -> Refused | Broken:
    """Return what an exception of the SDK says; of one that nobody expects, its name alone is told."""
    if isinstance(error, APIStatusError):
        return _refused(error, now)
    if isinstance(error, APIConnectionError):
        return Broken(sent=not isinstance(error.__cause__, _UNSENT), slow=isinstance(error, APITimeoutError))
    if not isinstance(error, httpx2.TransportError):  # which is a line that was cut in the middle of a stream
        _log.warning("the model's reply cannot be read (%s)", type(error).__name__)
    return Broken(sent=True)


def answer(message: object) -> Answer | Broken:
    """Return what a message says. The SDK hands over whatever JSON came: nothing about its shape is taken for granted."""
    if not isinstance(message, Message) or not isinstance(message.content, list):
        return Broken(sent=True)
    texts = [block.text for block in message.content if isinstance(block, TextBlock) and isinstance(block.text, str)]
    details = message.stop_details
    return Answer(
        "".join(texts),
        _STOPS.get(str(message.stop_reason), Stop.END),
        _tokens(message.usage),
        _word(getattr(message, "_request_id", None)),  # where the SDK documents it; a streamed one has none
        _word(getattr(details, "category", None)),
    )


async def _last(stream: AsyncMessageStream[None]) -> Answer | Broken:
    """Return what a stream says whose reply is whole, after waiting a moment for its end."""
    message = stream.current_message_snapshot
    with suppress(Exception):  # whatever comes afterwards, the reply is whole
        async with asyncio.timeout(_LINGER):
            await stream.until_done()
    said = answer(message)
    if isinstance(said, Answer):
        counted = said.tokens if message.stop_reason is not None else None  # the counters come with it
        return replace(said, text="", tokens=counted, request_id=_word(stream.request_id))
    return said


def _messages(call: ModelCall) -> list[dict[str, object]]:
    """Return what was said in turns: the learner first and last, several things in a row as one turn's blocks."""
    turns: list[tuple[str, list[str]]] = []
    said = [(speaker, text) for speaker, text in call.history if text.strip()]  # blank ones are refused
    for speaker, text in (*said, (Speaker.LEARNER, call.turn)):
        role = "user" if speaker is Speaker.LEARNER else "assistant"
        if turns and turns[-1][0] == role:
            turns[-1][1].append(text)
        elif turns or role == "user":
            turns.append((role, [text]))
    return [{"role": role, "content": _content(texts)} for role, texts in turns]


def _content(texts: list[str]) -> str | list[dict[str, str]]:
    encodable = [_encodable(text) for text in texts]
    return encodable[0] if len(encodable) == 1 else [{"type": "text", "text": text} for text in encodable]


def _thinking(model: str) -> ThinkingConfigParam:
    return {"type": "between_tools"} if _ALWAYS_THINKS.match(model) else {"type": "disabled"}


def _encodable(text: str) -> str:
    """Replace lone surrogates, which no request can carry."""
    return text.encode(errors="replace").decode()


def _refused(error: APIStatusError, now: datetime) -> Refused:
    headers = error.response.headers
    begun = error.response.is_success
    return Refused(
        _STATUSES.get(str(error.type), 500) if begun else error.status_code,
        _word(error.error_code) or _word(error.type),
        str(error.api_message or ""),
        retry_after(headers, now),
        no_retry=headers.get("x-should-retry") == "false",
        begun=begun,
    )


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, Usage):
        return None
    counted = [_count(usage.input_tokens), _count(usage.output_tokens)]
    if None in counted:
        return None
    written, kinds = _count(usage.cache_creation_input_tokens) or 0, usage.cache_creation
    hour = min(written, _count(getattr(kinds, "ephemeral_1h_input_tokens", 0)) or 0)
    return Tokens(
        input=counted[0] or 0,
        cache_write_5m=written - hour,
        cache_write_1h=hour,
        cache_read=_count(usage.cache_read_input_tokens) or 0,
        output=counted[1] or 0,
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 2**31 else None


def _word(value: object) -> str:
    """Return a name that can stand in a log, or "" for anything else."""
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""
