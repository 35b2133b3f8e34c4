"""What is said of schedules: what they post and when, what became of it, and what stands in their way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs import refusals
from cogs.messages.failures import failure
from cogs.messages.words import when
from cogs.ui.escape import code
from lessons import errors
from lessons.calendar import zone_shown
from lessons.model import Pause, RunState, ScheduleKind, Skip
from lessons.themes import kind_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import LatestRun, Rule

EVERY_DAY: Final = (0, 1, 2, 3, 4, 5, 6)
DAYS: Final = {
    "every day": EVERY_DAY,
    "weekdays": (0, 1, 2, 3, 4),
    "weekends": (5, 6),
    "Mondays": (0,),
    "Tuesdays": (1,),
    "Wednesdays": (2,),
    "Thursdays": (3,),
    "Fridays": (4,),
    "Saturdays": (5,),
    "Sundays": (6,),
}
"""What days may be chosen, by what they are called."""

_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

KINDS: Final = {
    ScheduleKind.REVIEW: "Your review",
    ScheduleKind.REMINDER: "Your reminder",
    ScheduleKind.GROUP_REVIEW: "Review of the group",
    ScheduleKind.DAILY_DRILL: "Drill of the day",
}

_PAUSED: Final = {
    Pause.ASKED: "a moderator paused it",
    Pause.UNANSWERED: "nobody answered the latest one",
    Pause.NO_DM: "direct messages are closed",
    Pause.NO_CHANNEL: "its channel is gone",
    Pause.NO_ACCESS: "I may not see that channel or post in it; it goes on by itself when I may again",
    Pause.NO_SERVER: "I was not in this server; it goes on by itself",
    Pause.NO_MATERIAL: "its pack, or its lessons of it, were not there",
}

_SKIPPED: Final = {
    Skip.LATE: "I was away at that time, and it was too late afterwards",
    Skip.NOTHING: "there was nothing to say",
    Skip.DONE: "it was done already",
}

NO_GAP: Final = "no article with a gap that is sure and was not asked here lately"
"""Why a drill of the day from the news had nothing to say."""


def days_named(weekdays: Sequence[int]) -> str:
    """Name the days of a rule: every day, weekdays, Mondays, Mon, Wed and Fri."""
    known = {days: name for name, days in DAYS.items()}
    if tuple(weekdays) in known:
        return known[tuple(weekdays)]
    *others, last = [_WEEKDAYS[day] for day in weekdays]
    return f"{', '.join(others)} and {last}"


def rule_named(rule: Rule) -> str:
    """Say when a rule falls due: every day at 9:00 (Asia/Tokyo)."""
    hour, minute = divmod(rule.minute, 60)
    return f"{days_named(rule.weekdays)} at {hour}:{minute:02d} ({zone_shown(rule.time_zone)})"


def pause_named(why: Pause) -> str:
    """Say why a schedule is paused."""
    return _PAUSED[why]


def latest_named(latest: LatestRun, *, news: bool = False) -> str:
    """Say what became of the latest time of a schedule; `news`: of one that asks from the news."""
    if latest.state is RunState.SENT:
        return f"posted {when(latest.at)}"
    if latest.state is RunState.UNKNOWN:
        return f"cut off {when(latest.at)} while it was being posted; I do not post it a second time"
    why = NO_GAP if news and latest.why == Skip.NOTHING.value else _why(latest.why)
    said = "not posted" if latest.state is RunState.SKIPPED else "could not be posted"
    return f"{said} {when(latest.at)}{f': {why}' if why else ''}"


def _why(stored: str) -> str:
    """Say what a run's reason means; nothing for one that is only for the log."""
    reasons = {**{skip.value: said for skip, said in _SKIPPED.items()}, **{why.value: _PAUSED[why] for why in Pause}}
    return reasons.get(stored, "")


@failure.register(errors.NoTimeZone)
def _(_: errors.NoTimeZone) -> str:
    return (
        "I do not know your time zone. Name one in the option `time_zone` (a big city will do), or set yours with "
        "`/settings`. Nothing was scheduled."
    )


@failure.register(errors.TooManySchedules)
def _(error: errors.TooManySchedules) -> str:
    return f"This server has {error.limit} schedules, which is as many as fit. `/schedule remove` makes room."


@failure.register(errors.ReviewThere)
def _(error: errors.ReviewThere) -> str:
    return (
        f"This server has a review of the group already, in <#{error.channel}>. There is one, so that no answer is "
        "counted twice. `/schedule remove` takes it away, then you can make another one."
    )


@failure.register(errors.PackOrNews)
def _(_: errors.PackOrNews) -> str:
    return "A drill of the day is taken from the news, or from a pack and its lessons; choose one of the two."


@failure.register(errors.MaterialGone)
def _(_: errors.MaterialGone) -> str:
    return (
        "The pack that this drill asks from, or its lessons of it, are gone. Load it again with `/pack load`, or ask from "
        "another one with `/schedule drill`. Nothing was changed."
    )


@failure.register(errors.SameSchedule)
def _(error: errors.SameSchedule) -> str:
    return (
        f"The same is scheduled in <#{error.channel}> at that time already. `/schedule list` shows it, also when it is paused. "
        "Nothing was scheduled."
    )


@failure.register(errors.UnknownDays)
def _(error: errors.UnknownDays) -> str:
    return (
        f"I cannot read {code(error.text, 40)} as days. Write them like `every day`, `weekdays`, `mon wed fri`, `sat-sun` or "
        "`月水金`. Nothing was scheduled."
    )


@failure.register(errors.NothingOfKind)
def _(error: errors.NothingOfKind) -> str:
    return f"There is nothing about {kind_name(error.kind)} in the packs of this server to drill together."


@failure.register(refusals.ChannelClosed)
def _(error: refusals.ChannelClosed) -> str:
    where = f"<#{error.channel}>"
    if error.bot:
        return f"I cannot post in {where} yet. I need {_all(error.bot)} there. Nothing was changed."
    if not error.person:
        return "I post in text channels of this server only; name one in the option `channel`. Nothing was changed."
    return f"I post only where you may post yourself: in {where} you lack {_all(error.person)}. Nothing was changed."


def _all(names: Sequence[str]) -> str:
    *others, last = [f"**{name}**" for name in names]
    return f"{', '.join(others)} and {last}" if others else last


@failure.register(refusals.UnknownSchedule)
def _(error: refusals.UnknownSchedule) -> str:
    return f"There is no schedule {code(error.name)}. Pick one of those that appear while you type."
