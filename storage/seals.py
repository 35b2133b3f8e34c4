"""A seal beside a file says what its bytes were when it was finished, so that a change behind everybody's back shows."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX: Final = ".seal"
_KIND: Final = "blake2b"


def seal_of(file: Path) -> Path:
    """Return where the seal of a file is, if it has one."""
    return file.with_name(f"{file.name}{SUFFIX}")


def put_on(file: Path) -> None:
    """Seal a file that nobody writes to any more; blocks about a second a gigabyte. Raises OSError."""
    _write(file, f"{_KIND} {_digest(file)}\n".encode("ascii"))


def hand_on(file: Path, copy: Path) -> None:
    """Give a copy the seal of its original, so that one that did not arrive whole shows; or a new one."""
    seal = seal_of(file)
    if seal.exists():
        _write(copy, seal.read_bytes())
    else:
        put_on(copy)


def take_off(file: Path) -> None:
    """Take the seal off, and be sure that it is off, before the file is written to. Raises OSError."""
    seal = seal_of(file)
    if seal.exists():
        seal.unlink()
        sync(file.parent)


def is_broken(file: Path) -> bool:
    """Tell whether a file is not what it was when it was sealed; one without a seal has none to break.

    A bot that starts meanwhile takes the seal off before it writes, and so breaks none.
    """
    sealed = _read(file)
    if sealed is None or sealed.strip() == f"{_KIND} {_digest(file)}".encode("ascii"):
        return False
    return _read(file) == sealed


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read(file: Path) -> bytes | None:
    try:
        return seal_of(file).read_bytes()
    except FileNotFoundError:
        return None


def _write(file: Path, content: bytes) -> None:
    seal = seal_of(file)
    unfinished = seal.with_name(f"{seal.name}.unfinished")
    unfinished.write_bytes(content)
    sync(unfinished)
    unfinished.replace(seal)
    sync(file.parent)


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, _KIND).hexdigest()
