"""What a drill of the day asks from, in words: its pack or the news, lessons, how many, and what is missing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.messages import counted
from cogs.ui.escape import code, plain, safe
from lessons.model import ScheduleKind

if TYPE_CHECKING:
    from lessons.flows.scheduling import Planned

NAME_LIMIT: Final = 60
NO_NEWS: Final = (
    "⚠️ There is no article here yet with a gap to ask, and nothing is posted until there is one. `/feed add` follows a "
    "site, `/article add` takes a text by hand."
)
NO_PACKS: Final = "⚠️ There is nothing of that to ask now. `/pack load` brings lessons."


def shortage(shown: Planned) -> str:
    """Say that there are fewer questions than were asked for, if there are."""
    asked, there = shown.schedule.asked, shown.there
    if there is None or there >= asked.count:
        return ""
    if not there:
        return NO_NEWS if asked.news else NO_PACKS
    return f"⚠️ There {'is' if there == 1 else 'are'} only **{counted(there, 'question')}** of that now, so it asks {there}."


def material(shown: Planned) -> str:
    """Name what a drill asks from, with its lessons and how many: 3 questions from **N5**, lessons `3`."""
    asked = shown.schedule.asked
    if shown.schedule.kind is not ScheduleKind.DAILY_DRILL:
        return ""
    source = "the news of this server" if asked.news else "the packs of this server"
    if shown.pack:
        source = f"**{safe(shown.pack, NAME_LIMIT)}**"
    lessons = f", lessons {code(asked.lessons, 60)}" if asked.lessons else ""
    missing = f" (⚠️ {pack_gone(shown)})" if shown.gone else ""
    return f"{counted(asked.count, 'question')} from {source}{lessons}{missing}"


def plain_material(shown: Planned) -> str:
    """Name the same where no markup runs: N5 (gone), lessons 3, 3 questions."""
    asked = shown.schedule.asked
    if shown.schedule.kind is not ScheduleKind.DAILY_DRILL:
        return ""
    source = plain(shown.pack, 40) or ("news" if asked.news else "")
    parts = [
        f"{source} (gone)" if shown.gone else source,
        f"lessons {plain(asked.lessons, 30)}" if asked.lessons else "",
        counted(asked.count, "question"),
    ]
    return ", ".join(filter(None, parts))


def bracketed(shown: Planned) -> str:
    """Name the same behind a schedule; nothing for a review."""
    named = material(shown)
    return f" ({named})" if named else ""


def pack_gone(shown: Planned) -> str:
    """Say which pack is gone."""
    return f"Its pack **{safe(shown.pack, NAME_LIMIT)}** is gone"
