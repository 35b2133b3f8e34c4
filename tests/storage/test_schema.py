"""The schema refuses what does not belong, and everything of a person hangs on that person."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def conn(file: Path) -> Iterator[sqlite3.Connection]:
    """A file with one row in every table that others refer to."""
    with closing(sqlite3.connect(file)) as conn:
        conn.execute("PRAGMA foreign_keys = ON")
        conn.executescript(
            """
            INSERT INTO learner (user_id, created_at, updated_at) VALUES (1, 0, 0);
            INSERT INTO pack VALUES (1, NULL, 'N5', 'n5', '', '', 'ja', 0, NULL, 0, 0, NULL, 'lesson');
            INSERT INTO item VALUES (1, 1, 'k', 0, 1, '', 'cloze', 'p', '', '', '', '', NULL, '', '', '', '', NULL);
            INSERT INTO drill VALUES (1, 1, NULL, 'lesson', '', 'open', 0, NULL, NULL);
            INSERT INTO exercise (id, drill_id, position, item_id) VALUES (1, 1, 1, 1);
            INSERT INTO attempt VALUES (1, 1, 1, 1, 1, 'lesson', 'x', 'wrong', '{}', 0, 'again', 0, NULL);
            INSERT INTO mistake VALUES (8, 1, NULL, 1, 'lesson', 'p', 'r', 't', 'tense', NULL, '', '', '', '', 0);
            INSERT INTO mistake VALUES (9, 1, NULL, 1, 'lesson', 'p', 'r', 't', 'tense', NULL, '', '', '', '', 0);
            INSERT INTO mistake_vector VALUES (16777216, 8, 1, 'm', 1, 2, x'003c0000');
            INSERT INTO dismissal VALUES (1, 8, 9, 0);
            INSERT INTO calibration VALUES ('m', 1, '{}', 0);
            INSERT INTO feed VALUES (1, 5, 'https://a', '', '', 'active', 0, NULL, '', '', 0, '', 9, 0);
            INSERT INTO pack VALUES (5, 5, 'News', 'news', 'News', '', 'ja', 0, NULL, 0, 0, NULL, 'article');
            INSERT INTO pack VALUES (6, 5, 'News', 'news', 'News', '', 'ja', 0, NULL, 0, 0, NULL, 'article');
            INSERT INTO article VALUES (5, 1, '', '', NULL);
            INSERT INTO known_key VALUES (5, 'guid', 0, NULL);
            INSERT INTO clipping VALUES (1, 1, 'word', '', 0.5, 0);
            INSERT INTO model_usage (id, at, day, guild_id, user_id, purpose, model, state, reserve)
            VALUES (1, 0, 0, 0, 1, 'grade', 'm', 'reserved', 5);
            INSERT INTO judgement VALUES (1, 'x', 'en', 1, 'correct', NULL, '', '', '', 'high', 1, 0);
            INSERT INTO waiting_judgement VALUES (1, 1, 'en', 0, 0, 0, NULL);
            INSERT INTO learner (user_id, created_at, updated_at) VALUES (3, 0, 0);
            INSERT INTO document VALUES (1, 1, 'goal', '', 'x', 0, 0);
            INSERT INTO document VALUES (2, 3, 'goal', '', 'x', 0, 0);
            INSERT INTO chunk VALUES (1, 1, 1, 0, 'x');
            INSERT INTO chunk VALUES (2, 2, 3, 0, 'x');
            INSERT INTO chunk_vector VALUES (1, 1, 'm', 1, 2, x'003c0000');
            INSERT INTO profile_line VALUES (1, 'target', 'learner', 'x', 0);
            INSERT INTO study VALUES (1, 1, 5, 7, 'study', '', '', 'open', 1, '', 0, NULL);
            INSERT INTO study_topic VALUES (1, 1, '', '', '', NULL, 'ahead', 0);
            INSERT INTO study_document VALUES (1, 1);
            INSERT INTO study_turn VALUES (1, 1, 1, 'learner', 'x', 99, 0);
            INSERT INTO recall_event VALUES (1, 1, 0, 'ask', 2, '[[1,0.5]]', 1, '');
            INSERT INTO schedule
            VALUES (1, 'review', 1, NULL, NULL, 1, 'UTC', 0, 1, NULL, '', 0, 1, 'active', 0, 0, NULL, '', NULL, NULL, 0);
            INSERT INTO run VALUES (1, 1, 1, 0, 0, 0, 'claimed', '', NULL, NULL, NULL, NULL);
            INSERT INTO shared_drill VALUES
            (1, 'race', NULL, 5, 7, 1, 'lesson', '', NULL, '', 16, 0, 'open', '', 1, 'asking', 0, 0, NULL, NULL, 0, NULL);
            INSERT INTO shared_item VALUES (1, 1, 1);
            INSERT INTO study_day VALUES (1, 20000);
            INSERT INTO group_review VALUES (5, 1, 0, 1);
            """
        )
        yield conn


WRONG = [
    "INSERT INTO learner (user_id, created_at, updated_at) VALUES ('aiko', 0, 0)",
    "INSERT INTO learner (user_id, created_at, updated_at) VALUES (2, '2027-03-14', 0)",
    "INSERT INTO learner (user_id, furigana, created_at, updated_at) VALUES (2, 2, 0, 0)",
    "INSERT INTO learner (user_id, drill_length, created_at, updated_at) VALUES (2, 51, 0, 0)",
    "INSERT INTO learner (user_id, new_per_day, created_at, updated_at) VALUES (2, -1, 0, 0)",
    "INSERT INTO learner (user_id, time_zone, created_at, updated_at) VALUES (2, NULL, 0, 0)",
    "INSERT INTO visit VALUES (1, 1.5, 0)",
    "INSERT INTO visit VALUES (2, 1, 0)",  # nobody
    "INSERT INTO pack VALUES (2, NULL, '', 'x', '', '', 'ja', 0, NULL, 0, 0, NULL, 'lesson')",
    "INSERT INTO pack VALUES (2, NULL, 'x', '', '', '', 'ja', 0, NULL, 0, 0, NULL, 'lesson')",
    "INSERT INTO pack VALUES (2, NULL, 'N5', 'n5', '', '', 'ja', 0, NULL, 0, 0, NULL, 'lesson')",  # the same starter pack
    "INSERT INTO pack VALUES (2, NULL, 'x', 'x', '', '', 'ja', 'yes', NULL, 0, 0, NULL, 'lesson')",
    "INSERT INTO item VALUES (2, 1, 'l', 0, 1, '', 'essay', 'p', '', '', '', '', NULL, '', '', '', '', NULL)",
    "INSERT INTO item VALUES (2, 1, 'k', 0, 1, '', 'cloze', 'p', '', '', '', '', NULL, '', '', '', '', NULL)",
    "INSERT INTO item VALUES (2, 1, x'00', 0, 1, '', 'cloze', 'p', '', '', '', '', NULL, '', '', '', '', NULL)",
    "INSERT INTO accepted_answer VALUES (1, 1, 0, 'は', 'は', '', 'no json', 'pack', NULL, 0)",
    "INSERT INTO accepted_answer VALUES (1, 1, 0, 'は', 'は', '', '{}', 'rumour', NULL, 0)",
    "INSERT INTO accepted_answer VALUES (1, 1, 0, 'は', 'は', '', '{}', 'pack', 5, 0)",
    "INSERT INTO upload VALUES (1, 1, 1, 'x', 'ja', 0, 'x.csv', 'text', 0)",
    "INSERT INTO drill VALUES (2, 1, NULL, 'lesson', '', 'paused', 0, NULL, NULL)",
    "INSERT INTO drill VALUES (2, 1, NULL, 'lesson', '', 'open', 0, 5, NULL)",
    "INSERT INTO drill VALUES (2, 1, NULL, 'lesson', '', 'finished', 0, NULL, NULL)",
    "INSERT INTO drill VALUES (2, 1, NULL, 'race', '', 'open', 0, NULL, NULL)",
    "INSERT INTO exercise (drill_id, position, item_id) VALUES (1, 1, 1)",
    "INSERT INTO exercise (drill_id, position, item_id) VALUES (1, 2, 7)",
    "INSERT INTO attempt VALUES (2, 1, 1, 1, 2, 'lesson', 'x', 'wrong', '{}', 0, 'again', 0, NULL)",  # a second answer
    "INSERT INTO attempt VALUES (2, 1, 2, 1, 1, 'lesson', 'x', 'wrong', '{}', 0, 'again', 0, NULL)",
    "UPDATE attempt SET verdict = 'retry'",
    "UPDATE attempt SET rating = 'easy'",
    "UPDATE attempt SET at = 1.5",
    "INSERT INTO spacing VALUES (1, 1, 'asleep', 0, 1.0, 5.0, 0, NULL)",
    "INSERT INTO spacing VALUES (1, 1, 'review', 0, 'long', 5.0, 0, NULL)",
    "INSERT INTO mistake VALUES (1, 1, 1, 1, 'lesson', 'p', 'r', x'ff', 'tense', NULL, '', '', '', '', 0)",
    "INSERT INTO mistake VALUES (1, 1, 1, 1, 'both', 'p', 'r', 't', 'tense', NULL, '', '', '', '', 0)",
    "INSERT INTO mistake_vector VALUES (16777217, 8, 1, 'm', 1, 2, x'003c0000')",  # a second vector of one mistake
    "INSERT INTO mistake_vector VALUES (16777216, 9, 1, 'm', 1, 2, x'003c0000')",  # the place of another
    "INSERT INTO mistake_vector VALUES (16777217, 9, 1, 'm', 1, 2, x'003c00')",
    "INSERT INTO mistake_vector VALUES (16777217, 9, 1, 'm', 1, 0, x'')",
    "INSERT INTO mistake_vector VALUES (16777217, 9, 1, 'm', 1, 2, 'text')",
    "INSERT INTO mistake_vector VALUES (16777217, 9, 1, 'm', 'one', 2, x'003c0000')",
    "INSERT INTO mistake_vector VALUES (16777217, 9, 1, NULL, 1, 2, x'003c0000')",
    "INSERT INTO mistake_vector VALUES (16777217, 9, 2, 'm', 1, 2, x'003c0000')",  # nobody
    "INSERT INTO mistake_vector VALUES (16777217, 7, 1, 'm', 1, 2, x'003c0000')",  # no such mistake
    "INSERT INTO dismissal VALUES (1, 8, 9, 0)",
    "INSERT INTO dismissal VALUES (1, 9, 8, 0)",  # the other way round
    "INSERT INTO dismissal VALUES (1, 8, 8, 0)",
    "INSERT INTO dismissal VALUES (2, 8, 9, 0)",
    "INSERT INTO dismissal VALUES (1, 7, 9, 0)",
    "INSERT INTO calibration VALUES ('m', 1, '{}', 0)",
    "INSERT INTO calibration VALUES ('m', 2, 'no json', 0)",
    "INSERT INTO appeal VALUES (1, 1, 1, 1, NULL, 'x', 'ignored', 0, NULL, NULL)",
    "INSERT INTO appeal VALUES (1, 1, 1, 1, NULL, 'x', 'accepted', 0, 5, NULL)",
    "UPDATE learner SET joined_tracks = 2",
    "UPDATE pack SET kind = 'poem'",
    "UPDATE pack SET kind = 'lesson'",  # two of one name
    "INSERT INTO feed VALUES (2, 5, 'https://a', '', '', 'active', 0, NULL, '', '', 0, '', 9, 0)",
    "INSERT INTO feed VALUES (2, 5, '', '', '', 'active', 0, NULL, '', '', 0, '', 9, 0)",
    "UPDATE feed SET state = 'asleep'",
    "UPDATE feed SET failures = -1",
    "UPDATE feed SET next_check = 'soon'",
    "INSERT INTO article VALUES (7, 1, '', '', NULL)",  # no such pack
    "INSERT INTO article VALUES (6, 7, '', '', NULL)",  # no such feed
    "INSERT INTO article VALUES (5, 1, '', '', NULL)",
    "INSERT INTO known_key VALUES (5, 'guid', 1, NULL)",
    "UPDATE known_key SET key = x'00'",
    "INSERT INTO clipping VALUES (7, 1, 'word', '', 0.5, 0)",
    "UPDATE clipping SET unit = 'page'",
    "UPDATE clipping SET certainty = 1.5",
    "UPDATE clipping SET closed = 2",
    "UPDATE clipping SET sentence_id = NULL",
    "UPDATE model_usage SET user_id = 2",  # nobody
    "UPDATE model_usage SET state = 'settled'",  # without an outcome
    "UPDATE model_usage SET outcome = 'done'",  # and still reserved
    "UPDATE model_usage SET state = 'settled', outcome = 'happy'",
    "UPDATE model_usage SET reserve = -1",
    "UPDATE model_usage SET cost = 0.5",
    "UPDATE model_usage SET purpose = ''",
    "INSERT INTO judgement VALUES (1, 'x', 'en', 1, 'correct', NULL, '', '', '', 'high', 1, 0)",
    "INSERT INTO judgement VALUES (7, 'x', 'en', 1, 'correct', NULL, '', '', '', 'high', 1, 0)",
    "INSERT INTO judgement VALUES (1, 'y', 'en', 2, 'correct', NULL, '', '', '', 'high', 1, 0)",  # nobody
    "UPDATE judgement SET opinion = 'pretty'",
    "UPDATE judgement SET confidence = 'total'",
    "INSERT INTO waiting_judgement VALUES (1, 1, 'en', 0, 0, 0, NULL)",
    "INSERT INTO waiting_judgement VALUES (7, 1, 'en', 0, 0, 0, NULL)",  # no such attempt
    "UPDATE waiting_judgement SET user_id = 2",
    "UPDATE waiting_judgement SET tries = -1",
    "INSERT INTO document VALUES (3, 2, 'goal', '', 'x', 0, 0)",  # nobody
    "UPDATE document SET kind = 'rumour'",
    "UPDATE document SET in_ask = 2",
    "UPDATE document SET text = x'00'",
    "INSERT INTO chunk VALUES (3, 1, 1, 0, 'y')",  # the place of another
    "INSERT INTO chunk VALUES (3, 7, 1, 0, 'y')",  # no such document
    "INSERT INTO chunk VALUES (3, 1, 3, 1, 'y')",  # another person's than its document
    "INSERT INTO chunk VALUES (3, 1, 1, -1, 'y')",
    "INSERT INTO chunk_vector VALUES (1, 1, 'm', 1, 2, x'003c0000')",
    "INSERT INTO chunk_vector VALUES (2, 1, 'm', 1, 2, x'003c0000')",  # another person's than its chunk
    "INSERT INTO chunk_vector VALUES (2, 3, 'm', 1, 2, x'003c00')",
    "INSERT INTO chunk_vector VALUES (2, 3, 'm', 1, 0, x'')",
    "INSERT INTO chunk_vector VALUES (7, 1, 'm', 1, 2, x'003c0000')",  # no such chunk
    "INSERT INTO profile_line VALUES (1, 'target', 'learner', 'y', 0)",
    "INSERT INTO profile_line VALUES (2, 'target', 'learner', 'y', 0)",  # nobody
    "INSERT INTO profile_line VALUES (1, 'target', 'summary', 'y', 0)",
    "UPDATE profile_line SET text = ''",
    "UPDATE profile_line SET field = ''",
    "INSERT INTO study VALUES (2, 3, 5, 7, 'study', '', '', 'open', NULL, '', 0, NULL)",  # a second one of the channel
    "INSERT INTO study VALUES (2, 2, 5, 8, 'study', '', '', 'open', NULL, '', 0, NULL)",  # nobody
    "INSERT INTO study VALUES (2, 1, 5, 8, 'study', '', '', 'open', 7, '', 0, NULL)",  # no such pack
    "UPDATE study SET mode = 'party'",
    "UPDATE study SET state = 'asleep'",
    "UPDATE study SET state = 'ended'",  # at no time
    "UPDATE study SET ended_at = 5",  # and still open
    "INSERT INTO study_topic VALUES (1, 1, '', '', '', NULL, 'ahead', 0)",
    "INSERT INTO study_topic VALUES (7, 1, '', '', '', NULL, 'ahead', 0)",
    "UPDATE study_topic SET state = 'asleep'",
    "UPDATE study_topic SET steps = -1",
    "INSERT INTO study_document VALUES (1, 1)",
    "INSERT INTO study_document VALUES (7, 1)",
    "INSERT INTO study_document VALUES (1, 7)",
    "INSERT INTO study_turn VALUES (2, 1, 1, 'learner', 'y', 99, 0)",  # of one message
    "INSERT INTO study_turn VALUES (2, 7, 1, 'learner', 'y', 98, 0)",
    "INSERT INTO study_turn VALUES (2, 1, 2, 'learner', 'y', 98, 0)",  # nobody
    "UPDATE study_turn SET speaker = 'parrot'",
    "INSERT INTO recall_event VALUES (2, 2, 0, 'ask', 0, '[]', 0, 'below')",  # nobody
    "UPDATE recall_event SET scores = '[[1,NaN]]'",
    "UPDATE recall_event SET candidates = -1",
    "UPDATE recall_event SET admitted = -1",
    "UPDATE recall_event SET surface = ''",
    "UPDATE learner SET named = 2",
    "INSERT INTO absence VALUES (5, 'long ago', NULL)",
    "UPDATE learner SET counted = -1",
    "UPDATE learner SET streaks = 'on'",
    "UPDATE schedule SET kind = 'poem'",
    "UPDATE schedule SET kind = 'group_review'",  # and a learner's own
    "UPDATE schedule SET guild_id = 5",  # and a learner's own
    "UPDATE schedule SET user_id = 2",  # nobody
    "UPDATE schedule SET time_zone = ''",
    "UPDATE schedule SET minute = 1440",
    "UPDATE schedule SET weekdays = 0",
    "UPDATE schedule SET weekdays = 128",
    "UPDATE schedule SET count = 0",
    "UPDATE schedule SET next_due = NULL",  # and still active
    "UPDATE schedule SET state = 'paused'",  # and still due, at no time, for no reason
    (
        "INSERT INTO schedule "
        "VALUES (2, 'review', 1, NULL, NULL, 1, 'UTC', 0, 1, NULL, '', 0, 1, 'draft', NULL, NULL, NULL, '', NULL, NULL, 0)"
    ),
    "INSERT INTO run VALUES (2, 1, 1, 0, 0, 0, 'claimed', '', NULL, NULL, NULL, NULL)",  # of the same time
    "UPDATE run SET state = 'sent'",  # as no message
    "UPDATE run SET settled_at = 5",  # and still claimed
    "UPDATE run SET schedule_id = 7",
    "UPDATE run SET user_id = 2",  # nobody
    "UPDATE run SET late = -1",
    (
        "INSERT INTO shared_drill VALUES "
        "(2, 'race', NULL, 5, 7, 1, 'lesson', '', NULL, '', 16, 0, 'open', '', 1, 'asking', 0, 0, NULL, NULL, 0, NULL)"
    ),
    "UPDATE shared_drill SET kind = 'walk'",
    "UPDATE shared_drill SET pack_id = 7",  # no such pack
    "UPDATE shared_drill SET typed = 2",
    "UPDATE shared_drill SET ended_why = 'stopped'",  # and still open
    "UPDATE shared_drill SET position = 0",
    "UPDATE shared_drill SET seconds = 0",
    "UPDATE shared_drill SET phase = 'asleep'",
    "UPDATE shared_drill SET state = 'ended', ended_why = 'lost'",  # at no time
    "UPDATE shared_drill SET started_by = 2",  # nobody
    "INSERT INTO shared_item VALUES (1, 1, 1)",
    "INSERT INTO shared_item VALUES (7, 1, 1)",
    "INSERT INTO shared_item VALUES (1, 2, 7)",
    "INSERT INTO study_day VALUES (1, 20000)",
    "INSERT INTO study_day VALUES (2, 20000)",  # nobody
    "INSERT INTO group_review VALUES (5, 2, 0, 1)",  # a second time of one server
    "UPDATE group_review SET until_at = -1",
]


@pytest.mark.parametrize("statement", WRONG)
def test_what_does_not_belong_is_refused(conn: sqlite3.Connection, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        conn.execute(statement)


def tables(conn: sqlite3.Connection) -> list[str]:
    """All tables but SQLite's own."""
    named = conn.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence' ORDER BY name"
    )
    return [name for (name,) in named]


def columns(conn: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]


def test_every_table_is_strict(conn: sqlite3.Connection) -> None:
    strict = {row[1]: row[5] for row in conn.execute("PRAGMA table_list") if row[2] == "table"}
    assert [name for name in tables(conn) if not strict[name]] == []


# columns that hold a person's id without being part of that person's data
NOT_OWNERS = {
    ("pack", "saved_by"): "the moderator; the pack is the server's",
    ("upload", "user_id"): "the moderator; the file is dropped within a day",
    ("appeal", "decided_by"): "the moderator; the appeal is the learner's",
    ("feed", "added_by"): "the moderator; the feed is the server's",
    ("schedule", "made_by"): "the moderator; a learner's own schedule hangs on its user_id",
}

# columns that lose the person's id and keep their row when the person is forgotten
NAME_GOES = {
    ("model_usage", "user_id"): "what was spent counts on for the server and the bot, in nobody's name",
    ("shared_drill", "started_by"): "others play on",
}

# every other column that looks like an id of something of Discord's, and holds no person
NO_PERSONS = {
    "guild_id",
    "channel_id",
    "interaction_id",
    "message_id",
    "last_id",
    "retried_by",
    "sentence_id",
    "shared_id",
}


def test_every_table_with_a_person_hangs_on_the_learner_or_says_why_not(conn: sqlite3.Connection) -> None:
    seen = set()
    for table in tables(conn):
        owned = {row[3]: row[6] for row in conn.execute(f"PRAGMA foreign_key_list({table})") if row[2] == "learner"}
        for column, rule in owned.items():
            assert rule == ("SET NULL" if (table, column) in NAME_GOES else "CASCADE"), f"{table}.{column}"
        own_tables = set(tables(conn))
        for column in columns(conn, table):
            if (table, column) in NOT_OWNERS:
                seen.add((table, column))
                assert column not in owned
            elif column == "user_id" and table != "learner":
                assert column in owned, f"{table}.{column} must cascade from learner, or be listed with a reason"
            elif column.endswith(("_id", "_by")) and column not in {*NO_PERSONS, *owned} and table != "learner":
                assert column.removesuffix("_id") in own_tables, f"whose id is {table}.{column}?"
    assert seen == set(NOT_OWNERS)


def test_a_reference_is_found_through_an_index(conn: sqlite3.Connection) -> None:
    """Else forgetting one person would read every row of everybody. Items are hidden or emptied, never deleted."""
    for table in tables(conn):
        first = {
            conn.execute(f"PRAGMA index_info({index[1]})").fetchone()[2]
            for index in conn.execute(f"PRAGMA index_list({table})")
            if not index[4]  # a partial index does not serve
        } | {row[1] for row in conn.execute(f"PRAGMA table_info({table})") if row[5] == 1 and row[2] == "INTEGER"}
        for reference in conn.execute(f"PRAGMA foreign_key_list({table})"):
            parent, column = reference[2], reference[3]
            if parent not in {"item", "pack"}:
                assert column in first, f"{table}.{column} has no index"


def test_a_deleted_mistake_takes_its_vector_and_what_was_said_of_it_along(conn: sqlite3.Connection) -> None:
    conn.execute("DELETE FROM mistake WHERE id = 8")
    assert conn.execute("SELECT 1 FROM mistake_vector UNION ALL SELECT 1 FROM dismissal").fetchall() == []


def test_a_forgotten_document_takes_its_chunks_and_vectors_along_and_is_linked_nowhere(
    conn: sqlite3.Connection,
) -> None:
    conn.execute("DELETE FROM document WHERE id = 1")
    assert conn.execute("SELECT id FROM chunk").fetchall() == [(2,)]
    assert conn.execute("SELECT 1 FROM chunk_vector UNION ALL SELECT 1 FROM study_document").fetchall() == []
    assert conn.execute("SELECT id FROM study").fetchall() == [(1,)]


def test_a_study_outlives_its_pack_and_takes_its_parts_along(conn: sqlite3.Connection) -> None:
    conn.execute("INSERT INTO pack VALUES (7, 5, 'x', 'x', '', '', 'ja', 0, NULL, 0, 0, NULL, 'lesson')")
    conn.execute("UPDATE study SET pack_id = 7")
    conn.execute("DELETE FROM pack WHERE id = 7")
    assert conn.execute("SELECT pack_id FROM study").fetchall() == [(None,)]
    conn.execute("DELETE FROM study")
    for part in ("study_topic", "study_document", "study_turn"):
        assert conn.execute(f"SELECT * FROM {part}").fetchall() == []
    assert conn.execute("SELECT id FROM document").fetchall() == [(1,), (2,)]
