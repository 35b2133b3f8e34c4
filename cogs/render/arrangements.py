"""The card of what comes by itself: reviews and reminders with their times, and the streak."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

from cogs import messages
from cogs.render import streaks
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, rows, select
from cogs.ui.presses import button, custom_id, modal
from lessons.calendar import zone_shown
from lessons.flows.arranging import EVERY_DAY
from lessons.model import Pause, ScheduleKind, ScheduleState

if TYPE_CHECKING:
    from discord.ui import ActionRow, Button, LayoutView, Modal

    from lessons.flows.arranging import Arranged
    from lessons.model import Learner, Schedule

OFF: Final = "off"
DAILY: Final = "daily"
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAYS: Final = {OFF: "off", DAILY: "every day", **{str(day): f"every {name}" for day, name in enumerate(WEEKDAYS)}}
"""When a review can come, by what stands for it in a choice."""
TIME_LIMIT: Final = 20

_REVIEW: Final = (
    "-# Your themes since the last one, with a chart and a drill for each, as a direct message from me. "
    "When there is nothing to say, none comes."
)
_REMINDER: Final = "-# A nudge by direct message, on days when reviews wait and you have not practised."
_NAMES: Final = {ScheduleKind.REVIEW: "Review", ScheduleKind.REMINDER: "Reminder"}
_WHY: Final = {
    Pause.UNANSWERED: "the last one was left unanswered, so I stopped; nothing is lost",
    Pause.NO_DM: "I could not write to you. Allow direct messages from members of a server we share, then resume",
}


def arrangements(learner: Learner, arranged: Arranged, *, changed: str = "") -> LayoutView:
    """Show what comes by itself and when, with a way to change each of it in place."""
    chosen = learner.preferences
    zone = safe(zone_shown(chosen.time_zone), 60)
    texts = [
        "### Reviews and reminders",
        f"✓ {changed}" if changed else "",
        f"**Review**: {_told(arranged.review)}\n{_REVIEW}",
        f"**Reminder**: {_told(arranged.reminder)}\n{_REMINDER}",
        f"**Streak**: {'counted' if chosen.streaks else 'off'}\n{streaks.RULE if chosen.streaks else ''}".strip(),
        f"-# Times are in {zone}." if learner.zone_chosen else "⚠️ Times are in UTC while no time zone is set.",
    ]
    selects = [_days(arranged.review)]
    if arranged.review:
        selects.append(_hours(ScheduleKind.REVIEW, arranged.review))
    selects.append(_hours(ScheduleKind.REMINDER, arranged.reminder))
    return layout(card(Tone.CALM, texts, *selects, *rows(_buttons(learner, arranged))))


def time_modal(kind: ScheduleKind, action: str, field: str) -> Modal:
    """Ask for an exact time of day."""
    asked: discord.ui.Label[Modal] = discord.ui.Label(
        text=f"{_NAMES[kind]} at",
        description="For example 7:30, 19:45 or 7pm, in your time zone",
        component=discord.ui.TextInput(custom_id=field, max_length=TIME_LIMIT, required=True),
    )
    return modal(f"{_NAMES[kind]}: exact time", action, kind, fields=[asked])


def _told(schedule: Schedule | None) -> str:
    if schedule is None:
        return "off"
    rule = schedule.rule
    day = "every day" if rule.weekdays == EVERY_DAY else f"every {' and '.join(WEEKDAYS[day] for day in rule.weekdays)}"
    told = f"{day} at **{clock(rule.minute)}**"
    if schedule.upcoming:
        due = schedule.upcoming.due
        return f"{told}, next {messages.when(due, 'F')} ({messages.when(due)})"
    since = f" since {messages.when(schedule.paused_at, 'D')}" if schedule.paused_at else ""
    why = f": {_WHY[schedule.why]}" if schedule.why in _WHY else ""
    return f"{told}, **paused**{since}{why}."


def clock(minute: int) -> str:
    """Write a minute of the day."""
    return f"{minute // 60:02}:{minute % 60:02}"


def _days(schedule: Schedule | None) -> ActionRow[LayoutView]:
    now = OFF if schedule is None else DAILY if len(schedule.rule.weekdays) > 1 else str(schedule.rule.weekdays[0])
    options = [
        discord.SelectOption(label=f"Review: {name}", value=value, default=value == now) for value, name in DAYS.items()
    ]
    return select(custom_id("own_day", 0), "When your review comes", options)


def _hours(kind: ScheduleKind, schedule: Schedule | None) -> ActionRow[LayoutView]:
    """Offer whole hours, and the exact time that is set."""
    now = schedule.rule.minute if schedule else None
    minutes = sorted({*range(0, 24 * 60, 60), *([] if now is None else [now])})
    options = [
        discord.SelectOption(label=f"{_NAMES[kind]} at {clock(each)}", value=str(each), default=each == now)
        for each in minutes
    ]
    empty = "Remind me every day at …" if kind is ScheduleKind.REMINDER else "At what time"
    return select(custom_id("own_hour", kind), empty, options)


def _buttons(learner: Learner, arranged: Arranged) -> list[Button[LayoutView]]:
    buttons = []
    if not learner.zone_chosen:
        buttons.append(button("Set time zone", "zone", 1, style=discord.ButtonStyle.primary))
    for kind, schedule in ((ScheduleKind.REVIEW, arranged.review), (ScheduleKind.REMINDER, arranged.reminder)):
        if schedule and schedule.state is ScheduleState.PAUSED:
            style = discord.ButtonStyle.primary
            buttons.append(button(f"Resume {_NAMES[kind].lower()}s", "own_resume", kind, style=style))
        if schedule:
            buttons.append(button(f"Exact {_NAMES[kind].lower()} time", "own_time", kind))
    if arranged.reminder:
        buttons.append(button("No reminders", "own_off", ScheduleKind.REMINDER))
    streaks_on = learner.preferences.streaks
    buttons.append(button("No streaks" if streaks_on else "Count streaks", "set_streaks", int(not streaks_on)))
    return [*buttons, button("Other settings", "settings", 0)]
