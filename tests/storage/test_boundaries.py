"""What can be read off the source: who speaks SQL, who writes, and that every question about a person names that person."""

from __future__ import annotations

import ast
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import storage

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSE = Path(storage.__file__).parents[1]
ROOM = HOUSE / "storage"
STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b")


def modules(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for file in sorted((HOUSE / folder).rglob("*.py")):
            yield str(file.relative_to(HOUSE)), ast.parse(file.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Calls with what is called, as written."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def statements() -> list[str]:
    """Every SQL statement of the room that works on rows."""
    return [
        node.value
        for _, tree in modules("storage")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value)
    ]


def test_only_storage_speaks_sql() -> None:
    speakers = {
        name for name, tree in modules("bot", "cogs", "jobs", "lessons") if imports(tree) & {"aiosqlite", "sqlite3"}
    }
    assert speakers == set()


def test_only_the_database_and_the_start_hold_a_writing_connection() -> None:
    opening = {
        (name, called) for name, tree in modules("storage") for called, _ in calls(tree) if called.endswith("connect")
    }
    assert opening == {
        ("storage/connection.py", "aiosqlite.connect"),
        ("storage/connection.py", "self._connect"),
        ("storage/backup.py", "sqlite3.connect"),
    }
    writing = {name for name, tree in modules("storage") if "WRITING" in ast.unparse(tree)}
    assert writing == {"storage/dialect.py", "storage/connection.py", "storage/migrate.py"}
    opened = {name for name, tree in modules("storage") for called, _ in calls(tree) if called.endswith("opened")}
    assert opened == {
        "storage/backup.py",  # reads the file, and checks the copy
        "storage/inspection.py",  # reads
        "storage/migrate.py",  # writes, before `Database.open`
    }
    assert "writing" not in (ROOM / "inspection.py").read_text(encoding="utf-8")


def test_only_the_writer_and_the_start_begin_and_end_transactions() -> None:
    word = re.compile(r"\s*(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b")
    found = {
        (name, node.value.split()[0])
        for name, tree in modules("storage")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and word.match(node.value)
    }
    allowed = {("storage/writer.py", word) for word in ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT")}
    allowed |= {("storage/migrate.py", "BEGIN"), ("storage/migrate.py", "COMMIT"), ("storage/connection.py", "BEGIN")}
    assert found == allowed


def test_no_statement_is_built_from_input() -> None:
    asked = ("all", "one", "run", "many")
    for name, tree in modules("storage"):
        for called, call in calls(tree):
            if called.rpartition(".")[2] in asked and re.search(r"(transaction|snapshot)\.\w+$", called):
                assert isinstance(call.args[0], ast.Constant | ast.Name), f"{name}:{call.lineno}"
    for statement in statements():
        assert "{" not in re.sub(r"'[^']*'", "", statement)


PERSONAL = re.compile(
    r"(?:FROM|JOIN|UPDATE)\s+(learner|visit|drill|drill_tally|exercise|exercise_state|attempt|spacing|mistake|appeal|appeal_card"
    r"|mistake_vector|dismissal|model_usage|judgement|waiting_judgement|document|chunk|chunk_vector|profile_line|study"
    r"|study_topic|study_document|study_turn|recall_event)\b"
)

# statements about persons that do not name one, each with its reason
NAMELESS = {
    "SELECT drill.user_id FROM exercise JOIN drill": "asks whose it is, to refuse a press in words",
    "SELECT user_id FROM drill WHERE id = ?": "the same, of a drill",
    "SELECT * FROM drill_tally WHERE id = ?": "the row begun in the same transaction",
    "SELECT *, min(at) FROM appeal_card": "the moderators' queue, by server",
    "SELECT * FROM appeal_card WHERE id = ? AND guild_id IS ?": "one of the moderators' queue, by server",
    "UPDATE appeal SET state = :state": "the moderators' decision, by server",
    "SELECT 1 FROM appeal WHERE item_id = ? AND folded = ?": "whether another of their decisions accepted it",
    "SELECT user_id, typed FROM attempt WHERE id = ?": "finds the learner whose attempt was decided",
    "SELECT width FROM mistake_vector": "how wide the vectors of a space are, whoever's",
    "SELECT * FROM mistake WHERE NOT EXISTS": "whatever lacks a vector, to fill it in for its owner",
    "SELECT count(*) AS found FROM mistake_vector": "how far a job has come",
    "SELECT count(*) AS found FROM mistake": "the same",
    "SELECT user_id, one, other FROM dismissal": "labels for the operator's calibration",
    "SELECT * FROM mistake WHERE id IN (SELECT value": "the same, their cards",
    "SELECT * FROM judgement WHERE item_id = ?": "what a judge said of an answer, whoever typed it",
    "SELECT waiting.*, attempt.exercise_id": "the judge's queue, whoever waits",
    "SELECT * FROM exercise_state WHERE exercise_id IN": "the exercises of rows that were found by their owner or the queue",
    "UPDATE waiting_judgement SET tries": "an answer of that queue",
    "UPDATE model_usage SET": "a call by its number, and those that were lost",
    "UPDATE drill SET state = 'stopped', ended_at = :at WHERE shared_id": "the end of a race, for everybody who took part",
    "UPDATE drill SET state = 'stopped', ended_at = :at WHERE state": "the same, when its server is let go",
    "SELECT day, purpose, model, guild_id": "the bill, by server",
    "SELECT id FROM item WHERE pack_id = ? AND NOT EXISTS": "which items of an article nobody was asked",
    "SELECT width FROM chunk_vector": "how wide the vectors of a space are, whoever's",
    "SELECT * FROM study WHERE channel_id = ?": "asks whose it is, to answer the one and refuse the others",
    "SELECT 1 FROM study WHERE channel_id = ?": "whether another one is open there, whoever's",
    "SELECT * FROM study_topic WHERE study_id IN": "the topics of studies that were found by their owner or channel",
    "SELECT * FROM recall_event WHERE at >= ?": "the operator's table, which has no text",
    "SELECT count(*) AS calls, count(*) FILTER": "the operator's minute, numbers of nobody in particular",
    "SELECT coalesce(sum(iif(state = 'settled'": "the operator's budget, the same",
    "SELECT count(*) AS found FROM waiting_judgement": "how many answers wait, the same",
    "DELETE FROM recall_event WHERE at < ?": "whatever is older than the operator looks back",
    "UPDATE appeal SET decided_by = NULL": "a moderator who asks to be forgotten decided about others' answers",
    "SELECT guild_id AS server_id, state AS decided_as": "what such a moderator decided, without whose it was",
}


def test_every_question_about_a_person_names_that_person_or_says_why_not() -> None:
    nameless = set()
    for statement in statements():
        flat = " ".join(statement.split())
        if PERSONAL.search(flat) and not re.search(r"user_id = |\(user_id,|attempt\.user_id", flat):
            nameless.add(flat)
    for start in NAMELESS:
        assert [flat for flat in nameless if flat.startswith(start)], f"no longer there: {start}"
    unexplained = [flat for flat in nameless if not flat.startswith(tuple(NAMELESS))]
    assert unexplained == []


@pytest.mark.parametrize(
    ("tables", "place"),
    [
        ("mistake_vector|dismissal|calibration", "storage/memories.py"),
        ("chunk|chunk_vector", "storage/documents.py"),
        ("profile_line", "storage/profiles.py"),
    ],
)
def test_vectors_and_what_learners_tell_are_spoken_of_in_one_place(tables: str, place: str) -> None:
    """Whoever wants a learner's asks the store, which asks for the owner; the records of one person are the only exception."""
    spoken = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE)\s+({tables})\b")
    found = {
        name
        for name, tree in modules("storage")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and spoken.search(node.value)
    }
    assert found - {"storage/records.py", "storage/sections.py"} == {place}


# tables that are read from end to end, each with its reason
SCANNED = {
    "SCAN waiting USING INDEX waiting_open": "what nobody decided yet, in the order it is asked about",
    "SCAN waiting_judgement USING INDEX waiting_open": "what nobody decided yet, counted once a minute",
    "SCAN shared_drill USING INDEX shared_drill_unfinished": "races under way, and the few that lack their last card",
    "SCAN pack USING INDEX pack_lesson": "a few hundred rows, none of them an article",
    "SCAN model_usage USING INDEX model_usage_open": "what was reserved when the process ended",
    "SCAN CONSTANT ROW": "no table at all",
    "SCAN pack": "when a moderator asks for their records or to be forgotten, and once a day for servers that are missing",
    "SCAN feed": "the same, and they are fewer",
    "SCAN feed USING COVERING INDEX sqlite_autoindex_feed_1": "once a day, for servers that are missing",
    "SCAN appeal": "for what a moderator decided who asks for their records or to be forgotten",
    "SCAN schedule": "the same",
    "SCAN schedule USING INDEX schedule_draft": "the drafts of a day, for those of such a moderator",
    "SCAN absence USING INDEX absence_open": "the servers that are missing, a handful",
    "SCAN accepted_answer": "once a day, for servers that are missing",
    "SCAN (subquery-5)": "the servers found by that",
    "SCAN topic": "the topics of one study, in their order",
    "SCAN upload": "a handful of rows, none older than a day",
    "SCAN sqlite_schema": "the names of the tables",
    "SCAN mistake": "for what lacks a vector, by a job",
    "SCAN mistake USING COVERING INDEX sqlite_autoindex_mistake_1": "counted, to say how far a job has come",
    "SCAN dismissal": "all of them, for the operator's calibration",
    "SCAN chunk": "for what lacks a vector, by a job",
    "SCAN sqlite_sequence": "a row for each table that is numbered",
    "SCAN schedule USING INDEX schedule_due": "every active one, once at the start",
    "SCAN schedule USING INDEX schedule_paused": "what waits for access, once when the bot is ready",
}


def test_no_question_reads_a_growing_table_from_end_to_end(file: Path) -> None:
    with closing(sqlite3.connect(file)) as conn:
        for statement in statements():
            names = set(re.findall(r":(\w+)", statement))
            values = dict.fromkeys(names) if names else (None,) * statement.count("?")
            plan = [row[3] for row in conn.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
            scans = {step for step in plan if step.startswith("SCAN") and "VIRTUAL TABLE" not in step}
            assert scans <= set(SCANNED), (statement, plan)
