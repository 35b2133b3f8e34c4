"""`/compose`: free writing, corrected piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs import messages
from cogs.identity import guild_of, user_of
from cogs.languages import language_for
from cogs.render import compositions as render
from cogs.ui.choices import NAME_LIMIT, offered
from cogs.ui.presses import Press, on_press
from cogs.ui.streams import Private
from lessons.errors import ModelAway
from lessons.model import PackId

if TYPE_CHECKING:
    from lessons.flows.asking import Asking
    from lessons.flows.composing import Composing
    from lessons.flows.loading import Loading
    from lessons.ports import Clock

POINTS: Final = 8
"""Explanations of a pack that a text is to practise."""


class Compositions(commands.Cog):
    """A learner's own writing: private in a server, plain in a direct message."""

    def __init__(self, composing: Composing, asking: Asking, loading: Loading, clock: Clock) -> None:
        self._composing = composing
        self._asking = asking
        self._loading = loading
        self._clock = clock

    @app_commands.command(
        description="Write something of your own and have it corrected; what was wrong is remembered."
    )
    @app_commands.describe(
        prompt="What to write about, or to practise", pack="A lesson pack that the text is to practise"
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def compose(
        self,
        interaction: discord.Interaction,
        prompt: app_commands.Range[str, 1, render.PROMPT_LIMIT] | None = None,
        pack: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        """Open the form for a text."""
        number = (await self._loading.find(pack, guild_of(interaction))).id if pack else 0
        await interaction.response.send_modal(render.form(number, prompt or ""))

    @compose.autocomplete("pack")
    async def _packs(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        packs = await self._loading.packs_of(guild_of(interaction))
        return offered(typed, [(pack.title or pack.name, pack.name) for pack in packs if len(pack.name) <= NAME_LIMIT])

    @on_press("compose_text", arguments=2)
    async def correct(self, press: Press) -> None:
        """Correct a text."""
        interaction, text = press.interaction, press.fields.get(render.TEXT, "")
        await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=True)
        user, guild, at = user_of(interaction), guild_of(interaction), self._clock()
        learners = self._asking.conversing.delivering.learners
        place = await self._asking.place(user, guild, await language_for(learners, user, str(interaction.locale)), at)
        grammar = await self._grammar(PackId(press.number(0)), press.text(1), interaction)
        try:
            pages = render.corrected(await self._composing.compose(text, grammar, place))
        except ModelAway as error:
            pages = render.away(messages.failure(error), text)
        paper = Private(interaction)
        for number, page in enumerate(pages):
            await paper.put(number, page)

    async def _grammar(self, pack: PackId, prompt: str, interaction: discord.Interaction) -> str:
        """Return what a text is meant to practise, a line a point."""
        if not pack:
            return prompt
        shelf = await self._loading.shelf(pack, guild_of(interaction))
        points = dict.fromkeys(item.row.explanation for item in shelf.items if item.row.explanation)
        return "\n".join(filter(None, [prompt, *list(points)[:POINTS]]))
