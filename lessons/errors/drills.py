"""What stands in the way of practice: nothing to drill, a press that leads nowhere, a judge or tutor that is away."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lessons.errors.root import KizukiError

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import Away, Drill, PackId


@dataclass(eq=False)
class NothingMatches(KizukiError):
    """A lesson range that selects no row."""

    pack: str
    lessons: str
    known: tuple[str, ...] = ()


@dataclass(eq=False)
class BadRange(KizukiError):
    """A lesson range that cannot be read, or one that is longer than anybody means."""

    text: str
    too_long: bool = False


@dataclass(eq=False)
class NothingDue(KizukiError):
    """All done for now; `next_due` is None when nothing was ever drilled."""

    next_due: datetime | None
    new_left: bool = False


@dataclass(eq=False)
class NoPacks(KizukiError):
    """There is nothing to drill here at all."""


@dataclass(eq=False)
class DrillUnfinished(KizukiError):
    """An open drill stands in the way of a new one; `pack` is the one that was asked for."""

    drill: Drill
    pack: PackId | None = None


class Gone(StrEnum):
    """Why a press leads nowhere."""

    UNKNOWN = "unknown"
    FOREIGN = "foreign"
    STOPPED = "stopped"
    FINISHED = "finished"
    ANSWERED = "answered"
    DECIDED = "decided"
    SCHEDULE = "schedule"  # one that was removed
    TIME_UP = "time_up"  # a question of a race that takes no answer any more
    ASKED_ANEW = "asked_anew"  # a question of a race that is shown once more in a moment
    RACE_OVER = "race_over"
    RACE_UNDER_WAY = "race_under_way"  # and the press is for its end


@dataclass(eq=False)
class PressLeadsNowhere(KizukiError):
    """A press on something that is gone, done, or another person's."""

    why: Gone
    at: datetime | None = None


class RaceUnderWay(KizukiError):
    """A race is under way in this channel, and there is one at a time."""


@dataclass(eq=False)
class NotTheirRace(KizukiError):
    """A race that others decide about: who began it, for the next question also those who answered this one."""

    stop: bool


@dataclass(eq=False)
class NothingMissed(KizukiError):
    """Somebody's misses of a race, and there are none; `took_part` tells whether they answered any question of it."""

    took_part: bool


@dataclass(eq=False)
class TextTooLong(KizukiError):
    """Text over a limit, both in characters."""

    found: int
    limit: int


class NothingWritten(KizukiError):
    """A message or a text without anything to see in it."""


@dataclass(eq=False)
class ModelAway(KizukiError):
    """No reply from a language model; `until` is when it may be asked again, `left` that a request was sent."""

    why: Away
    until: datetime | None = None
    left: bool = False


class Forgotten(KizukiError):
    """What this person began goes on no further: they asked to be forgotten meanwhile. Nothing was written."""
