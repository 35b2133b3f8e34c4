"""Buttons, selects and modals that survive restarts: what is pressed stands in the custom id, the rest in the database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

import discord

from cogs.refusals import StalePress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PREFIX: Final = "kz"
LIMIT: Final = 100
LARGEST: Final = 2**63 - 1
"""The largest number that the database can hold."""
MARK: Final = "__press__"

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Press:
    """One press as it arrived: the arguments of its custom id, chosen values of a select, fields of a modal."""

    interaction: discord.Interaction
    arguments: tuple[str, ...]
    values: tuple[str, ...]
    fields: Mapping[str, str]

    def number(self, position: int) -> int:
        """Return an argument as a number from 0 to LARGEST. Raises StalePress when something else stands there."""
        return _number(self.text(position))

    def text(self, position: int) -> str:
        """Return an argument, "" when it is absent."""
        return self.arguments[position] if position < len(self.arguments) else ""

    def chosen(self) -> str:
        """Return the one choice of a select. Raises StalePress when nothing was chosen."""
        if not self.values:
            raise StalePress
        return self.values[0]

    def chosen_number(self) -> int:
        """Return the one choice of a select as a number from 0 to LARGEST. Raises StalePress."""
        return _number(self.chosen())


def _number(text: str) -> int:
    """Read what a button of ours wrote: ASCII digits, and no more of them than an id has."""
    if not re.fullmatch(r"[0-9]{1,19}", text) or int(text) > LARGEST:
        raise StalePress
    return int(text)


def custom_id(action: str, *arguments: object) -> str:
    """Write a custom id. The last argument may hold any text; it is cut when the id would be too long for Discord."""
    return ":".join([PREFIX, action, *map(str, arguments)])[:LIMIT]


def on_press(action: str, *, arguments: int = 1) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Mark a cog's method `async (press: Press)` as the one that answers `action` with that many arguments."""

    def mark(method: Callable[P, T]) -> Callable[P, T]:
        setattr(method, MARK, (action, arguments))
        return method

    return mark


def button(
    label: str,
    action: str,
    *arguments: object,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> discord.ui.Button[discord.ui.LayoutView]:
    """Make a button that says where it leads in its custom id."""
    return discord.ui.Button(
        label=label[:80], custom_id=custom_id(action, *arguments), style=style, emoji=emoji, disabled=disabled
    )


def modal(title: str, action: str, *arguments: object, fields: Sequence[discord.ui.Label[Any]]) -> discord.ui.Modal:
    """Make a modal, of five fields at most; its submission arrives as a press of `action`."""
    made = discord.ui.Modal(title=title[:45], custom_id=custom_id(action, *arguments))
    for field in fields:
        made.add_item(field)
    made.stop()
    return made
