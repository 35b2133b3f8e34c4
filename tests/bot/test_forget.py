"""`kizuki forget`: told before, erased with --yes, and nobody else loses anything."""

import asyncio
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.commands.exits import Exit
from bot.wiring import open_database
from storage import seals
from storage.backup import back_up
from storage.folder import DataFolder
from storage.records import RecordStore
from tests.storage.world import AIKO, AT, BEN, begin, hit, rows, save, stores


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """A data folder in which two people answered."""

    async def make() -> None:
        async with open_database(tmp_path / "data", lambda: AT) as database:
            to = stores(database)
            await save(to, items=rows(5))
            for user in (AIKO, BEN):
                _, exercises = await begin(to, user)
                await hit(to, exercises[0], user)

    asyncio.run(make())
    monkeypatch.setenv("KIZUKI_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def kept(data: Path, user) -> int:
    async def look() -> int:
        async with open_database(data) as database:
            return (await RecordStore(database).holdings(user)).answers

    return asyncio.run(look())


def test_without_yes_it_is_told_what_there_is_and_nothing_goes(data, capsys):
    assert main(["forget", str(AIKO)]) == Exit.IN_VAIN
    said = capsys.readouterr().err
    assert said.startswith(
        f"Of user {AIKO} there are: settings (1), drills (1), answers (1). With --yes all of it is erased"
    )
    assert kept(data, AIKO) == 1


def test_all_of_one_person_goes_and_nothing_of_another(data, capsys):
    back_up(data / "kizuki.db", at=AT)
    assert main(["forget", str(AIKO), "--yes"]) == Exit.OK
    said = capsys.readouterr().out.splitlines()
    assert said == [
        f"Erased of user {AIKO}: settings (1), drills (1), answers (1).",
        "The backups that are there (1) hold it still, until newer ones have taken their place.",
    ]
    assert seals.seal_of(data / "kizuki.db").exists()
    assert (kept(data, AIKO), kept(data, BEN)) == (0, 1)
    for line in (["forget", str(AIKO), "--yes"], ["forget", str(AIKO)]):
        assert main(line) == Exit.OK
        assert capsys.readouterr().out == f"Nothing is kept of user {AIKO}.\n"


def test_not_while_the_bot_runs(data, capsys):
    with DataFolder(data):
        assert main(["forget", str(AIKO), "--yes"]) == Exit.CANNOT_START
    assert "stop it first" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--yes"]])
def test_a_mistyped_folder_is_told_and_not_made(tmp_path, monkeypatch, capsys, more):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIZUKI_DATA", "data")
    assert main(["forget", "5", *more]) == Exit.IN_VAIN
    assert capsys.readouterr().err.startswith("There is no database in data")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("typed", ["mika", "0", "-5", "1" * 30, "１２", ""])
def test_what_is_no_id_is_refused(typed, capsys):
    with pytest.raises(SystemExit) as end:
        main(["forget", "--yes", "--", typed])
    assert end.value.code == 2
    assert "a Discord id is a number" in capsys.readouterr().err
