"""One process works on a data folder at a time; a second one is told which process that is."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING, Final

from lessons.errors import DataFolderTaken, StorageReadOnly

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

LOCK: Final = "kizuki.lock"


class DataFolder:
    """Holds the lock of a folder from `with` to its end. The system frees it when the process dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        """Make the folder if need be and take its lock. Raises DataFolderTaken, StorageReadOnly."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StorageReadOnly(str(self.path)) from error
        try:
            self._take(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Free the lock. The file stays: removing it would let two processes lock two files of one name."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _take(self, descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            pid = os.pread(descriptor, 32, 0).strip()
            raise DataFolderTaken(str(self.path), int(pid) if pid.isdigit() else None) from error
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:
            raise StorageReadOnly(str(self.path)) from error
