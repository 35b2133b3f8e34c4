"""`/pack`: what moderators do with lesson packs."""

from __future__ import annotations

import io
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, moderated_guild, user_of
from cogs.messages import counted
from cogs.moderation.uploads import contents
from cogs.render import packs as render
from cogs.ui.choices import CHOICES
from cogs.ui.escape import safe
from cogs.ui.presses import Press, on_press
from lessons.errors import EmptyPack
from lessons.flows.loading import JAPANESE, NAME_LIMIT, Loading
from lessons.model import PackId, Upload, UploadId

if TYPE_CHECKING:
    from lessons.flows.scheduling import Scheduling
    from lessons.ports import Clock

LANGUAGES: Final = {
    "Japanese": JAPANESE, "German": "de", "English": "en", "Spanish": "es", "French": "fr", "Italian": "it",
    "Portuguese": "pt", "Korean": "ko", "Chinese": "zh", "Other": "und",
}  # fmt: skip


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class Packs(commands.GroupCog, group_name="pack", group_description="Lesson packs of this server"):
    """Packs belong to a server; every changing step asks again whether this person may manage it."""

    def __init__(self, loading: Loading, scheduling: Scheduling, clock: Clock) -> None:
        self._loading = loading
        self._scheduling = scheduling
        self._clock = clock

    @app_commands.command(description="Load a lesson file (CSV, TSV, Anki or Kotoba export). You see a preview first.")
    @app_commands.describe(
        file="The file (CSV, TSV, Anki, Kotoba); its format is recognised",
        name="The pack's name; without it the file's name. The same name again updates the pack",
        language="The language that is learned (Japanese unless you say otherwise)",
        strict_kana="Tell hiragana from katakana in answers",
    )
    @app_commands.choices(language=[app_commands.Choice(name=name, value=value) for name, value in LANGUAGES.items()])
    async def load(
        self,
        interaction: discord.Interaction,
        file: discord.Attachment,
        name: app_commands.Range[str, 1, NAME_LIMIT] | None = None,
        language: str = JAPANESE,
        strict_kana: bool = False,  # noqa: FBT001, FBT002 - an option of a slash command
    ) -> None:
        """Read a file and show what it would become."""
        await interaction.response.defer(ephemeral=True)
        guild = moderated_guild(interaction)
        upload = Upload(
            id=UploadId(0),
            guild_id=guild,
            user_id=user_of(interaction),
            pack_name=name or _stem(file.filename),
            language=language,
            strict_kana=strict_kana,
            file_name=file.filename,
            data=await contents(file, self._loading.limits.bytes),
            at=self._clock(),
        )
        try:
            view = render.preview(await self._loading.preview(upload))
        except EmptyPack as empty:
            view = render.unusable(empty.file_name, empty.problems)
        await interaction.edit_original_response(view=view)

    @on_press("load")
    async def confirm(self, press: Press) -> None:
        """Load the file of a preview."""
        await press.interaction.response.defer()
        guild, user = moderated_guild(press.interaction), user_of(press.interaction)
        done = await self._loading.confirm(UploadId(press.number(0)), guild, user, self._clock())
        await press.interaction.edit_original_response(view=render.loaded(done))

    @on_press("unload_upload")
    async def cancel(self, press: Press) -> None:
        """Let the file of a preview go."""
        await press.interaction.response.defer()
        upload = await self._loading.cancel(UploadId(press.number(0)), moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.cancelled(upload.file_name))

    @on_press("problems")
    async def problems(self, press: Press) -> None:
        """Send every problem of a file as a text file."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        shown = await self._loading.problems(UploadId(press.number(0)), moderated_guild(press.interaction))
        sentence = f"All {counted(len(shown.sheet.problems), 'problem')}, one a line."
        await _hand_over(press.interaction, sentence, "problems.txt", render.problem_list(shown).encode())

    @app_commands.command(name="list", description="List this server's packs and the starter packs.")
    async def list_packs(self, interaction: discord.Interaction) -> None:
        """List the packs that can be drilled here."""
        await interaction.response.defer(ephemeral=True)
        moderated_guild(interaction)
        view = render.listing(await self._loading.packs_of(guild_of(interaction)))
        await interaction.edit_original_response(view=view)

    @app_commands.command(description="Show one pack: its lessons and its rows.")
    @app_commands.describe(name="The pack")
    async def show(self, interaction: discord.Interaction, name: app_commands.Range[str, 1, 100]) -> None:
        """Show a pack's first page."""
        await interaction.response.defer(ephemeral=True)
        guild = moderated_guild(interaction)
        pack = await self._loading.find(name, guild)
        view = render.shelf(await self._loading.shelf(pack.id, guild), 0)
        await interaction.edit_original_response(view=view)

    @on_press("pack", arguments=2)
    async def turn(self, press: Press) -> None:
        """Show another page of a pack."""
        await press.interaction.response.defer()
        shelf = await self._loading.shelf(PackId(press.number(0)), moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.shelf(shelf, press.number(1)))

    @app_commands.command(description="Export a pack as a CSV file that can be edited and loaded again.")
    @app_commands.describe(name="The pack")
    async def export(self, interaction: discord.Interaction, name: app_commands.Range[str, 1, 100]) -> None:
        """Send a pack as a file."""
        await interaction.response.defer(ephemeral=True)
        pack = await self._loading.find(name, moderated_guild(interaction))
        await self._send_pack(interaction, pack.id)

    @on_press("export")
    async def export_shown(self, press: Press) -> None:
        """Send the pack that is being looked at as a file."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        moderated_guild(press.interaction)
        await self._send_pack(press.interaction, PackId(press.number(0)))

    @app_commands.command(description="Remove one of this server's packs. Everybody's progress is kept.")
    @app_commands.describe(name="The pack")
    async def remove(self, interaction: discord.Interaction, name: app_commands.Range[str, 1, 100]) -> None:
        """Ask before a pack is removed."""
        await interaction.response.defer(ephemeral=True)
        guild = moderated_guild(interaction)
        pack = await self._loading.own(name, guild)
        asking = await self._scheduling.asking(pack.id, guild)
        await interaction.edit_original_response(view=render.remove_question(pack, asking))

    @on_press("remove")
    async def remove_confirmed(self, press: Press) -> None:
        """Remove a pack."""
        await press.interaction.response.defer()
        pack = await self._loading.remove(PackId(press.number(0)), moderated_guild(press.interaction), self._clock())
        await press.interaction.edit_original_response(view=render.removed(pack))

    @on_press("keep")
    async def remove_declined(self, press: Press) -> None:
        """Leave a pack where it is."""
        await press.interaction.response.defer()
        shelf = await self._loading.shelf(PackId(press.number(0)), moderated_guild(press.interaction))
        await press.interaction.edit_original_response(view=render.kept(shelf.pack))

    @app_commands.command(description="Get a small example file with all columns explained by example.")
    async def template(self, interaction: discord.Interaction) -> None:
        """Send the template file."""
        await interaction.response.defer(ephemeral=True)
        moderated_guild(interaction)
        sentence = (
            "Fill this in with any spreadsheet, save it as **CSV UTF-8**, and send it with `/pack load`. "
            "`answer` is the one that is shown, `also_ok` holds further ones separated by `|`. "
            "A hint such as `食べる → て-form` shows the part before the arrow with the question."
        )
        await _hand_over(interaction, sentence, "kizuki-template.csv", self._loading.template())

    @show.autocomplete("name")
    @export.autocomplete("name")
    async def _known(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [_choice(name) for name in await self._names(interaction, typed, starter=True)]

    @remove.autocomplete("name")
    async def _own(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [_choice(name) for name in await self._names(interaction, typed, starter=False)]

    async def _names(self, interaction: discord.Interaction, typed: str, *, starter: bool) -> list[str]:
        packs = await self._loading.packs_of(guild_of(interaction))
        shown = [pack.name for pack in packs if starter or pack.guild_id is not None]
        return [name for name in shown if typed.casefold() in name.casefold()][:CHOICES]

    async def _send_pack(self, interaction: discord.Interaction, pack: PackId) -> None:
        guild = guild_of(interaction)
        shelf = await self._loading.shelf(pack, guild)
        data = await self._loading.export(pack, guild)
        rows = counted(len(shelf.items), "row")
        sentence = f"**{safe(shelf.pack.name, 60)}** with {rows}. Loading it again changes nothing but what you edit."
        await _hand_over(interaction, sentence, f"{_plain(shelf.pack.name)}.csv", data)


def _choice(name: str) -> app_commands.Choice[str]:
    return app_commands.Choice(name=name[:100], value=name)


def _stem(file_name: str) -> str:
    """The file's name as a pack's name: without its endings, as much as fits."""
    return PurePath(file_name).name.split(".")[0].replace("_", " ").strip()[:NAME_LIMIT] or "pack"


def _plain(name: str) -> str:
    """A pack's name as a file's name."""
    return "".join(char if char.isalnum() else "_" for char in name)[:NAME_LIMIT]


async def _hand_over(interaction: discord.Interaction, sentence: str, file_name: str, data: bytes) -> None:
    file = discord.File(io.BytesIO(data), file_name)
    await interaction.edit_original_response(view=render.file_card(sentence, file_name), attachments=[file])
