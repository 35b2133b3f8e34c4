"""Days in a row, in words that never blame: a streak that ended is not mentioned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.messages import counted
from lessons.streaks import EARNED, HELD

if TYPE_CHECKING:
    from lessons.streaks import Streak

RULE: Final = (
    f"-# {EARNED} days of practice in a row earn a freeze day, {HELD} at most. A missed day uses one up by itself, "
    "and the streak goes on."
)


def line(streak: Streak | None) -> str:
    """Tell a streak with its freeze days; nothing where there is none."""
    if streak is None or not streak.length:
        return ""
    longest = f" · longest: {counted(streak.longest, 'day')}" if streak.longest > streak.length else ""
    held = f" · {counted(streak.freezes, 'freeze day')} left" if streak.freezes else ""
    return f"Streak: **{counted(streak.length, 'day')}**{longest}{held}"


def today(streak: Streak | None) -> str:
    """Tell at the end of a drill which day of a streak this is; the first day is no streak yet."""
    if streak is None or not streak.today or streak.length == 1:
        return ""
    held = f" · {counted(streak.freezes, 'freeze day')} left" if streak.freezes else ""
    return f"-# Day {streak.length} in a row{held}"


def at_stake(streak: Streak | None) -> str:
    """Tell a streak that an answer today would make longer."""
    if streak is None or not streak.length:
        return ""
    if streak.length == 1:
        return "You practised yesterday. One answer makes it **2 days in a row**."
    past = f"You have practised **{streak.length} days in a row**"
    covered = {0: "", 1: "; a freeze day covered yesterday"}.get(streak.covered, "; freeze days covered the last two")
    held = f" {counted(streak.freezes, 'freeze day')} left." if streak.freezes else ""
    return f"{past}{covered}. One answer makes today the next.{held}"
