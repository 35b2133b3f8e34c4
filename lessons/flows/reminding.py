"""The reminder that a learner asked for: only on days when they have not practised, and something waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons.model import Pause, Post, Skip

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.delivering import Delivering
    from lessons.model import MessageId, Run, RunId
    from lessons.ports import Drills, Schedules
    from lessons.streaks import Streak


@dataclass(frozen=True, slots=True)
class ReminderPost(Post):
    """How many reviews wait, and the streak that today would go on; None where there is none, or none is to be kept."""

    run: RunId
    waiting: int
    streak: Streak | None = None


@dataclass(frozen=True, slots=True)
class Reminding:
    """Composes reminders."""

    schedules: Schedules
    drills: Drills
    delivering: Delivering

    async def compose(self, run: Run, at: datetime) -> ReminderPost | Skip | Pause:
        """Make the reminder that is due; none after practice that day, none while the one before is unanswered."""
        user = run.schedule.made_by
        days = await self.drills.practised(user)
        if days and days[-1] >= run.slot.day:
            return Skip.DONE
        latest = await self.schedules.latest_sent(run.schedule.id)
        if latest and not await self.schedules.is_answered(latest[0]):
            return Pause.UNANSWERED
        waiting = await self.delivering.waiting(user, at)
        streak = await self.delivering.streak(user, at)
        at_stake = streak if streak and streak.length else None
        return ReminderPost(run.id, waiting, at_stake) if waiting or at_stake else Skip.NOTHING

    async def posted(self, run: Run, post: Post, message: MessageId, at: datetime) -> None:
        """Nothing is noted beside the run itself."""
