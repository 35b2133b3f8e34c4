"""An answer is settled whole or not at all: attempt, spacing, mistake card and the end of the drill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.model import AttemptId, Grade, MistakeId, Verdict
from storage import codec

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from lessons.model import Attempt, MistakeCard, Spacing
    from storage.session import Writing

_OPEN: Final = """
    SELECT exercise.item_id, exercise.drill_id, drill.track, pack.name AS pack_name
    FROM exercise
    JOIN drill ON drill.id = exercise.drill_id
    JOIN item ON item.id = exercise.item_id
    JOIN pack ON pack.id = item.pack_id
    WHERE exercise.id = :exercise AND drill.user_id = :user AND drill.state = 'open'
        AND NOT EXISTS (SELECT 1 FROM attempt WHERE exercise_id = :exercise)
        AND NOT EXISTS (SELECT 1 FROM attempt WHERE interaction_id = :interaction)
"""

_ATTEMPT: Final = """
    INSERT INTO attempt (exercise_id, user_id, item_id, interaction_id, track, typed, verdict, grade, hinted, rating, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""

_SPACING: Final = """
    INSERT INTO spacing (user_id, item_id, learning, step, stability, difficulty, due, last_review)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
        learning = excluded.learning, step = excluded.step, stability = excluded.stability,
        difficulty = excluded.difficulty, due = excluded.due, last_review = excluded.last_review
"""

_MISTAKE: Final = """
    INSERT INTO mistake (user_id, attempt_id, item_id, track, prompt, reference, typed, error_type, part_of_speech,
                         feedback, level, pack_name, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""

_FINISH: Final = """
    UPDATE drill SET state = 'finished', ended_at = :at
    WHERE id = :drill AND user_id = :user AND NOT EXISTS (
        SELECT 1 FROM exercise
        WHERE exercise.drill_id = :drill
            AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.exercise_id = exercise.id)
    )
"""


async def record(
    transaction: Writing, attempt: Attempt, spacing: Spacing | None, card: MistakeCard | None
) -> tuple[AttemptId, MistakeId | None] | None:
    """Settle an exercise of the attempt's learner; None when it is not open to this answer, and nothing is written."""
    key = {"exercise": attempt.exercise, "user": attempt.user, "interaction": attempt.interaction}
    stands = await transaction.one(_OPEN, key)
    if stands is None:
        return None
    (stored,) = await transaction.all(_ATTEMPT, _attempt_values(attempt, stands))
    if spacing is not None:
        await transaction.run(_SPACING, (attempt.user, stands["item_id"], *_spacing_values(spacing)))
    mistake = None
    if card is not None:
        values = _mistake_values(attempt, AttemptId(stored["id"]), card, stands)
        (kept,) = await transaction.all(_MISTAKE, values)
        mistake = MistakeId(kept["id"])
    end = {"drill": stands["drill_id"], "user": attempt.user, "at": codec.to_ms(attempt.at)}
    await transaction.run(_FINISH, end)
    return AttemptId(stored["id"]), mistake


async def overturn(transaction: Writing, attempt: AttemptId, at: datetime) -> None:
    """Turn a wrong attempt right: what was typed is what it matched, and its card goes. Spacing stays as it was.

    Harmless for an attempt that is not wrong.
    """
    row = await transaction.one("SELECT user_id, typed FROM attempt WHERE id = ? AND verdict = 'wrong'", (attempt,))
    if row is None:
        return
    grade = Grade(Verdict.EQUIVALENT, row["typed"])
    await transaction.run(
        "UPDATE attempt SET verdict = ?, grade = ?, overturned_at = ? WHERE id = ? AND user_id = ?",
        (grade.verdict, codec.grade_to_json(grade), codec.to_ms(at), attempt, row["user_id"]),
    )
    await transaction.run("DELETE FROM mistake WHERE attempt_id = ? AND user_id = ?", (attempt, row["user_id"]))


def _attempt_values(attempt: Attempt, stands: sqlite3.Row) -> tuple[int | str | None, ...]:
    return (
        attempt.exercise,
        attempt.user,
        stands["item_id"],
        attempt.interaction,
        stands["track"],
        codec.storable(attempt.typed),
        attempt.grade.verdict,
        codec.grade_to_json(attempt.grade),
        attempt.hinted,
        attempt.rating,
        codec.to_ms(attempt.at),
    )


def _spacing_values(spacing: Spacing) -> tuple[int | float | str | None, ...]:
    return (
        spacing.learning,
        spacing.step,
        spacing.stability,
        spacing.difficulty,
        codec.to_ms(spacing.due),
        codec.to_ms(spacing.last_review) if spacing.last_review else None,
    )


def _mistake_values(
    attempt: Attempt, stored: AttemptId, card: MistakeCard, stands: sqlite3.Row
) -> tuple[int | str | None, ...]:
    return (
        attempt.user,
        stored,
        stands["item_id"],
        card.track,
        card.prompt,
        card.reference,
        codec.storable(card.typed),
        card.error_type,
        card.part_of_speech,
        card.feedback,
        card.level,
        stands["pack_name"],
        codec.to_ms(attempt.at),
    )
