"""Recurring work behind one scheduler: it holds a handful of jobs in memory, and what falls due lies in the database."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from jobs.adding import add
from lessons.errors import KizukiError
from lessons.flows.posting import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.flows.documenting import Documenting
    from lessons.flows.gathering import Gathering
    from lessons.flows.posting import Posting
    from lessons.flows.recalling import Recalling
    from lessons.flows.regrading import Regrading
    from lessons.ports import Clock, Schedules, Studies

FILL_SECONDS: Final = 60
"""How often mistakes without a vector are looked for."""
REGRADE_SECONDS: Final = 30
"""How often answers that wait for a judge are looked for."""
RECALLS_KEPT: Final = timedelta(days=30)
"""How long it is kept what the tutor recalled, for the operator."""
RUNS_KEPT: Final = timedelta(days=90)
"""How long it is kept what became of each post."""
PRUNE_HOURS: Final = 24
POLL_SECONDS: Final = 300
"""How often feeds whose time has come are looked for."""

_log = logging.getLogger(__name__)


def _unheard() -> None:
    """Nobody feels the pulse."""


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to keep up; `beat` is called when the clock ticks, for whoever feels its pulse."""

    recalling: Recalling
    documenting: Documenting
    regrading: Regrading
    gathering: Gathering
    studies: Studies
    posting: Posting
    schedules: Schedules
    beat: Callable[[], None] = _unheard


def upkeep(work: Work, clock: Clock) -> AsyncIOScheduler:
    """Make the scheduler with its jobs; the caller starts it and shuts it down.

    A late run is still run (`misfire_grace_time`), several late ones are one (`coalesce`), and none overlaps itself.
    """
    scheduler = AsyncIOScheduler(
        timezone="UTC", job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
    )
    add(scheduler, "fill-in-vectors", fill_in_vectors, [work.recalling], seconds=FILL_SECONDS)
    add(scheduler, "fill-in-details", fill_in_vectors, [work.documenting], seconds=FILL_SECONDS)
    add(scheduler, "regrade", regrade, [work.regrading, clock], seconds=REGRADE_SECONDS)
    add(scheduler, "poll-feeds", poll_feeds, [work.gathering, clock], seconds=POLL_SECONDS)
    add(scheduler, "prune-recalls", prune_recalls, [work.studies, clock], hours=PRUNE_HOURS)
    add(scheduler, "prune-runs", prune_runs, [work.schedules, clock], hours=PRUNE_HOURS)
    add(scheduler, "post", tick, [work, clock], trigger="cron", second=0)  # at each full minute
    return scheduler


async def fill_in_vectors(recalling: Recalling | Documenting) -> int:
    """Embed what has no vector yet, until nothing is left; the number done. A failing embedder waits for next time."""
    done = 0
    try:
        while filled := await recalling.fill_in():
            done += filled
    except KizukiError as error:
        _log.warning("vectors are filled in later: %s", type(error).__name__)
    if done:
        _log.info("filled in %d vectors", done)
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


async def prune_recalls(studies: Studies, clock: Clock) -> int:
    """Forget what the tutor recalled a month ago; the number of turns."""
    return await studies.prune_recalls(clock() - RECALLS_KEPT)


async def tick(work: Work, clock: Clock) -> Tally:
    """Post what is due, and show that the clock goes on ticking."""
    work.beat()
    tally = await post(work.posting, clock)
    work.beat()
    return tally


async def post(posting: Posting, clock: Clock) -> Tally:
    """Post what is due."""
    tally = await posting.tick(clock)
    if tally != Tally():
        _log.info(
            "posted %d, skipped %d, failed %d, paused %d, unknown %d, put off %d; at most %.0f s late",
            tally.sent,
            tally.skipped,
            tally.failed,
            tally.paused,
            tally.unknown,
            tally.put_off,
            tally.lateness,
        )
    return tally


async def prune_runs(schedules: Schedules, clock: Clock) -> int:
    """Forget what became of posts three months ago; how many."""
    return await schedules.prune(clock() - RUNS_KEPT)
