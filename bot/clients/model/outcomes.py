"""What one request to a language model came to: an answer, a refusal, or nothing whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lessons.model import Stop, Tokens


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply; `tokens` is None when the provider did not say what it used, `category` why it declined."""

    text: str = field(repr=False)
    stop: Stop
    tokens: Tokens | None
    request_id: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """An error status; `said` is the provider's text, which may quote ours and is never logged.

    `begun`: the error came in the middle of a reply, which may be billed whatever the error is.
    """

    status: int
    kind: str = ""  # the stable code, or else the broad type
    said: str = field(default="", repr=False)
    retry_after: float | None = None  # seconds
    no_retry: bool = False
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """No whole answer: unreachable, cut, or nothing that can be read; `sent` when the request may have arrived."""

    sent: bool
    slow: bool = False
