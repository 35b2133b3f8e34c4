"""Claude behind the Messages API, as the port wants it: a reply in time, or the reason why there is none."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bot.clients.model.breaker import Breaker
from bot.clients.model.door import Door
from bot.clients.model.outcomes import Answer
from bot.clients.model.prices import AS_OF, DEAREST, most, price_of
from bot.clients.model.troubles import Trouble, meaning
from lessons.errors import ModelAway
from lessons.model import Away, ModelReply, Stop, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.clients.model.breaker import Pass
    from bot.clients.model.wire import Wire
    from lessons.model import ModelCall

_log = logging.getLogger(__name__)

GRADER: Final = "claude-haiku-5-5"
_USEFUL: Final = 0.5
"""Seconds that must be left after a wait, or the one retry is not worth sending."""


@dataclass(slots=True)
class _Asking:
    """One call on its way: when it began, the pass of the request that is out, and how many lost ones may be billed."""

    call: ModelCall
    began: float
    leave: Pass | None = None
    lost: int = 0

    def has_time(self, wait: float, now: float) -> bool:
        return self.began + self.call.seconds - now >= wait + _USEFUL


class ClaudeModel:
    """The LanguageModel port. `start` loads the SDK beforehand; else the first call does, on its own time.

    `clock` tells aware UTC, `monotonic` seconds. Nothing that is asked or replied, and no key, is ever logged or part
    of an exception.
    """

    def __init__(
        self,
        key: str,
        *,
        clock: Callable[[], datetime],
        base_url: str = "",
        grader: str = GRADER,
        monotonic: Callable[[], float] = time.monotonic,
        retry_pause: float = 0.7,
    ) -> None:
        self._key = key
        self._base_url = base_url
        self._grader = grader
        self._clock = clock
        self._monotonic = monotonic
        self._retry_pause = retry_pause
        self._door = Door(clock, monotonic, Breaker())
        self._opening: asyncio.Task[Wire] | None = None
        self._closed = False
        known = price_of(grader)
        self._price = known or DEAREST
        if known is None:
            _log.warning("no price is known for %s (list of %s): booked at the dearest model's", grader, AS_OF)
        if not (key.strip() and key.isascii() and key.isprintable()):
            self._door.shut(Trouble(Away.KEY))

    async def start(self) -> None:
        """Load the SDK, which takes a second or two, outside the event loop."""
        await self._wire()

    async def close(self) -> None:
        """Close every connection; calls under way end, and later ones are refused."""
        self._closed = True
        if self._opening is not None:
            await (await self._opening).close()

    def model_of(self, call: ModelCall) -> str:
        """Name the model that a call goes to."""
        return self._grader

    def at_most(self, call: ModelCall) -> int:
        """Return the most that one request for a call can cost, in millionths of a dollar.

        A retry after a request that was lost on its way back adds as much again, and the reply's cost says so.
        """
        return most(call, self._price)

    async def ask(self, call: ModelCall) -> ModelReply:
        """Return the reply. Raises ModelAway within `call.seconds` and a moment."""
        asking = _Asking(call, self._monotonic())
        try:
            async with asyncio.timeout(call.seconds):
                outcome = await self._asked(asking)
        except TimeoutError:
            outcome = self._too_slow(asking)
        finally:
            if asking.leave is not None:
                self._door.dropped(asking.leave)
        if isinstance(outcome, Trouble):  # raised out here, where no exception that knows the request hangs on to it
            raise ModelAway(outcome.why, outcome.until, left=asking.lost > 0)
        return outcome

    def _too_slow(self, asking: _Asking) -> Trouble:
        trouble = Trouble(Away.SLOW, strike=True)
        if asking.leave is not None:
            asking.lost += 1
            self._door.failed(asking.leave, trouble)
        return self._given_up(trouble)

    async def _asked(self, asking: _Asking) -> ModelReply | Trouble:
        """Send a request, and once more if that may help."""
        first = await self._once(asking)
        if isinstance(first, ModelReply):
            return first
        wait = first.retry_in
        if wait is None or not asking.has_time(wait, self._monotonic()) or self._door.barred():
            return self._given_up(first)
        await asyncio.sleep(wait)
        second = await self._once(asking)
        return second if isinstance(second, ModelReply) else self._given_up(second)

    async def _once(self, asking: _Asking) -> ModelReply | Trouble:
        wire = await self._wire()
        leave = Trouble(Away.NO_MODEL) if self._closed else self._door.enter()
        if isinstance(leave, Trouble):
            return leave
        asking.leave = leave
        outcome = await wire.send(self._grader, asking.call)
        asking.leave = None
        if isinstance(outcome, Answer):
            self._door.answered(leave)
            return self._reply(asking, outcome)
        trouble = meaning(outcome, self._clock(), self._retry_pause)
        asking.lost += trouble.billed
        self._door.failed(leave, trouble)
        return trouble

    def _given_up(self, trouble: Trouble) -> Trouble:
        """Leave the provider alone as long as it asks for, now that nobody retries; say until when nobody asks."""
        if trouble.shuts:
            self._door.shut(trouble)
        barred = self._door.barred()
        return trouble if barred is None or trouble.until else replace(trouble, until=barred.until)

    def _reply(self, asking: _Asking, answer: Answer) -> ModelReply:
        if answer.stop is Stop.REFUSED:
            _log.info("the language model declines a text (%s)", answer.category or "no category given")
        at_most = self.at_most(asking.call)
        cost = at_most if answer.tokens is None else self._price.of(answer.tokens)
        return ModelReply(
            answer.text,
            answer.stop,
            self._grader,
            answer.tokens or Tokens(),
            cost + asking.lost * at_most,
            self._monotonic() - asking.began,
            answer.request_id,
        )

    async def _wire(self) -> Wire:
        if self._opening is None:
            self._opening = asyncio.create_task(asyncio.to_thread(self._open))
        return await asyncio.shield(self._opening)

    def _open(self) -> Wire:
        from bot.clients.model.wire import Wire  # noqa: PLC0415 - the SDK takes a second or two to load

        return Wire(self._key, self._base_url, self._clock)
