"""A Messages API on the loopback interface: it answers as it is told to, and remembers everything it was asked."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field

from aiohttp import web


@dataclass
class Seen:
    """One request: its path, its headers with lower-case names, and its body, parsed."""

    path: str
    headers: dict[str, str]
    body: dict

    @property
    def turn(self) -> str:
        """The text of the last message."""
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)

    @property
    def system(self) -> str:
        """The system text."""
        return "".join(block["text"] for block in self.body["system"])

    @property
    def schema(self) -> dict | None:
        return self.body.get("output_config", {}).get("format", {}).get("schema")


@dataclass
class Counters:
    """The usage of a reply, in tokens; None leaves the whole of it out."""

    input_tokens: int = 900
    output_tokens: int = 150
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    hour: int = 0  # of what is written to the cache, the part that stays for an hour

    def shown(self) -> dict:
        shown = asdict(self)
        hour = shown.pop("hour")
        written = self.cache_creation_input_tokens
        return shown | {
            "cache_creation": {"ephemeral_5m_input_tokens": written - hour, "ephemeral_1h_input_tokens": hour},
            "service_tier": "standard",
        }


BeforePiece = Callable[[int, web.Request, web.StreamResponse], Awaitable[bool]]
"""Called before each piece of text that is streamed, and once after the last, with the number sent: False ends it there."""


@dataclass
class Said:
    """A reply: its content blocks, how it ended, and what it used; `size` are the characters of a piece when streamed."""

    content: list[dict]
    stop_reason: str | None = "end_turn"
    usage: Counters | None = field(default_factory=Counters)
    stop_details: dict | None = None
    size: int = 8
    before_piece: BeforePiece | None = None
    before_end: Callable[[], Awaitable[object]] | None = None  # of the stream, when all is said


Behaviour = Callable[["MessagesServer", web.Request, Seen], Awaitable["Said | web.StreamResponse"]]


@dataclass
class Script:
    """What the server does with a request: the next of what is queued, else what it always does."""

    always: Behaviour
    queued: deque[Behaviour] = field(default_factory=deque)

    def then(self, *behaviours: Behaviour) -> None:
        """Queue behaviours, each for one request."""
        self.queued.extend(behaviours)

    def next(self) -> Behaviour:
        return self.queued.popleft() if self.queued else self.always


@dataclass
class MessagesServer:
    """`url` is its base address, `requests` what arrived, `release` lets go what stalls, `open` how many are under way.

    A request whose sender is gone is under way no longer.
    """

    script: Script
    keys: frozenset[str] | None = None  # the keys it takes; None takes any, but one there must be
    url: str = ""
    requests: list[Seen] = field(default_factory=list)
    release: asyncio.Event = field(default_factory=asyncio.Event)
    open: int = 0
    most_open: int = 0
    _arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def arrived(self, number: int) -> None:
        """Wait until so many requests have arrived in all."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= number)

    async def idle(self) -> None:
        """Wait until no request is under way."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: self.open == 0)

    async def messages(self, request: web.Request) -> web.StreamResponse:
        seen = Seen(
            request.path, {name.lower(): value for name, value in request.headers.items()}, await request.json()
        )
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            return await self._respond(request, seen)
        finally:
            self.open -= 1
            await asyncio.shield(self._tell())

    async def _tell(self) -> None:
        async with self._arrived:
            self._arrived.notify_all()

    async def _respond(self, request: web.Request, seen: Seen) -> web.StreamResponse:
        async with self._arrived:
            self.requests.append(seen)
            number = len(self.requests)
            self._arrived.notify_all()
        if not self._may(seen.headers):
            return error(401, "authentication_error", "invalid x-api-key")
        outcome = await self.script.next()(self, request, seen)
        if not isinstance(outcome, Said):
            return outcome
        message = _message(f"msg_{number}", seen.body["model"], outcome)
        if seen.body.get("stream"):
            return await _stream(request, message, outcome)
        return web.json_response(message, headers={"request-id": f"req_{number}"})

    def _may(self, headers: dict[str, str]) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        key = token if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        return bool(key) and (self.keys is None or key in self.keys)


async def count_tokens(request: web.Request) -> web.Response:
    return web.json_response({"input_tokens": len(json.dumps(await request.json())) // 4})


def error(
    status: int, kind: str, message: str = "no", *, code: str = "", headers: dict[str, str] | None = None
) -> web.Response:
    """Return an error as the API words it."""
    told = {"type": kind, "message": message} | ({"details": {"error_code": code}} if code else {})
    body = {"type": "error", "error": told, "request_id": "req_error"}
    return web.json_response(body, status=status, headers={"request-id": "req_error"} | (headers or {}))


def _message(name: str, model: str, said: Said) -> dict:
    message = {
        "id": name,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": said.content,
        "stop_reason": said.stop_reason,
        "stop_sequence": None,
    }
    message |= {"stop_details": said.stop_details} if said.stop_details else {}
    return message | ({"usage": said.usage.shown()} if said.usage else {})


async def _stream(request: web.Request, message: dict, said: Said) -> web.StreamResponse:
    """Send a message as server-sent events, its texts in pieces of a few characters."""
    response = web.StreamResponse(headers={"content-type": "text/event-stream", "request-id": "req_stream"})
    await response.prepare(request)
    sent = 0
    for event in _events(message, said.size):
        piece = event.get("delta", {}).get("type") == "text_delta"
        if said.before_piece is not None and (piece or event["type"] == "message_delta"):
            if not await said.before_piece(sent, request, response):
                return response
            sent += piece
        await response.write(sse(event))
    if said.before_end is not None:
        await said.before_end()
    await response.write_eof()
    return response


def sse(event: dict) -> bytes:
    """Return a server-sent event as it goes over the wire."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _events(message: dict, size: int):
    usage = message.get("usage", {})
    start = message | {"content": [], "stop_reason": None, "usage": usage | {"output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        kind = block["type"]
        text = block[kind]
        delta = "signature_delta" if kind == "signature" else f"{kind}_delta"
        yield {"type": "content_block_start", "index": index, "content_block": block | {kind: ""}}
        for begin in range(0, len(text), size):
            piece = {"type": delta, kind: text[begin : begin + size]}
            yield {"type": "content_block_delta", "index": index, "delta": piece}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    ended |= {"stop_details": message["stop_details"]} if "stop_details" in message else {}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": usage.get("output_tokens", 0)}}
    yield {"type": "message_stop"}


@asynccontextmanager
async def messages_server(always: Behaviour | None = None) -> AsyncIterator[MessagesServer]:
    """Serve the Messages API on a free port, by default with an empty JSON object as every reply."""
    from .behaviours import says

    server = MessagesServer(Script(always or says("{}")))
    app = web.Application()
    app.router.add_post("/{prefix:.*}v1/messages/count_tokens", count_tokens)
    app.router.add_post("/{prefix:.*}v1/messages", server.messages)
    runner = web.AppRunner(app, shutdown_timeout=1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        server.release.set()
        await runner.cleanup()
