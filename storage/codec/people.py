"""Learners, their drills and their mistakes, out of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.model import (
    Appeal,
    AppealId,
    AppealState,
    AttemptId,
    DayAnswer,
    Drill,
    DrillId,
    DrillState,
    ErrorType,
    Exercise,
    ExerciseId,
    ItemId,
    Learner,
    Learning,
    Mistake,
    MistakeCard,
    MistakeId,
    Preferences,
    SharedId,
    SharedKind,
    Spacing,
    Trace,
    Track,
    UserId,
    Verdict,
    Waiting,
)
from storage.codec.grades import grade_from_json
from storage.codec.plain import error_type, from_ms, guild, moment

if TYPE_CHECKING:
    import sqlite3

    from lessons.model import Item


def learner(row: sqlite3.Row) -> Learner:
    """From a row of `learner`."""
    preferences = Preferences(
        time_zone=row["time_zone"],
        language=row["language"],
        new_per_day=row["new_per_day"],
        reviews_per_day=row["reviews_per_day"],
        drill_length=row["drill_length"],
        furigana=bool(row["furigana"]),
        joined_tracks=bool(row["joined_tracks"]),
        named=bool(row["named"]),
        counted=bool(row["counted"]),
        streaks=bool(row["streaks"]),
    )
    return Learner(UserId(row["user_id"]), preferences, zone_chosen=bool(row["zone_chosen"]))


def drill(row: sqlite3.Row) -> Drill:
    """From a row of `drill_tally`."""
    return Drill(
        id=DrillId(row["id"]),
        user_id=UserId(row["user_id"]),
        guild_id=guild(row),
        track=Track(row["track"]),
        title=row["title"],
        state=DrillState(row["state"]),
        started_at=from_ms(row["started_at"]),
        total=row["total"],
        answered=row["answered"],
        right=row["answered_right"],
        skipped=row["skipped"],
        ended_at=moment(row["ended_at"]),
        waiting=row["waiting"],
        shared=SharedId(row["shared_id"]) if row["shared_id"] is not None else None,
        race=row["shared_kind"] == SharedKind.RACE,
    )


def exercise(row: sqlite3.Row, of: Item) -> Exercise:
    """From a row of `exercise_state` and its item."""
    verdict = Verdict(row["verdict"]) if row["verdict"] is not None else None
    return Exercise(
        id=ExerciseId(row["exercise_id"]),
        drill_id=DrillId(row["drill_id"]),
        position=row["place"],
        item=of,
        hinted=bool(row["hinted"]),
        retried=row["retried_by"] is not None,
        verdict=verdict,
        typed=row["typed"],
        grade=grade_from_json(verdict, row["grade"]) if verdict is not None else None,
        attempt_id=AttemptId(row["attempt_id"]) if row["attempt_id"] is not None else None,
        appealed=bool(row["appealed"]),
        time_up=bool(row["time_up"]),
    )


def spacing(row: sqlite3.Row) -> Spacing:
    """From a row of `spacing`."""
    return Spacing(
        learning=Learning(row["learning"]),
        step=row["step"],
        stability=row["stability"],
        difficulty=row["difficulty"],
        due=from_ms(row["due"]),
        last_review=moment(row["last_review"]),
    )


def mistake(row: sqlite3.Row) -> Mistake:
    """From a row of `mistake`."""
    return Mistake(
        id=MistakeId(row["id"]),
        user_id=UserId(row["user_id"]),
        item_id=ItemId(row["item_id"]) if row["item_id"] is not None else None,
        card=_card(row),
        at=from_ms(row["at"]),
        pack_name=row["pack_name"],
        relabelled=row["relabelled_at"] is not None,
    )


def trace(row: sqlite3.Row) -> Trace:
    """From a row of `mistake`."""
    item = ItemId(row["item_id"]) if row["item_id"] is not None else None
    return Trace(MistakeId(row["id"]), item, _card(row), from_ms(row["at"]))


def day_answer(row: sqlite3.Row) -> DayAnswer:
    """From a row of at, track, verdict, error_type and first_attempt."""
    return DayAnswer(
        at=from_ms(row["at"]),
        track=Track(row["track"]),
        verdict=Verdict(row["verdict"]),
        error_type=error_type(row["error_type"]),
        first_attempt=bool(row["first_attempt"]),
    )


def appeal(row: sqlite3.Row) -> Appeal:
    """From a row of `appeal_card`."""
    return Appeal(
        id=AppealId(row["id"]),
        attempt_id=AttemptId(row["attempt_id"]),
        item_id=ItemId(row["item_id"]),
        guild_id=guild(row),
        state=AppealState(row["state"]),
        prompt=row["prompt"],
        typed=row["typed"],
        reference=row["reference"],
        pack_name=row["pack_name"],
        at=from_ms(row["at"]),
        times=row["times"],
    )


def waiting(row: sqlite3.Row, of: Exercise) -> Waiting:
    """From a row of `waiting_judgement` with typed, verdict and grade of its attempt and the guild_id of its drill, and its exercise."""
    return Waiting(
        attempt=AttemptId(row["attempt_id"]),
        user=UserId(row["user_id"]),
        guild=guild(row),
        exercise=of,
        typed=row["typed"],
        grade=grade_from_json(Verdict(row["verdict"]), row["grade"]),
        language=row["language"],
        tries=row["tries"],
        at=from_ms(row["at"]),
    )


def _card(row: sqlite3.Row) -> MistakeCard:
    return MistakeCard(
        track=Track(row["track"]),
        prompt=row["prompt"],
        reference=row["reference"],
        typed=row["typed"],
        error_type=ErrorType(row["error_type"]),
        part_of_speech=row["part_of_speech"],
        feedback=row["feedback"],
        level=row["level"],
    )
