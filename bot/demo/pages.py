"""What shows rooms in a browser, and the plain way to do it: SimCord's public Preview, one room at a time."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

    import simcord
    from simcord import Env

    from bot.demo.world import Room

    Faces = Mapping[str, tuple[str, bytes]]


class Pages(Protocol):
    """What shows rooms in a browser. `port` is the port in use; `live` says whether pages refresh by themselves."""

    port: int
    live: bool
    lock: asyncio.Lock

    async def address(self, room: Room) -> str:
        """Give the address that shows this room; SetupError when this person may not enter it."""

    def watched(self, room: Room) -> bool:
        """Tell whether a window shows this room right now."""

    async def follow(self) -> None:
        """Keep time and pages up with the world until cancelled."""

    async def close(self) -> None:
        """Show nothing any more; safe to call twice."""


def local_zone() -> str:
    """Name this computer's time zone, or UTC where it has no name that others know."""
    named = os.environ.get("TZ", "").lstrip(":")
    link = Path("/etc/localtime")
    if not named and link.is_symlink():
        named = str(link.resolve()).partition("/zoneinfo/")[2]
    try:
        ZoneInfo(named)
    except (KeyError, ValueError, OSError):
        return "UTC"
    return named or "UTC"


def show(env: Env, room: Room, faces: Faces, port: int | None = None) -> simcord.Preview:
    """Make the Preview of a room: the whole conversation, one viewer, this computer's time zone."""
    return env.preview(
        room.channel, viewers=(room.viewer,), layout="channel", timezone=local_zone(), assets=faces, port=port
    )


async def catch_up(env: Env) -> None:
    """Bring the world's clock to the present; what became due on the way happens on the way."""
    behind = (datetime.now(UTC) - env.now()).total_seconds()
    if behind > 0:
        await env.advance_time(behind)


class PlainPages:
    """The public Preview: one room at a time, time moving only when a room is opened, Refresh by hand."""

    live = False

    def __init__(self, env: Env, port: int, faces: Faces) -> None:
        self.env = env
        self.port = port
        self.lock = asyncio.Lock()
        self._faces = faces
        self._shown: str | None = None
        self._preview: simcord.Preview | None = None

    async def address(self, room: Room) -> str:
        """Give the address of the room, leaving the room shown before."""
        async with self.lock:
            if self._preview is not None and self._shown == room.key:
                return self._preview.url
            await self.close()
            await catch_up(self.env)
            preview = show(self.env, room, self._faces, self.port)
            await preview.__aenter__()
            self._preview, self._shown = preview, room.key
            return preview.url

    def watched(self, room: Room) -> bool:
        """Tell whether this is the room shown."""
        return self._preview is not None and self._shown == room.key

    async def follow(self) -> None:
        """Do nothing: an advance of time in the middle of a press would wedge the page."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Leave the room that is shown."""
        preview, self._preview = self._preview, None
        if preview is not None:
            await preview.close()
