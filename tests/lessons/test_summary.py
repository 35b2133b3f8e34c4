"""Figures of progress over answers whose sums are known."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from math import isnan

from hypothesis import given
from hypothesis import strategies as st

from lessons.model import ChartKind, DayAnswer, ErrorType, Track, Verdict
from lessons.summary import DAYS, REACH, WEEKS, Tally, day_chart, figures, kind_chart, track_name, week_chart
from lessons.wording import KINDS

TODAY = date(2026, 11, 30)  # a Monday
RIGHT, WRONG, SKIPPED = Verdict.EXACT, Verdict.WRONG, Verdict.SKIPPED


def answer(
    ago: int, verdict: Verdict = RIGHT, kind: ErrorType | None = None, track: Track = Track.LESSON, first: bool = False
) -> tuple[date, DayAnswer]:
    day = TODAY - timedelta(days=ago)
    return day, DayAnswer(datetime.combine(day, time(9), UTC), track, verdict, kind, first)


def test_each_day_has_its_tally_and_skips_are_no_answers() -> None:
    found = figures([answer(0), answer(0, WRONG), answer(0, SKIPPED), answer(0, Verdict.PENDING), answer(3)], TODAY)
    assert len(found.days) == DAYS
    assert found.days[0][0] == TODAY - timedelta(days=DAYS - 1)
    assert found.days[-1] == (TODAY, Tally(2, 1))
    assert found.days[-2] == (TODAY - timedelta(days=1), Tally())
    assert (found.total, found.active, found.before) == (Tally(3, 2), 2, Tally())
    assert found.total.percent == 200 / 3
    assert isnan(Tally().percent)


def test_what_is_older_is_held_against_and_what_is_older_still_is_left_out() -> None:
    given_ = [answer(DAYS - 1), answer(DAYS, WRONG), answer(REACH - 1), answer(REACH), answer(-1)]
    found = figures(given_, TODAY)
    assert (found.total, found.before) == (Tally(1, 1), Tally(2, 1))


def test_first_tries_are_counted_by_the_weeks_monday_and_by_track() -> None:
    given_ = [
        answer(0, first=True),  # Monday
        answer(1, WRONG, first=True),  # Sunday: the week before
        answer(1, first=False),
        answer(7, first=True),
        answer(1, track=Track.EXERCISE, first=True),
        answer(7 * WEEKS, first=True),
    ]
    found = figures(given_, TODAY)
    assert len(found.weeks) == WEEKS
    assert found.weeks[-1] == (TODAY, {Track.LESSON: Tally(1, 1)})
    assert found.weeks[-2] == (date(2026, 11, 23), {Track.LESSON: Tally(2, 1), Track.EXERCISE: Tally(1, 1)})
    assert found.weeks[0] == (date(2026, 10, 12), {})
    assert found.firsts == {Track.LESSON: Tally(3, 2), Track.EXERCISE: Tally(1, 1)}
    assert found.tracks == {Track.LESSON: Tally(4, 3), Track.EXERCISE: Tally(1, 1)}


def test_kinds_of_mistakes_now_and_before_the_most_frequent_first() -> None:
    tense, particle, other = ErrorType.TENSE, ErrorType.PARTICLE, ErrorType.OTHER
    given_ = [
        answer(1, WRONG, tense),
        answer(2, WRONG, tense),
        answer(40, WRONG, particle),
        answer(41, WRONG, particle),
    ]
    found = figures([*given_, answer(2, WRONG, other), answer(3, WRONG)], TODAY)
    assert found.kinds == ((tense, 2, 0), (other, 1, 0), (particle, 0, 2))


def test_charts_say_the_same_as_the_figures() -> None:
    given_ = [
        answer(0, first=True),
        answer(9, WRONG, ErrorType.KANJI_KANA, first=True),
        answer(9, track=Track.EXERCISE),
    ]
    found = figures(given_, TODAY)
    days = day_chart(found)
    assert days.kind is ChartKind.BARS
    assert [sum(series.ys) for series in days.series] == [3, 2]
    assert days.series[0].xs[-1] == "Nov 30"
    assert days.series[0].xs[-2] == ""
    assert len(days.series[0].xs) == DAYS
    weeks = week_chart(found)
    assert weeks.kind is ChartKind.LINES
    assert [series.name for series in weeks.series] == ["lesson practice"]
    assert weeks.series[0].xs == ("Nov 16", "Nov 23", "Nov 30"), "from the first week with a first try"
    assert (weeks.series[0].ys[0], weeks.series[0].ys[2]) == (0, 100)
    assert isnan(weeks.series[0].ys[1])
    kinds = kind_chart(found, KINDS)
    assert kinds.kind is ChartKind.ROWS
    assert (kinds.series[0].xs, kinds.series[0].ys, kinds.series[1].ys) == (("kanji or kana",), (1,), (0,))
    assert week_chart(figures([], TODAY)).series == ()
    assert track_name(Track.EXERCISE) == "exercises"


@given(
    st.lists(
        st.builds(
            answer,
            st.integers(-3, 70),
            st.sampled_from(Verdict),
            st.sampled_from([None, *ErrorType]),
            st.sampled_from(Track),
            st.booleans(),
        ),
        max_size=60,
    )
)
def test_the_parts_add_up(given_: list[tuple[date, DayAnswer]]) -> None:
    found = figures(given_, TODAY)
    assert sum(tally.answered for tally in found.tracks.values()) == found.total.answered
    assert sum(tally.right for tally in found.tracks.values()) == found.total.right
    assert all(0 <= tally.right <= tally.answered for _, tally in found.days)
    assert found.total.answered + found.before.answered <= len(given_)
    assert all(found.firsts[track].answered <= found.tracks[track].answered for track in found.firsts)
