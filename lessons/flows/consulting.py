"""The one way to a language model: a turn among those who wait, a place in the day's budget, and one more try at nonsense."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from lessons.errors import ModelAway
from lessons.model import Away, Booking, Outcome, Purpose, Stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime

    from lessons.model import Caps, ModelCall, ModelReply, Payer, UsageId
    from lessons.ports import LanguageModel, Usage

Heard = TypeVar("Heard")

_log = logging.getLogger(__name__)

REQUESTS: Final = 2
"""Requests that one call may send, each of which may be billed: the model asks again once where a reply was lost."""
_IN_THE_BACKGROUND: Final = frozenset({Purpose.REGRADE, Purpose.ALTERNATIVES})
_OUTCOMES: Final = {Away.SLOW: Outcome.TIMEOUT, Away.REFUSED: Outcome.REFUSED}


@dataclass(frozen=True, slots=True)
class Lanes:
    """How many calls run at once, in all, for one server, for one person, and behind everybody's back.

    `queue` more may wait, each for `patience` seconds.
    """

    bot: int = 8
    guild: int = 2
    user: int = 1
    background: int = 1
    queue: int = 32
    patience: float = 5.0


class Turns:
    """Hands out turns. Background work gets one when nobody waits."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._changed = asyncio.Condition()
        self._waiting = 0
        self._running: Counter[object] = Counter()

    @asynccontextmanager
    async def turn(self, payer: Payer, *, background: bool) -> AsyncIterator[None]:
        """Wait for a turn and have it. Raises ModelAway(BUSY) when too many wait, or for too long."""
        seats = self._seats(payer, background=background)
        await self._sit_down(seats, background=background)
        try:
            yield
        finally:
            self._running.subtract(seat for seat, _ in seats)
            await asyncio.shield(self._tell())

    async def _sit_down(self, seats: list[tuple[object, int]], *, background: bool) -> None:
        if self._waiting >= self._lanes.queue:
            raise ModelAway(Away.BUSY)
        others = 0 if background else 1
        self._waiting += others
        try:
            async with asyncio.timeout(self._lanes.patience), self._changed:
                await self._changed.wait_for(lambda: self._is_free(seats, background=background))
                self._running.update(seat for seat, _ in seats)
        except TimeoutError:
            raise ModelAway(Away.BUSY) from None
        finally:
            self._waiting -= others

    def _is_free(self, seats: list[tuple[object, int]], *, background: bool) -> bool:
        return all(self._running[seat] < limit for seat, limit in seats) and not (background and self._waiting)

    def _seats(self, payer: Payer, *, background: bool) -> list[tuple[object, int]]:
        seats: list[tuple[object, int]] = [("bot", self._lanes.bot)]
        if background:
            return [*seats, ("background", self._lanes.background)]
        if payer.guild is not None:
            seats.append((("guild", payer.guild), self._lanes.guild))
        return [*seats, (("user", payer.user), self._lanes.user)]

    async def _tell(self) -> None:
        self._running += Counter()  # forget those who hold no seat any more
        async with self._changed:
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class Consulting:
    """Asks a language model within everybody's means. `model` is None where none is set up."""

    model: LanguageModel | None
    usage: Usage
    caps: Caps
    turns: Turns = field(default_factory=lambda: Turns(Lanes()))

    @property
    def is_there(self) -> bool:
        """Tell whether there is a model at all, and anything it may cost."""
        caps = self.caps
        allowed = min(caps.user_micro_usd, caps.guild_micro_usd, caps.bot_micro_usd, caps.grades) > 0
        return self.model is not None and allowed

    async def consult(self, call: ModelCall, payer: Payer, at: datetime, hear: Callable[[str], Heard]) -> Heard:
        """Return what `hear` makes of the reply; a reply it raises ValueError for, or a cut one, is asked for once more.

        Raises ModelAway: nobody to ask, no turn, no budget, no reply, or none that makes sense.
        """
        if self.model is None:
            raise ModelAway(Away.NO_MODEL)
        async with self.turns.turn(payer, background=call.purpose in _IN_THE_BACKGROUND):
            for tokens in (call.max_tokens, 2 * call.max_tokens):
                booked, reply = await self._ask(self.model, replace(call, max_tokens=tokens), payer, at)
                outcome, heard = _heard(reply, hear)
                await self.usage.settle(booked, outcome, reply.tokens, reply.micro_usd, reply.seconds)
                if outcome is Outcome.REFUSED:
                    raise ModelAway(Away.REFUSED)
                if heard is not None:
                    return heard
                _log.warning("a reply of %s for %s could not be used (%s)", reply.model, call.purpose, outcome)
        raise ModelAway(Away.NONSENSE)

    async def _ask(
        self, model: LanguageModel, call: ModelCall, payer: Payer, at: datetime
    ) -> tuple[UsageId, ModelReply]:
        """Ask once, reserved at its worst case before; a reply is yet to be settled."""
        booking = Booking(payer, call.purpose, model.model_of(call), REQUESTS * model.at_most(call), at)
        booked = await self.usage.reserve(booking, self.caps)
        try:
            reply = await model.ask(call)
        except ModelAway as away:
            if away.left:
                await self.usage.keep_reserve(booked, _OUTCOMES.get(away.why, Outcome.ERROR), call.seconds)
            else:
                await self.usage.void(booked)
            raise
        except BaseException:
            await asyncio.shield(self.usage.keep_reserve(booked, Outcome.ERROR, call.seconds))
            raise
        return booked, reply


def _heard(reply: ModelReply, hear: Callable[[str], Heard]) -> tuple[Outcome, Heard | None]:
    """Make something of a reply; what cannot be used failed, also when it came whole."""
    if reply.stop is Stop.REFUSED:
        return Outcome.REFUSED, None
    try:
        return Outcome.DONE, hear(reply.text)
    except ValueError:
        return Outcome.CUT if reply.stop is Stop.CUT else Outcome.ERROR, None
