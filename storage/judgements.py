"""What was judged before, and answers that wait for a judge until somebody decides and their learner is told."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from storage import codec, exercises, learners, recording

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.model import (
        Attempt,
        AttemptId,
        ItemId,
        Judgement,
        MistakeCard,
        MistakeId,
        Spacing,
        UserId,
        Waiting,
    )
    from storage.connection import Database
    from storage.session import Reading, Value, Writing

_FIND: Final = "SELECT * FROM judgement WHERE item_id = ? AND folded = ? AND language = ?"

_KEEP: Final = """
    INSERT INTO judgement (item_id, folded, language, user_id, opinion, error_type, part_of_speech, diagnosis, feedback,
                           confidence, attempt, at)
    VALUES (:item, :folded, :language, :by, :opinion, :error_type, :part_of_speech, :diagnosis, :feedback,
            :confidence, :attempt, :at)
    ON CONFLICT DO NOTHING
"""

_WAITING: Final = """
    SELECT waiting.*, attempt.exercise_id, attempt.typed, attempt.verdict, attempt.grade, drill.guild_id
    FROM waiting_judgement AS waiting
    JOIN attempt ON attempt.id = waiting.attempt_id
    JOIN exercise ON exercise.id = attempt.exercise_id
    JOIN drill ON drill.id = exercise.drill_id
    WHERE waiting.decided_at IS NULL AND waiting.next_at <= ?
    ORDER BY waiting.next_at, waiting.attempt_id LIMIT ?
"""

_DECIDED: Final = """
    SELECT waiting.*, attempt.exercise_id, attempt.typed, attempt.verdict, attempt.grade, drill.guild_id
    FROM waiting_judgement AS waiting
    JOIN attempt ON attempt.id = waiting.attempt_id
    JOIN exercise ON exercise.id = attempt.exercise_id
    JOIN drill ON drill.id = exercise.drill_id
    WHERE waiting.user_id = ? AND waiting.decided_at IS NOT NULL
    ORDER BY waiting.at, waiting.attempt_id
"""

_ONE: Final = """
    SELECT waiting.*, attempt.exercise_id, attempt.typed, attempt.verdict, attempt.grade, drill.guild_id
    FROM waiting_judgement AS waiting
    JOIN attempt ON attempt.id = waiting.attempt_id
    JOIN exercise ON exercise.id = attempt.exercise_id
    JOIN drill ON drill.id = exercise.drill_id
    WHERE waiting.attempt_id = ? AND waiting.user_id = ?
"""

_EXERCISES: Final = """
    SELECT * FROM exercise_state WHERE exercise_id IN (SELECT value FROM json_each(?))
"""

_TOLD: Final = "DELETE FROM waiting_judgement WHERE user_id = ? AND decided_at IS NOT NULL"

_TOLD_OF: Final = "DELETE FROM waiting_judgement WHERE attempt_id = ? AND user_id = ? AND decided_at IS NOT NULL"

_TRIED: Final = """
    UPDATE waiting_judgement SET tries = tries + 1, next_at = ? WHERE attempt_id = ? AND decided_at IS NULL
"""


class JudgementStore:
    """The Judgements port."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def find(self, item: ItemId, folded: str, language: str) -> Judgement | None:
        """Return the judgement of this answer (folded) to this item, with feedback in this language."""
        async with self._db.reading() as snapshot:
            row = await snapshot.one(_FIND, (item, codec.storable(folded), language))
        return codec.judgement(row) if row else None

    async def keep(
        self, item: ItemId, folded: str, language: str, judgement: Judgement, *, by: UserId, at: datetime
    ) -> None:
        """Keep a judgement, the first one there is; it goes when the learner whose answer it was is forgotten."""
        values: dict[str, Value] = {
            **codec.judgement_to_columns(judgement),
            "item": item,
            "folded": codec.storable(folded),
            "language": language,
            "by": by,
            "at": codec.to_ms(at),
        }

        async def work(transaction: Writing) -> None:
            await learners.ensure(transaction, by, at)
            await transaction.run(_KEEP, values)

        await self._db.write(work)

    async def waiting(self, limit: int, at: datetime) -> list[Waiting]:
        """Answers whose judge is to be asked again by now, the longest overdue first."""
        async with self._db.reading() as snapshot:
            return await _with_exercises(snapshot, await snapshot.all(_WAITING, (codec.to_ms(at), max(0, limit))))

    async def tried(self, attempt: AttemptId, again: datetime) -> None:
        """Count one more try; the next is due then."""
        await self._db.write(lambda transaction: transaction.run(_TRIED, (codec.to_ms(again), attempt)))

    async def decide(
        self, attempt: AttemptId, settled: Attempt, spacing: Spacing | None, card: MistakeCard | None
    ) -> MistakeId | None:
        """Turn a pending attempt into what `settled` says, in one transaction; None when it left no card.

        Its interaction and time stay as they were. Harmless for an attempt that is pending no longer: then nothing is
        written.
        """
        work = partial(recording.decide, attempt=attempt, settled=settled, spacing=spacing, card=card)
        return await self._db.write(work)

    async def reconsider(self, attempt: AttemptId, user: UserId, language: str, at: datetime) -> Waiting | None:
        """Make a wrong attempt that rules decided (GradeSource.RULES) pending again; its card goes.

        It waits from `at` on. None when it is not such an attempt of this learner, or it was appealed against: then
        nothing is written.
        """

        async def work(transaction: Writing) -> Waiting | None:
            if not await recording.reconsider(transaction, attempt, user, language, at):
                return None
            rows = await transaction.all(_ONE, (attempt, user))
            return (await _with_exercises(transaction, rows))[0]

        return await self._db.write(work)

    async def told(self, attempt: AttemptId, user: UserId) -> None:
        """Note that the learner was told of a decided answer, so that `news_of` does not."""
        await self._db.write(lambda transaction: transaction.run(_TOLD_OF, (attempt, user)))

    async def news_of(self, user: UserId) -> list[Waiting]:
        """Answers of this learner that were decided since they were told so, oldest first; told by this call."""
        async with self._db.reading() as snapshot:
            if not await snapshot.all(_DECIDED, (user,)):
                return []
        return await self._db.write(partial(_tell, user=user))


async def _tell(transaction: Writing, user: UserId) -> list[Waiting]:
    news = await _with_exercises(transaction, await transaction.all(_DECIDED, (user,)))
    await transaction.run(_TOLD, (user,))
    return news


async def _with_exercises(snapshot: Reading, rows: Sequence[sqlite3.Row]) -> list[Waiting]:
    """Answers of rows of `waiting_judgement` with their attempt and the server of their drill, in their order."""
    states = await snapshot.all(_EXERCISES, (codec.ids(row["exercise_id"] for row in rows),))
    found = {exercise.id: exercise for exercise in await exercises.of_rows(snapshot, states)}
    return [codec.waiting(row, found[row["exercise_id"]]) for row in rows]
