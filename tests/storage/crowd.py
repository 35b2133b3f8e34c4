"""Twenty people, each with a mark of their own in every column of every table, whatever tables there come to be.

A table or a check that this cannot fill fails the tests, and so asks what becomes of it when a person leaves.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Any

PEOPLE = 20
MODERATORS = {
    ("pack", "saved_by"),
    ("feed", "added_by"),
    ("appeal", "decided_by"),
    ("schedule", "made_by"),
}
"""Columns that name a moderator in a row that is not theirs."""

SERVERS_OWN = {
    "pack": "a server's",
    "item": "of a pack",
    "accepted_answer": "of a pack; one that moderators accepted is the pack's from then on",
    "feed": "a server's",
    "article": "a server's",
    "clipping": "of an article",
    "known_key": "what a server's articles are known by",
    "shared_drill": "a server's; it only names who started it",
    "shared_item": "of a shared drill",
    "group_review": "a server's: from when to when it counted",
    "calibration": "the operator's",
    "absence": "the bot's own",
}
"""Tables whose text is no person's, each with the reason."""


def user(n: int) -> int:
    """A snowflake, too large for anything else to look like it."""
    return 0x7A00_1B2C_3D00_0000 + 7919 * n


def key(n: int) -> int:
    """Stands in every other integer of this person."""
    return 1000 * (n + 1)


def mark(n: int, where: str = "") -> str:
    return f"なまえ-{n:02}-{user(n)}·{where}·"


CHOSEN: dict[tuple[str, str], Callable[[int], Any]] = {
    ("pack", "guild_id"): key,
    ("pack", "saved_by"): user,
    ("pack", "kind"): lambda _: "lesson",
    ("pack", "strict_kana"): lambda _: 0,
    ("pack", "removed_at"): lambda _: None,
    ("item", "kind"): lambda _: "cloze",
    ("item", "removed_at"): lambda _: None,
    ("accepted_answer", "origin"): lambda _: "appeal",
    ("upload", "strict_kana"): lambda _: 0,
    ("drill", "track"): lambda _: "lesson",
    ("drill", "state"): lambda _: "open",
    ("drill", "ended_at"): lambda _: None,
    ("attempt", "track"): lambda _: "lesson",
    ("attempt", "verdict"): lambda _: "wrong",
    ("attempt", "rating"): lambda _: "again",
    ("attempt", "hinted"): lambda _: 0,
    ("spacing", "learning"): lambda _: "review",
    ("mistake", "track"): lambda _: "lesson",
    ("mistake", "error_type"): lambda _: "tense",
    ("mistake_vector", "width"): lambda _: 18,
    ("mistake_vector", "vector"): lambda n: mark(n).encode(),
    ("dismissal", "other"): lambda n: key(n) + 1,
    ("appeal", "state"): lambda _: "declined",
    ("appeal", "decided_by"): lambda n: user((n + 1) % PEOPLE),
    ("feed", "state"): lambda _: "active",
    ("feed", "added_by"): user,
    ("clipping", "unit"): lambda _: "word",
    ("clipping", "certainty"): lambda _: 0.5,
    ("clipping", "closed"): lambda _: 0,
    ("model_usage", "purpose"): lambda _: "grade",
    ("model_usage", "model"): lambda _: "judge",
    ("model_usage", "state"): lambda _: "settled",
    ("model_usage", "outcome"): lambda _: "done",
    ("judgement", "opinion"): lambda _: "correct",
    ("judgement", "confidence"): lambda _: "high",
    ("judgement", "attempt"): lambda _: 1,
    ("document", "kind"): lambda _: "goal",
    ("document", "in_ask"): lambda _: 0,
    ("chunk_vector", "width"): lambda _: 18,
    ("chunk_vector", "vector"): lambda n: mark(n).encode(),
    ("profile_line", "origin"): lambda _: "learner",
    ("study", "mode"): lambda _: "study",
    ("study", "state"): lambda _: "open",
    ("study", "ended_at"): lambda _: None,
    ("study_topic", "state"): lambda _: "ahead",
    ("study_turn", "speaker"): lambda _: "learner",
    ("schedule", "kind"): lambda _: "review",
    ("schedule", "guild_id"): lambda _: None,
    ("schedule", "channel_id"): lambda _: None,
    ("schedule", "made_by"): user,
    ("schedule", "minute"): lambda _: 450,
    ("schedule", "weekdays"): lambda _: 127,
    ("schedule", "news"): lambda _: 0,
    ("schedule", "count"): lambda _: 5,
    ("schedule", "state"): lambda _: "active",
    ("schedule", "paused_why"): lambda _: "",
    ("schedule", "paused_at"): lambda _: None,
    ("run", "state"): lambda _: "sent",
    ("learner", "named"): lambda _: 1,
    ("drill", "shared_id"): key,
    ("shared_drill", "run_id"): lambda _: None,
    ("shared_drill", "typed"): lambda _: 0,
    ("shared_drill", "ended_why"): lambda _: "",
    ("shared_drill", "kind"): lambda _: "race",
    ("shared_drill", "track"): lambda _: "lesson",
    ("shared_drill", "state"): lambda _: "open",
    ("shared_drill", "phase"): lambda _: "asking",
    ("shared_drill", "ended_at"): lambda _: None,
    ("absence", "cleared_at"): lambda _: None,
}
"""Values that a check or the meaning of a column asks for."""

MORE: list[tuple[str, dict[str, Callable[[int], Any]]]] = [
    ("mistake", {"id": lambda n: key(n) + 1, "attempt_id": lambda _: None}),
    (
        "schedule",  # of a channel, made by this person
        {
            "id": lambda n: key(n) + 1, "kind": lambda _: "group_review", "user_id": lambda _: None,
            "guild_id": key, "channel_id": key, "lessons": lambda _: "3-5", "time_zone": lambda _: "UTC",
        },
    ),
]  # fmt: skip
"""Rows beside the one of each table, by what is different in them."""


@dataclass
class Crowd:
    """The tables of a database and everybody's rows in them."""

    conn: sqlite3.Connection
    tables: list[str] = field(init=False)

    def __post_init__(self) -> None:
        named = self.conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        parents = {name: {parent for _, parent in self.references(name).values()} - {name} for (name,) in named}
        self.tables = list(TopologicalSorter(parents).static_order())

    def columns(self, table: str) -> Iterator[tuple[str, str, str | None, bool]]:
        """Name, type, default and whether it is the key that numbers the rows."""
        rows = self.conn.execute(f"PRAGMA table_info({table})").fetchall()
        alone = sum(1 for row in rows if row[5]) == 1
        for row in rows:
            yield row[1], row[2], row[4], bool(alone and row[5] and row[2] == "INTEGER")

    def references(self, table: str) -> dict[str, tuple[str, str]]:
        """Columns that refer to another table: which column of which."""
        found = self.conn.execute(f"PRAGMA foreign_key_list({table})").fetchall()
        return {row[3]: (row[4] or "", row[2]) for row in found if row[2] != "learner"}

    def marked(self, table: str) -> list[str]:
        """Text columns that everybody's mark stands in."""
        return [name for name, kind, _, _ in self.columns(table) if kind == "TEXT" and (table, name) not in CHOSEN]

    def fill(self) -> None:
        """Give everybody a row of everything."""
        for table in self.tables:
            for n in range(PEOPLE):
                self._insert(table, {name: self._value(table, n, *rest) for name, rest in self._named(table)})
                for several, different in MORE:
                    if several == table:
                        row = {name: self._value(table, n, *rest) for name, rest in self._named(table)}
                        self._insert(table, row | {name: choose(n) for name, choose in different.items()})
        self.conn.commit()

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """All rows, in an order of their own."""
        return sorted(self.conn.execute(f"SELECT * FROM {table}").fetchall(), key=repr)

    def is_of(self, table: str, row: tuple[Any, ...], n: int) -> bool:
        """Tell whether a row is this person's, or names them."""
        own = key(n) in row or key(n) + 1 in row
        return user(n) in row or (table not in SERVERS_OWN and own)

    def _named(self, table: str) -> Iterator[tuple[str, tuple[str, str, str | None, bool]]]:
        for name, kind, default, numbering in self.columns(table):
            yield name, (name, kind, default, numbering)

    def _value(self, table: str, n: int, name: str, kind: str, default: str | None, numbering: bool) -> Any:
        if (table, name) in CHOSEN:
            return CHOSEN[table, name](n)
        if name in {"user_id", "started_by"}:
            return user(n)
        if name in self.references(table) or numbering:
            return key(n)
        if kind == "TEXT":
            text = (mark(n, f"{table}.{name}") if table not in SERVERS_OWN else f"server {n} {name} ") * 4
            return json.dumps({"said": text}, ensure_ascii=False) if self._is_json(table, name) else text
        if default is not None:
            return int(default)
        return {"INTEGER": key(n), "REAL": 1.5, "BLOB": mark(n).encode()}[kind]

    def _is_json(self, table: str, name: str) -> bool:
        (sql,) = self.conn.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        return f"json_valid({name})" in sql

    def _insert(self, table: str, row: dict[str, Any]) -> None:
        places = ", ".join("?" * len(row))
        try:
            self.conn.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values()))
        except sqlite3.IntegrityError as error:
            raise AssertionError(f"what goes into {table} (tests/storage/crowd.py)? {error}: {row}") from error
