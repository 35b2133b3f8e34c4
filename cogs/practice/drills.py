"""`/drill`, and every press inside a drill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import guild_of, interaction_of, user_of
from cogs.render import drills as render
from cogs.render import verdicts
from cogs.ui.choices import CHOICES
from cogs.ui.presses import Press, on_press
from lessons.errors import DrillUnfinished, NothingDue
from lessons.flows.answering import ANSWER_LIMIT, Answering
from lessons.flows.delivering import Delivering, DrillRequest
from lessons.model import DrillId, ExerciseId, MistakeId, PackId, Submission

if TYPE_CHECKING:
    from datetime import datetime

    from discord.ui import LayoutView

    from lessons.flows.appealing import Appealing, Filed
    from lessons.ports import Clock

FIELD: Final = "text"


class Drills(commands.Cog):
    """Lesson drills: private in a server, plain in a direct message."""

    def __init__(self, delivering: Delivering, answering: Answering, appealing: Appealing, clock: Clock) -> None:
        self._delivering = delivering
        self._answering = answering
        self._appealing = appealing
        self._clock = clock

    @app_commands.command(description="Practise: what is due first, then new items. Works without any option.")
    @app_commands.describe(
        pack="A lesson pack; without it the bot picks what is due, then something new",
        lessons="Lessons of the pack, such as 34-38 or 3, 5-7",
        count="How many questions, 1 to 50",
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def drill(
        self,
        interaction: discord.Interaction,
        pack: app_commands.Range[str, 1, 100] | None = None,
        lessons: app_commands.Range[str, 1, 60] | None = None,
        count: app_commands.Range[int, 1, 50] | None = None,
    ) -> None:
        """Start a drill, or offer to go on with an unfinished one."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        ask = DrillRequest(user_of(interaction), guild_of(interaction), pack or "", lessons or "", count)
        await interaction.edit_original_response(view=await started(self._delivering, ask, self._clock()))

    @drill.autocomplete("pack")
    async def _packs(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        visible = await self._delivering.visible_packs(user_of(interaction), guild_of(interaction), self._clock())
        wanted = typed.casefold()
        named = [(pack.title or pack.name, pack.name) for pack in visible]
        found = [(title, name) for title, name in named if wanted in f"{title} {name}".casefold()]
        once = {name.casefold(): app_commands.Choice(name=title[:100], value=name) for title, name in reversed(found)}
        return list(reversed(once.values()))[:CHOICES]  # a server's own pack stands before a starter of its name

    @on_press("fresh", arguments=4)
    async def start_anew(self, press: Press) -> None:
        """Start the drill a button describes: extra, pack id, count, lessons."""
        await press.interaction.response.defer()
        ask = DrillRequest(
            user_of(press.interaction),
            guild_of(press.interaction),
            PackId(press.number(1)) or "",
            press.text(3),
            press.number(2) or None,
            anew=True,
            extra=press.number(0) == 1,
        )
        await press.interaction.edit_original_response(view=await started(self._delivering, ask, self._clock()))

    @on_press("again")
    async def drill_misses(self, press: Press) -> None:
        """Start a drill over what was missed in an ended one."""
        await press.interaction.response.defer()
        step = await self._delivering.again(DrillId(press.number(0)), user_of(press.interaction), self._clock())
        await press.interaction.edit_original_response(view=render.step(step))

    @on_press("answer")
    async def ask_for_answer(self, press: Press) -> None:
        """Open the modal; one short read comes before it."""
        exercise = await self._delivering.open_exercise(ExerciseId(press.number(0)), user_of(press.interaction))
        await press.interaction.response.send_modal(
            render.answer_modal(exercise.item, FIELD, ANSWER_LIMIT, "submit", exercise.id)
        )

    @on_press("submit")
    async def take_answer(self, press: Press) -> None:
        """Grade a submitted answer and put the verdict in the exercise's place."""
        await press.interaction.response.defer()
        outcome = await self._answering.answer(self._submission(press, press.fields.get(FIELD, "")))
        await press.interaction.edit_original_response(view=verdicts.verdict(outcome))

    @on_press("skip")
    async def skip(self, press: Press) -> None:
        """Settle an exercise without an answer and show the solution."""
        await press.interaction.response.defer()
        outcome = await self._answering.skip(self._submission(press, ""))
        await press.interaction.edit_original_response(view=verdicts.verdict(outcome))

    @on_press("hint")
    async def hint(self, press: Press) -> None:
        """Show the hint of an exercise."""
        await press.interaction.response.defer()
        step = await self._delivering.hint(ExerciseId(press.number(0)), user_of(press.interaction))
        await press.interaction.edit_original_response(view=render.step(step))

    @on_press("next")
    async def go_on(self, press: Press) -> None:
        """Show the next open exercise, or the summary when there is none."""
        await press.interaction.response.defer()
        drill, user = DrillId(press.number(0)), user_of(press.interaction)
        step = await self._delivering.step(drill, user)
        shown = render.step(step) if step.exercise else render.summary(await self._delivering.summary(drill, user))
        await press.interaction.edit_original_response(view=shown)

    @on_press("stop")
    async def stop(self, press: Press) -> None:
        """Stop a drill, keeping everything."""
        await press.interaction.response.defer()
        summary = await self._delivering.stop(DrillId(press.number(0)), user_of(press.interaction), self._clock())
        await press.interaction.edit_original_response(view=render.summary(summary))

    @on_press("similar", arguments=3)
    async def show_similar(self, press: Press) -> None:
        """Show or hide the past mistakes that are like this one, in place."""
        await press.interaction.response.defer()
        await self._show_verdict(press, MistakeId(press.number(1)) or None, similar_open=press.number(2) == 1)

    @on_press("unlike", arguments=3)
    async def not_the_same(self, press: Press) -> None:
        """Keep in mind that two mistakes are not alike, and show what is left."""
        await press.interaction.response.defer()
        user, now = user_of(press.interaction), self._clock()
        await self._answering.recalling.dismiss(user, MistakeId(press.number(1)), MistakeId(press.number(2)), now)
        await self._show_verdict(press, MistakeId(press.number(1)), similar_open=True)

    @on_press("right", arguments=2)
    async def i_was_right(self, press: Press) -> None:
        """Send a wrong verdict on: to the judge where rules decided, else to the moderators."""
        await press.interaction.response.defer()
        language = await self._answering.language_for(self._submission(press, ""))
        exercise, user = ExerciseId(press.number(0)), user_of(press.interaction)
        filed = await self._appealing.file(exercise, user, language, self._clock())
        before = MistakeId(press.number(1)) or None
        await self._show_verdict(press, filed.mistake if filed.judged else before, filed=filed)

    async def _show_verdict(
        self, press: Press, mistake: MistakeId | None, *, similar_open: bool = False, filed: Filed | None = None
    ) -> None:
        user, exercise = user_of(press.interaction), ExerciseId(press.number(0))
        outcome = await self._answering.settled(exercise, user, mistake, self._clock())
        view = verdicts.verdict(outcome, similar_open=similar_open, filed=filed)
        await press.interaction.edit_original_response(view=view)

    def _submission(self, press: Press, text: str) -> Submission:
        return Submission(
            user_of(press.interaction),
            ExerciseId(press.number(0)),
            text,
            self._clock(),
            interaction_of(press.interaction),
            str(press.interaction.locale),
        )


async def started(delivering: Delivering, ask: DrillRequest, now: datetime) -> LayoutView:
    """Start a drill, or offer what there is instead: an unfinished one, or more than the day asks for."""
    try:
        return render.step(await delivering.start(ask, now))
    except DrillUnfinished as unfinished:
        return render.crossroads(unfinished, ask, now)
    except NothingDue as nothing:
        return render.all_done(nothing)
