"""What recall gives back: past mistakes that are like this one, and what a learner says against that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model.answers import ErrorType, Track, Verdict
    from lessons.model.ids import ItemId, MistakeId
    from lessons.model.mistakes import Mistake, MistakeCard


@dataclass(frozen=True, slots=True)
class Space:
    """Where vectors can be compared at all: one embedder and one version of the card's text and layout."""

    embedder: str
    card_version: int


@dataclass(frozen=True, slots=True)
class Trace:
    """A mistake as recall sees it; `item` is its exercise (None when its pack is gone for good)."""

    mistake: MistakeId
    item: ItemId | None
    card: MistakeCard
    at: datetime


@dataclass(frozen=True, slots=True)
class Recollection:
    """The line under a verdict: how many other exercises went wrong like this, when last, and the three to show."""

    count: int
    last: datetime
    shown: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class Theme:
    """A pattern in a learner's recent mistakes, its most central one first."""

    error_type: ErrorType
    pairs: tuple[tuple[str, str, int], ...]  # reference, what was written, how often
    characteristic: Mistake
    members: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class DayAnswer:
    """One settled exercise as progress counts it: `error_type` of its mistake card, if it has one (still).

    `first_attempt` says that the learner had never answered this item before; a skip is no answer.
    """

    at: datetime
    track: Track
    verdict: Verdict
    error_type: ErrorType | None
    first_attempt: bool
