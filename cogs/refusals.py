"""What the Discord side itself refuses, beside the errors of the subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.errors import KizukiError

if TYPE_CHECKING:
    from datetime import datetime


class StalePress(KizukiError):
    """A component this release does not know."""


class NotAllowed(KizukiError):
    """The person lacks a permission here; `needed` is its name in Discord's settings."""

    def __init__(self, needed: str) -> None:
        super().__init__(needed)
        self.needed = needed


class ServerOnly(KizukiError):
    """Something that belongs to a server was asked in a direct message."""


class Restarting(KizukiError):
    """The bot is about to go down and takes nothing new."""


class AttachmentTooLarge(KizukiError):
    """A file over the limit, refused before it is read; both in bytes."""

    def __init__(self, found: int, limit: int) -> None:
        super().__init__(found, limit)
        self.found = found
        self.limit = limit


class AttachmentLost(KizukiError):
    """Discord did not hand over an attached file."""


class UnknownFeed(KizukiError):
    """No feed of that name in this server; `known` are the titles of those it has."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


class NotATextFile(KizukiError):
    """A file whose name says that it is no plain text."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NoRoomForThread(KizukiError):
    """No private thread can be opened here; `missing` are the names of the permissions the bot lacks."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(missing)
        self.missing = missing


class StudyOver(KizukiError):
    """A press in a study that has ended; `at` is when, `typed` what would be lost with it."""

    def __init__(self, at: datetime | None, typed: str = "") -> None:
        super().__init__(at)
        self.at = at
        self.typed = typed


class NoModelHere(KizukiError):
    """Something that only a language model can do, where none is set up."""


class ClosedMessages(KizukiError):
    """The person takes no direct messages from the bot."""


class ChannelClosed(KizukiError):
    """Nothing may be posted in a channel: `bot` and `person` are the names of the permissions that each lacks there.

    Where nobody lacks any it is no channel of text of this server.
    """

    def __init__(self, channel: int, bot: tuple[str, ...], person: tuple[str, ...] = ()) -> None:
        super().__init__(channel, bot, person)
        self.channel = channel
        self.bot = bot
        self.person = person


class UnknownSchedule(KizukiError):
    """No schedule that was named in a command."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
