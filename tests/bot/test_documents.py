"""The README says what there is: every setting, every command, and the two commands a newcomer types."""

from __future__ import annotations

import re
from pathlib import Path

from discord import app_commands

from bot.settings import SETTINGS
from tests.conftest import World

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_setting_is_in_the_table_as_it_is() -> None:
    table = re.findall(r"^\| `([A-Z_]+)` \| (?:`(.*?)`)? ?\| (.*?) \|$", README, re.MULTILINE)
    assert table == [(doc.name, doc.default, doc.meaning) for doc in SETTINGS]


def test_every_command_is_described(world: World) -> None:
    for command in world.bot.tree.get_commands():
        assert f"/{command.name}" in README
        if isinstance(command, app_commands.Group):
            for sub in command.commands:
                assert re.search(rf"`/{command.name} [^`]*\b{sub.name}\b", README), sub.name


def test_every_command_and_option_has_a_description_that_fits(world: World) -> None:
    for command in world.bot.tree.walk_commands():
        assert 1 <= len(command.description) <= 100
        if isinstance(command, app_commands.Command):
            for option in command.parameters:
                assert 5 <= len(option.description) <= 100, (command.qualified_name, option.name)


def test_the_two_commands_and_the_number_of_starter_items() -> None:
    assert "make demo" in README
    assert "make test" in README
    from lessons.material import read

    files = sorted((ROOT / "lessons" / "data").glob("*.csv"))
    rows = sum(len(read(file.read_bytes(), file.name).rows) for file in files)
    assert f"**{rows} starter items**" in README
