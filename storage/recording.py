"""An answer is settled whole or not at all: attempt, spacing, mistake card, day of practice and the end of the drill."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from lessons.model import AttemptId, Grade, MistakeId, Verdict
from storage import codec

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from lessons.model import Attempt, MistakeCard, Spacing, UserId
    from storage.session import Value, Writing

# "left" leaves this exercise out, so that it does not matter whether RETURNING sees the new row
_SETTLE: Final = """
    INSERT INTO attempt (exercise_id, user_id, item_id, interaction_id, track, typed, verdict, grade, hinted, rating, at)
    SELECT exercise.id, drill.user_id, exercise.item_id, :interaction, drill.track,
           :typed, :verdict, :grade, :hinted, :rating, :at
    FROM exercise JOIN drill ON drill.id = exercise.drill_id
    WHERE exercise.id = :exercise AND drill.user_id = :user AND drill.state = 'open'
        AND NOT EXISTS (SELECT 1 FROM attempt WHERE exercise_id = :exercise)
        AND NOT EXISTS (SELECT 1 FROM attempt WHERE interaction_id = :interaction)
    RETURNING
        id,
        item_id,
        at,
        (SELECT name FROM pack JOIN item ON item.pack_id = pack.id WHERE item.id = item_id) AS pack_name,
        (
            SELECT count(*) FROM exercise AS other
            WHERE other.drill_id = (SELECT drill_id FROM exercise WHERE id = :exercise) AND other.id <> :exercise
                AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.exercise_id = other.id)
        ) AS left
"""

_SPACING: Final = """
    INSERT INTO spacing (user_id, item_id, learning, step, stability, difficulty, due, last_review)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
        learning = excluded.learning, step = excluded.step, stability = excluded.stability,
        difficulty = excluded.difficulty, due = excluded.due, last_review = excluded.last_review
"""

# the attempt's own, unless it was given to another card before: buttons and vectors on their way carry it
_MISTAKE: Final = """
    INSERT INTO mistake (user_id, attempt_id, id, item_id, track, prompt, reference, typed, error_type, part_of_speech,
                         feedback, level, pack_name, at)
    SELECT
        :user, :attempt,
        iif(:attempt > (SELECT seq FROM sqlite_sequence WHERE name = 'mistake'), :attempt, NULL),
        :item, :track, :prompt, :reference, :typed, :error_type, :part_of_speech, :feedback, :level, :pack_name, :at
    RETURNING id
"""

GRACE: Final = 60_000
"""Milliseconds that whoever stored a pending answer has to decide it, before it is taken up by anybody else."""

_PRACTISED: Final = "INSERT INTO study_day (user_id, day) VALUES (:user, :day) ON CONFLICT DO NOTHING"

_WAIT: Final = """
    INSERT INTO waiting_judgement (attempt_id, user_id, language, at, next_at)
    VALUES (:attempt, :user, :language, :at, :at + :grace)
"""

_DECIDE: Final = """
    UPDATE attempt SET verdict = :verdict, grade = :grade, rating = :rating
    WHERE id = :attempt AND user_id = :user AND verdict = 'pending'
    RETURNING id, item_id, at, (SELECT name FROM pack JOIN item ON item.pack_id = pack.id WHERE item.id = item_id) AS pack_name
"""

_DECIDED: Final = """
    UPDATE waiting_judgement SET decided_at = :at WHERE attempt_id = :attempt AND user_id = :user
"""

# what rules said of it goes: it is a string match that waits for a judge, as if one had been awaited from the first
_RECONSIDER: Final = """
    UPDATE attempt SET verdict = 'pending', rating = NULL, grade = json_remove(grade, '$.source', '$.judgement')
    WHERE id = :attempt AND user_id = :user AND verdict = 'wrong' AND grade ->> '$.source' = 'rules'
        AND NOT EXISTS (SELECT 1 FROM appeal WHERE appeal.attempt_id = attempt.id)
    RETURNING id
"""

_WAIT_AGAIN: Final = """
    INSERT INTO waiting_judgement (attempt_id, user_id, language, at, next_at)
    VALUES (:attempt, :user, :language, :at, :at + :grace)
    ON CONFLICT DO UPDATE SET
        language = excluded.language, at = excluded.at, next_at = excluded.next_at, tries = 0, decided_at = NULL
"""

_FINISH: Final = """
    UPDATE drill SET state = 'finished', ended_at = :at
    WHERE user_id = :user AND id = (SELECT drill_id FROM exercise WHERE id = :exercise)
"""

# what an attempt was before it was overturned stays in its grade: its own grounds, and its card if it had one still
_OVERTURN: Final = """
    UPDATE attempt
    SET verdict = :verdict, overturned_at = :at,
        grade = json_set(:grade, '$.overturned', json_object('grade', json(grade), 'card', json(:card)))
    WHERE id = :attempt AND user_id = :user
"""

_REINSTATE: Final = """
    UPDATE attempt
    SET verdict = 'wrong', overturned_at = NULL, grade = coalesce(grade -> '$.overturned.grade', grade)
    WHERE id = ? AND user_id = ?
"""

_CARD_BACK: Final = """
    INSERT INTO mistake (id, user_id, attempt_id, item_id, track, prompt, reference, typed, error_type, relabelled_at,
                         part_of_speech, feedback, level, pack_name, at)
    SELECT card ->> 'id', user_id, attempt_id, item_id, track, card ->> 'prompt', card ->> 'reference',
        card ->> 'typed', card ->> 'error_type', card ->> 'relabelled_at', card ->> 'part_of_speech',
        card ->> 'feedback', card ->> 'level', card ->> 'pack_name', card ->> 'at'
    FROM (
        SELECT user_id, id AS attempt_id, item_id, track, grade -> '$.overturned.card' AS card
        FROM attempt WHERE id = ? AND user_id = ?
    )
    WHERE json_type(card) = 'object'
"""


async def record(
    transaction: Writing, attempt: Attempt, spacing: Spacing | None, card: MistakeCard | None
) -> tuple[AttemptId, MistakeId | None] | None:
    """Settle an exercise of the attempt's learner; None when it is not open to this answer, and nothing is written."""
    values = _attempt_values(attempt)
    settled = await transaction.one(_SETTLE, values)
    if settled is None:
        return None
    mistake = await _keep(transaction, attempt.user, settled, spacing, card)
    if attempt.grade.verdict is Verdict.PENDING:
        await transaction.run(_WAIT, values | {"attempt": settled["id"], "grace": GRACE})
    if attempt.day is not None:
        await transaction.run(_PRACTISED, {"user": attempt.user, "day": codec.of_date(attempt.day)})
    if not settled["left"]:
        await transaction.run(_FINISH, values)
    return AttemptId(settled["id"]), mistake


async def decide(
    transaction: Writing, attempt: AttemptId, settled: Attempt, spacing: Spacing | None, card: MistakeCard | None
) -> MistakeId | None:
    """Turn a pending attempt of its learner into what `settled` says; None when it left no card, or nothing was written.

    When it was decided is the moment of `settled`; when it was answered, and by which interaction, stays.
    """
    values = _attempt_values(settled) | {"attempt": attempt}
    decided = await transaction.one(_DECIDE, values)
    if decided is None:
        return None
    await transaction.run(_DECIDED, values)
    return await _keep(transaction, settled.user, decided, spacing, card)


async def reconsider(transaction: Writing, attempt: AttemptId, user: UserId, language: str, at: datetime) -> bool:
    """Make a wrong attempt that rules decided pending, without its card; False for any other, and for one appealed against.

    Spacing stays as it was until it is decided.
    """
    values: dict[str, Value] = {"attempt": attempt, "user": user, "language": language, "at": codec.to_ms(at)}
    if await transaction.one(_RECONSIDER, values) is None:
        return False
    await transaction.run("DELETE FROM mistake WHERE attempt_id = ? AND user_id = ?", (attempt, user))
    await transaction.run(_WAIT_AGAIN, values | {"grace": GRACE})
    return True


async def _keep(
    transaction: Writing, user: UserId, settled: sqlite3.Row, spacing: Spacing | None, card: MistakeCard | None
) -> MistakeId | None:
    """Keep what follows from a settled attempt, a row of its id, item_id, at and pack_name."""
    if spacing is not None:
        await transaction.run(_SPACING, (user, settled["item_id"], *_spacing_values(spacing)))
    if card is None:
        return None
    origin: dict[str, Value] = {
        "attempt": settled["id"],
        "item": settled["item_id"],
        "pack_name": settled["pack_name"],
        "at": settled["at"],
    }
    (kept,) = await transaction.all(_MISTAKE, origin | _card_values(user, card))
    return MistakeId(kept["id"])


async def note(transaction: Writing, user: UserId, card: MistakeCard, source: str, at: datetime) -> MistakeId:
    """Keep a card that no exercise left; `source` stands where the name of a pack would."""
    origin: dict[str, Value] = {
        "attempt": None,
        "item": None,
        "pack_name": codec.storable(source),
        "at": codec.to_ms(at),
    }
    (kept,) = await transaction.all(_MISTAKE, origin | _card_values(user, card))
    return MistakeId(kept["id"])


async def overturn(transaction: Writing, attempt: AttemptId, at: datetime) -> None:
    """Turn a wrong attempt right: what was typed is what it matched, and its card goes. Spacing stays as it was.

    Harmless for an attempt that is not wrong. `reinstate` takes it back.
    """
    row = await transaction.one("SELECT user_id, typed FROM attempt WHERE id = ? AND verdict = 'wrong'", (attempt,))
    if row is None:
        return
    grade = Grade(Verdict.EQUIVALENT, row["typed"])
    card = await transaction.one(
        "DELETE FROM mistake WHERE attempt_id = ? AND user_id = ? RETURNING *", (attempt, row["user_id"])
    )
    values: dict[str, Value] = {
        "attempt": attempt,
        "user": row["user_id"],
        "verdict": grade.verdict,
        "grade": codec.grade_to_json(grade),
        "card": json.dumps(dict(card) if card else None, ensure_ascii=False),
        "at": codec.to_ms(at),
    }
    await transaction.run(_OVERTURN, values)


async def reinstate(transaction: Writing, attempt: AttemptId) -> bool:
    """Turn an attempt that was overturned wrong again, with the grounds and the card it had; False for any other."""
    row = await transaction.one(
        "SELECT user_id, typed FROM attempt WHERE id = ? AND overturned_at IS NOT NULL", (attempt,)
    )
    if row is None:
        return False
    await transaction.run(_CARD_BACK, (attempt, row["user_id"]))
    await transaction.run(_REINSTATE, (attempt, row["user_id"]))
    return True


def _attempt_values(attempt: Attempt) -> dict[str, Value]:
    return {
        "exercise": attempt.exercise,
        "user": attempt.user,
        "interaction": attempt.interaction,
        "typed": codec.storable(attempt.typed),
        "verdict": attempt.grade.verdict,
        "grade": codec.grade_to_json(attempt.grade),
        "hinted": attempt.hinted,
        "rating": attempt.rating,
        "language": attempt.language,
        "at": codec.to_ms(attempt.at),
    }


def _spacing_values(spacing: Spacing) -> tuple[Value, ...]:
    return (
        spacing.learning,
        spacing.step,
        spacing.stability,
        spacing.difficulty,
        codec.to_ms(spacing.due),
        codec.to_ms(spacing.last_review) if spacing.last_review else None,
    )


def _card_values(user: UserId, card: MistakeCard) -> dict[str, Value]:
    return {
        "user": user,
        "track": card.track,
        "prompt": codec.storable(card.prompt),
        "reference": codec.storable(card.reference),
        "typed": codec.storable(card.typed),
        "error_type": card.error_type,
        "part_of_speech": codec.storable(card.part_of_speech),
        "feedback": codec.storable(card.feedback),
        "level": codec.storable(card.level),
    }
