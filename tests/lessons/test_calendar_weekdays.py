"""Days of the week as people write them."""

import pytest

from lessons.calendar import weekdays
from lessons.errors import UnknownDays

ALL = (0, 1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("mon wed fri", (0, 2, 4)),
        ("Mon, Wed and Fri", (0, 2, 4)),
        ("fri/mon", (0, 4)),
        ("Tuesdays & Thursdays", (1, 3)),
        ("tues thurs", (1, 3)),
        ("mo", (0,)),
        ("月水金", (0, 2, 4)),
        ("月・水・金", (0, 2, 4)),
        ("月曜日と木曜日", (0, 3)),
        ("毎週日曜日", (6,)),
        ("土日", (5, 6)),
        ("every day", ALL),
        ("daily", ALL),
        ("毎日", ALL),
        ("Weekdays", (0, 1, 2, 3, 4)),
        ("平日", (0, 1, 2, 3, 4)),
        ("weekends and wed", (2, 5, 6)),
        ("週末", (5, 6)),
        ("mon-fri", (0, 1, 2, 3, 4)),
        ("Mon to Wed, Sat", (0, 1, 2, 5)),
        ("月〜金", (0, 1, 2, 3, 4)),
        ("火から木", (1, 2, 3)),
        ("fri-mon", (0, 4, 5, 6)),
        ("mon mon", (0,)),
        ("ＭＯＮ", (0,)),
    ],
)
def test_days_are_read_as_they_are_written(text: str, days: tuple[int, ...]) -> None:
    assert weekdays(text) == days


@pytest.mark.parametrize(
    "text",
    ["", " ", "and", "m", "s", "soon", "mon foo", "-", "mon-", "-mon", "mon--fri", "mon-weekdays", "@everyone", "８"],
)
def test_what_names_no_day_is_refused(text: str) -> None:
    with pytest.raises(UnknownDays) as refused:
        weekdays(text)
    assert refused.value.text == text
