"""Lesson packs on screen: the preview of a file, the list, one pack, and what loading or removing did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.messages import counted
from cogs.render.prompts import gapped
from cogs.ui.escape import code, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import button
from lessons.model import ItemKind
from lessons.wording import SOURCES, place, problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import LayoutView

    from lessons.flows.loading import Effects, Loaded, Preview, Shelf
    from lessons.model import Pack, Problem, Row

SAMPLES: Final = 3
SHOWN_PROBLEMS: Final = 8
ITEMS_A_PAGE: Final = 8
SHOWN_LESSONS: Final = 25
SHOWN_PACKS: Final = 40


def preview(shown: Preview) -> LayoutView:
    """Show what a file would become, before anything is loaded."""
    sheet, upload = shown.sheet, shown.upload
    bad = {found.line for found in sheet.problems if found.fatal}
    texts = [
        f"### Preview of {code(upload.file_name)}",
        f"**{counted(len(sheet.rows), 'row')}** can be loaded into **{safe(upload.pack_name, 60)}**"
        + (f", **{len(bad)}** cannot." if bad else "."),
        f"-# Read as {SOURCES[sheet.source]}, {safe(sheet.encoding, 60)}. Nothing is loaded yet.",
        _guess(shown) if sheet.guessed else "",
        _replaced(shown),
        _beside(shown.effects, "Once this is loaded,"),
        "**First rows**\n" + "\n".join(_row(row) for row in sheet.rows[:SAMPLES]),
        _problems(sheet.problems),
    ]
    label = f"Load {'the ' if bad else ''}{counted(len(sheet.rows), 'good row' if bad else 'row')}"
    buttons = [
        button(label, "load", upload.id, style=ButtonStyle.success),
        button("Cancel", "unload_upload", upload.id),
    ]
    if len(sheet.problems) > SHOWN_PROBLEMS:
        buttons.append(button("All problems", "problems", upload.id))
    return layout(card(Tone.ALMOST if bad else Tone.CALM, texts, *rows(buttons)))


def unusable(file_name: str, problems: Sequence[Problem]) -> LayoutView:
    """Say that not one row of a file can be used, and why."""
    texts = [
        f"### Not one row of {code(file_name)} can be used",
        "Nothing was loaded. `/pack template` shows what a pack looks like.",
        _problems(problems),
    ]
    return layout(card(Tone.WRONG, texts))


def problem_list(shown: Preview) -> str:
    """Write every problem of a file, one a line, for a text file."""
    return "\n".join(f"{place(found)}: {problem(found)}" for found in shown.sheet.problems) + "\n"


def loaded(done: Loaded) -> LayoutView:
    """Say what loading did."""
    change = done.change
    parts = [
        f"{change.added} new" if change.added else "",
        f"{change.updated} updated" if change.updated else "",
        f"{change.unchanged} unchanged" if change.unchanged else "",
        f"{change.removed} hidden" if change.removed else "",
    ]
    rows_there = counted(change.pack.items, "row")
    sentences = [
        f"**{safe(change.pack.name, 60)}** is loaded: {rows_there} ({', '.join(filter(None, parts))}).",
        "Learners here find it under `/drill`.",
        _beside(done.effects, "From now on"),
    ]
    return notice("\n".join(filter(None, sentences)), tone=Tone.RIGHT)


def cancelled(file_name: str) -> LayoutView:
    """Say that a file was let go."""
    return notice(f"Cancelled: {code(file_name)} was not loaded.")


def listing(packs: Sequence[Pack]) -> LayoutView:
    """List the packs of a server and the starter packs."""
    own = [pack for pack in packs if pack.guild_id is not None]
    starter = [pack for pack in packs if pack.guild_id is None]
    texts = [
        "### Packs of this server\n" + "\n".join(map(_line, own[:SHOWN_PACKS]))
        if own
        else "### Packs of this server\nNone yet. `/pack load` takes a CSV file; `/pack template` shows what it looks like.",
        f"-# and {len(own) - SHOWN_PACKS} more" if len(own) > SHOWN_PACKS else "",
        "### Starter packs\n" + "\n".join(map(_line, starter)) if starter else "",
        "-# Where a server has packs of its own, new items come from these; starter packs can still be named in `/drill`."
        if own and starter
        else "",
    ]
    return layout(card(Tone.CALM, texts))


def shelf(shown: Shelf, page: int) -> LayoutView:
    """Show one pack: its lessons, and a page of its rows."""
    pages = max(1, -(-len(shown.items) // ITEMS_A_PAGE))
    page = min(max(page, 0), pages - 1)
    items = shown.items[page * ITEMS_A_PAGE : (page + 1) * ITEMS_A_PAGE]
    lessons = ", ".join(f"{safe(name, 40) or '–'} ({count})" for name, count in shown.lessons[:SHOWN_LESSONS])
    more = f" and {len(shown.lessons) - SHOWN_LESSONS} more" if len(shown.lessons) > SHOWN_LESSONS else ""
    pack = shown.pack
    texts = [
        _shelf_title(pack, page, pages),
        f"**Lessons:** {lessons}{more}" if shown.lessons else "",
        "\n".join(_row(item.row) for item in items) or "There are no rows in this pack.",
    ]
    buttons = [
        button("◀", "pack", pack.id, page - 1, disabled=page == 0),
        button("▶", "pack", pack.id, page + 1, disabled=page + 1 >= pages),
        button("Export as CSV", "export", pack.id),
    ]
    return layout(card(Tone.CALM, texts, *rows(buttons)))


def remove_question(pack: Pack, asking: int = 0) -> LayoutView:
    """Ask before a pack is hidden; `asking` drills of the day take their questions from it."""
    drills = "One drill of the day asks" if asking == 1 else f"{asking} drills of the day ask"
    sentences = [
        f"Remove **{safe(pack.name, 60)}** ({counted(pack.items, 'row')}) from this server?",
        "No drill begins with it any more; what is open or posted already still takes answers.",
        f"⚠️ **{drills} from it and will pause.**" if asking else "",
        "Everybody's mistakes and progress are kept, and loading it again brings it back.",
    ]
    sentence = "\n".join(filter(None, sentences))
    return notice(
        sentence,
        button("Keep it", "keep", pack.id, style=ButtonStyle.primary),
        button("Remove", "remove", pack.id, style=ButtonStyle.danger),
        tone=Tone.WRONG,
    )


def removed(pack: Pack) -> LayoutView:
    """Say that a pack is gone, and how it comes back."""
    return notice(f"**{safe(pack.name, 60)}** was removed. Loading a file under the same name brings it back.")


def kept(pack: Pack) -> LayoutView:
    """Say that nothing was removed."""
    return notice(f"**{safe(pack.name, 60)}** stays.")


def file_card(sentence: str, file_name: str) -> LayoutView:
    """Hand over a file with a sentence."""
    return layout(card(Tone.CALM, [sentence], discord.ui.File(f"attachment://{file_name}")))


def _line(pack: Pack) -> str:
    title = f" · {safe(pack.title, 80)}" if pack.title and pack.title != pack.name else ""
    return f"- {code(pack.name)}{title} · {counted(pack.items, 'row')}"


def _shelf_title(pack: Pack, page: int, pages: int) -> str:
    changed = messages.when(pack.updated_at, "D")
    facts = f"{counted(pack.items, 'row')} · {_kind(pack)} · changed {changed} · page {page + 1} of {pages}"
    return f"### {safe(pack.title or pack.name, 80)}\n-# {facts}"


def _kind(pack: Pack) -> str:
    return "starter pack" if pack.guild_id is None else "this server's own"


def _row(row: Row) -> str:
    answers = "、".join(safe(answer, 60) for answer in row.answers[:4])
    prompt = gapped(row.prompt, 120)
    reading = safe(row.reading.replace("|", "・"), 60)
    beside = f"（{reading}）" if reading and reading != row.answers[0] and row.kind is ItemKind.VOCAB else ""
    return f"- {prompt} → **{answers}**{beside}"


def _problems(problems: Sequence[Problem]) -> str:
    if not problems:
        return ""
    lines = [f"- {safe(place(found), 60)}: {safe(problem(found), 200)}" for found in problems[:SHOWN_PROBLEMS]]
    more = f"\n-# and {len(problems) - SHOWN_PROBLEMS} more" if len(problems) > SHOWN_PROBLEMS else ""
    return "**Problems**\n" + "\n".join(lines) + more


def _replaced(shown: Preview) -> str:
    """Say which pack of that name the file would update, or bring back."""
    if shown.existing:
        return (
            f"This updates the pack of that name ({counted(shown.existing.items, 'row')}); rows that are gone from the "
            "file are hidden, and everybody's progress is kept."
        )
    if shown.removed:
        return (
            f"A pack of that name was removed ({counted(shown.removed.items, 'row')}): this brings it back with the rows "
            "of this file, and everybody's progress with it."
        )
    return ""


def _beside(effects: Effects, since: str) -> str:
    """Say what loading means for the starter packs."""
    sentences = []
    if effects.first:
        sentences.append(f"{since} new items in this server come from its own packs; starter packs can still be named.")
    if effects.shadowed:
        starter = safe(effects.shadowed.title or effects.shadowed.name, 60)
        sentences.append(
            f"⚠️ The starter pack **{starter}** has this name too. {since} the name means the server's own pack here; "
            "load it under another `name` to have both."
        )
    return "\n".join(sentences)


def _guess(shown: Preview) -> str:
    columns = ", ".join(code(name, 30) for name in shown.sheet.columns)
    return f"⚠️ The file has no header I know, so I guessed the columns: {columns}. Please look at the rows below."
