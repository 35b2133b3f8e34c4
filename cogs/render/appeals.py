"""Appeals on screen: what waits for a moderator, one at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle

from cogs import messages
from cogs.refusals import StalePress
from cogs.render.prompts import gapped
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import Button, LayoutView

    from lessons.model import Appeal


OPERATOR: Final = "operator"
"""Marks appeals that belong to no server."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)


def queue(
    waiting: Sequence[Appeal], *, said: str = "", scope: str = "", undo: Button[LayoutView] | None = None
) -> LayoutView:
    """Show the oldest appeal and how many wait behind it; `undo` takes back what was `said`."""
    undoing = [undo] if undo else []
    if not waiting:
        return notice("\n".join(filter(None, [said, "Nobody waits for a decision. 👍"])), *undoing, tone=Tone.RIGHT)
    appeal = waiting[0]
    where = "for everybody" if scope == OPERATOR else "here"
    people = "One learner" if appeal.times == 1 else f"{appeal.times} learners"
    texts = [
        said,
        f"### “I was right” · {len(waiting)} waiting",
        gapped(appeal.prompt, 400),
        f"{people} wrote **{safe(appeal.typed, 200)}**; the answer there is **{safe(appeal.reference, 200)}**.",
        f"-# {safe(appeal.pack_name, 80)} · {messages.when(appeal.at, 'D')}",
        f"-# Accepting makes it a further right answer {where} and takes the miss off their record.",
    ]
    buttons = [
        button("Accept", "accept", appeal.id, scope, style=ButtonStyle.success),
        button("Keep as wrong", "decline", appeal.id, scope),
        *undoing,
    ]
    return layout(card(Tone.CALM, texts, *rows(buttons)))


def accepted(appeal: Appeal) -> str:
    """Say that an answer is accepted from now on."""
    return f"✓ **{safe(appeal.typed, 200)}** is right from now on."


def declined(appeal: Appeal) -> str:
    """Say that an answer stays wrong."""
    return f"✓ **{safe(appeal.typed, 200)}** stays wrong."


def reopened(appeal: Appeal) -> str:
    """Say that a decision was taken back."""
    return f"↩ Taken back: **{safe(appeal.typed, 200)}** waits for a decision again."


def undo(appeal: Appeal, scope: str, decided: datetime) -> Button[LayoutView]:
    """Make the button that takes back the decision made at `decided`, and no later one."""
    return button("Undo", "undecide", appeal.id, scope, (decided - EPOCH) // MILLISECOND)


def decided_at(milliseconds: int) -> datetime:
    """Return the moment that an undo button carries. Raises StalePress."""
    try:
        return EPOCH + milliseconds * MILLISECOND
    except OverflowError:
        raise StalePress from None
