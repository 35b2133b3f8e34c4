"""What is wrong with a file, or with the name of a pack."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lessons.errors.root import KizukiError

if TYPE_CHECKING:
    from lessons.model import Problem


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
class UnusableName(KizukiError):
    """A pack name that is empty or too long."""

    name: str
    limit: int
