"""Mistakes that no exercise left: cards like the others, with a number that nothing else ever had."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lessons.model import ErrorType, MistakeFilter, Track
from storage import migrate
from storage.connection import Database
from tests.storage.test_upgrade import file_of
from tests.storage.world import (
    AIKO,
    AT,
    BEN,
    CARD,
    DAY,
    HOME,
    MOD,
    SPACE,
    Stores,
    accepted,
    begin,
    hit,
    miss,
    save,
    stores,
)

if TYPE_CHECKING:
    from pathlib import Path

NOTED = replace(CARD, track=Track.EXERCISE, typed="へ", error_type=ErrorType.TENSE, level="N3")


async def test_a_noted_mistake_is_listed_with_where_it_was_made(to: Stores) -> None:
    noted = await to.studies.note_mistake(AIKO, NOTED, "Requests", AT)
    (found,) = await to.mistakes.page(AIKO, MistakeFilter(), 0, 9)
    assert (found.id, found.user_id, found.item_id, found.card) == (noted, AIKO, None, NOTED)
    assert (found.at, found.pack_name, found.relabelled) == (AT, "Requests", False)
    assert await to.mistakes.items_of([noted], AIKO) == []
    assert await to.mistakes.page(BEN, MistakeFilter(), 0, 9) == []


async def test_its_text_may_hold_anything(to: Stores) -> None:
    wild = replace(NOTED, prompt="\ud800", reference="\ud800", typed="\ud800", feedback="\ud800", level="\ud800")
    noted = await to.studies.note_mistake(AIKO, wild, "\ud800", AT)
    found = await to.mistakes.mistake(noted, AIKO)
    assert found is not None
    assert (found.card.prompt, found.card.reference, found.card.level, found.pack_name) == ("?", "?", "?", "?")


async def test_recall_takes_it_for_an_exercise_of_its_own(to: Stores) -> None:
    one = await to.studies.note_mistake(AIKO, NOTED, "Requests", AT)
    two = await to.studies.note_mistake(AIKO, NOTED, "Requests", AT + DAY)
    lacking = await to.memories.without_vector(SPACE, 9)
    assert [(user, trace.mistake, trace.item) for user, trace in lacking] == [(AIKO, one, None), (AIKO, two, None)]
    await to.memories.save_many(SPACE, [(AIKO, mistake, np.ones(4, np.float32)) for mistake in (one, two)])
    memory = await to.memories.memory(AIKO, [Track.EXERCISE], SPACE)
    assert memory.mistakes.tolist() == [one, two]
    assert memory.items.tolist() == [-one, -two]


async def test_no_number_is_given_twice_whatever_is_deleted_in_between(to: Stores) -> None:
    await save(to)
    given = []
    note = partial(to.studies.note_mistake, AIKO, NOTED, "Requests")
    for round_ in range(4):
        _, exercises = await begin(to)
        given += [await note(AT), await note(AT)]
        await to.mistakes.delete(given[-1], AIKO)
        for exercise in exercises[: round_ % 3]:
            await hit(to, exercise)
        for exercise in exercises[round_ % 3 :]:
            _, mistake = await miss(to, exercise)
            given.append(mistake)
            await to.mistakes.delete(mistake, AIKO)
    assert len(set(given)) == len(given) == 17


async def test_the_card_of_an_attempt_that_was_overturned_keeps_its_number(to: Stores) -> None:
    await save(to)
    _, (exercise, *_) = await begin(to)
    attempt, mistake = await miss(to, exercise)
    assert await to.appeals.open_appeal(attempt, AIKO, "ば", AT)
    (appeal,) = await to.appeals.waiting(HOME, 9)
    assert await to.appeals.decide(appeal.id, HOME, MOD, AT, accepted("ば"))
    noted = await to.studies.note_mistake(AIKO, NOTED, "Requests", AT)
    assert await to.appeals.reopen(appeal.id, HOME, AT)
    found = await to.mistakes.page(AIKO, MistakeFilter(), 0, 9)
    assert {one.id for one in found} == {noted, mistake}
    assert noted != mistake


@pytest.mark.parametrize("version", [1, 2, 3, 4])
async def test_a_number_is_free_of_what_attempts_of_earlier_releases_could_claim(tmp_path: Path, version: int) -> None:
    file_of(version, tmp_path / "data")
    async with Database(migrate.prepare(tmp_path / "data", at=AT)) as db:
        to = stores(db)
        async with db.reading() as snapshot:
            (row,) = await snapshot.all("SELECT max(id) AS last FROM attempt")
        noted = await to.studies.note_mistake(AIKO, NOTED, "Requests", AT)
        assert noted > row["last"]
        appeals = await to.appeals.waiting(HOME, 9)
        for appeal in appeals:
            await to.appeals.decide(appeal.id, HOME, MOD, AT, accepted(appeal.typed))
        await to.studies.note_mistake(AIKO, NOTED, "Requests", AT)
        for appeal in appeals:
            assert await to.appeals.reopen(appeal.id, HOME, AT)
