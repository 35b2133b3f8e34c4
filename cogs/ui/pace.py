"""A pace for what is sent to Discord by the bot's own doing: a few at once, and evenly from then on."""

from __future__ import annotations

import asyncio
import time
from typing import Final

AT_ONCE: Final = 10
"""Turns after a rest that need not wait: with 30 a second, no second has more than 40 of Discord's 50."""


class Pace:
    """Turns in the order they were asked for (the generic cell rate algorithm of ITU-T I.371)."""

    def __init__(self, per_second: float, at_once: int = AT_ONCE) -> None:
        self._gap = 1 / per_second
        self._lead = (at_once - 1) * self._gap
        self._due = 0.0

    async def turn(self) -> None:
        """Wait for the next turn."""
        now = time.perf_counter()  # on a simulated Discord the other clocks are not the same for every task
        due = max(now, self._due)
        self._due = due + self._gap
        if due - self._lead > now:
            await asyncio.sleep(due - self._lead - now)
