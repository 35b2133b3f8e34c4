"""What is wrong with a time or a schedule, and what became of a post."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons.errors.root import KizukiError

if TYPE_CHECKING:
    from lessons.model import ChannelId, ErrorType, Pause


@dataclass(eq=False)
class UnknownTimeZone(KizukiError):
    """A time zone that is no IANA name; `near` are names like it."""

    name: str
    near: tuple[str, ...] = ()


@dataclass(eq=False)
class UnknownTime(KizukiError):
    """No time of day is written like that."""

    text: str


@dataclass(eq=False)
class UnknownDays(KizukiError):
    """No days of the week are written like that."""

    text: str


class NoTimeZone(KizukiError):
    """A time of day of somebody whose time zone nobody knows."""


@dataclass(eq=False)
class PostRefused(KizukiError):
    """Discord will not take this post, however often it is asked."""

    why: Pause


@dataclass(eq=False)
class PostFailed(KizukiError):
    """A post that did not go out, or nobody knows whether it did; it may be tried again under the same nonce.

    `certain`: Discord surely does not have it, so a later try cannot post it twice, however late it is.
    """

    certain: bool = False


@dataclass(eq=False)
class TooManySchedules(KizukiError):
    """A server has as many schedules as it may have."""

    limit: int


@dataclass(eq=False)
class ReviewThere(KizukiError):
    """A server has its one review of the group already, in this channel."""

    channel: ChannelId


@dataclass(eq=False)
class SameSchedule(KizukiError):
    """A server has a schedule of the same kind, material and times in this channel already."""

    channel: ChannelId


class PackOrNews(KizukiError):
    """A drill of the day was asked from a pack, or lessons of one, and from the news at once."""


class MaterialGone(KizukiError):
    """A schedule cannot go on, because the pack that it asks from is gone, or has none of its lessons any more."""


@dataclass(eq=False)
class NothingOfKind(KizukiError):
    """A server has no item of this kind."""

    kind: ErrorType
