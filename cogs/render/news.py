"""What stands before a news drill: the crossroads, and that everything was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import ButtonStyle

from cogs import messages
from cogs.render import drills
from cogs.ui.layouts import Tone, notice
from cogs.ui.presses import button

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.errors import DrillUnfinished, NewsAllRead
    from lessons.flows.newsreading import NewsRequest


def crossroads(unfinished: DrillUnfinished, ask: NewsRequest) -> LayoutView:
    """Offer to go on with an open drill or to give it up for the one that was asked for."""
    return drills.either(unfinished.drill, button("New drill", "fresh_news", unfinished.pack or 0, ask.count or 0))


def all_read(error: NewsAllRead, ask: NewsRequest) -> LayoutView:
    """Say that nothing is left to ask, and offer the other articles where one was named."""
    others = [button("Other news", "news", 0, ask.count or 0, style=ButtonStyle.primary)] if ask.article else []
    return notice(messages.failure(error), *others, tone=Tone.RIGHT)
