"""`kizuki backup` and `kizuki restore`: a copy at any moment, and the way back from one."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from bot.commands import sayings
from bot.commands.concluding import ended_by
from bot.commands.exits import Exit
from bot.wiring import now
from storage import inspection, restoring
from storage.backup import made_at
from storage.migrate import FILE
from storage.safekeeping import copied

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bot.settings import Settings


def backup(settings: Settings) -> Exit:
    """Copy the database as it is now, also while the bot works on it, and say where the copy is."""
    return _told(lambda: _backup(settings.data))


def restore(settings: Settings, source: Path | None, *, replace: bool) -> Exit:
    """Put a backup back, the newest when none is named, and say what was done."""
    return _told(lambda: _restore(settings.data, source, replace=replace))


def _backup(folder: Path) -> str:
    inspection.require(folder)
    began = time.monotonic()
    copy = copied(folder / FILE, now())
    return sayings.backed_up(copy, copy.stat().st_size, time.monotonic() - began)


def _restore(folder: Path, source: Path | None, *, replace: bool) -> str:
    done = restoring.restore(folder, source, at=now(), replace=replace)
    held = made_at(done.source)
    return sayings.restored(done, f"{held:%Y-%m-%d %H:%M:%S} UTC" if held else "")


def _told(deed: Callable[[], str]) -> Exit:
    """Do it, and tell how it went in words."""
    try:
        sys.stdout.write(f"{deed()}\n")
    except Exception as error:  # noqa: BLE001 - told, and logged where nobody foresaw it
        return ended_by(error)
    return Exit.OK
