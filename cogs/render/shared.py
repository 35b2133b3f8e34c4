"""What everybody sees of a drill that several people answer: the question and numbers; and the private words around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ButtonStyle

from cogs import messages
from cogs.render.clippings import attribution
from cogs.render.drills import given, solution
from cogs.render.verdicts import verdict
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.letters import Letter
from cogs.ui.presses import button
from lessons.groups import LEAST
from lessons.model import Ending, Track

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import LayoutView

    from lessons.flows.sharing import DailyDrill, Told
    from lessons.model import Shared, Tally, UserId

SHOWN_NAMES: Final = 10


def daily(post: DailyDrill) -> Letter:
    """Show the drill of the day, with its numbers so far."""
    shared, item = post.shared, post.item
    clipping = item.clipping
    title = "" if clipping and shared.new.title == clipping.title else shared.new.title
    named = title or ("News" if shared.new.track is Track.EXERCISE else "")
    more = shared.total - 1
    texts = [
        "\n".join(
            filter(None, [f"**☀️ Drill of the day**{f' · {safe(named, 80)}' if named else ''}", attribution(clipping)])
        ),
        *given(item, furigana=True),
        f"-# One question of {shared.total}: the others come privately, by **Next**." if more else "",
        answered(post.tally),
        "-# Answers stay private, and there is no hurry: it stays open.",
    ]
    buttons = [button("Answer", "shared_answer", shared.id, 1, style=ButtonStyle.primary)]
    return Letter(layout(card(Tone.CALM, texts, *rows(buttons))))


def told(shown: Told) -> LayoutView:
    """Tell a person what became of their answer, or that it came too late."""
    if shown.outcome is None:
        return late(shown)
    return verdict(shown.outcome, offer=shown.offer)


def late(shown: Told) -> LayoutView:
    """Tell the answer to somebody who was too late for it, and why it was too late."""
    item = shown.place.item
    texts = [
        f"### ⌛ {_why_late(shown.place.shared)}",
        "**What you wrote was right**, it only came late." if shown.right else "",
        solution(item),
        safe(item.row.explanation, 700),
        f"*{safe(item.row.meaning, 400)}*" if item.row.meaning else "",
        "-# Nothing was recorded.",
    ]
    return layout(card(Tone.CALM, texts))


def _why_late(shared: Shared) -> str:
    if shared.ending is Ending.STOPPED:
        return "The race was stopped"
    if shared.ending is not None and shared.ending is not Ending.FINISHED:
        return "The race is over"
    return "The time was up" if shared.new.seconds is not None else "The others went on"


def name_shown(*, already: bool) -> LayoutView:
    """Say that the person's name is shown from now on, or was before."""
    said = "Your name is shown on these cards already." if already else "Your name is shown on these cards from now on."
    return notice(
        f"{said} Only the right answers are named, never what anybody typed.",
        button("Hide my name", "hide_name", 0),
    )


def name_hidden() -> LayoutView:
    """Say that the person's name is not shown."""
    return notice(
        "Your name is not shown from now on: you are one of the numbers, also on the latest cards.",
        button("Show my name", "show_name", 0),
    )


def answered(of: Tally) -> str:
    """Say how many answered a question that is open, and who shows that they were right.

    How many were right would tell on the one who was seen to press: it is told of LEAST people and more.
    """
    if not of.answered:
        return "-# Nobody has answered yet."
    if of.answered < LEAST:
        line = f"**Answered {of.answered}**"
        return f"{line}\n✅ {people(of.named, len(of.named))}" if of.named else line
    line = f"**Answered {of.answered} · right {of.right}**"
    return f"{line}\n✅ {people(of.named, of.right)}" if of.named else line


def people(named: Sequence[UserId], number: int) -> str:
    """Name people by their mention, which pings nobody here, and count the others of the `number`."""
    shown = named[:SHOWN_NAMES]
    others = number - len(shown)
    mentions = ", ".join(f"<@{user}>" for user in shown)
    if not others:
        return mentions
    return f"{mentions} and {messages.counted(others, 'other')}" if shown else f"{number:,}"
