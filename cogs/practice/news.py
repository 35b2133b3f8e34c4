"""`/news`: exercises out of recent news, and what a judge decided since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, user_of
from cogs.render import drills, verdicts
from cogs.render import news as render
from cogs.ui.choices import offered
from cogs.ui.presses import Press, on_press
from lessons.errors import DrillUnfinished, NewsAllRead, NewsNeedJudge
from lessons.flows.newsreading import Newsreading, NewsRequest
from lessons.model import PackId

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.ports import Clock

COMPLETED: Final = 100
"""Articles, the newest ones, that are offered while somebody types."""


class News(commands.Cog):
    """News drills: private in a server, plain in a direct message. Once begun they are drills like all others."""

    def __init__(self, newsreading: Newsreading, clock: Clock) -> None:
        self._newsreading = newsreading
        self._clock = clock

    @app_commands.command(
        description="Fill gaps in recent news, chosen by what you trip over. Works without any option."
    )
    @app_commands.describe(
        article="An article by its title; without it the recent ones", count="How many questions, 1 to 50"
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def news(
        self,
        interaction: discord.Interaction,
        article: app_commands.Range[str, 1, 100] | None = None,
        count: app_commands.Range[int, 1, 50] | None = None,
    ) -> None:
        """Start a drill, or offer to go on with an unfinished one."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        await self._start(interaction, NewsRequest(user_of(interaction), guild_of(interaction), article or "", count))

    @news.autocomplete("article")
    async def _articles(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        visible = await self._newsreading.visible(user_of(interaction), guild_of(interaction), self._clock(), COMPLETED)
        return offered(typed, [(article.title, str(article.id)) for article in visible])

    @on_press("news", arguments=2)
    async def start(self, press: Press) -> None:
        """Start the drill a button describes (article or 0, count or 0), unless another one is open."""
        await self._start_pressed(press, anew=False)

    @on_press("fresh_news", arguments=2)
    async def start_anew(self, press: Press) -> None:
        """Start the drill a button describes, and give up an open one for it."""
        await self._start_pressed(press, anew=True)

    async def _start_pressed(self, press: Press, *, anew: bool) -> None:
        await press.interaction.response.defer()
        article, count = PackId(press.number(0)) or "", press.number(1) or None
        user, guild = user_of(press.interaction), guild_of(press.interaction)
        await self._start(press.interaction, NewsRequest(user, guild, article, count, anew))

    async def _start(self, interaction: discord.Interaction, ask: NewsRequest) -> None:
        await interaction.edit_original_response(view=await self._started(ask))
        if told := await self._newsreading.decided_since(ask.user):
            await interaction.followup.send(view=verdicts.decided(told), ephemeral=interaction.guild_id is not None)

    async def _started(self, ask: NewsRequest) -> LayoutView:
        now = self._clock()
        try:
            return drills.step(await self._newsreading.start(ask, now))
        except DrillUnfinished as unfinished:
            return render.crossroads(unfinished, ask, now)
        except (NewsAllRead, NewsNeedJudge) as nothing:
            return render.nothing_left(nothing, ask)
