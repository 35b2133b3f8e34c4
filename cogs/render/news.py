"""What stands before a news drill: the crossroads, and that nothing is left to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import ButtonStyle

from cogs import messages
from cogs.render import drills
from cogs.ui.layouts import Tone, notice
from cogs.ui.presses import button
from lessons.errors import NewsAllRead

if TYPE_CHECKING:
    from datetime import datetime

    from discord.ui import LayoutView

    from lessons.errors import DrillUnfinished, NewsNeedJudge
    from lessons.flows.newsreading import NewsRequest


def crossroads(unfinished: DrillUnfinished, ask: NewsRequest, now: datetime) -> LayoutView:
    """Offer to go on with an open drill or to give it up for the one that was asked for."""
    anew = button("New drill", "fresh_news", unfinished.pack or 0, ask.count or 0)
    return drills.either(unfinished.drill, anew, now)


def nothing_left(error: NewsAllRead | NewsNeedJudge, ask: NewsRequest) -> LayoutView:
    """Say that nothing is left to ask here, or nothing without a model; offer the other articles where one was named."""
    others = [button("Other news", "news", 0, ask.count or 0, style=ButtonStyle.primary)] if ask.article else []
    tone = Tone.RIGHT if isinstance(error, NewsAllRead) else Tone.CALM
    return notice(messages.failure(error), *others, tone=tone)
