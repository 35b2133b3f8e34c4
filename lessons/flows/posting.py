"""The clock: each minute what is due is claimed, composed, handed to Discord under one nonce, and settled, each by itself."""

from __future__ import annotations

import asyncio
import logging
import traceback
from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, Protocol

from lessons import calendar
from lessons.errors import KizukiError, PostFailed, PostRefused
from lessons.model import Pause, Post, RunState, ScheduleKind, Skip

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from lessons.model import MessageId, Plan, Run, RunId, Schedule
    from lessons.ports import Clock, Outbox, Schedules

_log = logging.getLogger(__name__)

BATCH: Final = 100
"""Runs claimed in one transaction."""
AT_ONCE: Final = 20
"""Posts composed or under way at once: at 30 a second, that many keep the line busy up to 0.6 s a request."""
PATIENCE: Final = 60.0
"""Seconds that composing a post, or handing it over, may take."""
SAME_NONCE: Final = timedelta(minutes=2)
"""How long after a first try Discord is trusted to recognise its nonce: it promises "the past few minutes"."""
WINDOW: Final = {
    ScheduleKind.REVIEW: timedelta(hours=6),
    ScheduleKind.GROUP_REVIEW: timedelta(hours=6),
    ScheduleKind.DAILY_DRILL: timedelta(hours=1),
    ScheduleKind.REMINDER: timedelta(hours=1),
}
"""How late each kind may still be posted."""


class Composer(Protocol):
    """Knows what to say for one kind of schedule."""

    async def compose(self, run: Run, at: datetime) -> Post | Skip | Pause:
        """Return what is posted; why this time is passed over; or why the schedule has to be paused.

        The same run may be composed again, after a try that failed or was cut off.
        """
        ...

    async def posted(self, run: Run, post: Post, message: MessageId, at: datetime) -> None:
        """Keep what has to be known of a post that was sent; bookkeeping only."""
        ...


@dataclass(slots=True)
class Tally:
    """What came of the times that fell due; `lateness` is the longest time in seconds from due to sent."""

    sent: int = 0
    skipped: int = 0
    failed: int = 0
    unknown: int = 0
    paused: int = 0
    put_off: int = 0
    lateness: float = 0.0

    def add(self, other: Tally) -> None:
        """Count the other's in."""
        self.sent += other.sent
        self.skipped += other.skipped
        self.failed += other.failed
        self.unknown += other.unknown
        self.paused += other.paused
        self.put_off += other.put_off
        self.lateness = max(self.lateness, other.lateness)


class _KeptBack(Exception):
    """A post that is not to go out after all: its schedule was paused meanwhile, or the bot is about to stop."""


class Posting:
    """One tick at a time. Whatever goes wrong with one schedule stays with that one."""

    def __init__(self, schedules: Schedules, outbox: Outbox, composers: Mapping[ScheduleKind, Composer]) -> None:
        self._schedules = schedules
        self._outbox = outbox
        self._composers = composers
        self._idle = asyncio.Event()
        self._idle.set()
        self._stopping = False
        self._failing: set[RunId] = set()  # those whose tries Discord did not take, as far as this process knows
        self.total = Tally()
        """All since the start."""
        self.ticked_at: datetime | None = None
        """When it was last looked at what is due, with a connection."""

    async def begin(self, at: datetime) -> int:
        """Find again when active schedules fall due, as the rules of their zones may have changed; how many moved.

        What is due already stays due, and each keeps its local day.
        """
        moved = 0
        for schedule in await self._schedules.active():
            upcoming = schedule.upcoming
            if upcoming is None or upcoming.due <= at:
                continue
            slot = calendar.slot_on(schedule.rule, upcoming.day)
            if slot != upcoming:
                await self._schedules.reset(schedule.id, schedule.rule, slot)
                moved += 1
        return moved

    async def tick(self, clock: Clock) -> Tally:
        """Post what is due, after what an earlier tick or process left behind; nothing while another tick is at it.

        Also nothing while there is no connection to Discord: then it waits, and is caught up with within its window.
        """
        tally = Tally()
        if not self._idle.is_set() or not self._may_go_on():
            return tally
        self._idle.clear()
        try:
            await self._all(await self._schedules.unsettled(), clock, tally)
            while self._may_go_on():
                self.ticked_at = clock()
                if not (runs := await self._claim(self.ticked_at)):
                    break
                await self._all(runs, clock, tally)
        except KizukiError as error:  # a full disk passes: what is due stays due
            _log.warning("what is due waits for the next minute: %s", type(error).__name__)
        finally:
            self.total.add(tally)
            self._idle.set()
        return tally

    def start(self) -> None:
        """Go on after `stop`, as another bot on the same services does."""
        self._stopping = False

    async def stop(self) -> None:
        """Claim and start nothing more, and wait for what is being sent."""
        self._stopping = True
        await self._idle.wait()

    def _may_go_on(self) -> bool:
        return self._outbox.is_open and not self._stopping

    async def _claim(self, at: datetime) -> list[Run]:
        def plan(schedule: Schedule) -> Plan:
            if schedule.upcoming is None:
                raise ValueError("a schedule that is due has a time")
            return calendar.plan(schedule.rule, schedule.upcoming, at, schedule.last_day)

        return await self._schedules.claim(at, BATCH, plan)

    async def _all(self, runs: list[Run], clock: Clock, tally: Tally) -> None:
        room = asyncio.Semaphore(AT_ONCE)

        async def one(run: Run) -> None:
            async with room:
                if self._may_go_on():
                    await self._guarded(run, clock, tally)

        async with asyncio.TaskGroup() as group:
            for run in runs:
                group.create_task(one(run))

    async def _guarded(self, run: Run, clock: Clock, tally: Tally) -> None:
        """Bring one run to its end, or leave it claimed for the next tick."""
        try:
            if run.tried_at is not None and clock() - run.tried_at >= SAME_NONCE:
                await self._fail(run, "not sent", clock(), tally)
            elif run.tried_at is None and clock() - run.slot.due > WINDOW[run.schedule.kind]:
                await self._skip(run, Skip.LATE, clock(), tally)
            else:
                await self._post(run, clock, tally)
        except Exception as error:  # noqa: BLE001 - the others go on; it is tried again, or given up, at the next tick
            tally.put_off += 1
            _log.warning("run %d is left for the next minute: %s", run.id, type(error).__name__)

    async def _post(self, run: Run, clock: Clock, tally: Tally) -> None:
        post = await self._composed(run, clock())
        at = clock()
        if post is None:
            await self._fail(run, "not composed", at, tally)
        elif isinstance(post, Pause):
            await self._skip(run, post, at, tally)
            await self._pause(run, post, at, tally)
        elif isinstance(post, Skip):
            await self._skip(run, post, at, tally)
        else:
            await self._send(run, post, clock, tally)

    async def _composed(self, run: Run, at: datetime) -> Post | Skip | Pause | None:
        """Ask the composer; None when it has a fault. What it foresees, as a full disk, passes: the run waits for that."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._composers[run.schedule.kind].compose(run, at)
        except KizukiError:
            raise
        except Exception as error:  # noqa: BLE001 - one learner's post never keeps the others' back
            _log.error("run %d (%s) was not composed: %s", run.id, run.schedule.kind, _told(error))
            return None

    async def _send(self, run: Run, post: Post, clock: Clock, tally: Tally) -> None:
        async def handing() -> None:
            if self._stopping or not await self._schedules.trying(run.id, clock()):
                raise _KeptBack

        try:
            async with asyncio.timeout(PATIENCE):
                message = await self._outbox.send(run.schedule, post, nonce(run.id), handing)
        except _KeptBack:
            return
        except PostRefused as refused:
            await self._fail(run, refused.why, clock(), tally)
            await self._pause(run, refused.why, clock(), tally)
        except PostFailed as failed:
            tally.put_off += 1
            self._failing.add(run.id)
            if failed.certain and run.tried_at is None:
                await self._schedules.untried(run.id)
        except TimeoutError:
            tally.put_off += 1
        else:
            await self._sent(run, post, message, clock(), tally)

    async def _sent(self, run: Run, post: Post, message: MessageId, at: datetime, tally: Tally) -> None:
        await self._schedules.settle(run.id, RunState.SENT, at, why=post.note, message=message)
        self._failing.discard(run.id)
        tally.sent += 1
        tally.lateness = max(tally.lateness, (at - run.slot.due).total_seconds())
        try:
            await self._composers[run.schedule.kind].posted(run, post, message, at)
        except Exception as error:  # noqa: BLE001 - it is sent, and that is what counts
            _log.error("run %d (%s) was sent, but not noted: %s", run.id, run.schedule.kind, _told(error))

    async def _skip(self, run: Run, why: Skip | Pause, at: datetime, tally: Tally) -> None:
        if run.tried_at is not None:  # an earlier try may have posted it
            await self._fail(run, why, at, tally)
            return
        await self._schedules.settle(run.id, RunState.SKIPPED, at, why=why)
        tally.skipped += 1

    async def _fail(self, run: Run, why: str, at: datetime, tally: Tally) -> None:
        """Settle a run that will not be sent: FAILED, or UNKNOWN when an earlier try of it was cut off."""
        if run.tried_at is not None and run.id not in self._failing:
            await self._schedules.settle(run.id, RunState.UNKNOWN, at, why=why)
            tally.unknown += 1
        else:
            await self._schedules.settle(run.id, RunState.FAILED, at, why=why)
            tally.failed += 1
        self._failing.discard(run.id)

    async def _pause(self, run: Run, why: Pause, at: datetime, tally: Tally) -> None:
        await self._schedules.pause(run.schedule.id, why, at)
        tally.paused += 1


def _told(error: Exception) -> str:
    """Name an error and where it was raised. Its text stays out of the log, for it may quote a learner."""
    frames = list(traceback.walk_tb(error.__traceback__))
    place = f"{PurePath(frames[-1][0].f_code.co_filename).name}:{frames[-1][1]}"
    return f"{type(error).__name__} at {place}"


def nonce(run: RunId) -> str:
    """Name a run's post to Discord, which takes at most 25 characters and posts one message a nonce."""
    return f"kz{run}"
