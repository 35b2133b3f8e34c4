"""The only place that names concrete classes: settings in, services out, everything closed in the end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Final

from bot.app import Services
from bot.clients.charts import MatplotlibCharts
from bot.clients.embedders import choose
from bot.clients.model import ClaudeModel
from bot.clients.news import HttpFetcher, JustextStoplists, ProcessReader
from bot.clients.tokenizer import SudachiTokenizer
from cogs.memberships import DiscordMemberships
from cogs.outbox import DiscordOutbox
from jobs.upkeep import Work, upkeep
from lessons import chunking
from lessons.chunking import Guard
from lessons.cloze import load_levels
from lessons.flows.answering import Answering
from lessons.flows.appealing import Appealing
from lessons.flows.arranging import Arranging
from lessons.flows.asking import Asking
from lessons.flows.choosing import Choosing
from lessons.flows.clozing import Clozing
from lessons.flows.composing import Composing
from lessons.flows.consulting import Consulting
from lessons.flows.conversing import Conversing
from lessons.flows.delivering import Delivering
from lessons.flows.documenting import Documenting
from lessons.flows.gathering import Gathering
from lessons.flows.judging import Judging
from lessons.flows.loading import Loading
from lessons.flows.newsreading import Newsreading
from lessons.flows.posting import Composer, Posting
from lessons.flows.profiling import Profiling
from lessons.flows.recalling import Recalling
from lessons.flows.receiving import Receiving
from lessons.flows.recollecting import Recollecting
from lessons.flows.regrading import Regrading
from lessons.flows.reminding import Reminding
from lessons.flows.reporting import Reporting
from lessons.flows.resuming import Resuming
from lessons.flows.reviewing import Reviewing
from lessons.flows.scheduling import Scheduling
from lessons.flows.studying import Studying
from lessons.flows.surveying import Surveying
from lessons.material import Limits
from lessons.model import Caps, ScheduleKind, Space
from lessons.recall import CARD_VERSION, Calibration, shipped
from storage import migrate
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
from storage.schedules import ScheduleStore
from storage.studies import StudyStore
from storage.usage import UsageStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bot.clients.embedders import LocalEmbedder
    from bot.clients.news.addresses import Policy
    from bot.settings import Settings
    from lessons.ports import Clock, Embedder, Memories

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

CENT: Final = 10_000
"""Millionths of a dollar."""


def now() -> datetime:
    """Return the present moment, aware UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clients:
    """What reaches outside the process, or works in a thread or a process of its own."""

    tokenizer: SudachiTokenizer
    embedder: LocalEmbedder
    charts: MatplotlibCharts
    fetcher: HttpFetcher
    reader: ProcessReader
    model: ClaudeModel | None


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
        memories = MemoryStore(database)
        likeness = Likeness(
            await calibration_of(memories, clients.embedder), await guard_of(memories, clients.embedder)
        )
        services = _wired(settings, database, clients, likeness, clock)
        await _install_starter_packs(services.loading, clock())
        await UsageStore(database).settle_lost()
        await services.posting.begin(clock())
        work = upkeep(_work(services), clock)
        work.start()
        stack.callback(work.shutdown, wait=False)
        stack.push_async_callback(_let_finish, services.posting)
        yield services


@asynccontextmanager
async def open_clients(settings: Settings, clock: Clock, policy: Policy | None) -> AsyncIterator[Clients]:
    """Open what works beside the database; heavy things are loaded now, so that no learner waits for them."""
    async with AsyncExitStack() as stack:
        tokenizer = SudachiTokenizer()
        stack.callback(tokenizer.close)
        await tokenizer.start()
        embedder = await choose(settings.embedder, settings.embedding_model)
        stack.callback(embedder.close)
        charts = MatplotlibCharts()
        stack.callback(charts.close)
        fetcher = HttpFetcher(settings.contact, policy, clock=clock)
        stack.push_async_callback(fetcher.close)
        reader = ProcessReader()
        stack.push_async_callback(reader.close)
        model = model_of(settings, clock)
        if model is not None:
            stack.push_async_callback(model.close)
            await model.start()
        yield Clients(tokenizer, embedder, charts, fetcher, reader, model)


def model_of(settings: Settings, clock: Clock) -> ClaudeModel | None:
    """Return the client of the language model, None where none is set up or allowed."""
    if not (settings.llm_enabled and settings.api_key):
        return None
    return ClaudeModel(
        settings.api_key,
        base_url=settings.api_url,
        grader=settings.grader_model,
        tutor=settings.tutor_model,
        clock=clock,
    )


@asynccontextmanager
async def open_database(folder: Path, clock: Clock = now) -> AsyncIterator[Database]:
    """Lock a data folder, bring its database up to date and open it. Raises as `open_services`."""
    with DataFolder(folder):
        path = await asyncio.to_thread(migrate.prepare, folder, at=clock())
        async with Database(path) as database:
            yield database


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike is alike enough to the present embedder: of mistakes, and of a message and a document; None: unknown."""

    calibration: Calibration | None
    guard: Guard | None


async def guard_of(memories: Memories, embedder: Embedder) -> Guard | None:
    """Return which details are let in with this embedder: as calibrated here, else as shipped; None: none at all."""
    stored = await memories.calibration(Space(embedder.name, chunking.FRAME_VERSION))
    return Guard.from_json(stored) if stored else chunking.shipped(embedder.name)


async def calibration_of(memories: Memories, embedder: Embedder) -> Calibration | None:
    """Return how likeness is judged with this embedder: as calibrated here, else as shipped; None: not at all."""
    stored = await memories.calibration(Space(embedder.name, CARD_VERSION))
    found = Calibration.from_json(stored) if stored else shipped(embedder.name)
    if found is None:
        _log.warning("embedder %s was never calibrated, so recall is silent: run kizuki calibrate", embedder.name)
    return found


def _wired(settings: Settings, database: Database, clients: Clients, likeness: Likeness, clock: Clock) -> Services:
    packs, drills, learners = PackStore(database), DrillStore(database), LearnerStore(database)
    mistakes, articles, judgements = MistakeStore(database), ArticleStore(database), JudgementStore(database)
    tokenizer, memberships, outbox = clients.tokenizer, DiscordMemberships(), DiscordOutbox()
    schedules, groups = ScheduleStore(database), GroupStore(database)
    surveying = Surveying(groups, schedules, learners, memberships, clients.charts, _Nowhere())
    recalling = Recalling(mistakes, MemoryStore(database), clients.embedder, likeness.calibration, learners)
    delivering = Delivering(packs, drills, learners, memberships)
    documents, studies = DocumentStore(database), StudyStore(database)
    consulting = Consulting(clients.model, UsageStore(database), _caps(settings))
    judging = Judging(consulting, judgements)
    regrading = Regrading(judging, judgements, drills, tokenizer)
    newsreading = Newsreading(articles, drills, mistakes, learners, judgements, delivering, consulting)
    documenting = Documenting(documents, clients.embedder, likeness.guard)
    profiling = Profiling(ProfileStore(database), documents, mistakes, drills, consulting)
    conversing = Conversing(profiling, documenting, mistakes, packs, studies, delivering, consulting)
    asking = Asking(conversing, documents, drills, studies)
    clozing = Clozing(articles, tokenizer, JustextStoplists(), consulting, load_levels())
    reviewing = Reviewing(mistakes, drills, learners, recalling, delivering, newsreading, profiling, clients.charts)
    reporting, reminding = Reporting(schedules, reviewing, drills), Reminding(schedules, drills, delivering)
    composers: dict[ScheduleKind, Composer] = {
        ScheduleKind.REVIEW: reporting,
        ScheduleKind.REMINDER: reminding,
        ScheduleKind.GROUP_REVIEW: surveying,
    }
    return Services(
        delivering=delivering,
        answering=Answering(packs, drills, learners, tokenizer, delivering, recalling, judging, regrading),
        appealing=Appealing(AppealStore(database), drills, tokenizer, regrading),
        loading=Loading(packs, tokenizer, Limits(bytes=settings.pack_bytes, rows=settings.pack_rows)),
        gathering=Gathering(
            FeedStore(database), articles, clients.fetcher, clients.reader, clozing, settings.feeds_per_server
        ),
        receiving=Receiving(articles, clients.reader, clozing),
        newsreading=newsreading,
        regrading=regrading,
        documenting=documenting,
        profiling=profiling,
        asking=asking,
        studying=Studying(conversing, asking, studies, documents),
        composing=Composing(conversing, studies),
        recollecting=Recollecting(mistakes, learners, recalling),
        reviewing=reviewing,
        choosing=Choosing(learners, Arranging(schedules, learners)),
        reporting=reporting,
        reminding=reminding,
        posting=Posting(schedules, outbox, composers),
        resuming=Resuming(schedules),
        scheduling=Scheduling(schedules, groups, learners, packs),
        surveying=surveying,
        memberships=memberships,
        outbox=outbox,
        clock=clock,
        contact=settings.contact,
    )


async def _let_finish(posting: Posting) -> None:
    """Wait a little for what is being sent; what is cut off is sent again at the next start, under its nonce."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LAST_POSTS_SECONDS):
            await posting.stop()


class _Nowhere:
    """Stands in for drills that many do at once, until they are wired."""

    async def together(self, *_: object) -> None:
        """Start nothing."""


def _work(services: Services) -> Work:
    return Work(
        services.reviewing.recalling,
        services.documenting,
        services.regrading,
        services.gathering,
        services.studying.studies,
        services.posting,
        services.resuming.schedules,
    )


def _caps(settings: Settings) -> Caps:
    return Caps(
        user_micro_usd=settings.user_cents * CENT,
        guild_micro_usd=settings.server_cents * CENT,
        bot_micro_usd=settings.bot_cents * CENT,
        grades=settings.grades_a_day,
        turns=settings.turns_a_day,
    )


async def _install_starter_packs(loading: Loading, at: datetime) -> None:
    folder = resources.files("lessons") / "data"
    for name, title in STARTER_PACKS.items():
        change = await loading.install_starter(name, title, (folder / f"{name}.csv").read_bytes(), at)
        if change is not None:
            _log.info(
                "starter pack %s: %d new, %d updated, %d hidden", name, change.added, change.updated, change.removed
            )
