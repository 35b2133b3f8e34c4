"""What is posted into a channel: the message, and the files that belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord.ui import LayoutView


@dataclass(frozen=True, slots=True)
class Letter:
    """A message of components with its files."""

    view: LayoutView
    files: tuple[discord.File, ...] = ()


def attached(pictures: Mapping[str, bytes | None]) -> tuple[discord.File, ...]:
    """Return the pictures there are, by their file names, as files of one message."""
    return tuple(discord.File(BytesIO(picture), name) for name, picture in pictures.items() if picture)
