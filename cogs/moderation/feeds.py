"""`/feed`: where a server's news comes from by itself."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, moderated_guild, user_of
from cogs.messages import LANGUAGES, failure, unopened
from cogs.refusals import UnknownFeed
from cogs.render import feeds as render
from cogs.ui.choices import languages, offered
from cogs.ui.layouts import Tone, notice
from cogs.ui.presses import Press, on_press
from lessons.errors import FeedThere, PressLeadsNowhere, TooManyFeeds, Unfetchable, UnreadableNews
from lessons.model import FeedId, FetchTrouble

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.gathering import Gathering, Look
    from lessons.model import Feed, GuildId
    from lessons.ports import Clock

URL_LIMIT: Final = 2000
NEVER: Final = datetime.min.replace(tzinfo=UTC)
AT_ONCE: Final = 15
"""Feeds that one `/feed refresh` looks at."""
PATIENCE: Final = 600.0
"""Seconds that `/feed refresh` goes on for; Discord takes edits of its message for 15 minutes."""


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class Feeds(commands.GroupCog, group_name="feed", group_description="News feeds of this server"):
    """Feeds belong to a server; every step asks again whether this person may manage it."""

    def __init__(self, gathering: Gathering, clock: Clock) -> None:
        self._gathering = gathering
        self._clock = clock

    @app_commands.command(description="Add a news feed (RSS or Atom), or a site that has one.")
    @app_commands.describe(
        url="The feed's address, or that of the site",
        language="The language of its articles; without it what the feed says",
    )
    @app_commands.choices(language=languages(LANGUAGES))
    async def add(
        self,
        interaction: discord.Interaction,
        url: app_commands.Range[str, 1, URL_LIMIT],
        language: str = "",
    ) -> None:
        """Fetch a feed and its newest articles."""
        await interaction.response.defer(ephemeral=True)
        guild = moderated_guild(interaction)
        await interaction.edit_original_response(view=render.looking(url))
        await interaction.edit_original_response(view=await self._added(interaction, guild, url, language))

    @app_commands.command(name="list", description="List this server's feeds, how they are, and refresh or remove one.")
    async def list_feeds(self, interaction: discord.Interaction) -> None:
        """List the feeds."""
        await interaction.response.defer(ephemeral=True)
        await self._show_list(interaction, 0)

    @app_commands.command(description="Look at a feed now; without a name at all of them.")
    @app_commands.describe(feed="The feed")
    async def refresh(
        self, interaction: discord.Interaction, feed: app_commands.Range[str, 1, 100] | None = None
    ) -> None:
        """Look at one feed, or at all of them one after the other."""
        await interaction.response.defer(ephemeral=True)
        guild = moderated_guild(interaction)
        if feed is None:
            await self._refresh_all(interaction, guild)
        else:
            await self._refresh(interaction, (await self._named(guild, feed)).id, guild)

    @app_commands.command(description="Remove a feed, with its articles or without.")
    @app_commands.describe(feed="The feed")
    async def remove(self, interaction: discord.Interaction, feed: app_commands.Range[str, 1, 100]) -> None:
        """Ask before a feed goes."""
        await interaction.response.defer(ephemeral=True)
        found = await self._named(moderated_guild(interaction), feed)
        await interaction.edit_original_response(view=render.remove_question(found))

    @refresh.autocomplete("feed")
    @remove.autocomplete("feed")
    async def _known(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        guild = guild_of(interaction)
        feeds = await self._gathering.of_guild(guild) if guild else []
        return offered(typed, [(feed.title, str(feed.id)) for feed in feeds])

    @on_press("feeds")
    async def turn(self, press: Press) -> None:
        """Show a page of the list."""
        await press.interaction.response.defer()
        await self._show_list(press.interaction, press.number(0))

    @on_press("feed")
    async def open(self, press: Press) -> None:
        """Show the feed that was chosen from the list."""
        await press.interaction.response.defer()
        found = await self._gathering.feed(FeedId(press.chosen_number()), moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.feed(found))

    @on_press("refresh_feed")
    async def refresh_shown(self, press: Press) -> None:
        """Look at the feed that is being shown."""
        await press.interaction.response.defer()
        await self._refresh(press.interaction, FeedId(press.number(0)), moderated_guild(press.interaction))

    @on_press("remove_feed")
    async def ask_before_removing(self, press: Press) -> None:
        """Ask before the feed that is being shown goes."""
        await press.interaction.response.defer()
        found = await self._gathering.feed(FeedId(press.number(0)), moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.remove_question(found))

    @on_press("feed_removed", arguments=2)
    async def remove_confirmed(self, press: Press) -> None:
        """Remove a feed."""
        await press.interaction.response.defer()
        guild, with_articles = moderated_guild(press.interaction), press.number(1) == 1
        gone = await self._gathering.remove(FeedId(press.number(0)), guild, self._clock(), articles=with_articles)
        await press.interaction.edit_original_response(view=render.removed(gone, articles=with_articles))

    @on_press("feed_kept")
    async def remove_declined(self, press: Press) -> None:
        """Leave a feed where it is."""
        await press.interaction.response.defer()
        found = await self._gathering.feed(FeedId(press.number(0)), moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.feed(found))

    async def _added(self, interaction: discord.Interaction, guild: GuildId, url: str, language: str) -> LayoutView:
        try:
            look = await self._gathering.add(guild, url, language, user_of(interaction), self._clock())
        except (Unfetchable, UnreadableNews, FeedThere, TooManyFeeds) as error:
            refused = isinstance(error, Unfetchable) and error.why is FetchTrouble.BAD_ADDRESS
            why = unopened(url) if refused else failure(error)
            return notice(f"{why}\n-# Nothing was added.", tone=Tone.ALMOST)
        return render.added(look)

    async def _show_list(self, interaction: discord.Interaction, page: int) -> None:
        feeds = await self._gathering.of_guild(moderated_guild(interaction))
        await interaction.edit_original_response(view=render.listing(feeds, page))

    async def _refresh(self, interaction: discord.Interaction, feed: FeedId, guild: GuildId) -> None:
        found = await self._gathering.feed(feed, guild)
        await interaction.edit_original_response(view=render.looking(found.title))
        look = await self._gathering.refresh(feed, guild, self._clock())
        await interaction.edit_original_response(view=render.refreshed(look))

    async def _refresh_all(self, interaction: discord.Interaction, guild: GuildId) -> None:
        """Look at one feed after the other, the one looked at longest ago first, with a line for each."""
        waiting = sorted(await self._gathering.of_guild(guild), key=lambda feed: feed.checked_at or NEVER)
        if not waiting:
            await interaction.edit_original_response(view=render.listing([], 0))
            return
        looks: list[Look] = []
        until = asyncio.get_running_loop().time() + PATIENCE
        while waiting and len(looks) < AT_ONCE and asyncio.get_running_loop().time() < until:
            feed, *waiting = waiting
            await interaction.edit_original_response(view=render.several(looks, waiting, now=feed))
            with suppress(PressLeadsNowhere):  # removed meanwhile
                looks.append(await self._gathering.refresh(feed.id, guild, self._clock()))
        await interaction.edit_original_response(view=render.several(looks, waiting))

    async def _named(self, guild: GuildId, name: str) -> Feed:
        """Return the feed meant by an id (which completions carry) or a title. Raises UnknownFeed."""
        feeds = await self._gathering.of_guild(guild)
        for feed in feeds:
            if name.strip() == str(feed.id) or name.strip().casefold() == feed.title.casefold():
                return feed
        raise UnknownFeed(name, tuple(feed.title for feed in feeds))
