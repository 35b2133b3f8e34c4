"""Tells the log once a minute what happened in it, in numbers of nobody in particular; a quiet minute costs no line."""

from __future__ import annotations

import logging
import os
from datetime import UTC, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import date

    from cogs.traffic import Traffic
    from lessons.model import Space
    from lessons.ports import Clock, Memories
    from storage.connection import Database
    from storage.figures import Figures, FigureStore
    from storage.safekeeping import Safekeeping

_log = logging.getLogger(__name__)

NEAR: Final = 0.8
"""The part of a day's budget from which the operator is told."""
_MILLION: Final = 1_000_000
_MIB: Final = 1024 * 1024


class Counting:
    """Gathers the numbers of a minute. `budget` is what the model may cost in a day, in millionths of a dollar."""

    def __init__(self, traffic: Traffic, database: Database, keeping: Safekeeping, clock: Clock, budget: int) -> None:
        self._traffic = traffic
        self._database = database
        self._keeping = keeping
        self._clock = clock
        self._budget = budget
        self._since = clock()
        self._warned: date | None = None

    async def tell(self, figures: FigureStore, memories: Memories, space: Space) -> str:
        """Log what happened since the last time, and a warning when the day's budget is nearly spent; return the line."""
        since, self._since = self._since, self._clock()
        found = await figures.since(since)
        covered, mistakes = await memories.coverage(space)
        await self._watch_budget(figures)
        happened = {name: value for name, value in (self._traffic.taken() | _happened(found)).items() if value}
        if not happened:
            return ""
        line = " ".join(
            f"{name}={value}" for name, value in (happened | self._state(found, mistakes - covered)).items()
        )
        _log.info("counters seconds=%d %s", (self._since - since).total_seconds(), line)
        return line

    def _state(self, found: Figures, unembedded: int) -> dict[str, object]:
        """Return how things stand now."""
        newest = self._keeping.newest()
        age = None if newest is None else (self._clock() - newest) / timedelta(hours=1)
        return {
            "invalid_10min": self._traffic.invalid,
            "writes_waiting": self._database.waiting,
            "judge_waiting": found.judge_waiting,
            "feeds_failing": found.feeds_failing,
            "vectors_missing": unembedded,
            "backup_hours": "none" if age is None else f"{age:.1f}",
            "memory_mib": _memory(),
        }

    async def _watch_budget(self, figures: FigureStore) -> None:
        """Warn once a UTC day."""
        today = self._clock().astimezone(UTC).date()
        if not self._budget or self._warned == today:
            return
        spent = await figures.spent_on(today)
        if is_near(spent, self._budget):
            self._warned = today
            _log.warning(
                "the model cost $%.2f of the $%.2f it may cost today (KIZUKI_BOT_CENTS); at the limit the rules decide",
                spent / _MILLION,
                self._budget / _MILLION,
            )


def is_near(spent: int, budget: int) -> bool:
    """Tell whether a day's budget is nearly spent; both in millionths of a dollar."""
    return 0 < NEAR * budget <= spent


def _happened(found: Figures) -> dict[str, object]:
    return {
        "posts_sent": found.sent,
        "posts_skipped": found.skipped,
        "posts_paused": found.paused,
        "posts_failed": found.failed,
        "posts_unknown": found.unknown,
        "posts_passed_over": found.late,
        "posts_behind_seconds": round(found.seconds_behind, 1),
        "model_calls": found.calls,
        "model_failed": found.calls_failed,
        "model_usd": round(found.micro_usd / _MILLION, 4),
    }


def _memory() -> int:
    """Return the MiB of this process that are in memory, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") // _MIB
