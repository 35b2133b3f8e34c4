"""`/settings`: how a learner wants to learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.identity import user_of
from cogs.practice.arrangements import weekdays
from cogs.refusals import StalePress
from cogs.render import arrangements
from cogs.render import settings as render
from cogs.render.arrangements import DAYS, OFF
from cogs.ui.choices import CHOICES, languages
from cogs.ui.presses import Press, modal, on_press
from lessons.calendar import clock_time
from lessons.model import ScheduleKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord.ui import LayoutView

    from cogs.together.boards import Boards
    from lessons.flows.choosing import Choosing
    from lessons.model import UserId
    from lessons.ports import Clock

FIELD: Final = "zone"
NUMBERS: Final = {"drill_length": 50, "new_per_day": 1000, "reviews_per_day": 10_000}
"""Numbers a select may set, with their upper bounds."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """Options about what comes by itself, as they were given."""

    review: str | None
    review_time: str | None
    reminder: str | None

    def read(self) -> list[tuple[ScheduleKind, int | None, tuple[int, ...] | None]]:
        """Return what is to come: kind, minute and weekdays, None for what was not said, no days for off.

        Raises UnknownTime, StalePress.
        """
        found: list[tuple[ScheduleKind, int | None, tuple[int, ...] | None]] = []
        minute = clock_time(self.review_time) if self.review_time else None
        days = weekdays(self.review) if self.review else None
        if minute is not None or days is not None:
            found.append((ScheduleKind.REVIEW, minute, days))
        if self.reminder:
            is_off = self.reminder.strip().casefold() == OFF
            found.append(
                (ScheduleKind.REMINDER, None, ())
                if is_off
                else (ScheduleKind.REMINDER, clock_time(self.reminder), None)
            )
        return found


class Settings(commands.Cog):
    """A learner's own settings; they hold in every server and in direct messages."""

    def __init__(self, choosing: Choosing, boards: Boards, clock: Clock) -> None:
        self._choosing = choosing
        self._boards = boards
        self._clock = clock

    @app_commands.command(description="Your time zone, how long drills are, how much is new each day.")
    @app_commands.describe(
        time_zone="A big city, Asia/Tokyo, or an offset such as UTC+9",
        drill_length="Questions in a drill, 1 to 50",
        new_per_day="New items a day, 0 to 1000",
        reviews_per_day="Reviews a day at most, 0 to 10000",
        readings="Show the reading of kanji beside the sentence",
        join_mistakes="Look for similar mistakes in lessons and news together",
        feedback="The language of feedback on your news answers, where a language model gives any",
        review="When a review of your mistakes comes to you as a direct message",
        review_time="At what time it comes, such as 19:00 or 7pm",
        reminder="At what time I remind you to practise, such as 7:30, or off",
        streaks="Count the days in a row on which you practised",
        show_name="Show your name on shared cards when you answered",
        group_reviews="Count you, without your name, in reviews of a group",
    )
    @app_commands.choices(feedback=languages(render.FEEDBACK), review=languages(DAYS))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def settings(  # noqa: PLR0913, PLR0917 - the options of a slash command
        self,
        interaction: discord.Interaction,
        time_zone: app_commands.Range[str, 1, 100] | None = None,
        drill_length: app_commands.Range[int, 1, 50] | None = None,
        new_per_day: app_commands.Range[int, 0, 1000] | None = None,
        reviews_per_day: app_commands.Range[int, 0, 10000] | None = None,
        readings: bool | None = None,  # noqa: FBT001 - an option of a slash command
        join_mistakes: bool | None = None,  # noqa: FBT001 - an option of a slash command
        feedback: str | None = None,
        review: str | None = None,
        review_time: app_commands.Range[str, 1, 20] | None = None,
        reminder: app_commands.Range[str, 1, 20] | None = None,
        streaks: bool | None = None,  # noqa: FBT001 - an option of a slash command
        show_name: bool | None = None,  # noqa: FBT001 - an option of a slash command
        group_reviews: bool | None = None,  # noqa: FBT001 - an option of a slash command
    ) -> None:
        """Show the settings, after changing those that were given."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        wishes = Wishes(review, review_time, reminder)
        given: dict[str, str | int | None] = {
            "drill_length": drill_length,
            "new_per_day": new_per_day,
            "reviews_per_day": reviews_per_day,
            "furigana": readings,
            "joined_tracks": join_mistakes,
            "language": feedback,
            "streaks": streaks,
            "named": show_name,
            "counted": group_reviews,
        }
        view = await self._changed(user_of(interaction), time_zone, given, wishes)
        await interaction.edit_original_response(view=view)
        if show_name is not None:
            await self._boards.redraw_of(user_of(interaction))

    async def _changed(
        self, user: UserId, time_zone: str | None, given: Mapping[str, str | int | None], wishes: Wishes
    ) -> LayoutView:
        """Change what was given, all of it read first, and show the card that it stands on."""
        chosen = {field: value for field, value in given.items() if value is not None}
        if "language" in chosen:
            chosen["language"] = _tag(str(chosen["language"]))
        wanted, now = wishes.read(), self._clock()
        if time_zone:
            await self._choosing.set_zone(user, time_zone, now)
        learner = await self._choosing.change(user, now, **chosen) if chosen else await self._choosing.learner(user)
        saved = render.zone_set(learner.preferences.time_zone) if time_zone else "Saved." if chosen else ""
        if not wanted:
            return render.settings(learner, changed=saved)
        for kind, minute, days in wanted:
            await self._choosing.arranging.wish(user, kind, now, minute=minute, weekdays=days)
        arranged = await self._choosing.arranging.arranged(user)
        return arrangements.arrangements(learner, arranged, changed=saved or "Saved.")

    @settings.autocomplete("time_zone")
    async def _zones(self, _: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=name, value=name) for name in self._choosing.zones_like(typed, CHOICES)]

    @on_press("set_number")
    async def set_number(self, press: Press) -> None:
        """Change one of the numbers."""
        field, value = press.text(0), press.chosen_number()
        if field not in NUMBERS or value > NUMBERS[field]:
            raise StalePress
        await self._change(press, **{field: value})

    @on_press("set_furigana")
    async def set_furigana(self, press: Press) -> None:
        """Show or hide readings."""
        await self._change(press, furigana=press.number(0) == 1)

    @on_press("set_joined")
    async def set_joined(self, press: Press) -> None:
        """Look for similar mistakes in lessons and news together, or in each alone."""
        await self._change(press, joined_tracks=press.number(0) == 1)

    @on_press("set_language")
    async def set_language(self, press: Press) -> None:
        """Set the language of feedback."""
        await self._change(press, language=_tag(press.chosen()))

    @on_press("set_named")
    async def set_named(self, press: Press) -> None:
        """Show the learner's name on shared cards, or no longer."""
        await self._change(press, named=press.number(0) == 1)
        await self._boards.redraw_of(user_of(press.interaction))

    @on_press("set_counted")
    async def set_counted(self, press: Press) -> None:
        """Count the learner in reviews of a group, or no longer."""
        await self._change(press, counted=press.number(0) == 1)

    @on_press("settings")
    async def show(self, press: Press) -> None:
        """Show the settings in the place of something else."""
        await press.interaction.response.defer()
        learner = await self._choosing.learner(user_of(press.interaction))
        await press.interaction.edit_original_response(view=render.settings(learner))

    @on_press("zone")
    async def ask_for_zone(self, press: Press) -> None:
        """Open the modal for the time zone, asked for on the card of settings (0) or on that of reviews (1)."""
        field: discord.ui.Label[discord.ui.Modal] = discord.ui.Label(
            text="Time zone",
            description="A big city, Asia/Tokyo, or an offset such as UTC+9",
            component=discord.ui.TextInput(custom_id=FIELD, max_length=100, required=True),
        )
        asked = modal("Your time zone", "set_zone", press.number(0), fields=[field])
        await press.interaction.response.send_modal(asked)

    @on_press("set_zone")
    async def set_zone(self, press: Press) -> None:
        """Set the time zone that was typed, and show the card it was asked for on."""
        await press.interaction.response.defer()
        user = user_of(press.interaction)
        learner = await self._choosing.set_zone(user, press.fields.get(FIELD, ""), self._clock())
        changed = render.zone_set(learner.preferences.time_zone)
        view = render.settings(learner, changed=changed)
        if press.number(0):
            arranged = await self._choosing.arranging.arranged(user)
            view = arrangements.arrangements(learner, arranged, changed=changed)
        await press.interaction.edit_original_response(view=view)

    async def _change(self, press: Press, **chosen: str | int) -> None:
        await press.interaction.response.defer()
        learner = await self._choosing.change(user_of(press.interaction), self._clock(), **chosen)
        await press.interaction.edit_original_response(view=render.settings(learner, changed="Saved."))


def _tag(chosen: str) -> str:
    """The language that an option or a select stands for, "" for Discord's. Raises StalePress for one there is not."""
    if chosen not in render.FEEDBACK:
        raise StalePress
    return "" if chosen == render.AS_DISCORD else chosen
