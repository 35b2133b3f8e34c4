"""What a person is told is kept of them, all of it as a file, and how it ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cogs.practice import my_data
from tests.cogs.drilling import start, submit
from tests.cogs.newsroom import forge
from tests.cogs.racing import answer, cards
from tests.cogs.studying import begin, newest
from tests.cogs.test_shared import post
from tests.conftest import World
from tests.screen import buttons, said, shown, text, told


async def practise(world: World, who: Any = None, typed: str = "ぬぬぬ") -> Any:
    """Answer one question wrongly, and leave the next one open."""
    who = who or world.mika
    return shown(await submit(who, await start(world, who, count=2), typed))


async def delete(world: World, who: Any, card: Any, word: str = "DELETE") -> Any:
    opened = await who.click(card, label="Delete everything…")
    assert opened.modal is not None
    return await who.submit_modal(opened, {"word": word})


async def test_the_note_says_what_is_kept_and_whom_to_ask(world: World) -> None:
    before = said(await world.mika.slash(world.study, "mydata about"))
    assert "Just now: nothing." in before
    await practise(world)
    note = shown(await world.mika.slash(world.study, "mydata about"))
    assert "Just now: 1 answer, 1 mistake, 1 drill, 1 server." in text(note)
    assert "I delete nothing because you were away." in text(note)
    assert list(buttons(note)) == ["Get it as a file", "Delete it"]


async def test_nothing_is_kept_of_who_only_looks(world: World) -> None:
    for command in ("mydata about", "mydata export", "mydata delete"):
        assert "nothing" in said(await world.tom.slash(world.study, command))
    assert "nothing" in said(await world.tom.user.slash("mydata about"))


async def test_it_is_deleted_once_the_word_was_typed(world: World) -> None:
    verdict = await practise(world)
    card = shown(await world.mika.slash(world.study, "mydata delete"))
    assert "1 answer, 1 mistake, 1 drill, 1 server" in text(card)
    assert "Nothing was deleted, since the word was another one." in text(
        shown(await delete(world, world.mika, card, "yes"))
    )
    farewell = shown(await delete(world, world.mika, card, " ｄｅｌｅｔｅ "))
    assert "Everything I kept about you is deleted" in text(farewell)
    assert "Gone: 1 answer, 1 mistake, 1 drill, 1 server." in text(farewell)
    assert "no longer here" in told(await world.mika.click(verdict, label="Next"))
    for command in ("mydata delete", "mydata export"):
        assert "I keep nothing about you." in said(await world.mika.slash(world.study, command))
    assert "have not missed anything" in said(await world.mika.slash(world.study, "mistakes"))


async def test_everything_comes_as_a_file_for_oneself_alone(world: World) -> None:
    await practise(world)
    await practise(world, world.tom, "とむとむ")
    message = shown(await world.mika.slash(world.study, "mydata export"))
    assert message.flags.ephemeral
    (file,) = message.attachments
    assert file.filename == "kizuki-mydata-2026-11-30.json"
    read = json.loads(await file.read())
    assert [answer.get("you_wrote") for answer in read["questions_and_answers"]] == ["ぬぬぬ", None]
    assert read["servers_you_used_kizuki_in"][0]["server"] == "Study Café"
    assert "とむ" not in json.dumps(read, ensure_ascii=False)
    assert str(world.tom.id) not in json.dumps(read)
    note = shown(await world.mika.user.slash("mydata about"))
    assert shown(await world.mika.user.click(note, label="Get it as a file")).attachments


async def test_a_file_that_discord_does_not_take_comes_in_parts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_data, "FILE_ROOM", 0.00004)  # of 10 MiB
    await start(world, world.mika, count=20)
    result = await world.mika.slash(world.study, "mydata export")
    messages = [shown(result), *result.followups]
    names = [each.attachments[0].filename for each in messages]
    assert len(names) > 1
    assert names[0] == f"kizuki-mydata-2026-11-30-1-of-{len(names)}.zip"
    assert all(each.flags.ephemeral for each in messages)
    assert f"Part {len(names)} of {len(names)}" in text(messages[-1])


async def test_studies_that_are_open_are_closed_and_remembered_by_nobody(world: World) -> None:
    room = await begin(world)
    words = newest(room)
    talking = world.bot.get_cog("Studies").talking
    assert talking._newest
    assert talking._locales
    card = shown(await world.mika.slash(world.study, "mydata delete"))
    assert "1 study" in text(card)
    await delete(world, world.mika, card)
    assert not talking._newest
    assert not talking._locales
    assert world.bot.get_channel(room.id) is None or world.bot.get_channel(room.id).archived
    assert "no longer here" in said(await world.mika.click(words, label="Reply"))


async def test_a_name_goes_from_the_card_that_all_see(world: World) -> None:
    card, right = await post(world)
    await answer(world.tom, card, "ぬぬぬ")
    private = await answer(world.mika, card, right)
    await world.mika.click(shown(private), label="Show my name")
    assert f"<@{world.mika.user.id}>" in text(cards(world)[0])
    await delete(world, world.mika, shown(await world.mika.slash(world.study, "mydata delete")))
    (public,) = cards(world)
    assert f"{world.mika.user.id}" not in text(public)
    assert "Answered 1" in text(public)


async def test_a_second_confirmation_finds_nothing_left(world: World) -> None:
    await practise(world)
    card = shown(await world.mika.slash(world.study, "mydata delete"))
    twin = shown(await world.mika.slash(world.study, "mydata delete"))
    await delete(world, world.mika, card)
    assert "I keep nothing about you." in text(shown(await delete(world, world.mika, twin)))


async def test_who_comes_back_begins_anew(world: World) -> None:
    await practise(world)
    await delete(world, world.mika, shown(await world.mika.slash(world.study, "mydata delete")))
    world.clock.move(minutes=1)
    await practise(world)
    assert "Just now: 1 answer" in said(await world.mika.slash(world.study, "mydata about"))


async def test_nothing_goes_when_it_is_kept(world: World) -> None:
    await practise(world)
    card = shown(await world.mika.slash(world.study, "mydata about"))
    card = shown(await world.mika.click(card, label="Delete it"))
    assert "Nothing was deleted." in text(shown(await world.mika.click(card, label="Keep it")))
    assert "Just now: 1 answer" in said(await world.mika.slash(world.study, "mydata about"))


@pytest.mark.parametrize("action", ["mydata_export", "mydata_delete", "mydata_word", "mydata_erase", "mydata_keep"])
async def test_a_button_on_anothers_card_deletes_nothing(world: World, action: str) -> None:
    await practise(world)
    await practise(world, world.tom)
    own = shown(await world.tom.slash(world.study, "settings"))
    forge(world, own, f"kz:{action}:{world.mika.id}")
    answer = await world.tom.click(own, label=f"kz:{action}:{world.mika.id}")
    assert "This card is somebody else's" in (told(answer) if answer.followups else said(answer))
    for who in (world.mika, world.tom):
        assert "Just now: 1 answer" in said(await who.slash(world.study, "mydata about"))
