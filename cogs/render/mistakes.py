"""What a learner missed, on screen: pages of mistakes, one mistake, the exported file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle

from cogs import messages
from cogs.render import similar
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, notice, rows, select
from cogs.ui.presses import button, custom_id
from lessons.model import BLANK, ErrorType
from lessons.wording import KINDS

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.recollecting import Page
    from lessons.model import Mistake, MistakeFilter, Recollection

ALL: Final = "all"


def page(shown: Page) -> LayoutView:
    """Show one page of mistakes with its filter, its neighbours and the export."""
    if not shown.counts:
        return notice("You have not missed anything yet. What you get wrong in a drill is kept here: `/drill`.")
    container = card(Tone.CALM, [_title(shown), "" if shown.mistakes else "Nothing matches this filter."])
    for mistake in shown.mistakes:
        opener = button("Open", "mistake", mistake.id, shown.number, *_state(shown.only))
        container.add_item(
            discord.ui.Section(discord.ui.TextDisplay(_entry(mistake, shown.similar.get(mistake.id))), accessory=opener)
        )
    container.add_item(_filter(shown))
    for row in rows(_navigation(shown)):
        container.add_item(row)
    return layout(container)


def mistake(shown: Mistake, recalled: Recollection | None, number: int, only: MistakeFilter) -> LayoutView:
    """Show one mistake, what is like it, and what can be done about it."""
    card_ = shown.card
    relabelled = " (your label)" if shown.relabelled else ""
    texts = [
        f"**{KINDS[card_.error_type].capitalize()}**{relabelled} · {messages.when(shown.at, 'D')}",
        f"### {_sentence(shown, 400)}",
        f"You wrote: **{safe(card_.typed, 200)}** · right: **{safe(card_.reference, 200)}**",
        safe(card_.feedback, 700),
        f"-# {safe(shown.pack_name, 80)}" if shown.pack_name else "",
        similar.line(recalled),
        *similar.evidence(recalled),
    ]
    kinds = [
        discord.SelectOption(label=name.capitalize(), value=kind.value, default=kind is card_.error_type)
        for kind, name in KINDS.items()
    ]
    relabel = select(custom_id("relabel", shown.id, number, *_state(only)), "What kind of mistake was it?", kinds)
    buttons = [
        button("Back", "mistakes", number, *_state(only)),
        button("Delete", "unmistake", shown.id, number, *_state(only), style=ButtonStyle.danger),
    ]
    if recalled:
        buttons += similar.dismissals(recalled, "unlike_here", shown.id, state=(number, *_state(only)))
    return layout(card(Tone.CALM, texts, relabel, *rows(buttons)))


def delete_question(shown: Mistake, number: int, only: MistakeFilter) -> LayoutView:
    """Ask before a mistake is deleted for good."""
    keep = button("Keep it", "mistake", shown.id, number, *_state(only), style=ButtonStyle.primary)
    delete = button("Delete for good", "deleted", shown.id, number, *_state(only), style=ButtonStyle.danger)
    sentence = f"Delete this mistake for good? Your drill's score stays as it is.\n{_entry(shown)}"
    return notice(sentence, keep, delete, tone=Tone.WRONG)


def exported(file_name: str, total: int) -> LayoutView:
    """Hand over the exported file."""
    texts = [f"Your {total} mistakes as a spreadsheet (CSV, UTF-8)." if total != 1 else "Your mistake as a CSV file."]
    return layout(card(Tone.CALM, texts, discord.ui.File(f"attachment://{file_name}")))


def _title(shown: Page) -> str:
    kinds = sorted(shown.counts.items(), key=lambda kind: -kind[1])
    counted = " · ".join(f"{KINDS[kind]} {count}" for kind, count in kinds)
    searched = f" with “{safe(shown.only.contains, 40)}”" if shown.only.contains else ""
    return f"### Your mistakes{searched} · {shown.total}\n-# {counted} · page {shown.number + 1} of {shown.of}"


def _entry(mistake: Mistake, recalled: Recollection | None = None) -> str:
    card_ = mistake.card
    wrote = f"you: **{safe(card_.typed, 60)}** → **{safe(card_.reference, 60)}**"
    again = f"\n-# {similar.line(recalled)}" if recalled else ""
    when = messages.when(mistake.at, "D")
    return f"{_sentence(mistake, 160)}\n-# {wrote} · {KINDS[card_.error_type]} · {when}{again}"


def _sentence(mistake: Mistake, limit: int) -> str:
    before, blank, after = mistake.card.prompt.partition(BLANK)
    if not blank:
        return safe(mistake.card.prompt, limit)
    return f"{safe(before, limit)}**{safe(mistake.card.reference, 100)}**{safe(after, limit)}"


def _filter(shown: Page) -> discord.ui.ActionRow[LayoutView]:
    chosen = shown.only.error_type
    options = [discord.SelectOption(label="All kinds", value=ALL, default=chosen is None)]
    options += [
        discord.SelectOption(
            label=f"{KINDS[kind].capitalize()} ({shown.counts.get(kind, 0)})", value=kind.value, default=kind is chosen
        )
        for kind in ErrorType
        if kind in shown.counts or kind is chosen
    ]
    return select(custom_id("sift", shown.only.contains), "Kind of mistake", options)


def _navigation(shown: Page) -> list[discord.ui.Button[LayoutView]]:
    state = _state(shown.only)
    return [
        button("◀", "mistakes", shown.number - 1, *state, disabled=shown.number == 0),
        button("▶", "mistakes", shown.number + 1, *state, disabled=shown.number + 1 >= shown.of),
        button("Export as CSV", "unload", *state, disabled=not shown.total),
    ]


def _state(only: MistakeFilter) -> tuple[str, str]:
    """The filter as the last two arguments of a custom id."""
    return (only.error_type.value if only.error_type else "", only.contains)
