"""How a job gets into the scheduler: one that is cut off by the stop of the bot is not logged as an error."""

from __future__ import annotations

import asyncio
import logging
from functools import wraps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from apscheduler.schedulers.asyncio import AsyncIOScheduler

_log = logging.getLogger(__name__)


def add(
    scheduler: AsyncIOScheduler,
    name: str,
    job: Callable[..., Awaitable[object]],
    args: Sequence[object],
    **when: int | str,
) -> None:
    """Add a job; `when` is the scheduler's own, such as `seconds=60`; an interval unless it says `trigger`."""

    @wraps(job)
    async def until_the_stop(*given: object) -> object:
        try:
            return await job(*given)
        except asyncio.CancelledError:  # by the scheduler, which ends with the bot; it would take it for a failure
            _log.info("the job %s was cut off by the stop", name)
            return None

    scheduler.add_job(until_the_stop, args=list(args), id=name, **({"trigger": "interval"} | when))
