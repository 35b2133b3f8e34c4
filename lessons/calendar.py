"""Days as a learner lives them: IANA zones, local days, and names that were almost right."""

from __future__ import annotations

import difflib
from datetime import UTC, datetime, time
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from lessons.errors import UnknownTimeZone

NEAR_NAMES = 5


@cache
def zone_names() -> tuple[str, ...]:
    """Every IANA name that names a place or UTC, sorted. Reads the zone files the first time."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def zone_named(text: str) -> str:
    """Return the IANA name meant by `text`: case, spaces and a bare city ("tokyo") are forgiven.

    Raises UnknownTimeZone with names like it.
    """
    wanted = _loose(text)
    by_name = {_loose(name): name for name in zone_names()}
    if found := by_name.get(wanted):
        return found
    cities = [name for name in zone_names() if _loose(name.rsplit("/", 1)[-1]) == wanted and name.count("/") == 1]
    if len(cities) == 1:
        return cities[0]
    raise UnknownTimeZone(text, tuple(zones_like(text)))


def zones_like(text: str, limit: int = NEAR_NAMES) -> list[str]:
    """Names that contain `text`, those whose city begins with it first, then names spelled like it."""
    wanted = _loose(text)
    if not wanted:
        return list(zone_names()[:limit])
    holding = [name for name in zone_names() if wanted in _loose(name)]
    holding.sort(key=lambda name: (not _loose(name.rsplit("/", 1)[-1]).startswith(wanted), name))
    if not holding:
        cities = {_loose(name.rsplit("/", 1)[-1]): name for name in zone_names()}
        holding = [cities[city] for city in difflib.get_close_matches(wanted, cities, limit)]
    return holding[:limit]


def day_start(at: datetime, zone: str) -> datetime:
    """The first moment of the local day that `at` (aware) lies in, as aware UTC.

    Where midnight does not exist that day, the first moment after the gap.
    """
    local = at.astimezone(ZoneInfo(zone))
    midnight = datetime.combine(local.date(), time(), tzinfo=ZoneInfo(zone))
    return midnight.astimezone(UTC)


def _loose(text: str) -> str:
    return text.strip().casefold().replace(" ", "_")
