"""What keeps the operator asleep: a daily check and copy of the database, and the numbers of each minute."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from jobs.adding import add
from lessons.errors import KizukiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from apscheduler.schedulers.asyncio import AsyncIOScheduler

    from lessons.ports import Clock

A_DAY: Final = timedelta(hours=24)
"""The age of the newest backup at which another one is made."""
LOOK_MINUTES: Final = 10
"""How often it is looked whether that is so: a bot that is often started anew must not put it off for ever."""
COUNT_SECONDS: Final = 60

_log = logging.getLogger(__name__)


class Keeping(Protocol):
    """Looks after the file of the database."""

    @property
    def damage(self) -> str:
        """What was found to be wrong with the file, "" when nothing was."""
        ...

    def newest(self) -> datetime | None:
        """Return the moment that the newest backup holds."""
        ...

    async def check(self) -> str:
        """Check the whole file and return the first finding, "" when there is none."""
        ...

    async def back_up(self, at: datetime) -> int:
        """Copy the file as it is now, and return the bytes of the copy."""
        ...


@dataclass(frozen=True, slots=True)
class Night:
    """What there is to look after; `count` tells the numbers of a minute."""

    keeping: Keeping
    count: Callable[[], Awaitable[object]]
    clock: Clock


def add_night(scheduler: AsyncIOScheduler, night: Night) -> None:
    """Add the jobs to a scheduler that is not started yet."""
    add(scheduler, "keep-safe", keep_safe, [night.keeping, night.clock], minutes=LOOK_MINUTES)
    add(scheduler, "count", count, [night], seconds=COUNT_SECONDS)


async def keep_safe(keeping: Keeping, clock: Clock) -> bool:
    """Check the database and copy it, once a day; tell whether a copy was made.

    What is damaged is not copied: the good copies there are must not make room for it.
    """
    at = clock()
    newest = keeping.newest()
    if keeping.damage or (newest is not None and at - newest < A_DAY):
        return False
    try:
        if await keeping.check():
            return False
        made = await keeping.back_up(at)
    except (KizukiError, OSError) as error:
        _log.error("no backup was made (%s); it is tried again in %d minutes", type(error).__name__, LOOK_MINUTES)
        return False
    _log.info("checked and backed up: %d bytes in %.1f s", made, (clock() - at).total_seconds())
    return True


async def count(night: Night) -> None:
    """Tell the numbers of the minute; one that cannot be told is left out."""
    try:
        await night.count()
    except KizukiError as error:
        _log.warning("the numbers of this minute cannot be told: %s", type(error).__name__)
