"""Looking back: the themes of a learner's last weeks, a drill over one of them, and how far they have come."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import numpy as np

from lessons import recall, summary, themes
from lessons.calendar import day_start
from lessons.errors import DrillUnfinished
from lessons.model import Profile, Track
from lessons.wording import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.flows.delivering import Delivering, Step
    from lessons.flows.newsreading import Newsreading
    from lessons.flows.profiling import Profiling
    from lessons.flows.recalling import Recalling
    from lessons.model import GuildId, ItemId, Mistake, MistakeId, PackId, Theme, UserId
    from lessons.ports import Charts, Drills, Learners, Memory, Mistakes
    from lessons.streaks import Streak

DAYS: Final = 30
"""How far a review looks back."""
SHOWN: Final = 5
"""Themes with a drill of their own; the rest is counted."""
FEW: Final = 3
"""Missed exercises below which nothing can be called a pattern."""
MOST: Final = 1000
"""Missed exercises that themes are found in, the newest ones: more would take a core for seconds."""
SEED: Final = 7
LAST_RESORT: Final = "hashed"
"""What the name of the embedder begins with that knows nothing but spelling."""


@dataclass(frozen=True, slots=True)
class Review:
    """Themes of the time from `since` to `made`, the largest first, among so many missed `exercises`.

    `chart` shows the first ones as a PNG, None when there is no theme. `last_resort` is the embedder's name where
    likeness is told by spelling only, else "". `profile` is what every surface knows of the learner.
    """

    themes: tuple[Theme, ...]
    one_offs: tuple[Mistake, ...]
    exercises: int
    made: datetime
    since: datetime
    chart: bytes | None = None
    last_resort: str = ""
    profile: Profile = field(default_factory=Profile)

    @property
    def days(self) -> int:
        """How many days it looks back, 1 at least."""
        return days_between(self.since, self.made)


@dataclass(frozen=True, slots=True)
class ThemeDrill:
    """Which theme is to be drilled: of the review made then, the one that this mistake stands for.

    `anew` gives up an unfinished drill; `since` is where that review began, None: DAYS before.
    """

    user: UserId
    guild: GuildId | None
    made: datetime
    characteristic: MistakeId
    anew: bool = False
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Figures with their charts as PNG: by day, by week, by kind; None where there is nothing to draw.

    `streak` is None where the learner wants none kept.
    """

    figures: summary.Figures
    days: bytes | None = None
    weeks: bytes | None = None
    kinds: bytes | None = None
    streak: Streak | None = None


@dataclass(frozen=True, slots=True)
class Reviewing:
    """Finds patterns in what a learner missed, and counts what they did. Nothing here asks a language model."""

    mistakes: Mistakes
    drills: Drills
    learners: Learners
    recalling: Recalling
    delivering: Delivering
    newsreading: Newsreading
    profiling: Profiling
    charts: Charts

    async def review(self, user: UserId, at: datetime, shown: int, since: datetime | None = None) -> Review:
        """Find the themes of the time since then (None: of the last DAYS days) and draw the first `shown` of them."""
        made, since = _exact(at), _exact(since or at - timedelta(days=DAYS))
        recent = await self._recent(user, since, made)
        profile = await self.profiling.profile(user, made)
        if len(recent) < FEW:
            return Review((), tuple(reversed(recent)), len(recent), made, since, profile=profile)
        found = await self._themes(user, recent)
        drawn = found.themes[:shown]
        embedder = self.recalling.embedder.name
        return Review(
            themes=found.themes,
            one_offs=found.one_offs,
            exercises=len(recent),
            made=made,
            since=since,
            chart=await self.charts.draw(themes.theme_chart(drawn, days_between(since, made))) if drawn else None,
            last_resort=embedder if embedder.startswith(LAST_RESORT) else "",
            profile=profile,
        )

    async def themes_of(self, user: UserId, since: datetime, made: datetime) -> tuple[Theme, ...]:
        """Find the themes of a review once more: as it was made then, but for mistakes that were taken away."""
        recent = await self._recent(user, _exact(since), _exact(made))
        return (await self._themes(user, recent)).themes if len(recent) >= FEW else ()

    async def drill(self, ask: ThemeDrill, at: datetime) -> Step | None:
        """Begin a drill over a theme: what can be drilled here, the newest miss first.

        The review is made once more as of its moment, so that later misses do not matter. None when the theme is not
        what it was any more, or nothing of it can be drilled here. Raises DrillUnfinished.
        """
        found = await self.themes_of(ask.user, ask.since or ask.made - timedelta(days=DAYS), ask.made)
        theme = next((each for each in found if each.characteristic.id == ask.characteristic), None)
        preferences = (await self.learners.learner(ask.user)).preferences
        items = await self._items(theme, ask, at, preferences.drill_length) if theme else []
        if theme is None or not items:
            return None
        track = theme.characteristic.card.track
        if not ask.anew and (open_drill := await self.drills.open_drill(ask.user, track)):
            raise DrillUnfinished(open_drill)
        title = f"Your theme: {themes.theme_kind(theme)}"
        begun = await self.drills.begin(ask.user, ask.guild, track, title, items, at)
        return await self.delivering.step(begun.id, ask.user)

    async def progress(self, user: UserId, at: datetime) -> Progress:
        """Count what was answered, in days of the learner's own zone, and draw it."""
        zone = (await self.learners.learner(user)).preferences.time_zone
        place = ZoneInfo(zone)
        since = day_start(at - timedelta(days=summary.REACH), zone)
        answers = await self.drills.daily(user, since)
        dated = [(each.at.astimezone(place).date(), each) for each in answers]
        found = await asyncio.to_thread(summary.figures, dated, at.astimezone(place).date())
        progress = Progress(found, streak=await self.delivering.streak(user, at))
        if found.total.answered:
            progress = replace(progress, days=await self.charts.draw(summary.day_chart(found)))
        if any(tallies for _, tallies in found.weeks):
            progress = replace(progress, weeks=await self.charts.draw(summary.week_chart(found)))
        if found.kinds:
            progress = replace(progress, kinds=await self.charts.draw(summary.kind_chart(found, KINDS)))
        return progress

    async def _recent(self, user: UserId, since: datetime, made: datetime) -> list[Mistake]:
        """One mistake an exercise of the time between, oldest first, the newest MOST of them."""
        missed = await self.mistakes.since(user, since)
        return themes.newest_per_item(each for each in missed if each.at <= made)[-MOST:]

    async def _themes(self, user: UserId, recent: Sequence[Mistake]) -> themes.Themes:
        """Find themes track by track, in a thread: a miss is compared with misses of its own track."""
        found = []
        for track in Track:
            if own := [each for each in recent if each.card.track is track]:
                memory = await self.recalling.memories.memory(user, {track}, self.recalling.space)
                found.append(await asyncio.to_thread(self._found, own, memory))
        return themes.merged(found)

    def _found(self, own: Sequence[Mistake], memory: Memory) -> themes.Themes:
        return themes.themes(own, self._alike(own, memory), SEED)

    def _alike(self, own: Sequence[Mistake], memory: Memory) -> NDArray[np.float32] | None:
        """Likeness [n, n] of these mistakes: calibrated where both have a vector, else by their confusion.

        None when nothing is calibrated or no vector is there.
        """
        row_of = {int(mistake): row for row, mistake in enumerate(memory.mistakes)}
        known = [place for place, each in enumerate(own) if each.id in row_of]
        calibration = self.recalling.calibration
        if calibration is None or not known:
            return None
        rows = np.array([row_of[own[place].id] for place in known])
        columns = (memory.mistakes, memory.items, memory.at, memory.kinds, memory.vectors)
        chosen = type(memory)(*(column[rows] for column in columns))
        alike = themes.same_pairs(own)
        alike[np.ix_(known, known)] = recall.affinity(chosen, calibration, self.recalling.embedder.dimension)
        return alike

    async def _items(self, theme: Theme, ask: ThemeDrill, at: datetime, count: int) -> list[ItemId]:
        """Items of a theme that this person may drill here, the newest miss first, at most so many.

        A theme of news goes on with new sentences that ask for the same.
        """
        newest = sorted(theme.members, key=lambda member: (member.at, member.id), reverse=True)
        there = await self.mistakes.items_of([member.id for member in newest], ask.user)
        may = await self._readable(ask, at)
        items: list[ItemId] = []
        for each in there:
            item = await self.delivering.packs.item(each)
            if item is not None and item.pack_id in may:
                items.append(each)
        if theme.characteristic.card.track is Track.EXERCISE:
            targets = [member.card.reference for member in newest]
            more = await self.newsreading.more_like(targets, ask.user, ask.guild, count, at)
            items += [each for each in more if each not in items]
        return items[:count]

    async def _readable(self, ask: ThemeDrill, at: datetime) -> set[PackId]:
        """Packs and articles that this person may use here."""
        packs = await self.delivering.visible_packs(ask.user, ask.guild, at)
        articles = await self.newsreading.visible(ask.user, ask.guild, at)
        return {pack.id for pack in packs} | {article.id for article in articles}


def days_between(since: datetime, made: datetime) -> int:
    """Count the days of a review's time, 1 at least; an hour more or less, as clocks are changed, does not matter."""
    return max(1, round((made - since) / timedelta(days=1)))


def _exact(at: datetime) -> datetime:
    """Return a moment as exact as storage and buttons are."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
