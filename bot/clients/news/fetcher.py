"""Fetches public addresses over HTTP, and no others: bounded in time, size and redirects, polite to the server."""

from __future__ import annotations

import asyncio
import socket
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from bot.clients.news.addresses import Policy
from bot.clients.news.headers import fresh_for, retry_after
from lessons.errors import Unfetchable
from lessons.model import Fetched, FetchTrouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohappyeyeballs import AddrInfoType
    from aiohttp.abc import AbstractResolver

_PERMANENT: Final = frozenset({301, 308})
_REDIRECTS: Final = frozenset({*_PERMANENT, 302, 303, 307})
_NOT_MODIFIED: Final = 304
_GONE: Final = 410
_ACCEPT: Final = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/html;q=0.9, */*;q=0.1"
_LONGEST_HEADER: Final = 1024

_refusals: ContextVar[list[str]] = ContextVar("_refusals")
"""IP addresses that the running fetch was kept from; connections are made in tasks that inherit it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for everything and for one connection, bytes after decompression, redirects in a row."""

    total: float = 15
    connect: float = 5
    size: int = 5 * 1024 * 1024
    redirects: int = 3


class HttpFetcher:
    """Fetches feeds and pages. `contact` is how a webmaster reaches the operator; it goes into every request.

    Each IP address is checked at the moment its socket is made: names that resolve to a private address, literals
    and redirects all pass there. No proxy of the surroundings is used, it would resolve names out of sight.
    """

    def __init__(
        self,
        contact: str = "",
        policy: Policy | None = None,
        limits: Limits | None = None,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._policy = policy or Policy()
        self._limits = limits or Limits()
        self._clock = clock
        self._resolver = resolver
        self._agent = _agent(contact)
        self._session: aiohttp.ClientSession | None = None

    async def fetch(self, url: str, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Return what an address gives, 304 when it is what the validators name. Raises Unfetchable."""
        validators = CIMultiDict(
            {name: value for name, value in (("If-None-Match", etag), ("If-Modified-Since", last_modified)) if value}
        )
        refused: list[str] = []
        token = _refusals.set(refused)
        try:
            async with asyncio.timeout(self._limits.total):
                return await self._follow(self._policy.checked(url), validators)
        except TimeoutError:
            raise Unfetchable(FetchTrouble.TOO_SLOW) from None
        except aiohttp.InvalidURL:
            raise Unfetchable(FetchTrouble.BAD_ADDRESS) from None
        except (aiohttp.ClientError, OSError, ValueError):  # ValueError: headers that cannot be written
            why = FetchTrouble.FORBIDDEN_ADDRESS if refused else FetchTrouble.UNREACHABLE
            raise Unfetchable(why) from None
        finally:
            _refusals.reset(token)

    async def close(self) -> None:
        """Let all connections go; a later fetch opens new ones."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _follow(self, url: URL, validators: CIMultiDict[str]) -> Fetched:
        permanent, hops = True, 0
        while True:
            async with self._open().get(url, headers=validators, allow_redirects=False) as response:
                if response.status not in _REDIRECTS:
                    return await self._take(response, url, moved=str(url) if hops and permanent else "")
                hops += 1
                if hops > self._limits.redirects:
                    raise Unfetchable(FetchTrouble.REDIRECTS, response.status)
                permanent = permanent and response.status in _PERMANENT
                url = self._policy.checked(_target(response, url))

    async def _take(self, response: aiohttp.ClientResponse, url: URL, *, moved: str) -> Fetched:
        status, at = response.status, self._clock()
        asked_for = any(name in response.request_info.headers for name in ("If-None-Match", "If-Modified-Since"))
        unchanged = status == _NOT_MODIFIED and asked_for
        if not (unchanged or 200 <= status < 300):  # noqa: PLR2004 - HTTP's own numbers
            wait = retry_after(response.headers, at)
            why = FetchTrouble.GONE if status == _GONE else FetchTrouble.STATUS
            raise Unfetchable(why, status, None if wait is None else at + wait)
        return Fetched(
            status=_NOT_MODIFIED if unchanged else 200,
            url=str(url),
            data=b"" if unchanged else await self._body(response),
            content_type=_header(response, "Content-Type"),
            etag=_header(response, "ETag"),
            last_modified=_header(response, "Last-Modified"),
            moved=moved,
            fresh_after=fresh_for(response.headers, at),
        )

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        """Read on while the decompressed bytes are within the limit; a bomb is cut off at its first excess."""
        if (response.content_length or 0) > self._limits.size:
            raise Unfetchable(FetchTrouble.TOO_LARGE)
        data = bytearray()
        async for chunk in response.content.iter_any():
            data += chunk
            if len(data) > self._limits.size:
                raise Unfetchable(FetchTrouble.TOO_LARGE)
        return bytes(data)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(
                limit=0, force_close=True, resolver=self._resolver, socket_factory=self._socket
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": self._agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip, deflate"},
                timeout=aiohttp.ClientTimeout(total=None, connect=self._limits.connect),
                trust_env=False,
            )
        return self._session

    def _socket(self, address: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, where = address
        host = str(where[0])
        if not self._policy.admits(host):
            _refusals.get().append(host)
            raise PermissionError("not a public address")
        return socket.socket(family, kind, protocol)


def _agent(contact: str) -> str:
    """Return the User-Agent; of the contact only what a header may hold."""
    printable = "".join(char for char in contact if " " <= char <= "~" and char not in "()\\").strip()
    return f"Kizuki/{version('kizuki')}" + (f" (+{printable[:200]})" if printable else "")


def _target(response: aiohttp.ClientResponse, url: URL) -> str:
    location = response.headers.get("Location", "").strip()
    if not location:
        raise Unfetchable(FetchTrouble.REDIRECTS, response.status)
    try:
        return str(url.join(URL(location)))
    except (ValueError, TypeError):
        raise Unfetchable(FetchTrouble.REDIRECTS, response.status) from None


def _header(response: aiohttp.ClientResponse, name: str) -> str:
    """Return a header to be kept or sent back; one of absurd length counts as absent."""
    value = response.headers.get(name, "")
    return value if len(value) <= _LONGEST_HEADER else ""
