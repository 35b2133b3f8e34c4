"""A process killed at any moment: what it acknowledged is there, and what it did not finish is not there by half."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

from storage import migrate
from tests.storage.world import AT

if TYPE_CHECKING:
    from pathlib import Path

# statements that select what must not be: an answer without its parts, a drill that ended too early or not at all
HALVES = (
    "SELECT user_id, item_id FROM attempt EXCEPT SELECT user_id, item_id FROM spacing",
    "SELECT * FROM attempt WHERE verdict = 'wrong' AND id NOT IN (SELECT attempt_id FROM mistake)",
    "SELECT * FROM mistake WHERE attempt_id IS NULL",
    "SELECT * FROM drill_tally WHERE state = 'finished' AND answered < total",
    "SELECT * FROM drill_tally WHERE state = 'open' AND answered = total",
)


def kill_while_answering(data: Path, rounds: int, seed: int) -> tuple[int, int]:
    """Kill a process that answers, `rounds` times on one folder; return answers acknowledged, and of those lost."""
    chance = random.Random(seed)
    acknowledged: set[tuple[int, int]] = set()
    lost = 0
    for number in range(rounds):
        command = [sys.executable, "-m", "tests.storage.answering", str(data), str((number + 1) * 10**9)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(chance.randrange(1, 300))]
            process.kill()
            lines += process.stdout.readlines()
        new = {(int(line.split()[0]), int(line.split()[1])) for line in lines if line.endswith("\n")}
        assert new
        acknowledged |= new
        lost += len(acknowledged - sound_attempts(data / migrate.FILE))
    return len(acknowledged), lost


def sound_attempts(file: Path) -> set[tuple[int, int]]:
    """Attempts and their interactions, of a file that is whole."""
    with closing(sqlite3.connect(file)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        for half in HALVES:
            assert conn.execute(half).fetchall() == []
        return set(conn.execute("SELECT id, interaction_id FROM attempt"))


def test_answers_survive_kill_9(tmp_path: Path) -> None:
    acknowledged, lost = kill_while_answering(tmp_path, rounds=20, seed=9)
    assert acknowledged >= 20
    assert lost == 0


MANY = """
CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
INSERT INTO word WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
SELECT i, 'word ' || i FROM n;
"""

LONGER = """
ALTER TABLE word ADD COLUMN length INTEGER;
UPDATE word SET length = length(text);
CREATE INDEX word_text ON word (text);
"""

MIGRATING = """
import sys, pathlib, datetime
from storage import migrate
print("ready", flush=True)
sys.stdin.readline()
migrate.prepare(pathlib.Path(sys.argv[1]), at=datetime.datetime.now(datetime.UTC), migrations=pathlib.Path(sys.argv[2]))
"""


def kill_while_migrating(folder: Path, rounds: int, seed: int) -> list[int]:
    """Kill a process that makes a file of two migrations, at moments of one run; return the versions that were found."""
    scripts = folder / "migrations"
    scripts.mkdir()
    (scripts / "0001_many.sql").write_text(MANY)
    (scripts / "0002_longer.sql").write_text(LONGER)
    started = time.perf_counter()
    migrate.prepare(folder / "whole", at=AT, migrations=scripts)
    run = time.perf_counter() - started
    chance = random.Random(seed)
    versions = []
    for number in range(rounds):
        data = folder / str(number)
        command = [sys.executable, "-c", MIGRATING, str(data), str(scripts)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdout.readline()
            process.stdin.write("go\n")
            process.stdin.flush()
            time.sleep(chance.uniform(0, 1.2 * run))
            process.kill()
        versions.append(whole_version(data / migrate.FILE))
        migrate.prepare(data, at=AT, migrations=scripts)
        assert whole_version(data / migrate.FILE) == 2
    return versions


def whole_version(file: Path) -> int:
    """The version of a file that has all of it and nothing more."""
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (version,) = conn.execute("PRAGMA user_version").fetchone()
        names = {name for (name,) in conn.execute("SELECT name FROM sqlite_schema")}
        assert names == [set(), {"word"}, {"word", "word_text"}][version]
        if version:
            counted = "count(*)" if version == 1 else "count(length)"
            assert conn.execute(f"SELECT {counted} FROM word").fetchone() == (60_000,)
        return int(version)


def test_a_migration_killed_in_the_middle_happened_wholly_or_not_at_all(tmp_path: Path) -> None:
    assert set(kill_while_migrating(tmp_path, rounds=8, seed=5)) <= {0, 1, 2}
