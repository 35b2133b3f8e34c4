"""`/mydata`: what is kept of a person, all of it as a file, and its end."""

from __future__ import annotations

import io
import unicodedata
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import user_of
from cogs.refusals import AnothersData
from cogs.render import my_data as render
from cogs.tutoring import rooms
from cogs.tutoring.studies import Studies
from cogs.ui.presses import Press, on_press

if TYPE_CHECKING:
    from cogs.together.boards import Boards
    from lessons.flows.erasing import Erasing
    from lessons.flows.exporting import Exporting
    from lessons.ports import Clock

FILE_ROOM: Final = 0.95
"""The part of Discord's limit for a file that one of ours takes at most: a request is a little larger than its file."""


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class MyData(commands.GroupCog, group_name="mydata", group_description="What I keep about you, as a file, or deleted"):
    """A person's own data. Every card names whose it is, so that nobody deletes anything by another's button."""

    def __init__(
        self, bot: commands.Bot, boards: Boards, exporting: Exporting, erasing: Erasing, clock: Clock, contact: str
    ) -> None:
        self._bot = bot
        self._boards = boards
        self._exporting = exporting
        self._erasing = erasing
        self._clock = clock
        self._contact = contact

    @app_commands.command(description="What I keep about you, where, for how long, and who sees it.")
    async def about(self, interaction: discord.Interaction) -> None:
        """Show the privacy note with what there is of this person."""
        await _defer(interaction)
        user = user_of(interaction)
        view = render.about(user, await self._erasing.holdings(user), self._contact)
        await interaction.edit_original_response(view=view)

    @app_commands.command(description="Get everything I keep about you as a file.")
    async def export(self, interaction: discord.Interaction) -> None:
        """Send everything of this person."""
        await _defer(interaction)
        await self._hand_over(interaction)

    @app_commands.command(description="Delete everything I keep about you. I ask once more before.")
    async def delete(self, interaction: discord.Interaction) -> None:
        """Say what would go and what would stay."""
        await _defer(interaction)
        await self._ask(interaction)

    @on_press("mydata_export")
    async def export_pressed(self, press: Press) -> None:
        """Send everything of this person in a message of its own."""
        _require_own(press)
        await _defer(press.interaction, thinking=True)
        await self._hand_over(press.interaction)

    @on_press("mydata_delete")
    async def delete_pressed(self, press: Press) -> None:
        """Say what would go and what would stay, in the place of the note."""
        _require_own(press)
        await press.interaction.response.defer()
        await self._ask(press.interaction)

    @on_press("mydata_word")
    async def ask_for_word(self, press: Press) -> None:
        """Open the form in which the deletion is confirmed."""
        _require_own(press)
        await press.interaction.response.send_modal(render.confirmation(user_of(press.interaction)))

    @on_press("mydata_erase")
    async def erase(self, press: Press) -> None:
        """Erase everything of this person, once the word was typed."""
        _require_own(press)
        interaction = press.interaction
        await interaction.response.defer()
        if _folded(press.fields.get(render.FIELD, "")) != _folded(render.WORD):
            await self._ask(interaction, said=render.NOT_THE_WORD)
            return
        user = user_of(interaction)
        erased = await self._erasing.erase(user)
        studies = self._bot.get_cog("Studies")
        if isinstance(studies, Studies):
            studies.talking.let_go(user)
        await interaction.edit_original_response(view=render.erased(erased.held))
        for room in erased.rooms:
            await rooms.close(self._bot, room)
        for card in erased.cards:
            await self._boards.redraw(card)

    @on_press("mydata_keep")
    async def keep(self, press: Press) -> None:
        """Leave everything as it is."""
        _require_own(press)
        await press.interaction.response.defer()
        await press.interaction.edit_original_response(view=render.kept())

    async def _ask(self, interaction: discord.Interaction, said: str = "") -> None:
        user = user_of(interaction)
        held = await self._erasing.holdings(user)
        await interaction.edit_original_response(view=render.question(user, held, said=said))

    async def _hand_over(self, interaction: discord.Interaction) -> None:
        """Send the files, each in a message of its own."""
        named = {str(guild.id): guild.name for guild in self._bot.guilds}
        limit = int(interaction.filesize_limit * FILE_ROOM)
        handed = await self._exporting.export(user_of(interaction), self._clock(), limit, named)
        if not handed.files:
            await interaction.edit_original_response(view=render.nothing())
            return
        hidden = interaction.guild_id is not None
        for number, (name, data) in enumerate(handed.files):
            view, file = render.handed(handed, number), discord.File(io.BytesIO(data), name)
            if number == 0:
                await interaction.edit_original_response(view=view, attachments=[file])
            else:
                await interaction.followup.send(view=view, file=file, ephemeral=hidden)


def _require_own(press: Press) -> None:
    """Raise AnothersData unless the card is this person's."""
    if press.number(0) != user_of(press.interaction):
        raise AnothersData


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


async def _defer(interaction: discord.Interaction, *, thinking: bool = False) -> None:
    await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=thinking)
