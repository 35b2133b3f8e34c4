"""How values stand in rows and how rows become values again: what is read equals what was stored."""

from __future__ import annotations

from storage.codec.grades import (
    analysis_from_json,
    analysis_to_json,
    grade_from_json,
    grade_to_json,
    judgement,
    judgement_to_columns,
)
from storage.codec.news import article, candidate, feed, usage_row
from storage.codec.packs import accepted, accepted_to_columns, item, items, pack, upload
from storage.codec.people import appeal, day_answer, drill, exercise, learner, mistake, spacing, trace, waiting
from storage.codec.plain import first_moment, from_ms, guild, ids, ms, of_date, storable, to_date, to_day, to_ms
from storage.codec.schedules import (
    plans,
    rule_to_columns,
    run,
    schedule,
    schedule_id,
    schedule_to_columns,
    slot_to_columns,
)
from storage.codec.tutoring import chunk, document, profile_line, recall, scores_to_json, study, turn

__all__ = [
    "accepted",
    "accepted_to_columns",
    "analysis_from_json",
    "analysis_to_json",
    "appeal",
    "article",
    "candidate",
    "chunk",
    "day_answer",
    "document",
    "drill",
    "exercise",
    "feed",
    "first_moment",
    "from_ms",
    "grade_from_json",
    "grade_to_json",
    "guild",
    "ids",
    "item",
    "items",
    "judgement",
    "judgement_to_columns",
    "learner",
    "mistake",
    "ms",
    "of_date",
    "pack",
    "plans",
    "profile_line",
    "recall",
    "rule_to_columns",
    "run",
    "schedule",
    "schedule_id",
    "schedule_to_columns",
    "scores_to_json",
    "slot_to_columns",
    "spacing",
    "storable",
    "study",
    "to_date",
    "to_day",
    "to_ms",
    "trace",
    "turn",
    "upload",
    "usage_row",
    "waiting",
]
