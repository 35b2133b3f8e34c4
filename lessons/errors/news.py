"""What is wrong with feeds and articles, or missing in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons.errors.root import KizukiError

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import FetchTrouble, ReadTrouble


@dataclass(eq=False)
class Unfetchable(KizukiError):
    """An address that gave nothing; `status` is HTTP's where there was one, `again` the moment asked for by it."""

    why: FetchTrouble
    status: int = 0
    again: datetime | None = None


@dataclass(eq=False)
class UnreadableNews(KizukiError):
    """Bytes that are no feed, or no article; `detail` is what they look like instead, "" when nobody knows."""

    why: ReadTrouble
    detail: str = ""


@dataclass(eq=False)
class FeedThere(KizukiError):
    """The server has this feed already."""

    title: str


@dataclass(eq=False)
class TooManyFeeds(KizukiError):
    """The server has as many feeds as it may have."""

    limit: int


@dataclass(eq=False)
class ArticleThere(KizukiError):
    """The server has this article already."""

    title: str


@dataclass(eq=False)
class NoNews(KizukiError):
    """There is no article here; `in_server` tells a server without any from a direct message."""

    in_server: bool


@dataclass(eq=False)
class NewsAllRead(KizukiError):
    """Every sentence of the articles here was answered by this learner; `next_due` is when one comes back."""

    next_due: datetime | None = None


@dataclass(eq=False)
class NewsNeedJudge(KizukiError):
    """What is new here could only be asked with a language model, and there is none; `next_due` is what comes back."""

    next_due: datetime | None = None


@dataclass(eq=False)
class UnknownArticle(KizukiError):
    """No article of that name here."""

    name: str
