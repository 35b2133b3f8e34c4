"""Free writing on screen: the form for it, the text with its corrections marked, and what each of them says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import TextStyle
from discord.ui import Label, Modal, TextInput

from cogs.messages import counted
from cogs.render.tutor import PAGE
from cogs.ui.escape import plain, safe
from cogs.ui.layouts import Tone, card, layout, rows
from cogs.ui.presses import button, modal
from lessons import tutoring
from lessons.flows.composing import LONGEST

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.composing import Composition
    from lessons.model import Corrected, Correction

TEXT: Final = "text"
PROMPT_LIMIT: Final = 80
PART: Final = 300


def form(pack: int, prompt: str) -> Modal:
    """Ask for a text; what it is about stands above the field, and in the form itself."""
    asked: Label[Modal] = Label(
        text="Your text",
        description=plain(prompt, 100) or "Whatever you like to write, in the language you learn",
        component=TextInput(custom_id=TEXT, style=TextStyle.paragraph, max_length=LONGEST, required=True),
    )
    return modal("Write something", "compose_text", pack, prompt, fields=[asked])


def corrected(shown: Composition) -> list[LayoutView]:
    """Show the text with its corrections marked, each with what there is to say of it, on as many pages as it takes."""
    found = shown.corrected
    notes = [_note(number, each) for number, each in enumerate(found.corrections, 1)]
    parts = [
        "### Your text",
        _marked(found),
        safe(found.comment, 600) if found.comment else "",
        "\n".join(notes) if notes else "Nothing to correct.",
    ]
    pages = tutoring.pages("\n\n".join(filter(None, parts)), PAGE)
    kept = f"**{counted(len(shown.kept), 'mistake')}** kept; `/mistakes` shows them." if shown.kept else ""
    last = [pages[-1], kept, "-# A language model corrected this; it can be wrong"]
    buttons = [button("My mistakes", "mistakes", 0, "", "")] if shown.kept else []
    tone = Tone.ALMOST if notes else Tone.RIGHT
    return [*(layout(card(tone, [page])) for page in pages[:-1]), layout(card(tone, last, *rows(buttons)))]


def away(sentence: str, text: str) -> list[LayoutView]:
    """Say that nobody can correct free writing now, and give the text back, so that it is not lost."""
    why = (
        f"{sentence}\nNobody but a language model can correct free writing, so nothing was corrected and nothing counts. "
        "What works without one: `/drill` and `/news`, where I can tell right from wrong."
    )
    pages = tutoring.pages(safe(text, LONGEST, one_line=False), PAGE)
    first = layout(card(Tone.ALMOST, [why, "**Your text**", *pages[:1]]))
    return [first, *(layout(card(Tone.ALMOST, [page])) for page in pages[1:])]


def _marked(found: Corrected) -> str:
    """Mark what is wrong and what is right in the text, ~~wrong~~ **right**."""
    parts, reached = [], 0
    for each in found.corrections:
        parts += [_kept(found.text[reached : each.start]), _change(each)]
        reached = each.end
    return "".join([*parts, _kept(found.text[reached:])]).strip()


def _kept(text: str) -> str:
    """Make a part of the text harmless, with the spaces at its ends as they are."""
    inner = text.strip(" \n")
    if not inner:
        return text
    begin = text.index(inner)
    return f"{text[:begin]}{safe(inner, LONGEST, one_line=False)}{text[begin + len(inner) :]}"


def _change(each: Correction) -> str:
    wrong, right = safe(each.wrong, PART), safe(each.right, PART)
    return " ".join(filter(None, (f"~~{wrong}~~" if wrong else "", f"**{right}**" if right else "")))


def _note(number: int, each: Correction) -> str:
    return f"{number}. {_change(each)}" + (f": {safe(each.feedback, PART)}" if each.feedback else "")
