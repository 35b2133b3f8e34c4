"""What the tutor knows of a learner, on screen: the profile with who wrote it, the documents, and what can be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle, SelectOption, TextStyle
from discord.ui import Label, Modal, TextInput

from cogs import messages
from cogs.messages import counted
from cogs.ui.escape import plain, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows, select
from cogs.ui.presses import button, custom_id, modal
from lessons.model import DocumentKind, Origin, ProfileField
from lessons.profile import HIDDEN, LIMITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import LayoutView

    from lessons.flows.profiling import Proposal
    from lessons.model import Document, Profile

TEXT, NAME = "text", "name"
NAME_LIMIT: Final = 80
TEXT_LIMIT: Final = 4000
"""Characters of a long field; Discord takes no more."""
EVERYTHING: Final = "all"
SHOWN_TEXT: Final = 1_500

FIELDS: Final = {
    ProfileField.OVERVIEW: "Overview",
    ProfileField.TARGET: "Target",
    ProfileField.STRENGTHS: "Strengths",
    ProfileField.GAPS: "Gaps",
    ProfileField.FOCUS: "Focus",
    ProfileField.PROJECTS: "Projects",
    ProfileField.EXPERIENCE: "Experience",
    ProfileField.REQUIREMENTS: "Requirements",
}
KINDS: Final = {DocumentKind.GOAL: "what you learn for", DocumentKind.BACKGROUND: "where you come from"}
_BY: Final = {Origin.LEARNER: "you", Origin.ANALYSIS: "accepted analysis", Origin.SUMMARY: "counted and quoted"}
_EMPTY: Final = (
    "Nothing yet. Tell me what you learn for with `/profile goal` and where you come from with `/profile background`, "
    "as text or as a file; or answer a few questions with `/drill`, and I count what goes wrong."
)


def profile(shown: Profile, documents: Sequence[Document]) -> LayoutView:
    """Show each field with who wrote it, the documents with whether /ask looks into them, and what can be done."""
    lines = [f"**{FIELDS[line.field]}** · {safe(line.text, 300)}\n-# by: {_BY[line.origin]}" for line in shown.lines]
    papers = [_document_line(document) for document in documents]
    texts = [
        "### What the tutor knows of you",
        "\n".join(lines) or _EMPTY,
        "### Documents\n" + "\n".join(papers) if papers else "",
        "-# Only you see this. The tutor always knows the profile; into a document it looks where you link it.",
    ]
    chosen = [select(custom_id("profile_field"), "Correct a field", _field_options(shown))]
    if documents:
        chosen.append(select(custom_id("profile_document"), "Open a document", _document_options(documents)))
    buttons = [button("Analyse my documents", "profile_analyse")] if documents else []
    if documents or any(line.origin is not Origin.SUMMARY for line in shown.lines):
        buttons.append(button("Forget …", "profile_forget"))
    return layout(card(Tone.CALM, texts, *chosen, *rows(buttons)))


def document(shown: Document, *, saved: bool = False) -> LayoutView:
    """Show one document, and what can be done with it."""
    size = counted(len(shown.text), "character")
    text = safe(shown.text, SHOWN_TEXT, one_line=False)
    linked = (
        "`/ask` looks into it." if shown.in_ask else "`/ask` does not look into it; a study does where you link it."
    )
    texts = [
        f"### {'Saved: ' if saved else ''}{safe(shown.name, NAME_LIMIT)}",
        f"{KINDS[shown.kind].capitalize()} · {size} · {messages.when(shown.at, 'D')}\n{linked}",
        "" if saved else text,
    ]
    buttons = [
        button(
            f"Use in /ask: {'on' if shown.in_ask else 'off'}",
            "profile_link",
            shown.id,
            int(not shown.in_ask),
            style=ButtonStyle.success if shown.in_ask else ButtonStyle.secondary,
        ),
        button("Analyse", "profile_analyse", style=ButtonStyle.primary),
        button("Profile", "profile"),
        button("Forget it", "profile_ask_forget", f"document.{shown.id}", style=ButtonStyle.danger),
    ]
    return layout(card(Tone.RIGHT if saved else Tone.CALM, texts, *rows(buttons)))


def document_form(kind: DocumentKind) -> Modal:
    """Ask for a text about oneself."""
    asked = "What do you learn for?" if kind is DocumentKind.GOAL else "Where do you come from?"
    fields: list[Label[Modal]] = [
        Label(text="Name", component=TextInput(custom_id=NAME, required=False, max_length=NAME_LIMIT)),
        Label(
            text=asked,
            description="Up to 4,000 characters; a file may hold more. Only you and the tutor see it.",
            component=TextInput(custom_id=TEXT, style=TextStyle.paragraph, max_length=TEXT_LIMIT, required=True),
        ),
    ]
    return modal("About you", "profile_text", kind.value, fields=fields)


def correct_form(field: ProfileField, now: str) -> Modal:
    """Ask for the learner's own line of a field."""
    limit = LIMITS[field]
    asked: Label[Modal] = Label(
        text=FIELDS[field],
        description=f"One line. Empty: my words again. {HIDDEN} leaves the field out.",
        component=TextInput(
            custom_id=TEXT, style=TextStyle.paragraph, max_length=limit, required=False, default=now[:limit] or None
        ),
    )
    return modal("Correct your profile", "profile_corrected", field.value, fields=[asked])


def proposal(shown: Proposal) -> LayoutView:
    """Show field by field what an analysis would change; nothing is changed yet."""
    if not shown.changes:
        return notice("The analysis would change nothing in your profile.", button("Profile", "profile"))
    lines = [
        f"**{FIELDS[name]}**\n~~{safe(old, 200) or '–'}~~\n→ {safe(new, 200) or '–'}"
        for name, old, new in shown.changes
    ]
    texts = [
        "### What the analysis would change",
        "\n".join(lines),
        "-# A language model read your documents; it can be wrong. Nothing is changed until you accept it.",
    ]
    buttons = [
        button("Accept", "profile_accept", shown.digest, style=ButtonStyle.success),
        button("Leave it", "profile"),
    ]
    return layout(card(Tone.ALMOST, texts, *rows(buttons)))


def nothing_to_analyse() -> LayoutView:
    """Say that there is no document to read."""
    return notice("There is no document to analyse yet. `/profile goal` and `/profile background` take one.")


def forget_choice(shown: Profile, documents: Sequence[Document]) -> LayoutView:
    """Ask what is to be forgotten."""
    own = [line.field for line in shown.lines if line.origin is not Origin.SUMMARY]
    options = [SelectOption(label=FIELDS[name], value=f"field.{name.value}") for name in own]
    options += [
        SelectOption(label=plain(f"Document: {each.name}", 100), value=f"document.{each.id}") for each in documents
    ]
    if not options:
        return notice("There is nothing to forget: what the profile shows is counted from your answers.")
    options.append(SelectOption(label="Everything: fields and documents", value=EVERYTHING))
    return layout(card(Tone.CALM, ["What shall I forget?"], select(custom_id("profile_unwanted"), "Choose", options)))


def forget_question(what: str, name: str) -> LayoutView:
    """Ask before something goes for good."""
    stays = (
        "\nWhat an analysis you accepted says of it stays in your profile; `/profile forget` takes that away, too."
        if what.startswith("document")
        else ""
    )
    return notice(
        f"Forget **{safe(name, NAME_LIMIT)}** for good? This cannot be taken back.{stays}",
        button("Keep it", "profile", style=ButtonStyle.primary),
        button("Forget", "profile_forgotten", what, style=ButtonStyle.danger),
        tone=Tone.WRONG,
    )


def away(sentence: str) -> LayoutView:
    """Say that no model can analyse now, and what works without one."""
    return notice(
        f"{sentence}\nWithout it your profile shows what you write yourself (**Correct a field**), the beginnings of your "
        "documents, and what is counted from your answers.",
        button("Profile", "profile"),
    )


def _document_line(shown: Document) -> str:
    linked = "used in `/ask`" if shown.in_ask else "not used in `/ask`"
    return f"- 📄 **{safe(shown.name, 60)}** · {KINDS[shown.kind]} · {counted(len(shown.text), 'character')} · {linked}"


def _field_options(shown: Profile) -> list[SelectOption]:
    now = {line.field: line.text for line in shown.lines}
    return [
        SelectOption(label=name, value=field.value, description=plain(now.get(field, ""), 100) or None)
        for field, name in FIELDS.items()
    ]


def _document_options(documents: Sequence[Document]) -> list[SelectOption]:
    return [discord.SelectOption(label=plain(each.name, 100) or "document", value=str(each.id)) for each in documents]
