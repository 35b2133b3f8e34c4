"""A learner's settings on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

from cogs.messages import counted
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, rows, select
from cogs.ui.presses import button, custom_id
from lessons.calendar import zone_shown

if TYPE_CHECKING:
    from discord.ui import ActionRow, LayoutView

    from lessons.model import Learner, Preferences

LENGTHS: Final = (5, 10, 15, 20, 30, 50)
NEW_A_DAY: Final = (0, 5, 10, 15, 20, 30, 50)
REVIEWS_A_DAY: Final = (20, 50, 100, 200, 500)
AS_DISCORD: Final = "discord"
"""Stands for no language of one's own, since an option cannot be empty."""
FEEDBACK: Final = {
    AS_DISCORD: "Same as Discord",
    "en": "English",
    "ja": "日本語",
    "zh-TW": "繁體中文",
    "zh-CN": "简体中文",
    "ko": "한국어",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "pt": "Português",
}
"""Languages that the judge's feedback can be in, by tag."""


_SEEN_BY_OTHERS: Final = (
    "-# Seen by others, only if you turn it on: your name on shared cards, with whether you were right; and you as one of "
    "those counted in a group's review, which shows counts and patterns of five people or more, never your sentences."
)


def settings(learner: Learner, *, changed: str = "") -> LayoutView:
    """Show what is set, with a way to change each of it in place."""
    chosen = learner.preferences
    zone = (
        f"**{safe(zone_shown(chosen.time_zone), 60)}**"
        if learner.zone_chosen
        else "**not set** (days end at midnight UTC)"
    )
    texts = [
        "### Your settings",
        f"✓ {changed}" if changed else "",
        "\n".join(_lines(zone, chosen)),
        "-# Similar mistakes are looked for among lessons and news alike when they are joined, else lesson by lesson and news by news.",
        "-# Feedback on news answers needs the language model of this bot's operator, within the operator's daily limits.",
        _SEEN_BY_OTHERS,
        "-# Daily limits count only for plain `/drill`. When you name a pack or lessons, you get all you asked for.",
    ]
    buttons = [
        button("Set time zone", "zone", 0),
        button("Hide readings" if chosen.furigana else "Show readings", "set_furigana", int(not chosen.furigana)),
        button(
            "Keep lesson and news mistakes apart" if chosen.joined_tracks else "Join lesson and news mistakes",
            "set_joined",
            int(not chosen.joined_tracks),
        ),
        button(
            "Hide my name on shared cards" if chosen.named else "Show my name on shared cards",
            "set_named",
            int(not chosen.named),
        ),
        button(
            "Leave me out of group reviews" if chosen.counted else "Count me in group reviews",
            "set_counted",
            int(not chosen.counted),
        ),
        button("Reviews and reminders", "coming", 0, style=discord.ButtonStyle.primary),
    ]
    return layout(
        card(
            Tone.CALM,
            texts,
            _numbers("drill_length", "{} in a drill", "question", LENGTHS, chosen.drill_length),
            _numbers("new_per_day", "{} a day", "new item", NEW_A_DAY, chosen.new_per_day),
            _numbers("reviews_per_day", "{} a day at most", "review", REVIEWS_A_DAY, chosen.reviews_per_day),
            _feedback(chosen.language),
            *rows(buttons),
        )
    )


def zone_set(zone: str) -> str:
    """Say which time zone holds now; one of a fixed offset never changes its clocks."""
    shown = zone_shown(zone)
    fixed = "" if shown == zone else " It has no summer time; name a city if your clocks change."
    return f"Time zone set to {shown}.{fixed}"


def _lines(zone: str, chosen: Preferences) -> list[str]:
    return [
        f"Time zone: {zone}",
        f"Questions in a drill: **{chosen.drill_length}**",
        f"New items a day: **{chosen.new_per_day}**",
        f"Reviews a day: **{chosen.reviews_per_day}**",
        f"Readings under the sentence: **{'shown' if chosen.furigana else 'hidden'}**",
        f"Lesson and news mistakes: **{'joined' if chosen.joined_tracks else 'apart'}**",
        f"My name on shared cards: **{'shown' if chosen.named else 'hidden'}**",
        f"Reviews of a group: **{'counted in' if chosen.counted else 'not counted'}**",
        f"Feedback on news answers: **{safe(FEEDBACK.get(chosen.language or AS_DISCORD, chosen.language), 40)}**",
    ]


def _numbers(field: str, label: str, noun: str, offered: tuple[int, ...], chosen: int) -> ActionRow[LayoutView]:
    numbers = sorted({*offered, chosen})
    options = [
        discord.SelectOption(label=label.format(counted(number, noun)), value=str(number), default=number == chosen)
        for number in numbers
    ]
    return select(custom_id("set_number", field), label.format(f"How many {noun}s"), options)


def _feedback(chosen: str) -> ActionRow[LayoutView]:
    options = [
        discord.SelectOption(label=f"Feedback: {name}", value=tag, default=tag == (chosen or AS_DISCORD))
        for tag, name in FEEDBACK.items()
    ]
    return select(custom_id("set_language", 0), "Language of feedback on news answers", options)
