"""The models of one account: which may be asked now, what became of each request, and what a reply cost."""

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
from lessons.model import Away, ModelReply, Stop, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.clients.model.breaker import Pass
    from bot.clients.model.outcomes import Broken, Refused
    from bot.clients.model.prices import Price
    from bot.clients.model.wire import Wire
    from lessons.model import ModelCall

_log = logging.getLogger(__name__)

USEFUL: Final = 0.5
"""Seconds that must be left after a wait, or another request is not worth sending."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How time passes, in seconds: `monotonic` tells it, `retry_pause` is the wait before a second try.

    `first_piece` is how long anybody waits for the first words of a streamed reply.
    """

    monotonic: Callable[[], float] = time.monotonic
    retry_pause: float = 0.7
    first_piece: float = 10.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that can be asked."""

    name: str
    price: Price
    door: Door


@dataclass(slots=True)
class Asking:
    """One call on its way: when it began, whom it goes to, the pass of the request that is out.

    `lost` is what requests without a whole reply may be billed, in millionths of a dollar.
    """

    call: ModelCall
    began: float
    model: Candidate
    leave: Pass | None = None
    lost: int = 0

    def has_time(self, wait: float, now: float) -> bool:
        """Tell whether a request after a wait of so many seconds is worth sending."""
        return self.began + self.call.seconds - now >= wait + USEFUL


class Desk:
    """Takes calls to the models of one key, each model behind its own door. The SDK is loaded when it is first needed."""

    def __init__(self, key: str, base_url: str, clock: Callable[[], datetime], pace: Pace) -> None:
        self.pace = pace
        self._key = key
        self._base_url = base_url
        self._clock = clock
        self._candidates: dict[str, Candidate] = {}
        self._opening: asyncio.Task[Wire] | None = None
        self._closed = False

    def candidate(self, name: str) -> Candidate:
        """Return a model by its name, the same one each time; tell the operator when its price is not known."""
        if name not in self._candidates:
            price = price_of(name)
            if price is None:
                _log.warning("no price is known for %s (list of %s): booked at the dearest model's", name, AS_OF)
            door = Door(name, self._clock, self.pace.monotonic, Breaker())
            self._candidates[name] = Candidate(name, price or DEAREST, door)
        return self._candidates[name]

    async def wire(self) -> Wire:
        """Return the connection; loading the SDK for it takes a second or two, outside the event loop."""
        if self._opening is None:
            self._opening = asyncio.create_task(asyncio.to_thread(self._open))
        return await asyncio.shield(self._opening)

    async def close(self) -> None:
        """Close every connection; calls under way end, and later ones are refused."""
        self._closed = True
        if self._opening is not None:
            await (await self._opening).close()

    def enter(self, asking: Asking) -> Trouble | None:
        """Take leave for one request, or say why there is none."""
        leave = Trouble(Away.NO_MODEL) if self._closed else asking.model.door.enter()
        if isinstance(leave, Trouble):
            return leave
        asking.leave = leave
        return None

    def answered(self, asking: Asking) -> None:
        """Note that the provider answers, or begins to."""
        if asking.leave is not None:
            asking.model.door.answered(asking.leave)
            asking.leave = None

    def ended(self, asking: Asking, outcome: Answer | Refused | Broken) -> ModelReply | Trouble:
        """Note what a request came to, and say what that means."""
        if isinstance(outcome, Answer):
            self.answered(asking)
            return self._reply(asking, outcome)
        trouble = meaning(outcome, self._clock(), self.pace.retry_pause)
        self.failed(asking, trouble)
        return trouble

    def failed(self, asking: Asking, trouble: Trouble) -> None:
        """Note that a request came to nothing, or that its reply broke off after it had begun."""
        asking.lost += trouble.billed * most(asking.call, asking.model.price)
        if asking.leave is None:
            asking.model.door.broke_off(trouble)
        else:
            asking.model.door.failed(asking.leave, trouble)
            asking.leave = None

    def dropped(self, asking: Asking) -> None:
        """Note that nobody waits for a request any longer."""
        if asking.leave is not None:
            asking.model.door.dropped(asking.leave)
            asking.leave = None

    def shut(self, model: Candidate, trouble: Trouble) -> None:
        """Leave a model alone until a trouble is over, and every other as well if it is the account's."""
        model.door.shut(trouble)
        for other in self._candidates.values() if trouble.of_account else ():
            other.door.shut(trouble, quietly=True)

    def given_up(self, asking: Asking, trouble: Trouble) -> Trouble:
        """Leave the model alone as long as the provider asks for, now that nobody retries; say until when nobody asks."""
        if trouble.shuts:
            self.shut(asking.model, trouble)
        barred = asking.model.door.barred()
        return trouble if barred is None or trouble.until else replace(trouble, until=barred.until)

    def _reply(self, asking: Asking, answer: Answer) -> ModelReply:
        if answer.stop is Stop.REFUSED:
            _log.info("the language model declines a text (%s)", answer.category or "no category given")
        price = asking.model.price
        cost = most(asking.call, price) if answer.tokens is None else price.of(answer.tokens)
        return ModelReply(
            answer.text,
            answer.stop,
            asking.model.name,
            answer.tokens or Tokens(),
            cost + asking.lost,
            self.pace.monotonic() - asking.began,
            answer.request_id,
        )

    def _open(self) -> Wire:
        from bot.clients.model.wire import Wire  # noqa: PLC0415 - the SDK takes a second or two to load

        return Wire(self._key, self._base_url, self._clock)
