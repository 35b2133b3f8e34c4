"""Of twenty people in every table one asks for everything, and to be forgotten: they get theirs, and leave nobody else's less."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path

import pytest

from lessons.errors import Forgotten
from lessons.model import Holdings, Preferences, Speaker, UserId
from storage import connection
from storage.connection import Database
from storage.records import PAGE, RecordStore
from storage.sections import SECTIONS
from tests.storage.crowd import MODERATORS, PEOPLE, SERVERS_OWN, Crowd, key, mark, user
from tests.storage.test_faults import files_end_at
from tests.storage.world import AIKO, AT, BEN, HOME, MINUTE, Stores, attempt, begin, hand_over, miss, rows, save, study

LEAVING = 7

NOT_HANDED_OUT = {
    ("chunk", "text"): "a piece of a document, whose whole text is there",
    ("chunk_vector", "embedder"): "of vectors of documents only their number is of use",
}

# what of a row about somebody else, or of nobody in particular, a person who leaves changes
NAME_GOES = {
    ("pack", "saved_by"): None,
    ("feed", "added_by"): 0,
    ("appeal", "decided_by"): None,
    ("schedule", "made_by"): 0,
    ("model_usage", "user_id"): None,
    ("shared_drill", "started_by"): None,
}


@pytest.fixture
def crowded(file: Path) -> Path:
    """A file with twenty people in every table."""
    with closing(sqlite3.connect(file)) as conn:
        conn.execute("PRAGMA foreign_keys = ON")
        Crowd(conn).fill()
    return file


@pytest.fixture
def crowd(crowded: Path) -> Iterator[Crowd]:
    with closing(sqlite3.connect(crowded)) as conn:
        yield Crowd(conn)


async def handed_out(path: Path, person: int) -> list[tuple[str, dict[str, object]]]:
    async with Database(path) as db:
        sections = RecordStore(db).sections(UserId(person))
        return [(section.name, dict(row)) async for section in sections for row in section.rows]


def after(table: str, names: list[str], row: tuple[object, ...]) -> tuple[object, ...] | None:
    """What is left of a row that is this person's or names them; None: nothing."""
    changed = tuple(
        NAME_GOES[table, name] if (table, name) in NAME_GOES and cell == user(LEAVING) else cell
        for name, cell in zip(names, row, strict=True)
    )
    return None if changed == row or user(LEAVING) in changed else changed


async def test_everything_of_one_person_goes_and_nothing_of_the_others(crowded: Path, crowd: Crowd) -> None:
    names = {table: [name for name, *_ in crowd.columns(table)] for table in crowd.tables}
    expected = {}
    for table in crowd.tables:
        kept = [
            after(table, names[table], row) if crowd.is_of(table, row, LEAVING) else row for row in crowd.rows(table)
        ]
        expected[table] = sorted((row for row in kept if row is not None), key=repr)
        assert len(expected[table]) >= PEOPLE - 1
    async with Database(crowded) as db:
        erased = await RecordStore(db).erase(UserId(user(LEAVING)), lambda: AT)
        assert (erased.rooms, erased.cards) == ((key(LEAVING),), (key(LEAVING),))
        assert set(asdict(erased.held).values()) == {1, 2, 5}
        left = b"".join(part.read_bytes() for part in crowded.parent.glob("*.db*"))
        assert {table: crowd.rows(table) for table in crowd.tables} == expected
        assert left.count(mark(LEAVING).encode()) == left.count(str(user(LEAVING)).encode()) == 0
        assert left.count(user(LEAVING).to_bytes(8, "big")) == 0
        assert all(left.count(mark(n).encode()) > 0 for n in range(PEOPLE) if n != LEAVING)
        for table in crowd.tables:
            assert not any(user(LEAVING) in row for row in crowd.rows(table)), table
        assert await RecordStore(db).holdings(UserId(user(LEAVING))) == Holdings()
        assert (await RecordStore(db).erase(UserId(user(LEAVING)), lambda: AT)).held.are_none
        assert {table: crowd.rows(table) for table in crowd.tables} == expected


async def test_a_person_gets_everything_of_theirs_and_nothing_of_others(crowded: Path, crowd: Crowd) -> None:
    out = json.dumps(await handed_out(crowded, user(LEAVING)), ensure_ascii=False)
    wanted = {
        (table, name) for table in crowd.tables if table not in SERVERS_OWN for name in crowd.marked(table)
    } - set(NOT_HANDED_OUT)
    missing = [where for where in wanted if mark(LEAVING, ".".join(where)) not in out]
    assert missing == []
    assert not any(f"{user(n)}" in out for n in range(PEOPLE) if n != LEAVING)
    assert await handed_out(crowded, 1) == []


async def test_every_table_that_names_a_person_is_asked_for(crowd: Crowd) -> None:
    personal = {
        table
        for table in crowd.tables
        if table not in SERVERS_OWN
        or {(table, name) for name, *_ in crowd.columns(table)} & (MODERATORS | set(NAME_GOES))
    }
    asked = "\n".join(SECTIONS.values())
    assert [table for table in personal if not re.search(rf"\b(FROM|JOIN) {table}\b", asked)] == []


async def test_what_is_handed_out_reads_as_words(crowded: Path) -> None:
    found = dict(reversed(await handed_out(crowded, user(LEAVING))))
    assert found["you"]["person_id"] == str(user(LEAVING))
    assert found["you"]["is_reading_shown"] is True
    assert found["days_of_practice"] == {"practised_day": "1991-11-27"}
    assert found["questions_and_answers"]["answered_at"] == "1970-01-01T00:00:08.000+00:00"
    assert found["mistakes"]["numbers_in_its_vector"] == 18
    assert found["schedules"]["local_time"] == "07:30"
    assert found["schedules"]["weekdays"] == "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    assert isinstance(found["studies"]["topics"], list)
    assert not any(isinstance(cell, bytes) for row in found.values() for cell in row.values())


@pytest.mark.parametrize("amount", [PAGE - 1, PAGE, PAGE + 1])
async def test_records_come_whole_also_at_the_edge_of_a_page(to: Stores, amount: int) -> None:
    await hand_over(to)
    async with to.db.reading() as snapshot:
        assert await snapshot.one("SELECT 1") is not None

    async def many(transaction: object) -> None:
        days = [(AIKO, day) for day in range(amount)]
        await transaction.many("INSERT INTO study_day VALUES (?, ?)", days)  # type: ignore[attr-defined]

    await to.db.write(many)
    parts = [part async for part in to.records.sections(AIKO) if part.name == "days_of_practice"]
    assert [day["practised_day"] for part in parts for day in part.rows] == sorted(
        {day["practised_day"] for part in parts for day in part.rows}
    )
    assert sum(len(part.rows) for part in parts) == amount


async def test_what_was_begun_before_the_farewell_brings_nobody_back(to: Stores) -> None:
    later = AT + MINUTE
    await save(to, items=rows(2))
    _, exercises = await begin(to)
    await to.records.erase(AIKO, lambda: later)
    assert await to.drills.record(attempt(exercises[0]), None, None) is None  # its drill is gone
    begun_before = [
        to.studies.say(None, AIKO, Speaker.TUTOR, "なるほど", source=1, at=AT),
        to.learners.note_visit(AIKO, HOME, AT),
        to.learners.save_preferences(AIKO, Preferences(), AT, zone_chosen=False),
        hand_over(to),
        to.studies.begin(study(), AT),
        begin(to),
    ]
    for write in begun_before:
        with pytest.raises(Forgotten):
            await write
    assert (await to.records.holdings(AIKO)).are_none
    await to.learners.note_visit(BEN, HOME, AT)


async def test_who_comes_back_begins_anew_and_is_followed_by_nothing_old(to: Stores) -> None:
    later = AT + MINUTE
    await to.learners.note_visit(AIKO, HOME, AT)
    await to.records.erase(AIKO, lambda: later)
    await to.learners.note_visit(AIKO, HOME, later)
    with pytest.raises(Forgotten):
        await to.studies.say(None, AIKO, Speaker.TUTOR, "なるほど", source=1, at=AT)
    assert await to.records.holdings(AIKO) == Holdings(settings=1, servers=1)


async def test_a_farewell_that_fails_leaves_everything_as_it_was(to: Stores) -> None:
    await to.learners.note_visit(AIKO, HOME, AT)
    with suppress(ZeroDivisionError), to.db.leaving.farewell(AIKO, lambda: AT):
        with pytest.raises(Forgotten):  # while it is under way nothing is written at all
            await to.learners.note_visit(AIKO, HOME, AT + MINUTE)
        raise ZeroDivisionError
    await to.learners.note_visit(AIKO, HOME, AT)
    with to.db.leaving.farewell(AIKO, lambda: AT + MINUTE):
        pass
    with pytest.raises(ZeroDivisionError), to.db.leaving.farewell(AIKO, lambda: AT):
        raise ZeroDivisionError
    with pytest.raises(Forgotten):
        await to.learners.note_visit(AIKO, HOME, AT)
    await to.leftovers.forget_who_left(AT + MINUTE)
    assert len(to.db.leaving) == 1
    await to.leftovers.forget_who_left(AT + 2 * MINUTE)
    assert len(to.db.leaving) == 0


async def test_two_farewells_at_once_are_one(to: Stores) -> None:
    await to.learners.note_visit(AIKO, HOME, AT)
    later = AT + MINUTE
    erased = await asyncio.gather(*(to.records.erase(AIKO, lambda: later) for _ in range(3)))
    assert sorted(one.held.settings for one in erased) == [0, 0, 1]
    with suppress(ZeroDivisionError), to.db.leaving.farewell(AIKO, lambda: later):
        with to.db.leaving.farewell(AIKO, lambda: later):
            pass
        with pytest.raises(Forgotten):  # the other one is still under way
            await to.learners.note_visit(AIKO, HOME, later)
        raise ZeroDivisionError
    await to.learners.note_visit(AIKO, HOME, later)


async def test_answers_that_come_in_while_somebody_leaves_are_whole_or_not_there(to: Stores) -> None:
    """Whatever the order, nothing of who leaves is left, and nothing of who stays is missing."""
    await save(to, items=rows(20))
    theirs = {user: (await begin(to, user))[1] for user in (AIKO, BEN)}
    answers = [miss(to, exercise, user) for user in theirs for exercise in theirs[user]]
    half = len(answers) // 4

    leaving = to.records.erase(AIKO, lambda: AT + MINUTE)
    outcomes = await asyncio.gather(*answers[:half], leaving, *answers[half:], return_exceptions=True)
    assert sum(isinstance(one, AssertionError) for one in outcomes) > 0  # some of Aiko's came too late
    assert (await to.records.holdings(AIKO)).are_none
    assert (await to.records.holdings(BEN)).mistakes == 20
    async with to.db.reading() as snapshot:
        assert await snapshot.all("PRAGMA foreign_key_check") == []
        assert len(await snapshot.all("SELECT 1 FROM exercise")) == 20


async def test_the_log_is_emptied_once_readers_are_done(to: Stores, file: Path) -> None:
    log = file.with_name(f"{file.name}-wal")
    await to.learners.note_visit(AIKO, HOME, AT)
    reading = to.db.reading()
    snapshot = await reading.__aenter__()
    assert await snapshot.all("SELECT * FROM visit") != []
    await to.learners.note_visit(BEN, HOME, AT)
    assert await to.db._require_open().empty_log() is False
    await to.learners.note_visit(BEN, HOME, AT + timedelta(days=1))  # nobody waits for the reader
    await reading.__aexit__(None, None, None)
    assert await to.db.empty_log() is True
    assert log.stat().st_size == 0
    assert replace(Holdings(), settings=1, servers=1) == await to.records.holdings(BEN)


async def test_a_log_that_cannot_be_emptied_is_told_to_the_operator_and_to_nobody_else(
    to: Stores, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection, "TRIES", 2)
    monkeypatch.setattr(connection, "PAUSE", 0.0)
    await to.learners.note_visit(AIKO, HOME, AT)
    async with to.db.reading() as snapshot:
        assert await snapshot.all("SELECT * FROM visit") != []
        assert (await to.records.erase(AIKO, lambda: AT)).held.servers == 1
        assert "it will be tried again within the hour" in caplog.text
    await to.leftovers.forget_who_left(AT)
    with files_end_at(0):
        await asyncio.sleep(0)
        assert await to.db.empty_log() is True  # there is nothing in it
    await to.learners.note_visit(BEN, HOME, AT)
    with files_end_at(0):
        assert await to.db.empty_log() is False
    assert "the log could not be emptied: OperationalError" in caplog.text
    assert await to.db.empty_log() is True
    await to.learners.note_visit(BEN, HOME, AT)


async def test_a_closed_log_is_not_emptied(to: Stores) -> None:
    await to.db.close()
    with pytest.raises(RuntimeError, match="closed"):
        await to.db.empty_log()
