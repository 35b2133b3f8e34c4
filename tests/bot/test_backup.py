"""`kizuki backup` and `kizuki restore`: what an operator types on a bad day, and what is said."""

import asyncio
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.commands.exits import Exit
from bot.wiring import now, open_database
from storage import migrate
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
    assert main(["check"]) == Exit.IN_VAIN  # which is worse than that there is no token
    assert f"`kizuki restore {copy} --replace` puts back the newest backup that is sound" in capsys.readouterr().out
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
    assert "and no database in the data folder" in said[1]
    assert main(["restore", "nothing.db"]) == Exit.IN_VAIN
    (tmp_path / "text.db").write_bytes(b"text" * 1000)
    assert main(["restore", "text.db"]) == Exit.IN_VAIN
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("end", ["a flipped bit in a free page", "a cut"])
def test_a_database_that_breaks_its_seal_is_not_backed_up_and_pushes_out_no_good_copy(data, capsys, end):
    assert main(["backup"]) == Exit.OK
    good = newest_first(data)
    file = data / "kizuki.db"
    sound = file.read_bytes()
    file.write_bytes(sound + b"x" if end.startswith("a flipped") else sound[: len(sound) // 2])
    capsys.readouterr()
    for _ in range(8):
        assert main(["backup"]) == Exit.IN_VAIN
    said = capsys.readouterr().err
    if end.startswith("a flipped"):
        assert "is not as Kizuki left it: something changed bytes of it since then, though its structure is" in said
        assert f"If that was you, remove {file}.seal" in said
    else:
        assert "is damaged" in said
    assert f"`kizuki restore {good[0]} --replace`" in said
    assert newest_first(data) == good
    assert main(["restore", "--replace"]) == Exit.OK
    with DataFolder(data):
        assert file.with_name("kizuki.db.seal").exists()
        migrate.prepare(data, at=now())


def test_a_refused_backup_names_the_newest_good_one(data, capsys):
    for _ in range(3):
        main(["backup"])
    newest, between, oldest = newest_first(data)
    newest.write_bytes(newest.read_bytes()[:-1] + b"x")
    between.write_bytes(b"")
    capsys.readouterr()
    assert main(["restore", "--replace"]) == Exit.IN_VAIN
    said = capsys.readouterr().err
    assert said.startswith(f"{newest} is not put back, because its bytes are not those that were written: ")
    assert f"`kizuki restore {oldest} --replace` puts back the newest that is sound" in said
    oldest.write_bytes(b"")
    assert main(["restore", "--replace"]) == Exit.IN_VAIN
    assert "name another backup; nothing was changed" in capsys.readouterr().err


@pytest.mark.parametrize(("folder", "line"), [("replaced", ["restore", "--replace"]), ("backups", ["backup"])])
def test_a_file_where_a_folder_of_ours_should_be_is_named(data, capsys, monkeypatch, tmp_path, folder, line):
    main(["backup"])
    copy = newest_first(data)[0].rename(tmp_path / "copy.db")
    (data / "backups").rename(tmp_path / "moved")
    (data / folder).touch()
    capsys.readouterr()
    before = (data / "kizuki.db").read_bytes()
    assert main([*line, *([str(copy)] if line[0] == "restore" else [])]) == Exit.IN_VAIN
    assert f"{data / folder} " in capsys.readouterr().err
    assert (data / "kizuki.db").read_bytes() == before


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
