"""`/study`, `/roleplay` and `/interview`: conversations with a tutor, in a private thread or in direct messages."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs import messages
from cogs.identity import guild_of, interaction_of, user_of
from cogs.refusals import NoModelHere, NoRoomForThread, StalePress, StudyOver
from cogs.render import drills
from cogs.render import studies as render
from cogs.render import tutor as words
from cogs.tutoring import rooms
from cogs.ui.choices import NAME_LIMIT, offered
from cogs.ui.escape import plain
from cogs.ui.presses import Press, on_press
from lessons import tutoring
from lessons.errors import Gone, NothingMatches, PressLeadsNowhere, UnknownPack
from lessons.flows.studying import StudyRequest
from lessons.model import ChannelId, DocumentId, Mode, PackId, StudyId

if TYPE_CHECKING:
    from cogs.tutoring.talking import Talking
    from lessons.flows.documenting import Documenting
    from lessons.flows.loading import Loading, Shelf
    from lessons.model import Study, UserId
    from lessons.ports import Clock

_PERSONAS: Final = [
    app_commands.Choice(name=plain(f"{each.name}: {each.about}", 100), value=each.key)
    for each in tutoring.PERSONAS.values()
]


class Studies(commands.Cog):
    """Studies are their learner's alone. All that they are stands in the database, so they go on after a restart."""

    study = app_commands.Group(
        name="study",
        description="Learn something with a tutor, topic by topic",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    )

    def __init__(
        self, bot: commands.Bot, talking: Talking, documenting: Documenting, loading: Loading, clock: Clock
    ) -> None:
        self._bot = bot
        self._studying = talking.studying
        self._documenting = documenting
        self._loading = loading
        self._clock = clock
        self.talking = talking
        self._beginning: set[int] = set()

    @study.command(description="Study a topic with a tutor, in a private thread or here in direct messages.")
    @app_commands.describe(topic="What you want to learn", persona="Your tutor")
    @app_commands.choices(persona=_PERSONAS)
    async def start(
        self,
        interaction: discord.Interaction,
        topic: app_commands.Range[str, 1, render.SUBJECT_LIMIT],
        persona: str = "",
    ) -> None:
        """Show the card before a study."""
        await self._set_up(interaction, render.Draft(Mode.STUDY, topic, persona))

    @study.command(description="End a study: see what it came to, and keep what was corrected.")
    async def end(self, interaction: discord.Interaction) -> None:
        """End the study of this place, or the only one; of several, ask which."""
        user = user_of(interaction)
        here = await self._studying.found(ChannelId(interaction.channel_id or 0), user)
        studies = [here] if here else await self._studying.studies.open_of(user)
        if len(studies) == 1:
            await self._end(interaction, studies[0].id)
        else:
            await interaction.response.send_message(
                view=render.listing(studies), ephemeral=interaction.guild_id is not None
            )

    @study.command(name="list", description="List your open studies.")
    async def list_studies(self, interaction: discord.Interaction) -> None:
        """List the open studies."""
        await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        studies = await self._studying.studies.open_of(user_of(interaction))
        await interaction.edit_original_response(view=render.listing(studies))

    @app_commands.command(description="Play a scene with a tutor, held to the grammar of a lesson if you like.")
    @app_commands.describe(
        scene="Where you are and who you talk to",
        pack="A lesson pack to practise",
        lesson="One lesson of it",
        persona="Your tutor",
    )
    @app_commands.choices(persona=_PERSONAS)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def roleplay(
        self,
        interaction: discord.Interaction,
        scene: app_commands.Range[str, 1, render.SUBJECT_LIMIT],
        pack: app_commands.Range[str, 1, 100] | None = None,
        lesson: app_commands.Range[str, 1, render.LESSON_LIMIT] | None = None,
        persona: str = "",
    ) -> None:
        """Show the card before a role-play, which only a model can play."""
        if not self._studying.conversing.consulting.is_there:
            raise NoModelHere
        shelf = await self._shelf(interaction, pack) if pack else None
        if shelf and lesson and lesson not in dict(shelf.lessons):
            raise NothingMatches(shelf.pack.name, lesson, tuple(name for name, _ in shelf.lessons))
        held = (shelf.pack.id, lesson or "") if shelf else (0, "")
        await self._set_up(interaction, render.Draft(Mode.ROLEPLAY, scene, persona, *held))

    @app_commands.command(description="Practise an interview: questions one by one, and a report at the end.")
    @app_commands.describe(position="What you apply for", persona="Who asks")
    @app_commands.choices(persona=_PERSONAS)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def interview(
        self,
        interaction: discord.Interaction,
        position: app_commands.Range[str, 1, render.SUBJECT_LIMIT],
        persona: str = "",
    ) -> None:
        """Show the card before an interview."""
        await self._set_up(interaction, render.Draft(Mode.INTERVIEW, position, persona))

    @roleplay.autocomplete("pack")
    async def _packs(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        packs = await self._loading.packs_of(guild_of(interaction))
        return offered(typed, [(pack.title or pack.name, pack.name) for pack in packs if len(pack.name) <= NAME_LIMIT])

    @roleplay.autocomplete("lesson")
    async def _lessons(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            shelf = await self._shelf(interaction, interaction.namespace.pack or "")
        except UnknownPack:
            return []
        return offered(typed, [(name, name) for name, _ in shelf.lessons if 0 < len(name) <= render.LESSON_LIMIT])

    @on_press(render.WHO)
    async def choose_persona(self, press: Press) -> None:
        """Take another tutor, before a study."""
        await self._redraw(press, replace(_draft(press), persona=press.chosen()))

    @on_press(render.PAPERS, arguments=0)
    async def choose_documents(self, press: Press) -> None:
        """Link documents, before a study."""
        await self._redraw(
            press, replace(_draft(press), documents=tuple(map(int, filter(str.isdecimal, press.values))))
        )

    @on_press(render.BEGIN, arguments=3)
    async def begin(self, press: Press) -> None:
        """Begin the study of a card: in a thread, or where the card is in direct messages there."""
        await self._begin(press, direct=press.interaction.guild_id is None)

    @on_press("study_direct", arguments=0)
    async def begin_directly(self, press: Press) -> None:
        """Begin the study of a card in direct messages."""
        await self._begin(press, direct=True)

    @on_press("study_reply")
    async def ask_for_reply(self, press: Press) -> None:
        """Open the form for what the learner says."""
        study = await self._owned(press)
        self.talking.require_silence(study.id)
        await press.interaction.response.send_modal(render.reply_form(study))

    @on_press("study_said")
    async def take_reply(self, press: Press) -> None:
        """Show what the learner says, and answer it."""
        text = press.fields.get(render.TEXT, "")
        study = await self._open(StudyId(press.number(0)), user_of(press.interaction), text)
        self.talking.require_silence(study.id)
        await press.interaction.response.send_message(view=render.said(text))
        language = await self._language(press.interaction)
        source = interaction_of(press.interaction)
        await self.talking.speak(study, self._studying.say(study, text, language, source, self._clock()))

    @on_press("study_next")
    async def next_topic(self, press: Press) -> None:
        """Leave the topic at hand for the next one."""
        study = await self._owned(press)
        self.talking.require_silence(study.id)
        await press.interaction.response.defer()
        language, source = await self._language(press.interaction), interaction_of(press.interaction)
        await self.talking.speak(study, self._studying.go_on(study, language, source, self._clock()))

    @on_press("study_exercise")
    async def exercise(self, press: Press) -> None:
        """Begin a real drill on the topic at hand, privately."""
        await _think(press.interaction)
        step = await self._studying.exercise(await self._owned(press), self._clock())
        view = drills.step(step) if step else words.nothing_to_drill()
        await press.interaction.edit_original_response(view=view)

    @on_press("study_map")
    async def show_roadmap(self, press: Press) -> None:
        """Show where the topics stand."""
        await _think(press.interaction)
        await press.interaction.edit_original_response(view=render.roadmap(await self._owned(press)))

    @on_press("study_end")
    async def end_pressed(self, press: Press) -> None:
        """End the study that a button names."""
        await self._end(press.interaction, StudyId(press.number(0)))

    async def takes(self, message: discord.Message) -> bool:
        """Tell whether a message is said to the tutor of an open study."""
        return await self.talking.addressed(message) is not None

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer what a learner types into their study, where Discord lets the bot read it."""
        await self.talking.answer(message)

    async def _set_up(self, interaction: discord.Interaction, draft: render.Draft) -> None:
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=interaction.guild_id is not None)
        subject = plain(draft.subject, render.SUBJECT_LIMIT) or render.MODES[draft.mode]
        user, in_server = user_of(interaction), interaction.guild_id is not None
        documents = await self._documenting.documents.of_user(user)
        ends = not in_server and any(study.guild is None for study in await self._studying.studies.open_of(user))
        view = render.setup(replace(draft, subject=subject), documents, in_server=in_server, ends=ends)
        await interaction.edit_original_response(view=view)

    async def _redraw(self, press: Press, draft: render.Draft) -> None:
        await press.interaction.response.defer()
        await self._set_up(press.interaction, draft)

    async def _begin(self, press: Press, *, direct: bool) -> None:
        interaction, draft, card = press.interaction, _draft(press), press.interaction.message
        if card is None or card.id in self._beginning:
            raise PressLeadsNowhere(Gone.DECIDED)
        self._beginning.add(card.id)
        try:
            await interaction.response.defer()
            await self._open_room(interaction, draft, direct=direct)
        finally:
            self._beginning.discard(card.id)

    async def _open_room(self, interaction: discord.Interaction, draft: render.Draft, *, direct: bool) -> None:
        preparing = render.preparing(draft)
        try:
            if direct:
                first = await rooms.direct(interaction, preparing)
            else:
                first = await rooms.thread(interaction, draft.subject, preparing)
        except NoRoomForThread as error:
            await interaction.edit_original_response(view=render.no_room(messages.failure(error), draft))
            return
        await interaction.edit_original_response(view=preparing)
        language = await self._language(interaction)
        try:
            study = await self._begun(interaction, draft, first, language, direct=direct)
        except BaseException:
            await rooms.leave(first)
            raise
        with suppress(*rooms.FALLEN):
            await first.edit(view=render.roadmap(study))
        await interaction.edit_original_response(view=render.begun(study, first.channel.id, direct=direct))
        opening = self._studying.open(study, language, interaction_of(interaction), self._clock())
        await self.talking.speak(study, opening)

    async def _begun(
        self,
        interaction: discord.Interaction,
        draft: render.Draft,
        first: discord.Message,
        language: str,
        *,
        direct: bool,
    ) -> Study:
        ask = StudyRequest(
            user=user_of(interaction),
            guild=None if direct else guild_of(interaction),
            mode=draft.mode,
            subject=draft.subject,
            persona=tutoring.persona(draft.persona).key,
            language=language,
            documents=tuple(map(DocumentId, draft.documents)),
            pack=PackId(draft.pack) if draft.pack else None,
            lesson=draft.lesson,
        )
        study = await self._studying.begin(ask, self._clock())
        await self._studying.studies.place(study.id, study.user, ChannelId(first.channel.id))
        return replace(study, channel=ChannelId(first.channel.id))

    async def _end(self, interaction: discord.Interaction, number: StudyId) -> None:
        user = user_of(interaction)
        study = await self._open(number, user)
        self.talking.require_silence(number)
        here = study.channel == interaction.channel_id
        await interaction.response.defer(ephemeral=interaction.guild_id is not None and not here, thinking=True)
        end = await self._studying.end(number, user, await self._language(interaction), self._clock())
        view = render.closing(end)
        await interaction.edit_original_response(view=view)
        await self.talking.take_buttons_away(number)
        if study.channel is None:
            return
        if not here:
            with suppress(*rooms.FALLEN):
                await self._bot.get_partial_messageable(study.channel).send(view=view)
        await rooms.close(self._bot, study.channel)

    async def _owned(self, press: Press) -> Study:
        return await self._open(StudyId(press.number(0)), user_of(press.interaction))

    async def _open(self, number: StudyId, user: UserId, typed: str = "") -> Study:
        """Return an open study of this learner. Raises StudyOver (with what was `typed`), PressLeadsNowhere."""
        try:
            return await self._studying.owned(number, user)
        except PressLeadsNowhere as error:
            if error.why is Gone.FINISHED:
                raise StudyOver(error.at, typed) from error
            raise

    async def _language(self, interaction: discord.Interaction) -> str:
        return await self.talking.language(user_of(interaction), str(interaction.locale))

    async def _shelf(self, interaction: discord.Interaction, name: str) -> Shelf:
        guild = guild_of(interaction)
        return await self._loading.shelf((await self._loading.find(name, guild)).id, guild)


def _draft(press: Press) -> render.Draft:
    found = render.draft_of(press.interaction.message)
    if found is None:
        raise StalePress
    return found


async def _think(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=True)
