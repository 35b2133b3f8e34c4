"""A night: the database is checked and copied once a day, and each minute is told in numbers, or not at all."""

from datetime import datetime, timedelta

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.counting import Counting, is_near
from jobs.night import Night, add_night, count, keep_safe
from lessons.errors import StorageBusy, StorageFull
from lessons.model import Booking, Caps, GuildId, Outcome, Payer, Purpose, Space, Tokens, UserId
from storage import migrate
from storage.backup import newest_first
from storage.connection import Database
from storage.figures import FigureStore
from storage.memories import MemoryStore
from storage.safekeeping import Safekeeping
from storage.usage import UsageStore
from tests.conftest import BEGINNING, MovableClock, World


@pytest.fixture
async def database(tmp_path):
    async with Database(migrate.prepare(tmp_path / "data", at=BEGINNING)) as opened:
        yield opened


async def test_a_copy_a_day_however_often_it_is_looked(database, clock: MovableClock, caplog):
    caplog.set_level("INFO")
    keeping = Safekeeping(database)
    made = [await keep_safe(keeping, clock)]
    for _ in range(3):
        clock.move(hours=8)
        made.append(await keep_safe(keeping, clock))
    assert made == [True, False, False, True]
    assert len(newest_first(database.path.parent)) == 2
    assert caplog.text.count("checked and backed up") == 2


class Keeping:
    """A database as it is said to be."""

    def __init__(self, *, damage: str = "", finding: str = "", fails: Exception | None = None) -> None:
        self.damage, self.finding, self.fails = damage, finding, fails
        self.copies = 0

    def newest(self) -> datetime | None:
        return None

    async def check(self) -> str:
        return self.finding

    async def back_up(self, at: datetime) -> int:
        if self.fails:
            raise self.fails
        self.copies += 1
        return 1


@pytest.mark.parametrize("keeping", [Keeping(damage="odd"), Keeping(finding="odd")])
async def test_what_is_damaged_is_not_copied(keeping, clock):
    assert not await keep_safe(keeping, clock)
    assert keeping.copies == 0


@pytest.mark.errors_expected
@pytest.mark.parametrize("error", [StorageFull(), OSError(5, "no")])
async def test_a_copy_that_fails_is_told_and_tried_again(error, clock, caplog):
    assert not await keep_safe(Keeping(fails=error), clock)
    assert f"no backup was made ({type(error).__name__}); it is tried again in 10 minutes" in caplog.text


def test_the_jobs_are_two(clock):
    scheduler = AsyncIOScheduler(timezone="UTC")

    async def nothing() -> None:
        return

    add_night(scheduler, Night(Keeping(), nothing, clock))
    assert sorted(job.id for job in scheduler.get_jobs()) == ["count", "keep-safe"]


async def test_numbers_that_cannot_be_told_are_left_out(clock, caplog):
    async def busy() -> None:
        raise StorageBusy

    await count(Night(Keeping(), busy, clock))
    assert "cannot be told: StorageBusy" in caplog.text


class TestCounting:
    @pytest.fixture
    def told(self, world: World, database):
        keeping = Safekeeping(database)
        counting = Counting(world.services.traffic, database, keeping, world.clock, 1_000_000)

        async def tell() -> str:
            return await counting.tell(FigureStore(database), MemoryStore(database), Space("x", 1))

        return tell

    async def test_a_quiet_minute_has_no_line(self, told, caplog):
        caplog.set_level("INFO")
        assert await told() == ""
        assert "counters" not in caplog.text

    async def test_a_minute_is_one_line_of_names_and_numbers(self, told, world: World, caplog):
        caplog.set_level("INFO")
        await world.mika.slash(world.study, "drill")
        line = await told()
        assert line.startswith("interactions=1 done=1 invalid_10min=0 writes_waiting=0 judge_waiting=0 feeds_failing=0")
        assert "vectors_missing=0 backup_hours=none memory_mib=" in line
        assert caplog.messages[-1] == f"counters seconds=0 {line}"
        assert str(world.mika.id) not in line
        assert await told() == ""

    async def test_a_budget_that_is_nearly_spent_is_told_once_a_day(self, told, database, world: World, caplog):
        usage = UsageStore(database)
        for day in (0, 0, 1):
            world.clock.at = BEGINNING + timedelta(days=day)
            booking = Booking(Payer(UserId(5), GuildId(9)), Purpose.GRADE, "m", 800_000, world.clock())
            await usage.settle(
                await usage.reserve(booking, Caps(10**9, 10**9, 10**9)), Outcome.DONE, Tokens(), 800_000, 1
            )
            await told()
            await told()
        warnings = [record.getMessage() for record in caplog.records if "of the $" in record.getMessage()]
        assert len(warnings) == 2
        assert warnings[0].startswith("the model cost $0.80 of the $1.00 it may cost today (KIZUKI_BOT_CENTS)")


@pytest.mark.parametrize(("spent", "budget", "near"), [(79, 100, False), (80, 100, True), (0, 0, False), (5, 0, False)])
def test_near(spent, budget, near):
    assert is_near(spent, budget) is near


async def test_the_services_feel_their_pulse(world: World) -> None:
    parts = await world.services.vitals.parts()
    assert parts["database"].is_well
    assert parts["embedder"].is_well
    assert not parts["gateway"].is_well  # nobody attached the bot
