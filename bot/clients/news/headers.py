"""What a server asks for in its headers: when to come back, and which moments it names."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST: Final = timedelta(days=1)
"""However long a server asks for, nobody waits longer."""

_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,12})", re.IGNORECASE)
_NO_STORE: Final = re.compile(r"\bno-(?:store|cache)\b", re.IGNORECASE)


def retry_after(headers: Mapping[str, str], at: datetime) -> timedelta | None:
    """Return how long Retry-After (RFC 9110: seconds, or a date) asks to wait; None when it says nothing readable."""
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return _bounded(int(text[:12]))
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment.replace(tzinfo=moment.tzinfo or UTC)
    return _bounded((moment - at).total_seconds())


def fresh_for(headers: Mapping[str, str], at: datetime) -> timedelta | None:
    """Return how long nothing new is to be asked for, by Retry-After and Cache-Control: max-age, whichever is longer."""
    asked = retry_after(headers, at)
    control = headers.get("Cache-Control", "")
    age = _MAX_AGE.search(control)
    if age is None or _NO_STORE.search(control):
        return asked
    return max(_bounded(int(age[1])), asked or timedelta())


def _bounded(seconds: float) -> timedelta:
    return timedelta(seconds=min(max(seconds, 0), LONGEST.total_seconds()))
