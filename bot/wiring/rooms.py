"""The flows over the stores and clients: practice, then the tutor, then what comes by itself, each upon the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.app import Services
from bot.clients.news import JustextStoplists
from cogs.clock.outbox import DiscordOutbox
from cogs.memberships import DiscordMemberships
from cogs.traffic import Traffic
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
from lessons.flows.erasing import Erasing
from lessons.flows.exporting import Exporting
from lessons.flows.gathering import Gathering
from lessons.flows.judging import Judging
from lessons.flows.loading import Loading
from lessons.flows.newsreading import Newsreading
from lessons.flows.posting import Composer, Posting
from lessons.flows.profiling import Profiling
from lessons.flows.questioning import Questioning
from lessons.flows.racing import Racing
from lessons.flows.recalling import Recalling
from lessons.flows.receiving import Receiving
from lessons.flows.recollecting import Recollecting
from lessons.flows.regrading import Regrading
from lessons.flows.reminding import Reminding
from lessons.flows.reporting import Reporting
from lessons.flows.resuming import Resuming
from lessons.flows.reviewing import Reviewing
from lessons.flows.scheduling import Scheduling
from lessons.flows.sharing import Sharing
from lessons.flows.studying import Studying
from lessons.flows.surveying import Surveying
from lessons.material import Limits
from lessons.model import Caps, ScheduleKind

if TYPE_CHECKING:
    from bot.health import Vitals
    from bot.settings import Settings
    from bot.wiring.books import Stores
    from bot.wiring.likeness import Likeness
    from bot.wiring.outside import Clients
    from lessons.ports import Clock

CENT: Final = 10_000
"""Millionths of a dollar."""


class Practice:
    """Drills, what is missed in them, and the news."""

    def __init__(self, settings: Settings, stores: Stores, clients: Clients, likeness: Likeness) -> None:
        self.memberships = DiscordMemberships()
        self.consulting = Consulting(clients.model, stores.usage, _caps(settings))
        self.recalling = Recalling(
            stores.mistakes, stores.memories, clients.embedder, likeness.calibration, stores.learners
        )
        self.delivering = Delivering(stores.packs, stores.drills, stores.learners, self.memberships)
        judging = Judging(self.consulting, stores.judgements)
        self.regrading = Regrading(judging, stores.judgements, stores.drills, clients.tokenizer)
        self.answering = Answering(
            stores.packs,
            stores.drills,
            stores.learners,
            clients.tokenizer,
            self.delivering,
            self.recalling,
            judging,
            self.regrading,
        )
        self.newsreading = Newsreading(
            stores.articles,
            stores.drills,
            stores.mistakes,
            stores.learners,
            stores.judgements,
            self.delivering,
            self.consulting,
        )


class Tutoring:
    """The tutor, and what it knows of a learner."""

    def __init__(self, stores: Stores, clients: Clients, likeness: Likeness, practice: Practice) -> None:
        self.documenting = Documenting(stores.documents, clients.embedder, likeness.guard)
        self.profiling = Profiling(
            stores.profiles, stores.documents, stores.mistakes, stores.drills, practice.consulting
        )
        conversing = Conversing(
            self.profiling,
            self.documenting,
            stores.mistakes,
            stores.packs,
            stores.studies,
            practice.delivering,
            practice.consulting,
        )
        self.asking = Asking(conversing, stores.documents, stores.drills, stores.studies)
        self.studying = Studying(conversing, self.asking, stores.studies, stores.documents)
        self.composing = Composing(conversing, stores.studies)


class ByItself:
    """What many do together, and what is posted by the clock."""

    def __init__(self, stores: Stores, clients: Clients, practice: Practice, tutoring: Tutoring) -> None:
        self.outbox = DiscordOutbox()
        questioning = Questioning(stores.packs, stores.shared)
        self.sharing = Sharing(stores.shared, stores.learners, stores.mistakes, practice.answering, questioning)
        self.racing = Racing(stores.shared, self.sharing, questioning, practice.delivering)
        self.surveying = Surveying(
            stores.groups, stores.schedules, stores.learners, practice.memberships, clients.charts, self.sharing
        )
        self.reviewing = Reviewing(
            stores.mistakes,
            stores.drills,
            stores.learners,
            practice.recalling,
            practice.delivering,
            practice.newsreading,
            tutoring.profiling,
            clients.charts,
        )
        self.reporting = Reporting(stores.schedules, self.reviewing, stores.drills)
        self.reminding = Reminding(stores.schedules, stores.drills, practice.delivering)
        composers: dict[ScheduleKind, Composer] = {
            ScheduleKind.REVIEW: self.reporting,
            ScheduleKind.REMINDER: self.reminding,
            ScheduleKind.GROUP_REVIEW: self.surveying,
            ScheduleKind.DAILY_DRILL: self.sharing,
        }
        self.posting = Posting(stores.schedules, self.outbox, composers)


def furnished(
    settings: Settings, stores: Stores, clients: Clients, likeness: Likeness, vitals: Vitals, clock: Clock
) -> Services:
    """Return all that the cogs ask of the house."""
    practice = Practice(settings, stores, clients, likeness)
    tutoring = Tutoring(stores, clients, likeness, practice)
    itself = ByItself(stores, clients, practice, tutoring)
    clozing = Clozing(stores.articles, clients.tokenizer, JustextStoplists(), practice.consulting, load_levels())
    limits = Limits(bytes=settings.pack_bytes, rows=settings.pack_rows)
    most = settings.feeds_per_server
    return Services(
        delivering=practice.delivering,
        answering=practice.answering,
        appealing=Appealing(stores.appeals, stores.drills, clients.tokenizer, practice.regrading),
        loading=Loading(stores.packs, clients.tokenizer, limits),
        gathering=Gathering(stores.feeds, stores.articles, clients.fetcher, clients.reader, clozing, most),
        receiving=Receiving(stores.articles, clients.reader, clozing),
        newsreading=practice.newsreading,
        regrading=practice.regrading,
        documenting=tutoring.documenting,
        profiling=tutoring.profiling,
        asking=tutoring.asking,
        studying=tutoring.studying,
        composing=tutoring.composing,
        recollecting=Recollecting(stores.mistakes, stores.learners, practice.recalling),
        reviewing=itself.reviewing,
        choosing=Choosing(stores.learners, Arranging(stores.schedules, stores.learners)),
        reporting=itself.reporting,
        reminding=itself.reminding,
        posting=itself.posting,
        resuming=Resuming(stores.schedules),
        scheduling=Scheduling(
            stores.schedules, stores.groups, stores.learners, stores.packs, itself.racing.questioning
        ),
        surveying=itself.surveying,
        exporting=Exporting(stores.records),
        erasing=Erasing(stores.records, (tutoring.profiling, itself.outbox), clock),
        sharing=itself.sharing,
        racing=itself.racing,
        memberships=practice.memberships,
        traffic=Traffic(),
        vitals=vitals,
        outbox=itself.outbox,
        clock=clock,
        contact=settings.contact,
    )


def _caps(settings: Settings) -> Caps:
    return Caps(
        user_micro_usd=settings.user_cents * CENT,
        guild_micro_usd=settings.server_cents * CENT,
        bot_micro_usd=settings.bot_cents * CENT,
        grades=settings.grades_a_day,
        turns=settings.turns_a_day,
    )
