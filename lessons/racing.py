"""The rules of a race: what happens next and when, as a function of how it stands and the moment.

The paces are those that players of Kotoba's quizzes know: 16 seconds a question, hints on the way, a short while for
the others after the first right answer, an end when nobody answers any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lessons.model import Ending, Phase

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import Shared

SECONDS: Final = 16
"""For one question, unless something else is asked for."""
SHORTEST: Final = 10
LONGEST: Final = 120
HINTS_AFTER: Final = (timedelta(seconds=10), timedelta(seconds=20))
AFTER_RIGHT: Final = timedelta(seconds=2.1)
"""What is left for the others after the first right answer."""
PAUSE: Final = timedelta(seconds=3)
PAUSE_UNANSWERED: Final = timedelta(seconds=6)
UNANSWERED: Final = 5
"""Questions in a row without any answer that end a race with a time limit."""
LEFT_ALONE: Final = timedelta(hours=1)
"""How long a question without a time limit stays when nobody answers it any more."""
HIDDEN: Final = "＿"


class Move(StrEnum):
    """What is done to a race next."""

    ASK = "ask"
    HINT = "hint"
    CLOSE = "close"
    END = "end"


@dataclass(frozen=True, slots=True)
class Next:
    """The move that is due now (None: none yet), what it needs to know, and when to look again without one.

    `position` is the question it is about, `hints` how many are shown then, `why` the reason of an end.
    """

    move: Move | None
    position: int
    hints: int = 0
    why: Ending | None = None
    again: datetime | None = None


def following(race: Shared, now: datetime) -> Next:
    """Return what happens next in a race; one that ended has no move and no time."""
    here = race.position
    if race.ending is not None:
        return Next(None, here)
    if race.phase is Phase.WAITING:
        return Next(Move.ASK, here)
    return _asking(race, now) if race.phase is Phase.ASKING else _closed(race, now)


def _asking(race: Shared, now: datetime) -> Next:
    here, since = race.position, race.phase_at
    if race.new.seconds is None:
        due = max(since, race.touched_at or since) + LEFT_ALONE
        return Next(Move.END, here, why=Ending.UNANSWERED) if now >= due else Next(None, here, again=due)
    limit = timedelta(seconds=race.new.seconds)
    closing = since + limit
    if race.right_at is not None:  # one from before the question was asked anew gives the others their time as well
        closing = min(closing, max(race.right_at, since) + AFTER_RIGHT)
    if now >= closing:
        return Next(Move.CLOSE, here)
    times = [since + after for after in HINTS_AFTER if after < limit and since + after < closing]
    passed = sum(time <= now for time in times)
    if passed > race.hints and race.right_at is None:
        return Next(Move.HINT, here, hints=passed)
    ahead = [time for time in times if time > now and race.right_at is None]
    return Next(None, here, again=min([closing, *ahead]))


def _closed(race: Shared, now: datetime) -> Next:
    here = race.position
    due = race.phase_at + (PAUSE if race.answered else PAUSE_UNANSWERED)
    if now < due:
        return Next(None, here, again=due)
    if here >= race.total:
        return Next(Move.END, here, why=Ending.FINISHED)
    if race.new.seconds is not None and here - race.last_answered >= UNANSWERED:
        return Next(Move.END, here, why=Ending.UNANSWERED)
    return Next(Move.ASK, here + 1)


def hints(answer: str, own: str) -> tuple[str, str]:
    """Return the two hints of a question, from its answer and the hint of its own that it may have.

    The first is its own one, else the first character and the length; the second shows about half of the answer. An
    answer of one character shows its length alone, one of two nothing more than that before the second hint.
    """
    length = len(answer)
    first = own or _partly(answer, 1 if length > 2 else 0)  # noqa: PLR2004
    return first, _partly(answer, length // 2)


def _partly(answer: str, shown: int) -> str:
    hidden = "".join(HIDDEN if not each.isspace() else each for each in answer[shown:])
    return answer[:shown] + hidden
