"""How far a learner has come, in figures: days, weeks, kinds of mistakes and tracks, and the charts of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import dropwhile
from math import nan
from typing import TYPE_CHECKING, Final

from lessons.model import RIGHT, Chart, ChartKind, ErrorType, Series, Track, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from lessons.model import DayAnswer

DAYS: Final = 30
"""Days of the nearer past, today included; as many before them are what it is held against."""
WEEKS: Final = 8
REACH: Final = 2 * DAYS
"""Days of answers that the figures are made of."""

_LABELLED: Final = 4
"""Every so many days one has its date below it."""
_ANSWERED: Final = RIGHT | {Verdict.WRONG}
_TRACKS: Final = {Track.LESSON: "lesson practice", Track.EXERCISE: "exercises"}


@dataclass(frozen=True, slots=True)
class Tally:
    """How many answers, and how many of them right; skips are no answers."""

    answered: int = 0
    right: int = 0

    @property
    def percent(self) -> float:
        """The share of right ones, 0 to 100; nan without an answer."""
        return 100 * self.right / self.answered if self.answered else nan


@dataclass(frozen=True, slots=True)
class Figures:
    """The last DAYS days one by one, the last WEEKS weeks from their Mondays, and the whole of the last DAYS days.

    `weeks` and `firsts` count first tries (an item never answered before) by track, tracks without any left out;
    `kinds` counts kept mistakes by type, of the last DAYS days and of the DAYS before, the most frequent first.
    """

    days: tuple[tuple[date, Tally], ...]
    weeks: tuple[tuple[date, Mapping[Track, Tally]], ...]
    kinds: tuple[tuple[ErrorType, int, int], ...]
    tracks: Mapping[Track, Tally]
    firsts: Mapping[Track, Tally]
    before: Tally

    @property
    def total(self) -> Tally:
        """All answers of the last DAYS days."""
        return Tally(sum(tally.answered for _, tally in self.days), sum(tally.right for _, tally in self.days))

    @property
    def active(self) -> int:
        """On how many of the last DAYS days there was an answer."""
        return sum(tally.answered > 0 for _, tally in self.days)


def figures(answers: Iterable[tuple[date, DayAnswer]], today: date) -> Figures:
    """Count answers, each with its day in the learner's own zone; what lies outside of REACH is left out."""
    counted = [(day, each) for day, each in answers if each.verdict in _ANSWERED and day <= today]
    first_day, reach = today - timedelta(days=DAYS - 1), today - timedelta(days=REACH - 1)
    near = [(day, each) for day, each in counted if day >= first_day]
    before = [each for day, each in counted if reach <= day < first_day]
    by_day = {first_day + timedelta(days=number): _tally(()) for number in range(DAYS)}
    by_day |= {day: _tally(each for at, each in near if at == day) for day in {at for at, _ in near}}
    recent = [each for _, each in near]
    return Figures(
        days=tuple(sorted(by_day.items())),
        weeks=_weeks(counted, today),
        kinds=_kinds(recent, before),
        tracks=_by_track(recent),
        firsts=_by_track(each for each in recent if each.first_attempt),
        before=_tally(before),
    )


def first_tries(answers: Iterable[DayAnswer], since: datetime, until: datetime) -> Mapping[Track, Tally]:
    """Count the first tries after `since` and by `until`, track by track, tracks without any left out."""
    return _by_track(
        each for each in answers if each.first_attempt and each.verdict in _ANSWERED and since < each.at <= until
    )


def day_chart(found: Figures) -> Chart:
    """Answers and right ones of each day."""
    labels = tuple(
        date_name(day) if number % _LABELLED == 0 else "" for number, (day, _) in enumerate(found.days[::-1])
    )
    answered = tuple(float(tally.answered) for _, tally in found.days)
    right = tuple(float(tally.right) for _, tally in found.days)
    series = (Series("answers", labels[::-1], answered, faint=True), Series("right", labels[::-1], right))
    return Chart(ChartKind.BARS, f"Answers a day, last {DAYS} days", "", "answers", series, whole=True)


def week_chart(found: Figures) -> Chart:
    """First tries that were right, week by week and track by track, from the first week with any."""
    weeks = tuple(dropwhile(lambda week: not week[1], found.weeks))
    labels = tuple(date_name(monday) for monday, _ in weeks)
    tracks = [track for track in Track if any(track in tallies for _, tallies in weeks)]
    series = tuple(
        Series(_TRACKS[track], labels, tuple(tallies.get(track, Tally()).percent for _, tallies in weeks))
        for track in tracks
    )
    title = "Right at the first try, week by week"
    return Chart(ChartKind.LINES, title, "week from Monday", "% right", series, y_range=(0, 105))


def kind_chart(found: Figures, names: Mapping[ErrorType, str]) -> Chart:
    """Mistakes by kind, held against those of the days before."""
    labels = tuple(names[kind] for kind, _, _ in found.kinds)
    series = (
        Series(f"last {DAYS} days", labels, tuple(float(now) for _, now, _ in found.kinds)),
        Series(f"the {DAYS} days before", labels, tuple(float(before) for *_, before in found.kinds), faint=True),
    )
    return Chart(ChartKind.ROWS, "Mistakes by kind", "mistakes", "", series, whole=True)


def track_name(track: Track) -> str:
    """What the answers of a track are called."""
    return _TRACKS[track]


def date_name(day: date) -> str:
    """A day as charts and tables write it: "Nov 30"."""
    return f"{day:%b} {day.day}"


def _tally(answers: Iterable[DayAnswer]) -> Tally:
    verdicts = [each.verdict in RIGHT for each in answers]
    return Tally(len(verdicts), sum(verdicts))


def _by_track(answers: Iterable[DayAnswer]) -> dict[Track, Tally]:
    given = list(answers)
    tallies = {track: _tally(each for each in given if each.track is track) for track in Track}
    return {track: tally for track, tally in tallies.items() if tally.answered}


def _weeks(counted: Sequence[tuple[date, DayAnswer]], today: date) -> tuple[tuple[date, Mapping[Track, Tally]], ...]:
    monday = today - timedelta(days=today.weekday())
    mondays = [monday - timedelta(weeks=number) for number in reversed(range(WEEKS))]
    return tuple(
        (
            start,
            _by_track(
                each for day, each in counted if each.first_attempt and start <= day < start + timedelta(weeks=1)
            ),
        )
        for start in mondays
    )


def _kinds(recent: Iterable[DayAnswer], before: Iterable[DayAnswer]) -> tuple[tuple[ErrorType, int, int], ...]:
    now, then = (Counter(each.error_type for each in answers if each.error_type) for answers in (recent, before))
    counted = [(kind, now[kind], then[kind]) for kind in ErrorType if now[kind] or then[kind]]
    return tuple(sorted(counted, key=lambda kind: (-kind[1], -kind[2])))
