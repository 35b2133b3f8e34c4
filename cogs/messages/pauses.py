"""What is said to whoever made a schedule that is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.messages.words import when
from lessons.model import Pause, ScheduleKind

if TYPE_CHECKING:
    from lessons.model import Schedule, Slot

_NAMES: Final = {
    ScheduleKind.REVIEW: "Your review",
    ScheduleKind.REMINDER: "Your reminder",
    ScheduleKind.GROUP_REVIEW: "The group review",
    ScheduleKind.DAILY_DRILL: "The drill of the day",
}

_WHY: Final = {
    Pause.ASKED: "as was asked for.",
    Pause.UNANSWERED: "the last one was not opened, and I did not want to pile them up.",
    Pause.NO_DM: "Discord did not let me write to you. Allow direct messages from a server we share, then write to me "
    "there or press **Resume**.",
    Pause.NO_CHANNEL: "the channel is gone. `/schedule` makes a new one elsewhere.",
    Pause.NO_ACCESS: "I may not see that channel, or not post there. Give me *View Channel*, *Send Messages* and "
    "*Attach Files* in it, and it goes on by itself.",
    Pause.NO_SERVER: "I was removed from the server. Invite me again, and it goes on by itself.",
    Pause.NO_MATERIAL: "its lesson pack is gone. `/schedule drill` takes another one.",
}


def paused(schedule: Schedule) -> str:
    """Say what is paused, since when and why."""
    where = f" in <#{schedule.channel}>" if schedule.channel is not None else ""
    since = f" since {when(schedule.paused_at)}" if schedule.paused_at else ""
    why = f": {_WHY[schedule.why]}" if schedule.why else "."
    return f"**{_NAMES[schedule.kind]}**{where} is paused{since}{why}"


def resumed(slot: Slot, *, was_paused: bool) -> str:
    """Say when it comes next."""
    return f"{'It goes on' if was_paused else 'It is on already'}: next {when(slot.due, 'F')} ({when(slot.due)})."
