"""Jobs and the stop of the bot: what is cut off is no error, what fails is one."""

from __future__ import annotations

import asyncio

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from jobs.adding import add
from lessons.errors import StorageFull


async def played(job, caplog: pytest.LogCaptureFixture) -> list[str]:
    """Let a job begin, stop the scheduler, and return what is logged as an error."""
    begun = asyncio.Event()

    async def run(name: str) -> None:
        begun.set()
        await job(name)

    scheduler = AsyncIOScheduler(timezone="UTC", job_defaults={"misfire_grace_time": None})
    add(scheduler, "work", run, ["work"], seconds=0.01)
    scheduler.start()
    async with asyncio.timeout(10):
        await begun.wait()
    scheduler.shutdown(wait=False)
    for _ in range(10):
        await asyncio.sleep(0)
    return [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]


async def test_a_job_that_is_cut_off_by_the_stop_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    async def endless(_name: str) -> None:
        await asyncio.Event().wait()

    with caplog.at_level("INFO"):
        assert await played(endless, caplog) == []
    assert "the job work was cut off by the stop" in caplog.text


async def test_nor_is_one_that_a_full_disk_stands_in_the_way_of(caplog: pytest.LogCaptureFixture) -> None:
    async def full(_name: str) -> None:
        raise StorageFull

    assert await played(full, caplog) == []
    assert "the job work is done another time: StorageFull" in caplog.text


@pytest.mark.errors_expected
async def test_a_job_that_fails_is_one(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(_name: str) -> None:
        raise ZeroDivisionError

    (told,) = await played(broken, caplog)
    assert "raised an exception" in told
