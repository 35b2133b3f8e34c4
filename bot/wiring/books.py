"""The data folder: locked, brought up to date, opened, and sealed in the end; and one store for each family of tables."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from storage import migrate, seals
from storage.appeals import AppealStore
from storage.articles import ArticleStore
from storage.connection import Database
from storage.documents import DocumentStore
from storage.drills import DrillStore
from storage.feeds import FeedStore
from storage.folder import DataFolder
from storage.groups import GroupStore
from storage.judgements import JudgementStore
from storage.learners import LearnerStore
from storage.memories import MemoryStore
from storage.mistakes import MistakeStore
from storage.packs import PackStore
from storage.profiles import ProfileStore
from storage.records import RecordStore
from storage.schedules import ScheduleStore
from storage.shared import SharedStore
from storage.studies import StudyStore
from storage.usage import UsageStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from lessons.ports import Clock

_log = logging.getLogger(__name__)


def now() -> datetime:
    """Return the present moment, aware UTC."""
    return datetime.now(UTC)


class Stores:
    """One store for each family of tables, over one database."""

    def __init__(self, database: Database) -> None:
        self.appeals = AppealStore(database)
        self.articles = ArticleStore(database)
        self.documents = DocumentStore(database)
        self.drills = DrillStore(database)
        self.feeds = FeedStore(database)
        self.groups = GroupStore(database)
        self.judgements = JudgementStore(database)
        self.learners = LearnerStore(database)
        self.memories = MemoryStore(database)
        self.mistakes = MistakeStore(database)
        self.packs = PackStore(database)
        self.profiles = ProfileStore(database)
        self.records = RecordStore(database)
        self.schedules = ScheduleStore(database)
        self.shared = SharedStore(database)
        self.studies = StudyStore(database)
        self.usage = UsageStore(database)


@asynccontextmanager
async def open_database(folder: Path, clock: Clock = now) -> AsyncIterator[Database]:
    """Lock a data folder, bring its database up to date and open it; seal it in the end. Raises as `open_services`."""
    with DataFolder(folder):
        path = await asyncio.to_thread(migrate.prepare, folder, at=clock())
        database = Database(path)
        await database.open()
        try:
            yield database
        finally:
            await database.close()
            await asyncio.to_thread(_seal, database)


def _seal(database: Database) -> None:
    """Seal a file that was closed in order; what is damaged, or still read by others, gets no seal."""
    others = database.path.with_name(f"{database.path.name}-wal").exists()
    if database.damage is None and not others:
        try:
            seals.put_on(database.path)
        except OSError as error:
            _log.warning("the database could not be sealed: %s", type(error).__name__)
