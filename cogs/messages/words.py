"""Words that many sentences share: moments, numbers, lists of names."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from cogs.ui.escape import code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    import discord

LIST_LIMIT: Final = 8
JUST_NOW: Final = timedelta(minutes=2)


def when(at: datetime, style: str = "R") -> str:
    """Show a moment in the reader's own zone and language."""
    return f"<t:{int(at.timestamp())}:{style}>"


def past(at: datetime, now: datetime) -> str:
    """Show a moment that is over; one of the last two minutes by a word, as the reader's clock may be behind ours."""
    return when(at) if now - at >= JUST_NOW else "just now"


def counted(number: int, noun: str) -> str:
    """Say how many there are of something whose plural takes an s: 1 row, 2 rows."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def listed(names: Sequence[str], limit: int = LIST_LIMIT) -> str:
    """Show names as code, the first ones and how many more."""
    shown = ", ".join(code(name, 60) for name in names[:limit])
    return f"{shown} and {len(names) - limit} more" if len(names) > limit else shown


def lessons_named(names: Sequence[str]) -> str:
    """Name lessons; of numbers in a row the first and the last: 1 to 12, `Genki 3` to `Genki 5`, `て-form`."""
    runs: list[list[str]] = []
    following = None
    for series, number, name in sorted(map(_numbered, filter(None, names))):
        if number >= 0 and (series, number) == following:
            runs[-1].append(name)
        else:
            runs.append([name])
        following = (series, number + 1)
    parts = [part for run in runs for part in ([_run(run)] if len(run) > 2 else map(_lesson, run))]  # noqa: PLR2004
    return ", ".join(parts[:LIST_LIMIT]) + (f" and {len(parts) - LIST_LIMIT} more" if len(parts) > LIST_LIMIT else "")


def _numbered(name: str) -> tuple[str, int, str]:
    """Return the series and the number of a lesson, -1 where it has none, and its name."""
    digits = name[len(name.rstrip("0123456789")) :]
    return (name.removesuffix(digits), int(digits), name) if 0 < len(digits) < 7 else (name, -1, name)  # noqa: PLR2004


def _run(names: Sequence[str]) -> str:
    return f"{_lesson(names[0])} to {_lesson(names[-1])}"


def _lesson(name: str) -> str:
    return name if name.isascii() and name.isdecimal() else code(name, 60)


def permission(name: str) -> str:
    """Name a permission as Discord's settings do."""
    return {"manage_guild": "Manage Server"}.get(name, name.replace("_", " ").title())


def lacking(has: discord.Permissions, needed: Iterable[str]) -> tuple[str, ...]:
    """Return the names, as Discord's settings have them, of the needed permissions that are not there."""
    return tuple(permission(name) for name in needed if not getattr(has, name))
