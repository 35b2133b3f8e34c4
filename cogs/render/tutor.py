"""The tutor's words on screen: pages of a reply that may still grow, who spoke it, and what can be done next."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Final

import discord
import regex

from cogs import messages
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import button
from lessons import tutoring
from lessons.model import Away

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from discord.ui import Button, LayoutView

    from lessons.flows.conversing import Saying
    from lessons.model import ErrorType

PAGE: Final = 1_700
"""Characters of a page: with all that is made harmless in it, a page stays below what Discord takes."""
BY_A_MODEL: Final = "A language model wrote this; it can be wrong"
LOOKED_UP: Final = "Looked up, no language model"
WRITING: Final = "-# ✍️ …"

_BUDGETS: Final = frozenset({Away.BUDGET_USER, Away.BUDGET_GUILD, Away.BUDGET_BOT, Away.TURNS})
_WHY: Final = {
    Away.NO_MODEL: "none is set up here",
    Away.KEY: "it is switched off here until the operator looks at it",
    Away.BUSY: "I am still answering your last question, or too many others ask at once",
    Away.REFUSED: "it declined to answer this",
    Away.NONSENSE: "what it said made no sense",
}
_LINK: Final = regex.compile(r"\](?=[(\[])")
_SCHEME: Final = regex.compile(r"(?i)\b([a-z][a-z0-9+.-]{1,20}):(?=//)")
_INVITE: Final = regex.compile(r"(?i)(discord(?:app)?)\.(?=gg|com|me|io|new|gift|link)")


def pages(saying: Saying, at: datetime, buttons: Sequence[Button[LayoutView]] = ()) -> list[LayoutView]:
    """Draw a reply, a message a page; who spoke it and the buttons stand under the last page, once it is done."""
    texts = [harmless(page) for page in tutoring.pages(saying.text, PAGE)] or [""]
    views = [layout(card(Tone.CALM, [text])) for text in texts[:-1]]
    last = [texts[-1], note(saying, at) if saying.done else WRITING]
    return [*views, layout(card(Tone.CALM, last, *rows(list(buttons) if saying.done else [])))]


def harmless(text: str) -> str:
    """Keep the formatting of a tutor's words, and take out of them whatever could ping or link."""
    text = text.replace("<", "<\u2060").replace("@", "@\u2060").replace("＠", "＠\u2060")
    text = _SCHEME.sub("\\1\u2060:", _LINK.sub("]\u2060", text))
    return _INVITE.sub("\\1\u2060.", text)


def note(saying: Saying, at: datetime) -> str:
    """Say who spoke, and why it was not the model, or not to the end."""
    if saying.broken:
        return f"-# (it broke off here) · {BY_A_MODEL}"
    if not saying.looked_up:
        return f"-# {BY_A_MODEL}"
    return f"-# {LOOKED_UP}{_reason(saying.away, at)}"


def _reason(away: Away | None, at: datetime) -> str:
    if away is None:
        return ""
    if away in _BUDGETS:
        back = (at.astimezone(UTC) + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return f": what it may be used in a day is used up; it is back {messages.when(back)}"
    return f": {_WHY.get(away, 'it cannot be reached just now')}"


def exercise_button(kind: ErrorType | None) -> Button[LayoutView]:
    """The way from words to practice; the kind of mistake stands in the button."""
    return button("Give me an exercise", "ask_drill", kind or "", style=discord.ButtonStyle.primary)


def nothing_to_drill() -> LayoutView:
    """Say that there is no exercise of that kind here."""
    return notice("There is nothing to practise this with here. `/drill` gives you what is due, or something new.")
