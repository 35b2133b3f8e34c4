"""What keeps Kizuki from running, as one sentence and an exit code; None for what nobody foresaw."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.commands import sayings
from bot.commands.exits import Exit
from bot.health import HealthPortTaken
from lessons import errors
from storage.inspection import EarlierDatabase, NoDatabase
from storage.restoring import DatabaseThere, NoBackup, UnusableBackup, newest_sound

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Failure:
    """Why it ended, for a person and for a supervisor."""

    sentence: str
    code: Exit


def explain(error: BaseException) -> Failure | None:
    """Tell a failure in words."""
    return _of_discord(error) or _of_storage(error) or _of_file(error) or _of_restoring(error) or _of_system(error)


def _of_discord(error: BaseException) -> Failure | None:
    match error:
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):  # 4004: the token was reset meanwhile
            return Failure(sayings.LOGIN_REFUSED, Exit.BAD_SETTINGS)
        case discord.PrivilegedIntentsRequired():
            return Failure(sayings.INTENT_REFUSED, Exit.BAD_SETTINGS)
        case discord.HTTPException() | discord.GatewayNotFound() | discord.ConnectionClosed():
            return Failure(sayings.DISCORD_TROUBLED, Exit.CANNOT_START)
        case aiohttp.ClientError():
            return Failure(sayings.DISCORD_UNREACHABLE, Exit.CANNOT_START)
    return None


def _of_storage(error: BaseException) -> Failure | None:
    match error:
        case errors.DataFolderTaken():
            sentence = sayings.folder_taken(error)
        case errors.StorageFull():
            sentence = sayings.DISK_FULL
        case errors.StorageBusy():
            sentence = sayings.DATABASE_BUSY
        case EarlierDatabase():
            sentence = sayings.behind(error.version, error.known)
        case HealthPortTaken():
            sentence = sayings.port_taken(error)
        case _:
            return None
    return Failure(sentence, Exit.CANNOT_START)


def _of_file(error: BaseException) -> Failure | None:
    match error:
        case errors.StorageReadOnly():
            sentence = _of_folder(error)
        case errors.NewerDatabase():
            sentence = sayings.database_newer(error)
        case errors.DamagedDatabase():
            sentence = sayings.database_damaged(error, _sound(error.backups))
        case errors.AlteredDatabase():
            sentence = sayings.database_altered(error, _sound(error.backups))
        case _:
            return None
    return Failure(sentence, Exit.IN_VAIN)


def _sound(backups: Sequence[str]) -> str:
    """Return the newest of these that passes its check: what is not sound must not be recommended."""
    return str(newest_sound(map(Path, backups)) or "")


def _of_restoring(error: BaseException) -> Failure | None:
    match error:
        case NoBackup():
            sentence = sayings.no_backup(error)
        case UnusableBackup():
            sentence = sayings.backup_unusable(error)
        case DatabaseThere():
            sentence = sayings.database_there(error)
        case NoDatabase():
            sentence = sayings.no_database(error.folder)
        case _:
            return None
    return Failure(sentence, Exit.IN_VAIN)


def _of_folder(error: errors.StorageReadOnly) -> str:
    """Say why a folder cannot be written: perhaps it is none, or there can be none."""
    match error.__cause__:
        case FileExistsError(filename=str(path)):  # the data folder itself, or one in it
            return sayings.folder_no_folder(path)
        case NotADirectoryError() | FileNotFoundError():
            return sayings.folder_unmakeable(error.path)
    return sayings.folder_read_only(error.path)


def _of_system(error: BaseException) -> Failure | None:
    match error:
        case errors.EmbedderUnavailable():
            return Failure(sayings.embedder_unavailable(error), Exit.IN_VAIN)
        case OSError(errno=errno.ENOSPC):
            return Failure(sayings.DISK_FULL, Exit.CANNOT_START)
        case OSError(errno=errno.EACCES | errno.EPERM | errno.EROFS, filename=str(path)):
            return Failure(sayings.folder_read_only(path), Exit.IN_VAIN)
        case OSError(filename=str(path)):
            return Failure(sayings.folder_unusable(path, error.strerror or "unknown reason"), Exit.IN_VAIN)
        case ConnectionError() | TimeoutError() | socket.gaierror():
            return Failure(sayings.DISCORD_UNREACHABLE, Exit.CANNOT_START)
    return None
