"""How many days in a row somebody has practised, and the freeze days that forgive a missed one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

EARNED: Final = 7
"""Practised days in a row that earn a freeze day."""
HELD: Final = 2
"""Freeze days that can be held at once."""

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Streak:
    """Practised days of the streak up to today (0: there is none) and of the longest one ever.

    `today` says whether today is one of them; it is not missed before it is over. `freezes` are held now; `covered`
    is how many missed days just before today they have paid for.
    """

    length: int = 0
    longest: int = 0
    today: bool = False
    freezes: int = 0
    covered: int = 0


@dataclass(frozen=True, slots=True)
class _Run:
    """A streak up to its `last` practised day; `row` counts practised days since one was missed or earned a freeze day."""

    last: date
    length: int = 0
    row: int = 0
    freezes: int = 0


def streak(days: Iterable[date], today: date) -> Streak:
    """Tell the streak from the local days with an answer, in any order; those after today do not count yet.

    EARNED practised days in a row earn a freeze day, up to HELD of them. A missed day uses one up by itself: the
    streak goes on, and that day does not count. Where none is left the streak is over, and the next day begins one.
    """
    run, longest = _Run(today), 0
    for day in sorted({day for day in days if day <= today}):
        run = _practised(_after(run, day), day)
        longest = max(longest, run.length)
    done = run.last == today and run.length > 0
    left = run if done else _after(run, today)
    if not left.length:
        return Streak(longest=longest)
    return Streak(left.length, longest, done, left.freezes, run.freezes - left.freezes)


def _after(run: _Run, day: date) -> _Run:
    """Pay for the days missed between a streak's last one and `day`; a streak that cannot pay is over."""
    missed = (day - run.last) // _DAY - 1
    if not run.length or missed <= 0:
        return run
    if missed > run.freezes:
        return _Run(day)
    return replace(run, row=0, freezes=run.freezes - missed)


def _practised(run: _Run, day: date) -> _Run:
    """Go on with a streak by one practised day."""
    row, freezes = run.row + 1, run.freezes
    if row == EARNED:
        row, freezes = 0, min(HELD, freezes + 1)
    return _Run(day, run.length + 1, row, freezes)
