"""The only place that names concrete classes: settings in, services out, everything closed in the end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Final

from bot.app import Services
from bot.clients.charts import MatplotlibCharts
from bot.clients.embedders import choose
from bot.clients.tokenizer import SudachiTokenizer
from cogs.memberships import DiscordMemberships
from jobs.upkeep import upkeep
from lessons.flows.answering import Answering
from lessons.flows.appealing import Appealing
from lessons.flows.choosing import Choosing
from lessons.flows.delivering import Delivering
from lessons.flows.loading import Loading
from lessons.flows.recalling import Recalling
from lessons.flows.recollecting import Recollecting
from lessons.flows.reviewing import Reviewing
from lessons.material import Limits
from lessons.model import Space
from lessons.recall import CARD_VERSION, Calibration, shipped
from storage import migrate
from storage.appeals import AppealStore
from storage.connection import Database
from storage.drills import DrillStore
from storage.folder import DataFolder
from storage.learners import LearnerStore
from storage.memories import MemoryStore
from storage.mistakes import MistakeStore
from storage.packs import PackStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bot.settings import Settings
    from lessons.ports import Charts, Clock, Embedder, Memories

_log = logging.getLogger(__name__)

STARTER_PACKS: Final = {
    "particles": "Particles",
    "verb_forms": "Verb forms",
    "conditionals": "Conditionals",
    "giving_receiving": "Giving and receiving",
    "passive_causative": "Passive and causative",
    "politeness": "Politeness",
    "everyday_words": "Everyday words",
}
"""File name and title of every pack that comes with the bot, in the order they are taught."""


def now() -> datetime:
    """Return the present moment, aware UTC."""
    return datetime.now(UTC)


@asynccontextmanager
async def open_services(settings: Settings, *, clock: Clock = now) -> AsyncIterator[Services]:
    """Open the data folder and everything that works on it, and close it again whatever happens.

    Raises DataFolderTaken, StorageReadOnly, NewerDatabase, DamagedDatabase before anything is changed.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(settings.data, clock))
        tokenizer = SudachiTokenizer()
        stack.callback(tokenizer.close)
        await tokenizer.start()
        embedder = await choose(settings.embedder, settings.embedding_model)
        stack.callback(embedder.close)
        memories = MemoryStore(database)
        recalling = Recalling(MistakeStore(database), memories, embedder, await calibration_of(memories, embedder))
        charts = MatplotlibCharts()
        stack.callback(charts.close)
        services = _wired(settings, database, tokenizer, recalling, charts, clock)
        await _install_starter_packs(services.loading, clock())
        work = upkeep(recalling)
        work.start()
        stack.callback(work.shutdown, wait=False)
        yield services


@asynccontextmanager
async def open_database(folder: Path, clock: Clock = now) -> AsyncIterator[Database]:
    """Lock a data folder, bring its database up to date and open it. Raises as `open_services`."""
    with DataFolder(folder):
        path = await asyncio.to_thread(migrate.prepare, folder, at=clock())
        async with Database(path) as database:
            yield database


async def calibration_of(memories: Memories, embedder: Embedder) -> Calibration | None:
    """Return how likeness is judged with this embedder: as calibrated here, else as shipped; None: not at all."""
    stored = await memories.calibration(Space(embedder.name, CARD_VERSION))
    found = Calibration.from_json(stored) if stored else shipped(embedder.name)
    if found is None:
        _log.warning("embedder %s was never calibrated, so recall is silent: run kizuki calibrate", embedder.name)
    return found


def _wired(
    settings: Settings,
    database: Database,
    tokenizer: SudachiTokenizer,
    recalling: Recalling,
    charts: Charts,
    clock: Clock,
) -> Services:
    packs, drills, learners = PackStore(database), DrillStore(database), LearnerStore(database)
    memberships = DiscordMemberships()
    delivering = Delivering(packs, drills, learners, memberships)
    return Services(
        delivering=delivering,
        answering=Answering(packs, drills, learners, tokenizer, delivering, recalling),
        appealing=Appealing(AppealStore(database), drills, tokenizer),
        loading=Loading(packs, tokenizer, Limits(bytes=settings.pack_bytes, rows=settings.pack_rows)),
        recollecting=Recollecting(MistakeStore(database), learners, recalling),
        reviewing=Reviewing(MistakeStore(database), drills, learners, recalling, delivering, charts),
        choosing=Choosing(learners),
        memberships=memberships,
        clock=clock,
        contact=settings.contact,
    )


async def _install_starter_packs(loading: Loading, at: datetime) -> None:
    folder = resources.files("lessons") / "data"
    for name, title in STARTER_PACKS.items():
        change = await loading.install_starter(name, title, (folder / f"{name}.csv").read_bytes(), at)
        if change is not None:
            _log.info(
                "starter pack %s: %d new, %d updated, %d hidden", name, change.added, change.updated, change.removed
            )
