"""Told at the next contact: which of a person's schedules were paused, why, since when, and how they go on."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
from discord.ext import commands

from cogs import messages
from cogs.identity import guild_of, user_of
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import Press, button, on_press
from lessons.errors import KizukiError
from lessons.model import Pause, ScheduleId

if TYPE_CHECKING:
    from lessons.flows.resuming import Resuming
    from lessons.model import Schedule
    from lessons.ports import Clock

_log = logging.getLogger(__name__)

SHOWN: Final = 8
"""Pauses told in one message."""
IN_THEIR_HANDS: Final = {Pause.UNANSWERED, Pause.NO_DM}
"""Pauses that end when the learner says so."""


class Notices(commands.Cog):
    """One private message after a command, once. It costs a short read and never gets into the command's way."""

    def __init__(self, resuming: Resuming, clock: Clock) -> None:
        self._resuming = resuming
        self._clock = clock

    @commands.Cog.listener()
    async def on_app_command_completion(self, interaction: discord.Interaction, _: object) -> None:
        """Tell of pauses, after a command that was answered."""
        user = user_of(interaction)
        try:
            untold = await self._resuming.untold(user)
            if not untold or not interaction.response.is_done():
                return
            await interaction.followup.send(view=told(untold), ephemeral=guild_of(interaction) is not None)
            await self._resuming.told(user, self._clock())
        except (KizukiError, discord.HTTPException, aiohttp.ClientError) as error:
            _log.info("somebody is told of a pause later: %s", type(error).__name__)

    @on_press("unpause")
    async def unpause(self, press: Press) -> None:
        """Let a learner's own schedule go on; pressed again, say when it comes."""
        interaction = press.interaction
        schedule = ScheduleId(press.number(0))
        await interaction.response.defer(ephemeral=guild_of(interaction) is not None, thinking=True)
        slot, was_paused = await self._resuming.asked(schedule, user_of(interaction), self._clock())
        await interaction.edit_original_response(view=notice(messages.resumed(slot, was_paused=was_paused)))


def told(untold: list[Schedule]) -> discord.ui.LayoutView:
    """Show what is paused, with a button for each that its learner can let go on."""
    shown = untold[:SHOWN]
    texts = [messages.paused(each) for each in shown]
    if len(untold) > SHOWN:
        texts.append(f"-# And {len(untold) - SHOWN} more: `/schedule list` shows them.")
    theirs = [each for each in shown if each.user is not None and each.why in IN_THEIR_HANDS]
    buttons = [button(f"Resume {each.kind}" if len(theirs) > 1 else "Resume", "unpause", each.id) for each in theirs]
    return layout(card(Tone.CALM, texts, *rows(buttons)))
