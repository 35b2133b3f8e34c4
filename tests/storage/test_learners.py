"""People and what they chose."""

from __future__ import annotations

from lessons.model import Learner, Preferences
from tests.storage.world import AIKO, AT, AWAY, BEN, DAY, HOME, Stores


async def test_a_stranger_has_the_defaults_and_is_not_stored(to: Stores) -> None:
    assert await to.learners.learner(AIKO) == Learner(AIKO)
    async with to.db.reading() as snapshot:
        assert await snapshot.all("SELECT * FROM learner") == []


async def test_what_was_chosen_is_kept_and_can_be_changed(to: Stores) -> None:
    chosen = Preferences("Asia/Tokyo", "ja", 5, 50, 20, furigana=False, joined_tracks=True)
    await to.learners.save_preferences(AIKO, chosen, AT, zone_chosen=True)
    assert await to.learners.learner(AIKO) == Learner(AIKO, chosen, zone_chosen=True)
    await to.learners.save_preferences(AIKO, Preferences(), AT + DAY, zone_chosen=False)
    assert await to.learners.learner(AIKO) == Learner(AIKO)
    async with to.db.reading() as snapshot:
        row = await snapshot.one("SELECT updated_at - created_at AS later FROM learner")
    assert row is not None
    assert row["later"] == DAY.total_seconds() * 1000


async def test_preferences_of_one_are_not_those_of_another(to: Stores) -> None:
    await to.learners.save_preferences(AIKO, Preferences("Asia/Tokyo"), AT, zone_chosen=True)
    assert await to.learners.learner(BEN) == Learner(BEN)


async def test_visits_are_listed_latest_first_and_forgotten_one_by_one(to: Stores) -> None:
    await to.learners.note_visit(AIKO, HOME, AT)
    await to.learners.note_visit(AIKO, AWAY, AT + DAY)
    assert await to.learners.visited(AIKO) == [(AWAY, AT + DAY), (HOME, AT)]
    await to.learners.note_visit(AIKO, HOME, AT + 2 * DAY)
    await to.learners.note_visit(AIKO, HOME, AT)  # late news do not turn time back
    assert await to.learners.visited(AIKO) == [(HOME, AT + 2 * DAY), (AWAY, AT + DAY)]
    await to.learners.forget_visit(AIKO, HOME)
    assert await to.learners.visited(AIKO) == [(AWAY, AT + DAY)]
    assert await to.learners.visited(BEN) == []


async def test_a_visit_keeps_what_the_learner_chose(to: Stores) -> None:
    await to.learners.save_preferences(AIKO, Preferences(drill_length=7), AT, zone_chosen=False)
    await to.learners.note_visit(AIKO, HOME, AT)
    assert (await to.learners.learner(AIKO)).preferences.drill_length == 7
