"""Presses on the cards that a whole channel sees: each answers privately, and the card shows the new numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord.ext import commands

from cogs.identity import guild_of, interaction_of, user_of
from cogs.render import drills
from cogs.render import shared as render
from cogs.ui.presses import Press, on_press
from lessons.flows.answering import ANSWER_LIMIT
from lessons.flows.sharing import Told, Try, has_answered, is_open
from lessons.model import SharedId

if TYPE_CHECKING:
    import discord

    from cogs.together.boards import Boards
    from lessons.flows.choosing import Choosing
    from lessons.flows.sharing import Sharing
    from lessons.ports import Clock

FIELD: Final = "text"


class SharedCards(commands.Cog):
    """Answers to drills of the day and races. What anybody typed is seen by nobody else."""

    def __init__(self, sharing: Sharing, choosing: Choosing, boards: Boards, clock: Clock) -> None:
        self._sharing = sharing
        self._choosing = choosing
        self._boards = boards
        self._clock = clock

    @on_press("shared_answer", arguments=2)
    async def ask_for_answer(self, press: Press) -> None:
        """Open the modal, after one short read; show what is decided already instead."""
        interaction, user = press.interaction, user_of(press.interaction)
        shared, position = SharedId(press.number(0)), press.number(1)
        place = await self._sharing.look(shared, position, user, guild_of(interaction))
        if is_open(place) and not has_answered(place):
            modal = drills.answer_modal(place.item, FIELD, ANSWER_LIMIT, "shared_submit", shared, position)
            await interaction.response.send_modal(modal)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        await _show(interaction, await self._sharing.told(place, user, self._clock()))

    @on_press("shared_submit", arguments=2)
    async def take_answer(self, press: Press) -> None:
        """Grade a submitted answer, tell the person privately, and bring the card up to date."""
        interaction, came_in = press.interaction, self._clock()
        await interaction.response.defer(ephemeral=True, thinking=True)
        shared = SharedId(press.number(0))
        given = Try(
            shared,
            press.number(1),
            guild_of(interaction),
            user_of(interaction),
            press.fields.get(FIELD, ""),
            came_in,
            interaction_of(interaction),
            str(interaction.locale),
        )
        await _show(interaction, await self._sharing.answer(given))
        await self._boards.redraw(shared)

    @on_press("show_name")
    async def show_name(self, press: Press) -> None:
        """Show this person's name on cards, from now on."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        user = user_of(press.interaction)
        already = (await self._choosing.learner(user)).preferences.named
        await self._choosing.change(user, self._clock(), named=True)
        await press.interaction.edit_original_response(view=render.name_shown(already=already))
        await self._boards.redraw_of(user)

    @on_press("hide_name")
    async def hide_name(self, press: Press) -> None:
        """Show this person's name no more."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        user = user_of(press.interaction)
        await self._choosing.change(user, self._clock(), named=False)
        await press.interaction.edit_original_response(view=render.name_hidden())
        await self._boards.redraw_of(user)


async def _show(interaction: discord.Interaction, told: Told) -> None:
    await interaction.edit_original_response(view=render.told(told))
