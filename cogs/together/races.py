"""`/race`: a channel answers the same questions together, each privately, against the clock or without one."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs import messages
from cogs.identity import guild_of, user_of
from cogs.refusals import NoRoomForRace, ServerOnly
from cogs.render import drills
from cogs.render import races as render
from cogs.together.racecourse import Racecourse
from cogs.ui.choices import CHOICES
from cogs.ui.presses import Press, on_press
from lessons.errors import DrillUnfinished, KizukiError
from lessons.flows.racing import QUESTIONS, RaceRequest
from lessons.flows.sharing import Try
from lessons.model import ChannelId, GuildId, InteractionId, SharedId, UserId
from lessons.racing import LONGEST, SECONDS, SHORTEST

if TYPE_CHECKING:
    from cogs.together.boards import Boards, PostRoom
    from lessons.flows.racing import Racing
    from lessons.ports import Clock

NEEDED: Final = ("view_channel", "send_messages")


class Races(commands.Cog):
    """Races of a channel, one at a time."""

    def __init__(self, bot: commands.Bot, racing: Racing, boards: Boards, room: PostRoom, clock: Clock) -> None:
        self.course = Racecourse(racing, boards, room, clock)
        self._bot = bot
        self._racing = racing
        self._boards = boards
        self._clock = clock

    async def cog_load(self) -> None:
        """Hear of every race that begins, whoever begins it."""
        self._racing.sharing.watchers.append(self.course.attend)

    async def cog_unload(self) -> None:
        """Hear of nothing more, and run nothing more."""
        self._racing.sharing.watchers.remove(self.course.attend)
        await self.course.close()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Take up what a restart left behind; may happen many times."""
        await self.course.resume()

    @app_commands.command(
        description="Answer the same questions together in this channel; what you type stays private."
    )
    @app_commands.describe(
        pack="A lesson pack; without it one of this server's",
        lessons="Lessons of the pack, such as 34-38 or 3, 5-7",
        questions="How many questions, 1 to 50",
        seconds="For each question, 10 to 120; 0 for no time limit",
        typed="Also take answers that are typed into the channel",
    )
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def race(
        self,
        interaction: discord.Interaction,
        pack: app_commands.Range[str, 1, 100] | None = None,
        lessons: app_commands.Range[str, 1, 60] | None = None,
        questions: app_commands.Range[int, 1, 50] = QUESTIONS,
        seconds: app_commands.Range[int, 0, LONGEST] = SECONDS,
        typed: bool = False,  # noqa: FBT001, FBT002 - an option of a slash command
    ) -> None:
        """Begin a race here."""
        await interaction.response.defer(ephemeral=True)
        guild, channel = _room_for_race(interaction)
        limit = max(SHORTEST, seconds) if seconds else None
        heard = typed and self._bot.intents.message_content
        ask = RaceRequest(user_of(interaction), guild, channel, pack or "", lessons or "", questions, limit, heard)
        begun = await self._racing.start(ask, self._clock())
        await interaction.edit_original_response(view=render.begun(begun, deaf=typed and not heard))

    @race.autocomplete("pack")
    async def _packs(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        delivering = self._racing.delivering
        visible = await delivering.visible_packs(user_of(interaction), guild_of(interaction), self._clock())
        wanted = typed.casefold()
        named = {pack.name.casefold(): (pack.title or pack.name, pack.name) for pack in reversed(visible)}
        found = [(title, name) for title, name in reversed(named.values()) if wanted in f"{title} {name}".casefold()]
        return [app_commands.Choice(name=title[:100], value=name) for title, name in found][:CHOICES]

    @on_press("race_next", arguments=2)
    async def go_on(self, press: Press) -> None:
        """Close a question without a time limit."""
        await press.interaction.response.defer()
        race, user = SharedId(press.number(0)), user_of(press.interaction)
        await self._racing.next(race, press.number(1), user, guild_of(press.interaction), self._clock())
        await self._boards.redraw(race)

    @on_press("race_stop")
    async def stop(self, press: Press) -> None:
        """End a race."""
        await press.interaction.response.defer()
        race, user = SharedId(press.number(0)), user_of(press.interaction)
        may = press.interaction.permissions
        moderates = may.manage_messages or may.manage_guild
        await self._racing.stop(race, user, guild_of(press.interaction), self._clock(), moderates=moderates)

    @on_press("race_again")
    async def race_again(self, press: Press) -> None:
        """Begin a race like the one that ended."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        guild, _ = _room_for_race(press.interaction)
        begun = await self._racing.again(SharedId(press.number(0)), user_of(press.interaction), guild, self._clock())
        await press.interaction.edit_original_response(view=render.begun(begun, deaf=False))

    @on_press("race_misses", arguments=2)
    async def drill_misses(self, press: Press) -> None:
        """Start a private drill over what this person missed in a race."""
        await press.interaction.response.defer(ephemeral=True, thinking=True)
        race, anew, now = SharedId(press.number(0)), press.number(1) == 1, self._clock()
        user, guild = user_of(press.interaction), guild_of(press.interaction)
        try:
            view = drills.step(await self._racing.misses(race, user, guild, now, anew=anew))
        except DrillUnfinished as unfinished:
            view = render.either(unfinished.drill, race)
        await press.interaction.edit_original_response(view=view)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Take a right answer that is typed into the channel of a race that wants them."""
        race = self.course.listening.get(ChannelId(message.channel.id))
        if race is None or message.author.bot or message.guild is None or not message.content:
            return
        said = Try(
            race,
            0,
            GuildId(message.guild.id),
            UserId(message.author.id),
            message.content,
            self._clock(),
            InteractionId(message.id),
        )
        with suppress(KizukiError):  # nobody waits for words: who is not heard types once more, or presses Answer
            if await self._racing.heard(said):
                await self._boards.redraw(race)


def _room_for_race(interaction: discord.Interaction) -> tuple[GuildId, ChannelId]:
    """Return where a race may be held. Raises ServerOnly, NoRoomForRace."""
    guild = guild_of(interaction)
    if guild is None or interaction.channel_id is None:
        raise ServerOnly
    inside = isinstance(interaction.channel, discord.Thread)
    needed = ("view_channel", "send_messages_in_threads") if inside else NEEDED
    if missing := messages.lacking(interaction.app_permissions, needed):
        raise NoRoomForRace(missing)
    return guild, ChannelId(interaction.channel_id)
