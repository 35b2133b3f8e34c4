"""The store of schedules and their runs, and the way out to Discord for what nobody asked for just now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from lessons.model import (
        ChannelId,
        GuildId,
        MessageId,
        NewSchedule,
        Pause,
        Plan,
        Post,
        Rule,
        Run,
        RunId,
        RunState,
        Schedule,
        ScheduleId,
        ScheduleKind,
        Slot,
        UserId,
    )


class Schedules(Protocol):
    """Schedules and what became of each of their times. Changing calls name the owner: a learner, or a server."""

    async def draft(self, new: NewSchedule, at: datetime) -> ScheduleId:
        """Keep a channel's schedule that waits to be confirmed; drafts of more than a day ago go."""
        ...

    async def own(self, user: UserId, kind: ScheduleKind) -> Schedule | None:
        """Return a learner's own schedule of that kind."""
        ...

    async def set_own(self, new: NewSchedule, upcoming: Slot, at: datetime) -> Schedule:
        """Make a learner's own schedule active with this rule, in the place of the one before (its last day is kept)."""
        ...

    async def schedule(self, schedule: ScheduleId, guild: GuildId) -> Schedule | None:
        """Return a schedule of this server."""
        ...

    async def of_server(self, guild: GuildId) -> list[Schedule]:
        """Return the schedules of a server but for drafts, oldest first."""
        ...

    async def activate(self, schedule: ScheduleId, guild: GuildId, upcoming: Slot) -> bool:
        """Confirm a draft or resume a paused schedule of this server; False when it is neither."""
        ...

    async def resume_own(self, user: UserId, kind: ScheduleKind, upcoming: Slot) -> bool:
        """Resume a learner's own paused schedule; False when it is not paused."""
        ...

    async def pause(self, schedule: ScheduleId, why: Pause, at: datetime) -> None:
        """Pause an active schedule; its maker still has to be told, unless they ASKED for it.

        A post of it that is claimed and was not handed to Discord yet is dropped.
        """
        ...

    async def remove(self, schedule: ScheduleId, guild: GuildId) -> bool:
        """Remove a schedule of this server with its runs; False when there is none."""
        ...

    async def remove_own(self, user: UserId, kind: ScheduleKind) -> bool:
        """Remove a learner's own schedule with its runs; False when there is none."""
        ...

    async def reset(self, schedule: ScheduleId, rule: Rule, upcoming: Slot) -> None:
        """Give an active schedule another rule, or another next time; one that is not active takes the rule alone."""
        ...

    async def active(self) -> list[Schedule]:
        """Return every active schedule, for a look at whether its next time still holds."""
        ...

    async def claim(self, at: datetime, limit: int, plan: Callable[[Schedule], Plan]) -> list[Run]:
        """Take up schedules that are due, the longest first, in ONE transaction: a run each, and their next time.

        A time that has a run already, as after the clock was set back, gets no second one.
        """
        ...

    async def unsettled(self) -> list[Run]:
        """Return the runs that are claimed: under way, or left behind by a process that ended."""
        ...

    async def trying(self, run: RunId, at: datetime) -> bool:
        """Note that a claimed run is handed to Discord now (the first time counts); False when it is settled or gone."""
        ...

    async def untried(self, run: RunId) -> None:
        """Note that Discord surely did not take a claimed run, so that a later try is a first one."""
        ...

    async def settle(
        self, run: RunId, state: RunState, at: datetime, *, why: str = "", message: MessageId | None = None
    ) -> None:
        """Note what became of a claimed run; a run that was SENT counts as a post for its day."""
        ...

    async def latest_sent(self, schedule: ScheduleId) -> tuple[RunId, datetime, str] | None:
        """Return the latest run that was sent, when, and its `why`."""
        ...

    async def is_answered(self, run: RunId) -> bool:
        """Tell whether the learner of a sent run has pressed something on it, or practised since."""
        ...

    async def answered(self, run: RunId, user: UserId, at: datetime) -> bool:
        """Note that this learner pressed something on a post of theirs; False when it is not theirs or gone."""
        ...

    async def untold(self, user: UserId) -> list[Schedule]:
        """Return paused schedules that this person made and was not told of."""
        ...

    async def told(self, user: UserId, at: datetime) -> None:
        """Note that this person was told of every pause."""
        ...

    async def pause_server(self, guild: GuildId, why: Pause, at: datetime, channel: ChannelId | None = None) -> int:
        """Pause the active schedules of a server, or of one channel; the number."""
        ...

    async def waiting_for_access(self, guild: GuildId | None = None, user: UserId | None = None) -> list[Schedule]:
        """Return schedules paused for want of access: of a server, of a learner, or all."""
        ...

    async def prune(self, before: datetime) -> int:
        """Drop runs that were due before then, but for the latest sent one of each schedule, and drafts; the number of runs."""
        ...


class Outbox(Protocol):
    """Posts that nobody asked for just now: paced, in order in each channel, never twice under one nonce."""

    @property
    def is_open(self) -> bool:
        """Tell whether there is a connection to Discord."""
        ...

    async def send(self, schedule: Schedule, post: Post, nonce: str) -> MessageId:
        """Post to whom or where the schedule says. Raises PostRefused (for good), PostFailed (it may work later)."""
        ...
