"""What is posted by the clock: for whom, when, what became of each time, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime

    from lessons.model.ids import ChannelId, GuildId, PackId, RunId, ScheduleId, UserId


class ScheduleKind(StrEnum):
    """What is posted: the first two to a learner directly, the others into a channel."""

    REVIEW = "review"
    REMINDER = "reminder"
    GROUP_REVIEW = "group_review"
    DAILY_DRILL = "daily_drill"


class ScheduleState(StrEnum):
    """A DRAFT was previewed and not confirmed; nothing comes of a PAUSED one until it is resumed."""

    DRAFT = "draft"
    ACTIVE = "active"
    PAUSED = "paused"


class Pause(StrEnum):
    """Why a schedule is paused. The NO_... ones of Discord resume by themselves when access returns."""

    ASKED = "asked"  # by its owner or a moderator
    UNANSWERED = "unanswered"  # the latest post was not answered, so no further one is sent
    NO_DM = "no_dm"  # the learner takes no direct messages from the bot
    NO_CHANNEL = "no_channel"  # it is gone
    NO_ACCESS = "no_access"  # the bot may not see it, or not post there
    NO_SERVER = "no_server"  # the bot was removed
    NO_MATERIAL = "no_material"  # the pack is gone


class Skip(StrEnum):
    """Why a post that was due was not sent, though nothing is wrong."""

    LATE = "late"  # found too long after its time, as after an outage
    NOTHING = "nothing"  # to say
    DONE = "done"  # the learner did by themselves what it would have reminded of


@dataclass(frozen=True, slots=True)
class Rule:
    """At `minute` (0 to 1439) of the local day, on these weekdays (0 is Monday; rising, not empty), in an IANA zone."""

    time_zone: str
    minute: int
    weekdays: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Slot:
    """One time of a rule: the moment (aware UTC) and the local day that it is for."""

    due: datetime
    day: date


@dataclass(frozen=True, slots=True)
class Plan:
    """What a schedule that fell due comes to now: its latest slot up to now, how many before it are passed over, the next."""

    slot: Slot
    late: int
    next: Slot


@dataclass(frozen=True, slots=True)
class Asked:
    """What a drill of the day is taken from: a pack (None: any of the server's), lessons of it, or the news."""

    pack: PackId | None = None
    lessons: str = ""
    news: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class Schedule:
    """A rule and what is posted by it: to `user`, or into `channel` of `guild`. `made_by` is told what becomes of it.

    `upcoming` is None unless it is ACTIVE; `last_day` is the latest local day there was a post for.
    """

    id: ScheduleId
    kind: ScheduleKind
    rule: Rule
    state: ScheduleState
    made_by: UserId
    made_at: datetime
    user: UserId | None = None
    guild: GuildId | None = None
    channel: ChannelId | None = None
    asked: Asked = Asked()
    upcoming: Slot | None = None
    last_day: date | None = None
    why: Pause | None = None
    paused_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewSchedule:
    """A schedule before it is stored: as `Schedule`."""

    kind: ScheduleKind
    rule: Rule
    made_by: UserId
    user: UserId | None = None
    guild: GuildId | None = None
    channel: ChannelId | None = None
    asked: Asked = Asked()


class RunState(StrEnum):
    """What became of one time: CLAIMED is under way; UNKNOWN was cut off while Discord had it, and is not sent again."""

    CLAIMED = "claimed"
    SENT = "sent"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Run:
    """One time of a schedule, taken up: `late` earlier ones were passed over, `tried_at` is its first try."""

    id: RunId
    schedule: Schedule
    slot: Slot
    late: int = 0
    tried_at: datetime | None = None


class Post:
    """What is posted. Its kinds are values of the flows that compose them; the outbox knows how each looks."""

    __slots__ = ()

    @property
    def note(self) -> str:
        """What is special about this post, kept as the `why` of its run; "" for nothing."""
        return ""
