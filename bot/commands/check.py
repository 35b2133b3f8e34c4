"""`kizuki check`: all that stands in the way of `kizuki run`, told at once, with nothing changed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.clients.embedders import HashedEmbedder, choose
from bot.clients.tokenizer import SudachiTokenizer
from bot.commands import sayings
from bot.commands.exits import Exit
from bot.commands.failures import explain
from bot.settings import shape, survey
from storage import inspection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bot.settings import Problem, Settings

MIB: Final = 1024 * 1024
OF_JUDGE: Final = frozenset(
    {"GRADER_MODEL", "LLM_ENABLED", "KIZUKI_USER_CENTS", "KIZUKI_SERVER_CENTS", "KIZUKI_BOT_CENTS", "KIZUKI_GRADES"}
)
"""Settings that say who judges, beside those of the key: while one is wrong, nobody knows."""
ROOM: Final = 200 * MIB
"""Free space below which a disk is called full, beside room for two backups of the database."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what it is, or what is wrong with it and the remedy, and how `run` would end by it."""

    text: str
    code: Exit = Exit.OK

    def __str__(self) -> str:
        return f"{'✓' if self.code is Exit.OK else '✗'} {self.text}"


def check(environ: Mapping[str, str]) -> Exit:
    """Print every finding; say by the exit code whether `kizuki run` may start: that of the worst finding."""
    settings, problems = survey(environ, need_token=True)
    found = [*_of_settings(settings, problems), _told("dictionary", _dictionary)]
    if not any(problem.name in {"EMBEDDER", "EMBEDDING_MODEL"} for problem in problems):
        found.append(_told("embedder", lambda: _embedder(settings)))
    if not any(problem.name == "KIZUKI_DATA" for problem in problems):
        found += _of_folder(settings.data)
    wrong = sum(finding.code is not Exit.OK for finding in found)
    sys.stdout.write("\n".join([*map(str, found), sayings.checked(wrong), ""]))
    return max(finding.code for finding in found)


def _of_settings(settings: Settings, problems: tuple[Problem, ...]) -> Iterator[Finding]:
    for problem in problems:
        yield Finding(str(problem), Exit.BAD_SETTINGS)
    if not problems:
        yield Finding("settings: all can be used")
    if settings.token:
        yield Finding(f"token: has the shape of one ({shape(settings.token)}); only Discord knows whether it is valid")
    yield Finding(sayings.INTENT_NEEDED if settings.message_content else sayings.NO_INTENT_NEEDED)
    if not any(problem.name in OF_JUDGE or problem.name.startswith("ANTHROPIC_") for problem in problems):
        yield Finding(_judge(settings))


def _judge(settings: Settings) -> str:
    if not settings.llm_enabled:
        return sayings.judge_off("LLM_ENABLED is off")
    if not settings.api_key:
        return sayings.NO_JUDGE
    limits = {
        "KIZUKI_BOT_CENTS": settings.bot_cents,
        "KIZUKI_SERVER_CENTS": settings.server_cents,
        "KIZUKI_USER_CENTS": settings.user_cents,
        "KIZUKI_GRADES": settings.grades_a_day,
    }
    spent = next((name for name, limit in limits.items() if not limit), "")
    return sayings.judge_off(f"{spent} is 0") if spent else sayings.judge(settings.grader_model, settings.bot_cents)


def _of_folder(folder: Path) -> Iterator[Finding]:
    yield _told("data folder", lambda: _folder(folder))
    yield _told("in use", lambda: _in_use(folder))
    yield _told("database", lambda: _database(folder))
    if _is_on_disk(_nearest(folder)):
        yield _told("disk", lambda: _disk(folder))


def _told(what: str, look: Callable[[], Finding]) -> Finding:
    """Look, and turn whatever goes wrong into a finding: one trouble must not hide the next."""
    try:
        return look()
    except Exception as error:  # noqa: BLE001 - as said
        failure = explain(error)
        if failure is None:
            return Finding(f"{what}: {type(error).__name__}: {error}", Exit.CANNOT_START)
        return Finding(failure.sentence, failure.code)


def _folder(folder: Path) -> Finding:
    """Find out whether it can be written, or made."""
    place = _nearest(folder)
    if not _is_on_disk(place):  # root may do everything there, and still nobody can
        return Finding(sayings.folder_unmakeable(folder), Exit.IN_VAIN)
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding(sayings.folder_read_only(folder), Exit.IN_VAIN)
    return Finding(f"data folder: {folder}" + ("" if place == folder else " (will be made)"))


def _in_use(folder: Path) -> Finding:
    inspection.not_taken(folder)
    return Finding("in use: by no other process")


def _database(folder: Path) -> Finding:
    database = inspection.database(folder)
    if database is None:
        return Finding("database: none yet, it is made at the first start")
    change = (
        "" if database.version == database.known else f", will be brought to version {database.known} after a backup"
    )
    return Finding(f"database: passed its check, version {database.version}{change}")


def _disk(folder: Path) -> Finding:
    """Look for room for the database to grow and for its backups."""
    free = shutil.disk_usage(_nearest(folder)).free
    needed = ROOM + 2 * inspection.size(folder)
    if free < needed:
        return Finding(sayings.disk_short(free // MIB, needed // MIB), Exit.CANNOT_START)
    return Finding(f"disk: {free // MIB} MiB free")


def _embedder(settings: Settings) -> Finding:
    """Load the embedder that would be used, and say so when it knows nothing but spelling."""

    async def name() -> str:
        embedder = await choose(settings.embedder, settings.embedding_model)
        embedder.close()
        return embedder.name

    found = asyncio.run(name())
    if found.startswith(HashedEmbedder.kind):
        return Finding(f"embedder: {found}. {sayings.SPELLING_ONLY}")
    return Finding(f"embedder: {found}")


def _dictionary() -> Finding:
    """Load the Japanese dictionary."""
    tokenizer = SudachiTokenizer()
    try:
        asyncio.run(tokenizer.start())
        return Finding(f"dictionary: {tokenizer.dictionary}")
    except Exception:  # noqa: BLE001 - whatever it is, the remedy is one
        return Finding(sayings.NO_DICTIONARY, Exit.CANNOT_START)
    finally:
        tokenizer.close()


def _is_on_disk(place: Path) -> bool:
    """Tell a place that can hold files from /proc and its like."""
    return shutil.disk_usage(place).total > 0


def _nearest(folder: Path) -> Path:
    """Return the folder itself, or the nearest one above it that exists."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())
