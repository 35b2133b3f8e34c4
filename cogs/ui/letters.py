"""What is posted into a channel: the message, and the files that belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import discord
    from discord.ui import LayoutView


@dataclass(frozen=True, slots=True)
class Letter:
    """A message of components with its files."""

    view: LayoutView
    files: tuple[discord.File, ...] = ()
