"""The one way to a language model: a turn among those who wait, a place in the day's budget, one more try at nonsense."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar, cast

from lessons.errors import ModelAway
from lessons.model import Away, Booking, Outcome, Purpose, Stop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable
    from datetime import datetime

    from lessons.model import Caps, ModelCall, ModelReply, Payer, UsageId, UserId
    from lessons.ports import LanguageModel, Usage

Heard = TypeVar("Heard")

_log = logging.getLogger(__name__)

REQUESTS: Final = 2
"""Requests that one call may send, each of which may be billed: the model asks again once where a reply was lost."""
_CUT_OFF: Final = "…"
_IN_THE_BACKGROUND: Final = frozenset({Purpose.REGRADE, Purpose.ALTERNATIVES})
_OUTCOMES: Final = {Away.SLOW: Outcome.TIMEOUT, Away.REFUSED: Outcome.REFUSED}


_STOPS: Final = {Stop.END: Outcome.DONE, Stop.CUT: Outcome.CUT, Stop.REFUSED: Outcome.REFUSED}


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
        self._conversing: set[UserId] = set()

    @asynccontextmanager
    async def conversation(self, payer: Payer) -> AsyncIterator[None]:
        """Wait for a turn and have it. Raises ModelAway(BUSY) as `turn`, and at once while this person has a conversation.

        The bot's own conversations are no person's.
        """
        if payer.user in self._conversing:
            raise ModelAway(Away.BUSY)
        person = set() if payer.user is None else {payer.user}
        self._conversing |= person
        try:
            async with self.turn(payer, background=False):
                yield
        finally:
            self._conversing -= person

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

    async def converse(self, call: ModelCall, payer: Payer, at: datetime) -> AsyncGenerator[str, None]:
        """Yield the reply in pieces as they come; one that ran out of room ends in an ellipsis.

        To be closed (contextlib.aclosing) where it is left before its end: that ends the request. Raises ModelAway:
        before the first piece for want of a model, a turn (BUSY: at once while this person is being answered), budget
        or reply; after pieces where the reply breaks off (`left`), or where the model declines after all (REFUSED):
        then what came should not stay.
        """
        if self.model is None:
            raise ModelAway(Away.NO_MODEL)
        stop, spoken = Stop.END, False
        async with self.turns.conversation(payer):
            booking = Booking(payer, call.purpose, self.model.model_of(call), self.model.at_most(call), at)
            async with self._booked(booking, call.seconds) as booked, _closing(self.model.stream(call)) as parts:
                async for part in parts:
                    if isinstance(part, str):
                        spoken = spoken or bool(part.strip())
                        yield part
                    else:
                        stop = part.stop
                        outcome = _STOPS[part.stop]
                        await self.usage.settle(booked, outcome, part.tokens, part.micro_usd, part.seconds)
        if stop is Stop.REFUSED or not spoken:
            raise ModelAway(Away.REFUSED if stop is Stop.REFUSED else Away.NONSENSE, left=True)
        if stop is Stop.CUT:
            yield _CUT_OFF

    async def _ask(
        self, model: LanguageModel, call: ModelCall, payer: Payer, at: datetime
    ) -> tuple[UsageId, ModelReply]:
        """Ask once, reserved at its worst case before; a reply is yet to be settled."""
        booking = Booking(payer, call.purpose, model.model_of(call), REQUESTS * model.at_most(call), at)
        async with self._booked(booking, call.seconds) as booked:
            return booked, await model.ask(call)

    @asynccontextmanager
    async def _booked(self, booking: Booking, seconds: float) -> AsyncIterator[UsageId]:
        """Reserve a call at its worst case; one that comes to no reply stays booked so, unless no request left."""
        booked = await self.usage.reserve(booking, self.caps)
        try:
            yield booked
        except ModelAway as away:
            if away.left:
                await self.usage.keep_reserve(booked, _OUTCOMES.get(away.why, Outcome.ERROR), seconds)
            else:
                await self.usage.void(booked)
            raise
        except BaseException:
            await asyncio.shield(self.usage.keep_reserve(booked, Outcome.ERROR, seconds))
            raise


def _heard(reply: ModelReply, hear: Callable[[str], Heard]) -> tuple[Outcome, Heard | None]:
    """Make something of a reply; what cannot be used failed, also when it came whole."""
    if reply.stop is Stop.REFUSED:
        return Outcome.REFUSED, None
    try:
        return Outcome.DONE, hear(reply.text)
    except ValueError:
        return Outcome.CUT if reply.stop is Stop.CUT else Outcome.ERROR, None


def _closing(stream: AsyncIterator[str | ModelReply]) -> aclosing[AsyncGenerator[str | ModelReply, None]]:
    """Close a stream when it is left; to close it is to end its request."""
    return aclosing(cast("AsyncGenerator[str | ModelReply, None]", stream))
