"""Local days and zone names."""

from datetime import UTC, datetime

import pytest

from lessons.calendar import day_start, zone_named, zone_names, zones_like
from lessons.errors import UnknownTimeZone


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Asia/Tokyo", "Asia/Tokyo"),
        ("asia/tokyo", "Asia/Tokyo"),
        (" Tokyo ", "Asia/Tokyo"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
    ],
)
def test_names_are_forgiving(typed: str, meant: str) -> None:
    assert zone_named(typed) == meant


@pytest.mark.parametrize(("typed", "near"), [("Tokio", "Asia/Tokyo"), ("Berln", "Europe/Berlin"), ("zzzz", None)])
def test_unknown_names_come_with_names_like_them(typed: str, near: str | None) -> None:
    with pytest.raises(UnknownTimeZone) as refused:
        zone_named(typed)
    assert refused.value.name == typed
    assert (near in refused.value.near) if near else refused.value.near == ()


def test_offers_while_typing() -> None:
    assert zones_like("", 3) == list(zone_names()[:3])
    assert zones_like("tok", 3)[0] == "Asia/Tokyo"
    assert len(zones_like("america", 25)) == 25


@pytest.mark.parametrize(
    ("at", "zone", "start"),
    [
        (datetime(2026, 11, 30, 14, 59, tzinfo=UTC), "Asia/Tokyo", datetime(2026, 11, 29, 15, tzinfo=UTC)),
        (datetime(2026, 11, 30, 15, 0, tzinfo=UTC), "Asia/Tokyo", datetime(2026, 11, 30, 15, tzinfo=UTC)),
        (datetime(2026, 7, 1, 12, tzinfo=UTC), "America/Los_Angeles", datetime(2026, 7, 1, 7, tzinfo=UTC)),
        # midnight does not exist: clocks go from 24:00 to 01:00
        (datetime(2024, 4, 26, 12, tzinfo=UTC), "Africa/Cairo", datetime(2024, 4, 25, 22, tzinfo=UTC)),
        # midnight comes twice: the first one begins the day
        (datetime(2024, 11, 3, 12, tzinfo=UTC), "America/Havana", datetime(2024, 11, 3, 4, tzinfo=UTC)),
    ],
)
def test_the_local_day_begins(at: datetime, zone: str, start: datetime) -> None:
    assert day_start(at, zone) == start
