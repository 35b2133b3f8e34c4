"""A reply in pieces: from the tutor's model, or from another as long as nobody has heard a word, and never for too long."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from bot.clients.model.desk import Asking
from bot.clients.model.outcomes import Answer
from bot.clients.model.troubles import Trouble
from lessons.errors import ModelAway
from lessons.model import Away, ModelReply

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable

    from bot.clients.model.desk import Candidate, Desk
    from bot.clients.model.outcomes import Broken, Refused
    from lessons.model import ModelCall

Awaited = TypeVar("Awaited")

_TOO_SLOW: Final = Trouble(Away.SLOW, billed=True, strike=True)


async def streamed(
    desk: Desk, call: ModelCall, model: Candidate, fallback: Candidate
) -> AsyncGenerator[str | ModelReply, None]:
    """Yield the pieces of a reply, and last the whole of it.

    A request that came to nothing is sent once more to the same model if it cannot have been billed and may help, and
    then once to the fallback: so at most one request to each is billed. Raises ModelAway, also after pieces.
    """
    asking = Asking(call, desk.pace.monotonic(), model)
    deadline = asyncio.get_running_loop().time() + call.seconds
    tries = _Tries(desk, asking, fallback)
    while True:
        heard, trouble = False, None
        async with aclosing(_tried(desk, asking, deadline)) as parts:
            async for part in parts:
                if isinstance(part, Trouble):
                    trouble = part
                else:
                    heard = True
                    yield part
        if trouble is None:
            return
        wait, trouble = tries.after(trouble, heard=heard)
        if wait is None:  # raised out here, where no exception that knows the request hangs on to it
            raise ModelAway(trouble.why, trouble.until, left=asking.lost > 0)
        await asyncio.sleep(wait)


class _Tries:
    """Decides what follows a request that came to nothing."""

    def __init__(self, desk: Desk, asking: Asking, fallback: Candidate) -> None:
        self._desk = desk
        self._asking = asking
        self._fallback = fallback
        self._may_repeat = True

    def after(self, trouble: Trouble, *, heard: bool) -> tuple[float | None, Trouble]:
        """Return after how many seconds to send the next request, None for no more, and what there is to tell so far."""
        asking, now = self._asking, self._desk.pace.monotonic()
        alone = asking.model is self._fallback
        wait, repeats = trouble.retry_in, self._may_repeat and not heard and (alone or not trouble.billed)
        if repeats and wait is not None and asking.has_time(wait, now) and asking.model.door.barred() is None:
            self._may_repeat = False
            return wait, trouble
        told = self._desk.given_up(asking, trouble)
        if heard or alone or not asking.has_time(0.0, now):
            return None, told
        asking.model, self._may_repeat = self._fallback, False
        return 0.0, told


async def _tried(desk: Desk, asking: Asking, deadline: float) -> AsyncGenerator[str | ModelReply | Trouble, None]:
    """Send one request; yield its pieces, and last the reply or why there is none."""
    wire = await _by(deadline, desk.wire())
    if isinstance(wire, Trouble):
        yield replace(wire, billed=False)
        return
    barred = desk.enter(asking)
    if barred is not None:
        yield barred
        return
    pieces: list[str] = []
    until = min(deadline, asyncio.get_running_loop().time() + desk.pace.first_piece)
    try:
        async with aclosing(wire.stream(asking.model.name, asking.call)) as parts:
            while isinstance(part := await _by(until, anext(parts)), str):
                desk.answered(asking)
                until = deadline
                pieces.append(part)
                yield part
            yield _told(desk, asking, part, "".join(pieces))
    finally:
        desk.dropped(asking)


def _told(desk: Desk, asking: Asking, came: Answer | Refused | Broken | Trouble, text: str) -> ModelReply | Trouble:
    """Note how a request ended; its whole reply is what was heard of it."""
    if isinstance(came, Trouble):
        desk.failed(asking, came)
        return came
    return desk.ended(asking, replace(came, text=text) if isinstance(came, Answer) else came)


async def _by(moment: float, coming: Awaitable[Awaited]) -> Awaited | Trouble:
    """Wait for something until a moment of the event loop's clock."""
    try:
        async with asyncio.timeout_at(moment):
            return await coming
    except TimeoutError:
        return _TOO_SLOW
