"""A news drill as a learner lives it, on the real bot."""

from __future__ import annotations

from typing import Any

from tests.cogs.drilling import exercise_on, right_answer, submit
from tests.cogs.newsroom import BAKERY, LIBRARY, forge, news, paste
from tests.conftest import World
from tests.newsroom import wrong_for
from tests.screen import buttons, custom_ids, said, shown, text, told

URL = "https://bread.example/morning"
LINK = f"-# [朝のパン屋](<{URL}>)"


async def test_a_learner_plays_news_to_the_end(world: World) -> None:
    await paste(world, link=URL)
    result = await world.mika.slash(world.study, "news", count=3)
    assert result.ephemeral
    message = shown(result)
    for number in range(1, 4):
        assert f"**News** · {number}/3\n{LINK}" in text(message)
        assert "counted apart" not in text(message)
        answer = await right_answer(world, message) if number < 3 else "ぬぬぬ"
        verdict = shown(await submit(world.mika, message, answer))
        assert LINK in text(verdict)
        assert ("✅ Right" if number < 3 else "❌") in text(verdict)
        message = shown(await world.mika.click(verdict, custom_id=custom_ids(verdict)[0]))
    assert "**2 of 3 right**" in text(message)
    assert {"Drill the misses", "More news"} <= set(buttons(message))


async def test_a_miss_is_kept_in_the_track_of_news(world: World) -> None:
    await paste(world)
    message = await news(world, count=1)
    exercise = await exercise_on(world, message)
    answer = exercise.item.answer
    await submit(world.mika, message, wrong_for(exercise))
    (mistake,) = await world.services.newsreading.mistakes.since(world.mika.id, world.clock())
    assert (mistake.card.track.value, mistake.card.reference) == ("exercise", answer)
    assert answer in said(await world.mika.slash(world.study, "mistakes"))


async def test_no_sentence_is_asked_twice_until_all_is_read(world: World) -> None:
    await paste(world)
    asked: list[str] = []
    message = await news(world, count=3)
    while "Answer" in buttons(message):
        asked.append(text(message).splitlines()[2])
        verdict = shown(await submit(world.mika, message, await right_answer(world, message)))
        message = shown(await world.mika.click(verdict, custom_id=custom_ids(verdict)[0]))
        if "More news" in buttons(message):
            message = shown(await world.mika.click(message, label="More news"))
    assert len(set(asked)) == len(asked) > 3
    assert "What is left of the news here can be asked only with a language model" in text(message)


async def test_the_articles_are_completed_by_title_and_named_by_id_or_title(world: World) -> None:
    await paste(world, BAKERY)
    await paste(world, LIBRARY)
    choices = await world.mika.autocomplete(world.study, "news", "article", "図書")
    assert [choice["name"] for choice in choices] == ["図書館の夜"]
    assert choices[0]["value"].isdecimal()
    assert "図書館の夜" in text(await news(world, article=choices[0]["value"], count=1))
    assert "朝のパン屋" in text(await news(world, world.tom, article="朝のパン屋", count=1))
    assert "There is no article called `ない`" in text(await news(world, world.aoki, article="ない"))


async def test_an_article_that_is_read_offers_the_others(world: World) -> None:
    await paste(world, LIBRARY)
    await paste(world, BAKERY)
    message = await news(world, article="図書館の夜", count=50)
    while "Answer" in buttons(message):
        verdict = shown(await submit(world.mika, message, await right_answer(world, message)))
        message = shown(await world.mika.click(verdict, custom_id=custom_ids(verdict)[0]))
    read = await news(world, article="図書館の夜")
    assert "only with a language model" in text(read)
    assert "朝のパン屋" in text(shown(await world.mika.click(read, label="Other news")))


async def test_an_unfinished_news_drill_is_offered_again_beside_a_lesson(world: World) -> None:
    await paste(world)
    await news(world, count=3)
    assert "1/2" in said(await world.mika.slash(world.study, "drill", count=2))
    crossroads = await news(world, count=2)
    assert "**0 of 3** done" in text(crossroads)
    assert "1/3" in text(shown(await world.mika.click(crossroads, label="Continue")))
    crossroads = await news(world, article="朝のパン屋", count=2)
    anew = shown(await world.mika.click(crossroads, label="New drill"))
    assert "1/2" in text(anew)


async def test_a_drill_begun_a_moment_ago_shows_no_moment_that_a_slow_clock_calls_the_future(world: World) -> None:
    await paste(world)
    await news(world, count=3)
    assert "unfinished drill from just now: **0 of 3** done" in text(await news(world))
    world.clock.move(minutes=3)
    assert "unfinished drill from <t:" in text(await news(world))


async def test_no_news_is_told_by_place(world: World) -> None:
    assert "A moderator can add some with `/feed add` or `/article add`" in text(await news(world))
    assert "use me in a server with news" in said(await world.mika.user.slash("news"))


async def test_news_follows_a_learner_into_direct_messages_and_stays_in_its_server(world: World) -> None:
    await paste(world)
    assert "There is no news here yet" in said(await world.stranger.slash(world.next_door_channel, "news"))
    assert "use me in a server with news" in said(await world.mika.user.slash("news"))
    await news(world, count=1)
    crossroads = await world.mika.user.slash("news", count=1)
    assert not crossroads.ephemeral
    anew = shown(await world.mika.user.click(shown(crossroads), label="New drill"))
    assert "朝のパン屋" in text(anew)
    assert await world.stranger.autocomplete(world.next_door_channel, "news", "article", "") == []


async def test_a_news_drill_goes_on_after_a_restart(world: World) -> None:
    await paste(world, link=URL)
    message = await news(world, count=2)
    opened = await world.mika.click(message, label="Answer")
    answer = await right_answer(world, message)
    await world.restart()
    verdict = shown(await world.mika.submit_modal(opened, {"text": answer}))
    assert "✅ Right" in text(verdict)
    assert LINK in text(verdict)
    assert "2/2" in text(shown(await world.mika.click(verdict, label="Next")))


async def test_a_second_submission_changes_nothing(world: World) -> None:
    await paste(world)
    message = await news(world, count=2)
    first, second = [await world.mika.click(message, label="Answer") for _ in range(2)]
    answer = await right_answer(world, message)
    await world.mika.submit_modal(first, {"text": answer})
    assert "already" in told(await world.mika.submit_modal(second, {"text": "ぬぬぬ"}))


async def test_a_free_retry_says_where_the_sentence_is_from(world: World) -> None:
    await paste(world, link=URL)
    message = await news(world, count=1)
    retry = shown(await submit(world.mika, message, "k"))
    assert "did not count" in text(retry)
    assert LINK in text(retry)


async def test_without_a_judge_i_was_right_goes_to_the_moderators(world: World) -> None:
    await paste(world)
    verdict = shown(await submit(world.mika, await news(world, count=1), "ではありませんでした"))
    assert "/queue" in said(await world.mika.click(verdict, label="I was right"))
    assert buttons(verdict)["Sent on"] is False
    queue = shown(await world.aoki.slash(world.study, "queue"))
    assert "ではありませんでした" in text(queue)


async def test_forged_ids_of_another_servers_article_start_nothing(world: World) -> None:
    added: Any = await paste(world)
    number = next(cid.split(":")[2] for cid in custom_ids(added) if cid.startswith("kz:news:"))
    theirs = shown(await world.stranger.slash(world.next_door_channel, "settings"))
    pressed = f"kz:fresh_news:{number}:3"
    forge(world, theirs, pressed)
    assert "There is no news here yet" in told(await world.stranger.click(theirs, label=pressed))
