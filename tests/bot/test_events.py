"""`kizuki events`: what was recalled as a table and as figures, from real events in a real folder."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands import events as command
from bot.commands.events import figures, short_name, table
from bot.commands.exits import Exit
from bot.settings import Settings
from bot.wiring import open_database
from lessons.model import ChunkId, RecallEvent, Silence, Surface, UserId
from storage import migrate
from storage.connection import Database
from storage.studies import StudyStore

AT = datetime(2026, 11, 30, 9, 5, 7, 250_000, tzinfo=UTC)
AIKO, BEN = UserId(111_222_333_444_555_666), UserId(7)
FOUND = RecallEvent(
    AIKO, AT, Surface.STUDY, 1_234, ((ChunkId(41), 0.71349), (ChunkId(7), 0.25)), 1, Silence.NONE
)  # fmt: skip
BELOW = replace(
    FOUND, user=BEN, at=AT - timedelta(minutes=1), scores=((ChunkId(9), 0.1),), admitted=0, silence=Silence.BELOW
)
NONE = RecallEvent(BEN, AT - timedelta(days=1), Surface.ASK, 0, (), 0, Silence.NO_DOCUMENTS)
AWAY = replace(FOUND, at=AT - timedelta(days=2), candidates=3, scores=(), admitted=0, silence=Silence.AWAY)
EVENTS = [FOUND, BELOW, NONE, AWAY]

SHOWN = """\
time (UTC)           learner   surface  candidates   best  admitted  why nothing
-------------------  --------  -------  ----------  -----  --------  --------------------
2026-11-30 09:05:07  0f4cbe8a  study         1,234  0.713         1
2026-11-30 09:04:07  7902699b  study         1,234  0.100         0  nothing alike enough
2026-11-29 09:05:07  7902699b  ask               0                0  nothing linked
2026-11-28 09:05:07  0f4cbe8a  study             3                0  embedder away

surface  turns  recalled  nothing linked  nothing alike enough  not embedded yet  embedder away  not calibrated
-------  -----  --------  --------------  --------------------  ----------------  -------------  --------------
ask          1         0               1                     0                 0              0               0
study        3         1               0                     1                 0              1               0
"""


def test_the_table_has_every_event_and_counts_them_by_surface():
    assert table(EVENTS) == SHOWN


def test_a_learner_is_told_from_others_by_a_name_that_is_no_id():
    names = {short_name(UserId(number)) for number in range(1000)}
    assert len(names) == 1000
    assert {len(name) for name in names} == {8}
    assert short_name(AIKO) == short_name(UserId(AIKO))
    assert not any(str(user) in text for user in (AIKO,) for text in (table(EVENTS), figures(EVENTS, AT.date())))


def test_times_are_shown_in_utc():
    elsewhere = replace(FOUND, at=datetime.fromisoformat("2026-12-01T00:30:00+09:00"))
    assert table([elsewhere]).splitlines()[2].startswith("2026-11-30 15:30:00  ")


@pytest.mark.parametrize("silence", Silence)
def test_every_silence_has_words_and_a_count(silence):
    shown = table([replace(FOUND, silence=silence)]).splitlines()
    assert shown[-1].split().count("1") == 2


def test_the_figures_say_the_same():
    told = json.loads(figures(EVENTS, date(2026, 11, 28)))
    assert told["since"] == "2026-11-28"
    assert told["events"][0] == {
        "at": "2026-11-30T09:05:07.250000+00:00",
        "learner": short_name(AIKO),
        "surface": "study",
        "candidates": 1_234,
        "scores": [[41, 0.71349], [7, 0.25]],
        "admitted": 1,
        "silence": "",
    }
    assert [event["silence"] for event in told["events"]] == ["", "below", "no_documents", "away"]
    assert [(one["surface"], one["turns"], one["recalled"]) for one in told["surfaces"]] == [
        ("ask", 1, 0),
        ("study", 3, 1),
    ]
    reasons = ("no_documents", "below", "no_vectors", "away", "uncalibrated")
    assert [[one[reason] for reason in reasons] for one in told["surfaces"]] == [[1, 0, 0, 0, 0], [0, 1, 0, 1, 0]]


Told = Callable[..., tuple[Exit, str, str]]


@pytest.fixture
def told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run the command on a folder; the exit code, stdout and stderr."""

    def run(days: int = 7, file: Path | None = None, most: int = 100) -> tuple[Exit, str, str]:
        code = command.events(Settings(data=tmp_path / "data"), days, file, most)
        return code, *capsys.readouterr()

    return run


def note(folder: Path, *ages: int) -> None:
    """Note one event for each age in days."""

    async def noted() -> None:
        async with Database(migrate.prepare(folder, at=datetime.now(UTC))) as database:
            for age in ages:
                at = datetime.now(UTC) - timedelta(days=age)
                await StudyStore(database).note_recall(replace(FOUND, at=at))

    asyncio.run(noted())


def turns(out: str) -> int:
    return int(out.splitlines()[-1].split()[1])


def test_what_was_noted_is_told(told, tmp_path):
    note(tmp_path / "data", 0, 0, 1)
    code, out, err = told()
    assert (code, err) == (Exit.OK, "")
    assert turns(out) == 3
    assert "more" not in out


def test_days_are_counted_with_today_among_them(told, tmp_path):
    note(tmp_path / "data", 0, 1, 2)
    for days in (-5, 0, 1, 2, 3, 10**9):
        assert turns(told(days)[1]) == max(1, min(days, 3))


def test_where_there_are_too_many_the_newest_are_told_and_that_there_may_be_more(told, tmp_path):
    note(tmp_path / "data", 2, 1, 0)
    code, out, _ = told(most=2)
    assert code == Exit.OK
    assert out.endswith("\nThese are the newest 2; there may be more.\n")
    assert turns(out.removesuffix("\nThese are the newest 2; there may be more.\n")) == 2
    assert str((datetime.now(UTC) - timedelta(days=2)).date()) not in out


def test_a_folder_without_a_database_has_no_events_and_stays_as_it_is(told, tmp_path):
    code, out, err = told()
    assert (code, out) == (Exit.IN_VAIN, "")
    assert err.startswith(f"There is no database in {tmp_path / 'data'} (KIZUKI_DATA)")
    assert not (tmp_path / "data").exists()


def test_a_database_without_an_event_has_none_to_tell_either(told, tmp_path):
    note(tmp_path / "data")
    assert told()[1].startswith("The tutor looked for nothing since 20")


def test_the_figures_can_go_to_a_file(told, tmp_path):
    note(tmp_path / "data", 0)
    assert told(7, tmp_path / "events.json")[0] == Exit.OK
    written = json.loads((tmp_path / "events.json").read_text(encoding="utf-8"))
    assert len(written["events"]) == 1


def test_a_file_that_cannot_be_written_is_told(told, tmp_path):
    note(tmp_path / "data")
    code, out, err = told(7, tmp_path / "nowhere" / "events.json")
    assert (code, out) == (Exit.CANNOT_START, "")
    assert "cannot be written (No such file or directory): name another place." in err


def test_it_works_while_the_bot_works_and_changes_nothing(told, tmp_path):
    note(tmp_path / "data", 0)

    async def beside_the_bot() -> tuple:
        async with open_database(tmp_path / "data"):
            return await asyncio.to_thread(told)

    before = asyncio.run(beside_the_bot())
    files = {file.name: file.read_bytes() for file in (tmp_path / "data").iterdir() if file.is_file()}
    assert told() == before
    assert {file.name: file.read_bytes() for file in (tmp_path / "data").iterdir() if file.is_file()} == files
    assert before[0] == Exit.OK


def test_a_database_of_an_earlier_release_is_told(told, tmp_path):
    note(tmp_path / "data", 0)
    with closing(sqlite3.connect(tmp_path / "data" / "kizuki.db")) as connection:
        connection.execute("PRAGMA user_version = 1")
    code, _, err = told()
    assert code == Exit.CANNOT_START
    assert "start the bot once, which brings it up to date" in err
