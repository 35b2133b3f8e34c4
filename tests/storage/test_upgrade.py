"""Files of earlier releases: brought up whole, with all that was in them, whenever the process dies on the way."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lessons.model import DocumentKind, ErrorType, GradeSource, InteractionId, MistakeFilter, Purpose, Track
from storage import codec, migrate
from storage.backup import newest_first
from storage.connection import Database
from tests.storage.test_crash import MIGRATING
from tests.storage.world import AIKO, AT, BEN, CARD, DAY, HOME, SPACE, SPACING, attempt, begin, save, stores

if TYPE_CHECKING:
    from collections.abc import Sequence

RELEASES = Path(__file__).with_name("releases")
NEWEST = len(list(migrate.MIGRATIONS.glob("*.sql")))
VERSIONS = range(1, NEWEST)


def file_of(version: int, folder: Path) -> Path:
    """A file as that version left it, with a little of everything in it."""
    folder.mkdir()
    file = folder / migrate.FILE
    with closing(sqlite3.connect(file)) as conn:
        conn.executescript((RELEASES / f"version_{version}.sql").read_text(encoding="utf-8"))
    return file


def ask(file: Path, sql: str) -> Sequence[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as conn:
        return conn.execute(sql).fetchall()


def schema(file: Path) -> Sequence[tuple[object, ...]]:
    return ask(file, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")


def content(file: Path, columns: dict[str, str]) -> dict[str, Sequence[tuple[object, ...]]]:
    """What stands in these columns of these tables."""
    return {table: ask(file, f"SELECT {names} FROM {table}") for table, names in columns.items()}


def columns(file: Path) -> dict[str, str]:
    """The columns of every table."""
    found = ask(file, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    return {
        str(table): ", ".join(str(column) for _, column, *_ in ask(file, f"PRAGMA table_info({table})"))
        for (table,) in found
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_a_release_left_the_schema_that_its_migrations_make(tmp_path: Path, version: int) -> None:
    """Else the file proves nothing about those that are out there; migrations that were released never change."""
    scripts = tmp_path / "migrations"
    scripts.mkdir()
    for script in sorted(migrate.MIGRATIONS.glob("*.sql"))[:version]:
        (scripts / script.name).write_bytes(script.read_bytes())
    made = migrate.prepare(tmp_path / "made", at=AT, migrations=scripts)
    kept = file_of(version, tmp_path / "kept")
    assert [row[:3] for row in schema(kept)] == [row[:3] for row in schema(made)]
    assert [plain(row[3]) for row in schema(kept)] == [plain(row[3]) for row in schema(made)]
    assert ask(kept, "PRAGMA user_version") == [(version,)]


def plain(sql: object) -> list[str]:
    return str(sql).replace('"', "").split()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_upgraded_file_is_a_new_one_with_the_old_content(tmp_path: Path, version: int) -> None:
    file = file_of(version, tmp_path / "data")
    known = columns(file)
    before = content(file, known)
    assert all(before[table] for table in before if table != "upload")
    assert migrate.prepare(file.parent, at=AT) == file
    assert [plain(row) for row in schema(file)] == [
        plain(row) for row in schema(migrate.prepare(tmp_path / "new", at=AT))
    ]
    assert content(file, known) == before
    assert ask(file, "PRAGMA user_version") == [(NEWEST,)]
    assert ask(file, "PRAGMA foreign_key_check") == []
    assert ask(file, "PRAGMA integrity_check") == [("ok",)]
    (copy,) = newest_first(file.parent)
    assert ask(copy, "PRAGMA user_version") == [(version,)]
    assert columns(copy) == known
    assert content(copy, known) == before


async def test_mistakes_of_version_1_get_their_vectors_later(tmp_path: Path) -> None:
    file = file_of(1, tmp_path / "data")
    async with Database(migrate.prepare(file.parent, at=AT)) as db:
        to = stores(db)
        assert await to.memories.coverage(SPACE) == (0, 5)
        lacking = await to.memories.without_vector(SPACE, 100)
        await to.memories.save_many(SPACE, [(user, trace.mistake, np.ones(4, np.float32)) for user, trace in lacking])
        for user in (AIKO, BEN):
            theirs = sorted(m.id for m in await to.mistakes.page(user, MistakeFilter(), 0, 100))
            memory = await to.memories.memory(user, [Track.LESSON], SPACE)
            assert sorted(memory.mistakes) == theirs
            assert list(ErrorType).index(ErrorType.TENSE) in memory.kinds
        _, exercises = await begin(to, BEN)
        answer = replace(attempt(exercises[0], BEN, at=AT + DAY), interaction=InteractionId(10**6))
        recorded = await to.drills.record(answer, SPACING, CARD)
        assert recorded is not None
        assert recorded[1] is not None
        assert recorded[1] > max(trace.mistake for _, trace in lacking)
        assert [trace.mistake for _, trace in await to.memories.without_vector(SPACE, 9)] == [recorded[1]]


def killed(data: Path, pause: float) -> int:
    """Kill a process that brings this folder's file up, after so many seconds; return the version it left."""
    command = [sys.executable, "-c", MIGRATING, str(data), str(migrate.MIGRATIONS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.stdin.write("go\n")
        process.stdin.flush()
        time.sleep(pause)
        process.kill()
    ((version,),) = ask(data / migrate.FILE, "PRAGMA user_version")
    assert isinstance(version, int)
    return version


def kill_while_upgrading(folder: Path, rounds: int, seed: int) -> list[int]:
    """Kill upgrades from version 1 at moments of one run; return the versions that were found, each whole."""
    first = file_of(1, folder / "first")
    known = columns(first)
    before = content(first, known)
    schemas = {1: schema(first)} | {version: schema_at(version, folder) for version in range(2, NEWEST + 1)}
    whole = file_of(1, folder / "whole")
    started = time.perf_counter()
    migrate.prepare(whole.parent, at=AT)
    run = time.perf_counter() - started
    chance = random.Random(seed)
    versions = []
    for number in range(rounds):
        file = file_of(1, folder / str(number))
        versions.append(killed(file.parent, chance.uniform(0, 1.2 * run)))
        assert schema(file) == schemas[versions[-1]]
        assert content(file, known) == before
        migrate.prepare(file.parent, at=AT)
        assert schema(file) == schemas[NEWEST]
        assert content(file, known) == before
        for copy in newest_first(file.parent):
            assert content(copy, known) == before
    return versions


def schema_at(version: int, folder: Path) -> Sequence[tuple[object, ...]]:
    """The schema of a file of version 1 that was brought up to a version."""
    scripts = folder / f"up to {version}"
    scripts.mkdir()
    for script in sorted(migrate.MIGRATIONS.glob("*.sql"))[:version]:
        (scripts / script.name).write_bytes(script.read_bytes())
    file = file_of(1, folder / f"at {version}")
    migrate.prepare(file.parent, at=AT, migrations=scripts)
    return schema(file)


def test_an_upgrade_killed_in_the_middle_happened_wholly_or_not_at_all(tmp_path: Path) -> None:
    assert set(kill_while_upgrading(tmp_path, rounds=8, seed=2)) <= set(range(1, NEWEST + 1))


async def test_news_judgements_and_mistakes_of_version_3_are_as_they_were(tmp_path: Path) -> None:
    file = file_of(3, tmp_path / "data")
    async with Database(migrate.prepare(file.parent, at=AT)) as db:
        to = stores(db)
        (article,) = await to.articles.of_guilds([HOME], 9)
        (feed,) = await to.feeds.of_guild(HOME)
        assert (article.blanks, article.feed_id, feed.articles) == (6, feed.id, 1)
        (waiting,) = await to.judgements.waiting(9, AT + 9 * DAY)
        assert (waiting.user, waiting.typed) == (AIKO, "に")
        assert [told.grade.source for told in await to.judgements.news_of(AIKO)] == [GradeSource.JUDGE]
        assert await to.memories.coverage(SPACE) == (5, 7)
        memory = await to.memories.memory(AIKO, [Track.LESSON, Track.EXERCISE], SPACE)
        assert memory.mistakes.tolist() == sorted(memory.mistakes)
        assert {row.purpose for row in await to.usage.bill(AT.date())} == {Purpose.GRADE, Purpose.REGRADE}
        assert await to.usage.settle_lost() == 1
        judged = replace(attempt(waiting.exercise, AIKO, at=AT + 3 * DAY), typed=waiting.typed)
        mistake = await to.judgements.decide(waiting.attempt, judged, SPACING, CARD)
        assert mistake is not None
        assert mistake > max(memory.mistakes)


async def test_packs_and_learners_of_version_2_are_as_they_were(tmp_path: Path) -> None:
    file = file_of(2, tmp_path / "data")
    async with Database(migrate.prepare(file.parent, at=AT)) as db:
        to = stores(db)
        assert [pack.name for pack in await to.packs.visible([HOME])] == ["N5", "starter"]
        assert not (await to.learners.learner(AIKO)).preferences.joined_tracks
        assert (await to.learners.learner(BEN)).preferences.time_zone == "Asia/Tokyo"
        memory = await to.memories.memory(AIKO, [Track.LESSON], SPACE)
        assert memory.items.tolist() == [1, 3]
        again = await save(to)
        assert (again.pack.id, again.unchanged) == (1, 3)
        drill = await to.drills.open_drill(BEN, Track.LESSON)
        assert drill is not None
        assert drill.waiting == 0
        found = await to.drills.exercises(drill.id, BEN)
        assert [exercise.item.clipping for exercise in found] == [None] * 4
        told = {exercise.grade.source for exercise in found if exercise.grade}
        assert told == {GradeSource.STRING}


async def test_documents_studies_and_corrections_of_version_4_are_as_they_were(tmp_path: Path) -> None:
    file = file_of(4, tmp_path / "data")
    async with Database(migrate.prepare(file.parent, at=AT)) as db:
        to = stores(db)
        assert [document.kind for document in await to.documents.of_user(AIKO)] == [DocumentKind.GOAL]
        assert [line.text for line in await to.profiles.lines(AIKO)] == ["N3 in July", "Hotel in Kyoto"]
        (open_one,) = await to.studies.open_of(AIKO)
        assert [turn.text for turn in await to.studies.turns(open_one.id, AIKO, 9)] == [
            "待ってください",
            "少々お待ちください is more polite.",
        ]
        noted = await to.mistakes.page(AIKO, MistakeFilter(error_type=ErrorType.POLITENESS), 0, 9)
        assert [(one.card.typed, one.item_id) for one in noted] == [("待って", None)]
        preferences = (await to.learners.learner(AIKO)).preferences
        assert (preferences.named, preferences.counted, preferences.streaks) == (False, False, True)
        assert await to.schedules.active() == []
        assert ask(file, "SELECT count(*) > 0, min(day) FROM study_day") == [(1, codec.to_day(AT))]
