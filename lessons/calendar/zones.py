"""Local days, and time zones by IANA name, big city, abbreviation or UTC offset."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import defaultdict
from datetime import UTC, date, datetime, time
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from lessons.errors import UnknownTimeZone

NEAR_NAMES: Final = 5
_FIXED: Final = "Etc/GMT"
"""What IANA calls zones of a fixed offset, with the sign the other way round: Etc/GMT-9 is UTC+9."""
_CLOSE: Final = 0.75
"""difflib's ratio, 0 to 1, from which a name was probably meant."""

_PLACES: Final = {
    "Asia/Tokyo": "jst, japan, osaka, kyoto, yokohama, nagoya, sapporo, kobe, fukuoka, hiroshima, sendai, nara, okinawa, "
    "東京, 大阪, 京都, 横浜, 名古屋, 札幌, 神戸, 福岡, 広島, 仙台, 奈良, 沖縄, 日本",
    "America/New_York": "est, edt, et, eastern, washington, washington dc, boston, miami, philadelphia, atlanta, nyc",
    "America/Chicago": "cdt, ct, central, houston, dallas, austin, san antonio, minneapolis, new orleans",
    "America/Denver": "mst, mdt, mountain, salt lake city",
    "America/Los_Angeles": "pst, pdt, pt, pacific, san francisco, san diego, seattle, portland, las vegas, san jose, la",
    "Pacific/Honolulu": "hst, hawaii",
    "America/Anchorage": "akst, akdt, alaska",
    "America/Toronto": "montreal, ottawa, quebec",
    "America/Edmonton": "calgary",
    "America/Sao_Paulo": "brt, rio, rio de janeiro, brasilia",
    "America/Mexico_City": "guadalajara",
    "America/Guayaquil": "quito",
    "Europe/London": "bst, england, uk, united kingdom, great britain, manchester, birmingham, edinburgh, glasgow, "
    "liverpool, leeds, bristol, cardiff",
    "Europe/Berlin": "cet, cest, germany, munich, münchen, hamburg, frankfurt, cologne, köln, stuttgart, dusseldorf, "
    "düsseldorf, leipzig, dresden",
    "Europe/Paris": "france, lyon, marseille, toulouse, nice, bordeaux",
    "Europe/Madrid": "spain, barcelona, valencia, seville, sevilla, bilbao",
    "Europe/Rome": "italy, roma, milan, milano, naples, napoli, turin, torino, florence, firenze, venice, bologna",
    "Europe/Zurich": "switzerland, geneva, genève, genf, basel, bern, lausanne",
    "Europe/Vienna": "austria, wien, graz, salzburg",
    "Europe/Amsterdam": "netherlands, rotterdam, the hague, utrecht",
    "Europe/Brussels": "belgium, antwerp, bruxelles",
    "Europe/Warsaw": "poland, krakow, kraków, gdansk, wroclaw",
    "Europe/Prague": "czechia, praha, brno",
    "Europe/Lisbon": "wet, west, portugal, lisboa, porto",
    "Europe/Athens": "eet, eest, greece, thessaloniki",
    "Europe/Stockholm": "sweden, gothenburg, göteborg, malmo",
    "Europe/Moscow": "msk, saint petersburg, st petersburg",
    "Europe/Kyiv": "ukraine, odesa, odessa, lviv, kharkiv",
    "Europe/Istanbul": "turkey, ankara, izmir",
    "Asia/Jerusalem": "israel, tel aviv, haifa",
    "Asia/Dubai": "gst, abu dhabi, uae",
    "Asia/Kolkata": "india, delhi, new delhi, mumbai, bombay, bangalore, bengaluru, chennai, hyderabad, pune, calcutta",
    "Asia/Shanghai": "china, beijing, peking, guangzhou, shenzhen, chengdu, wuhan, nanjing, hangzhou, 北京, 上海",
    "Asia/Hong_Kong": "hkt, hongkong, hk, 香港",
    "Asia/Taipei": "taiwan, kaohsiung, taichung, 台北, 台湾",
    "Asia/Seoul": "kst, korea, south korea, busan, incheon, daegu, 서울, ソウル",
    "Asia/Ho_Chi_Minh": "vietnam, hanoi, saigon, ho chi minh city, da nang",
    "Asia/Bangkok": "ict, thailand, chiang mai",
    "Asia/Jakarta": "wib, indonesia, bandung, surabaya",
    "Asia/Manila": "pht, philippines, quezon city, cebu",
    "Asia/Singapore": "sgt",
    "Asia/Kuala_Lumpur": "malaysia, penang",
    "Asia/Karachi": "pkt, pakistan, lahore, islamabad",
    "Africa/Cairo": "egypt, alexandria, giza",
    "Africa/Johannesburg": "sast, south africa, cape town, durban, pretoria",
    "Africa/Lagos": "wat, nigeria, abuja",
    "Australia/Sydney": "aest, aedt, canberra",
    "Australia/Perth": "awst",
    "Pacific/Auckland": "nzst, nzdt, nz, new zealand, wellington, christchurch",
    "UTC": "gmt, z, zulu, greenwich",
}
"""Zones to what people call them that IANA does not."""

_SEVERAL: Final = {
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "cst": ("America/Chicago", "Asia/Shanghai"),
    "russia": ("Europe/Moscow", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Vladivostok"),
    "brazil": ("America/Sao_Paulo", "America/Manaus", "America/Fortaleza"),
    "mexico": ("America/Mexico_City", "America/Monterrey", "America/Tijuana"),
    "usa": ("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    "canada": ("America/Toronto", "America/Winnipeg", "America/Edmonton", "America/Vancouver"),
    "australia": ("Australia/Sydney", "Australia/Brisbane", "Australia/Adelaide", "Australia/Perth"),
}
"""Names of more than one zone: the person has to choose."""

_ODD_OFFSETS: Final = {
    "-0930": ("Pacific/Marquesas",),
    "-0330": ("America/St_Johns",),
    "-0230": ("America/St_Johns",),
    "+0330": ("Asia/Tehran",),
    "+0430": ("Asia/Kabul",),
    "+0530": ("Asia/Kolkata",),
    "+0545": ("Asia/Kathmandu",),
    "+0630": ("Asia/Yangon",),
    "+0845": ("Australia/Eucla",),
    "+0930": ("Australia/Darwin", "Australia/Adelaide"),
    "+1030": ("Australia/Adelaide", "Australia/Lord_Howe"),
    "+1245": ("Pacific/Chatham",),
    "+1345": ("Pacific/Chatham",),
}
"""Offsets that are no whole hours have no fixed zone: these are the places that have them, in some part of the year."""

_OFFSET: Final = re.compile(r"(?:(?:utc|gmt) ?([+-]?)|([+-])) ?(\d{1,2})(?::?([0-5]\d))?")
_MINUS: Final = str.maketrans("−–—‐", "----")
_HOURS: Final = range(-12, 15)
"""Offsets that have a fixed zone."""


@cache
def zone_names() -> tuple[str, ...]:
    """Every IANA name that names a place or UTC, sorted. Reads the zone files the first time."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return tuple(sorted((*places, "UTC")))


def zone_named(text: str) -> str:
    """Return the IANA name meant by `text`: case, spaces and a bare city ("tokyo") are forgiven.

    Cities that IANA does not name ("osaka"), abbreviations and offsets ("UTC+9") count too; an offset gives a fixed
    zone, which `zone_shown` writes as people do. Raises UnknownTimeZone with names to choose from.
    """
    if fixed := next((name for name in available_timezones() if name.startswith(_FIXED) and name == text.strip()), ""):
        return fixed
    city = text.partition(",")[0]
    meant = _by_offset(text) or _called().get(_loose(text)) or _called().get(_loose(city), ())
    if len(meant) == 1:
        return meant[0]
    raise UnknownTimeZone(text, meant or tuple(zones_like(text)))


def zone_shown(name: str) -> str:
    """Return a zone as a person reads it: Etc/GMT-9 is UTC+9."""
    offset = name.removeprefix(_FIXED)
    return f"UTC{offset.translate(str.maketrans('+-', '-+'))}" if offset != name else name


def zones_like(text: str, limit: int = NEAR_NAMES) -> list[str]:
    """Names to offer for `text`, all of which `zone_named` takes.

    An offset as it is; else zones of that name, those that begin with it, those that contain it, and where there is
    none, those spelled like it. For no text at all, the zones of big cities.
    """
    if meant := _by_offset(text):
        return [zone_shown(name) for name in meant]
    wanted, called = _loose(text), _called()
    if not wanted:
        return list(dict.fromkeys((*_PLACES, *zone_names())))[:limit]
    begun = [name for name in called if name.startswith(wanted)]
    holding = [name for name in called if wanted in name]
    found = [zone for name in (wanted, *begun, *holding) for zone in called.get(name, ())]
    if not found:
        near = difflib.get_close_matches(wanted, called, limit, _CLOSE)
        found = [zone for name in near for zone in called[name]]
    return list(dict.fromkeys(found))[:limit]


def day_start(at: datetime, zone: str) -> datetime:
    """The first moment of the local day that `at` (aware) lies in, as aware UTC.

    Where midnight does not exist that day, the first moment after the gap.
    """
    local = at.astimezone(ZoneInfo(zone))
    midnight = datetime.combine(local.date(), time(), tzinfo=ZoneInfo(zone))
    return midnight.astimezone(UTC)


def local_day(at: datetime, zone: str) -> date:
    """The day that `at` (aware) lies in, as people in that zone live it."""
    return at.astimezone(ZoneInfo(zone)).date()


@cache
def _called() -> dict[str, tuple[str, ...]]:
    """Every name a zone is known by, folded, to the zones of that name: those of big cities come first, and win."""
    called: dict[str, tuple[str, ...]] = {}
    for zone, names in _PLACES.items():
        for name in (zone, _city(zone), *names.split(", ")):
            called[_loose(name)] = (zone,)
    called |= _SEVERAL
    cities: defaultdict[str, list[str]] = defaultdict(list)
    for zone in zone_names():
        called.setdefault(_loose(zone), (zone,))
        cities[_loose(_city(zone))].append(zone)
    for city, zones in cities.items():
        called.setdefault(city, tuple(sorted(zones, key=lambda zone: zone.count("/"))[:1]))
    return called


def _city(zone: str) -> str:
    return zone.rsplit("/", 1)[-1]


def _by_offset(text: str) -> tuple[str, ...]:
    """Return the zones of an offset such as UTC+9, GMT-5 or +05:30; none when the text is no offset, or nobody's."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_MINUS).split())
    match = _OFFSET.fullmatch(plain)
    if match is None:
        return ()
    sign = "-" if "-" in {match[1], match[2]} else "+"
    minutes = match[4] or "00"
    if minutes != "00":
        return _ODD_OFFSETS.get(f"{sign}{int(match[3]):02d}{minutes}", ())
    hours = int(f"{sign}{match[3]}")
    if hours not in _HOURS:
        return ()
    return (f"{_FIXED}{-hours:+d}",) if hours else ("UTC",)


def _loose(text: str) -> str:
    """Fold a name: case, width, accents, spaces, hyphens and full stops do not count."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    plain = "".join(char for char in decomposed if not unicodedata.combining(char) and char != ".")
    return re.sub(r"[\s_-]+", "_", plain)
