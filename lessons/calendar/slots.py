"""When a rule falls due: each local day of it once, also where clocks are moved, zones change or days are left out."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lessons.model import Plan, Slot

if TYPE_CHECKING:
    from datetime import tzinfo

    from lessons.model import Rule

DAY: Final = timedelta(days=1)
LOOKED_BACK: Final = timedelta(days=31)
"""How far back missed times are counted one by one."""


def next_slot(rule: Rule, after: datetime, last_day: date | None = None) -> Slot:
    """Return the first time of `rule` strictly after `after` (aware), of a local day later than `last_day`.

    A time that the clocks skip that day falls on the first minute after the gap, one that comes twice on the first of
    the two. `last_day`, the day that was last posted for, keeps a change of zone from posting for one day twice.
    """
    zone = _zone(rule.time_zone)
    day = after.astimezone(zone).date()
    if last_day is not None:
        day = max(day, last_day + DAY)
    while True:
        if day.weekday() in rule.weekdays and (due := _moment(day, rule.minute, zone)) is not None and due > after:
            return Slot(due, day)
        day += DAY


def slot_on(rule: Rule, day: date) -> Slot:
    """Return the time of `rule` for a local day, whatever weekday it is; for a day that the zone leaves out, the next."""
    while (due := _moment(day, rule.minute, _zone(rule.time_zone))) is None:
        day += DAY
    return Slot(due, day)


def plan(rule: Rule, due: Slot, at: datetime, last_day: date | None = None) -> Plan:
    """Say what comes of a time that was due by `at`: the latest one up to now, those before it passed over, the next.

    Those of more than LOOKED_BACK ago count as one.
    """
    slot, late = due, 0
    if at - due.due > LOOKED_BACK:
        slot, late = next_slot(rule, at - LOOKED_BACK, max(due.day, last_day or due.day)), 1
        if slot.due > at:  # a rule of one day a week always has one; a last day in the future may leave none
            return Plan(due, 0, slot)
    while (following := next_slot(rule, slot.due, max(slot.day, last_day or slot.day))).due <= at:
        slot, late = following, late + 1
    return Plan(slot, late, following)


@lru_cache(maxsize=1024)
def _zone(name: str) -> tzinfo:
    """Return a zone; UTC for a name that this machine's zone files no longer know, so that nobody else's post suffers."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _moment(day: date, minute: int, zone: tzinfo) -> datetime | None:
    """Return the moment of a local day at so many minutes, as aware UTC; None for a day that does not exist there."""
    local = datetime.combine(day, time(minute // 60, minute % 60), tzinfo=zone)
    moment = local.astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return moment
    midnight = datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
    if midnight.astimezone(zone).date() != day:  # as 30 December 2011 in Samoa
        return None
    return _end_of_gap(local)


def _end_of_gap(local: datetime) -> datetime:
    """Return the first moment after the gap that a local time falls into, as aware UTC.

    By PEP 495 such a time has the offset before the gap with fold 0, the one after it with fold 1; the change lies
    between the two moments they stand for, and is found by halving, to the second.
    """
    zone, before = local.tzinfo, local.utcoffset()
    late, early = local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)
    seconds_early, seconds_late = 0, int((late - early).total_seconds())
    while seconds_late - seconds_early > 1:
        middle = (seconds_early + seconds_late) // 2
        if (early + timedelta(seconds=middle)).astimezone(zone).utcoffset() == before:
            seconds_early = middle
        else:
            seconds_late = middle
    return early + timedelta(seconds=seconds_late)
