"""What a group's review is counted from, one value a learner, before anybody else may see a figure of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model.answers import ErrorType, ItemKind, Track
    from lessons.model.ids import GuildId, ItemId, RunId, ScheduleId, UserId
    from lessons.model.schedules import RunState


@dataclass(frozen=True, slots=True)
class CountedMiss:
    """One mistake of a learner who lets it be counted, made in a drill of the server; `item` is None when it is gone."""

    user: UserId
    track: Track
    error_type: ErrorType
    reference: str
    typed: str
    item: ItemId | None = None


@dataclass(frozen=True, slots=True)
class CountedAnswers:
    """How much a learner answered in drills of the server: in all, first tries among them, right ones among these."""

    user: UserId
    track: Track
    answered: int
    firsts: int
    firsts_right: int


@dataclass(frozen=True, slots=True)
class AskedItem:
    """An item that a server may be asked together: what tells its kind, and its first answer."""

    id: ItemId
    kind: ItemKind
    skill: ErrorType | None
    part_of_speech: str
    reference: str


@dataclass(frozen=True, slots=True)
class ReviewedTime:
    """Up to when a server's mistakes were counted in a review, from when, and by which run."""

    guild: GuildId
    run: RunId
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class LatestRun:
    """What became of the latest time of a schedule that is settled; `why` as the store of runs has it."""

    schedule: ScheduleId
    state: RunState
    at: datetime
    why: str = ""
