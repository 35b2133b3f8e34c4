"""Recurring work behind one scheduler: it holds a handful of jobs in memory, and what falls due lies in the database."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from lessons.errors import KizukiError

if TYPE_CHECKING:
    from lessons.flows.recalling import Recalling

FILL_SECONDS: Final = 60
"""How often mistakes without a vector are looked for."""

_log = logging.getLogger(__name__)


def upkeep(recalling: Recalling) -> AsyncIOScheduler:
    """Make the scheduler with its jobs; the caller starts it and shuts it down.

    A late run is still run (`misfire_grace_time`), several late ones are one (`coalesce`), and none overlaps itself.
    """
    scheduler = AsyncIOScheduler(
        timezone="UTC", job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
    )
    scheduler.add_job(fill_in_vectors, "interval", seconds=FILL_SECONDS, args=[recalling], id="fill-in-vectors")
    return scheduler


async def fill_in_vectors(recalling: Recalling) -> int:
    """Embed what has no vector yet, until nothing is left; the number done. A failing embedder waits for next time."""
    done = 0
    try:
        while filled := await recalling.fill_in():
            done += filled
    except KizukiError as error:
        _log.warning("vectors are filled in later: %s", type(error).__name__)
    if done:
        _log.info("filled in the vectors of %d mistakes", done)
    return done
