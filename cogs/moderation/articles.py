"""`/article`: news that no feed brings, handed in by moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, moderated_guild, user_of
from cogs.messages import LANGUAGES
from cogs.moderation.uploads import contents
from cogs.render import articles as render
from cogs.ui.choices import languages, offered
from cogs.ui.presses import Press, on_press
from lessons.errors import ArticleThere, TextTooLong, UnknownArticle, UnreadableFile, UnreadableNews
from lessons.flows.receiving import Handed
from lessons.model import PackId

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.receiving import Receiving
    from lessons.model import Article, GuildId
    from lessons.ports import Clock

FILE_LIMIT: Final = 1_048_576
"""Bytes of a file that is handed in."""
LISTED: Final = 400
"""Articles, the newest ones, that can be looked through."""


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class Articles(commands.GroupCog, group_name="article", group_description="News articles of this server"):
    """Articles belong to a server; every step asks again whether this person may manage it."""

    def __init__(self, receiving: Receiving, clock: Clock) -> None:
        self._receiving = receiving
        self._clock = clock

    @app_commands.command(description="Add an article: paste its text, or send a file (txt, html, srt, vtt).")
    @app_commands.describe(
        file="A text, a saved web page or subtitles; without it you can paste the text",
        title="The title; without it what the text says",
        url="The link that learners see with every exercise",
        language="The language of the text; without it I find out",
    )
    @app_commands.choices(language=languages(LANGUAGES))
    async def add(
        self,
        interaction: discord.Interaction,
        file: discord.Attachment | None = None,
        title: app_commands.Range[str, 1, render.TITLE_LIMIT] | None = None,
        url: app_commands.Range[str, 1, render.URL_LIMIT] | None = None,
        language: str = "",
    ) -> None:
        """Take a file, or open a form for the text."""
        guild = moderated_guild(interaction)
        if file is None:
            await interaction.response.send_modal(render.form("article_text", title or "", url or "", language))
            return
        await interaction.response.defer(ephemeral=True)
        data = await contents(file, FILE_LIMIT)
        user = user_of(interaction)
        handed = Handed(guild, user, title or "", url or "", language, file_name=file.filename, data=data)
        await interaction.edit_original_response(view=await self._added(handed))

    @on_press("article_text")
    async def take_text(self, press: Press) -> None:
        """Make an article of the text that was pasted."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        fields = press.fields
        handed = Handed(
            moderated_guild(press.interaction),
            user_of(press.interaction),
            title=fields.get(render.TITLE, "").strip(),
            url=fields.get(render.LINK, "").strip(),
            language=press.text(0),
            text=fields.get(render.TEXT, ""),
        )
        await press.interaction.edit_original_response(view=await self._added(handed))

    @app_commands.command(name="list", description="List this server's articles, and remove one.")
    async def list_articles(self, interaction: discord.Interaction) -> None:
        """List the articles, newest first."""
        await interaction.response.defer(ephemeral=True)
        await self._show_list(interaction, 0)

    @app_commands.command(description="Remove an article. Learners keep what they answered.")
    @app_commands.describe(article="The article")
    async def remove(self, interaction: discord.Interaction, article: app_commands.Range[str, 1, 100]) -> None:
        """Ask before an article goes."""
        await interaction.response.defer(ephemeral=True)
        found = await self._named(moderated_guild(interaction), article)
        await interaction.edit_original_response(view=render.remove_question(found))

    @remove.autocomplete("article")
    async def _known(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        guild = guild_of(interaction)
        articles = await self._receiving.articles_of(guild, LISTED) if guild else []
        return offered(typed, [(article.title, str(article.id)) for article in articles])

    @on_press("articles")
    async def turn(self, press: Press) -> None:
        """Show a page of the list."""
        await press.interaction.response.defer()
        await self._show_list(press.interaction, press.number(0))

    @on_press("article")
    async def ask_about_chosen(self, press: Press) -> None:
        """Ask before the article that was chosen from the list goes."""
        await self._ask(press, PackId(press.chosen_number()))

    @on_press("remove_article")
    async def ask_before_removing(self, press: Press) -> None:
        """Ask before the article that is being shown goes."""
        await self._ask(press, PackId(press.number(0)))

    @on_press("article_removed")
    async def remove_confirmed(self, press: Press) -> None:
        """Remove an article."""
        await press.interaction.response.defer()
        guild, article = moderated_guild(press.interaction), PackId(press.number(0))
        gone = await self._receiving.remove_article(article, guild, self._clock())
        await press.interaction.edit_original_response(view=render.removed(gone))

    @on_press("article_kept")
    async def remove_declined(self, press: Press) -> None:
        """Leave an article where it is."""
        await press.interaction.response.defer()
        found = await self._receiving.article(PackId(press.number(0)), moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.kept(found))

    async def _ask(self, press: Press, article: PackId) -> None:
        await press.interaction.response.defer()
        found = await self._receiving.article(article, moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.remove_question(found))

    async def _added(self, handed: Handed) -> LayoutView:
        try:
            article = await self._receiving.hand_over(handed, self._clock())
        except (UnreadableNews, UnreadableFile, TextTooLong, ArticleThere) as error:
            return render.refused(error, handed.file_name)
        return render.added(article, url=handed.url)

    async def _show_list(self, interaction: discord.Interaction, page: int) -> None:
        articles = await self._receiving.articles_of(moderated_guild(interaction), LISTED)
        await interaction.edit_original_response(view=render.listing(articles, page))

    async def _named(self, guild: GuildId, name: str) -> Article:
        """Return the article meant by an id (which completions carry) or a title. Raises UnknownArticle."""
        wanted = name.strip()
        for article in await self._receiving.articles_of(guild, LISTED):
            if wanted == str(article.id) or wanted.casefold() == article.title.casefold():
                return article
        raise UnknownArticle(name)
