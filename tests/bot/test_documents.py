"""README and docs say what there is: every setting, every command, and the two commands a newcomer types."""

from __future__ import annotations

import re
from pathlib import Path

from discord import app_commands

from bot.__main__ import command_line
from bot.commands.exits import Exit
from bot.counting import Counting, _happened
from bot.settings import SETTINGS
from cogs.traffic import Outcome
from storage.figures import Figures
from storage.safekeeping import Safekeeping
from tests.conftest import World

ROOT = Path(__file__).parents[2]
FIGURES = Figures(1, 1, 1, 1, 1, 1, 1.0, 1, 1, 1, 1, 1)
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


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


def test_every_command_of_the_command_line_is_described() -> None:
    (commands,) = (action for action in command_line()._actions if action.dest == "command")
    assert commands.choices
    for name in commands.choices:
        assert f"`kizuki {name}" in README, name


def test_every_exit_code_is_explained() -> None:
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", OPERATING, re.MULTILINE)} == set(map(int, Exit))


async def test_every_number_and_part_that_an_operator_sees_is_explained(world: World) -> None:
    parts = await world.services.vitals.parts()
    told = set(re.findall(r"`([a-z_0-9]+)`", OPERATING))
    of_traffic = {"interactions", *Outcome, "acks_late", "requests", "limited", "discord_errors"}
    database = world.services.vitals._database
    state = Counting(world.services.traffic, database, Safekeeping(database), world.clock, 0)._state(FIGURES, 0)
    assert told >= {*parts, *of_traffic, *_happened(FIGURES), *state}


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for text, folder in ((README, ROOT), (OPERATING, ROOT / "docs")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text):
            assert (folder / target).exists(), target
