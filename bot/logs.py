"""One line a record on stderr, with no secret in it and nothing a learner wrote, at whatever level the operator asks for."""

from __future__ import annotations

import logging
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TextIO

from bot.settings import TOKEN_SHAPE

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS: Final = ("bot", "cogs", "jobs", "storage", "lessons")
"""The loggers that LOG_LEVEL opens: our own, which never log what a learner wrote."""

TALKATIVE: Final = ("aiohttp", "aiosqlite", "anthropic", "asyncio", "discord", "httpcore2", "httpx2", "simcord")
"""Libraries that log rows, requests or whole interactions at DEBUG: they never get below INFO."""

_SECRETS: Final = re.compile(
    TOKEN_SHAPE.pattern + r"|[\w-]{60,}",  # an interaction's or a webhook's: no word is that long
    re.ASCII,
)


def configure(level: str, stream: TextIO | None = None) -> None:
    """Send every record to `stream` (stderr) as one line; our own rooms at `level`, all others at INFO or above."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LineFormatter())
    handler.addFilter(lambda record: "voice will NOT be supported" not in record.getMessage())  # nor is it wanted
    ours = logging.getLevelNamesMapping()[level]
    others = max(ours, logging.INFO)
    logging.basicConfig(level=others, handlers=[handler], force=True)
    for name in ROOMS:
        logging.getLogger(name).setLevel(ours)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(others)


class LineFormatter(logging.Formatter):
    """`time level logger message` in UTC; a traceback follows indented, so that a new record is always a new line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text, secrets redacted."""
        return redact("\n    ".join(self._lines(record)))

    def _lines(self, record: logging.LogRecord) -> Iterator[str]:
        moment = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        yield f"{moment} {record.levelname} {record.name} {_on_one_line(record.getMessage())}"
        if record.exc_info:
            yield from self.formatException(record.exc_info).splitlines()
        if record.stack_info:
            yield from record.stack_info.splitlines()


def redact(text: str) -> str:
    """Take out whatever has the shape of a token."""
    return _SECRETS.sub("[redacted]", text)


def _on_one_line(message: str) -> str:
    """Spell out line breaks and control characters, so that no text can pass for a record or command a terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in message)
