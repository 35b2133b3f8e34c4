"""From "give me news" to a drill: blanks of recent articles, chosen by what the learner trips over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons import steering
from lessons.errors import DrillUnfinished, NewsAllRead, NewsNeedJudge, NoNews, UnknownArticle
from lessons.model import Track
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.flows.consulting import Consulting
    from lessons.flows.delivering import Delivering, Step
    from lessons.model import Article, Candidate, GuildId, ItemId, PackId, UserId, Waiting
    from lessons.ports import Articles, Drills, Judgements, Learners, Mistakes

RECENT: Final = 40
"""Articles that a drill may choose from, the newest ones."""
OFFERED: Final = 200
"""Articles that can be named."""
REMEMBERED: Final = timedelta(days=90)
"""How far back the mistakes go that the choice looks at."""


@dataclass(frozen=True, slots=True)
class NewsRequest:
    """What a learner asked for: an article by title or id ("" for the recent ones), and how many questions."""

    user: UserId
    guild: GuildId | None
    article: str | PackId = ""
    count: int | None = None
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Newsreading:
    """Starts drills over news. No sentence is asked twice, but for what was missed and is due again."""

    articles: Articles
    drills: Drills
    mistakes: Mistakes
    learners: Learners
    judgements: Judgements
    delivering: Delivering
    consulting: Consulting

    async def visible(self, user: UserId, guild: GuildId | None, at: datetime, limit: int = OFFERED) -> list[Article]:
        """Articles this person may read here, newest first: the server's; in a direct message those of their servers."""
        guilds = await self.delivering.guilds_of(user, guild, at)
        return await self.articles.of_guilds(guilds, limit)

    async def start(self, ask: NewsRequest, at: datetime) -> Step:
        """Begin a drill. Raises DrillUnfinished, NoNews, UnknownArticle, NewsAllRead, NewsNeedJudge."""
        if ask.guild is not None:
            await self.learners.note_visit(ask.user, ask.guild, at)
        visible = await self.visible(ask.user, ask.guild, at)
        if not visible:
            raise NoNews(ask.guild is not None)
        asked = _named(ask.article, visible)
        if not ask.anew and (open_drill := await self.drills.open_drill(ask.user, Track.EXERCISE)):
            raise DrillUnfinished(open_drill, asked.id if asked else None)
        preferences = (await self.learners.learner(ask.user)).preferences
        sources = [asked] if asked else visible[:RECENT]
        chosen = await self._chosen(ask.user, sources, ask.count or preferences.drill_length, at)
        if not chosen:
            ids = [article.id for article in sources]
            next_due = await self.drills.next_due(ask.user, ids)
            raise (NewsNeedJudge if await self.articles.candidates(ask.user, ids) else NewsAllRead)(next_due)
        title = asked.title if asked else ""
        items = [candidate.item for candidate in chosen]
        begun = await self.drills.begin(ask.user, ask.guild, Track.EXERCISE, title, items, at)
        return await self.delivering.step(begun.id, ask.user)

    async def more_like(
        self, targets: Collection[str], user: UserId, guild: GuildId | None, count: int, at: datetime
    ) -> list[ItemId]:
        """New sentences whose blank is one of these answers, the newest articles first."""
        wanted = set(map(fold, targets))
        visible = await self.visible(user, guild, at, RECENT)
        found = await self._candidates(user, visible)
        once = {each.sentence: each for each in reversed(found) if fold(each.reference) in wanted}
        return [each.item for each in reversed(once.values())][:count]

    async def decided_since(self, user: UserId) -> list[Waiting]:
        """Answers that waited for a judge and were decided since this person was told."""
        return await self.judgements.news_of(user)

    async def _chosen(self, user: UserId, sources: Sequence[Article], count: int, at: datetime) -> list[Candidate]:
        """What is due again, half of the drill at most, then new sentences by the learner's weak spots, then more of what is due."""
        due = await self.articles.due(user, [each.id for each in sources], at, count)
        spots = steering.weak_spots(await self.mistakes.since(user, at - REMEMBERED), at)
        seed = user ^ int(at.timestamp() * 1000)
        new = await self._candidates(user, sources)
        fresh = steering.pick(new, spots, count - min(len(due), count // 2), seed)
        return [*due[: count - len(fresh)], *fresh]

    async def _candidates(self, user: UserId, sources: Sequence[Article]) -> list[Candidate]:
        """Blanks in sentences that are new to this person; without a judge only those where one filler fits."""
        found = await self.articles.candidates(user, [article.id for article in sources])
        return found if self.consulting.is_there else [candidate for candidate in found if candidate.closed]


def _named(name: str | PackId, visible: Sequence[Article]) -> Article | None:
    """The article meant by a title or an id (which completions and buttons carry). Raises UnknownArticle."""
    if not name:
        return None
    if isinstance(name, str):
        wanted = fold(name)
        exact = (article for article in visible if fold(article.title) == wanted or name.strip() == str(article.id))
        found = next(exact, None) or next((each for each in visible if wanted in fold(each.title)), None)
    else:
        found = next((article for article in visible if article.id == name), None)
    if found is None:
        raise UnknownArticle(str(name))
    return found
