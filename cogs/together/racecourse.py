"""Runs the races: takes each step when it is due, shows it, and sleeps until the next; a restart finds them again."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from cogs.render import races as render
from lessons.errors import KizukiError, PostFailed, PostRefused
from lessons.racing import Move

if TYPE_CHECKING:
    from cogs.together.boards import Boards, PostRoom
    from cogs.ui.letters import Letter
    from lessons.flows.racing import Racing
    from lessons.model import ChannelId, MessageId, Shared, SharedId
    from lessons.ports import Clock

_log = logging.getLogger(__name__)

LEAST: Final = 0.05
"""Seconds between two looks at a race, so that none can take all the time there is."""
LATE: Final = timedelta(seconds=1)
"""What the end of a question's time, as its card shows it, may be off."""
TRIES: Final = (1.0, 3.0, 6.0, 10.0, 20.0)
"""Seconds between the tries to post a card that did not go out."""


class Racecourse:
    """One task a race that is under way. What happens, and when, is decided by the flow; this only shows and waits."""

    def __init__(self, racing: Racing, boards: Boards, room: PostRoom, clock: Clock) -> None:
        self.listening: dict[ChannelId, SharedId] = {}
        self._racing = racing
        self._boards = boards
        self._room = room
        self._clock = clock
        self._bells: dict[SharedId, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def attend(self, race: SharedId) -> None:
        """Run this race, or look at once at what happened in it if it is run already."""
        if race in self._bells:
            self._bells[race].set()
            return
        self._bells[race] = asyncio.Event()
        # a race belongs to no press or command, so it does not run in the context of the one that began it
        task = contextvars.Context().run(asyncio.create_task, self._run(race))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def resume(self) -> None:
        """Take up the races that a restart left behind; those that run go on running."""
        for race in await self._racing.resume(self._clock(), self._bells.keys()):
            self.attend(race)

    async def close(self) -> None:
        """Run no race any more; they stand in the database."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def step(self, race: SharedId) -> float | None:
        """Take and show the step that is due, if any; seconds until the next look, None when there is none."""
        turn = await self._racing.turn(race, self._clock())
        if turn.move is Move.ASK:
            shown = await self._ask(race)
            if not shown:
                return None
        elif turn.move is not None:
            await self._boards.redraw(race)
        if turn.move is Move.END:
            await self._conclude(race)
        if turn.over or turn.again is None:
            return None
        return max(LEAST, (turn.again - self._clock()).total_seconds())

    async def _run(self, race: SharedId) -> None:
        bell = self._bells[race]
        try:
            await self._listen(race)
            while (seconds := await self.step(race)) is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(bell.wait(), seconds)
                bell.clear()
        except Exception:  # noqa: BLE001 - the end of the line for every error of a race
            _log.exception("race %d broke off", race)
            with suppress(KizukiError):
                await self._racing.lose(race, self._clock())
        finally:
            del self._bells[race]
            self.listening = {channel: number for channel, number in self.listening.items() if number != race}

    async def _listen(self, race: SharedId) -> None:
        found = await self._racing.shared.shared(race)
        if found is not None and found.new.typed:
            self.listening[found.new.channel] = race

    async def _ask(self, race: SharedId) -> bool:
        question = await self._racing.question(race)
        if question is None:
            return False
        shared = question.shared
        asked = int(shared.phase_at.timestamp()) % 1_000_000  # one that is asked anew is another message
        message = await self._post(shared, render.question(question), f"kzr{race}q{shared.position}t{asked}")
        if message is None:
            return False
        await self._racing.posted(race, shared.position, message, self._clock())
        now = await self._racing.question(race)
        late = now is not None and now.shared.phase_at - shared.phase_at > LATE
        if now is not None and (late or now.tally != question.tally):
            await self._boards.redraw(
                race
            )  # it was long on its way; or somebody was faster than our note of where it is
        return True

    async def _conclude(self, race: SharedId) -> None:
        finish = await self._racing.finish(race)
        if finish is not None:
            message = await self._post(finish.shared, render.finish(finish), f"kzr{race}end")
            if message is not None:
                await self._racing.concluded(race, message)

    async def _post(self, shared: Shared, letter: Letter, nonce: str) -> MessageId | None:
        """Post a card, with a few tries; None, and the race is over, when that leads nowhere."""
        for seconds in (*TRIES, None):
            try:
                return await self._room.send_to(shared.new.channel, letter, nonce)
            except PostRefused as refused:
                _log.info("race %d ends: %s", shared.id, refused.why)
                break
            except PostFailed:
                if seconds is not None:
                    await asyncio.sleep(seconds)
        await self._racing.lose(shared.id, self._clock())
        return None
