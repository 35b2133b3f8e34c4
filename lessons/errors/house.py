"""What is wrong with the data folder or with what works on it."""

from __future__ import annotations

from dataclasses import dataclass

from lessons.errors.root import KizukiError


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


@dataclass(eq=False)
class AlteredDatabase(KizukiError):
    """The database is sound by its structure, and not what was left there: its `seal` is broken; as DamagedDatabase."""

    path: str
    seal: str
    backups: tuple[str, ...] = ()
