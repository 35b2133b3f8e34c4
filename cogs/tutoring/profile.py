"""`/profile`: what the tutor knows of a learner, which only the learner changes."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs import messages
from cogs.identity import guild_of, user_of
from cogs.moderation.uploads import contents
from cogs.refusals import NotATextFile, StalePress
from cogs.render import profile as render
from cogs.ui.layouts import notice
from cogs.ui.presses import Press, on_press
from lessons.errors import Gone, ModelAway, PressLeadsNowhere, Refusal, UnreadableFile, UnusableName
from lessons.flows.documenting import EmptyDocument
from lessons.flows.judging import feedback_language
from lessons.material.decode import decode
from lessons.model import DocumentId, DocumentKind, Payer, ProfileField

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.documenting import Documenting
    from lessons.flows.profiling import Profiling
    from lessons.model import Document, UserId
    from lessons.ports import Clock

FILE_LIMIT: Final = 100_000
"""Bytes of a file that is handed over."""
ENDINGS: Final = frozenset({".txt", ".md", ""})


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class Profile(commands.GroupCog, group_name="profile", group_description="What the tutor knows of you"):
    """A learner's own profile and documents; they are shown to nobody else."""

    def __init__(self, profiling: Profiling, documenting: Documenting, clock: Clock) -> None:
        self._profiling = profiling
        self._documenting = documenting
        self._clock = clock

    @app_commands.command(description="See what the tutor knows of you, and correct it.")
    async def view(self, interaction: discord.Interaction) -> None:
        """Show the profile."""
        await _defer(interaction)
        await self._show(interaction)

    @app_commands.command(description="Tell the tutor what you learn for: as text, as a file, or in a form.")
    @app_commands.describe(text="What you learn for", file="A text file (.txt, .md)", name="What to call it")
    async def goal(
        self,
        interaction: discord.Interaction,
        text: str | None = None,
        file: discord.Attachment | None = None,
        name: str | None = None,
    ) -> None:
        """Take a goal."""
        await self._take(interaction, DocumentKind.GOAL, text, file, name or "")

    @app_commands.command(description="Tell the tutor where you come from: as text, as a file, or in a form.")
    @app_commands.describe(text="Your background", file="A text file (.txt, .md)", name="What to call it")
    async def background(
        self,
        interaction: discord.Interaction,
        text: str | None = None,
        file: discord.Attachment | None = None,
        name: str | None = None,
    ) -> None:
        """Take a background."""
        await self._take(interaction, DocumentKind.BACKGROUND, text, file, name or "")

    @app_commands.command(description="Say something in your profile in your own words.")
    @app_commands.describe(field="Which part of the profile")
    @app_commands.choices(
        field=[app_commands.Choice(name=name, value=field.value) for field, name in render.FIELDS.items()]
    )
    async def correct(self, interaction: discord.Interaction, field: str) -> None:
        """Open the form of a field."""
        await self._open_form(interaction, _field(field))

    @app_commands.command(description="Let the tutor forget a part of your profile, a document, or everything.")
    async def forget(self, interaction: discord.Interaction) -> None:
        """Ask what is to be forgotten."""
        await _defer(interaction)
        await self._ask_what(interaction)

    @on_press("profile", arguments=0)
    async def back(self, press: Press) -> None:
        """Show the profile once more."""
        await press.interaction.response.defer()
        await self._show(press.interaction)

    @on_press("profile_text")
    async def take_text(self, press: Press) -> None:
        """Keep the text of the form."""
        await _defer(press.interaction, thinking=True)
        fields = press.fields
        await self._save(
            press.interaction, _kind(press.text(0)), fields.get(render.NAME, ""), fields.get(render.TEXT, "")
        )

    @on_press("profile_document", arguments=0)
    async def open_document(self, press: Press) -> None:
        """Show one document."""
        await press.interaction.response.defer()
        shown = await self._document(user_of(press.interaction), press.chosen())
        await press.interaction.edit_original_response(view=render.document(shown))

    @on_press("profile_link", arguments=2)
    async def link(self, press: Press) -> None:
        """Let /ask look into a document, or no longer."""
        await press.interaction.response.defer()
        user, document = user_of(press.interaction), DocumentId(press.number(0))
        await self._documenting.documents.link_to_ask(document, user, linked=press.number(1) == 1)
        shown = await self._document(user, str(document))
        await press.interaction.edit_original_response(view=render.document(shown))

    @on_press("profile_field", arguments=0)
    async def open_form(self, press: Press) -> None:
        """Open the form of the field that was chosen."""
        await self._open_form(press.interaction, _field(press.chosen()))

    @on_press("profile_corrected")
    async def corrected(self, press: Press) -> None:
        """Keep the learner's own line."""
        interaction = press.interaction
        if interaction.message is None:
            await _defer(interaction, thinking=True)
        else:
            await interaction.response.defer()
        field, text = _field(press.text(0)), press.fields.get(render.TEXT, "")
        await self._profiling.correct(user_of(interaction), field, text, self._clock())
        await self._show(interaction)

    @on_press("profile_analyse", arguments=0)
    async def analyse(self, press: Press) -> None:
        """Let a model read the documents, and show what that would change."""
        interaction = press.interaction
        await _defer(interaction, thinking=True)
        user = user_of(interaction)
        language = feedback_language("", str(interaction.locale))
        try:
            payer = Payer(user, guild_of(interaction))
            proposal = await self._profiling.propose(user, language, payer, self._clock())
        except ModelAway as error:
            view = render.away(messages.failure(error))
        else:
            view = render.proposal(proposal) if proposal.digest else render.nothing_to_analyse()
        await interaction.edit_original_response(view=view)

    @on_press("profile_accept")
    async def accept(self, press: Press) -> None:
        """Accept exactly the analysis that is being shown."""
        await press.interaction.response.defer()
        await self._profiling.accept(user_of(press.interaction), press.text(0), self._clock())
        await self._show(press.interaction)

    @on_press("profile_forget", arguments=0)
    async def choose_unwanted(self, press: Press) -> None:
        """Ask what is to be forgotten."""
        await press.interaction.response.defer()
        await self._ask_what(press.interaction)

    @on_press("profile_unwanted", arguments=0)
    async def ask_about_chosen(self, press: Press) -> None:
        """Ask before what was chosen goes."""
        await self._ask_before(press.interaction, press.chosen())

    @on_press("profile_ask_forget")
    async def ask_about_document(self, press: Press) -> None:
        """Ask before the document that is being shown goes."""
        await self._ask_before(press.interaction, press.text(0))

    @on_press("profile_forgotten")
    async def forgotten(self, press: Press) -> None:
        """Forget it, and show what is left."""
        await press.interaction.response.defer()
        user, (sort, value) = user_of(press.interaction), _meant(press.text(0))
        if sort == "field":
            await self._profiling.forget(user, _field(value), self._clock())
        elif sort == "document":
            await self._documenting.documents.remove((await self._document(user, value)).id, user)
        else:
            await self._profiling.forget(user, None, self._clock())
            for each in await self._documenting.documents.of_user(user):
                await self._documenting.documents.remove(each.id, user)
        await self._show(press.interaction)

    async def _take(
        self,
        interaction: discord.Interaction,
        kind: DocumentKind,
        text: str | None,
        file: discord.Attachment | None,
        name: str,
    ) -> None:
        if text is None and file is None:
            await interaction.response.send_modal(render.document_form(kind))
            return
        await _defer(interaction)
        if file is not None:
            path = PurePath(file.filename)
            await self._save(interaction, kind, name or path.stem[: render.NAME_LIMIT], await _read(file))
        else:
            await self._save(interaction, kind, name, text or "")

    async def _save(self, interaction: discord.Interaction, kind: DocumentKind, name: str, text: str) -> None:
        try:
            saved = await self._documenting.save(user_of(interaction), kind, name, text, self._clock())
        except UnusableName as error:
            view = notice(messages.document_name(error.name, error.limit))
        else:
            view = render.document(saved, saved=True)
        await interaction.edit_original_response(view=view)

    async def _open_form(self, interaction: discord.Interaction, field: ProfileField) -> None:
        known = await self._profiling.profile(user_of(interaction), self._clock())
        now = next((line.text for line in known.lines if line.field is field), "")
        await interaction.response.send_modal(render.correct_form(field, now))

    async def _ask_what(self, interaction: discord.Interaction) -> None:
        user = user_of(interaction)
        known, documents = await self._profiling.profile(user, self._clock()), await self._documents(user)
        await interaction.edit_original_response(view=render.forget_choice(known, documents))

    async def _ask_before(self, interaction: discord.Interaction, what: str) -> None:
        await interaction.response.defer()
        sort, value = _meant(what)
        if sort == "field":
            name = render.FIELDS[_field(value)]
        elif sort == "document":
            name = (await self._document(user_of(interaction), value)).name
        else:
            name = "everything you told me about yourself"
        await interaction.edit_original_response(view=render.forget_question(what, name))

    async def _show(self, interaction: discord.Interaction) -> None:
        await interaction.edit_original_response(view=await self._view_of(user_of(interaction)))

    async def _view_of(self, user: UserId) -> LayoutView:
        return render.profile(await self._profiling.profile(user, self._clock()), await self._documents(user))

    async def _documents(self, user: UserId) -> list[Document]:
        return await self._documenting.documents.of_user(user)

    async def _document(self, user: UserId, number: str) -> Document:
        """Return a document of this learner. Raises StalePress, PressLeadsNowhere."""
        if not (number.isascii() and number.isdecimal()):
            raise StalePress
        found = await self._documenting.documents.document(DocumentId(int(number)), user)
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        return found


async def _defer(interaction: discord.Interaction, *, thinking: bool = False) -> None:
    await interaction.response.defer(ephemeral=interaction.guild_id is not None, thinking=thinking)


async def _read(file: discord.Attachment) -> str:
    """Return a file's text. Raises NotATextFile, EmptyDocument, AttachmentTooLarge, AttachmentLost."""
    if PurePath(file.filename).suffix.casefold() not in ENDINGS:
        raise NotATextFile(file.filename)
    try:
        return decode(await contents(file, FILE_LIMIT)).text
    except UnreadableFile as error:
        raise (EmptyDocument() if error.reason is Refusal.EMPTY else NotATextFile(file.filename)) from error


def _field(value: str) -> ProfileField:
    try:
        return ProfileField(value)
    except ValueError:
        raise StalePress from None


def _kind(value: str) -> DocumentKind:
    try:
        return DocumentKind(value)
    except ValueError:
        raise StalePress from None


def _meant(what: str) -> tuple[str, str]:
    """Return what is to be forgotten: ("field", its name), ("document", its id) or ("all", ""). Raises StalePress."""
    sort, _, value = what.partition(".")
    if sort not in {"field", "document", render.EVERYTHING}:
        raise StalePress
    return sort, value
