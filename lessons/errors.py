"""What can go wrong, as the flows raise it: facts only, the sentences live in the catalogues."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model import Away, ChannelId, Drill, ErrorType, FetchTrouble, PackId, Pause, Problem, ReadTrouble


class KizukiError(Exception):
    """The root of every error that is told to a person in words."""


class Refusal(StrEnum):
    """Why a whole file is refused."""

    TOO_LARGE = "too_large"  # found, limit: bytes
    TOO_MANY_ROWS = "too_many_rows"  # found, limit: rows
    TOO_MANY_COLUMNS = "too_many_columns"
    EMPTY = "empty"
    NUL_BYTES = "nul_bytes"
    UNKNOWN_ENCODING = "unknown_encoding"  # detail: the encodings tried
    MOJIBAKE = "mojibake"  # detail: the encodings tried
    ARCHIVE = "archive"  # a zip, xlsx, apkg, pdf ...; detail: what it looks like, with its article
    NOT_A_TABLE = "not_a_table"  # detail: how it begins
    MISSING_COLUMNS = "missing_columns"  # detail: the columns there are
    UNBALANCED_QUOTE = "unbalanced_quote"  # found: line
    NO_ROWS = "no_rows"


@dataclass(eq=False)
class UnreadableFile(KizukiError):
    """A file that cannot become a pack."""

    reason: Refusal
    detail: str = ""
    found: int = 0
    limit: int = 0


@dataclass(eq=False)
class EmptyPack(KizukiError):
    """A readable file without one usable row; nothing was kept of it."""

    file_name: str
    problems: tuple[Problem, ...]


@dataclass(eq=False)
class UnknownPack(KizukiError):
    """No pack of that name here."""

    name: str
    known: tuple[str, ...] = ()


@dataclass(eq=False)
class StarterPack(KizukiError):
    """A starter pack, which a server can drill and never change."""

    name: str


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


@dataclass(eq=False)
class PressLeadsNowhere(KizukiError):
    """A press on something that is gone, done, or another person's."""

    why: Gone
    at: datetime | None = None


@dataclass(eq=False)
class UnknownTimeZone(KizukiError):
    """A time zone that is no IANA name; `near` are names like it."""

    name: str
    near: tuple[str, ...] = ()


@dataclass(eq=False)
class TextTooLong(KizukiError):
    """Text over a limit, both in characters."""

    found: int
    limit: int


class NothingWritten(KizukiError):
    """A message or a text without anything to see in it."""


@dataclass(eq=False)
class UnusableName(KizukiError):
    """A pack name that is empty or too long."""

    name: str
    limit: int


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


@dataclass(eq=False)
class ModelAway(KizukiError):
    """No reply from a language model; `until` is when it may be asked again, `left` that a request was sent."""

    why: Away
    until: datetime | None = None
    left: bool = False


@dataclass(eq=False)
class UnknownTime(KizukiError):
    """No time of day is written like that."""

    text: str


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


class NoTimeZone(KizukiError):
    """A time of day of somebody whose time zone nobody knows."""


@dataclass(eq=False)
class TooManySchedules(KizukiError):
    """A server has as many schedules as it may have."""

    limit: int


@dataclass(eq=False)
class ReviewThere(KizukiError):
    """A server has its one review of the group already, in this channel."""

    channel: ChannelId


class PackOrNews(KizukiError):
    """A drill of the day was asked from a pack, or lessons of one, and from the news at once."""


class MaterialGone(KizukiError):
    """A schedule cannot go on, because the pack that it asks from is gone."""


@dataclass(eq=False)
class NothingOfKind(KizukiError):
    """A server has no item of this kind."""

    kind: ErrorType


@dataclass(eq=False)
class StorageFull(KizukiError):
    """The disk is full: nothing was written, and nothing earlier is lost."""


@dataclass(eq=False)
class StorageBusy(KizukiError):
    """Too many writes wait; nothing was written."""


@dataclass(eq=False)
class StorageReadOnly(KizukiError):
    """The data folder cannot be written."""

    path: str


@dataclass(eq=False)
class DataFolderTaken(KizukiError):
    """Another process works on this data folder."""

    path: str
    pid: int | None = None


@dataclass(eq=False)
class EmbedderUnavailable(KizukiError):
    """An embedder that cannot work; `reason` is a clause that follows "because" (no capital, no full stop)."""

    kind: str
    reason: str


@dataclass(eq=False)
class NewerDatabase(KizukiError):
    """The database was written by a newer release."""

    path: str
    found: int
    known: int


@dataclass(eq=False)
class DamagedDatabase(KizukiError):
    """The database did not pass its check; `backups` are newest first."""

    path: str
    finding: str
    backups: tuple[str, ...] = ()
