"""Articles: kept once, asked about sentence by sentence, and gone when they are taken down."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lessons.model import BLANK, Article, Clipping, ErrorType, Grade, PackId, Track, Unit, Verdict
from tests.storage.world import (
    AIKO,
    AT,
    AWAY,
    BEN,
    CARD,
    DAY,
    EXACT,
    HOME,
    MINUTE,
    SPACE,
    SPACING,
    Stores,
    accepted,
    article,
    attempt,
    begin,
    cutting,
    hit,
    items_of,
    miss,
    publish,
    read_news,
    rows,
    save,
)

if TYPE_CHECKING:
    from pathlib import Path

    from lessons.model import ItemId, UserId


def bytes_of(file: Path) -> bytes:
    return file.read_bytes()


async def candidates(to: Stores, *articles: Article, user: UserId = AIKO) -> list[ItemId]:
    return [each.item for each in await to.articles.candidates(user, [each.id for each in articles])]


async def test_an_article_is_kept_with_its_sentences_and_nothing_else(to: Stores, file: Path) -> None:
    given = article()
    kept = await to.articles.save(given, AT)
    assert kept is not None
    assert kept == Article(
        kept.id, HOME, "大雨 1", "きょうのニュース", "https://news.example/1", "ja", AT, AT - DAY, None, 2, 6
    )
    assert await to.articles.article(kept.id, [AWAY, HOME]) == kept
    assert await to.articles.article(kept.id, [AWAY]) is None
    assert await to.articles.article(PackId(99), [HOME]) is None
    assert await to.articles.article(kept.id, []) is None


async def test_an_item_of_an_article_says_where_it_was_clipped_from(to: Stores) -> None:
    kept = await publish(to)
    items = await to.packs.items(kept.id)
    sentences = [item.clipping.sentence for item in items if item.clipping]
    assert sentences == [items[0].id] * 3 + [items[3].id] * 3
    assert items[1].clipping == Clipping(
        items[0].id, Unit.PARTICLE, "N4", 0.75, False, "大雨 1", "きょうのニュース", "https://news.example/1", "ja"
    )
    assert [item.clipping.closed for item in items[:2] if item.clipping] == [True, False]
    assert items[1].row == cutting(0, 1).prepared.row
    exercises = await read_news(to, [item.id for item in items])
    assert [exercise.item for exercise in exercises] == items
    assert await to.packs.item(items[4].id) == items[4]
    assert (await to.drills.exercise(exercises[4].id, AIKO)) == exercises[4]


async def test_lesson_packs_have_no_clipping_and_never_see_an_article(to: Stores) -> None:
    pack = (await save(to, "大雨 1")).pack
    kept = await publish(to)
    assert await to.packs.visible([HOME]) == [pack]
    assert await to.packs.find("大雨 1", [HOME]) == pack
    assert await to.packs.by_id(kept.id) is None
    await to.packs.remove(kept.id, AT)
    assert await to.articles.article(kept.id, [HOME]) is not None
    assert (await save(to, "大雨 1")).unchanged == 3
    await to.packs.remove(pack.id, AT)
    assert await to.packs.removed("大雨 1", HOME) is not None
    await to.articles.remove(kept.id, HOME, AT)
    again = await save(to, "大雨 1")
    assert again.pack.id == pack.id
    assert [item.clipping for item in await to.packs.items(pack.id)] == [None] * 3


async def test_the_last_pack_is_never_an_article(to: Stores) -> None:
    kept = await publish(to)
    exercises = await read_news(to, await items_of(to, kept.id))
    await hit(to, exercises[0], at=AT + DAY)
    assert await to.drills.last_pack(AIKO) is None
    pack = (await save(to)).pack
    await hit(to, (await begin(to))[1][0])
    assert await to.drills.last_pack(AIKO) == pack.id


async def test_a_drill_of_news_and_one_of_lessons_are_open_side_by_side(to: Stores) -> None:
    kept = await publish(to)
    await save(to)
    (first, *_), (drill, _) = await read_news(to, await items_of(to, kept.id)), await begin(to)
    news = await to.drills.open_drill(AIKO, Track.EXERCISE)
    assert news is not None
    assert news.id == first.drill_id
    assert await to.drills.open_drill(AIKO, Track.LESSON) == drill


async def test_what_one_server_knows_is_not_kept_twice(to: Stores) -> None:
    kept = await asyncio.gather(*(to.articles.save(article(), AT) for _ in range(5)))
    assert len([each for each in kept if each]) == 1
    other = replace(article(2), keys=("guid 2", "text 1"))  # the same text under another address
    assert await to.articles.save(other, AT) is None
    assert await to.articles.known(HOME, ["guid 2", "text 1", "guid 1", "new"]) == {"text 1", "guid 1"}
    assert await to.articles.known(AWAY, ["text 1"]) == frozenset()
    assert await to.articles.save(article(guild=AWAY), AT) is not None
    assert len(await to.articles.of_guilds([HOME, AWAY], 9)) == 2


async def test_noted_keys_are_known_whatever_stands_in_them(to: Stores) -> None:
    keys = ["guid", "12", "1.0", "", "null", "あ\ud83d", "a\0b", "' OR 1", '"', "x" * 5000]
    await to.articles.note(HOME, [*keys, "guid"], AT)
    await to.articles.note(HOME, keys, AT + DAY)
    await to.articles.note(HOME, [], AT)
    assert await to.articles.known(HOME, [*keys, "1", "NULL", "a"]) == frozenset(keys)
    assert await to.articles.known(HOME, []) == frozenset()


async def test_an_article_that_cannot_be_kept_leaves_nothing_behind(to: Stores) -> None:
    twice = replace(article(), cuttings=(cutting(0, 1), cutting(0, 1)))
    with pytest.raises(ValueError, match="several rows"):
        await to.articles.save(twice, AT)
    broken = replace(
        article(), cuttings=(cutting(0, 1), replace(cutting(0, 2), blank=replace(cutting(0, 2).blank, certainty=7.0)))
    )
    with pytest.raises(sqlite3.IntegrityError):
        await to.articles.save(broken, AT)
    assert await to.articles.known(HOME, article().keys) == frozenset()
    async with to.db.reading() as snapshot:
        assert await snapshot.all("SELECT id FROM pack UNION ALL SELECT id FROM item") == []
    await publish(to)


@pytest.mark.parametrize(
    ("title", "source", "shown"),
    [
        ("  雨 \n が ", "ニュース", "雨 が"),
        ("", "ニュース", "ニュース"),
        (" \0 ", "\u3000", "?"),
        ("あ\ud83d\0い", "", "あ? い"),
        ("長" * 300, "", "長" * 300),
        ("<@1> `x` '; DROP TABLE pack", "", "<@1> `x` '; DROP TABLE pack"),
    ],
)
async def test_every_title_can_be_stored(to: Stores, title: str, source: str, shown: str) -> None:
    kept = await to.articles.save(replace(article(), title=title, source=source, url="", published=None), AT)
    assert kept is not None
    assert (kept.title, kept.url, kept.published) == (shown, "", None)
    exercises = await read_news(to, await items_of(to, kept.id))
    _, mistake = await miss(to, exercises[0])
    card = await to.mistakes.mistake(mistake, AIKO)
    assert card is not None
    assert card.pack_name == shown[:60]


async def test_articles_with_something_to_ask_are_listed_newest_first(to: Stores) -> None:
    older = await publish(to, 1, at=AT - DAY)
    newer = await publish(to, 2)
    theirs = await publish(to, 3, AWAY, AT - MINUTE)
    assert await to.articles.save(replace(article(4), cuttings=()), AT) is not None
    gone = await publish(to, 5, at=AT + DAY)
    await to.articles.remove(gone.id, HOME, AT + DAY)
    assert await to.articles.of_guilds([HOME, AWAY], 9) == [newer, theirs, older]
    assert await to.articles.of_guilds([HOME, AWAY], 2) == [newer, theirs]
    assert await to.articles.of_guilds([AWAY], 9) == [theirs]
    assert await to.articles.of_guilds([], 9) == await to.articles.of_guilds([HOME], -1) == []


async def test_candidates_say_all_that_a_choice_needs(to: Stores) -> None:
    kept = await publish(to)
    items = await items_of(to, kept.id)
    found = await to.articles.candidates(AIKO, [kept.id])
    assert [each.item for each in found] == items
    assert {(each.article, each.reference, each.unit, each.error_type, each.level, each.at) for each in found} == {
        (kept.id, "が", Unit.PARTICLE, ErrorType.PARTICLE, "N4", AT)
    }
    assert [each.sentence for each in found] == [items[0]] * 3 + [items[3]] * 3
    assert [each.closed for each in found] == [True, False, False] * 2
    assert {each.certainty for each in found} == {0.75}


async def test_a_blank_without_a_skill_is_of_another_kind(to: Stores) -> None:
    plain = cutting(0, 0)
    plain = replace(plain, prepared=replace(plain.prepared, row=replace(plain.prepared.row, skill=None)))
    kept = await to.articles.save(replace(article(), cuttings=(plain,)), AT)
    assert kept is not None
    assert [each.error_type for each in await to.articles.candidates(AIKO, [kept.id])] == [ErrorType.OTHER]


async def test_a_sentence_that_was_answered_is_no_candidate_any_more(to: Stores) -> None:
    one, other = await publish(to, 1), await publish(to, 2)
    first, second = await items_of(to, one.id), await items_of(to, other.id)
    exercises = await read_news(to, [first[1], first[4]])
    assert await candidates(to, other, one) == [*second, *first]  # to be asked is not to answer
    await miss(to, exercises[0])
    assert await candidates(to, one, other) == [*first[3:], *second]
    await to.drills.record(attempt(exercises[1], grade=Grade(Verdict.SKIPPED, "が"), typed=""), None, None)
    assert await candidates(to, one, other) == second
    assert await candidates(to, one, other, user=BEN) == [*first, *second]
    assert await candidates(to) == []


async def test_only_items_of_articles_that_are_there_are_candidates(to: Stores) -> None:
    kept = await publish(to)
    pack = (await save(to)).pack.id
    assert await to.articles.candidates(AIKO, [pack, PackId(99)]) == []
    await to.articles.remove(kept.id, HOME, AT)
    assert await candidates(to, kept) == []


async def test_what_was_answered_comes_back_when_it_is_due(to: Stores) -> None:
    one, other = await publish(to, 1), await publish(to, 2)
    first, second = await items_of(to, one.id), await items_of(to, other.id)
    exercises = await read_news(to, [first[0], first[3], second[0], second[3]])
    for exercise, minutes in zip(exercises, (3, 1, 2, 60), strict=True):
        spacing = replace(SPACING, due=AT + minutes * MINUTE)
        assert await to.drills.record(attempt(exercise, grade=EXACT), spacing, None) is not None
    both = [one.id, other.id]
    at = AT + 5 * MINUTE
    assert [each.item for each in await to.articles.due(AIKO, both, at, 9)] == [first[3], second[0], first[0]]
    assert [each.item for each in await to.articles.due(AIKO, both, at, 1)] == [first[3]]
    assert [each.item for each in await to.articles.due(AIKO, [other.id], at, 9)] == [second[0]]
    assert await to.articles.due(BEN, both, at, 9) == await to.articles.due(AIKO, both, at, -1) == []
    assert await to.drills.next_due(AIKO, [other.id]) == AT + 2 * MINUTE
    await to.articles.remove(one.id, HOME, AT)
    assert [each.item for each in await to.articles.due(AIKO, both, at, 9)] == [second[0]]


async def test_a_removed_article_keeps_what_somebody_was_asked_and_nothing_more(to: Stores, file: Path) -> None:
    kept = await publish(to)
    items = await items_of(to, kept.id)
    (exercise,) = await read_news(to, [items[1]])
    _, mistake = await miss(to, exercise)
    assert not await to.articles.remove(kept.id, AWAY, AT)
    assert await to.articles.remove(kept.id, HOME, AT)
    assert not await to.articles.remove(kept.id, HOME, AT)
    assert await to.articles.article(kept.id, [HOME]) is None
    assert await to.articles.of_guilds([HOME], 9) == []
    assert [await to.packs.item(item) is not None for item in items] == [False, True, False, False, False, False]
    asked = await to.drills.exercise(exercise.id, AIKO)
    assert asked is not None
    assert asked.item == exercise.item
    assert asked.item.clipping is not None
    assert asked.item.clipping.sentence == items[0]
    assert await to.mistakes.items_of([mistake], AIKO) == []
    assert await to.articles.known(HOME, article().keys) == frozenset()
    await to.db._connections[0].execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
    left = bytes_of(file).decode("utf-8", "ignore")
    assert [number for number in range(3) if f"雨{BLANK}降った。0 {number}" in left] == [1]
    assert f"雨{BLANK}降った。1 0" not in left


async def test_a_removed_article_can_come_back_but_for_the_feed_that_brought_it(to: Stores) -> None:
    keys = article().keys
    once = await to.articles.save(replace(article(), lasting=("entry 1",)), AT)
    assert once is not None
    assert await to.articles.holding(HOME, keys) == once.title
    assert await to.articles.holding(AWAY, keys) == await to.articles.holding(HOME, ["entry 1"]) == ""
    await to.articles.remove(once.id, HOME, AT)
    assert await to.articles.known(HOME, [*keys, "entry 1"]) == {"entry 1"}
    assert await to.articles.holding(HOME, keys) == ""
    assert await to.articles.save(replace(article(), lasting=("entry 1",)), AT) is None
    assert await to.articles.save(article(), AT + DAY) is not None


async def test_what_was_dropped_meanwhile_cannot_be_asked_and_its_number_names_nothing_else(to: Stores) -> None:
    kept = await publish(to)
    items = await items_of(to, kept.id)
    await to.articles.remove(kept.id, HOME, AT)
    with pytest.raises(sqlite3.IntegrityError):
        await read_news(to, items[-1:])
    assert await to.drills.open_drill(AIKO, Track.EXERCISE) is None
    later = await publish(to, 2)
    assert not set(items) & set(await items_of(to, later.id))


async def test_an_appeal_about_news_goes_to_the_server_of_the_article(to: Stores) -> None:
    kept = await publish(to)
    (exercise,) = await read_news(to, (await items_of(to, kept.id))[:1], guild=None)
    missed, _ = await miss(to, exercise, typed="は")
    assert await to.appeals.open_appeal(missed, AIKO, "は", AT)
    (appeal,) = await to.appeals.waiting(HOME, 9)
    assert (appeal.reference, appeal.pack_name) == ("が", "大雨 1")
    await to.articles.remove(kept.id, HOME, AT)
    assert await to.appeals.decide(appeal.id, HOME, BEN, AT, accepted("は"))
    settled = await to.drills.exercise(exercise.id, AIKO)
    assert settled is not None
    assert settled.verdict is Verdict.EQUIVALENT


async def test_blanks_of_one_sentence_are_one_item_to_recall(to: Stores) -> None:
    kept = await publish(to)
    items = await items_of(to, kept.id)
    await save(to, items=rows(1))
    exercises = await read_news(to, [items[1], items[2], items[4]])
    exercises += (await begin(to))[1]
    for number, (exercise, track) in enumerate(zip(exercises, [Track.EXERCISE] * 3 + [Track.LESSON], strict=True)):
        at = AT + number * MINUTE
        recorded = await to.drills.record(attempt(exercise, at=at), SPACING, replace(CARD, track=track))
        assert recorded is not None
        assert recorded[1] is not None
        await to.memories.save(AIKO, recorded[1], SPACE, np.ones(4, np.float32))
    both = (Track.LESSON, Track.EXERCISE)
    lesson = exercises[3].item.id
    assert (await to.memories.memory(AIKO, both, SPACE)).items.tolist() == [items[0], items[0], items[3], lesson]
    assert (await to.memories.memory(AIKO, [Track.LESSON], SPACE)).items.tolist() == [lesson]
    await to.articles.remove(kept.id, HOME, AT)
    fresh = type(to.memories)(to.db)  # type: ignore[call-arg]
    assert (await fresh.memory(AIKO, both, SPACE)).items.tolist() == [items[0], items[0], items[3], lesson]


async def test_forgetting_a_learner_leaves_the_article(to: Stores, file: Path) -> None:
    kept = await publish(to)
    await hit(to, (await read_news(to, await items_of(to, kept.id)))[0])
    await to.db.write(lambda transaction: transaction.run("DELETE FROM learner WHERE user_id = ?", (AIKO,)))
    assert await candidates(to, kept) == await items_of(to, kept.id)
    with closing(sqlite3.connect(file)) as conn:
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
