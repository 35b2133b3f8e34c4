"""Days as a learner lives them: local days, time zones as people name them, times of day, and when a rule falls due."""

from __future__ import annotations

from lessons.calendar.slots import next_slot, plan, slot_on
from lessons.calendar.times import clock_time
from lessons.calendar.weekdays import weekdays
from lessons.calendar.zones import day_start, local_day, zone_named, zone_names, zone_shown, zones_like

__all__ = [
    "clock_time",
    "day_start",
    "local_day",
    "next_slot",
    "plan",
    "slot_on",
    "weekdays",
    "zone_named",
    "zone_names",
    "zone_shown",
    "zones_like",
]
