"""News and what becomes of it: feeds, articles, sentences, blanks, and where a generated item comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from lessons.model.answers import ErrorType, Word
    from lessons.model.ids import FeedId, GuildId, ItemId, PackId, UserId
    from lessons.model.packs import Prepared


class FetchTrouble(StrEnum):
    """Why an address gave nothing."""

    BAD_ADDRESS = "bad_address"  # no http(s) URL, a user name in it, or a port that is not allowed
    FORBIDDEN_ADDRESS = "forbidden_address"  # it leads into a private network
    UNREACHABLE = "unreachable"  # no such host, refused, or cut off
    TOO_SLOW = "too_slow"
    TOO_LARGE = "too_large"
    REDIRECTS = "redirects"  # more of them than anybody needs, or one that leads nowhere
    GONE = "gone"  # 410
    STATUS = "status"  # any other status that is no success


class ReadTrouble(StrEnum):
    """Why bytes gave no feed, or no article."""

    EMPTY = "empty"
    NOT_A_FEED = "not_a_feed"
    NO_ENTRIES = "no_entries"
    NO_ARTICLE = "no_article"  # a page without running text
    CONSENT = "consent"  # a page that asks for consent, a log-in or a captcha instead of the article
    GARBLED = "garbled"  # no encoding makes sense of it
    NOT_TEXT = "not_text"  # an image, an archive, a PDF
    TOO_MUCH = "too_much"  # reading it took too long or too much memory
    NO_SENTENCE = "no_sentence"  # text, but no sentence that makes an exercise
    NEEDS_JUDGE = "needs_judge"  # nothing that can be asked without a language model


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gave: `status` 200 with `data`, or 304 without. `url` is where it was found after redirects.

    `moved` is the new address when every redirect was permanent, else "". `fresh_after` is what Retry-After or
    Cache-Control asked for.
    """

    status: int
    url: str
    data: bytes = b""
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    moved: str = ""
    fresh_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Prose:
    """Running text without markup. `rubies` are (written, reading in hiragana) pairs that stood in it as furigana.

    `language` is a BCP 47 primary tag such as "ja", "" when nothing says it. `source` is the site's name.
    """

    title: str
    paragraphs: tuple[str, ...]
    rubies: tuple[tuple[str, str], ...] = ()
    language: str = ""
    source: str = ""
    published: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a feed. `guid` is the feed's own id for it, its link where it has none; `url` is http(s) or ""."""

    guid: str
    url: str
    prose: Prose


@dataclass(frozen=True, slots=True)
class FeedPage:
    """A feed as it was read: newest entries first as the feed orders them. `site` is the http(s) link of its site."""

    title: str
    site: str
    language: str
    entries: tuple[Entry, ...]


class FeedState(StrEnum):
    """Whether a feed is looked at. PAUSED keeps everything until a moderator refreshes it."""

    ACTIVE = "active"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed of a server. `trouble` is the FetchTrouble or ReadTrouble of the last look, "" when it went well.

    `failures` counts looks in a row that failed; `articles` those of its articles that are there.
    """

    id: FeedId
    guild_id: GuildId
    url: str
    title: str
    language: str
    state: FeedState
    next_check: datetime
    checked_at: datetime | None = None
    etag: str = ""
    last_modified: str = ""
    failures: int = 0
    trouble: str = ""
    articles: int = 0


class Unit(StrEnum):
    """What a blank takes out of a sentence: a particle, an inflected form with all its endings, or a content word.

    In languages written with spaces PARTICLE stands for function words.
    """

    PARTICLE = "particle"
    FORM = "form"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text with its words; `paragraph` counts from 0, `rubies` are those that stood in it."""

    text: str
    words: tuple[Word, ...]
    paragraph: int
    rubies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Blank:
    """A unit of a sentence that can be asked for, [start, end) in characters.

    `certainty`, 0 to 1, says how surely `answer` is the only filler; `closed` that it is sure enough for a string
    match to have the last word. `also` are further fillers that are right for certain. `cue` is given with the
    question (a dictionary form), "" without one. `level` is a JLPT level such as "N4", "" when unknown.
    """

    start: int
    end: int
    answer: str
    reading: str
    unit: Unit
    part_of_speech: str
    error_type: ErrorType
    certainty: float
    closed: bool
    cue: str = ""
    level: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clipping:
    """Where a generated item comes from. `sentence` is shared by all blanks of one sentence of one article.

    `url` is "" for an article that was pasted; `language` a BCP 47 primary tag.
    """

    sentence: ItemId
    unit: Unit
    level: str
    certainty: float
    closed: bool
    title: str
    source: str
    url: str
    language: str


@dataclass(frozen=True, slots=True)
class Cutting:
    """A blank of one sentence, ready to be stored; `sentence` numbers the article's sentences from 0."""

    sentence: int
    blank: Blank
    prepared: Prepared


@dataclass(frozen=True, slots=True)
class Article:
    """An article of a server: only the sentences that are asked about are kept. `feed_id` is None for one by hand."""

    id: PackId
    guild_id: GuildId
    title: str
    source: str
    url: str
    language: str
    added_at: datetime
    published: datetime | None = None
    feed_id: FeedId | None = None
    sentences: int = 0
    blanks: int = 0


@dataclass(frozen=True, slots=True)
class NewArticle:
    """An article about to be stored. `keys` name what it is known by (address, text): one that is known is old.

    They are free again once the article is removed, while `lasting` ones stay known (an entry of a feed).
    """

    guild_id: GuildId
    title: str
    source: str
    url: str
    language: str
    keys: tuple[str, ...]
    cuttings: tuple[Cutting, ...]
    published: datetime | None = None
    feed_id: FeedId | None = None
    added_by: UserId | None = None
    lasting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A blank that a news drill may ask: enough to choose by. `reference` is the answer, `at` when the article came."""

    item: ItemId
    sentence: ItemId
    article: PackId
    reference: str
    unit: Unit
    error_type: ErrorType
    level: str
    certainty: float
    closed: bool
    at: datetime
