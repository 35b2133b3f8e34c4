from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from lessons.calendar import clock_time, next_slot, plan, slot_on, zone_names
from lessons.errors import UnknownTime
from lessons.model import Rule, Slot

DAY = timedelta(days=1)
WEEK = (0, 1, 2, 3, 4, 5, 6)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def slots(rule: Rule, after: datetime, number: int, last_day: date | None = None) -> list[Slot]:
    found = []
    for _ in range(number):
        found.append(next_slot(rule, after, last_day))
        after, last_day = found[-1].due, found[-1].day
    return found


def local(slot: Slot, zone: str) -> str:
    return f"{slot.due.astimezone(ZoneInfo(zone)):%d %H:%M}"


def changes(zone: str, year: int) -> list[date]:
    """Local days of a year on which a zone moves its clocks."""
    known = ZoneInfo(zone)
    days = [datetime(year, 1, 1, tzinfo=UTC) + number * DAY for number in range(366)]
    return [
        before.astimezone(known).date()
        for before in days
        if before.astimezone(known).utcoffset() != (before + DAY).astimezone(known).utcoffset()
    ]


@pytest.mark.parametrize(
    ("zone", "time", "after", "expected"),
    [
        ("America/Los_Angeles", "0:00", "2027-03-13 00:00", ["13 00:00", "14 00:00", "15 00:00", "16 00:00"]),
        ("America/Los_Angeles", "2:30", "2027-03-13 12:00", ["14 03:00", "15 02:30"]),
        ("Europe/Berlin", "2:30", "2027-10-30 12:00", ["31 02:30", "01 02:30"]),
        ("Europe/London", "1:30", "2027-03-27 12:00", ["28 02:00", "29 01:30"]),
        ("America/Nuuk", "23:30", "2027-03-26 12:00", ["26 23:30", "28 00:00", "28 23:30"]),  # the gap reaches midnight
        ("Asia/Beirut", "0:00", "2027-03-27 12:00", ["28 01:00", "29 00:00"]),  # there is no midnight that day
        ("Pacific/Apia", "10:00", "2011-12-29 00:00", ["29 10:00", "31 10:00"]),  # there is no 30th
        ("Australia/Lord_Howe", "2:15", "2027-10-01 12:00", ["02 02:15", "03 02:30"]),  # a gap of half an hour
    ],
)
def test_a_time_comes_once_a_day_where_clocks_are_moved(zone, time, after, expected):
    rule = Rule(zone, clock_time(time))
    assert [local(slot, zone) for slot in slots(rule, moment(after), len(expected))] == expected


def test_a_time_that_comes_twice_is_the_first_of_the_two():
    first = next_slot(Rule("Europe/Berlin", 150), moment("2027-10-30 12:00"))
    assert first.due == moment("2027-10-31 00:30")


def test_no_local_day_is_missed_or_doubled_round_a_change_of_clocks():
    """A sample; benchmarks/scheduling.py looks at every zone and 48 times of day."""
    counted: Counter[int] = Counter()
    for zone in zone_names()[::5]:
        for change in changes(zone, 2027):
            for minute in range(0, 1440, 210):
                began = datetime.combine(change - 2 * DAY, datetime.min.time(), ZoneInfo(zone))
                found = slots(Rule(zone, minute), began.astimezone(UTC) - timedelta(minutes=1), 5)
                assert [slot.day for slot in found] == [change + number * DAY for number in range(-2, 3)]
                assert all(one.due < two.due for one, two in pairwise(found))
                counted[minute] += 1
    assert sum(counted.values()) > 200


@pytest.mark.parametrize(
    ("before", "after", "at", "expected"),
    [
        # posted on Wednesday at 8 in Tokyo; an hour later it is Tuesday 13:00 in Honolulu
        ("Asia/Tokyo", "Pacific/Honolulu", "2027-06-09 00:00", date(2027, 6, 10)),
        # posted on Tuesday at 8 in Honolulu; an hour later it is Wednesday 4:00 in Tokyo
        ("Pacific/Honolulu", "Asia/Tokyo", "2027-06-08 19:00", date(2027, 6, 9)),
        ("Europe/Berlin", "Europe/London", "2027-06-09 06:30", date(2027, 6, 10)),
        ("Pacific/Kiritimati", "Etc/GMT+12", "2027-06-09 00:00", date(2027, 6, 10)),
    ],
)
def test_a_change_of_zone_in_mid_week_never_posts_for_a_local_day_twice(before, after, at, expected):
    posted = slot_on(Rule(before, 480), moment(at).astimezone(ZoneInfo(before)).date())
    assert posted.due <= moment(at)
    moved = next_slot(Rule(after, 480), moment(at), posted.day)
    assert moved.day == expected
    assert moved.due > moment(at)


def test_only_the_weekdays_of_the_rule_count():
    rule = Rule("Asia/Tokyo", 480, (0, 4))
    assert [slot.day for slot in slots(rule, moment("2027-06-09 00:00"), 3)] == [
        date(2027, 6, 11),
        date(2027, 6, 14),
        date(2027, 6, 18),
    ]


def test_the_next_time_is_strictly_later():
    rule = Rule("UTC", 480)
    assert next_slot(rule, moment("2027-06-09 08:00")).due == moment("2027-06-10 08:00")
    assert next_slot(rule, moment("2027-06-09 07:59")).due == moment("2027-06-09 08:00")


def test_a_day_has_a_time_whatever_weekday_it_is_and_a_day_left_out_gives_the_next():
    assert slot_on(Rule("UTC", 60, (0,)), date(2027, 6, 9)) == Slot(moment("2027-06-09 01:00"), date(2027, 6, 9))
    assert slot_on(Rule("Pacific/Apia", 600), date(2011, 12, 30)).day == date(2011, 12, 31)


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../../etc/passwd", "Asia"])
def test_a_zone_that_is_not_known_here_is_taken_as_utc(name):
    assert next_slot(Rule(name, 60), moment("2027-06-09 00:00")).due == moment("2027-06-09 01:00")


def test_what_was_missed_comes_to_the_latest_time_and_a_number():
    rule, due = Rule("UTC", 480), Slot(moment("2027-06-09 08:00"), date(2027, 6, 9))
    on_time = plan(rule, due, moment("2027-06-09 08:00"))
    assert (on_time.slot, on_time.late, on_time.next.day) == (due, 0, date(2027, 6, 10))
    late = plan(rule, due, moment("2027-06-11 09:00"))
    assert (late.slot.day, late.late, late.next.day) == (date(2027, 6, 11), 2, date(2027, 6, 12))


def test_years_of_absence_are_not_counted_one_by_one():
    rule, due = Rule("UTC", 480, (2,)), Slot(moment("2020-06-10 08:00"), date(2020, 6, 10))
    late = plan(rule, due, moment("2027-06-11 09:00"))
    assert (late.slot.day, late.next.day) == (date(2027, 6, 9), date(2027, 6, 16))
    assert late.late == 5
    assert plan(rule, due, moment("2027-06-11 09:00"), date(2027, 6, 11)).slot == due


@pytest.mark.parametrize(
    ("text", "minute"),
    [
        ("7:30", 450),
        ("07:30", 450),
        (" 19 ", 1140),
        ("7pm", 1140),
        ("7 p.m.", 1140),
        ("7:05 AM", 425),
        ("12am", 0),
        ("12 pm", 720),
        ("0730", 450),
        ("730pm", 1170),
        ("7.30", 450),
        ("7h", 420),
        ("7h30", 450),
        ("9 o’clock", 540),
        ("１９：３０", 1170),
        ("noon", 720),
        ("正午", 720),
        ("midnight", 0),
        ("七時半", 450),
        ("午後七時", 1140),
        ("午前12時", 0),
        ("十九時三十分", 1170),
        ("二十一時五分", 1265),
        ("8時05分", 485),
        ("0:00", 0),
        ("23:59", 1439),
    ],
)
def test_a_time_of_day_is_understood_as_people_write_it(text, minute):
    assert clock_time(text) == minute


@pytest.mark.parametrize(
    "text", ["", "24:00", "7:60", "13pm", "0pm", "soon", "-1", "7:3", "99999", "二十五時", "٧:٣٠", "7" * 5000]
)
def test_what_is_no_time_of_day_is_refused_with_what_was_written(text):
    with pytest.raises(UnknownTime) as refused:
        clock_time(text)
    assert refused.value.text == text


def test_weekdays_of_the_whole_week_are_the_default():
    assert Rule("UTC", 0).weekdays == WEEK
