"""What is remembered of a miss, and what a learner says against it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model.answers import ErrorType, Track
    from lessons.model.ids import AppealId, AttemptId, GuildId, ItemId, MistakeId, UserId


@dataclass(frozen=True, slots=True)
class MistakeCard:
    """What is remembered of one wrong answer, self-contained: it survives its pack. `feedback` is canonical English."""

    track: Track
    prompt: str
    reference: str
    typed: str
    error_type: ErrorType
    part_of_speech: str
    feedback: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A stored mistake card. `relabelled` says that the learner set the error type."""

    id: MistakeId
    user_id: UserId
    item_id: ItemId | None
    card: MistakeCard
    at: datetime
    pack_name: str = ""
    relabelled: bool = False


@dataclass(frozen=True, slots=True)
class MistakeFilter:
    """Which mistakes to list; None means all."""

    error_type: ErrorType | None = None
    track: Track | None = None
    contains: str = ""


class AppealState(StrEnum):
    """What became of "I was right"."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Appeal:
    """A learner's "I was right" about one attempt, for the moderators of `guild_id` (None: for the operator)."""

    id: AppealId
    attempt_id: AttemptId
    item_id: ItemId
    guild_id: GuildId | None
    state: AppealState
    prompt: str
    typed: str
    reference: str
    pack_name: str
    at: datetime
    times: int = 1  # how many learners typed this for this item
