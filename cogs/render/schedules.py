"""Schedules on screen: the preview of one, the list, one with what can be done about it, and the question before it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.messages import counted, latest_named, pause_named, rule_named
from cogs.messages.schedules import KINDS
from cogs.ui.escape import code, plain, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows, select
from cogs.ui.presses import button, custom_id
from lessons.model import ScheduleKind, ScheduleState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import Button, LayoutView

    from lessons.flows.scheduling import Planned
    from lessons.model import Schedule

A_PAGE: Final = 5
NAME_LIMIT: Final = 60
EMPTY: Final = (
    "Nothing is scheduled here yet. `/schedule drill` posts a question for everybody at a fixed time, "
    "`/schedule review` posts what the group mixes up, without names."
)
REVIEWED: Final = (
    "What the group mixed up, in counts and patterns: only of people who press **Count me in**, and a line only where five "
    "or more of them are behind it. No names, no sentences."
)


def preview(shown: Planned) -> LayoutView:
    """Show what a schedule would post, where and when, before it begins."""
    schedule = shown.schedule
    texts = [
        f"### {KINDS[schedule.kind]}: a preview",
        _what(shown),
        f"**Where** <#{schedule.channel}>\n**When** {rule_named(schedule.rule)}",
        f"**The next three times**\n{_times(shown)}",
        "-# Nothing is posted until you confirm.",
    ]
    buttons = [
        button("Confirm", "sched_begin", schedule.id, style=ButtonStyle.success),
        button("Change nothing", "sched_drop", schedule.id),
    ]
    return layout(card(Tone.CALM, texts, *rows(buttons)))


def begun(shown: Planned) -> LayoutView:
    """Say that a schedule is at work."""
    first = messages.when(shown.times[0], "F")
    sentence = (
        f"**{KINDS[shown.schedule.kind]}** in <#{shown.schedule.channel}>, {rule_named(shown.schedule.rule)}. "
        f"The first one comes {first}."
    )
    return layout(card(Tone.RIGHT, [sentence], *rows(_deeds(shown.schedule))))


def dropped() -> LayoutView:
    """Say that a preview came to nothing."""
    return notice("Nothing was scheduled.", _back())


def listing(schedules: Sequence[Planned], page: int) -> LayoutView:
    """List a page of the schedules of a server, with a way to each of them."""
    if not schedules:
        return notice(EMPTY)
    pages = -(-len(schedules) // A_PAGE)
    page = min(max(page, 0), pages - 1)
    shown = schedules[page * A_PAGE : (page + 1) * A_PAGE]
    turn = [
        button("◀", "schedules", page - 1, disabled=page == 0),
        button("▶", "schedules", page + 1, disabled=page + 1 >= pages),
    ]
    options = [
        discord.SelectOption(label=label(each), value=str(each.schedule.id), description=_state_word(each.schedule))
        for each in shown
    ]
    texts = [
        f"### Schedules of this server · {len(schedules)}",
        *map(_line, shown),
        f"-# page {page + 1} of {pages}" if pages > 1 else "",
    ]
    chosen = select(custom_id("schedule", page), "Pause, resume or remove one", options)
    return layout(card(Tone.CALM, texts, chosen, *rows(turn if pages > 1 else [])))


def schedule(shown: Planned, said: str = "") -> LayoutView:
    """Show one schedule and what can be done about it; `said` is what was just done."""
    found = shown.schedule
    coming = f"**The next three times**\n{_times(shown)}" if found.state is ScheduleState.ACTIVE else ""
    texts = [
        f"**{said}**" if said else "",
        f"### {KINDS[found.kind]}",
        _what(shown),
        f"**Where** <#{found.channel}>\n**When** {rule_named(found.rule)}",
        _paused(found),
        coming,
        f"-# Latest: {latest_named(shown.latest)}." if shown.latest else "-# Nothing was posted yet.",
    ]
    return layout(card(Tone.ALMOST if found.state is ScheduleState.PAUSED else Tone.CALM, texts, *rows(_deeds(found))))


def remove_question(shown: Planned) -> LayoutView:
    """Ask before a schedule goes."""
    found = shown.schedule
    sentence = (
        f"Remove **{KINDS[found.kind].lower()}** in <#{found.channel}>, {rule_named(found.rule)}? What was posted stays, "
        "and so does everything that people answered."
    )
    return notice(
        sentence,
        button("Keep it", "sched_kept", found.id, style=ButtonStyle.primary),
        button("Remove", "sched_gone", found.id, style=ButtonStyle.danger),
        tone=Tone.WRONG,
    )


def removed(gone: Planned) -> LayoutView:
    """Say that a schedule is gone."""
    return notice(f"**{KINDS[gone.schedule.kind]}** in <#{gone.schedule.channel}> was removed.", _back())


def label(shown: Planned) -> str:
    """Name a schedule where no markup runs, as in a choice: Drill of the day, Mondays at 9:00 (Asia/Tokyo), N5."""
    named = plain(", ".join(filter(None, [rule_named(shown.schedule.rule), shown.pack])), 70)
    return plain(f"{KINDS[shown.schedule.kind]}, {named}", 100)


def _line(shown: Planned) -> str:
    found = shown.schedule
    coming = f"next {messages.when(shown.times[0])}" if shown.times else ""
    latest = f"latest {latest_named(shown.latest)}" if shown.latest else "nothing posted yet"
    return "\n".join(
        filter(
            None,
            [
                f"{_mark(found)} **{KINDS[found.kind]}** in <#{found.channel}>",
                f"{rule_named(found.rule)}{f' · {safe(shown.pack, NAME_LIMIT)}' if shown.pack else ''}",
                _paused(found),
                f"-# {' · '.join(filter(None, [coming, latest]))}",
            ],
        )
    )


def _what(shown: Planned) -> str:
    """Say what is posted."""
    found = shown.schedule
    if found.kind is ScheduleKind.GROUP_REVIEW:
        return REVIEWED
    number = counted(found.asked.count, "question")
    source = "the news of this server" if found.asked.news else "the packs of this server"
    if shown.pack:
        source = f"**{safe(shown.pack, NAME_LIMIT)}**"
    lessons = f", lessons {code(found.asked.lessons, 60)}" if found.asked.lessons else ""
    return f"{number} from {source}{lessons}. Everybody answers privately; the channel sees how many did, and how many were right."


def _times(shown: Planned) -> str:
    return "\n".join(f"- {messages.when(at, 'F')}" for at in shown.times)


def _paused(found: Schedule) -> str:
    if found.state is not ScheduleState.PAUSED or found.why is None:
        return ""
    since = f" since {messages.when(found.paused_at, 'D')}" if found.paused_at else ""
    return f"⏸ Paused{since}: {pause_named(found.why)}."


def _mark(found: Schedule) -> str:
    return "⏸" if found.state is ScheduleState.PAUSED else "🟢"


def _state_word(found: Schedule) -> str:
    return "paused" if found.state is ScheduleState.PAUSED else "active"


def _deeds(found: Schedule) -> list[Button[LayoutView]]:
    paused = found.state is ScheduleState.PAUSED
    first = (
        button("Resume", "sched_resume", found.id, style=ButtonStyle.success)
        if paused
        else button("Pause", "sched_pause", found.id)
    )
    return [first, button("Remove", "sched_remove", found.id), _back()]


def _back() -> Button[LayoutView]:
    return button("All schedules", "schedules", 0)
