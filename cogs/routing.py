"""Takes every press by its custom id and brings it to the cog that answers it.

A message from before a restart, a modal that was open across it, and a button of an older release all arrive here,
and each of them is answered in words.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.refusals import StalePress
from cogs.ui.presses import MARK, PREFIX, Press

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

    from cogs.failures import Funnel

PRESSES = {discord.InteractionType.component, discord.InteractionType.modal_submit}


class GuardedTree(app_commands.CommandTree[commands.Bot]):
    """The slash commands, counted while they run, their errors brought to the funnel."""

    _funnel: Funnel | None = None

    def guard(self, funnel: Funnel) -> None:
        """Send every command through this funnel."""
        self._funnel = funnel

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Take a command in, unless the bot is about to stop. Completions of options are neither counted nor refused."""
        if self._funnel is None or interaction.type is discord.InteractionType.autocomplete:
            return True
        return await self._funnel.enter(interaction)

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Tell what went wrong with a command."""
        if self._funnel is not None:
            await self._funnel.leave(interaction, error)


class Presses(commands.Cog):
    """Routes components and modals, through the error funnel."""

    def __init__(self, bot: commands.Bot, funnel: Funnel) -> None:
        self._bot = bot
        self._funnel = funnel

    @commands.Cog.listener()
    async def on_app_command_completion(self, interaction: discord.Interaction, _: object) -> None:
        """A command ran to its end."""
        await self._funnel.leave(interaction)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a press or a modal; commands go their own way."""
        if interaction.type in PRESSES:
            await self._funnel.guard(interaction, partial(self._answer, interaction))

    async def _answer(self, interaction: discord.Interaction) -> None:
        data: Mapping[str, Any] = dict(interaction.data or {})
        prefix, _, rest = str(data.get("custom_id", "")).partition(":")
        action, _, tail = rest.partition(":")
        found = dict(self._answers()).get(action)
        if prefix != PREFIX or found is None:
            raise StalePress
        method, count = found
        arguments = tuple(tail.split(":", max(0, count - 1))) if tail else ()
        fields = dict(_fields(data.get("components", ())))
        await method(Press(interaction, arguments, tuple(data.get("values", ())), fields))

    def _answers(self) -> Iterator[tuple[str, tuple[Callable[[Press], Awaitable[None]], int]]]:
        for cog in self._bot.cogs.values():
            for name in dir(type(cog)):
                if mark := getattr(getattr(type(cog), name), MARK, None):
                    action, arguments = mark
                    yield action, (getattr(cog, name), arguments)


def _fields(components: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Find the text inputs of a submitted modal, however deep they stand."""
    for component in components:
        if "value" in component and "custom_id" in component:
            yield component["custom_id"], component["value"]
        yield from _fields(component.get("components", ()))
        if inner := component.get("component"):
            yield from _fields([inner])
