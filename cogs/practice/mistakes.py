"""`/mistakes`: what the learner missed, to look through, relabel, delete and export."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import user_of
from cogs.refusals import StalePress
from cogs.render import mistakes as render
from cogs.ui.presses import Press, on_press
from lessons.model import ErrorType, MistakeFilter, MistakeId
from lessons.wording import KINDS

if TYPE_CHECKING:
    from lessons.flows.recollecting import Recollecting
    from lessons.ports import Clock

SEARCH_LIMIT: Final = 30


class Mistakes(commands.Cog):
    """A learner's own record; it is shown to nobody else."""

    def __init__(self, recollecting: Recollecting, clock: Clock) -> None:
        self._recollecting = recollecting
        self._clock = clock

    @app_commands.command(description="Look through what you missed: filter, relabel, delete, export.")
    @app_commands.describe(kind="Only this kind of mistake", search="Only mistakes that contain this text")
    @app_commands.choices(
        kind=[app_commands.Choice(name=name.capitalize(), value=kind.value) for kind, name in KINDS.items()]
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def mistakes(
        self,
        interaction: discord.Interaction,
        kind: str | None = None,
        search: app_commands.Range[str, 1, SEARCH_LIMIT] | None = None,
    ) -> None:
        """Show the first page."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        only = _only(kind or "", search or "")
        page = await self._recollecting.page(user_of(interaction), only, 0, self._clock())
        await interaction.edit_original_response(view=render.page(page))

    @on_press("mistakes", arguments=3)
    async def turn(self, press: Press) -> None:
        """Show another page."""
        await press.interaction.response.defer()
        await self._show(press, press.number(0), _only(press.text(1), press.text(2)))

    @on_press("sift")
    async def sift(self, press: Press) -> None:
        """Show one kind alone."""
        await press.interaction.response.defer()
        kind = press.chosen()
        await self._show(press, 0, _only("" if kind == render.ALL else kind, press.text(0)))

    @on_press("mistake", arguments=4)
    async def open(self, press: Press) -> None:
        """Show one mistake."""
        await press.interaction.response.defer()
        await self._show_one(press, press.number(1), _only(press.text(2), press.text(3)))

    @on_press("relabel", arguments=4)
    async def relabel(self, press: Press) -> None:
        """Set the kind of a mistake."""
        await press.interaction.response.defer()
        user, kind = user_of(press.interaction), _kind(press.chosen())
        await self._recollecting.relabel(MistakeId(press.number(0)), user, kind, self._clock())
        await self._show_one(press, press.number(1), _only(press.text(2), press.text(3)))

    @on_press("unlike_here", arguments=5)
    async def not_the_same(self, press: Press) -> None:
        """Keep in mind that two mistakes are not alike, and show what is left."""
        await press.interaction.response.defer()
        one, other = MistakeId(press.number(0)), MistakeId(press.number(1))
        await self._recollecting.recalling.dismiss(user_of(press.interaction), one, other, self._clock())
        await self._show_one(press, press.number(2), _only(press.text(3), press.text(4)))

    @on_press("unmistake", arguments=4)
    async def ask_before_deleting(self, press: Press) -> None:
        """Ask whether a mistake is to go for good."""
        await press.interaction.response.defer()
        found = await self._recollecting.mistake(MistakeId(press.number(0)), user_of(press.interaction))
        view = render.delete_question(found, press.number(1), _only(press.text(2), press.text(3)))
        await press.interaction.edit_original_response(view=view)

    @on_press("deleted", arguments=4)
    async def delete(self, press: Press) -> None:
        """Delete a mistake and show the page it stood on."""
        await press.interaction.response.defer()
        await self._recollecting.delete(MistakeId(press.number(0)), user_of(press.interaction))
        await self._show(press, press.number(1), _only(press.text(2), press.text(3)))

    @on_press("unload", arguments=2)
    async def export(self, press: Press) -> None:
        """Send the mistakes of the filter as a file, privately."""
        private = press.interaction.guild_id is not None
        await press.interaction.response.defer(ephemeral=private, thinking=True)
        only = _only(press.text(0), press.text(1))
        data, total = await self._recollecting.export(user_of(press.interaction), only)
        file = discord.File(io.BytesIO(data), "mistakes.csv")
        view = render.exported("mistakes.csv", total)
        await press.interaction.edit_original_response(view=view, attachments=[file])

    async def _show_one(self, press: Press, number: int, only: MistakeFilter) -> None:
        user, mistake = user_of(press.interaction), MistakeId(press.number(0))
        found = await self._recollecting.mistake(mistake, user)
        recalled = await self._recollecting.recalling.similar(user, mistake, self._clock())
        await press.interaction.edit_original_response(view=render.mistake(found, recalled, number, only))

    async def _show(self, press: Press, number: int, only: MistakeFilter) -> None:
        page = await self._recollecting.page(user_of(press.interaction), only, number, self._clock())
        await press.interaction.edit_original_response(view=render.page(page))


def _only(kind: str, search: str) -> MistakeFilter:
    return MistakeFilter(error_type=_kind(kind) if kind else None, contains=search)


def _kind(value: str) -> ErrorType:
    try:
        return ErrorType(value)
    except ValueError:
        raise StalePress from None
