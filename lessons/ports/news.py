"""The stores of feeds and articles, and what reads the web."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import (
        Article,
        Candidate,
        Feed,
        FeedId,
        FeedPage,
        Fetched,
        GuildId,
        NewArticle,
        PackId,
        Prose,
        UserId,
    )


class Fetcher(Protocol):
    """Fetches public addresses, and no others."""

    async def fetch(self, url: str, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Return what an address gives, 304 when it is what the validators name. Raises Unfetchable."""
        ...


class Reader(Protocol):
    """Reads feeds and pages in a process of its own that can be killed. Encodings are guessed as browsers do."""

    async def feed(self, data: bytes, content_type: str, url: str) -> FeedPage:
        """Read RSS or Atom; relative links are taken from `url`. Raises UnreadableNews."""
        ...

    async def page(self, data: bytes, content_type: str, url: str) -> Prose:
        """Read the article out of an HTML page; furigana become readings. Raises UnreadableNews."""
        ...


class Stoplists(Protocol):
    """Small words of languages written with spaces."""

    def function_words(self, language: str) -> frozenset[str]:
        """Return lower-case function words of a language by its primary tag; empty for one that is not known."""
        ...

    def guess(self, text: str) -> str:
        """Return the primary tag of the language whose function words a text is full of, "" when none stands out."""
        ...


class Feeds(Protocol):
    """Feeds of servers. Every call of a moderator names the server."""

    async def add(self, feed: Feed, by: UserId, at: datetime) -> Feed | None:
        """Keep a feed (its id is ignored); None when the server has that address already."""
        ...

    async def of_guild(self, guild: GuildId) -> list[Feed]:
        """Feeds of a server, by title."""
        ...

    async def feed(self, feed: FeedId, guild: GuildId) -> Feed | None:
        """One feed of this server."""
        ...

    async def due(self, at: datetime, limit: int) -> list[Feed]:
        """Active feeds of all servers to look at by now, the longest overdue first."""
        ...

    async def looked(self, feed: Feed, at: datetime) -> None:
        """Keep what a look changed: address, title, validators, state, trouble, failures and the next look."""
        ...

    async def remove(self, feed: FeedId, guild: GuildId, at: datetime, *, articles: bool) -> bool:
        """Forget a feed, and hide its articles if `articles`; else they stay. False when it was gone already."""
        ...


class Articles(Protocol):
    """Articles as what is left of them: title, link, and the sentences that are asked about."""

    async def known(self, guild: GuildId, keys: Collection[str]) -> frozenset[str]:
        """Which of these keys (guids, addresses, texts, sentences) this server has met before."""
        ...

    async def holding(self, guild: GuildId, keys: Collection[str]) -> str:
        """Return the title of an article of this server that one of these keys goes with, "" when there is none."""
        ...

    async def note(self, guild: GuildId, keys: Collection[str], at: datetime) -> None:
        """Remember keys, so that what they name is not looked at again."""
        ...

    async def save(self, article: NewArticle, at: datetime) -> Article | None:
        """Keep an article with its items, and its keys, in one transaction.

        None when one of its keys is known, or its feed is gone by now.
        """
        ...

    async def of_guilds(self, guilds: Collection[GuildId], limit: int) -> list[Article]:
        """Articles of these servers that have something to ask, newest first."""
        ...

    async def article(self, article: PackId, guilds: Collection[GuildId]) -> Article | None:
        """One article of these servers that is not removed."""
        ...

    async def remove(self, article: PackId, guild: GuildId, at: datetime) -> bool:
        """Hide an article, drop the text of what nobody was asked, and free its keys; False when it is not there."""
        ...

    async def candidates(self, user: UserId, articles: Sequence[PackId]) -> list[Candidate]:
        """Blanks of these articles in sentences that this learner never answered, in the order of `articles`."""
        ...

    async def due(self, user: UserId, articles: Collection[PackId], at: datetime, limit: int) -> list[Candidate]:
        """Blanks of these articles that this learner answered and that are due by now, the longest overdue first."""
        ...
