"""`kizuki usage`: what the language model was asked and what that cost, by day, purpose, model and server."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Final

from bot.commands import faults, sayings
from bot.commands.concluding import conclude
from bot.commands.exits import Exit
from bot.counting import is_near
from bot.wiring import CENT, now
from lessons.model import Tokens
from storage import inspection
from storage.figures import FigureStore
from storage.usage import UsageStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bot.settings import Settings
    from lessons.model import UsageRow

DAYS: Final = 30
"""How far back the bill goes where nobody says otherwise."""

_HEAD: Final = (
    "day", "purpose", "model", "server", "calls", "failed", "tokens in", "cached", "out", "cost $", "mean s",
)  # fmt: skip
_WORDS: Final = 4  # columns that stand to the left; the others are numbers
_OWN: Final = "direct messages and the bot's own work"
_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Sum:
    """What several lines of the bill come to."""

    calls: int
    failed: int
    tokens: Tokens
    micro_usd: int
    seconds: float


def usage(settings: Settings, days: int, file: Path | None) -> Exit:
    """Print the bill of the last `days` UTC days, today among them; write its figures to a file if one is given."""
    return conclude(_usage(settings.data, days, file, settings.bot_cents * CENT))


async def _usage(folder: Path, days: int, file: Path | None, budget: int) -> Exit:
    today = now().astimezone(UTC).date()
    since = today - timedelta(days=min(max(days, 1), today.toordinal()) - 1)
    database = await inspection.reports(folder)
    rows = await UsageStore(database).bill(since)
    spent = await FigureStore(database).spent_on(today)
    nothing = "" if rows else f"The language model was not asked anything since {since} (UTC)."
    code = _deliver(rows, since, today, file, nothing)
    if code is Exit.OK and rows:
        near = is_near(spent, budget)
        sys.stdout.write(f"\n{sayings.spent_today(spent / _MILLION, budget / _MILLION, near=near)}\n")
    return code


def _deliver(rows: list[UsageRow], since: date, until: date, file: Path | None, nothing: str = "") -> Exit:
    """Write what is wanted where it is wanted; `nothing` is said in place of a table without a line."""
    try:
        if file is not None:
            file.write_text(figures(rows, since, until), encoding="utf-8")
    except OSError as error:
        sayings.say(faults.unwritable(file, error.strerror or "unknown reason"))  # type: ignore[arg-type]
        return Exit.CANNOT_START
    sys.stdout.write(f"{nothing}\n" if nothing else table(rows))
    return Exit.OK


def table(rows: Iterable[UsageRow]) -> str:
    """Lay out the bill, the sums of each day and the sum of all below it; days are UTC."""
    lines = list(rows)
    days = [(str(day), summed(part)) for day, part in _by_day(lines)]
    body = [(str(row.day), row.purpose.value, row.model, _server(row), *_numbers(summed([row]))) for row in lines]
    sums = [(day, "", "", "all", *_numbers(of_day)) for day, of_day in days]
    total = ("all days", "", "", "all", *_numbers(summed(lines)))
    return _laid_out([[_HEAD], body, sums, [total]])


def figures(rows: Iterable[UsageRow], since: date, until: date) -> str:
    """Return the bill and its sums as JSON; money in millionths of a dollar, seconds of all calls together."""
    lines = list(rows)
    told = {
        "since": str(since),
        "until": str(until),
        "rows": [asdict(row) | {"day": str(row.day)} for row in lines],
        "days": [{"day": str(day)} | asdict(summed(part)) for day, part in _by_day(lines)],
        "total": asdict(summed(lines)),
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def summed(rows: Iterable[UsageRow]) -> Sum:
    """Add up lines of the bill."""
    lines = list(rows)
    return Sum(
        calls=sum(row.calls for row in lines),
        failed=sum(row.failed for row in lines),
        tokens=Tokens(
            input=sum(row.tokens.input for row in lines),
            cache_write_5m=sum(row.tokens.cache_write_5m for row in lines),
            cache_write_1h=sum(row.tokens.cache_write_1h for row in lines),
            cache_read=sum(row.tokens.cache_read for row in lines),
            output=sum(row.tokens.output for row in lines),
        ),
        micro_usd=sum(row.micro_usd for row in lines),
        seconds=sum(row.seconds for row in lines),
    )


def _by_day(rows: list[UsageRow]) -> list[tuple[date, list[UsageRow]]]:
    newest_first = sorted(rows, key=lambda row: row.day, reverse=True)
    return [(day, list(part)) for day, part in groupby(newest_first, key=lambda row: row.day)]


def _server(row: UsageRow) -> str:
    return str(row.guild_id) if row.guild_id else _OWN


def _numbers(of: Sum) -> tuple[str, ...]:
    """Return the cells that are numbers; what was written to the cache came in, too."""
    fresh = of.tokens.input + of.tokens.cache_write_5m + of.tokens.cache_write_1h
    mean = of.seconds / of.calls if of.calls else 0.0
    counts = (of.calls, of.failed, fresh, of.tokens.cache_read, of.tokens.output)
    return (*(f"{count:,}" for count in counts), f"{of.micro_usd / _MILLION:,.4f}", f"{mean:.2f}")


def _laid_out(parts: list[list[tuple[str, ...]]]) -> str:
    """Align columns, with a rule between the parts."""
    widths = [max(map(len, column)) for column in zip(*(row for part in parts for row in part), strict=True)]
    rule = "  ".join("-" * width for width in widths)
    lines: list[str] = []
    for part in parts:
        lines += [*([rule] if lines else []), *(_aligned(row, widths) for row in part)]
    return "\n".join(lines) + "\n"


def _aligned(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [
        cell.ljust(width) if place < _WORDS else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
