"""KizukiBot: one Discord client with the cogs, the flows they tell, and an orderly way to stop."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.ext import commands

from cogs.clock.access import Access
from cogs.clock.notices import Notices
from cogs.clock.posts import Posts
from cogs.failures import Funnel
from cogs.greeting import Greeting
from cogs.moderation.appeals import Queue
from cogs.moderation.articles import Articles
from cogs.moderation.feeds import Feeds
from cogs.moderation.packs import Packs
from cogs.moderation.schedules import Schedules
from cogs.practice.arrangements import Arrangements
from cogs.practice.drills import Drills
from cogs.practice.mistakes import Mistakes
from cogs.practice.my_data import MyData
from cogs.practice.news import News
from cogs.practice.reviews import Reviews
from cogs.practice.settings import Settings
from cogs.render import groups, posts, shared
from cogs.routing import GuardedTree, Presses
from cogs.together.boards import Boards
from cogs.together.groups import Groups
from cogs.together.races import Races
from cogs.together.shared import SharedCards
from cogs.tutoring.compositions import Compositions
from cogs.tutoring.profile import Profile
from cogs.tutoring.studies import Studies
from cogs.tutoring.talking import Talking
from cogs.tutoring.tutor import Tutor
from lessons.flows.reminding import ReminderPost
from lessons.flows.reporting import ReviewPost
from lessons.flows.sharing import DailyDrill
from lessons.flows.surveying import GroupReview, TooFewCounted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.health import Vitals
    from cogs.clock.outbox import DiscordOutbox
    from cogs.memberships import DiscordMemberships
    from cogs.traffic import Traffic
    from cogs.ui.letters import Letter
    from lessons.flows.answering import Answering
    from lessons.flows.appealing import Appealing
    from lessons.flows.asking import Asking
    from lessons.flows.choosing import Choosing
    from lessons.flows.composing import Composing
    from lessons.flows.delivering import Delivering
    from lessons.flows.documenting import Documenting
    from lessons.flows.erasing import Erasing
    from lessons.flows.exporting import Exporting
    from lessons.flows.gathering import Gathering
    from lessons.flows.loading import Loading
    from lessons.flows.newsreading import Newsreading
    from lessons.flows.posting import Posting
    from lessons.flows.profiling import Profiling
    from lessons.flows.racing import Racing
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
    from lessons.model import Post
    from lessons.ports import Clock

_log = logging.getLogger(__name__)

RENDERERS: Final[Mapping[type[Post], Callable[[Any], Letter]]] = {
    ReviewPost: posts.review_letter,
    ReminderPost: posts.reminder_letter,
    GroupReview: groups.review_letter,
    TooFewCounted: groups.too_few_letter,
    DailyDrill: shared.daily,
}
"""How each kind of post looks."""


@dataclass(frozen=True, slots=True)
class Services:
    """All that the cogs ask of the house, wired."""

    delivering: Delivering
    answering: Answering
    appealing: Appealing
    loading: Loading
    gathering: Gathering
    receiving: Receiving
    newsreading: Newsreading
    regrading: Regrading
    documenting: Documenting
    profiling: Profiling
    asking: Asking
    studying: Studying
    composing: Composing
    recollecting: Recollecting
    reviewing: Reviewing
    choosing: Choosing
    exporting: Exporting
    erasing: Erasing
    reporting: Reporting
    reminding: Reminding
    posting: Posting
    resuming: Resuming
    scheduling: Scheduling
    surveying: Surveying
    sharing: Sharing
    racing: Racing
    memberships: DiscordMemberships
    traffic: Traffic
    vitals: Vitals
    outbox: DiscordOutbox
    clock: Clock
    contact: str = ""


class KizukiBot(commands.Bot):
    """The bot. It needs no privileged intent, caches no messages, and never pings anybody."""

    def __init__(self, services: Services, *, message_content: bool = False) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=message_content)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            tree_cls=GuardedTree,
            http_trace=services.traffic.trace(),
        )
        self.funnel = Funnel(services.traffic)
        self._connected = False
        self._services = services
        services.memberships.attach(self)
        services.outbox.attach(self, RENDERERS)

    @property
    def services(self) -> Services:
        """What this bot works with."""
        return self._services

    async def setup_hook(self) -> None:
        """Add the cogs and publish the commands; runs once, before the gateway connects."""
        wired = self._services
        boards = Boards(wired.sharing, wired.racing, wired.outbox)
        if isinstance(self.tree, GuardedTree):
            self.tree.guard(self.funnel)
        for cog in (
            Presses(self, self.funnel),
            Drills(wired.delivering, wired.answering, wired.appealing, wired.clock),
            News(wired.newsreading, wired.clock),
            SharedCards(wired.sharing, wired.choosing, boards, wired.clock),
            Races(self, wired.racing, boards, wired.outbox, wired.clock),
            Profile(wired.profiling, wired.documenting, wired.clock),
            Tutor(wired.asking, wired.clock),
            Studies(
                self,
                Talking(self, wired.studying, self.funnel, wired.clock),
                wired.documenting,
                wired.loading,
                wired.clock,
            ),
            Compositions(wired.composing, wired.asking, wired.loading, wired.clock),
            Mistakes(wired.recollecting, wired.clock),
            Reviews(wired.reviewing, wired.choosing.arranging, wired.clock),
            Settings(wired.choosing, boards, wired.clock),
            MyData(self, boards, wired.exporting, wired.erasing, wired.clock, wired.contact),
            Arrangements(wired.choosing, wired.clock),
            Posts(wired.choosing.arranging, wired.delivering, wired.clock),
            Packs(wired.loading, wired.scheduling, wired.clock),
            Schedules(wired.scheduling, wired.clock),
            Groups(wired.surveying, wired.reviewing, wired.clock),
            Feeds(wired.gathering, wired.clock),
            Articles(wired.receiving, wired.clock),
            Queue(self, wired.appealing, wired.clock),
            Access(self, wired.resuming, wired.posting, wired.outbox, wired.clock),
            Notices(wired.resuming, wired.clock),
            Greeting(self, wired.contact),
        ):
            await self.add_cog(cog)
        published = await self.tree.sync()
        _log.info("published %d commands", len(published))

    @property
    def silence(self) -> float | None:
        """Seconds since Discord last acknowledged a heartbeat; None while there is no connection to it."""
        if not (self._connected and self.is_ready()) or self.is_closed():
            return None
        beating = getattr(self.ws, "_keep_alive", None)  # the library tells how long an answer took, never when it came
        acknowledged = getattr(beating, "_last_ack", None)
        return 0.0 if acknowledged is None else max(0.0, time.perf_counter() - float(acknowledged))

    async def on_connect(self) -> None:
        """Note that there is a connection."""
        self._connected = True

    async def on_resumed(self) -> None:
        """Note that there is a connection again."""
        self._connected = True

    async def on_disconnect(self) -> None:
        """Note that there is none; the library takes it up again."""
        self._connected = False

    async def on_ready(self) -> None:
        """Say that the bot is there; may happen many times."""
        self._connected = True
        _log.info("ready in %d servers", len(self.guilds))

    async def process_commands(self, message: discord.Message, /) -> None:
        """There are no typed commands; what people write to the bot is answered by the greeting."""

    async def drain(self, seconds: float) -> None:
        """Take nothing new (people are told) and post nothing new, and wait for what is under way, at most so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(self._services.posting.stop(), self.funnel.drain(seconds))
