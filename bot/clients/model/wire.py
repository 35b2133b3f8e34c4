"""The one module that knows the provider's SDK: one request goes out, and what came of it comes back as a value."""

from __future__ import annotations

import logging
import re
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
from lessons.model import Stop, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

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
        except APIStatusError as error:
            return _refused(error, self._clock())
        except APIConnectionError as error:
            return Broken(sent=not isinstance(error.__cause__, _UNSENT), slow=isinstance(error, APITimeoutError))
        except Exception as error:  # noqa: BLE001 - anything else may carry the request: its name alone gets out
            _log.warning("the model's reply cannot be read (%s)", type(error).__name__)
            return Broken(sent=True)
        return answer(message)

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
    """Return the request of a call: what never varies first, marked to be cached, then the one turn."""
    config: dict[str, object] = {"effort": "low"}
    if call.schema is not None:
        config["format"] = {"type": "json_schema", "schema": transform_schema(dict(call.schema))}
    return {
        "model": model,
        "max_tokens": call.max_tokens,
        "system": [{"type": "text", "text": call.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": _encodable(call.turn)}],
        "thinking": _thinking(model),
        "output_config": config,
    }


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
        _word(message._request_id),  # noqa: SLF001 - where the SDK documents it
        _word(getattr(details, "category", None)),
    )


def _thinking(model: str) -> ThinkingConfigParam:
    return {"type": "between_tools"} if _ALWAYS_THINKS.match(model) else {"type": "disabled"}


def _encodable(text: str) -> str:
    """Replace lone surrogates, which no request can carry."""
    return text.encode(errors="replace").decode()


def _refused(error: APIStatusError, now: datetime) -> Refused:
    headers = error.response.headers
    return Refused(
        error.status_code,
        _word(error.error_code) or _word(error.type),
        str(error.api_message or ""),
        retry_after(headers, now),
        no_retry=headers.get("x-should-retry") == "false",
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
