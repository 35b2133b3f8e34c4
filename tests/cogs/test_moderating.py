"""Feeds and articles are for moderators, also where a server's admins opened the commands to everybody."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cogs.newsroom import forge, paste
from tests.conftest import World
from tests.screen import said, shown, text, told

COMMANDS = {
    "feed add": {"url": "https://news.example/feed"},
    "feed list": {},
    "feed refresh": {},
    "feed remove": {"feed": "x"},
    "article add": {},
    "article list": {},
    "article remove": {"article": "朝のパン屋"},
}


async def open_to(world: World, command: str, who: Any) -> None:
    """Let a person use a command, as an admin can in a server's settings."""
    (found,) = [each for each in await world.bot.tree.fetch_commands() if each.name == command]
    world.guild.set_command_permissions(found, {who: True})


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_that_was_opened_to_everybody_still_asks_for_the_permission(world: World, command: str) -> None:
    await paste(world)
    await open_to(world, command.split(maxsplit=1)[0], world.mika)
    result = await world.mika.slash(world.study, command, **COMMANDS[command])
    assert result.modal is None
    assert "You need the permission **Manage Server** in this server for that." in said(result)


async def test_a_file_of_a_member_is_not_even_fetched(world: World) -> None:
    await open_to(world, "article", world.mika)
    result = await world.mika.slash(world.study, "article add", file=("a.txt", b"text"))
    assert "Manage Server" in said(result)


@pytest.mark.parametrize("pressed", ["feeds:0", "refresh_feed:1", "articles:0", "article_removed:1", "article_text:ja"])
async def test_a_moderators_press_in_a_direct_message_is_refused(world: World, pressed: str) -> None:
    own = shown(await world.aoki.user.slash("settings"))
    forge(world, own, f"kz:{pressed}")
    result = await world.aoki.user.click(own, label=f"kz:{pressed}")
    sentence = said(result) if pressed.startswith("article_text") else told(result)
    assert "That works in a server only, since packs, feeds and articles belong to a server." in sentence


@pytest.mark.parametrize("pressed", ["feed:0", "article:0"])
async def test_a_choice_that_no_list_offers_is_answered(world: World, pressed: str) -> None:
    own = shown(await world.aoki.slash(world.study, "settings"))
    choices = [{"label": "x", "value": "x"}]
    world.env.backend.get_message(own.channel_id, own.id).components = [
        {"type": 1, "components": [{"type": 3, "custom_id": f"kz:{pressed}", "options": choices}]}
    ]
    result = await world.aoki.select(own, ["x"], custom_id=f"kz:{pressed}")
    assert "older version of me" in (told(result) if result.followups else said(result))


async def test_an_article_is_removed_by_its_title_too(world: World) -> None:
    await paste(world)
    question = shown(await world.aoki.slash(world.study, "article remove", article="朝のパン屋"))
    assert "was removed" in text(shown(await world.aoki.click(question, label="Remove")))


async def test_every_command_fits_what_discord_takes(world: World) -> None:
    for command in world.bot.tree.walk_commands():
        assert 1 <= len(command.description) <= 100, command.qualified_name
        for option in getattr(command, "parameters", ()):
            assert 1 <= len(str(option.description)) <= 100, (command.qualified_name, option.name)
            assert len(option.choices) <= 25
            assert all(choice.value != "" and choice.name for choice in option.choices)
