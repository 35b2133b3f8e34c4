"""`kizuki forget`: everything of one person erased, for somebody who cannot ask the bot for it any more."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bot.commands import sayings
from bot.commands.concluding import conclude
from bot.commands.exits import Exit
from bot.wiring import now, open_database
from lessons.flows.erasing import Erasing
from storage import backup, inspection
from storage.records import RecordStore

if TYPE_CHECKING:
    from pathlib import Path

    from bot.settings import Settings
    from lessons.model import UserId


def forget(settings: Settings, user: UserId, *, sure: bool) -> Exit:
    """Erase everything of a person and say what went; without `sure` say what would go, and change nothing."""
    return conclude(_forget(settings.data, user) if sure else _told(settings.data, user))


async def _told(folder: Path, user: UserId) -> Exit:
    """Tell what there is, also while the bot runs."""
    held = await RecordStore(await inspection.reports(folder)).holdings(user)
    if held.are_none:
        return _nothing(user)
    sayings.say(sayings.would_forget(user, held))
    return Exit.IN_VAIN


async def _forget(folder: Path, user: UserId) -> Exit:
    inspection.require(folder)
    async with open_database(folder) as database:
        erased = await Erasing(RecordStore(database), (), now).erase(user)
    if erased.held.are_none:
        return _nothing(user)
    sys.stdout.write(f"{sayings.forgotten(user, erased, len(backup.newest_first(folder)))}\n")
    return Exit.OK


def _nothing(user: UserId) -> Exit:
    """Say so: to erase somebody twice does no harm."""
    sys.stdout.write(f"{sayings.nobody(user)}\n")
    return Exit.OK
