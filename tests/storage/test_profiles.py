"""Profiles: what the learner wrote stands above what an analysis says, and both go when they say so."""

from __future__ import annotations

from itertools import permutations

import pytest

from lessons.model import Origin, ProfileField, ProfileLine
from tests.storage.world import AIKO, AT, BEN, DAY, Stores


def line(field: ProfileField, text: str, origin: Origin = Origin.LEARNER) -> ProfileLine:
    return ProfileLine(field, text, origin)


OWN = line(ProfileField.TARGET, "N3 in July")
READ = line(ProfileField.TARGET, "N2 some day", Origin.ANALYSIS)
GAPS = line(ProfileField.GAPS, "は and が", Origin.ANALYSIS)


async def test_a_stranger_has_no_lines_and_gets_no_row_by_taking_some_away(to: Stores) -> None:
    assert await to.profiles.lines(AIKO) == []
    await to.profiles.write(AIKO, [line(ProfileField.GAPS, " \n")], AT)
    await to.profiles.write(AIKO, [], AT)
    assert await to.profiles.forget(AIKO, None) == 0
    async with to.db.reading() as snapshot:
        assert await snapshot.all("SELECT * FROM learner") == []


async def test_lines_stand_in_the_order_of_the_fields(to: Stores) -> None:
    lines = [line(field, f"{field} 一") for field in ProfileField]
    await to.profiles.write(AIKO, lines[::-1], AT)
    assert await to.profiles.lines(AIKO) == lines
    assert await to.profiles.lines(BEN) == []


@pytest.mark.parametrize("order", list(permutations([OWN, READ, GAPS])))
async def test_the_learners_own_line_stands_above_an_analysis(to: Stores, order: tuple[ProfileLine, ...]) -> None:
    for one in order:
        await to.profiles.write(AIKO, [one], AT)
    assert await to.profiles.lines(AIKO) == [OWN, GAPS]
    await to.profiles.write(AIKO, [line(OWN.field, "")], AT + DAY)
    assert await to.profiles.lines(AIKO) == [READ, GAPS]


async def test_a_line_takes_the_place_of_that_of_the_same_origin(to: Stores) -> None:
    await to.profiles.write(AIKO, [OWN, READ], AT)
    later = line(ProfileField.TARGET, "N1")
    await to.profiles.write(AIKO, [line(ProfileField.TARGET, "N4"), later], AT + DAY)
    assert await to.profiles.lines(AIKO) == [later]
    assert await to.profiles.forget(AIKO, ProfileField.TARGET) == 2


async def test_one_field_or_all_of_them_are_forgotten(to: Stores) -> None:
    await to.profiles.write(AIKO, [OWN, READ, GAPS], AT)
    await to.profiles.write(BEN, [OWN], AT)
    assert await to.profiles.forget(AIKO, ProfileField.PROJECTS) == 0
    assert await to.profiles.forget(AIKO, ProfileField.GAPS) == 1
    assert await to.profiles.forget(AIKO, None) == 2
    assert await to.profiles.lines(AIKO) == []
    assert await to.profiles.lines(BEN) == [OWN]


async def test_a_summary_is_never_stored_nor_what_came_with_it(to: Stores) -> None:
    with pytest.raises(ValueError, match="summary"):
        await to.profiles.write(AIKO, [OWN, line(ProfileField.GAPS, "counted", Origin.SUMMARY)], AT)
    assert await to.profiles.lines(AIKO) == []


async def test_what_a_model_wrote_may_hold_anything(to: Stores) -> None:
    await to.profiles.write(AIKO, [line(ProfileField.FOCUS, "a\ud800\0'; DROP TABLE learner")], AT)
    assert (await to.profiles.lines(AIKO))[0].text == "a?\0'; DROP TABLE learner"
