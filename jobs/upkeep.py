"""Recurring work behind one scheduler: it holds a handful of jobs in memory, and what falls due lies in the database."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from lessons.errors import KizukiError

if TYPE_CHECKING:
    from lessons.flows.gathering import Gathering
    from lessons.flows.recalling import Recalling
    from lessons.flows.regrading import Regrading
    from lessons.ports import Clock

FILL_SECONDS: Final = 60
"""How often mistakes without a vector are looked for."""
REGRADE_SECONDS: Final = 30
"""How often answers that wait for a judge are looked for."""
POLL_SECONDS: Final = 300
"""How often feeds whose time has come are looked for."""

_log = logging.getLogger(__name__)


def upkeep(recalling: Recalling, regrading: Regrading, gathering: Gathering, clock: Clock) -> AsyncIOScheduler:
    """Make the scheduler with its jobs; the caller starts it and shuts it down.

    A late run is still run (`misfire_grace_time`), several late ones are one (`coalesce`), and none overlaps itself.
    """
    scheduler = AsyncIOScheduler(
        timezone="UTC", job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
    )
    scheduler.add_job(fill_in_vectors, "interval", seconds=FILL_SECONDS, args=[recalling], id="fill-in-vectors")
    scheduler.add_job(regrade, "interval", seconds=REGRADE_SECONDS, args=[regrading, clock], id="regrade")
    scheduler.add_job(poll_feeds, "interval", seconds=POLL_SECONDS, args=[gathering, clock], id="poll-feeds")
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


async def regrade(regrading: Regrading, clock: Clock) -> int:
    """Ask the judge about answers that wait for it; the number decided."""
    decided = await regrading.regrade(clock())
    if decided:
        _log.info("decided %d answers that waited for the judge", decided)
    return decided


async def poll_feeds(gathering: Gathering, clock: Clock) -> int:
    """Look at the feeds whose time has come; the number of new articles."""
    looks = await gathering.poll(clock())
    articles = sum(len(look.added) for look in looks)
    if looks:
        _log.info("looked at %d feeds, %d new articles", len(looks), articles)
    return articles
