"""A drill as a learner lives it, on the real bot."""

from __future__ import annotations

from typing import Any

from tests.cogs.drilling import right_answer, start, submit
from tests.conftest import World
from tests.screen import buttons, custom_ids, said, shown, text, told


async def test_drill_without_options_asks_a_question_privately(world: World) -> None:
    result = await world.mika.slash(world.study, "drill")
    assert result.ephemeral
    assert "1/10" in said(result)
    assert "＿＿＿" in said(result)
    assert "counted apart from the news" in said(result)
    assert {"Answer", "Skip", "Stop"} <= set(buttons(shown(result)))


async def test_right_wrong_next_to_the_summary(world: World) -> None:
    message = await start(world, count=2)
    answer = await right_answer(world, message)
    verdict = shown(await submit(world.mika, message, answer))
    assert "✅ Right" in text(verdict)
    assert "Due again" in text(verdict)
    message = shown(await world.mika.click(verdict, label="Next"))
    assert "2/2" in text(message)
    verdict = shown(await submit(world.mika, message, "ぬぬぬ"))
    assert "❌" in text(verdict)
    assert "You wrote: **ぬぬぬ**" in text(verdict)
    assert await right_answer_of(world, verdict) in text(verdict)
    summary = shown(await world.mika.click(verdict, label="See how it went"))
    assert "**1 of 2 right**" in text(summary)
    assert "Drill the misses" in buttons(summary)


async def right_answer_of(world: World, verdict: Any) -> str:
    number = next(int(cid.rsplit(":", 1)[1]) for cid in custom_ids(verdict) if cid.startswith("kz:right:"))
    drills = world.services.delivering.drills
    exercise = await drills.exercise(number, await drills.owner(number))
    return exercise.item.answer


async def test_the_misses_are_drilled_again(world: World) -> None:
    message = await start(world, count=1)
    asked = text(message).splitlines()[1]
    verdict = shown(await submit(world.mika, message, "ぬぬぬ"))
    summary = shown(await world.mika.click(verdict, label="See how it went"))
    again = shown(await world.mika.click(summary, label="Drill the misses"))
    assert asked in text(again)
    assert "1/1" in text(again)


async def test_a_second_press_and_a_second_submission_change_nothing(world: World) -> None:
    message = await start(world, count=2)
    first_modal = await world.mika.click(message, label="Answer")
    second_modal = await world.mika.click(message, label="Answer")
    first = await world.mika.submit_modal(first_modal, {"text": "ぬぬぬ"})
    second = await world.mika.submit_modal(second_modal, {"text": await right_answer_of(world, shown(first))})
    assert "already" in told(second)
    summary = shown(await world.mika.click(shown(first), label="Stop"))
    assert "**0 of 1 right**" in text(summary)


async def test_a_hint_counts_as_hard_and_stays_shown(world: World) -> None:
    message = await start(world, count=1, pack="particles")
    hinted = shown(await world.mika.click(message, label="Hint"))
    assert "💡" in text(hinted)
    assert buttons(hinted)["Hint"] is False
    verdict = shown(await submit(world.mika, hinted, await right_answer(world, hinted)))
    assert "in 6 minutes" not in text(verdict)
    assert "✅ Right" in text(verdict)


async def test_the_dialog_shows_the_question_it_hides(world: World) -> None:
    message = await start(world, count=1, pack="verb_forms")
    opened = await world.mika.click(message, label="Answer")
    assert opened.modal is not None
    label = opened.modal["components"][0]
    assert "＿＿＿" in label["label"] + str(label.get("description"))
    assert opened.modal["title"] == "Fill the gap"


async def test_skip_shows_the_solution_and_is_no_miss(world: World) -> None:
    message = await start(world, count=1)
    answer = await right_answer(world, message)
    skipped = shown(await world.mika.click(message, label="Skip"))
    assert f"**{answer}**" in text(skipped)
    summary = shown(await world.mika.click(skipped, label="See how it went"))
    assert "1 skipped" in text(summary)
    assert "have not missed anything" in said(await world.mika.slash(world.study, "mistakes"))


async def test_a_slip_of_the_keyboard_is_free_once(world: World) -> None:
    message = await start(world, count=1, pack="particles")
    retry = shown(await submit(world.mika, message, "wa"))
    assert "did not count" in text(retry)
    assert "*What is this?*" in text(retry)
    assert "Answer" in buttons(retry)
    verdict = shown(await submit(world.mika, retry, "ga"))
    assert "❌" in text(verdict)


async def test_stop_keeps_everything_and_the_old_message_says_so(world: World) -> None:
    message = await start(world, count=3)
    opened = await world.mika.click(message, label="Answer")
    summary = shown(await world.mika.click(message, label="Stop"))
    assert "Drill stopped" in text(summary)
    assert "3 not reached" in text(summary)
    late = await world.mika.submit_modal(opened, {"text": "は"})
    assert "was stopped" in told(late)


async def test_an_unfinished_drill_is_offered_again(world: World) -> None:
    message = await start(world, count=3)
    shown(await submit(world.mika, message, "ぬぬぬ"))
    crossroads = shown(await world.mika.slash(world.study, "drill", pack="particles", count=2))
    assert "**1 of 3** done" in text(crossroads)
    going_on = shown(await world.mika.click(crossroads, label="Continue"))
    assert "2/3" in text(going_on)
    crossroads = shown(await world.mika.slash(world.study, "drill", pack="particles", count=2))
    anew = shown(await world.mika.click(crossroads, label="New drill"))
    assert "**Particles** · 1/2" in text(anew)


async def test_a_drill_goes_on_after_a_restart(world: World) -> None:
    message = await start(world, count=10)
    for number in range(1, 4):
        verdict = shown(await submit(world.mika, message, await right_answer(world, message)))
        message = shown(await world.mika.click(verdict, label="Next"))
        assert f"{number + 1}/10" in text(message)
    opened = await world.mika.click(message, label="Answer")
    answer = await right_answer(world, message)
    await world.restart()
    verdict = shown(await world.mika.submit_modal(opened, {"text": answer}))
    assert "✅ Right" in text(verdict)
    for number in range(5, 11):
        message = shown(await world.mika.click(verdict, label="Next"))
        assert f"{number}/10" in text(message)
        verdict = shown(await submit(world.mika, message, await right_answer(world, message)))
    summary = shown(await world.mika.click(verdict, label="See how it went"))
    assert "**10 of 10 right**" in text(summary)


async def test_somebody_elses_drill_is_refused_in_words(world: World) -> None:
    """A press can only be forged: the message is private. The same id pressed by another person gets a sentence."""
    message = await start(world)
    number = custom_ids(message)[0].rsplit(":", 1)[1]
    theirs = await start(world, world.tom)
    world.env.backend.get_message(world.study.id, theirs.id).components = [
        {"type": 1, "components": [{"type": 2, "style": 1, "label": label, "custom_id": f"kz:{action}:{number}"}]}
        for label, action in [("Answer", "answer"), ("Skip", "skip"), ("Hint", "hint")]
    ]
    for label in ("Answer", "Skip", "Hint"):
        result = await world.tom.click(theirs, label=label)
        refused = told(result) if result.followups else said(result)
        assert "somebody else" in refused, label


async def test_buttons_of_other_releases_are_answered(world: World) -> None:
    message = await start(world)
    odd = ["kz:polish:1", "kz:answer:x", "kz:answer", "old-answer-button", "kz:next:99999999", "kz:answer:99999999"]
    world.env.backend.get_message(world.study.id, message.id).components = [
        {"type": 1, "components": [{"type": 2, "style": 1, "label": custom_id, "custom_id": custom_id}]}
        for custom_id in odd
    ]
    for custom_id in odd:
        result = await world.mika.click(message, custom_id=custom_id)
        sentence = told(result) if result.followups else said(result)
        assert "/drill" in sentence, custom_id


async def test_the_drill_of_yesterday_can_be_finished_today(world: World) -> None:
    message = await start(world, count=2)
    world.clock.move(days=1)
    verdict = shown(await submit(world.mika, message, await right_answer(world, message)))
    assert "✅ Right" in text(verdict)


async def test_direct_messages_are_plain_and_have_the_packs_of_visited_servers(world: World) -> None:
    result = await world.mika.user.slash("drill", count=1)
    assert not result.ephemeral
    assert "1/1" in said(result)


async def test_the_days_new_items_run_out_and_more_can_be_had(world: World) -> None:
    await world.mika.slash(world.study, "settings", new_per_day=2, time_zone="Tokyo")
    message = await start(world)
    assert "1/2" in text(message)
    for _ in range(2):
        verdict = shown(await submit(world.mika, message, await right_answer(world, message)))
        message = shown(await world.mika.click(verdict, custom_id=custom_ids(verdict)[0]))
    done = shown(await world.mika.slash(world.study, "drill"))
    assert "All done for now" in text(done)
    more = shown(await world.mika.click(done, label="Learn new ones anyway"))
    assert "1/10" in text(more)


async def test_a_named_pack_and_lessons_are_drilled_as_asked(world: World) -> None:
    message = await start(world, pack="Particles", lessons="2-3", count=50)
    assert "/" in text(message).splitlines()[0]
    nothing = await world.tom.slash(world.study, "drill", pack="particles", lessons="99")
    assert "Nothing matches `99`" in said(nothing)
    unreadable = await world.tom.slash(world.study, "drill", pack="particles", lessons="%%")
    assert "lessons" in said(unreadable)
    unknown = await world.tom.slash(world.study, "drill", pack="nothing")
    assert "no pack called `nothing`" in said(unknown)


async def test_packs_are_completed_while_typing(world: World) -> None:
    choices = await world.mika.autocomplete(world.study, "drill", "pack", "par")
    assert [choice["name"] for choice in choices] == ["Particles"]


async def test_i_was_right_reaches_the_moderators_and_turns_the_miss(world: World) -> None:
    message = await start(world, count=1, pack="particles")
    verdict = shown(await submit(world.mika, message, "ぬぬぬ"))
    pressed = await world.mika.click(verdict, label="I was right")
    assert "Sent on. The moderators see it in `/queue`; until then it counts as a miss." in said(pressed)
    assert not pressed.followups
    assert buttons(verdict)["Sent on"] is False
    queue = shown(await world.aoki.slash(world.study, "queue"))
    assert "ぬぬぬ" in text(queue)
    empty = shown(await world.stranger.slash(world.next_door_channel, "queue"))
    assert "Nobody waits" in text(empty)
    after = shown(await world.aoki.click(queue, label="Accept"))
    assert "is right from now on" in text(after)
    assert "have not missed anything" in said(await world.mika.slash(world.study, "mistakes"))
    again = await start(world, world.tom, count=1, pack="particles")
    assert "✅ Right" in text(shown(await submit(world.tom, again, "ぬぬぬ")))


async def test_appeals_from_direct_messages_go_to_the_operator(world: World) -> None:
    message = shown(await world.mika.user.slash("drill", count=1))
    opened = await world.mika.user.click(message, label="Answer")
    verdict = shown(await world.mika.user.submit_modal(opened, {"text": "ぬぬぬ"}))
    assert "The operator of this bot, or" in said(await world.mika.user.click(verdict, label="I was right"))
    assert "Nobody waits" in said(await world.aoki.slash(world.study, "queue"))
    world.bot.owner_id = world.aoki.id
    queue = shown(await world.aoki.slash(world.study, "queue"))
    assert "for everybody" in text(queue)
    world.bot.owner_id = world.tom.id
    assert "owner of this bot" in told(await world.aoki.click(queue, label="Accept"))
    world.bot.owner_id = world.aoki.id
    after = shown(await world.aoki.click(queue, label="Accept"))
    assert "is right from now on" in text(after)
    again = await start(world, world.tom, count=1)
    assert "✅ Right" in text(shown(await submit(world.tom, again, "ぬぬぬ")))


async def test_an_appeal_can_be_declined(world: World) -> None:
    message = await start(world, count=1)
    verdict = shown(await submit(world.mika, message, "ぬぬぬ"))
    await world.mika.click(verdict, label="I was right")
    queue = shown(await world.aoki.slash(world.study, "queue"))
    after = shown(await world.aoki.click(queue, label="Keep as wrong"))
    assert "stays wrong" in text(after)
    assert "ぬぬぬ" in said(await world.mika.slash(world.study, "mistakes"))
