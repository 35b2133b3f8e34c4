"""Counts what goes to and from Discord: numbers alone, of nobody in particular."""

from __future__ import annotations

import logging
import re
import time
from collections import Counter, deque
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import aiohttp

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)

LATE: Final = 1.0
"""Seconds from the arrival of an interaction to its acknowledgement, after which that was late: Discord waits for three."""
WINDOW: Final = 600.0
WORRYING: Final = 1_000
"""Invalid requests in ten minutes from which the operator is warned; at 10,000 Discord shuts this machine out.

https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
"""
_INVALID: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS})
_SCOPE: Final = "X-RateLimit-Scope"
_CALLBACK: Final = re.compile(r"/interactions/([0-9]{1,20})/[^/]+/callback")


class Outcome(StrEnum):
    """How an interaction ended."""

    DONE = "done"
    REFUSED = "refused"  # the person was told why not
    FAILED = "failed"  # a fault of ours
    LOST = "lost"  # over, or answered elsewhere
    RESTARTING = "restarting"  # it came while the bot was about to stop


class Traffic:
    """What came and went since the last `taken`, and the invalid requests of the last ten minutes."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._counts: Counter[str] = Counter()
        self._came: dict[int, float] = {}
        self._invalid: deque[float] = deque()
        self._warned = False

    def came(self, interaction: int) -> None:
        """Note that an interaction arrived."""
        self._counts["interactions"] += 1
        self._came[interaction] = self._monotonic()

    def ended(self, interaction: int, outcome: Outcome) -> None:
        """Note how an interaction ended."""
        self._counts[outcome] += 1
        self._came.pop(interaction, None)

    def answered(self, path: str, status: int, *, shared: bool = False) -> None:
        """Note a request to Discord and its status; `shared` is a limit that others have used up, too."""
        self._counts["requests"] += 1
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            self._counts["limited"] += 1
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self._counts["discord_errors"] += 1
        if status in _INVALID and not shared:
            self._invalid.append(self._monotonic())
            self._worry()
        if found := _CALLBACK.search(path):
            came = self._came.get(int(found[1]))
            self._counts["acks_late"] += came is not None and self._monotonic() - came > LATE

    @property
    def invalid(self) -> int:
        """How many requests of the last ten minutes Discord called invalid."""
        while self._invalid and self._invalid[0] < self._monotonic() - WINDOW:
            self._invalid.popleft()
        return len(self._invalid)

    def taken(self) -> dict[str, int]:
        """Return what was counted since this was last called."""
        counts, self._counts = self._counts, Counter()
        return dict(counts)

    def trace(self) -> aiohttp.TraceConfig:
        """Return what tells an HTTP session to count its requests here."""
        config = aiohttp.TraceConfig()
        config.on_request_end.append(self._hear)
        return config

    async def _hear(
        self, _session: aiohttp.ClientSession, _context: object, end: aiohttp.TraceRequestEndParams
    ) -> None:
        shared = end.response.headers.get(_SCOPE) == "shared"
        self.answered(end.url.path, end.response.status, shared=shared)

    def _worry(self) -> None:
        """Warn once for each time that there are too many."""
        found = self.invalid
        if found >= WORRYING and not self._warned:
            _log.warning(
                "Discord called %d requests invalid within ten minutes; at 10,000 it shuts this machine out", found
            )
        self._warned = found >= WORRYING or (self._warned and found > WORRYING // 2)
