"""What moderators do with packs, and what everybody else may not."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.render import packs as render
from lessons.model import GuildId
from tests.cogs.drawing import message_of
from tests.conftest import World
from tests.screen import buttons, said, shown, text, told

CAFE = (
    "lesson,type,prompt,answer,also_ok,hint,explanation\n"
    "1,cloze,コーヒー[＿＿＿]飲みます。,を,,the thing you drink,Object particle を marks what is drunk.\n"
    "2,vocab,to swim,泳ぐ,,,\n"
    "3,cloze,パン[＿＿＿]食べます。,を,も,,\n"
)


async def preview(
    world: World, content: str | bytes = CAFE, who: Any = None, name: str = "cafe.csv", **options: Any
) -> Any:
    data = content.encode() if isinstance(content, str) else content
    return await (who or world.aoki).slash(world.study, "pack load", file=(name, data), **options)


async def load(world: World, content: str | bytes = CAFE, **options: Any) -> Any:
    message = shown(await preview(world, content, **options))
    label = next(label for label in buttons(message) if label.startswith("Load"))
    return shown(await world.aoki.click(message, label=label))


async def test_a_file_is_previewed_then_loaded_then_drilled(world: World) -> None:
    result = await preview(world)
    assert result.ephemeral
    assert "**3 rows** can be loaded into **cafe**" in said(result)
    assert "Nothing is loaded yet" in said(result)
    loaded = shown(await world.aoki.click(shown(result), label="Load 3 rows"))
    assert "3 new" in text(loaded)
    message = shown(await world.mika.slash(world.study, "drill", pack="cafe"))
    assert "**cafe** · 1/3" in text(message)


async def test_a_second_confirmation_changes_nothing(world: World) -> None:
    message = shown(await preview(world))
    buttons_before = world.env.backend.get_message(world.study.id, message.id).components
    await world.aoki.click(message, label="Load 3 rows")
    world.env.backend.get_message(world.study.id, message.id).components = buttons_before
    assert "was done already" in told(await world.aoki.click(message, label="Load 3 rows"))
    assert "was done already" in told(await world.aoki.click(message, label="Cancel"))
    assert "3 rows" in said(await world.aoki.slash(world.study, "pack show", name="cafe"))


async def test_loading_again_updates_in_place_and_keeps_progress(world: World) -> None:
    await load(world)
    await world.aoki.slash(world.study, "pack show", name="cafe")
    change = text(
        await load(
            world, CAFE.replace("the thing you drink", "what you drink").replace("2,vocab,to swim,泳ぐ,,,\n", "")
        )
    )
    assert "1 updated" in change
    assert "1 unchanged" in change
    assert "1 hidden" in change
    assert "1 hidden" not in text(await load(world))


async def test_row_errors_are_shown_and_the_good_rows_can_be_imported(world: World) -> None:
    message = shown(await preview(world, CAFE + "4,cloze,この文には穴がない。,犬,,,\n5,vocab,,猫,,,\n"))
    assert "**3 rows** can be loaded" in text(message)
    assert "**2** cannot" in text(message)
    assert "line 5" in text(message)
    assert "Load the 3 good rows" in buttons(message)


async def test_all_problems_come_as_a_file(world: World) -> None:
    rows = "".join(f"1,vocab,,猫{number},,,\n" for number in range(20))
    message = shown(await preview(world, CAFE + rows))
    assert "and 12 more" in text(message)
    result = await world.aoki.click(message, label="All problems")
    (file,) = shown(result).attachments
    assert file.filename == "problems.txt"


async def test_cancel_lets_the_file_go(world: World) -> None:
    message = shown(await preview(world))
    assert "was not loaded" in text(shown(await world.aoki.click(message, label="Cancel")))
    assert "There is no pack called `cafe`" in said(await world.aoki.slash(world.study, "pack show", name="cafe"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty"),
        (b"PK\x03\x04" + b"\0" * 40, "This is a zip archive, not a CSV file"),
        (b"PK\x03\x04 xl/workbook.xml", "This is an Excel workbook (xlsx), not a CSV file"),
        ("question,foo\nwho,1\nwhat,2\n", "one with the answer. Found here: `question, foo`."),
        ("question\nwho\n", "This file has one column; it begins `question`."),
        (b"a,b\0c\n", "NUL"),
        ("prompt,answer\n", "no rows"),
        ("prompt,answer\n,x\n", "Not one row"),
        (b"x" * 2_000_000, "at most"),
        ('prompt,answer\n"never closed,を\n', "never closed"),
    ],
)
async def test_bad_files_get_a_sentence_and_nothing_is_loaded(
    world: World, content: str | bytes, expected: str
) -> None:
    assert expected in said(await preview(world, content))
    assert "None yet" in said(await world.aoki.slash(world.study, "pack list"))


async def test_only_moderators_change_packs_even_when_discord_lets_others_press(world: World) -> None:
    message = shown(await preview(world))
    stored = world.env.backend.get_message(world.study.id, message.id)
    theirs = shown(await world.mika.slash(world.study, "drill"))
    world.env.backend.get_message(world.study.id, theirs.id).components = stored.components
    for label in ("Load 3 rows", "Cancel"):
        assert "Manage Server" in told(await world.mika.click(theirs, label=label))
    assert "3 new" in text(shown(await world.aoki.click(message, label="Load 3 rows")))


async def test_packs_stay_in_their_server(world: World) -> None:
    await load(world)
    assert "`cafe`" not in said(await world.stranger.slash(world.next_door_channel, "pack list"))
    assert "There is no pack called" in said(
        await world.stranger.slash(world.next_door_channel, "pack export", name="cafe")
    )
    assert "There is no pack called" in said(await world.stranger.slash(world.next_door_channel, "drill", pack="cafe"))
    theirs = shown(await world.stranger.slash(world.next_door_channel, "pack show", name="particles"))
    mine = shown(await world.aoki.slash(world.study, "pack show", name="cafe"))
    world.env.backend.get_message(world.next_door_channel.id, theirs.id).components = world.env.backend.get_message(
        world.study.id, mine.id
    ).components
    assert "somebody else" in said(await world.stranger.click(theirs, label="Export as CSV"))


async def test_export_and_load_again_changes_nothing(world: World) -> None:
    await load(world)
    result = await world.aoki.slash(world.study, "pack export", name="cafe")
    (file,) = shown(result).attachments
    data = await file.read()
    assert data.startswith(b"\xef\xbb\xbf")
    assert "3 unchanged" in text(await load(world, data))


async def test_the_template_can_be_loaded(world: World) -> None:
    (file,) = shown(await world.aoki.slash(world.study, "pack template")).attachments
    assert "new" in text(await load(world, await file.read(), name="template.csv"))


async def test_a_pack_is_removed_after_a_question_and_comes_back(world: World) -> None:
    await load(world)
    drilled = shown(await world.mika.slash(world.study, "drill", pack="cafe", count=1))
    opened = await world.mika.click(drilled, label="Answer")
    question = shown(await world.aoki.slash(world.study, "pack remove", name="cafe"))
    assert "stays" in text(shown(await world.aoki.click(question, label="Keep it")))
    question = shown(await world.aoki.slash(world.study, "pack remove", name="cafe"))
    assert "was removed" in text(shown(await world.aoki.click(question, label="Remove")))
    verdict = shown(await world.mika.submit_modal(opened, {"text": "が"}))
    assert "❌" in text(verdict)
    assert "There is no pack called" in said(await world.aoki.slash(world.study, "pack remove", name="cafe"))
    assert "が" in said(await world.mika.slash(world.study, "mistakes"))
    assert "3 unchanged" in text(await load(world))


async def test_starter_packs_cannot_be_removed(world: World) -> None:
    assert "Starter packs cannot be removed" in said(
        await world.aoki.slash(world.study, "pack remove", name="particles")
    )
    await load(world, name="particles.csv")
    assert "Remove **particles** (3 rows)" in said(await world.aoki.slash(world.study, "pack remove", name="particles"))


async def test_what_becomes_of_the_starter_packs_is_said_before_and_after(world: World) -> None:
    message = shown(await preview(world))
    assert "Once this is loaded, new items in this server come from its own packs" in text(message)
    loaded = text(shown(await world.aoki.click(message, label="Load 3 rows")))
    assert "From now on new items in this server come from its own packs; starter packs can still be named." in loaded
    assert "starter pack" not in loaded.replace("starter packs can still be named", "")
    assert "come from its own packs" not in said(await preview(world))
    message = shown(await preview(world, name="particles.csv"))
    assert "The starter pack **Particles** has this name too. Once this is loaded, the name means" in text(message)
    loaded = text(shown(await world.aoki.click(message, label="Load 3 rows")))
    assert "From now on the name means the server's own pack here" in loaded


async def test_the_preview_names_the_removed_pack_that_comes_back(world: World) -> None:
    await load(world)
    question = shown(await world.aoki.slash(world.study, "pack remove", name="cafe"))
    await world.aoki.click(question, label="Remove")
    shown_again = said(await preview(world, CAFE + "4,vocab,cat,猫,,,\n"))
    assert "A pack of that name was removed (3 rows): this brings it back with the rows of this file" in shown_again


async def test_one_row_is_no_plural(world: World) -> None:
    message = shown(await preview(world, "prompt,answer\nto swim,泳ぐ\n,x\n"))
    assert "**1 row** can be loaded" in text(message)
    assert "**1** cannot" in text(message)
    assert "1 row (1 new)" in text(shown(await world.aoki.click(message, label="Load the 1 good row")))
    listed = said(await world.aoki.slash(world.study, "pack list"))
    assert "`cafe` · 1 row\n" in listed
    assert "Load 1 row" in buttons(shown(await preview(world, "prompt,answer\nto swim,泳ぐ\n")))
    page = said(await world.aoki.slash(world.study, "pack show", name="cafe"))
    assert "1 row ·" in page
    exported = said(await world.aoki.slash(world.study, "pack export", name="cafe"))
    assert "with 1 row." in exported


async def test_a_shelf_has_pages(world: World) -> None:
    message = shown(await world.aoki.slash(world.study, "pack show", name="particles"))
    assert "page 1 of" in text(message)
    assert "page 2 of" in text(shown(await world.aoki.click(message, label="▶")))


async def test_names_are_completed(world: World) -> None:
    await load(world)
    assert await world.aoki.autocomplete(world.study, "pack remove", "name", "") == [{"name": "cafe", "value": "cafe"}]
    names = [choice["name"] for choice in await world.aoki.autocomplete(world.study, "pack show", "name", "")]
    assert names[0] == "cafe"
    assert "particles" in names


async def test_hostile_text_is_shown_as_text(world: World) -> None:
    evil = "@everyone <@1> [x](http://evil.example) **b** ||s|| \u202e"
    await load(world, f"type,prompt,answer,explanation\nvocab,{evil},答え,{evil}\n")
    message = shown(await world.mika.slash(world.study, "drill", pack="cafe"))
    assert "@everyone" not in text(message)
    assert "http://" not in text(message)
    assert "\u202e" not in text(message)
    assert all(
        entry.json["allowed_mentions"] == {"parse": []}
        for entry in world.env.http_requests
        if isinstance(entry.json, dict) and "allowed_mentions" in entry.json
    )


@pytest.mark.parametrize(
    ("asking", "sentence"),
    [
        (0, ""),
        (1, "One drill of the day asks from it and will pause."),
        (3, "3 drills of the day ask from it and will pause."),
    ],
)
async def test_the_question_before_a_pack_goes_says_which_schedules_pause(
    world: World, asking: int, sentence: str
) -> None:
    await load(world)
    pack = await world.services.loading.own("cafe", GuildId(world.guild.id))
    asked = text(message_of(render.remove_question(pack, asking)))
    assert "No drill begins with it any more; what is open or posted already still takes answers." in asked
    assert (sentence in asked) if sentence else ("will pause" not in asked)
