"""What is offered while somebody types an option, and the languages there are to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands

from cogs.ui.escape import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CHOICES: Final = 25
"""Choices that Discord takes at once."""
NAME_LIMIT: Final = 100


def offered(typed: str, named: Iterable[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    """Return the choices (name, value) whose name contains what was typed; a name that is empty shows its value."""
    wanted = typed.casefold()
    found = [(name, value) for name, value in named if wanted in name.casefold()][:CHOICES]
    return [app_commands.Choice(name=plain(name, NAME_LIMIT) or value, value=value) for name, value in found]


def languages(named: Mapping[str, str]) -> list[app_commands.Choice[str]]:
    """Return a fixed choice of languages, by tag and name."""
    return [app_commands.Choice(name=name, value=tag) for tag, name in named.items()]
