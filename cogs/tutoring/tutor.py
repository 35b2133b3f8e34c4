"""`/ask`, "Why?" under a miss, and the exercise that follows from either."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, interaction_of, user_of
from cogs.languages import language_for
from cogs.refusals import StalePress
from cogs.render import drills
from cogs.render import tutor as render
from cogs.ui.presses import Press, on_press
from cogs.ui.streams import PACE, Private, write
from lessons import tutoring
from lessons.errors import Gone, PressLeadsNowhere
from lessons.model import ErrorType, ExerciseId, Surface
from lessons.tutoring.speaking import MESSAGE_LIMIT  # noqa: TC001 - discord.py reads it off the annotation

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from lessons.flows.asking import Asking
    from lessons.flows.conversing import Place, Saying
    from lessons.ports import Clock


class Tutor(commands.Cog):
    """One question, one answer: private in a server, plain in a direct message."""

    def __init__(self, asking: Asking, clock: Clock, pace: float = PACE) -> None:
        self._asking = asking
        self._clock = clock
        self.pace = pace

    @app_commands.command(description="Ask the tutor, who knows your profile and your mistakes.")
    @app_commands.describe(question="Your question, in any language")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def ask(self, interaction: discord.Interaction, question: app_commands.Range[str, 1, MESSAGE_LIMIT]) -> None:
        """Answer a question, by and by."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        place = await self._place(interaction)
        answer = self._asking.ask(question, place, interaction_of(interaction))
        kind = next(iter(tutoring.kinds_in(question)), None)
        await self._write(interaction, place, answer, kind)

    @on_press("why")
    async def why(self, press: Press) -> None:
        """Explain a miss in a new private message."""
        interaction = press.interaction
        await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=True)
        exercise = ExerciseId(press.number(0))
        place = replace(await self._place(interaction), surface=Surface.WHY)
        found = await self._asking.drills.exercise(exercise, place.user)
        kind = found.item.row.skill if found else None
        await self._write(interaction, place, self._asking.why(exercise, place, interaction_of(interaction)), kind)

    @on_press("ask_drill")
    async def exercise(self, press: Press) -> None:
        """Begin a real drill over the kind of mistake that the question named."""
        interaction = press.interaction
        await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=True)
        step = await self._asking.drill(await self._place(interaction), _kind(press.text(0)), "From the tutor")
        view = drills.step(step) if step else render.nothing_to_drill()
        await interaction.edit_original_response(view=view)

    async def _place(self, interaction: discord.Interaction) -> Place:
        learners = self._asking.conversing.delivering.learners
        language = await language_for(learners, user_of(interaction), str(interaction.locale))
        return await self._asking.place(user_of(interaction), guild_of(interaction), language, self._clock())

    async def _write(
        self,
        interaction: discord.Interaction,
        place: Place,
        answer: AsyncGenerator[Saying, None],
        kind: ErrorType | None,
    ) -> None:
        buttons = [render.exercise_button(kind)]
        last = await write(
            answer, Private(interaction), lambda saying: render.pages(saying, place.at, buttons), self.pace
        )
        if last is None:
            raise PressLeadsNowhere(Gone.DECIDED)


def _kind(value: str) -> ErrorType | None:
    try:
        return ErrorType(value) if value else None
    except ValueError:
        raise StalePress from None
