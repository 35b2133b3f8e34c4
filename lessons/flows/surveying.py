"""A group's review: what its members mixed up, told to the channel without telling anything of one of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from lessons import cards, groups
from lessons.errors import NothingOfKind
from lessons.flows.delivering import MEMBERSHIP_HOLDS
from lessons.model import Post, ReviewedTime, Skip, Track
from lessons.themes import kind_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.groups import Findings, GroupTheme, GroupTotal
    from lessons.model import ChannelId, ErrorType, GuildId, ItemId, MessageId, Pause, Run, RunId, UserId
    from lessons.ports import Charts, Groups, Learners, Memberships, Schedules

FIRST: Final = timedelta(days=7)
"""What the first review of a server looks back on."""
LONGEST: Final = timedelta(days=30)
"""What a review looks back on at most."""
ASKED_ABOUT: Final = 50
"""People whose membership one review asks about, those not seen for the longest first."""
QUESTIONS: Final = 5
"""Questions of a drill that is done together."""
FEW: Final = "few"
"""What is noted of a card that says that too few are counted."""
TRACK_NOTES: Final = {Track.LESSON: "", Track.EXERCISE: " in the news"}


@dataclass(frozen=True, slots=True)
class GroupReview(Post):
    """What a group did from `since` to `until`; `chart` is a PNG of the themes, None without any.

    `drillable` are the kinds that the server's packs have items of. `run` makes the drills of one review alike.
    """

    run: RunId
    since: datetime
    until: datetime
    totals: tuple[GroupTotal, ...]
    themes: tuple[GroupTheme, ...]
    chart: bytes | None
    drillable: frozenset[ErrorType]


@dataclass(frozen=True, slots=True)
class TooFewCounted(Post):
    """Fewer than five who are counted practised here since `since`. How many they are is nobody's business."""

    since: datetime

    @property
    def note(self) -> str:
        """Keep that the channel was told."""
        return FEW


@dataclass(frozen=True, slots=True)
class TogetherAsk:
    """Who wants what drilled together, and where: a kind of mistake, with the right answers of its confusions."""

    guild: GuildId
    channel: ChannelId
    starter: UserId
    kind: ErrorType
    references: tuple[str, ...] = ()


class Together(Protocol):
    """Drills that many do at once, as far as a review needs them."""

    async def together(
        self, guild: GuildId, channel: ChannelId, starter: UserId, items: Sequence[ItemId], title: str, at: datetime
    ) -> object:
        """Start an untimed drill in a channel."""
        ...


@dataclass(frozen=True, slots=True)
class Surveying:
    """Composes a group's review, and keeps who wants to be counted in it."""

    groups: Groups
    schedules: Schedules
    learners: Learners
    memberships: Memberships
    charts: Charts
    sharing: Together

    async def compose(self, run: Run, at: datetime) -> Post | Skip | Pause:
        """Say what the group mixed up since its latest review.

        The time that is counted is kept before anything is sent: a review that gets lost on the way is not made up
        for, so that no two reviews ever count the same answer. The same run gives the same time again.
        """
        guild = run.schedule.guild
        if guild is None:
            return Skip.NOTHING
        time = await self._time(guild, run, at)
        found = await self._findings(time, at)
        if not found.totals:
            return await self._too_few(run, time)
        names = {(theme.track, theme.error_type): theme_title(theme) for theme in found.themes}
        review = GroupReview(
            run=run.id,
            since=time.since,
            until=time.until,
            totals=found.totals,
            themes=found.themes,
            chart=await self.charts.draw(groups.chart(found.themes, names)) if found.themes else None,
            drillable=frozenset([kind for _, kind in names if await self._items(guild, kind)]),
        )
        await self.groups.note_reviewed(time)
        return review

    async def posted(self, run: Run, post: Post, message: MessageId, at: datetime) -> None:
        """Nothing is left to do: what has to be kept was kept before."""

    async def count_in(self, user: UserId, guild: GuildId, at: datetime) -> bool:
        """Count this person from now on, here and in the other servers they practise in; False when they were before."""
        await self.learners.note_visit(user, guild, at)
        return await self._set_counted(user, at, counted=True)

    async def count_out(self, user: UserId, at: datetime) -> bool:
        """Count this person no more; False when they were not counted."""
        return await self._set_counted(user, at, counted=False)

    async def drill_together(self, ask: TogetherAsk, seed: int, at: datetime) -> None:
        """Start a drill over a theme for the whole channel. Raises NothingOfKind, and what the drill itself raises."""
        items = await self._items(ask.guild, ask.kind)
        chosen = groups.choose(items, ask.references, QUESTIONS, seed)
        if not chosen:
            raise NothingOfKind(ask.kind)
        title = f"Together: {kind_name(ask.kind)}"
        await self.sharing.together(ask.guild, ask.channel, ask.starter, chosen, title, at)

    async def _time(self, guild: GuildId, run: Run, at: datetime) -> ReviewedTime:
        """Return the time this run counts: from where the latest review ended, at most LONGEST, to now."""
        before = await self.groups.reviewed(guild)
        if before is not None and before.run == run.id:
            return before
        since = before.until if before is not None else at - FIRST
        until = at.replace(microsecond=at.microsecond // 1000 * 1000)  # as exact as storage is
        return ReviewedTime(guild, run.id, min(until, max(since, until - LONGEST)), until)

    async def _findings(self, time: ReviewedTime, at: datetime) -> Findings:
        """Count what members did who let themselves be counted."""
        seen = dict(await self.groups.counted(time.guild))
        answers = await self.groups.answers(time.guild, seen.keys(), time.since, time.until)
        users = {each.user for each in answers}
        unsure = sorted((seen_at, user) for user, seen_at in seen.items() if user in users)
        unsure = [(seen_at, user) for seen_at, user in unsure if at - seen_at >= MEMBERSHIP_HOLDS][:ASKED_ABOUT]
        users -= {user for _, user in unsure if not await self._is_member(user, time.guild, at)}
        misses = await self.groups.misses(time.guild, users, time.since, time.until)
        kept = [each for each in answers if each.user in users]
        return await asyncio.to_thread(groups.findings, kept, misses)

    async def _is_member(self, user: UserId, guild: GuildId, at: datetime) -> bool:
        """Ask whether a person is still in the server; doubt keeps them."""
        member = await self.memberships.is_member(guild, user)
        if member:
            await self.learners.note_visit(user, guild, at)
        elif member is False:
            await self.learners.forget_visit(user, guild)
        return member is not False

    async def _too_few(self, run: Run, time: ReviewedTime) -> Post | Skip:
        """Say once that too few are counted; never after a review, where it would tell that somebody withdrew."""
        if await self.groups.reviewed(time.guild) is not None:
            return Skip.NOTHING
        latest = await self.schedules.latest_sent(run.schedule.id)
        return Skip.NOTHING if latest is not None and latest[2] == FEW else TooFewCounted(time.since)

    async def _items(self, guild: GuildId, kind: ErrorType) -> list[tuple[ItemId, str]]:
        """Return items of a kind out of packs that everybody here may use, with their answers."""
        items = await self.groups.asked_items(guild, kind)
        return [
            (each.id, each.reference)
            for each in items
            if cards.kind_asked(each.skill, each.kind, each.part_of_speech) is kind
        ]

    async def _set_counted(self, user: UserId, at: datetime, *, counted: bool) -> bool:
        learner = await self.learners.learner(user)
        if learner.preferences.counted is counted:
            return False
        preferences = replace(learner.preferences, counted=counted)
        await self.learners.save_preferences(user, preferences, at, zone_chosen=learner.zone_chosen)
        return True


def theme_title(theme: GroupTheme) -> str:
    """Name a theme of a group: "particles", "particles in the news"."""
    return f"{kind_name(theme.error_type)}{TRACK_NOTES[theme.track]}"
