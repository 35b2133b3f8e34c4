"""`kizuki usage`: the bill as a table and as figures, from real bookings in a real folder."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands import usage as command
from bot.commands.exits import Exit
from bot.commands.usage import figures, summed, table
from bot.settings import Settings
from bot.wiring import open_database
from lessons.model import Booking, Caps, GuildId, Outcome, Payer, Purpose, Tokens, UsageRow, UserId
from storage import migrate
from storage.connection import Database
from storage.usage import UsageStore

MONDAY, SUNDAY = date(2026, 11, 30), date(2026, 11, 29)
HAIKU = "claude-haiku-5-5"
ROWS = [
    UsageRow(MONDAY, Purpose.GRADE, HAIKU, GuildId(111222333444555666), 40, 1, Tokens(900, 50, 50, 36_000, 6_000), 3_405, 32),
    UsageRow(MONDAY, Purpose.REGRADE, HAIKU, GuildId(0), 1, 1, Tokens(), 400, 8),
    UsageRow(SUNDAY, Purpose.ALTERNATIVES, "claude-sonnet-5-5", GuildId(7), 2, 0, Tokens(1_500, 0, 0, 0, 800), 11_000, 5),
]  # fmt: skip

SHOWN = """\
day         purpose       model              server                                  calls  failed  tokens in  cached    out  cost $  mean s
----------  ------------  -----------------  --------------------------------------  -----  ------  ---------  ------  -----  ------  ------
2026-11-30  grade         claude-haiku-5-5   111222333444555666                         40       1      1,000  36,000  6,000  0.0034    0.80
2026-11-30  regrade       claude-haiku-5-5   direct messages and the bot's own work      1       1          0       0      0  0.0004    8.00
2026-11-29  alternatives  claude-sonnet-5-5  7                                           2       0      1,500       0    800  0.0110    2.50
----------  ------------  -----------------  --------------------------------------  -----  ------  ---------  ------  -----  ------  ------
2026-11-30                                   all                                        41       2      1,000  36,000  6,000  0.0038    0.98
2026-11-29                                   all                                         2       0      1,500       0    800  0.0110    2.50
----------  ------------  -----------------  --------------------------------------  -----  ------  ---------  ------  -----  ------  ------
all days                                     all                                        43       2      2,500  36,000  6,800  0.0148    1.05
"""


def test_the_table_has_every_line_each_day_and_the_sum():
    assert table(ROWS) == SHOWN


def test_no_line_is_longer_than_it_must_be():
    assert all(line == line.rstrip() for line in SHOWN.splitlines())


def test_days_that_come_in_pieces_are_one_day():
    mixed = table([ROWS[0], ROWS[2], ROWS[1]])
    assert mixed.splitlines()[6:] == SHOWN.splitlines()[6:]


def test_the_sum_of_nothing_is_nothing():
    assert summed([]).calls == summed([]).micro_usd == 0
    assert table([]).splitlines()[-1].split() == ["all", "days", "all", "0", "0", "0", "0", "0", "0.0000", "0.00"]


def test_the_figures_say_the_same():
    told = json.loads(figures(ROWS, SUNDAY, MONDAY))
    assert (told["since"], told["until"]) == ("2026-11-29", "2026-11-30")
    assert told["rows"][0] == {
        "day": "2026-11-30",
        "purpose": "grade",
        "model": HAIKU,
        "guild_id": 111222333444555666,
        "calls": 40,
        "failed": 1,
        "tokens": {"input": 900, "cache_write_5m": 50, "cache_write_1h": 50, "cache_read": 36_000, "output": 6_000},
        "micro_usd": 3_405,
        "seconds": 32,
    }
    assert [(day["day"], day["micro_usd"]) for day in told["days"]] == [("2026-11-30", 3_805), ("2026-11-29", 11_000)]
    assert told["total"]["micro_usd"] == 14_805
    assert told["total"]["tokens"]["input"] == 2_400


Bill = Callable[..., tuple[Exit, str, str]]


@pytest.fixture
def bill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bill:
    """Run the command on a folder; the exit code, stdout and stderr."""

    def run(days: int = 7, file: Path | None = None) -> tuple[Exit, str, str]:
        code = command.usage(Settings(data=tmp_path / "data"), days, file)
        return code, *capsys.readouterr()

    return run


def book(folder: Path, *ages: int) -> None:
    """Book one call for each age in days."""

    async def booked() -> None:
        async with Database(migrate.prepare(folder, at=datetime.now(UTC))) as database:
            store = UsageStore(database)
            for age in ages:
                at = datetime.now(UTC) - timedelta(days=age)
                booking = Booking(Payer(UserId(5), GuildId(99)), Purpose.GRADE, HAIKU, 500, at)
                booked = await store.reserve(booking, Caps())
                await store.settle(booked, Outcome.DONE, Tokens(input=900, output=150), 165, 1.5)

    asyncio.run(booked())


def test_what_was_booked_is_on_the_bill(bill, tmp_path):
    book(tmp_path / "data", 0, 0, 1)
    code, out, err = bill()
    assert (code, err) == (Exit.OK, "")
    *_, total, _, today = out.splitlines()
    assert today == "today (UTC): $0.00 of $10.00 (KIZUKI_BOT_CENTS), 0 %"
    assert total.split() == ["all", "days", "all", "3", "0", "2,700", "0", "450", "0.0005", "1.50"]


def test_days_are_counted_with_today_among_them(bill, tmp_path):
    book(tmp_path / "data", 0, 1, 2)
    for days in (0, 1, 2, 3, 10**9):
        assert bill(days)[1].splitlines()[-3].split()[3] == str(max(1, min(days, 3)))


def test_a_folder_without_a_database_has_no_bill_and_stays_as_it_is(bill, tmp_path):
    code, out, err = bill()
    assert (code, out) == (Exit.IN_VAIN, "")
    assert err.startswith(f"There is no database in {tmp_path / 'data'} (KIZUKI_DATA)")
    assert not (tmp_path / "data").exists()


def test_a_database_without_a_call_has_no_bill_either(bill, tmp_path):
    book(tmp_path / "data")
    assert bill()[1].startswith("The language model was not asked anything")


def test_the_figures_can_go_to_a_file(bill, tmp_path):
    book(tmp_path / "data", 0)
    assert bill(7, tmp_path / "bill.json")[0] == Exit.OK
    told = json.loads((tmp_path / "bill.json").read_text(encoding="utf-8"))
    assert told["total"]["calls"] == 1
    assert len(told["rows"]) == 1


def test_a_file_that_cannot_be_written_is_told(bill, tmp_path):
    book(tmp_path / "data")
    code, out, err = bill(7, tmp_path / "nowhere" / "bill.json")
    assert (code, out) == (Exit.CANNOT_START, "")
    assert "cannot be written (No such file or directory): name another place." in err


def test_it_works_while_the_bot_works_and_changes_nothing(bill, tmp_path):
    book(tmp_path / "data", 0)

    async def beside_the_bot() -> tuple:
        async with open_database(tmp_path / "data"):
            return await asyncio.to_thread(bill)

    before = asyncio.run(beside_the_bot())
    files = {file.name: file.read_bytes() for file in (tmp_path / "data").iterdir() if file.is_file()}
    assert bill() == before
    assert {file.name: file.read_bytes() for file in (tmp_path / "data").iterdir() if file.is_file()} == files
    assert before[0] == Exit.OK


def test_a_database_of_an_earlier_release_is_told(bill, tmp_path):
    book(tmp_path / "data", 0)
    with closing(sqlite3.connect(tmp_path / "data" / "kizuki.db")) as connection:
        connection.execute("PRAGMA user_version = 1")
    code, _, err = bill()
    assert code == Exit.CANNOT_START
    assert "start the bot once, which brings it up to date" in err


def test_a_budget_that_is_nearly_spent_is_said_below_the_bill(tmp_path, capsys):
    book(tmp_path / "data", *[0] * 49)  # 49 times 165 millionths: 81 % of a cent
    assert command.usage(Settings(data=tmp_path / "data", bot_cents=1), 7, None) is Exit.OK
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == ("today (UTC): $0.01 of $0.01 (KIZUKI_BOT_CENTS), 81 %: nearly spent; at the limit the rules decide")
