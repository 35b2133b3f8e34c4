"""Moments, texts and numbers between values and columns.

Times are stored as whole milliseconds UTC, so microseconds below a millisecond are dropped.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from lessons.model import ErrorType, GuildId

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_DAY: Final = timedelta(days=1)


def to_ms(at: datetime) -> int:
    """Milliseconds since 1970 of an aware moment. Raises TypeError for a naive one."""
    return (at - _EPOCH) // _MILLISECOND


def from_ms(ms: int) -> datetime:
    """Return the moment, aware UTC."""
    return _EPOCH + ms * _MILLISECOND


def to_day(at: datetime) -> int:
    """Whole days since 1970, UTC, of an aware moment."""
    return (at - _EPOCH) // _DAY


def first_moment(day: int) -> datetime:
    """Return the moment a UTC day begins, by its number since 1970."""
    return _EPOCH + day * _DAY


def to_date(day: int) -> date:
    """Return the date of a day by its number since 1970."""
    return first_moment(day).date()


def of_date(day: date) -> int:
    """Whole days since 1970 of a date."""
    return (day - _EPOCH.date()).days


def storable(text: str) -> str:
    """Text that SQLite takes: half of a surrogate pair, which no person types, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def ids(values: Iterable[int | str]) -> str:
    """Write a JSON array, for `IN (SELECT value FROM json_each(?))`; repeats are dropped, the order stays."""
    return json.dumps(list(dict.fromkeys(values)))


def moment(ms: int | None) -> datetime | None:
    """Return the moment of a column that may be NULL."""
    return None if ms is None else from_ms(ms)


def ms(at: datetime | None) -> int | None:
    """Milliseconds since 1970 for a column that may be NULL."""
    return None if at is None else to_ms(at)


def guild(row: sqlite3.Row) -> GuildId | None:
    """From the column guild_id."""
    return GuildId(row["guild_id"]) if row["guild_id"] is not None else None


def error_type(stored: str | None) -> ErrorType | None:
    """From a column that may be NULL."""
    return None if stored is None else ErrorType(stored)


def split(text: str, by: str) -> tuple[str, ...]:
    """Cut a text that was joined; the empty one had no parts."""
    return tuple(text.split(by)) if text else ()


def dumps(value: Any) -> str:  # noqa: ANN401
    """Write JSON without a superfluous byte."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
