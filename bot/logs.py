"""One line a record on stderr, with no secret in it and nothing a learner wrote, at whatever level the operator asks for."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TextIO

from bot.settings import TOKEN_SHAPE
from lessons.errors import DamagedDatabase, DataFolderTaken, EmbedderUnavailable, NewerDatabase, StorageReadOnly

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS: Final = ("bot", "cogs", "jobs", "storage", "lessons")
"""The loggers that LOG_LEVEL opens: our own, which never log what a learner wrote."""

TALKATIVE: Final = (
    "aiohttp", "aiosqlite", "anthropic", "apscheduler", "asyncio", "discord", "httpcore2", "httpx2", "simcord",
)  # fmt: skip
"""Libraries that log rows, requests or whole interactions at DEBUG: they never get below INFO."""

QUIET: Final = ("apscheduler",)
"""Libraries that say at INFO, once a minute, that they did what they were told."""

_SECRETS: Final = re.compile(
    TOKEN_SHAPE.pattern + r"|[\w-]{60,}",  # an interaction's or a webhook's: no word is that long
    re.ASCII,
)

_TELLING: Final = (
    OSError,
    ImportError,
    StorageReadOnly,
    DataFolderTaken,
    NewerDatabase,
    DamagedDatabase,
    EmbedderUnavailable,
)
"""Errors whose own words name a file, a package or (SQLite's) a constraint. Those of all others may quote what somebody wrote."""
_WITHHELD: Final = "(its words are withheld: they may quote what somebody wrote)"


def configure(level: str, stream: TextIO | None = None, *, as_json: bool = False) -> None:
    """Send every record to `stream` (stderr) as one line; our own rooms at `level`, all others at INFO or above."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else LineFormatter())
    handler.addFilter(lambda record: "voice will NOT be supported" not in record.getMessage())  # nor is it wanted
    ours = logging.getLevelNamesMapping()[level]
    others = max(ours, logging.INFO)
    logging.basicConfig(level=others, handlers=[handler], force=True)
    for name in ROOMS:
        logging.getLogger(name).setLevel(ours)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(others, logging.WARNING) if name in QUIET else others)


class LineFormatter(logging.Formatter):
    """`time level event message` in UTC; a traceback follows indented, so that a new record is always a new line.

    The event is where it was logged, `jobs.night.keep_safe`: a name that stays while the words beside it change.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text, secrets redacted."""
        return redact("\n    ".join(self._lines(record)))

    def _lines(self, record: logging.LogRecord) -> Iterator[str]:
        yield f"{_moment(record)} {record.levelname} {event(record)} {said(record)}"
        yield from _details(record)


class JsonFormatter(logging.Formatter):
    """One JSON object a line: at, level, event, said, the numbers and names in it, and the lines of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON, secrets redacted."""
        args = record.args if isinstance(record.args, tuple) else (record.args,)
        told = {
            "at": _moment(record),
            "level": record.levelname,
            "event": event(record),
            "said": said(record),
            "values": [arg if isinstance(arg, int | float) else str(arg) for arg in args if arg is not None],
        }
        if details := list(_details(record)):
            told["traceback"] = details
        return redact(json.dumps(told, ensure_ascii=False))


def event(record: logging.LogRecord) -> str:
    """Return the name of what happened: the logger and the function that told."""
    function = record.funcName or ""
    return f"{record.name}.{function}" if function.isidentifier() else record.name


def said(record: logging.LogRecord) -> str:
    """Return what is said, on one line; asyncio goes on to quote the error of a task that nobody waited for."""
    message = record.getMessage()
    return _on_one_line(message.partition("\n")[0] if record.name == "asyncio" else message)


def redact(text: str) -> str:
    """Take out whatever has the shape of a token."""
    return _SECRETS.sub("[redacted]", text)


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _details(record: logging.LogRecord) -> Iterator[str]:
    if record.exc_info and record.exc_info[1] is not None:
        yield from traceback_of(record.exc_info[1]).splitlines()
    if record.stack_info:
        yield from record.stack_info.splitlines()


def traceback_of(error: BaseException) -> str:
    """Return where an error and its causes came from, and their own words where those cannot be a learner's."""
    return "\n".join(_told(error, set()))


def _told(error: BaseException, seen: set[int]) -> Iterator[str]:
    """Yield the cause first, as Python does; `seen` are those that were told."""
    seen.add(id(error))
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None and id(earlier) not in seen:
        yield from _told(earlier, seen)
        yield "This led to:"
    yield "Traceback (most recent call last):"
    yield from "".join(traceback.format_tb(error.__traceback__)).splitlines()
    is_telling = isinstance(error, _TELLING) or type(error).__module__ == "sqlite3"
    yield f"{type(error).__name__}: {error if is_telling else _WITHHELD}"
    for part in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from _told(part, seen)


def _on_one_line(message: str) -> str:
    """Spell out line breaks and control characters, so that no text can pass for a record or command a terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in message)
