"""An even pace for what is sent to Discord by the bot's own doing."""

from __future__ import annotations

import asyncio


class Pace:
    """Turns at even distances, in the order they were asked for. Discord's limit of 50 a second is for all requests."""

    def __init__(self, per_second: float) -> None:
        self._gap = 1 / per_second
        self._free_at = 0.0

    async def turn(self) -> None:
        """Wait for the next turn."""
        now = asyncio.get_running_loop().time()
        mine = max(now, self._free_at)
        self._free_at = mine + self._gap
        if mine > now:
            await asyncio.sleep(mine - now)
