"""Past mistakes that are like this one: the quiet line, the evidence, and the way to say that it is not the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs import messages
from cogs.render.prompts import gapped
from cogs.ui.escape import safe
from cogs.ui.presses import button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import Button, LayoutView

    from lessons.model import Mistake, Recollection


def line(found: Recollection | None) -> str:
    """The line under a verdict; nothing when nothing is alike."""
    if found is None:
        return ""
    times = "once" if found.count == 1 else f"{found.count} times"
    return f"🔁 **Similar mistakes** · {times}, last on {messages.when(found.last, 'D')}"


def evidence(found: Recollection | None) -> list[str]:
    """The nearest past mistakes: the sentence, what was written, the right answer, the day."""
    if found is None:
        return []
    more = found.count - len(found.shown)
    lines = [_entry(number, mistake) for number, mistake in enumerate(found.shown, 1)]
    return [*lines, f"-# and {more} more"] if more else lines


def dismissals(
    found: Recollection, action: str, *arguments: object, state: Sequence[object] = ()
) -> list[Button[LayoutView]]:
    """One button for each mistake shown, to say that it is another one: its id comes after `arguments`."""
    only = len(found.shown) == 1
    return [
        button("Not the same mistake" if only else f"{number} is not the same", action, *arguments, mistake.id, *state)
        for number, mistake in enumerate(found.shown, 1)
    ]


def _entry(number: int, mistake: Mistake) -> str:
    card = mistake.card
    sentence = gapped(card.prompt, 160)
    wrote = f"you wrote **{safe(card.typed, 60)}**, right is **{safe(card.reference, 60)}**"
    return f"> **{number}** · {sentence}\n> -# {wrote} · {messages.when(mistake.at, 'D')}"
