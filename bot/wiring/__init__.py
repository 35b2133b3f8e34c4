"""The only place that names concrete classes: settings in, services out, everything closed in the end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import resources
from typing import TYPE_CHECKING, Final

from bot.health import Vitals
from bot.wiring.books import Stores, now, open_database
from bot.wiring.likeness import calibration_of, likeness_of
from bot.wiring.outside import model_of, open_clients
from bot.wiring.rooms import CENT, furnished
from bot.wiring.round import daily_round
from storage.safekeeping import Safekeeping

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from bot.app import Services
    from bot.clients.news.addresses import Policy
    from bot.settings import Settings
    from lessons.flows.loading import Loading
    from lessons.flows.posting import Posting
    from lessons.ports import Clock

__all__ = ["CENT", "STARTER_PACKS", "calibration_of", "model_of", "now", "open_database", "open_services"]

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

LAST_POSTS_SECONDS: Final = 2.0
"""How long the house waits for posts under way before it closes."""


@asynccontextmanager
async def open_services(
    settings: Settings, *, clock: Clock = now, policy: Policy | None = None
) -> AsyncIterator[Services]:
    """Open the data folder and everything that works on it, and close it again whatever happens.

    `policy` says which addresses may be fetched, public ones by default. Raises DataFolderTaken, StorageReadOnly, NewerDatabase, DamagedDatabase before
    anything is changed.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(settings.data, clock))
        clients = await stack.enter_async_context(open_clients(settings, clock, policy))
        stores = Stores(database)
        likeness = await likeness_of(stores.memories, clients.embedder)
        vitals = Vitals(database, Safekeeping(database), lambda: clients.embedder.is_loaded)
        services = furnished(settings, stores, clients, likeness, vitals, clock)
        await _install_starter_packs(services.loading, clock())
        await stores.usage.settle_lost()
        await services.posting.begin(clock())
        work = daily_round(settings, services, database, clients.embedder, clock)
        work.start()
        stack.callback(work.shutdown, wait=False)
        stack.push_async_callback(_let_finish, services.posting)
        yield services


async def _let_finish(posting: Posting) -> None:
    """Wait a little for what is being sent; what is cut off is sent again at the next start, under its nonce."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LAST_POSTS_SECONDS):
            await posting.stop()


async def _install_starter_packs(loading: Loading, at: datetime) -> None:
    folder = resources.files("lessons") / "data"
    for name, title in STARTER_PACKS.items():
        change = await loading.install_starter(name, title, (folder / f"{name}.csv").read_bytes(), at)
        if change is not None:
            _log.info(
                "starter pack %s: %d new, %d updated, %d hidden", name, change.added, change.updated, change.removed
            )
