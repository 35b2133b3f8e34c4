"""Claude behind the Messages API, as the port wants it: a reply in time, or the reason why there is none."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bot.clients.model.desk import Asking, Desk, Pace
from bot.clients.model.prices import most
from bot.clients.model.streaming import streamed
from bot.clients.model.troubles import Trouble
from lessons.errors import ModelAway
from lessons.model import Away, ModelReply, Purpose

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from bot.clients.model.desk import Candidate
    from lessons.model import ModelCall

GRADER: Final = "claude-haiku-5-5"
TUTOR: Final = "claude-sonnet-5-5"
_OF_THE_TUTOR: Final = frozenset({Purpose.TUTOR, Purpose.ROADMAP, Purpose.COMPOSITION, Purpose.REPORT})


class ClaudeModel:
    """The LanguageModel port. `start` loads the SDK beforehand; else the first call does, on its own time.

    `clock` tells aware UTC. What a tutor says goes to `tutor`, and its conversations to `grader` where that one is
    away; all else goes to `grader`. Nothing that is asked or replied, and no key, is ever logged or part of an exception.
    """

    def __init__(
        self,
        key: str,
        *,
        clock: Callable[[], datetime],
        base_url: str = "",
        grader: str = GRADER,
        tutor: str = TUTOR,
        pace: Pace | None = None,
    ) -> None:
        self._desk = Desk(key, base_url, clock, pace or Pace())
        self._grader = self._desk.candidate(grader)
        self._tutor = self._desk.candidate(tutor)
        if not (key.strip() and key.isascii() and key.isprintable()):
            self._desk.shut(self._grader, Trouble(Away.KEY))

    async def start(self) -> None:
        """Load the SDK, which takes a second or two, outside the event loop."""
        await self._desk.wire()

    async def close(self) -> None:
        """Close every connection; calls under way end, and later ones are refused."""
        await self._desk.close()

    def model_of(self, call: ModelCall) -> str:
        """Name the model that a call goes to."""
        return self._candidate(call).name

    def at_most(self, call: ModelCall) -> int:
        """Return the most that one request for a call can cost, in millionths of a dollar.

        A retry after a request that was lost on its way back adds as much again, and the reply's cost says so. A turn
        with the tutor is streamed: here the request to the fallback, which may follow a lost one, is part of it.
        """
        cost = most(call, self._candidate(call).price)
        return cost + most(call, self._grader.price) if call.purpose is Purpose.TUTOR else cost

    async def ask(self, call: ModelCall) -> ModelReply:
        """Return the reply. Raises ModelAway within `call.seconds` and a moment."""
        asking = Asking(call, self._desk.pace.monotonic(), self._candidate(call))
        try:
            async with asyncio.timeout(call.seconds):
                outcome = await self._asked(asking)
        except TimeoutError:
            outcome = self._too_slow(asking)
        finally:
            self._desk.dropped(asking)
        if isinstance(outcome, Trouble):  # raised out here, where no exception that knows the request hangs on to it
            raise ModelAway(outcome.why, outcome.until, left=asking.lost > 0)
        return outcome

    def stream(self, call: ModelCall) -> AsyncGenerator[str | ModelReply, None]:
        """Yield the reply in pieces as they come, and last the whole of it. Closing the iterator closes the request.

        Raises ModelAway: where the first piece keeps everybody waiting, after `call.seconds` in all, and after pieces
        when the reply breaks off.
        """
        return streamed(self._desk, call, self._candidate(call), self._grader)

    def _candidate(self, call: ModelCall) -> Candidate:
        return self._tutor if call.purpose in _OF_THE_TUTOR else self._grader

    def _too_slow(self, asking: Asking) -> Trouble:
        trouble = Trouble(Away.SLOW, billed=True, strike=True)
        if asking.leave is not None:
            self._desk.failed(asking, trouble)
        return self._desk.given_up(asking, trouble)

    async def _asked(self, asking: Asking) -> ModelReply | Trouble:
        """Send a request, and once more if that may help."""
        first = await self._once(asking)
        if isinstance(first, ModelReply):
            return first
        wait, now = first.retry_in, self._desk.pace.monotonic()
        if wait is None or not asking.has_time(wait, now) or asking.model.door.barred():
            return self._desk.given_up(asking, first)
        await asyncio.sleep(wait)
        second = await self._once(asking)
        return second if isinstance(second, ModelReply) else self._desk.given_up(asking, second)

    async def _once(self, asking: Asking) -> ModelReply | Trouble:
        wire = await self._desk.wire()
        barred = self._desk.enter(asking)
        if barred is not None:
            return barred
        outcome = await wire.send(asking.model.name, asking.call)
        return self._desk.ended(asking, outcome)
