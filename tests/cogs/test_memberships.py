"""Which servers the bot is in, as far as Discord has said."""

from __future__ import annotations

from cogs.memberships import DiscordMemberships
from tests.conftest import World


async def test_it_is_in_the_servers_that_discord_names(world: World) -> None:
    assert await world.services.memberships.present() == {world.guild.id, world.next_door.id}


async def test_nothing_is_known_before_there_is_a_client() -> None:
    assert await DiscordMemberships().present() is None
