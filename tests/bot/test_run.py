"""From start to end: every foreseen failure is one sentence, and a signal ends the bot in order."""

import asyncio
import errno
import os
import signal
import socket
import sqlite3
import sys
from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot.commands import run as runs
from bot.commands.exits import Exit
from bot.commands.failures import explain
from bot.health import HealthPortTaken
from bot.settings import Settings
from lessons import errors
from storage.folder import DataFolder
from storage.inspection import EarlierDatabase, NoDatabase
from storage.restoring import DatabaseThere, NoBackup, UnusableBackup

from .loopback import START, Loopback, loopback, surroundings
from .test_settings import TOKEN

__all__ = ["loopback"]

PATIENCE = 60
SILENCE = "http://127.0.0.1:9"  # the discard port: nobody listens


async def started(url: str, **environ: str) -> asyncio.subprocess.Process:
    """Start `kizuki run` with this Discord and nothing but these settings."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", START, url),
        env=surroundings(**{"DISCORD_TOKEN": TOKEN, **environ}),
        cwd=environ.get("CWD"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """Wait for its end; the exit code and all it wrote, which never holds the token."""
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    said = (out + err).decode()
    assert TOKEN not in said
    return process.returncode, said


def sentence(said: str) -> str:
    """The last line; there is no traceback above it."""
    assert "Traceback" not in said
    return said.splitlines()[-1]


class TestWhatKeepsItFromStarting:
    async def test_settings(self, tmp_path):
        code, said = await ended(await started(SILENCE, CWD=str(tmp_path), DISCORD_TOKEN="", LOG_LEVEL="loud"))
        assert code == Exit.BAD_SETTINGS
        assert said.startswith("2 settings cannot be used:\n  DISCORD_TOKEN: not set. ")
        assert "LOG_LEVEL: found 'loud'" in said

    async def test_no_network(self, tmp_path):
        code, said = await ended(await started(SILENCE, KIZUKI_DATA=str(tmp_path)))
        assert (code, sentence(said)[:26]) == (Exit.CANNOT_START, "Discord cannot be reached:")

    async def test_a_wrong_token(self, tmp_path, loopback: Loopback):
        loopback.status = 401
        code, said = await ended(await started(loopback.url, KIZUKI_DATA=str(tmp_path)))
        assert (code, sentence(said)[:25]) == (Exit.BAD_SETTINGS, "Discord refused the token")

    async def test_a_token_that_the_gateway_refuses(self, tmp_path, loopback: Loopback):
        loopback.close_code = 4004
        code, said = await ended(await started(loopback.url, KIZUKI_DATA=str(tmp_path)))
        assert (code, sentence(said)[:25]) == (Exit.BAD_SETTINGS, "Discord refused the token")

    async def test_an_intent_that_was_not_granted(self, tmp_path, loopback: Loopback):
        loopback.close_code = 4014
        code, said = await ended(await started(loopback.url, KIZUKI_DATA=str(tmp_path), MESSAGE_CONTENT="on"))
        assert code == Exit.BAD_SETTINGS
        assert "message content intent" in sentence(said)
        assert "MESSAGE_CONTENT=off" in sentence(said)

    async def test_discord_in_trouble(self, tmp_path, loopback: Loopback):
        loopback.status = 503
        code, said = await ended(await started(loopback.url, KIZUKI_DATA=str(tmp_path)))
        assert (code, sentence(said)[:21]) == (Exit.CANNOT_START, "Discord is in trouble")

    async def test_a_folder_that_is_taken(self, tmp_path):
        with DataFolder(tmp_path):
            code, said = await ended(await started(SILENCE, KIZUKI_DATA=str(tmp_path)))
        assert code == Exit.CANNOT_START
        assert f"{tmp_path} is in use by process {os.getpid()}: stop it first" in sentence(said)

    async def test_a_folder_that_cannot_be_written(self):
        code, said = await ended(await started(SILENCE, KIZUKI_DATA="/proc/kizuki"))
        assert code == Exit.IN_VAIN
        assert "The data folder /proc/kizuki cannot be " in sentence(said)  # made, or for others than root: written

    async def test_a_newer_database(self, tmp_path):
        with sqlite3.connect(tmp_path / "kizuki.db") as connection:
            connection.execute("PRAGMA user_version = 999")
            connection.execute("CREATE TABLE t (x)")
        connection.close()
        code, said = await ended(await started(SILENCE, KIZUKI_DATA=str(tmp_path)))
        assert code == Exit.IN_VAIN
        assert "newer Kizuki (version 999" in sentence(said)

    async def test_a_damaged_database(self, tmp_path):
        (tmp_path / "kizuki.db").write_bytes(b"not a database" * 1000)
        code, said = await ended(await started(SILENCE, KIZUKI_DATA=str(tmp_path)))
        assert code == Exit.IN_VAIN
        assert "is damaged" in sentence(said)
        assert "there is no backup of it" in sentence(said)

    async def test_an_altered_database(self, tmp_path):
        await ended(await started(SILENCE, KIZUKI_DATA=str(tmp_path), EMBEDDER="hashed"))
        content = bytearray((tmp_path / "kizuki.db").read_bytes())
        place = content.rindex(b" marks ")  # in an explanation, which no index knows
        content[place] ^= 1
        (tmp_path / "kizuki.db").write_bytes(content)
        code, said = await ended(await started(SILENCE, KIZUKI_DATA=str(tmp_path)))
        assert code == Exit.IN_VAIN
        assert "is not as Kizuki left it" in sentence(said)
        assert f"remove {tmp_path / 'kizuki.db.seal'} and start again" in sentence(said)

    async def test_a_port_that_is_taken(self, tmp_path):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = str(other.getsockname()[1])
            code, said = await ended(
                await started(SILENCE, KIZUKI_DATA=str(tmp_path), EMBEDDER="hashed", HEALTH_PORT=port)
            )
        assert code == Exit.CANNOT_START
        assert f"Port {port} of 127.0.0.1 is in use: choose another with HEALTH_PORT" in sentence(said)

    async def test_the_traceback_is_there_at_debug(self, tmp_path):
        code, said = await ended(await started(SILENCE, KIZUKI_DATA=str(tmp_path), LOG_LEVEL="DEBUG"))
        assert code == Exit.CANNOT_START
        assert "Traceback" in said


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(SimpleNamespace(), shard_id=None, code=code)


def refused(status: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=status, reason="no"), "no")


FAILURES = [
    (discord.LoginFailure("no"), Exit.BAD_SETTINGS, "refused the token in DISCORD_TOKEN"),
    (closed(4004), Exit.BAD_SETTINGS, "refused the token in DISCORD_TOKEN"),
    (discord.PrivilegedIntentsRequired(None), Exit.BAD_SETTINGS, "set MESSAGE_CONTENT=off"),
    (closed(4011), Exit.CANNOT_START, "start again in a few minutes"),
    (refused(429), Exit.CANNOT_START, "start again in a few minutes"),
    (aiohttp.ServerDisconnectedError(), Exit.CANNOT_START, "check the network"),
    (socket.gaierror(-2, "Name or service not known"), Exit.CANNOT_START, "check the network"),
    (TimeoutError(), Exit.CANNOT_START, "check the network"),
    (errors.DataFolderTaken("/d", 7), Exit.CANNOT_START, "in use by process 7: stop it first"),
    (errors.DataFolderTaken("/d"), Exit.CANNOT_START, "in use by another process: stop it first"),
    (errors.StorageReadOnly("/d"), Exit.IN_VAIN, "/d cannot be written: give this user the right"),
    (errors.StorageFull(), Exit.CANNOT_START, "is full: make room"),
    (errors.NewerDatabase("/d/k.db", 3, 2), Exit.IN_VAIN, "version 3, this one knows 2"),
    (
        errors.DamagedDatabase("/d/k.db", "odd", ("/d/b",)),
        Exit.IN_VAIN,
        "move it away to start anew (none of the 1 backups of it passes its check)",
    ),
    (errors.DamagedDatabase("/d/k.db", "odd"), Exit.IN_VAIN, "move it away to start anew"),
    (errors.AlteredDatabase("/d/k.db", "/d/k.db.seal"), Exit.IN_VAIN, "If that was you, remove /d/k.db.seal"),
    (errors.StorageBusy(), Exit.CANNOT_START, "try again in a moment"),
    (errors.EmbedderUnavailable("e5", "it is not here"), Exit.IN_VAIN, "kizuki fetch-model"),
    (HealthPortTaken(8642), Exit.CANNOT_START, "Port 8642 of 127.0.0.1 is in use: choose another with HEALTH_PORT"),
    (EarlierDatabase(3, 5), Exit.CANNOT_START, "start the bot once"),
    (NoBackup("/d/backups"), Exit.IN_VAIN, "no backup at /d/backups: name a file"),
    (UnusableBackup("/b.db", "odd"), Exit.IN_VAIN, "/b.db is not put back, because odd: name another"),
    (NoBackup("/d/backups", database=False), Exit.IN_VAIN, "/d/backups, and no database in the data folder: name"),
    (NoDatabase("/d"), Exit.IN_VAIN, "no database in /d (KIZUKI_DATA)"),
    (
        UnusableBackup("/b.db", "odd", "/a.db"),
        Exit.IN_VAIN,
        "odd: `kizuki restore /a.db --replace` puts back the newest",
    ),
    (DatabaseThere("/d/k.db"), Exit.IN_VAIN, "with --replace it is set aside, not lost"),
    (OSError(errno.ENOSPC, "full"), Exit.CANNOT_START, "is full: make room"),
    (PermissionError(errno.EACCES, "no", "/d"), Exit.IN_VAIN, "/d cannot be written"),
    (
        NotADirectoryError(errno.ENOTDIR, "Not a directory", "/d"),
        Exit.IN_VAIN,
        "/d cannot be used (Not a directory)",
    ),
]


@pytest.mark.parametrize(("error", "code", "words"), FAILURES)
def test_every_foreseen_failure_is_one_sentence_with_its_remedy(error, code, words):
    failure = explain(error)
    assert failure is not None
    assert failure.code is code
    assert words in failure.sentence
    assert "\n" not in failure.sentence


def test_other_failures_are_nobodys_to_explain():
    assert explain(ZeroDivisionError()) is None


class TestTheEnd:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    async def test_a_signal_ends_it_in_order(self, tmp_path, loopback: Loopback, number):
        process = await started(loopback.url, KIZUKI_DATA=str(tmp_path))
        await asyncio.wait_for(loopback.arrived.wait(), PATIENCE)
        process.send_signal(number)
        code, said = await ended(process)
        assert code == Exit.OK
        assert "Stopping: " in said
        assert sentence(said).endswith("Stopped.")
        assert not (tmp_path / "kizuki.db-wal").exists()  # the last connection was closed

    async def test_no_intent_has_to_be_granted(self, tmp_path, loopback: Loopback):
        process = await started(loopback.url, KIZUKI_DATA=str(tmp_path))
        await asyncio.wait_for(loopback.arrived.wait(), PATIENCE)
        process.terminate()
        await ended(process)
        privileged = discord.Intents(members=True, presences=True, message_content=True)
        assert loopback.identified[0]["intents"] & privileged.value == 0

    async def test_a_second_signal_ends_it_at_once(self):
        script = (
            "import asyncio, os, signal, time\n"
            "from bot.commands import run as runs\n"
            "runs.ECHO_SECONDS = 0.2\n"
            "async def main():\n"
            "    with runs.stop_on_signals() as stop:\n"
            "        os.kill(os.getpid(), signal.SIGTERM)\n"
            "        os.kill(os.getpid(), signal.SIGTERM)  # an echo\n"
            "        await stop.wait()\n"
            "        time.sleep(runs.ECHO_SECONDS)\n"
            "        print('stopping', flush=True)\n"
            "        time.sleep(600)  # a loop that is stuck\n"
            "asyncio.run(main())\n"
        )
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
        assert await process.stdout.readline() == b"stopping\n"
        process.terminate()
        assert await asyncio.wait_for(process.wait(), PATIENCE) == -signal.SIGTERM


class Bot:
    """A bot that writes down what happens to it."""

    def __init__(self, *, fails: Exception | None = None, deaf: bool = False) -> None:
        self.story: list[str] = []
        self._fails = fails
        self._deaf = deaf
        self._closed = asyncio.Event()

    async def start(self, token: str) -> None:
        self.story.append(f"start {token}")
        if self._fails:
            raise self._fails
        await self._closed.wait()
        self.story.append("end")

    async def drain(self, seconds: float) -> None:
        self.story.append(f"drain {seconds:.0f}")

    async def close(self) -> None:
        self.story.append("close")
        if self._deaf:
            await asyncio.Event().wait()
        self._closed.set()


class TestTheLife:
    async def test_it_drains_before_it_closes(self):
        bot, stop = Bot(), asyncio.Event()
        life = asyncio.create_task(runs.live(bot, "t", stop))
        await asyncio.sleep(0)
        stop.set()
        await life
        assert bot.story[:3] == ["start t", "drain 10", "close"]

    async def test_a_failure_closes_it_too(self):
        bot = Bot(fails=RuntimeError("no"))
        with pytest.raises(RuntimeError, match="no"):
            await runs.live(bot, "t", asyncio.Event())
        assert bot.story == ["start t", "close"]

    async def test_a_farewell_that_nobody_answers_is_given_up(self, monkeypatch, caplog):
        monkeypatch.setattr(runs, "CLOSE_SECONDS", 0.01)
        bot, stop = Bot(deaf=True), asyncio.Event()
        stop.set()
        await runs.live(bot, "t", stop)
        assert bot.story[-1] == "close"
        assert "did not answer the farewell" in caplog.text


class Full(Exception):
    """A stage's own failure."""


class TestTheDemo:
    def test_it_plays_in_a_folder_that_is_gone_afterwards(self, capsys):
        seen = []

        async def serve(make_bot, *, port, lobby_port, stop, ready):
            bots = [make_bot(), make_bot()]
            seen.extend([port, lobby_port, stop.is_set(), len(set(bots))])
            ready("Open the door")
            os.kill(os.getpid(), signal.SIGTERM)
            await stop.wait()
            for bot in bots:
                await bot.close()

        assert runs.demo(Settings(), serve, foreseen=Full) is Exit.OK
        assert seen == [8641, 8640, False, 2]
        assert capsys.readouterr().err == "Open the door\n"

    def test_a_folder_can_be_kept(self, tmp_path):
        async def serve(_make_bot, **_named):
            return

        assert runs.demo(Settings(), serve, foreseen=Full, keep=tmp_path / "kept") is Exit.OK
        assert (tmp_path / "kept" / "kizuki.db").exists()

    def test_what_the_stage_foresaw_is_told_as_it_says(self, capsys):
        async def serve(_make_bot, **_named):
            raise Full("The house is full.")

        assert runs.demo(Settings(), serve, foreseen=Full) is Exit.CANNOT_START
        assert capsys.readouterr().err == "The house is full.\n"

    @pytest.mark.errors_expected
    def test_what_nobody_foresaw_keeps_its_traceback(self, capsys, caplog):
        async def serve(_make_bot, **_named):
            raise ZeroDivisionError

        assert runs.demo(Settings(), serve, foreseen=Full) is Exit.CANNOT_START
        assert "a fault of its own" in capsys.readouterr().err
        assert "ZeroDivisionError" in caplog.text
