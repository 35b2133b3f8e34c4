"""Feeds, articles, candidates and the bill, out of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.model import (
    Article,
    Candidate,
    ErrorType,
    Feed,
    FeedId,
    FeedState,
    GuildId,
    ItemId,
    PackId,
    Purpose,
    Tokens,
    Unit,
    UsageRow,
)
from storage.codec.plain import error_type, from_ms, moment, to_date

if TYPE_CHECKING:
    import sqlite3


def feed(row: sqlite3.Row) -> Feed:
    """From a row of `feed_tally`."""
    return Feed(
        id=FeedId(row["id"]),
        guild_id=GuildId(row["guild_id"]),
        url=row["url"],
        title=row["title"],
        language=row["language"],
        state=FeedState(row["state"]),
        next_check=from_ms(row["next_check"]),
        checked_at=moment(row["checked_at"]),
        etag=row["etag"],
        last_modified=row["last_modified"],
        failures=row["failures"],
        trouble=row["trouble"],
        articles=row["articles"],
    )


def article(row: sqlite3.Row) -> Article:
    """From a row of `visible_article`."""
    return Article(
        id=PackId(row["id"]),
        guild_id=GuildId(row["guild_id"]),
        title=row["title"],
        source=row["source"],
        url=row["url"],
        language=row["language"],
        added_at=from_ms(row["created_at"]),
        published=moment(row["published_at"]),
        feed_id=FeedId(row["feed_id"]) if row["feed_id"] is not None else None,
        sentences=row["sentences"],
        blanks=row["blanks"],
    )


def candidate(row: sqlite3.Row) -> Candidate:
    """From a row of item_id, sentence_id, pack_id, reference, unit, skill, level, certainty, closed and at."""
    return Candidate(
        item=ItemId(row["item_id"]),
        sentence=ItemId(row["sentence_id"]),
        article=PackId(row["pack_id"]),
        reference=row["reference"],
        unit=Unit(row["unit"]),
        error_type=error_type(row["skill"]) or ErrorType.OTHER,
        level=row["level"],
        certainty=row["certainty"],
        closed=bool(row["closed"]),
        at=from_ms(row["at"]),
    )


def usage_row(row: sqlite3.Row) -> UsageRow:
    """From sums over `model_usage` by day, purpose, model and server."""
    return UsageRow(
        day=to_date(row["day"]),
        purpose=Purpose(row["purpose"]),
        model=row["model"],
        guild_id=GuildId(row["guild_id"]),
        calls=row["calls"],
        failed=row["failed"],
        tokens=Tokens(row["input"], row["cache_write_5m"], row["cache_write_1h"], row["cache_read"], row["output"]),
        micro_usd=row["micro_usd"],
        seconds=row["milliseconds"] / 1000,
    )
