"""How this house speaks to SQLite: the settings of each kind of connection, and what is kept out of its log."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

LOG = logging.getLogger(__name__)

BUSY_MS: Final = 5_000
"""How long a connection waits for another process's lock, in milliseconds."""

_EVERYWHERE: Final = (
    f"PRAGMA busy_timeout = {BUSY_MS}",
    "PRAGMA foreign_keys = ON",
    "PRAGMA mmap_size = 0",
)

WRITING: Final = (
    "PRAGMA page_size = 8192",  # heeded by a new file only
    "PRAGMA journal_mode = WAL",
    *_EVERYWHERE,
    "PRAGMA synchronous = FULL",  # an acknowledged answer survives a power cut
    "PRAGMA secure_delete = ON",  # what is forgotten is overwritten
)
"""Settings of the one connection that writes."""

READING: Final = (*_EVERYWHERE, "PRAGMA synchronous = FULL", "PRAGMA query_only = ON")
"""Settings of the connections that read, opened with `mode=ro` besides."""


def reading_uri(path: Path) -> str:
    """Return the address under which SQLite opens `path` for reading only."""
    return f"{path.absolute().as_uri()}?mode=ro"


def looking_uri(path: Path) -> str:
    """Return the address under which SQLite reads `path` and makes no file beside it.

    Without a WAL there nobody has it open, and only `immutable` keeps SQLite from making one.
    """
    alone = not path.with_name(f"{path.name}-wal").exists()
    return reading_uri(path) + ("&immutable=1" if alone else "")


def pin_logger() -> None:
    """Keep aiosqlite from logging parameters, which are learners' texts: it does so at DEBUG."""
    logger = logging.getLogger("aiosqlite")
    logger.setLevel(max(logger.level, logging.INFO))


def warn_of_old_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Say in the log that this SQLite can corrupt a WAL file when two connections write; tell whether it can.

    See https://sqlite.org/wal.html#walresetbug: fixed in 3.51.3, 3.50.7 and 3.44.6. The one writing connection is
    what keeps an older release safe.
    """
    fixed = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    if not fixed:
        LOG.warning(
            "SQLite %s has the WAL-reset bug; Kizuki is safe with its single writing connection, "
            "but let no other program write to the file",
            ".".join(map(str, version)),
        )
    return not fixed
