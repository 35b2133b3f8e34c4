"""Local days and zone names."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from lessons.calendar.zones import (
    _ODD_OFFSETS,
    _PLACES,
    _SEVERAL,
    day_start,
    zone_named,
    zone_names,
    zone_shown,
    zones_like,
)
from lessons.errors import UnknownTimeZone


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Asia/Tokyo", "Asia/Tokyo"),
        ("asia/tokyo", "Asia/Tokyo"),
        (" Tokyo ", "Asia/Tokyo"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("Osaka", "Asia/Tokyo"),
        ("osaka, Japan", "Asia/Tokyo"),
        ("東京", "Asia/Tokyo"),
        ("京都", "Asia/Tokyo"),
        ("beijing", "Asia/Shanghai"),
        ("Mumbai", "Asia/Kolkata"),
        ("San Francisco", "America/Los_Angeles"),
        ("Washington, D.C.", "America/New_York"),
        ("Barcelona", "Europe/Madrid"),
        ("München", "Europe/Berlin"),
        ("Munchen", "Europe/Berlin"),
        ("Ｇｅｎｅｖａ", "Europe/Zurich"),
        ("st. petersburg", "Europe/Moscow"),
        ("Rio", "America/Sao_Paulo"),
        ("port au prince", "America/Port-au-Prince"),
        ("istanbul", "Europe/Istanbul"),
        ("buenos aires", "America/Buenos_Aires"),
        ("JST", "Asia/Tokyo"),
        ("est", "America/New_York"),
        ("PST", "America/Los_Angeles"),
        ("CET", "Europe/Berlin"),
        ("GMT", "UTC"),
        ("KST", "Asia/Seoul"),
        ("BST", "Europe/London"),
        ("AEST", "Australia/Sydney"),
    ],
)
def test_names_are_forgiving(typed: str, meant: str) -> None:
    assert zone_named(typed) == meant


@pytest.mark.parametrize(
    ("typed", "hours", "shown"),
    [
        ("UTC+9", 9, "UTC+9"),
        ("utc 9", 9, "UTC+9"),
        ("GMT-5", -5, "UTC-5"),
        ("UTC−3", -3, "UTC-3"),
        ("＋９", 9, "UTC+9"),
        ("+09:00", 9, "UTC+9"),
        ("-0800", -8, "UTC-8"),
        ("+14", 14, "UTC+14"),
        ("UTC-12", -12, "UTC-12"),
        ("Etc/GMT-9", 9, "UTC+9"),
        ("UTC+0", 0, "UTC"),
        ("GMT-00:00", 0, "UTC"),
        ("+5:30", 5.5, "Asia/Kolkata"),
        ("UTC+05:45", 5.75, "Asia/Kathmandu"),
        ("-9:30", -9.5, "Pacific/Marquesas"),
    ],
)
def test_offsets_are_zones_and_shown_with_the_sign_people_know(typed: str, hours: float, shown: str) -> None:
    zone = zone_named(typed)
    assert zone_shown(zone) == shown
    assert zone_named(shown) == zone
    for month in range(1, 13):
        assert datetime(2026, month, 1, tzinfo=ZoneInfo(zone)).utcoffset() == timedelta(hours=hours)


def test_every_name_of_the_tables_is_a_zone() -> None:
    assert set(_PLACES) <= set(zone_names())
    for zones in (*_SEVERAL.values(), *_ODD_OFFSETS.values()):
        assert set(zones) <= set(zone_names())
    for zone, names in _PLACES.items():
        for name in names.split(", "):
            assert zone_named(name) == zone


def test_every_zone_is_known_by_its_own_name() -> None:
    for zone in zone_names():
        assert zone_named(zone) == zone_named(zone.lower().replace("_", " ")) == zone


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("Tokio", "Asia/Tokyo"),
        ("Berln", "Europe/Berlin"),
        ("Osakka", "Asia/Tokyo"),
        ("Kalkutta", "Asia/Kolkata"),
        ("IST", "Europe/Dublin"),
        ("+09:30", "Australia/Adelaide"),
        ("zzzz", None),
        ("UTC+20", None),
        ("+07:15", None),
        ("9", None),
    ],
)
def test_unknown_names_come_with_names_like_them(typed: str, near: str | None) -> None:
    with pytest.raises(UnknownTimeZone) as refused:
        zone_named(typed)
    assert refused.value.name == typed
    assert (near in refused.value.near) if near else refused.value.near == ()


def test_offers_while_typing() -> None:
    assert zones_like("", 2) == ["Asia/Tokyo", "America/New_York"]
    assert set(zones_like("", 1000)) == set(zone_names())
    assert zones_like("tok", 3)[0] == "Asia/Tokyo"
    assert zones_like("osa")[0] == zones_like("東")[0] == "Asia/Tokyo"
    assert len(zones_like("america", 25)) == 25
    assert zones_like("GMT+9") == ["UTC+9"]
    assert zones_like("+09:30") == ["Australia/Darwin", "Australia/Adelaide"]


@pytest.mark.parametrize("typed", ["", "e", "etc", "Etc/GMT", "gmt", "utc", "utc+", "+", "UTC+9", "-3", "gmt+20"])
def test_no_offer_has_its_sign_the_wrong_way_round(typed: str) -> None:
    offered = zones_like(typed, 1000)
    assert not [name for name in offered if name.startswith("Etc/")]
    assert all(zone_named(name) for name in offered)


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
