"""Schedules on screen: the preview of one, the list, one with what can be done about it, and the question before it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.messages import latest_named, pause_named, rule_named
from cogs.messages.schedules import KINDS
from cogs.render.materials import NAME_LIMIT, bracketed, material, pack_gone, plain_material, shortage
from cogs.ui.escape import plain, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows, select
from cogs.ui.presses import button, custom_id
from lessons.model import Pause, ScheduleKind, ScheduleState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from discord.ui import Button, LayoutView

    from lessons.flows.scheduling import Planned
    from lessons.model import ChannelId, Schedule

A_PAGE: Final = 5
CHANNEL_LIMIT: Final = 24
"""Characters of a channel's name where no mention runs."""
NO_CHANNELS: Final[Mapping[ChannelId, str]] = {}
EMPTY: Final = (
    "Nothing is scheduled here yet. `/schedule drill` posts a question for everybody at a fixed time, "
    "`/schedule review` posts what the group mixes up, without names."
)
REVIEWED: Final = (
    "What the group mixed up, in counts and patterns: only of people who press **Count me in**, and a line only where five "
    "or more of them are behind it. No names, no sentences."
)


def preview(shown: Planned, said: str = "") -> LayoutView:
    """Show what a schedule would post, where and when, before it begins; `said` is what came of a press on it."""
    schedule = shown.schedule
    texts = [
        said,
        f"### {KINDS[schedule.kind]}: a preview",
        _what(shown),
        f"**Where** <#{schedule.channel}>\n**When** {rule_named(schedule.rule)}",
        f"**The next three times**\n{_times(shown)}",
        "-# Nothing is posted until you confirm.",
    ]
    buttons = [button("Change nothing", "sched_drop", schedule.id)]
    if not (shown.gone or (schedule.asked.lessons and not shown.there)):
        buttons.insert(0, button("Confirm", "sched_begin", schedule.id, style=ButtonStyle.success))
    return layout(card(Tone.CALM, texts, *rows(buttons)))


def begun(shown: Planned) -> LayoutView:
    """Say that a schedule is at work."""
    first = messages.when(shown.times[0], "F")
    asked = f"\n{material(shown)}" if shown.schedule.kind is ScheduleKind.DAILY_DRILL else ""
    sentence = (
        f"**{KINDS[shown.schedule.kind]}** in <#{shown.schedule.channel}>, {rule_named(shown.schedule.rule)}.{asked}\n"
        f"The first one comes {first}."
    )
    return layout(card(Tone.RIGHT, [sentence], *rows(_deeds(shown.schedule))))


def dropped() -> LayoutView:
    """Say that a preview came to nothing."""
    return notice("Nothing was scheduled.", _back())


def gone(said: str) -> LayoutView:
    """Say that there is no such schedule any more."""
    return notice(said, _back())


def now(shown: Planned, said: str) -> LayoutView:
    """Show a schedule as it is after a press that came too late, of which this was `said`."""
    return preview(shown, said) if shown.schedule.state is ScheduleState.DRAFT else schedule(shown, said)


def listing(schedules: Sequence[Planned], page: int, channels: Mapping[ChannelId, str] = NO_CHANNELS) -> LayoutView:
    """List a page of the schedules of a server, with a way to each of them; `channels` are their names."""
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
        discord.SelectOption(label=label(each, channels), value=str(each.schedule.id), description=_state_word(each))
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
        _paused(shown),
        coming,
        f"-# Latest: {latest_named(shown.latest, news=found.asked.news)}."
        if shown.latest
        else "-# Nothing was posted yet.",
    ]
    return layout(card(Tone.ALMOST if found.state is ScheduleState.PAUSED else Tone.CALM, texts, *rows(_deeds(found))))


def remove_question(shown: Planned) -> LayoutView:
    """Ask before a schedule goes."""
    found = shown.schedule
    sentence = (
        f"Remove **{KINDS[found.kind].lower()}** in <#{found.channel}>, {rule_named(found.rule)}{bracketed(shown)}? What was "
        "posted stays, and so does everything that people answered."
    )
    return notice(
        sentence,
        button("Keep it", "sched_kept", found.id, style=ButtonStyle.primary),
        button("Remove", "sched_gone", found.id, style=ButtonStyle.danger),
        tone=Tone.WRONG,
    )


def removed(shown: Planned) -> LayoutView:
    """Say that a schedule is gone."""
    found = shown.schedule
    return notice(
        f"**{KINDS[found.kind]}** in <#{found.channel}>, {rule_named(found.rule)}{bracketed(shown)}, was removed.",
        _back(),
    )


def label(shown: Planned, channels: Mapping[ChannelId, str] = NO_CHANNELS) -> str:
    """Name a schedule where no markup runs: Drill of the day, #study, Mondays at 9:00 (Asia/Tokyo), N5, lessons 3, 1 question."""
    found = shown.schedule
    name = channels.get(found.channel) if found.channel is not None else None
    where = f"#{plain(name, CHANNEL_LIMIT)}" if name else ""
    parts = [KINDS[found.kind], where, rule_named(found.rule), plain_material(shown)]
    return plain(", ".join(filter(None, parts)), 100)


def _line(shown: Planned) -> str:
    found = shown.schedule
    coming = f"next {messages.when(shown.times[0])}" if shown.times else ""
    latest = f"latest {latest_named(shown.latest, news=found.asked.news)}" if shown.latest else "nothing posted yet"
    return "\n".join(
        filter(
            None,
            [
                f"{_mark(found)} **{KINDS[found.kind]}** in <#{found.channel}>",
                " · ".join(filter(None, [rule_named(found.rule), material(shown)])),
                _paused(shown),
                f"-# {' · '.join(filter(None, [coming, latest]))}",
            ],
        )
    )


def _what(shown: Planned) -> str:
    """Say what is posted."""
    found = shown.schedule
    if found.kind is ScheduleKind.GROUP_REVIEW:
        return REVIEWED
    if shown.gone:
        return (
            f"⚠️ {pack_gone(shown)}, so nothing can be asked. Load it again with `/pack load`, or ask from another one."
        )
    return "\n".join(
        filter(
            None,
            [
                f"{material(shown)}. Everybody answers privately; the channel sees how many did, and how many were right.",
                shortage(shown),
            ],
        )
    )


def _times(shown: Planned) -> str:
    return "\n".join(f"- {messages.when(at, 'F')}" for at in shown.times)


def _paused(shown: Planned) -> str:
    found = shown.schedule
    if found.state is not ScheduleState.PAUSED or found.why is None:
        return ""
    since = f" since {messages.when(found.paused_at, 'D')}" if found.paused_at else ""
    lacking = shown.gone and found.why is Pause.NO_MATERIAL
    why = f"its pack **{safe(shown.pack, NAME_LIMIT)}** is gone" if lacking else pause_named(found.why)
    return f"⏸ Paused{since}: {why}."


def _mark(found: Schedule) -> str:
    return "⏸" if found.state is ScheduleState.PAUSED else "🟢"


def _state_word(shown: Planned) -> str:
    state = "paused" if shown.schedule.state is ScheduleState.PAUSED else "active"
    gone = f"its pack {plain(shown.pack, 40)} is gone" if shown.gone else ""
    return " · ".join(filter(None, [state, gone or plain_material(shown)]))


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
