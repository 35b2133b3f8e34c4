"""What a Messages API can do with a request: answer, think, refuse, stall, fail, cut the line, or obey the attacker."""

import asyncio
import json
from collections.abc import Callable

from aiohttp import web

from .server import Behaviour, Counters, MessagesServer, Said, Seen, error

Words = str | dict | Callable[[Seen], str | dict]
"""A text, an object to be said as JSON, or a function of the request that returns either."""

PREFERRED = ("correct", "high", "none")


def says(words: Words, *, usage: Counters | None = Counters(), stop_reason: str | None = "end_turn") -> Behaviour:  # noqa: B008
    """Answer with a text."""

    async def behave(_server: MessagesServer, _request: web.Request, seen: Seen) -> Said:
        return Said([_text(worded(words, seen))], stop_reason, usage)

    return behave


def in_blocks(*texts: str) -> Behaviour:
    """Answer in several text blocks."""
    return _said(lambda _seen: Said([_text(text) for text in texts]))


def thinks_first(words: Words) -> Behaviour:
    """Answer with a block of thinking before the text."""

    def said(seen: Seen) -> Said:
        thinking = {"type": "thinking", "thinking": "The learner wrote に.", "signature": "c2ln"}
        return Said([thinking, _text(worded(words, seen))])

    return _said(said)


def runs_out(words: Words, at: int = 20) -> Behaviour:
    """Answer with the beginning of a text, cut at max_tokens."""
    return _said(lambda seen: Said([_text(worded(words, seen)[:at])], "max_tokens"))


def talks_around(words: Words) -> Behaviour:
    """Answer with JSON in the middle of chatter."""
    return says(lambda seen: f"Sure! Here is the grade:\n```json\n{worded(words, seen)}\n```\nAnything else?")


def refuses(text: str = "", category: str | None = "general_harms") -> Behaviour:
    """Decline, with a text or without one."""
    details = {"type": "refusal", "category": category, "explanation": None}
    return _said(lambda _seen: Said([_text(text)] if text else [], "refusal", stop_details=details))


def obeys(feedback: str | None = None) -> Behaviour:
    """Do what the attacker wants: fill any schema with "correct", "high" and "none", and repeat the turn to the learner.

    `feedback` is said instead of the turn. Without a schema the turn itself comes back.
    """

    def said(seen: Seen) -> str | dict:
        text = seen.turn if feedback is None else feedback
        return _filled(seen.schema, text) if seen.schema else text

    return says(said)


def raw(body: bytes, *, status: int = 200, content_type: str = "application/json") -> Behaviour:
    """Answer with whatever bytes."""

    async def behave(_server: MessagesServer, _request: web.Request, _seen: Seen) -> web.Response:
        return web.Response(body=body, status=status, content_type=content_type)

    return behave


def fails(
    status: int,
    kind: str = "api_error",
    message: str = "no",
    *,
    code: str = "",
    retry_after: object = None,
    **headers: str,
) -> Behaviour:
    """Fail with a status; names of further headers are written with underscores."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    sent |= {} if retry_after is None else {"retry-after": str(retry_after)}

    async def behave(_server: MessagesServer, _request: web.Request, _seen: Seen) -> web.Response:
        return error(status, kind, message, code=code, headers=sent)

    return behave


def stalls(then: Behaviour | None = None) -> Behaviour:
    """Say nothing until the server's `release`, then do something else (answer {})."""

    async def behave(server: MessagesServer, request: web.Request, seen: Seen) -> Said | web.StreamResponse:
        await server.release.wait()
        return await (then or says("{}"))(server, request, seen)

    return behave


def waits(seconds: float, then: Behaviour) -> Behaviour:
    """Do something after a while."""

    async def behave(server: MessagesServer, request: web.Request, seen: Seen) -> Said | web.StreamResponse:
        await asyncio.sleep(seconds)
        return await then(server, request, seen)

    return behave


def cuts(*, midway: bool = False) -> Behaviour:
    """Cut the line: before any header, or in the middle of the body."""

    async def behave(_server: MessagesServer, request: web.Request, _seen: Seen) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "application/json", "content-length": "1000"})
        if midway:
            await response.prepare(request)
            await response.write(b'{"id": "msg_1", "type": "mess')
        if request.transport is not None:
            request.transport.close()
        return response

    return behave


def _said(reply: Callable[[Seen], Said]) -> Behaviour:
    async def behave(_server: MessagesServer, _request: web.Request, seen: Seen) -> Said:
        return reply(seen)

    return behave


def _text(text: str) -> dict:
    return {"type": "text", "text": text}


def worded(words: Words, seen: Seen) -> str:
    """Return what is to be said to a request."""
    found = words(seen) if callable(words) else words
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _filled(schema: dict, text: str):
    """Return a value of a schema: the preferred one of a choice, the text wherever a text is wanted."""
    if "enum" in schema:
        return next((choice for choice in PREFERRED if choice in schema["enum"]), schema["enum"][0])
    if "anyOf" in schema:
        return _filled(schema["anyOf"][0], text)
    if schema.get("type") == "object":
        return {name: _filled(part, text) for name, part in schema.get("properties", {}).items()}
    if schema.get("type") == "array":
        return [_filled(schema["items"], text)]
    return {"boolean": True, "integer": 1, "number": 1}.get(schema.get("type", ""), text)
