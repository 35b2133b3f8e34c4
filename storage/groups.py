"""What a group's review is counted from: rows of those who want to be counted, in drills of one server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from lessons.model import (
    AskedItem,
    CountedAnswers,
    CountedMiss,
    ErrorType,
    GuildId,
    ItemId,
    ItemKind,
    LatestRun,
    ReviewedTime,
    RunId,
    RunState,
    ScheduleId,
    Track,
    UserId,
)
from storage import codec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection
    from datetime import datetime

    from storage.connection import Database
    from storage.session import Value

_COUNTED: Final = """
    SELECT visit.user_id, visit.seen_at
    FROM visit JOIN learner ON learner.user_id = visit.user_id
    WHERE visit.guild_id = ? AND learner.counted = 1
    ORDER BY visit.user_id
"""

# CROSS: from the people to their own rows, by the index on user and time; `counted` is asked once more, for those who
# changed their mind since they were listed
_ANSWERS: Final = """
    SELECT
        attempt.user_id, attempt.track, count(*) AS answered,
        sum(attempt.first) AS firsts,
        sum(attempt.first AND attempt.verdict IN ('exact', 'equivalent')) AS firsts_right
    FROM (
        SELECT
            attempt.user_id, attempt.track, attempt.verdict,
            NOT EXISTS (
                SELECT 1 FROM attempt AS before
                WHERE before.user_id = attempt.user_id AND before.item_id = attempt.item_id
                    AND before.rating IS NOT NULL AND (before.at, before.id) < (attempt.at, attempt.id)
            ) AS first
        FROM json_each(:users) AS wanted
        CROSS JOIN learner ON learner.user_id = wanted.value AND learner.counted = 1
        CROSS JOIN json_each('["lesson", "exercise"]') AS track
        CROSS JOIN attempt ON attempt.user_id = learner.user_id AND attempt.track = track.value
            AND attempt.at >= :since AND attempt.at < :until
        CROSS JOIN exercise ON exercise.id = attempt.exercise_id
        CROSS JOIN drill ON drill.id = exercise.drill_id AND drill.guild_id = :guild
        WHERE attempt.verdict IN ('exact', 'equivalent', 'wrong')
    ) AS attempt
    GROUP BY attempt.user_id, attempt.track
    ORDER BY attempt.user_id, attempt.track
"""

_MISSES: Final = """
    SELECT mistake.user_id, mistake.track, mistake.error_type, mistake.reference, mistake.typed, mistake.item_id
    FROM json_each(:users) AS wanted
    CROSS JOIN learner ON learner.user_id = wanted.value AND learner.counted = 1
    CROSS JOIN mistake ON mistake.user_id = learner.user_id AND mistake.at >= :since AND mistake.at < :until
    CROSS JOIN attempt ON attempt.id = mistake.attempt_id
    CROSS JOIN exercise ON exercise.id = attempt.exercise_id
    CROSS JOIN drill ON drill.id = exercise.drill_id AND drill.guild_id = :guild
    ORDER BY mistake.id
"""

_ASKED: Final = """
    SELECT
        visible_item.id, visible_item.kind, visible_item.skill, visible_item.part_of_speech,
        (
            SELECT text FROM accepted_answer
            WHERE accepted_answer.item_id = visible_item.id AND origin = 'pack' ORDER BY position LIMIT 1
        ) AS reference
    FROM visible_item JOIN pack ON pack.id = visible_item.pack_id
    WHERE pack.kind = 'lesson' AND (pack.guild_id = :guild OR pack.guild_id IS NULL)
        AND (visible_item.skill IS NULL OR visible_item.skill = :kind)
    ORDER BY visible_item.id
"""

_REVIEWED: Final = """
    INSERT INTO group_review (guild_id, run_id, since_at, until_at) VALUES (:guild, :run, :since, :until)
    ON CONFLICT DO UPDATE SET
        run_id = excluded.run_id, since_at = excluded.since_at, until_at = excluded.until_at
"""

_LATEST: Final = """
    SELECT run.schedule_id, run.state, run.settled_at, run.why
    FROM schedule JOIN run ON run.id = (
        SELECT max(last.id) FROM run AS last WHERE last.schedule_id = schedule.id AND last.state <> 'claimed'
    )
    WHERE schedule.guild_id = ?
    ORDER BY schedule.id
"""


class GroupStore:
    """The Groups port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def counted(self, guild: GuildId) -> list[tuple[UserId, datetime]]:
        """Return who wants to be counted and used the bot in this server, with the moment membership was last seen."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_COUNTED, (guild,))
        return [(UserId(row["user_id"]), codec.from_ms(row["seen_at"])) for row in rows]

    async def answers(
        self, guild: GuildId, users: Collection[UserId], since: datetime, until: datetime
    ) -> list[CountedAnswers]:
        """Count answers (skips are none) of these people in drills of this server, from `since` to before `until`."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_ANSWERS, _asked(guild, users, since, until))
        return [
            CountedAnswers(
                UserId(row["user_id"]), Track(row["track"]), row["answered"], row["firsts"], row["firsts_right"]
            )
            for row in rows
        ]

    async def misses(
        self, guild: GuildId, users: Collection[UserId], since: datetime, until: datetime
    ) -> list[CountedMiss]:
        """Return mistakes that these people made in drills of this server, from `since` to before `until`."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_MISSES, _asked(guild, users, since, until))
        return await asyncio.to_thread(lambda: [_miss(row) for row in rows])  # of a large server there are many

    async def asked_items(self, guild: GuildId, kind: ErrorType) -> list[AskedItem]:
        """Return items of this server's lesson packs and the starter packs that may be of this kind, by id."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_ASKED, {"guild": guild, "kind": kind})
        return [
            AskedItem(
                ItemId(row["id"]),
                ItemKind(row["kind"]),
                ErrorType(row["skill"]) if row["skill"] else None,
                row["part_of_speech"],
                row["reference"] or "",
            )
            for row in rows
        ]

    async def reviewed(self, guild: GuildId) -> ReviewedTime | None:
        """Return the time that the latest review of this server counted."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one("SELECT * FROM group_review WHERE guild_id = ?", (guild,))
        if row is None:
            return None
        return ReviewedTime(
            GuildId(row["guild_id"]),
            RunId(row["run_id"]),
            codec.from_ms(row["since_at"]),
            codec.from_ms(row["until_at"]),
        )

    async def note_reviewed(self, time: ReviewedTime) -> None:
        """Keep the time that a review counts, in the place of the one before."""
        values: dict[str, Value] = {
            "guild": time.guild,
            "run": time.run,
            "since": codec.to_ms(time.since),
            "until": codec.to_ms(time.until),
        }
        await self._db.write(lambda transaction: transaction.run(_REVIEWED, values))

    async def latest_runs(self, guild: GuildId) -> list[LatestRun]:
        """Return what became of the latest settled run of each schedule of this server."""
        async with self._db.reading() as snapshot:
            rows = await snapshot.all(_LATEST, (guild,))
        return [
            LatestRun(
                ScheduleId(row["schedule_id"]), RunState(row["state"]), codec.from_ms(row["settled_at"]), row["why"]
            )
            for row in rows
        ]


def _asked(guild: GuildId, users: Collection[UserId], since: datetime, until: datetime) -> dict[str, Value]:
    return {
        "guild": guild,
        "users": codec.ids(users),
        "since": codec.to_ms(since),
        "until": codec.to_ms(until),
    }


def _miss(row: sqlite3.Row) -> CountedMiss:
    return CountedMiss(
        user=UserId(row["user_id"]),
        track=Track(row["track"]),
        error_type=ErrorType(row["error_type"]),
        reference=row["reference"],
        typed=row["typed"],
        item=ItemId(row["item_id"]) if row["item_id"] is not None else None,
    )
