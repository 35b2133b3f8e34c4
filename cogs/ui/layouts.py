"""The few shapes every message is made of: a notice, a card with a colour, rows of buttons."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import discord

from cogs.ui.escape import clip

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discord.ui import ActionRow, Item, LayoutView

TEXT_LIMIT: Final = 3900
"""Characters of all texts of one message together; Discord takes 4,000."""
ROW: Final = 5
"""Buttons in one row."""


class Tone(Enum):
    """The colour at the edge of a card. It always agrees with the words."""

    CALM = 0x5B7C99
    RIGHT = 0x3BA55D
    ALMOST = 0xE0A526
    WRONG = 0xD9534F


def layout(*items: Item[LayoutView]) -> LayoutView:
    """Make a message of components that the library need not remember: presses are routed by their custom ids."""
    view = discord.ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def card(tone: Tone, texts: Iterable[str], *rows: Item[Any]) -> discord.ui.Container[LayoutView]:
    """Make a coloured card: paragraphs (empty ones fall away), then rows of buttons or selects."""
    container: discord.ui.Container[LayoutView] = discord.ui.Container(accent_colour=tone.value)
    room = TEXT_LIMIT
    for text in filter(None, texts):
        shown = clip(text, room)
        room -= len(shown)
        container.add_item(discord.ui.TextDisplay(shown))
        if room < ROW:
            break
    for row in rows:
        container.add_item(row)
    return container


def rows(buttons: Sequence[discord.ui.Button[LayoutView]]) -> list[ActionRow[LayoutView]]:
    """Put buttons into rows of five."""
    return [discord.ui.ActionRow(*buttons[start : start + ROW]) for start in range(0, len(buttons), ROW)]


def notice(sentence: str, *buttons: discord.ui.Button[LayoutView], tone: Tone = Tone.CALM) -> LayoutView:
    """Make a message of one sentence, with buttons where there is something to do about it."""
    return layout(card(tone, [sentence], *rows(buttons)))


def select(custom_id: str, placeholder: str, options: Sequence[discord.SelectOption]) -> ActionRow[LayoutView]:
    """Make a row with one select of one choice; Discord takes 25 options."""
    return discord.ui.ActionRow(
        discord.ui.Select(custom_id=custom_id, placeholder=placeholder[:150], options=list(options)[:25])
    )
