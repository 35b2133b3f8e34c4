"""What is pressed on a group's review: one's own review, being counted or not, a drill for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord.ext import commands

from cogs.identity import guild_of, user_of
from cogs.messages import lacking, permission
from cogs.refusals import ChannelClosed, NotAllowed, ServerOnly, StalePress
from cogs.render import groups as render
from cogs.render import reviews
from cogs.ui.letters import attached
from cogs.ui.presses import Press, on_press
from lessons.flows.reviewing import SHOWN
from lessons.flows.surveying import TogetherAsk
from lessons.model import ChannelId, ErrorType

if TYPE_CHECKING:
    import discord

    from lessons.flows.reviewing import Reviewing
    from lessons.flows.surveying import Surveying
    from lessons.model import GuildId
    from lessons.ports import Clock

NEEDED: Final = ("view_channel", "send_messages")
"""What the bot may do where a drill for all begins."""


class Groups(commands.Cog):
    """The post is for all; what it answers to a press is for the one who pressed, but for a drill that is for all."""

    def __init__(self, surveying: Surveying, reviewing: Reviewing, clock: Clock) -> None:
        self._surveying = surveying
        self._reviewing = reviewing
        self._clock = clock

    @on_press("group_mine")
    async def show_mine(self, press: Press) -> None:
        """Show a person's own review, to nobody else."""
        interaction = press.interaction
        await interaction.response.defer(ephemeral=True, thinking=True)
        found = await self._reviewing.review(user_of(interaction), self._clock(), SHOWN)
        files = attached({reviews.THEME_CHART: found.chart})
        await interaction.edit_original_response(view=reviews.review(found), attachments=files)

    @on_press("count_in")
    async def count_in(self, press: Press) -> None:
        """Count a person; that they are is told to nobody else."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        guild = _server(press.interaction)
        anew = await self._surveying.count_in(user_of(press.interaction), guild, self._clock())
        await press.interaction.edit_original_response(view=render.counted_in(anew=anew))

    @on_press("count_out")
    async def count_out(self, press: Press) -> None:
        """Count a person no more."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        anew = await self._surveying.count_out(user_of(press.interaction), self._clock())
        await press.interaction.edit_original_response(view=render.counted_out(anew=anew))

    @on_press("together", arguments=4)
    async def drill_together(self, press: Press) -> None:
        """Start a drill over a theme for everybody in the channel."""
        interaction = press.interaction
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild = _server(interaction)
        if not interaction.permissions.send_messages:
            raise NotAllowed(permission("send_messages"))
        if missing := lacking(interaction.app_permissions, NEEDED):
            raise ChannelClosed(interaction.channel_id or 0, missing)
        references = tuple(filter(None, press.text(3).split(render.BETWEEN)))
        channel = ChannelId(interaction.channel_id or 0)
        ask = TogetherAsk(guild, channel, user_of(interaction), _kind(press), references)
        await self._surveying.drill_together(ask, press.number(1) ^ interaction.id, self._clock())
        await interaction.edit_original_response(view=render.together_begun())


def _server(interaction: discord.Interaction) -> GuildId:
    """Return the server of a press. Raises ServerOnly."""
    guild = guild_of(interaction)
    if guild is None:
        raise ServerOnly
    return guild


def _kind(press: Press) -> ErrorType:
    """Return the kind of mistake that a button names. Raises StalePress."""
    try:
        return ErrorType(press.text(0))
    except ValueError:
        raise StalePress from None
