"""What comes to a learner by itself, on screen: the review with a drill for each theme, and the reminder."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.messages import counted
from cogs.render import reviews, streaks
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.letters import Letter, attached
from cogs.ui.presses import button
from lessons.flows.reviewing import FEW, SHOWN
from lessons.summary import track_name
from lessons.themes import theme_name

if TYPE_CHECKING:
    from datetime import datetime

    from discord.ui import LayoutView

    from lessons.flows.reminding import ReminderPost
    from lessons.flows.reporting import FirstTries, Returned, ReviewPost
    from lessons.model import Slot

THEME_LIMIT: Final = 480
"""Characters of one theme: five of them leave room for what has become of those before."""
RETURNED: Final = 3
"""Themes of the review before that are told of."""

_ONE_AT_A_TIME: Final = (
    "-# The next one comes only once you pressed something here or practised, so they never pile up."
)


def review_letter(post: ReviewPost) -> Letter:
    """Write a review with its chart."""
    return Letter(review(post), attached({reviews.THEME_CHART: post.review.chart}))


def reminder_letter(post: ReminderPost) -> Letter:
    """Write a reminder."""
    return Letter(reminder(post))


def review(post: ReviewPost) -> LayoutView:
    """Show a review: themes with their chart and a drill each, and what became of those before."""
    shown = post.review
    drawn = shown.themes[:SHOWN]
    patterns = "" if drawn or shown.exercises < FEW else reviews.no_theme(shown)
    container = card(Tone.CALM, [reviews.head(shown), _since_then(post), patterns])
    if shown.chart:
        container.add_item(reviews.chart(drawn))
    for section in reviews.sections(shown, THEME_LIMIT, post.run):
        container.add_item(section)
    below = "\n".join(filter(None, [reviews.foot(shown), _ONE_AT_A_TIME]))
    container.add_item(discord.ui.TextDisplay(below))
    buttons = [
        button("Again tomorrow", "put_off", post.run),
        button("Less often or off", "coming_from", post.run),
    ]
    for row in rows(buttons):
        container.add_item(row)
    return layout(container)


def reminder(post: ReminderPost) -> LayoutView:
    """Show a reminder: what waits, and the streak that today would go on."""
    wait = "waits" if post.waiting == 1 else "wait"
    texts = [
        "### A little practice?",
        f"**{counted(post.waiting, 'review')}** {wait} for you." if post.waiting else "",
        streaks.at_stake(post.streak),
        streaks.RULE if post.streak else "",
        _ONE_AT_A_TIME,
    ]
    buttons = [
        button("Drill now", "nudge_drill", post.run, style=ButtonStyle.primary),
        button("Not today", "nudge_rest", post.run),
        button("Turn off", "nudge_off", post.run),
    ]
    return layout(card(Tone.CALM, texts, *rows(buttons)))


def put_off(slot: Slot | None) -> LayoutView:
    """Say when a review comes again that was put off."""
    if slot is None:
        return notice("Your reviews are off or paused, so none comes by itself. `/review` shows one now.", _settings())
    return notice(f"Your next review comes {_when(slot.due)}.")


def rested(upcoming: Slot | None) -> LayoutView:
    """Take a reminder away for today."""
    following = f" The next reminder comes {_when(upcoming.due)}." if upcoming else ""
    return notice(f"All right, not today.{following}")


def no_more_reminders() -> LayoutView:
    """Say that reminders are off."""
    return notice("Reminders are off.", _settings())


def _settings() -> discord.ui.Button[LayoutView]:
    return button("Reviews and reminders", "coming", 0)


def _when(at: datetime) -> str:
    return f"{messages.when(at, 'F')} ({messages.when(at)})"


def _since_then(post: ReviewPost) -> str:
    """What has become of the themes of the review before; nothing where nobody came back to one."""
    lines = [*map(_returned, post.returned[:RETURNED]), *map(_first_tries, post.firsts)]
    if post.before is None or not lines:
        return ""
    return "\n".join([f"**Since your review of {messages.when(post.before.made, 'D')}**", *lines])


def _returned(found: Returned) -> str:
    name = safe(theme_name(replace(found.theme, pairs=found.theme.pairs[:1])), 60)
    return f"- {name} · {found.answered} answered again, {found.right or 'none'} right{'' if found.right else ' yet'}"


def _first_tries(found: FirstTries) -> str:
    return f"- First tries ({track_name(found.track)}): {found.then.percent:.0f} % right then, {found.now.percent:.0f} % now"
