"""Drills that several people answer: one card for all, and for each of them a drill of their own over the same items."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model.answers import Track
    from lessons.model.drills import Exercise
    from lessons.model.ids import ChannelId, ExerciseId, GuildId, ItemId, MessageId, PackId, RunId, SharedId, UserId
    from lessons.model.packs import Item


class SharedKind(StrEnum):
    """A DAILY one shows its first question and stays open; a RACE goes from question to question, for all at once."""

    DAILY = "daily"
    RACE = "race"


class Phase(StrEnum):
    """Where a question stands: WAITING to be shown, ASKING, or CLOSED with its answer told."""

    WAITING = "waiting"
    ASKING = "asking"
    CLOSED = "closed"


class Ending(StrEnum):
    """Why a race ended."""

    FINISHED = "finished"  # after its last question
    UNANSWERED = "unanswered"  # nobody answered any more
    STOPPED = "stopped"  # by a person
    LOST = "lost"  # its channel is gone, or the bot may not write there


@dataclass(frozen=True, slots=True)
class NewShared:
    """A shared drill before it is stored. `seconds` is for one question, None without a limit.

    `run` is the time of a schedule it is for, `pack` and `lessons` what was asked for, by name. `typed`: answers are
    read in the channel as well.
    """

    kind: SharedKind
    guild: GuildId
    channel: ChannelId
    track: Track
    title: str = ""
    starter: UserId | None = None
    run: RunId | None = None
    pack: PackId | None = None
    lessons: str = ""
    seconds: int | None = None
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Shared:
    """A shared drill as it stands. `position` counts from 1 and is the question that is open, or was last.

    `answered`, `right_at` (the first right answer) and `touched_at` (the latest answer) are of that question;
    `last_answered` is the latest question that anybody answered, 0 before. `hints` is how many are shown; `message` is the question's card, `last` the
    one that tells how it ended. `ending` is None as long as it is open.
    """

    id: SharedId
    new: NewShared
    position: int
    phase: Phase
    phase_at: datetime
    started_at: datetime
    total: int
    hints: int = 0
    answered: int = 0
    right_at: datetime | None = None
    touched_at: datetime | None = None
    last_answered: int = 0
    message: MessageId | None = None
    last: MessageId | None = None
    ending: Ending | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """How a question went so far: numbers, and of those who were right the ones who show their name."""

    answered: int = 0
    right: int = 0
    named: tuple[UserId, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One question of a shared drill; `exercise` is it in the drill of the person who looks, if they answered any."""

    shared: Shared
    position: int
    item: Item
    exercise: Exercise | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """A person's own exercises over the items of a shared drill, in order; `first`: it is their first shared one ever."""

    exercises: tuple[ExerciseId, ...]
    first: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """A race as it ended: points of those who show their name and have any, the best first; how many others took part.

    `hardest` is the place of the question most people missed, None when nobody missed any; `missed` is how many did.
    """

    named: tuple[tuple[UserId, int], ...] = ()
    others: int = 0
    hardest: int | None = None
    missed: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """A blank of a recent article in which one filler alone fits. `sentence` is the same for all blanks of a sentence."""

    item: ItemId
    sentence: int
    article: PackId
