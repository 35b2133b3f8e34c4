"""`kizuki events`: what the tutor recalled of learners' documents, turn by turn, and why it recalled nothing."""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import UTC, datetime, time, timedelta
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bot.commands import faults, sayings
from bot.commands.concluding import conclude
from bot.commands.exits import Exit
from bot.wiring import now
from lessons.model import Silence
from storage import inspection
from storage.studies import StudyStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from pathlib import Path

    from bot.settings import Settings
    from lessons.model import RecallEvent, UserId

DAYS: Final = 7
"""How far back the table goes where nobody says otherwise."""

MOST: Final = 10_000
"""Events that are read; the newest of them where there are more."""

_HEAD: Final = ("time (UTC)", "learner", "surface", "candidates", "best", "admitted", "why nothing")
_COUNTED: Final = ("surface", "turns", "recalled")
_NUMBERS: Final = frozenset({"candidates", "best", "admitted"})
_NOTHING: Final = {
    Silence.NONE: "",
    Silence.NO_DOCUMENTS: "nothing linked",
    Silence.BELOW: "nothing alike enough",
    Silence.NO_VECTORS: "not embedded yet",
    Silence.AWAY: "embedder away",
    Silence.UNCALIBRATED: "not calibrated",
}
_REASONS: Final = tuple(silence for silence in Silence if silence is not Silence.NONE)


def events(settings: Settings, days: int, file: Path | None, most: int = MOST) -> Exit:
    """Print the events of the last `days` UTC days, today among them; write them to a file if one is given."""
    return conclude(_events(settings.data, days, file, most))


async def _events(folder: Path, days: int, file: Path | None, most: int) -> Exit:
    today = now().astimezone(UTC).date()
    since = today - timedelta(days=min(max(days, 1), today.toordinal()) - 1)
    database = await inspection.reports(folder)
    found = await StudyStore(database).recalls(datetime.combine(since, time(), UTC), most)
    return _deliver(found, since, file, most)


def _deliver(found: list[RecallEvent], since: date, file: Path | None, most: int) -> Exit:
    """Write what is wanted where it is wanted."""
    try:
        if file is not None:
            file.write_text(figures(found, since), encoding="utf-8")
    except OSError as error:
        sayings.say(faults.unwritable(file, error.strerror or "unknown reason"))  # type: ignore[arg-type]
        return Exit.CANNOT_START
    sys.stdout.write(table(found) if found else f"The tutor looked for nothing since {since} (UTC).\n")
    if len(found) == most:
        sys.stdout.write(f"\nThese are the newest {most:,}; there may be more.\n")
    return Exit.OK


def table(found: Iterable[RecallEvent]) -> str:
    """Lay out the events, and below them how many turns of each surface recalled something, or why they did not."""
    each = list(found)
    head = (*_COUNTED, *(_NOTHING[reason] for reason in _REASONS))
    sums = [(surface, *(f"{count:,}" for count in counts)) for surface, counts in _counts(each)]
    return (
        f"{_laid_out(_HEAD, [_row(event) for event in each], _NUMBERS)}\n{_laid_out(head, sums, frozenset(head[1:]))}"
    )


def figures(found: Iterable[RecallEvent], since: date) -> str:
    """Return the events as JSON, newest first; scores as (chunk, score), the best first."""
    each = list(found)
    told = {
        "since": str(since),
        "events": [
            {
                "at": event.at.isoformat(),
                "learner": short_name(event.user),
                "surface": event.surface,
                "candidates": event.candidates,
                "scores": event.scores,
                "admitted": event.admitted,
                "silence": event.silence,
            }
            for event in each
        ],
        "surfaces": [
            dict(zip(("surface", "turns", "recalled", *_REASONS), (surface, *counts), strict=True))
            for surface, counts in _counts(each)
        ],
    }
    return json.dumps(told, indent=2) + "\n"


def short_name(user: UserId) -> str:
    """Return 8 hexadecimal digits by which a learner can be told from the others, not who it is.

    It keeps an id from being read or copied by chance; whoever has the ids can work it out.
    """
    return sha256(str(user).encode()).hexdigest()[:8]


def _counts(found: Sequence[RecallEvent]) -> list[tuple[str, list[int]]]:
    """Return for each surface its turns, those that recalled something, and those that did not by reason."""
    by_surface = groupby(sorted(found, key=lambda event: event.surface), key=lambda event: event.surface)
    told = []
    for surface, group in by_surface:
        why = Counter(event.silence for event in group)
        told.append((surface.value, [why.total(), why[Silence.NONE], *(why[reason] for reason in _REASONS)]))
    return told


def _row(event: RecallEvent) -> tuple[str, ...]:
    best = f"{event.scores[0][1]:.3f}" if event.scores else ""
    return (
        f"{event.at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        short_name(event.user),
        event.surface.value,
        f"{event.candidates:,}",
        best,
        f"{event.admitted:,}",
        _NOTHING[event.silence],
    )


def _laid_out(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], numbers: frozenset[str]) -> str:
    """Align columns below their heads, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, tuple("-" * width for width in widths), *rows]
    shape = [">" if name in numbers else "<" for name in head]
    aligned = (
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(line, shape, widths, strict=True)).rstrip()
        for line in lines
    )
    return "\n".join(aligned) + "\n"
