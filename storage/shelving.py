"""Brings a stored pack up to a file's rows: rows keep their ids, and what did not change is not written."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from storage import codec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from lessons.model import PackId, Prepared
    from storage.session import Value, Writing

_ANSWERS: Final = """
    SELECT item_id, text, folded, readings, analysis FROM accepted_answer
    WHERE origin = 'pack' AND item_id IN (SELECT id FROM item WHERE pack_id = ?)
    ORDER BY item_id, position
"""

_WRITE: Final = """
    INSERT INTO item (pack_id, row_key, position, line, lesson, kind, prompt, reading, meaning, hint, explanation,
                      skill, tags, part_of_speech, furigana, dictionary)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (pack_id, row_key) DO UPDATE SET
        position = excluded.position, line = excluded.line, lesson = excluded.lesson, kind = excluded.kind,
        prompt = excluded.prompt, reading = excluded.reading, meaning = excluded.meaning, hint = excluded.hint,
        explanation = excluded.explanation, skill = excluded.skill, tags = excluded.tags,
        part_of_speech = excluded.part_of_speech, furigana = excluded.furigana, dictionary = excluded.dictionary,
        removed_at = NULL
"""

_DROP_ANSWERS: Final = """
    DELETE FROM accepted_answer
    WHERE origin = 'pack' AND item_id = (SELECT id FROM item WHERE pack_id = ? AND row_key = ?)
"""

_WRITE_ANSWER: Final = """
    INSERT INTO accepted_answer (item_id, position, text, folded, readings, analysis, origin, added_at)
    VALUES ((SELECT id FROM item WHERE pack_id = ? AND row_key = ?), ?, ?, ?, ?, ?, 'pack', ?)
"""

_CONTENT: Final = itemgetter(
    "lesson", "kind", "prompt", "reading", "meaning", "hint", "explanation", "skill", "tags", "part_of_speech",
    "furigana", "dictionary",
)  # fmt: skip
_ANSWER: Final = itemgetter("text", "folded", "readings", "analysis")

Content: TypeAlias = "tuple[Value, ...]"
Answers: TypeAlias = "tuple[tuple[str, str, str, str], ...]"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row of the file as it should stand in the tables."""

    key: str
    place: tuple[int, int]  # position, line
    content: Content
    answers: Answers


@dataclass(slots=True)
class Plan:
    """What has to be written, and the four counts of a PackChange."""

    written: list[Wanted] = field(default_factory=list)
    moved: list[tuple[int, int, int]] = field(default_factory=list)  # position, line, item
    gone: list[int] = field(default_factory=list)
    added: int = 0
    updated: int = 0
    unchanged: int = 0


async def encode(rows: Sequence[Prepared]) -> list[Wanted]:
    """Bring a file's rows into the shape of the tables, in a thread: packs are large.

    Raises ValueError for two rows of one key, or a row whose first accepted answer is not the one it shows.
    """
    if repeated := [key for key, times in Counter(row.row.key for row in rows).items() if times > 1]:
        raise ValueError(f"{len(repeated)} row keys stand for several rows each")
    return await asyncio.to_thread(lambda: [_wanted(position, row) for position, row in enumerate(rows)])


async def shelve(transaction: Writing, pack: PackId, rows: Sequence[Wanted], at: int) -> Plan:
    """Write the difference between the stored rows of `pack` and `rows`; `at` in milliseconds."""
    items = await transaction.all("SELECT * FROM item WHERE pack_id = ?", (pack,))
    answers = await transaction.all(_ANSWERS, (pack,))
    plan = await asyncio.to_thread(_plan, rows, items, answers)
    await _write(transaction, pack, plan, at)
    return plan


async def _write(transaction: Writing, pack: PackId, plan: Plan, at: int) -> None:
    await transaction.many("UPDATE item SET removed_at = ? WHERE id = ?", ((at, item) for item in plan.gone))
    await transaction.many("UPDATE item SET position = ?, line = ? WHERE id = ?", plan.moved)
    await transaction.many(_WRITE, ((pack, row.key, *row.place, *row.content) for row in plan.written))
    await transaction.many(_DROP_ANSWERS, ((pack, row.key) for row in plan.written))
    await transaction.many(
        _WRITE_ANSWER,
        ((pack, row.key, place, *answer, at) for row in plan.written for place, answer in enumerate(row.answers)),
    )


def _plan(rows: Sequence[Wanted], items: Sequence[sqlite3.Row], answers: Sequence[sqlite3.Row]) -> Plan:
    """Compare a file's rows with what is stored, also of rows that were hidden before."""
    stored = {item["row_key"]: item for item in items}
    given = {item: tuple(map(_ANSWER, group)) for item, group in groupby(answers, key=itemgetter("item_id"))}
    plan = Plan()
    for row in rows:
        _compare(plan, row, stored.pop(row.key, None), given)
    plan.gone = [item["id"] for item in stored.values() if item["removed_at"] is None]
    return plan


def _compare(plan: Plan, wanted: Wanted, item: sqlite3.Row | None, given: dict[int, Answers]) -> None:
    if item is None or item["removed_at"] is not None:
        plan.added += 1
        plan.written.append(wanted)
    elif _CONTENT(item) != wanted.content or given.get(item["id"]) != wanted.answers:
        plan.updated += 1
        plan.written.append(wanted)
    else:
        plan.unchanged += 1
        if (item["position"], item["line"]) != wanted.place:
            plan.moved.append((*wanted.place, item["id"]))


def _wanted(position: int, prepared: Prepared) -> Wanted:
    row = prepared.row
    once = {answer.text: codec.accepted_to_columns(answer) for answer in prepared.accepted}
    if not once or prepared.accepted[0].text != row.answers[0]:
        raise ValueError("the first accepted answer of a row is the one it shows")
    content = (
        row.lesson,
        row.kind,
        row.prompt,
        row.reading,
        row.meaning,
        row.hint,
        row.explanation,
        row.skill,
        " ".join(row.tags),
        prepared.part_of_speech,
        prepared.furigana,
        prepared.dictionary,
    )
    return Wanted(row.key, (position, row.line), content, tuple(once.values()))
