"""The daily round: every recurring job, made of the flows and stores that it keeps up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.counting import Counting
from bot.wiring.rooms import CENT
from jobs.night import Night, add_night
from jobs.retention import Keeping, retention
from jobs.upkeep import Work, upkeep
from lessons.model import Space
from lessons.recall import CARD_VERSION
from storage.figures import FigureStore
from storage.leftovers import LeftoverStore
from storage.memories import MemoryStore
from storage.safekeeping import Safekeeping

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

    from bot.app import Services
    from bot.settings import Settings
    from lessons.ports import Clock, Embedder
    from storage.connection import Database


def daily_round(
    settings: Settings, services: Services, database: Database, embedder: Embedder, clock: Clock
) -> AsyncIOScheduler:
    """Return the scheduler with its jobs; the caller starts it and shuts it down."""
    work = upkeep(_work(services), clock)
    add_night(work, _night(services, settings, database, embedder, clock))
    retention(work, Keeping(LeftoverStore(database), services.memberships), clock)
    return work


def _work(services: Services) -> Work:
    return Work(
        services.reviewing.recalling,
        services.documenting,
        services.regrading,
        services.gathering,
        services.studying.studies,
        services.posting,
        services.resuming.schedules,
        services.vitals.tick,
    )


def _night(services: Services, settings: Settings, database: Database, embedder: Embedder, clock: Clock) -> Night:
    keeping, figures, memories = Safekeeping(database), FigureStore(database), MemoryStore(database)
    budget = settings.bot_cents * CENT if settings.api_key and settings.llm_enabled else 0
    counting = Counting(services.traffic, database, keeping, clock, budget)
    space = Space(embedder.name, CARD_VERSION)

    async def count() -> None:
        await counting.tell(figures, memories, space)

    return Night(keeping, count, clock)
