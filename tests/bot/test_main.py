"""The command line: its help is complete, it starts light, and it reads .env."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot import __main__ as command
from bot.settings import SETTINGS

from .loopback import surroundings
from .test_settings import TOKEN

COMMANDS = ("run", "demo", "check", "fetch-model", "calibrate", "reembed", "evaluate")
HEAVY = ("discord", "simcord", "sudachipy", "aiohttp", "aiosqlite", "sqlite3", "asyncio", "numpy", "lessons.flows")


def kizuki(*arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the command with nothing but these variables."""
    line = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(
        line, cwd=cwd, env=surroundings(**environ), capture_output=True, text=True, timeout=60, check=False
    )


class TestHelp:
    def test_every_command_is_listed(self, capsys):
        with pytest.raises(SystemExit) as end:
            command.main(["--help"])
        said = capsys.readouterr().out
        assert end.value.code == 0
        assert all(re.search(rf"\n    {name}\s", said) for name in COMMANDS)
        assert "exit codes: 0" in said

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_explains_itself_and_every_setting(self, name, capsys):
        with pytest.raises(SystemExit):
            command.main([name, "--help"])
        said = capsys.readouterr().out
        assert said.startswith(f"usage: kizuki {name}")
        for doc in SETTINGS:
            assert f"  {doc.name}\n      {doc.meaning}" in said
            assert doc.default in said

    def test_the_version(self, capsys):
        with pytest.raises(SystemExit):
            command.main(["--version"])
        assert capsys.readouterr().out.startswith("kizuki 0.")

    @pytest.mark.parametrize("line", [[], ["fly"], ["run", "--fast"]])
    def test_wrong_usage_is_exit_code_2(self, line, capsys):
        with pytest.raises(SystemExit) as end:
            command.main(line)
        assert end.value.code == 2
        assert "usage: kizuki" in capsys.readouterr().err

    @pytest.mark.parametrize("line", [["--help"], ["run", "--help"], ["run"]])
    def test_it_is_told_without_loading_anything_heavy(self, line, tmp_path):
        script = (
            "import sys\n"
            "from bot.__main__ import main\n"
            "try: main(sys.argv[1].split())\n"
            "except SystemExit: pass\n"
            f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, " ".join(line)],
            cwd=tmp_path,
            env=surroundings(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines()[-1].strip() == "loaded:"


class TestEnvironment:
    def test_a_file_adds_to_the_real_environment_which_wins(self, tmp_path):
        file = tmp_path / ".env"
        file.write_text('\ufeff# ours\nLOG_LEVEL=ERROR\nexport CONTACT="a $HOME b"\nEMPTY\n', encoding="utf-8")
        assert command.environment(file, {"LOG_LEVEL": "DEBUG"}) == {
            "LOG_LEVEL": "DEBUG",
            "CONTACT": "a $HOME b",
            "EMPTY": "",
        }

    def test_no_file_is_fine(self, tmp_path):
        assert command.environment(tmp_path / ".env", {"A": "1"}) == {"A": "1"}

    def test_the_file_of_the_present_folder_is_read(self, tmp_path):
        (tmp_path / ".env").write_text("LOG_LEVEL=loud\n")
        done = kizuki("run", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith("2 settings cannot be used:\n  DISCORD_TOKEN: not set.")
        assert "LOG_LEVEL: found 'loud'. Write one of DEBUG" in done.stderr

    def test_a_file_in_another_encoding_is_told(self, tmp_path):
        (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}", encoding="utf-16")
        done = kizuki("run", cwd=tmp_path)
        assert done.returncode == 2
        assert ".env: cannot be read (it is not UTF-8 text). Save it as UTF-8" in done.stderr
        assert "Traceback" not in done.stderr
        assert TOKEN not in done.stderr


class TestDemo:
    def test_the_options_are_settings(self, tmp_path):
        done = kizuki("demo", "--port", "many", "--lobby-port", "70000", cwd=tmp_path)
        assert done.returncode == 2
        assert "KIZUKI_DEMO_PORT: found 'many'" in done.stderr
        assert "KIZUKI_DEMO_LOBBY_PORT: found '70000'" in done.stderr

    def test_it_says_what_to_install(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setitem(sys.modules, "bot.demo", None)
        monkeypatch.setattr("bot.logs.configure", lambda _level, **_how: None)
        assert command.main(["demo"]) == 1
        assert "The demo needs packages of its own (bot.demo is missing)" in capsys.readouterr().err


def test_ctrl_c_before_anything_started_is_quiet(tmp_path, monkeypatch, capsys):
    def interrupted(_file: Path, _real: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "environment", interrupted)
    assert command.main(["run"]) == 130
    assert capsys.readouterr().err == ""
