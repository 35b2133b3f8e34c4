"""Days in a row, and the days that are forgiven."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.streaks import EARNED, HELD, Streak, streak

TODAY = date(2026, 11, 30)


def days(told: str) -> list[date]:
    """Read days up to today, oldest first: x for one with an answer."""
    return [TODAY - timedelta(days=len(told) - 1 - place) for place, sign in enumerate(told) if sign == "x"]


@pytest.mark.parametrize(
    ("told", "length", "longest", "today", "freezes"),
    [
        ("", 0, 0, False, 0),
        (".", 0, 0, False, 0),
        ("x", 1, 1, True, 0),
        ("x.", 1, 1, False, 0),  # today is not over
        ("x..", 0, 1, False, 0),
        ("xxx.x", 1, 3, True, 0),
        ("xxxxxx", 6, 6, True, 0),
        ("xxxxxxx", 7, 7, True, 1),
        ("xxxxxxx.", 7, 7, False, 1),
        ("xxxxxxx..", 7, 7, False, 0),
        ("xxxxxxx.x", 8, 8, True, 0),  # the missed day does not count
        ("xxxxxxx...", 0, 7, False, 0),
        ("xxxxxxx..x", 1, 7, True, 0),  # and what was held is gone
        ("x" * 14, 14, 14, True, 2),
        ("x" * 30, 30, 30, True, 2),  # two at most
        ("x" * 14 + "..x", 15, 15, True, 0),
        ("x" * 14 + "...x", 1, 14, True, 0),
        ("x" * 10 + "." + "x" * 4, 14, 14, True, 0),  # a missed day begins the seven anew
        ("x" * 10 + "." + "x" * 7, 17, 17, True, 1),
        ("x" * 21 + "...." + "x" * 3, 3, 21, True, 0),
    ],
)
def test_a_streak_is_counted_and_forgiven(told: str, length: int, longest: int, today: bool, freezes: int) -> None:
    found = streak(days(told), TODAY)
    assert (found.length, found.longest, found.today, found.freezes) == (length, longest, today, freezes)


def test_it_tells_which_days_were_covered_just_now() -> None:
    assert streak(days("xxxxxxx.."), TODAY).covered == 1
    assert streak(days("x" * 14 + "..."), TODAY).covered == 2
    assert streak(days("xxxxxxx.x"), TODAY).covered == 0
    assert streak(days("xxx."), TODAY).covered == 0


def test_order_repeats_and_days_to_come_do_not_matter() -> None:
    told = days("xxxx")
    assert streak([*reversed(told), *told, TODAY + timedelta(days=1)], TODAY) == Streak(4, 4, today=True)


@given(st.sets(st.integers(0, 60)), st.integers(0, 60))
def test_whatever_the_days_the_figures_agree(numbers: set[int], now: int) -> None:
    first = date(2026, 1, 1)
    given_days = {first + timedelta(days=number) for number in numbers}
    today = first + timedelta(days=now)
    found = streak(given_days, today)
    practised = sum(day <= today for day in given_days)
    assert 0 <= found.length <= found.longest <= practised
    assert found.today == (today in given_days)
    assert 0 <= found.freezes <= HELD
    assert found.freezes + found.covered <= HELD
    assert found.freezes == 0 or found.length >= EARNED
    later = streak(given_days | {today}, today)
    assert later.today
    assert later.length == (found.length if found.today else found.length + 1)
