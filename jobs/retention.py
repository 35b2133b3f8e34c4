"""How long things are kept that nobody comes back for. What learners did stays until they delete it themselves."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from jobs.adding import add

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

    from lessons.ports import Clock, Leftovers, Memberships

EVERY_HOURS: Final = 1
SERVERS_KEPT: Final = timedelta(days=30)
"""How long a server that removed the bot may take to bring it back and find everything as it was."""
DRAFTS_KEPT: Final = timedelta(days=1)
"""How long a file or a schedule waits to be confirmed."""
LEAVERS_KEPT: Final = timedelta(hours=1)
"""How long it is remembered, in memory, who had everything deleted: nothing begun before is under way for so long."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Keeping:
    """What is kept, and who knows which servers there are."""

    leftovers: Leftovers
    memberships: Memberships


def retention(scheduler: AsyncIOScheduler, keeping: Keeping, clock: Clock) -> None:
    """Add the job to the scheduler."""
    add(scheduler, "retention", let_go, [keeping, clock], hours=EVERY_HOURS)


async def let_go(keeping: Keeping, clock: Clock) -> None:
    """Let go of whatever was kept for long enough. Servers are looked through only while Discord tells which there are."""
    now = clock()
    await keeping.leftovers.forget_who_left(now - LEAVERS_KEPT)
    drafts = await keeping.leftovers.clear_drafts(now - DRAFTS_KEPT)
    present = await keeping.memberships.present()
    if present is None:
        return
    missing = await keeping.leftovers.roll_call(present, now)
    cleared = await keeping.leftovers.clear_servers(now - SERVERS_KEPT, now)
    if drafts or cleared:
        _log.info("let go of %d drafts, and of %d of %d servers that are missing", drafts, cleared, missing)
