"""What an operator copies: the image, the example of the settings, and the scripts around them."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from dotenv import dotenv_values

from bot.commands.exits import Exit
from bot.settings import SETTINGS

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "cogs", "jobs", "lessons", "storage")


def stages() -> list[list[tuple[str, str]]]:
    """The Dockerfile as stages of (instruction, rest)."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    found: list[list[tuple[str, str]]] = []
    for instruction, rest in lines:
        if instruction == "FROM":
            found.append([])
        found[-1].append((instruction, rest))
    return found


@pytest.fixture
def image() -> dict[str, str]:
    """The last word of the last stage on each instruction."""
    return dict(stages()[-1])


class TestImage:
    def test_it_is_not_root_and_says_so_by_number(self, image):
        assert image["USER"] == "10001:10001"
        order = [instruction for instruction, _ in stages()[-1]]
        assert "RUN" not in order[order.index("USER") :]

    def test_signals_reach_the_process_itself(self, image):
        assert json.loads(image["ENTRYPOINT"]) == ["kizuki"]
        assert json.loads(image["CMD"]) == ["run"]
        assert image["STOPSIGNAL"] == "SIGTERM"

    def test_data_live_in_the_volume(self, image):
        assert image["VOLUME"] == "/data"
        assert "KIZUKI_DATA=/data" in image["ENV"]

    def test_it_says_how_it_is(self, image):
        assert image["HEALTHCHECK"].endswith('CMD ["kizuki", "health"]')
        assert "HEALTH_PORT=8642" in image["ENV"]

    def test_a_read_only_root_is_enough_and_no_model_is_asked_for(self, image):
        for variable in ("MPLCONFIGDIR=/tmp/", "HF_HOME=/models", "HF_HUB_OFFLINE=1"):
            assert variable in image["ENV"]

    def test_it_keeps_to_the_rules_of_images(self):
        text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
        assert not re.search(r"^\s*(ADD|MAINTAINER)\b", text, re.MULTILINE)
        assert not re.search(r"FROM \S+(:latest|[^:\s]+)(\s|$)", re.sub(r"FROM \S+:[\w.-]+", "", text))
        assert "sudo" not in text
        assert not re.search(r"(TOKEN|KEY|SECRET|PASSWORD)\S*=", text)
        for run in re.findall(r"^RUN (.+?)(?<!\\)\n", text, re.MULTILINE | re.DOTALL):
            assert "pip install" not in run or "--no-cache-dir" in run
            assert ";" not in run
        for stage in stages():
            names = [name for name, _ in stage]
            assert names.count("CMD") <= 1
            assert names.count("ENTRYPOINT") <= 1
        for name, rest in stages()[-1]:
            if name in {"CMD", "ENTRYPOINT"}:
                assert isinstance(json.loads(rest), list)
            if name == "COPY":
                assert rest.split()[-1].startswith("/")

    def test_it_stands_on_a_release_of_python(self):
        assert {stage[0][1].split()[0] for stage in stages()} == {"python:3.11-slim"}

    def test_nothing_but_what_is_copied_reaches_the_build(self):
        copied = {
            word
            for stage in stages()
            for instruction, rest in stage
            if instruction == "COPY"
            for word in rest.split()[:-1]
        }
        ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        let_in = {line.removeprefix("!") for line in ignored if line.startswith("!")}
        assert "*" in ignored
        assert let_in == {name for name in copied if not name.startswith(("-", "/"))}
        assert let_in == {*PACKAGES, "pyproject.toml", "README.md", "LICENSE"}


class TestUnit:
    """The systemd unit."""

    @pytest.fixture
    def unit(self) -> dict[str, str]:
        lines = (ROOT / "docs" / "kizuki.service").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))

    def test_no_start_is_tried_again_in_vain(self, unit):
        assert unit["RestartPreventExitStatus"].split() == [f"{Exit.BAD_SETTINGS:d}", f"{Exit.IN_VAIN:d}"]
        assert unit["Restart"] == "on-failure"
        assert 3600 / int(unit["RestartSec"]) <= 20

    def test_it_has_time_to_stop_in_order(self, unit):
        assert unit["KillSignal"] == "SIGTERM"
        assert int(unit["TimeoutStopSec"]) >= 30
        assert unit["ExecStart"].endswith("/kizuki run")

    def test_it_may_write_nowhere_but_into_its_folder(self, unit):
        assert unit["ProtectSystem"] == "strict"
        assert unit["StateDirectory"] == "kizuki"
        assert "KIZUKI_DATA=/var/lib/kizuki" in unit["Environment"]
        assert unit["User"] != "root"


class TestExample:
    def test_it_shows_every_setting_once_with_its_default(self):
        lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
        shown = dict(line.removeprefix("#").split("=", 1) for line in lines if re.match(r"#?[A-Z_]+=", line))
        assert list(shown) == [doc.name for doc in SETTINGS]
        for name in ("DISCORD_TOKEN_FILE", "ANTHROPIC_API_KEY_FILE"):
            del shown[name]  # there is no usual place for it
        assert shown == {doc.name: doc.default for doc in SETTINGS if doc.name in shown}

    def test_every_setting_has_its_comment(self):
        text = (ROOT / ".env.example").read_text(encoding="utf-8")
        for doc in SETTINGS:
            assert re.search(rf"\n\n# .+\n#?{doc.name}=", text), doc.name

    def test_as_it_is_it_decides_nothing(self):
        assert {name: value for name, value in dotenv_values(ROOT / ".env.example").items() if value} == {}


class TestScripts:
    def test_the_script_of_the_machine_is_sound(self):
        script = ROOT / ".ci" / "run"
        assert os.access(script, os.X_OK)
        subprocess.run(["bash", "-n", script], check=True)
        assert "make test" in script.read_text(encoding="utf-8")

    @pytest.mark.parametrize("target", ["demo", "test", "run", "check", "format", "clean"])
    def test_make_lists_its_targets(self, target):
        done = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True)
        assert re.search(rf"^  {target} +\w", done.stdout, re.MULTILINE)

    @pytest.mark.parametrize(("python", "sentence"), [("false", "needs Python 3.11"), ("./no-venv", "venv package")])
    def test_make_says_what_python_lacks(self, python, sentence, tmp_path):
        for name in ("Makefile", "pyproject.toml"):
            (tmp_path / name).write_bytes((ROOT / name).read_bytes())
        crippled = tmp_path / "no-venv"
        crippled.write_text('#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\n')
        crippled.chmod(0o755)
        done = subprocess.run(
            ["make", "demo", f"PYTHON={python}"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert sentence in done.stderr.splitlines()[0]
        assert not (tmp_path / ".venv").exists()
