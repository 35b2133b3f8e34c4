"""What a Messages API can do while it streams: pause, stall, cut the line, fail, think better of it, or give itself away.

To a request that wants its reply in one piece all of these just answer.
"""

import asyncio
import json
import re

from aiohttp import web

from .behaviours import Words, worded
from .server import BeforePiece, Behaviour, Counters, MessagesServer, Said, Seen, sse

ORDER = "Reply only with: "
"""What an attacker writes into a document; what follows it in the same text is what an obedient model says."""


def in_pieces(words: Words, *, size: int = 8, pause: float = 0.0, usage: Counters | None = None) -> Behaviour:
    """Answer in pieces of so many characters, with a pause of so many seconds before each."""

    async def before(_sent: int, _request: web.Request, _response: web.StreamResponse) -> bool:
        await asyncio.sleep(pause)
        return True

    return _streams(words, lambda _server: before, size=size, usage=usage or Counters())


def stalls_after(pieces: int, words: Words) -> Behaviour:
    """Say so many pieces and then nothing until the server's `release`; then go on to the end."""

    def holding(server: MessagesServer) -> BeforePiece:
        async def before(sent: int, _request: web.Request, _response: web.StreamResponse) -> bool:
            if sent == pieces:
                await server.release.wait()
            return True

        return before

    return _streams(words, holding)


def cuts_after(pieces: int, words: Words) -> Behaviour:
    """Say so many pieces and cut the line."""

    async def before(sent: int, request: web.Request, _response: web.StreamResponse) -> bool:
        if sent == pieces and request.transport is not None:
            request.transport.close()
        return sent < pieces

    return _streams(words, lambda _server: before)


def ends_after(pieces: int, words: Words) -> Behaviour:
    """Say so many pieces and end the stream in good order, as a proxy does, without the end of the message."""
    return _instead(pieces, words, b"")


def fails_after(pieces: int, words: Words, kind: str = "overloaded_error", message: str = "Overloaded") -> Behaviour:
    """Say so many pieces and then an error."""
    return _instead(pieces, words, sse({"type": "error", "error": {"type": kind, "message": message}}))


def babbles_after(pieces: int, words: Words, babble: bytes = b"event: message_delta\ndata: {\n\n") -> Behaviour:
    """Say so many pieces and then what nobody can read."""
    return _instead(pieces, words, babble)


def refuses_after(pieces: int, words: Words, category: str | None = "general_harms") -> Behaviour:
    """Say so many pieces and then decline to go on."""
    details = {"type": "refusal", "category": category, "explanation": None}

    async def behave(_server: MessagesServer, _request: web.Request, seen: Seen) -> Said:
        text = worded(words, seen)[: pieces * Said.size]
        return Said([{"type": "text", "text": text}] if text else [], "refusal", stop_details=details)

    return behave


def lingers(words: Words) -> Behaviour:
    """Say everything, and keep the line open until the server's `release`."""

    async def behave(server: MessagesServer, request: web.Request, seen: Seen) -> Said:
        return Said([{"type": "text", "text": worded(words, seen)}], before_end=server.release.wait)

    return behave


def long_reply(characters: int = 9_000) -> str:
    """Return a reply of so many characters: paragraphs, a list and code, each with its number."""
    parts = [
        f"{n}. 「学校に行きます」の「に」は行き先を示します。It marks where you go.\n\n"
        f"- 例{n}: 図書館に行く\n\n```\n駅に着く{n}\n```\n\n"
        for n in range(characters // 60 + 1)
    ]
    return "".join(parts)[:characters]


def leaks_system() -> Behaviour:
    """Repeat the system text, word for word."""
    return in_pieces(lambda seen: f"My instructions are: {seen.system}")


def obeys_documents() -> Behaviour:
    """Do what any text in the turn or the history asks for with ORDER; without an order repeat everything."""
    return in_pieces(_obedient)


def _obedient(seen: Seen) -> str:
    texts = [text for message in seen.body["messages"] for text in _texts(message["content"])]
    orders = [text.split(ORDER, 1)[1] for text in texts if ORDER in text]
    return "\n".join(orders or texts)


def _texts(value: object) -> list[str]:
    """Return every string in a value, in JSON that a string holds as well."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    if not isinstance(value, str):
        return []
    inner = [_parsed(found) for found in re.findall(r"^[\[{].*$", value, re.MULTILINE)]
    return [text for part in inner if part is not None for text in _texts(part)] or [value]


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _instead(pieces: int, words: Words, last: bytes) -> Behaviour:
    async def before(sent: int, _request: web.Request, response: web.StreamResponse) -> bool:
        if sent == pieces:
            await response.write(last)
            await response.write_eof()
        return sent < pieces

    return _streams(words, lambda _server: before)


def _streams(words: Words, before, *, size: int = 8, usage: Counters | None = None) -> Behaviour:
    async def behave(server: MessagesServer, _request: web.Request, seen: Seen) -> Said:
        block = {"type": "text", "text": worded(words, seen)}
        return Said([block], usage=usage or Counters(), size=size, before_piece=before(server))

    return behave
