"""Schedules and their runs, out of rows and into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.model import (
    Asked,
    ChannelId,
    GuildId,
    PackId,
    Pause,
    Rule,
    Run,
    RunId,
    Schedule,
    ScheduleId,
    ScheduleKind,
    ScheduleState,
    Slot,
    UserId,
)
from storage.codec.plain import dumps, from_ms, moment, of_date, to_date, to_ms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from lessons.model import NewSchedule, Plan
    from storage.session import Value


def schedule(row: sqlite3.Row) -> Schedule:
    """From a row of `schedule`."""
    return Schedule(
        id=ScheduleId(row["id"]),
        kind=ScheduleKind(row["kind"]),
        rule=Rule(row["time_zone"], row["minute"], _weekdays(row["weekdays"])),
        state=ScheduleState(row["state"]),
        made_by=UserId(row["made_by"]),
        made_at=from_ms(row["made_at"]),
        user=UserId(row["user_id"]) if row["user_id"] is not None else None,
        guild=GuildId(row["guild_id"]) if row["guild_id"] is not None else None,
        channel=ChannelId(row["channel_id"]) if row["channel_id"] is not None else None,
        asked=Asked(
            PackId(row["pack_id"]) if row["pack_id"] is not None else None,
            row["lessons"],
            bool(row["news"]),
            row["count"],
        ),
        upcoming=_slot(row["next_due"], row["next_day"]),
        last_day=to_date(row["last_day"]) if row["last_day"] is not None else None,
        why=Pause(row["paused_why"]) if row["paused_why"] else None,
        paused_at=moment(row["paused_at"]),
    )


def run(row: sqlite3.Row) -> Run:
    """From a row of `schedule` with run_id, due_at, day, late and tried_at of a run of it."""
    return Run(
        id=RunId(row["run_id"]),
        schedule=schedule(row),
        slot=Slot(from_ms(row["due_at"]), to_date(row["day"])),
        late=row["late"],
        tried_at=moment(row["tried_at"]),
    )


def schedule_to_columns(new: NewSchedule) -> dict[str, Value]:
    """Columns of `schedule` but for its state and times."""
    return {
        "kind": new.kind,
        "user": new.user,
        "guild": new.guild,
        "channel": new.channel,
        "made_by": new.made_by,
        "pack": new.asked.pack,
        "lessons": new.asked.lessons,
        "news": new.asked.news,
        "count": new.asked.count,
        **rule_to_columns(new.rule),
    }


def rule_to_columns(rule: Rule) -> dict[str, Value]:
    """Columns of a rule; weekdays are bits, 1 for Monday."""
    return {
        "time_zone": rule.time_zone,
        "minute": rule.minute,
        "weekdays": sum(1 << day for day in set(rule.weekdays)),
    }


def slot_to_columns(slot: Slot) -> dict[str, Value]:
    """Columns of the next time."""
    return {"next_due": to_ms(slot.due), "next_day": of_date(slot.day)}


def schedule_id(row: sqlite3.Row) -> ScheduleId:
    """From the column id."""
    return ScheduleId(row["id"])


def plans(made: Sequence[tuple[ScheduleId, Plan]]) -> str:
    """Write a JSON array of [schedule, due, day, late, next due, next day], moments and days as in columns."""
    return dumps(
        [
            [schedule, *slot_to_columns(plan.slot).values(), plan.late, *slot_to_columns(plan.next).values()]
            for schedule, plan in made
        ]
    )


def _weekdays(bits: int) -> tuple[int, ...]:
    return tuple(day for day in range(7) if bits >> day & 1)


def _slot(due: int | None, day: int | None) -> Slot | None:
    return Slot(from_ms(due), to_date(day)) if due is not None and day is not None else None
