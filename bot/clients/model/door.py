"""Whether the provider may be asked now, by what it said before; every change is told to the operator in one line."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.clients.model.troubles import Trouble
from lessons.model import Away

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.clients.model.breaker import Breaker, Pass

_log = logging.getLogger(__name__)

_CHECK: Final = {
    0: "the API key has characters that no key has",
    401: "check the API key",
    402: "check the account's billing",
    403: "check what the API key may do",
    404: "check the model's name and the address of the API",
}
_CHECK_ADDRESS: Final = "check the address of the API"


class Door:
    """Lets requests to one model through while the provider takes them. `clock` is aware UTC, `monotonic` seconds."""

    def __init__(
        self, model: str, clock: Callable[[], datetime], monotonic: Callable[[], float], breaker: Breaker
    ) -> None:
        self._model = model
        self._clock = clock
        self._monotonic = monotonic
        self._breaker = breaker
        self._shut: Trouble | None = None
        self._faults: set[int] = set()

    def enter(self) -> Pass | Trouble:
        """Return leave to send one request, or why there is none. Every pass comes back, whatever becomes of it."""
        barred = self.barred()
        if barred is not None:
            return barred
        return self._breaker.enter(self._monotonic()) or Trouble(Away.DOWN)

    def barred(self) -> Trouble | None:
        """Return why nobody may ask now, and until when; None as well while a probe is waited for."""
        if self._shut is not None and self._shut.until is not None and self._shut.until <= self._clock():
            self._shut = None
        if self._shut is not None:
            return self._shut
        seconds = self._breaker.remaining(self._monotonic())
        return Trouble(Away.DOWN, until=self._clock() + timedelta(seconds=seconds)) if seconds else None

    def answered(self, leave: Pass) -> None:
        """Take back the pass of a request that the provider answered."""
        if self._breaker.succeeded(leave):
            _log.info("the language model %s answers again", self._model)

    def failed(self, leave: Pass, trouble: Trouble) -> None:
        """Take back the pass of a request that came to nothing."""
        if not trouble.strike:
            self.answered(leave)  # a refusal is an answer
        elif self._breaker.failed(leave, self._monotonic()):
            pause = self._breaker.pause
            _log.warning("the language model %s is not reached or fails: left alone for %.0f s", self._model, pause)
        if trouble.ours and trouble.status not in self._faults:
            self._faults.add(trouble.status)
            _log.warning("the language model cannot use a request (status %d, %s)", trouble.status, trouble.kind)

    def broke_off(self, trouble: Trouble) -> None:
        """Hold a reply that broke off against the model, whose request had been answered."""
        leave = self._breaker.enter(self._monotonic())
        if leave is not None:
            self.failed(leave, trouble)

    def dropped(self, leave: Pass) -> None:
        """Take back the pass of a request that nobody waits for any longer."""
        self._breaker.dropped(leave)

    def shut(self, trouble: Trouble, *, quietly: bool = False) -> None:
        """Let nobody through until a trouble is over; one without an end is over when the bot starts anew."""
        before = self._shut if self.barred() else None
        if before is not None and not _longer(trouble, before):
            return
        self._shut = trouble
        if not quietly:
            self._tell(trouble, first=before is None)

    def _tell(self, trouble: Trouble, *, first: bool) -> None:
        if trouble.why is Away.KEY:
            _log.warning(
                "the language model %s is refused (status %d, %s): %s; it is not asked again before the next start",
                self._model,
                trouble.status,
                trouble.kind,
                _CHECK.get(trouble.status, _CHECK_ADDRESS),
            )
        elif trouble.why is Away.SPENT:
            _log.warning(
                "the provider's spending limit is reached (%s): no model until %s", trouble.kind, trouble.until
            )
        elif first:
            _log.info(
                "the provider wants a pause (status %d): no %s until %s", trouble.status, self._model, trouble.until
            )


def _longer(trouble: Trouble, before: Trouble) -> bool:
    return before.until is not None and (trouble.until is None or trouble.until > before.until)
