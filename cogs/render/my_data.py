"""What is kept of a person, on screen: the note, the files, the question before it goes, and the farewell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord

from cogs.messages import counted
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import button, modal

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.exporting import Handed
    from lessons.model import Holdings, UserId

FIELD: Final = "word"
WORD: Final = "DELETE"
COPIES: Final = 7
"""Copies of the database that the operator's machine keeps, the newest ones."""

NOT_THE_WORD: Final = f"Nothing was deleted, since the word was another one. It is {WORD}."

_NOUNS: Final = {
    "answers": "answer",
    "mistakes": "mistake",
    "drills": "drill",
    "documents": "document",
    "profile_lines": "profile line",
    "turns": "tutor message",
    "schedules": "schedule",
    "servers": "server",
}

_NOTE: Final = {
    "What": "Your settings, the servers you used me in, your drills and answers, what you missed and when it comes back, "
    "your documents and profile, what you and the tutor said, your schedules and days of practice; and for each mistake "
    "and piece of a document a row of numbers (a vector) that likens it to others of yours.",
    "Where": "In one file on the operator's computer, which the operator can read.",
    "Who sees it": "You. Moderators who decide about an “I was right” see what was typed, not by whom. Your name stands on "
    "shared cards, and you count in reviews of a group, only if you chose so in `/settings`.",
    "The language model": "If the operator uses one, it is sent answers to news that I cannot decide alone, and what you say "
    "to the tutor with your profile, matching past mistakes and pieces of documents; never your name or id.",
    "How long": "Until you delete it. I delete nothing because you were away. What a server loaded goes 30 days after it "
    "removes me; what you answered there stays yours.",
    "Copies": f"The database is copied every night and before an update, and the {COPIES} newest copies are kept. What you "
    "delete is gone from all of them about a week later. Should the operator have to go back to such a copy before, what "
    "was in it is back as well: look at `/mydata about`, and delete it once more.",
}
_COPIES: Final = f"**Copies.** {_NOTE['Copies']}"
_GOES: Final = (
    "**What goes.** {}: everything with your id on it, for good. Drills, studies and schedules end, and their buttons lead "
    "nowhere any more. What you are answering just now is not kept."
)


def about(user: UserId, held: Holdings, contact: str) -> LayoutView:
    """Show the privacy note with what there is of this person."""
    note = _NOTE | ({"Questions": safe(contact, 200)} if contact else {})
    texts = [
        "### What I keep about you",
        f"Just now: {_listed(held) or 'nothing'}.",
        *(f"**{heading}.** {text}" for heading, text in note.items()),
    ]
    buttons = [
        button("Get it as a file", "mydata_export", user),
        button("Delete it", "mydata_delete", user, style=discord.ButtonStyle.danger),
    ]
    return layout(card(Tone.CALM, texts, *rows([] if held.are_none else buttons)))


def handed(what: Handed, number: int) -> LayoutView:
    """Hand over one of the files."""
    name, data = what.files[number]
    texts = [f"Everything I keep about you: {counted(what.records, 'record')}, as JSON, which any text editor opens."]
    if what.packed:
        texts.append("It is larger than Discord takes as it is, so it is packed (zip).")
    if len(what.files) > 1:
        texts.append(f"Part {number + 1} of {len(what.files)} · {len(data):,} bytes")
    return layout(card(Tone.CALM, texts, discord.ui.File(f"attachment://{name}")))


def nothing() -> LayoutView:
    """Say that there is nothing of this person."""
    return notice("I keep nothing about you.")


def question(user: UserId, held: Holdings, *, said: str = "") -> LayoutView:
    """Say what would go and what would stay, and ask."""
    if held.are_none:
        return nothing()
    texts = [
        f"**{said}**" if said else "",
        "### Delete everything I keep about you?",
        _GOES.format(_listed(held) or "All there is"),
        f"**What stays, without your name.** {_stays(held)}",
        "Messages that I sent you stay in Discord, where you can delete them.",
        _COPIES,
        "-# I cannot bring it back. The file holds all of it, should you want it first.",
    ]
    buttons = [
        button("Get it as a file first", "mydata_export", user),
        button("Delete everything…", "mydata_word", user, style=discord.ButtonStyle.danger),
        button("Keep it", "mydata_keep", user),
    ]
    return layout(card(Tone.WRONG, texts, *rows(buttons)))


def confirmation(user: UserId) -> discord.ui.Modal:
    """Ask for the word."""
    field: discord.ui.Label[discord.ui.Modal] = discord.ui.Label(
        text=f"Type {WORD} to delete everything for good",
        component=discord.ui.TextInput(custom_id=FIELD, max_length=20, required=True),
    )
    return modal("Delete everything of yours", "mydata_erase", user, fields=[field])


def erased(held: Holdings) -> LayoutView:
    """Say that it is done."""
    if held.are_none:
        return nothing()
    texts = [
        "### Everything I kept about you is deleted",
        f"Gone: {_listed(held)}." if _listed(held) else "",
        _COPIES,
        "-# Thank you for learning with me. Should you come back, `/drill` begins anew.",
    ]
    return layout(card(Tone.CALM, texts))


def kept() -> LayoutView:
    """Say that nothing was done."""
    return notice("Nothing was deleted.")


def _stays(held: Holdings) -> str:
    stays = "What the language model cost, and answers of yours that moderators took into a pack."
    if held.traces:
        stays += " Packs, articles, feeds and schedules that you made as a moderator stay with their servers."
    return stays


def _listed(held: Holdings) -> str:
    numbers = [(getattr(held, name), noun) for name, noun in _NOUNS.items()]
    studies = [f"{held.studies:,} {'study' if held.studies == 1 else 'studies'}"] if held.studies else []
    found = [counted(number, noun) for number, noun in numbers if number] + studies
    return ", ".join(found) or ("your settings" if held.settings else "")
