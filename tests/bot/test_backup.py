"""`kizuki backup` and `kizuki restore`: what an operator types on a bad day, and what is said."""

import asyncio
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.commands.exits import Exit
from bot.wiring import open_database
from storage.backup import newest_first
from storage.folder import DataFolder


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """A data folder with an empty database."""

    async def make() -> None:
        async with open_database(tmp_path / "data"):
            pass

    asyncio.run(make())
    monkeypatch.setenv("KIZUKI_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def test_a_drill_there_and_back(data, capsys):
    assert main(["backup"]) == Exit.OK
    assert capsys.readouterr().out.startswith("Backed up, checked and sealed in ")
    (copy,) = newest_first(data)
    (data / "kizuki.db").write_bytes(b"no database" * 1000)
    assert main(["check"]) == Exit.BAD_SETTINGS  # no token
    assert "`kizuki restore --replace` puts back the newest backup, " in capsys.readouterr().out
    assert main(["restore"]) == Exit.IN_VAIN
    assert "with --replace it is set aside" in capsys.readouterr().err
    assert main(["restore", "--replace"]) == Exit.OK
    said = capsys.readouterr().out
    assert said.startswith(f"Put back: {copy}, which holds 20")
    assert f"The database that was there is now {data / 'replaced'}" in said
    assert "erase them anew" in said
    assert main(["usage"]) == Exit.OK


def test_a_named_file_in_an_empty_folder(data, capsys, monkeypatch, tmp_path):
    main(["backup"])
    moved = newest_first(data)[0].rename(tmp_path / "other name.db")
    monkeypatch.setenv("KIZUKI_DATA", str(tmp_path / "new"))
    assert main(["restore", str(moved)]) == Exit.OK
    said = capsys.readouterr().out
    assert f"Put back: {moved} (version" in said
    assert "that was there" not in said


def test_a_backup_while_the_bot_runs_and_no_restore(data, capsys):
    async def beside() -> tuple[int, int]:
        async with open_database(data):
            return await asyncio.to_thread(main, ["backup"]), await asyncio.to_thread(main, ["restore", "--replace"])

    assert asyncio.run(beside()) == (Exit.OK, Exit.CANNOT_START)
    assert "is in use by process" in capsys.readouterr().err


def test_nothing_to_back_up_and_nothing_to_put_back(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIZUKI_DATA", str(tmp_path / "none"))
    assert main(["backup"]) == Exit.IN_VAIN
    assert not (tmp_path / "none").exists()
    assert main(["restore"]) == Exit.IN_VAIN
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("There is no database in ")
    assert said[1].startswith("There is no backup at ")


def test_a_damaged_database_is_not_backed_up(data, capsys):
    (data / "kizuki.db").write_bytes(b"no database" * 1000)
    assert main(["backup"]) == Exit.IN_VAIN
    assert "is damaged" in capsys.readouterr().err
    assert newest_first(data) == []


@pytest.mark.errors_expected
def test_what_nobody_foresaw_is_said_too(data, capsys, monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("bot.commands.backup.copied", broken)
    assert main(["backup"]) == Exit.CANNOT_START
    assert "a fault of its own" in capsys.readouterr().err


def test_a_folder_in_use_by_a_start(data, capsys):
    with DataFolder(data):
        assert main(["restore", "--replace"]) == Exit.CANNOT_START
    assert "stop it first" in capsys.readouterr().err
