"""People and their drills: preferences, exercises, attempts, spacing."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime

    from lessons.model.answers import Grade, Track, Verdict
    from lessons.model.ids import AttemptId, DrillId, ExerciseId, GuildId, InteractionId, UserId
    from lessons.model.packs import Item


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a learner chose in /settings; the defaults are the product's."""

    time_zone: str = "UTC"
    language: str = ""  # of feedback; "" follows the Discord locale
    new_per_day: int = 10
    reviews_per_day: int = 100
    drill_length: int = 10
    furigana: bool = True
    joined_tracks: bool = False  # mistakes of lessons and of news are recalled for each other
    named: bool = False  # by name on shared cards
    counted: bool = False  # in reviews of a group, without a name
    streaks: bool = True


@dataclass(frozen=True, slots=True)
class Learner:
    """A person who uses the bot. `zone_chosen` tells a default time zone from a chosen one."""

    id: UserId
    preferences: Preferences = field(default_factory=Preferences)
    zone_chosen: bool = False


class DrillState(StrEnum):
    """Where a drill stands. STOPPED keeps everything and cannot be answered any more."""

    OPEN = "open"
    FINISHED = "finished"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Drill:
    """One round of exercises of one learner, with its tally so far; `answered` does not count what was skipped.

    `waiting` are those of the answered ones that only a judge can decide, and nobody decided yet.
    """

    id: DrillId
    user_id: UserId
    guild_id: GuildId | None
    track: Track
    title: str
    state: DrillState
    started_at: datetime
    total: int
    answered: int = 0
    right: int = 0
    skipped: int = 0
    ended_at: datetime | None = None
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Exercise:
    """One item inside one drill; `position` counts from 1. `verdict` and `typed` are None until it is settled."""

    id: ExerciseId
    drill_id: DrillId
    position: int
    item: Item
    hinted: bool = False
    retried: bool = False
    verdict: Verdict | None = None
    typed: str | None = None
    grade: Grade | None = None
    attempt_id: AttemptId | None = None
    appealed: bool = False


class Rating(StrEnum):
    """What a review tells the spacing: wrong, right after a hint, right."""

    AGAIN = "again"
    HARD = "hard"
    GOOD = "good"


class Learning(StrEnum):
    """FSRS's card states."""

    LEARNING = "learning"
    REVIEW = "review"
    RELEARNING = "relearning"


@dataclass(frozen=True, slots=True)
class Spacing:
    """FSRS's memory of one item for one learner. `stability` in days, `difficulty` 1 to 10, times aware UTC."""

    learning: Learning
    step: int | None
    stability: float | None
    difficulty: float | None
    due: datetime
    last_review: datetime | None


@dataclass(frozen=True, slots=True)
class Submission:
    """A typed answer on its way in; `interaction` makes a repeated delivery harmless.

    `locale` is the language tag of the learner's Discord, which feedback follows unless they chose another.
    """

    user: UserId
    exercise: ExerciseId
    text: str
    at: datetime
    interaction: InteractionId
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A settled answer (or skip) as it is stored. `language` is that of the feedback, for one that waits for a judge.

    `day` is the local day that it makes one of practice, None for what is no answer.
    """

    user: UserId
    exercise: ExerciseId
    interaction: InteractionId
    typed: str
    grade: Grade
    hinted: bool
    at: datetime
    rating: Rating | None = None
    language: str = ""
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """An answer that only a judge can decide: settled as PENDING, and asked about again until somebody decides.

    `typed` and `grade` are the exercise's own, `language` is that of the feedback, `tries` counts how often the judge
    was asked since.
    """

    attempt: AttemptId
    user: UserId
    guild: GuildId | None
    exercise: Exercise
    typed: str
    grade: Grade
    language: str
    tries: int
    at: datetime
