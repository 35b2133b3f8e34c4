"""Packs: identity of rows through new versions of a file, visibility, and who accepts what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.model import Accepted, Item, ItemId, ItemKind, PackHead, PackId, Prepared, Upload, UploadId
from storage import answers
from storage.packs import fold_name
from tests.storage.world import AIKO, AT, AWAY, DAY, HOME, MOD, Stores, accepted, begin, prepared, rows, save


async def stored(to: Stores, pack: PackId) -> dict[str, tuple[int, int]]:
    """Item and first accepted answer by row key: both change when a row is written anew."""
    async with to.db.reading() as snapshot:
        found = await snapshot.all(
            "SELECT row_key, item.id AS item, min(a.id) AS answer FROM item "
            "JOIN accepted_answer AS a ON a.item_id = item.id WHERE pack_id = ? AND origin = 'pack' GROUP BY item.id",
            (pack,),
        )
    return {row["row_key"]: (row["item"], row["answer"]) for row in found}


async def accept(to: Stores, item: ItemId, text: str, guild: int | None) -> None:
    await to.db.write(lambda transaction: answers.accept(transaction, item, accepted(text), guild, AT))


async def test_what_is_saved_is_what_is_read(to: Stores) -> None:
    given = [replace(row, part_of_speech="名詞") for row in rows(3)]
    change = await save(to, items=given)
    assert (change.added, change.updated, change.unchanged, change.removed) == (3, 0, 0, 0)
    items = await to.packs.items(change.pack.id)
    assert [item.row for item in items] == [row.row for row in given]
    assert [item.accepted for item in items] == [row.accepted for row in given]
    assert items[0] == Item(items[0].id, change.pack.id, given[0].row, given[0].accepted, "名詞", "私(わたし)")
    assert await to.packs.item(items[1].id) == items[1]


async def test_a_row_without_extras_is_read_back_as_empty(to: Stores) -> None:
    bare = prepared(1)
    bare = Prepared(replace(bare.row, reading="", skill=None, tags=()), (Accepted("は"), Accepted("が")))
    change = await save(to, items=[bare])
    (item,) = await to.packs.items(change.pack.id)
    assert (item.row, item.accepted) == (bare.row, bare.accepted)


async def test_the_same_file_again_writes_no_row(to: Stores) -> None:
    first = await save(to)
    before = await stored(to, first.pack.id)
    again = await save(to, at=AT + DAY)
    assert (again.added, again.updated, again.unchanged, again.removed) == (0, 0, 3, 0)
    assert await stored(to, first.pack.id) == before
    assert again.pack == replace(first.pack, updated_at=AT + DAY)


async def test_a_new_version_keeps_ids_updates_in_place_and_hides_what_is_gone(to: Stores) -> None:
    first = await save(to, items=rows(4))
    before = await stored(to, first.pack.id)
    changed = prepared(3, "へ", "に")
    change = await save(to, items=[prepared(9), changed, prepared(1)], at=AT + DAY)
    assert (change.added, change.updated, change.unchanged, change.removed) == (1, 1, 1, 2)
    assert change.pack.items == 3
    items = await to.packs.items(first.pack.id)
    assert [item.row.key for item in items] == ["row 9", "row 3", "row 1"]  # the order of the new file
    assert items[1].row == changed.row
    after = await stored(to, first.pack.id)
    assert after["row 1"] == before["row 1"]
    assert after["row 3"][0] == before["row 3"][0]
    gone = await to.packs.item(ItemId(before["row 2"][0]))
    assert gone is not None
    assert gone.row == prepared(2).row


async def test_a_row_that_moved_is_unchanged_but_has_its_new_line(to: Stores) -> None:
    await save(to, items=rows(2))
    moved = [replace(row, row=replace(row.row, line=row.row.line + 7)) for row in reversed(rows(2))]
    change = await save(to, items=moved)
    assert (change.updated, change.unchanged) == (0, 2)
    assert [item.row for item in await to.packs.items(change.pack.id)] == [row.row for row in moved]


async def test_a_row_that_comes_back_has_its_old_id(to: Stores) -> None:
    first = await save(to, items=rows(2))
    before = await stored(to, first.pack.id)
    await save(to, items=rows(1))
    back = await save(to, items=[prepared(1), prepared(2, "も")])
    assert (back.added, back.unchanged, back.pack.items) == (1, 1, 2)
    items = await to.packs.items(first.pack.id)
    assert items[1].id == before["row 2"][0]
    assert items[1].row.answers == ("も",)


@pytest.mark.parametrize(
    "change",
    [
        {"part_of_speech": "名詞"},
        {"furigana": ""},
        {"dictionary": "core 2027"},
        {"accepted": (accepted("は"), replace(accepted("が"), folded="か"))},
        {"accepted": (accepted("は"), replace(accepted("が"), readings=("が",)))},
        {"accepted": (accepted("は"),)},
    ],
)
async def test_every_part_of_a_row_counts_as_a_change(to: Stores, change: dict[str, object]) -> None:
    await save(to, items=[prepared(1)])
    new = replace(prepared(1), **change)
    assert (await save(to, items=[new])).updated == 1
    assert (await save(to, items=[new])).unchanged == 1


async def test_a_failing_save_leaves_the_pack_as_it_was(to: Stores) -> None:
    change = await save(to, items=rows(2))
    before = await stored(to, change.pack.id)
    for broken in (
        [prepared(1, "も"), prepared(1, "へ")],  # two rows of one key
        [prepared(1, "も"), replace(prepared(2), accepted=())],
        [prepared(1, "も"), replace(prepared(2), accepted=(accepted("へ"),))],  # not the answer that is shown
    ):
        with pytest.raises(ValueError, match="row"):
            await save(to, items=broken)
    with pytest.raises(Exception, match="CHECK"):
        await save(to, items=[prepared(1, "も"), prepared(2, kind="essay")])  # type: ignore[arg-type]
    assert await stored(to, change.pack.id) == before
    assert [item.row.answers for item in await to.packs.items(change.pack.id)] == [("は", "が")] * 2


async def test_an_answer_given_twice_is_kept_once(to: Stores) -> None:
    twice = replace(prepared(1), accepted=(accepted("は"), accepted("が"), accepted("は")))
    change = await save(to, items=[twice])
    assert [item.accepted for item in await to.packs.items(change.pack.id)] == [prepared(1).accepted]


async def test_names_are_found_without_regard_to_case_width_and_spaces(to: Stores) -> None:
    change = await save(to, name="Genki  Ⅰ ガ")
    assert change.pack.name == "Genki  Ⅰ ガ"
    for spelling in ("genki i ガ", "ＧＥＮＫＩ　Ｉ　ガ", "  Genki I ｶﾞ "):
        found = await to.packs.find(spelling, [HOME])
        assert found is not None
        assert found.id == change.pack.id
    again = await save(to, name="GENKI i ｶﾞ")
    assert (again.pack.id, again.pack.name, again.unchanged) == (change.pack.id, "GENKI i ｶﾞ", 3)


def test_folding_a_name() -> None:
    assert fold_name(" Ｎ５　文法  STRASSE ") == fold_name("n5 文法 straße")


async def test_a_server_sees_its_own_packs_by_name_then_the_starter_packs_by_age(to: Stores) -> None:
    for name, guild in (("zeta", None), ("Beta", HOME), ("alpha", HOME), ("alpha", None), ("secret", AWAY)):
        await save(to, name=name, guild=guild)
    seen = [(pack.name, pack.guild_id) for pack in await to.packs.visible([HOME])]
    assert seen == [("alpha", HOME), ("Beta", HOME), ("zeta", None), ("alpha", None)]
    assert [pack.name for pack in await to.packs.visible([])] == ["zeta", "alpha"]
    assert {pack.guild_id for pack in await to.packs.visible([HOME, AWAY])} == {HOME, AWAY, None}


async def test_a_servers_own_pack_is_found_before_a_starter_pack(to: Stores) -> None:
    starter = (await save(to, name="N5", guild=None)).pack
    own = (await save(to, name="n5", guild=HOME)).pack
    assert await to.packs.find("N5", [HOME]) == own
    assert await to.packs.find("N5", [AWAY]) == starter
    assert await to.packs.find("N5", []) == starter
    await to.packs.remove(own.id, AT)
    assert await to.packs.find("N5", [HOME]) == starter
    assert await to.packs.find("N4", [HOME]) is None


async def test_another_servers_pack_of_the_same_name_is_another_pack(to: Stores) -> None:
    here, there = await save(to, guild=HOME), await save(to, guild=AWAY, items=rows(1))
    assert here.pack.id != there.pack.id
    assert (there.added, await to.packs.find("N5", [AWAY])) == (1, there.pack)


async def test_a_removed_pack_is_hidden_and_comes_back_with_its_ids(to: Stores) -> None:
    first = await save(to)
    before = await to.packs.items(first.pack.id)
    await to.packs.remove(first.pack.id, AT + DAY)
    assert await to.packs.by_id(first.pack.id) is None
    assert await to.packs.title(first.pack.id) == "N5"
    assert await to.packs.title(PackId(99)) == ""
    assert await to.packs.visible([HOME]) == []
    assert await to.packs.items(first.pack.id) == []
    assert await to.packs.lessons(first.pack.id) == []
    assert await to.packs.item(before[0].id) == before[0]
    back = await save(to, at=AT + 2 * DAY)
    assert (back.pack.id, back.unchanged, back.added) == (first.pack.id, 3, 0)
    assert await to.packs.items(first.pack.id) == before
    assert await to.packs.by_id(first.pack.id) == back.pack


async def test_settings_of_a_pack_follow_the_last_file(to: Stores) -> None:
    await save(to)
    head = PackHead("N5", HOME, language="en", strict_kana=True, title="Particles of N5", digest="abc")
    change = await to.packs.save(head, rows(3), AT)
    assert (change.pack.language, change.pack.strict_kana, change.pack.title) == ("en", True, "Particles of N5")
    assert change.pack.digest == "abc"


async def test_lessons_are_listed_once_in_file_order(to: Stores) -> None:
    items = [prepared(1, lesson="2"), prepared(2, lesson="10"), prepared(3, lesson="2"), prepared(4, lesson="")]
    change = await save(to, items=items)
    assert await to.packs.lessons(change.pack.id) == ["2", "10", ""]
    await save(to, items=items[2:])
    assert await to.packs.lessons(change.pack.id) == ["2", ""]


async def test_siblings_are_answers_of_other_items_with_the_same_prompt(to: Stores) -> None:
    word = ItemKind.VOCAB
    change = await save(
        to,
        items=[
            prepared(1, "見る", prompt="to see", kind=word),
            prepared(2, "会う", "逢う", prompt="to see", kind=word),
            prepared(3, "見かける", prompt="to see", kind=word),
            prepared(4, "聞く", prompt="to hear", kind=word),
            prepared(5, "み", prompt="to see", kind=ItemKind.CLOZE),
        ],
    )
    await save(to, name="other", items=[prepared(1, "診る", prompt="to see", kind=word)])
    asked = (await to.packs.items(change.pack.id))[0].id
    assert await to.packs.siblings(asked) == ["会う", "逢う", "見かける"]
    assert await to.packs.siblings(ItemId(10**9)) == []
    await save(
        to, items=[prepared(1, "見る", prompt="to see", kind=word), prepared(2, "会う", prompt="to see", kind=word)]
    )
    assert await to.packs.siblings(asked) == ["会う"]


async def test_an_answer_is_taken_when_another_visible_item_of_the_pack_accepts_it(to: Stores) -> None:
    change = await save(to, items=[prepared(1, "Cat"), prepared(2, "Cut"), prepared(3, "Cot")])
    await save(to, name="other", items=[prepared(1, "Cart")])
    first, second, third = (item.id for item in await to.packs.items(change.pack.id))
    assert await to.packs.is_taken(first, "cut")
    assert not await to.packs.is_taken(second, "cut")
    assert not await to.packs.is_taken(first, "cart")
    await save(to, items=[prepared(1, "Cat"), prepared(3, "Cot")])
    assert not await to.packs.is_taken(first, "cut")
    await accept(to, third, "Cut", None)
    assert await to.packs.is_taken(first, "cut")


async def test_an_answer_accepted_by_moderators_outlives_new_versions_of_the_file(to: Stores) -> None:
    change = await save(to, items=[prepared(1, "は")])
    item = (await to.packs.items(change.pack.id))[0].id
    await accept(to, item, "も", HOME)
    await accept(to, item, "も", HOME)  # a repeat is harmless

    async def texts() -> tuple[tuple[str, ...], list[str]]:
        (found,) = await to.packs.items(change.pack.id)
        return found.row.answers, [answer.text for answer in found.accepted]

    assert await texts() == (("は",), ["は", "も"])
    assert (await save(to, items=[prepared(1, "は")])).unchanged == 1
    await save(to, items=[prepared(1, "が", "も")])  # now the pack says so as well
    assert await texts() == (("が", "も"), ["が", "も"])
    await save(to, items=[prepared(1, "が")])  # and no longer
    assert await texts() == (("が",), ["が", "も"])


async def test_an_answer_accepted_for_a_starter_pack_counts_in_that_server_alone(to: Stores) -> None:
    change = await save(to, guild=None, items=[prepared(1, "は"), prepared(2, "が")])
    first, second = (item.id for item in await to.packs.items(change.pack.id))
    await accept(to, first, "も", HOME)
    await accept(to, first, "へ", None)

    async def in_drill(guild: int | None) -> list[str]:
        _, exercises = await begin(to, AIKO, pack_guild=None, guild=guild)
        return [answer.text for answer in exercises[0].item.accepted]

    assert await in_drill(HOME) == ["は", "も", "へ"]
    assert await in_drill(AWAY) == ["は", "へ"]
    assert await in_drill(None) == ["は", "へ"]
    assert not await to.packs.is_taken(second, "も")
    assert await to.packs.is_taken(second, "へ")


async def test_an_upload_is_held_a_day_and_confirmed_once(to: Stores) -> None:
    given = Upload(UploadId(0), HOME, MOD, "N5", "ja", True, "n5.csv", b"a\x00\xff", AT)
    held = await to.packs.hold_upload(given)
    assert await to.packs.upload(held) == replace(given, id=held)
    kept = await to.packs.hold_upload(replace(given, at=AT + DAY))
    assert await to.packs.upload(held) is not None  # exactly a day old
    later = await to.packs.hold_upload(replace(given, at=AT + DAY + (DAY / 86_400)))
    assert await to.packs.upload(held) is None
    assert await to.packs.drop_upload(kept)
    assert not await to.packs.drop_upload(kept)
    assert await to.packs.upload(later) is not None
