"""What moderators bring in by hand, and what everybody else may not."""

from __future__ import annotations

import pytest

from cogs.render import articles as render
from lessons.errors import TextTooLong
from tests.cogs.drawing import fits, message_of
from tests.cogs.drilling import submit
from tests.cogs.newsroom import BAKERY, LIBRARY, forge, hand_in, news, page, paste
from tests.conftest import World
from tests.screen import buttons, said, shown, text, told

SRT = """1
00:00:01,000 --> 00:00:04,000
駅の前に新しいパン屋ができました。

2
00:00:05,000 --> 00:00:08,000
近所の人たちは仕事に行く前に、温かいパンを買います。
"""
VTT = SRT.replace(",000", ".000").replace("1\n00", "WEBVTT\n\n00", 1)


async def article_id(world: World) -> str:
    choices = await world.aoki.autocomplete(world.study, "article remove", "article", "")
    return choices[0]["value"]


async def test_a_pasted_text_becomes_an_article_that_can_be_tried(world: World) -> None:
    message = await paste(world, link="https://bread.example/a")
    assert "### Added: [朝のパン屋](<https://bread.example/a>)" in text(message)
    assert "sentences**; each learner is asked one gap of each · Japanese" in text(message)
    assert "blank" not in text(message)
    assert "Japanese" in text(message)
    tried = shown(await world.aoki.click(message, label="Try it"))
    assert "朝のパン屋" in text(tried)
    assert "Answer" in buttons(tried)


async def test_the_form_begins_with_what_was_given(world: World) -> None:
    opened = await world.aoki.slash(world.study, "article add", title="題", url="https://a.example/")
    assert opened.modal is not None
    values = [label["component"].get("value") for label in opened.modal["components"]]
    assert values == ["題", "https://a.example/", None]
    message = shown(await world.aoki.submit_modal(opened, {"title": "別の題", "link": "", "text": BAKERY}))
    assert "### Added: 別の題" in text(message)


async def test_a_link_that_is_none_is_left_out_and_said(world: World) -> None:
    message = await paste(world, link="javascript:alert(1)")
    assert "was left out" in text(message)
    assert "javascript" not in text(message)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bread.txt", BAKERY),
        ("bread.txt", BAKERY.encode("shift_jis")),
        ("bread.srt", SRT),
        ("bread.vtt", VTT),
        ("bread.html", page("朝のパン屋", BAKERY.split("\n", 2)[2] * 3)),
    ],
)
async def test_files_of_every_kind_become_articles(world: World, name: str, content: str | bytes) -> None:
    message = await hand_in(world, name, content, title="パン屋")
    assert "### Added: パン屋" in text(message)
    assert "Answer" in buttons(await news(world, count=1))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", b"", "There is no text in it"),
        ("a.txt", b"  \n ", "There is no text in it"),
        ("a.txt", "はい", "I found no sentence to make an exercise of"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "That is no text"),
        ("a`b.txt", "はい", "`aˋb.txt`: "),
        ("a.txt", b"x" * 1_048_577, "at most 1,048,576 are read"),
    ],
)
async def test_what_cannot_be_an_article_gets_a_sentence(
    world: World, name: str, content: str | bytes, expected: str
) -> None:
    assert expected in text(await hand_in(world, name, content))
    assert "There are no articles here yet" in said(await world.aoki.slash(world.study, "article list"))


async def test_the_same_article_is_not_added_twice(world: World) -> None:
    await paste(world)
    again = text(await paste(world))
    assert "This server has this text or its link already, as **朝のパン屋**." in again
    assert "Nothing was added" in again


async def test_an_article_that_was_removed_can_be_added_again(world: World) -> None:
    question = shown(await world.aoki.click(await paste(world), label="Remove"))
    await world.aoki.click(question, label="Remove")
    assert "### Added: 朝のパン屋" in text(await paste(world))


async def test_a_text_with_gaps_for_a_judge_alone_is_refused_and_says_why(world: World) -> None:
    german = "Gestern hat die Stadt einen neuen Markt eröffnet. Viele Bauern verkaufen dort ihr Gemüse an die Nachbarn."
    refused = text(await paste(world, german, language="de"))
    assert "Nothing in it can be asked without a language model" in refused
    assert "In other languages than Japanese that is always so." in refused


def test_a_text_over_the_limit_is_told_once_with_a_way_out() -> None:
    refused = text(message_of(render.refused(TextTooLong(200_001, 200_000), "")))
    assert "has 200,001 characters; at most 200,000 are read. Shorten it, or send it as several articles." in refused
    assert refused.count("Nothing was") == 1


async def test_the_list_is_newest_first_and_removes_after_a_question(world: World) -> None:
    await paste(world, BAKERY)
    world.clock.move(hours=1)
    await paste(world, LIBRARY)
    learner = await news(world, article="図書館の夜", count=1)
    opened = await world.mika.click(learner, label="Answer")
    listed = shown(await world.aoki.slash(world.study, "article list"))
    assert text(listed).index("図書館の夜") < text(listed).index("朝のパン屋")
    number = await article_id(world)
    question = shown(await world.aoki.select(listed, [number], custom_id="kz:article:0"))
    assert "Remove **図書館の夜**" in text(question)
    kept = shown(await world.aoki.click(question, label="Keep it"))
    assert "stays" in text(kept)
    listed = shown(await world.aoki.click(kept, label="All articles"))
    question = shown(await world.aoki.select(listed, [number], custom_id="kz:article:0"))
    removed = shown(await world.aoki.click(question, label="Remove"))
    assert "was removed" in text(removed)
    assert "図書館の夜" not in text(shown(await world.aoki.click(removed, label="All articles")))
    verdict = shown(await world.mika.submit_modal(opened, {"text": "ではありませんでした"}))
    assert "❌" in text(verdict)
    assert "図書館の夜" in text(verdict)
    assert "There is no article called" in text(await news(world, world.tom, article="図書館の夜"))


async def test_a_second_press_on_remove_is_answered(world: World) -> None:
    message = await paste(world)
    question = shown(await world.aoki.click(message, label="Remove"))
    stored = world.env.backend.get_message(world.study.id, question.id).components
    done = shown(await world.aoki.click(question, label="Remove"))
    world.env.backend.get_message(world.study.id, done.id).components = stored
    assert "no longer here" in told(await world.aoki.click(done, label="Remove"))
    assert "no longer here" in told(await world.aoki.click(done, label="Keep it"))


async def test_a_long_list_has_pages(world: World) -> None:
    for number in range(10):
        await paste(
            world, f"記事{number}\n\nわたしは{'一二三四五六七八九十'[number]}月に日本へ行って、友だちと会いました。"
        )
    listed = shown(await world.aoki.slash(world.study, "article list"))
    first = text(listed)
    second = text(shown(await world.aoki.click(listed, label="▶")))
    assert ("page 1 of 2" in first, "page 2 of 2" in second) == (True, True)
    assert ("記事9" in first, "記事0" in first, "記事0" in second) == (True, False, True)


async def test_only_moderators_of_the_server_touch_its_articles(world: World) -> None:
    await paste(world)
    number = await article_id(world)
    for who, channel, answer in [
        (world.mika, world.study, "Manage Server"),
        (world.stranger, world.next_door_channel, "no longer here"),
    ]:
        own = shown(await who.slash(channel, "settings"))
        for each in (f"kz:remove_article:{number}", f"kz:article_removed:{number}", f"kz:article_kept:{number}"):
            forge(world, own, each)
            assert answer in told(await who.click(own, label=each)), each
    assert "朝のパン屋" in said(await world.aoki.slash(world.study, "article list"))
    assert "no articles here" in said(await world.stranger.slash(world.next_door_channel, "article list"))
    assert await world.stranger.autocomplete(world.next_door_channel, "article remove", "article", "") == []
    assert "There is no article called" in said(
        await world.stranger.slash(world.next_door_channel, "article remove", article=number)
    )


async def test_a_form_that_was_open_when_the_role_was_taken_adds_nothing(world: World) -> None:
    opened = await world.aoki.slash(world.study, "article add")
    own = shown(await world.mika.slash(world.study, "settings"))
    forge(world, own, "kz:article_text:")
    assert "Manage Server" in said(await world.mika.click(own, label="kz:article_text:"))
    await world.restart()
    message = shown(await world.aoki.submit_modal(opened, {"title": "", "link": "", "text": BAKERY}))
    assert "### Added: 朝のパン屋" in text(message)


@pytest.mark.parametrize("evil", ["@everyone <@1> **b**", "](http://evil.example)", "[x](<javascript:alert(1)>)"])
async def test_hostile_titles_and_texts_are_shown_as_text(world: World, evil: str) -> None:
    message = await paste(world, BAKERY, title=evil, link=f"https://a.example/){evil.replace(' ', '')}")
    question = await news(world, count=1)
    asked = text(question)
    verdict = text(shown(await submit(world.mika, question, "ではありませんでした")))
    listed = shown(await world.aoki.slash(world.study, "article list"))
    for seen in (text(message), asked, verdict, text(listed)):
        assert "@everyone" not in seen
        assert seen.count("](") == seen.count("](<https://a.example/%29") == 1
    assert fits(listed)
    assert fits(message)
