"""How a job gets into the scheduler: what cuts it off or stands in its way for now, such as a full disk, is no error."""

from __future__ import annotations

import asyncio
import logging
from functools import wraps
from typing import TYPE_CHECKING

from lessons.errors import KizukiError

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
        except KizukiError as error:
            _log.warning("the job %s is done another time: %s", name, type(error).__name__)
            return None

    scheduler.add_job(until_the_stop, args=list(args), id=name, **({"trigger": "interval"} | when))
