"""Where news comes from by itself: feeds that are looked at, and the pages that they name."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons import links, prose
from lessons.errors import (
    ArticleThere,
    FeedThere,
    Gone,
    PressLeadsNowhere,
    TooManyFeeds,
    Unfetchable,
    UnreadableNews,
)
from lessons.flows.clozing import Origin
from lessons.model import Feed, FeedId, FeedState, FetchTrouble, ReadTrouble

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.clozing import Clozing
    from lessons.model import Article, Entry, FeedPage, Fetched, GuildId, Prose, UserId
    from lessons.ports import Articles, Feeds, Fetcher, Reader

_log = logging.getLogger(__name__)

UNCHANGED: Final = 304
"""HTTP's status for what is as it was."""
PER_LOOK: Final = 5
"""New articles taken from a feed at one look."""
LEAST_PAUSE: Final = timedelta(minutes=30)
USUAL_PAUSE: Final = timedelta(hours=1)
LONGEST_PAUSE: Final = timedelta(days=1)
FAILURES: Final = 10
"""Looks in a row that may fail before a feed is paused."""
AT_ONCE: Final = 20
"""Feeds looked at in one round of polling."""
VALIDATOR: Final = 500
"""Characters of an ETag or a date that are kept and sent back."""
ENOUGH: Final = 120
"""Characters of an entry's own text from which it can stand in for a page that cannot be read."""
_NO_LINK: Final = frozenset({FetchTrouble.BAD_ADDRESS, FetchTrouble.FORBIDDEN_ADDRESS})
"""Troubles of an address that no learner should be sent to."""
_PASSING: Final = frozenset({FetchTrouble.UNREACHABLE, FetchTrouble.TOO_SLOW})


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at a feed brought: new articles, and new entries that became none.

    `passed` counts those that could not be used, `repeats` those that the server has already under another address;
    `unchanged` says that the feed had nothing new to send. What could not be used last is the trouble of the feed as long
    as it brings nothing at all.
    """

    feed: Feed
    added: tuple[Article, ...] = ()
    passed: int = 0
    repeats: int = 0
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Gathering:
    """Brings articles in. One article of a feed that fails never keeps the others out."""

    feeds: Feeds
    articles: Articles
    fetcher: Fetcher
    reader: Reader
    clozing: Clozing
    feeds_per_guild: int = 50

    async def add(self, guild: GuildId, url: str, language: str, by: UserId, at: datetime) -> Look:
        """Add a feed and take its newest articles. `language` "" believes the feed; for a web page its feed is taken.

        Raises Unfetchable, UnreadableNews, FeedThere, TooManyFeeds; then nothing was kept.
        """
        there = await self.feeds.of_guild(guild)
        if len(there) >= self.feeds_per_guild:
            raise TooManyFeeds(self.feeds_per_guild)
        fetched, page = await self._found(url.strip())
        known = links.normalised(fetched.moved or fetched.url)
        if same := next((feed for feed in there if links.normalised(feed.url) == known), None):
            raise FeedThere(same.title)
        feed = Feed(
            id=FeedId(0),
            guild_id=guild,
            url=fetched.moved or fetched.url,
            title=page.title or fetched.url,
            language=language or page.language,
            state=FeedState.ACTIVE,
            next_check=at + USUAL_PAUSE,
        )
        kept = await self.feeds.add(feed, by, at)
        if kept is None:
            raise FeedThere(feed.title)
        return await self._taken(kept, fetched, page, at)

    async def of_guild(self, guild: GuildId) -> list[Feed]:
        """Feeds of a server, by title."""
        return await self.feeds.of_guild(guild)

    async def feed(self, feed: FeedId, guild: GuildId) -> Feed:
        """Return a feed of this server. Raises PressLeadsNowhere."""
        found = await self.feeds.feed(feed, guild)
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        return found

    async def refresh(self, feed: FeedId, guild: GuildId, at: datetime) -> Look:
        """Look at a feed now; a paused one is active again. Trouble is kept with the feed. Raises PressLeadsNowhere."""
        found = await self.feed(feed, guild)
        return await self._look(replace(found, state=FeedState.ACTIVE, failures=0), at)

    async def remove(self, feed: FeedId, guild: GuildId, at: datetime, *, articles: bool) -> Feed:
        """Forget a feed, with its articles or without. Raises PressLeadsNowhere."""
        found = await self.feed(feed, guild)
        if not await self.feeds.remove(feed, guild, at, articles=articles):
            raise PressLeadsNowhere(Gone.DECIDED)
        return found

    async def poll(self, at: datetime) -> list[Look]:
        """Look at the feeds whose time has come."""
        return [await self._look(feed, at) for feed in await self.feeds.due(at, AT_ONCE)]

    async def _found(self, url: str) -> tuple[Fetched, FeedPage]:
        """Fetch and read a feed; where the address is a page that names its feed, that one."""
        fetched = await self.fetcher.fetch(url)
        try:
            return fetched, await self.reader.feed(fetched.data, fetched.content_type, fetched.url)
        except UnreadableNews as unreadable:
            if unreadable.why is not ReadTrouble.NOT_A_FEED or not links.is_address(unreadable.detail):
                raise
            named = await self.fetcher.fetch(unreadable.detail)
            return named, await self.reader.feed(named.data, named.content_type, named.url)

    async def _look(self, feed: Feed, at: datetime) -> Look:
        try:
            fetched = await self.fetcher.fetch(feed.url, etag=feed.etag, last_modified=feed.last_modified)
            if fetched.status == UNCHANGED:
                return Look(await self._went_well(feed, fetched, at, feed.trouble), unchanged=True)
            page = await self.reader.feed(fetched.data, fetched.content_type, fetched.url)
        except (Unfetchable, UnreadableNews) as error:
            return Look(await self._went_wrong(feed, error, at))
        return await self._taken(feed, fetched, page, at)

    async def _taken(self, feed: Feed, fetched: Fetched, page: FeedPage, at: datetime) -> Look:
        """Take the newest entries that this server does not know."""
        keys = {entry: _keys(feed, entry) for entry in page.entries}
        known = await self.articles.known(feed.guild_id, [key for found in keys.values() for key in found])
        new = [entry for entry in page.entries if not known.intersection(keys[entry])][:PER_LOOK]
        became = [await self._article(feed, entry, at) for entry in new]
        added = tuple(each for each in became if not isinstance(each, str))
        troubles = [each for each in became if isinstance(each, str) and each]
        trouble = "" if added else next(iter(troubles), feed.trouble if not feed.articles else "")
        language = feed.language or next((article.language for article in added), "")
        titled = replace(feed, title=page.title or feed.title, language=language, articles=feed.articles + len(added))
        looked = await self._went_well(titled, fetched, at, trouble)
        return Look(looked, added, len(troubles), len(new) - len(added) - len(troubles))

    async def _article(self, feed: Feed, entry: Entry, at: datetime) -> Article | str:
        """Make an article of an entry, by its page or by what the feed itself says; else name the trouble, "" for a repeat."""
        own = links.entry_key(feed.id, entry.guid)
        try:
            if await self.articles.known(feed.guild_id, _keys(feed, entry)):
                raise ArticleThere(entry.prose.title)  # noqa: TRY301 - as when its text is known
            text, url = await self._text(entry)
            language = feed.language or text.language or prose.language_of(text.paragraphs)
            origin = Origin(feed.guild_id, url, feed.title, feed.id, lasting=(own,))
            return await self.clozing.keep(text, language or self.clozing.guess(text), origin, at)
        except ArticleThere:
            await self.articles.note(feed.guild_id, [own], at)
            return ""
        except (Unfetchable, UnreadableNews) as error:
            if not (isinstance(error, Unfetchable) and _may_pass(error)):
                await self.articles.note(feed.guild_id, [own], at)
            return error.why.value

    async def _text(self, entry: Entry) -> tuple[Prose, str]:
        """Return an entry's text and its address: of its page, else its own where that is long enough."""
        try:
            return await self._page(entry)
        except (Unfetchable, UnreadableNews) as error:
            if sum(map(len, entry.prose.paragraphs)) < ENOUGH:
                raise
            return entry.prose, "" if error.why in _NO_LINK else entry.url

    async def _page(self, entry: Entry) -> tuple[Prose, str]:
        if not entry.url:
            raise UnreadableNews(ReadTrouble.NO_ARTICLE)
        fetched = await self.fetcher.fetch(entry.url)
        page = await self.reader.page(fetched.data, fetched.content_type, fetched.url)
        own = entry.prose
        return replace(page, title=own.title or page.title, published=own.published or page.published), fetched.url

    async def _went_well(self, feed: Feed, fetched: Fetched, at: datetime, trouble: str = "") -> Feed:
        asked = max(LEAST_PAUSE, min(LONGEST_PAUSE, fetched.fresh_after or USUAL_PAUSE))
        looked = replace(
            feed,
            url=fetched.moved or feed.url,
            state=FeedState.ACTIVE,
            etag=_sized(fetched.etag) or (feed.etag if fetched.status == UNCHANGED else ""),
            last_modified=_sized(fetched.last_modified) or (feed.last_modified if fetched.status == UNCHANGED else ""),
            trouble=trouble,
            failures=0,
            checked_at=at,
            next_check=at + asked,
        )
        await self.feeds.looked(looked, at)
        return looked

    async def _went_wrong(self, feed: Feed, error: Unfetchable | UnreadableNews, at: datetime) -> Feed:
        """Keep the trouble, wait longer each time, and pause the feed after FAILURES of them, or when it is gone."""
        failures = feed.failures + 1
        pause = min(LONGEST_PAUSE, LEAST_PAUSE * 2 ** min(failures, 10))
        again = max(at + pause, min((getattr(error, "again", None) or at), at + LONGEST_PAUSE))
        over = failures >= FAILURES or error.why is FetchTrouble.GONE
        looked = replace(
            feed,
            state=FeedState.PAUSED if over else feed.state,
            trouble=error.why.value,
            failures=failures,
            checked_at=at,
            next_check=again,
        )
        await self.feeds.looked(looked, at)
        _log.info("feed %d could not be read (%s), %d in a row%s", feed.id, error.why, failures, ", paused" * over)
        return looked


def _keys(feed: Feed, entry: Entry) -> tuple[str, ...]:
    own = links.entry_key(feed.id, entry.guid)
    return (own, links.address_key(entry.url)) if entry.url else (own,)


def _sized(validator: str) -> str:
    """A validator, "" for one that is longer than any server needs."""
    return validator if len(validator) <= VALIDATOR else ""


def _may_pass(error: Unfetchable) -> bool:
    """Tell whether a page that could not be fetched may be there another time."""
    return error.why in _PASSING or (error.why is FetchTrouble.STATUS and (error.status >= 500 or error.status == 429))  # noqa: PLR2004 - HTTP's own numbers
