"""Reviews and reminders as they come by direct message, and every press on them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from cogs.render import posts as render
from cogs.render import streaks
from cogs.render.drills import summary
from cogs.ui.escape import safe
from cogs.ui.presses import MARK
from lessons.flows.delivering import Summary
from lessons.flows.reminding import ReminderPost
from lessons.flows.reporting import FirstTries, Returned, ReviewPost, Span
from lessons.model import Drill, DrillId, DrillState, RunId, ScheduleKind, Track, UserId
from lessons.streaks import Streak
from lessons.summary import Tally
from tests.cogs.drawing import fits, message_of
from tests.cogs.test_reviews import miss, review_of
from tests.conftest import BEGINNING, World
from tests.screen import buttons, components, custom_ids, said, shown, text

REVIEW, REMINDER = ScheduleKind.REVIEW, ScheduleKind.REMINDER
WEEK = timedelta(days=7)


def post_of(count: int, wrote: str, *, returned: int = 0, **more: Any) -> ReviewPost:
    """A review of a week with so many themes, and as many of the week before that somebody came back to."""
    review = replace(review_of(count, wrote), since=BEGINNING - WEEK)
    found = tuple(Returned(theme, 2, 1) for theme in review_of(returned, wrote).themes)
    return ReviewPost(RunId(7), review, Span(BEGINNING - 2 * WEEK, BEGINNING - WEEK), found, **more)


def drawn(post: ReviewPost) -> Any:
    return message_of(render.review(post))


@pytest.mark.parametrize("wrote", ["は", "*_~`|>[]#@<" * 40, "寿司" * 200, "👩‍👩‍👧" * 60, "http://evil.example/" * 30])
def test_the_longest_review_fits_a_message(wrote: str) -> None:
    firsts = tuple(FirstTries(track, Tally(10, 3), Tally(20, 15)) for track in Track)
    assert fits(drawn(post_of(9, wrote, returned=9, firsts=firsts)))


def test_a_review_tells_its_time_and_what_became_of_the_last() -> None:
    firsts = (FirstTries(Track.LESSON, Tally(10, 3), Tally(20, 15)),)
    post = post_of(1, "*は*", returned=1, firsts=firsts)
    once = Returned(post.returned[0].theme, 1, 1)
    never = Returned(post.returned[0].theme, 3, 0)
    message = drawn(replace(post, returned=(*post.returned, once, never)))
    page = text(message)
    assert "### Your last 7 days\n**2 exercises** missed · 1 theme" in page
    assert f"**Since your review of <t:{int((BEGINNING - WEEK).timestamp())}:D>**" in page
    name = safe("tense: *は* written as *は*", 60)
    assert f"- {name} · 2 answered again, 1 right\n- {name} · 1 answered again, 1 right\n" in page
    assert f"- {name} · 3 answered again, none right yet\n" in page
    assert "- First tries (lesson practice): 30 % right then, 75 % now" in page
    assert "so they never pile up" in page
    assert set(buttons(message)) == {"Drill this", "Again tomorrow", "Less often or off"}


def test_a_review_says_nothing_where_there_is_nothing() -> None:
    assert "Since your review" not in text(drawn(post_of(1, "は")))
    lonely = post_of(2, "は")
    alone = replace(lonely, review=replace(lonely.review, themes=(), exercises=4))
    assert "No two of the 4 are alike" in text(drawn(alone))
    few = replace(lonely, review=replace(lonely.review, themes=(), exercises=1, since=BEGINNING - timedelta(hours=20)))
    assert "No two" not in text(drawn(few))
    assert "### Your last day\n**1 exercise** missed" in text(drawn(few))


def test_a_reminder_tells_what_there_is_and_blames_nobody() -> None:
    page = text(message_of(render.reminder(ReminderPost(RunId(7), 1))))
    assert "**1 review** waits for you." in page
    assert "streak" not in page
    held = Streak(12, 20, today=False, freezes=1, covered=1)
    page = text(message_of(render.reminder(ReminderPost(RunId(7), 12, held))))
    assert "**12 reviews** wait for you." in page
    assert "You have practised **12 days in a row**; a freeze day covered yesterday." in page
    assert "1 freeze day left." in page
    assert streaks.RULE in page
    page = text(message_of(render.reminder(ReminderPost(RunId(7), 0, replace(held, freezes=0, covered=2)))))
    assert "review" not in page
    assert "freeze days covered the last two" in page
    yesterday = text(message_of(render.reminder(ReminderPost(RunId(7), 0, Streak(1, 9)))))
    assert "You practised yesterday. One answer makes it **2 days in a row**." in yesterday
    for word in ("lost", "lose", "broke", "fail", "don't"):
        assert word not in page


def test_a_streak_that_ended_is_not_mentioned() -> None:
    for none in (None, Streak(longest=40)):
        assert streaks.line(none) == streaks.today(none) == streaks.at_stake(none) == ""
    assert streaks.line(Streak(3, 9, today=True)) == "Streak: **3 days** · longest: 9 days"
    assert streaks.line(Streak(9, 9, today=True, freezes=1)) == "Streak: **9 days** · 1 freeze day left"
    assert streaks.today(Streak(1, 9, today=True)) == streaks.today(Streak(4, 9)) == ""
    assert streaks.today(Streak(2, 9, today=True)) == "-# Day 2 in a row"
    assert streaks.today(Streak(14, 14, today=True, freezes=2)) == "-# Day 14 in a row · 2 freeze days left"


def test_a_drill_ends_with_the_day_it_made() -> None:
    drill = Drill(DrillId(1), UserId(1), None, Track.LESSON, "", DrillState.FINISHED, BEGINNING, 3, 3, 3)
    assert "\n-# Day 5 in a row\n" in text(message_of(summary(Summary(drill, (), Streak(5, 5, today=True)))))
    assert "in a row" not in text(message_of(summary(Summary(drill, ()))))


async def comes(world: World) -> Any:
    """Let what is due be posted by the clock; the message that Mika finds."""
    tally = await world.services.posting.tick(world.clock)
    assert (tally.sent, tally.failed, tally.put_off, tally.paused) == (1, 0, 0, 0)
    return world.mika.user.dm_channel.last_message


async def arrange(world: World, kind: ScheduleKind, at: datetime | None = None) -> None:
    """Turn it on, and move the clock to its time."""
    arranging = world.services.choosing.arranging
    days = (0,) if kind is REVIEW else None
    made = await arranging.arrange(UserId(world.mika.id), kind, world.clock(), minute=600, weekdays=days)
    assert made.upcoming is not None
    world.clock.at = at or made.upcoming.due


async def answered(world: World, kind: ScheduleKind) -> bool:
    schedules = world.services.choosing.arranging.schedules
    mine = await schedules.own(UserId(world.mika.id), kind)
    latest = await schedules.latest_sent(mine.id) if mine else None
    return latest is not None and await schedules.is_answered(latest[0])


async def test_a_theme_of_a_posted_review_is_drilled_in_the_direct_messages(world: World) -> None:
    await miss(world, "が", "は", 4)
    await arrange(world, REVIEW)
    message = await comes(world)
    assert not await answered(world, REVIEW)
    await world.restart()
    begun = await world.mika.user.click(message, label="Drill this")
    assert "**Your theme: particles** · 1/4" in said(begun)
    assert await answered(world, REVIEW)
    again = await world.mika.user.click(message, label="Drill this")
    anew = await world.mika.user.click(shown(again), label="Drill the theme")
    assert "**Your theme: particles** · 1/4" in said(anew)


async def test_a_theme_of_a_short_time_is_what_it_was_then(world: World) -> None:
    await miss(world, "に", "を", 4)
    await arrange(world, REVIEW)
    await comes(world)
    world.clock.move(days=1)
    await miss(world, "が", "は", 3)
    world.clock.move(days=6)
    message = await comes(world)
    (press,) = [each for each in custom_ids(message) if each.startswith("kz:theme:")]
    assert len(press) <= 100
    assert "1/3" in said(await world.mika.user.click(message, label="Drill this"))


async def test_a_review_is_put_off_once_and_told_until_when(world: World) -> None:
    await miss(world, "が", "は", 4)
    await arrange(world, REVIEW)
    message = await comes(world)
    tomorrow = int((world.clock() + timedelta(days=1)).timestamp())
    assert f"Your next review comes <t:{tomorrow}:F>" in said(
        await world.mika.user.click(message, label="Again tomorrow")
    )
    world.clock.move(hours=2)
    assert f"<t:{tomorrow}:F>" in said(await world.mika.user.click(message, label="Again tomorrow"))
    await world.services.choosing.arranging.stop(UserId(world.mika.id), REVIEW)
    off = await world.mika.user.click(message, label="Again tomorrow")
    assert "Your reviews are off or paused" in said(off)
    assert "**Review**: off" in said(await world.mika.user.click(shown(off), label="Reviews and reminders"))


async def test_less_often_opens_the_card_beside_the_review(world: World) -> None:
    await miss(world, "が", "は", 4)
    await arrange(world, REVIEW)
    message = await comes(world)
    card = await world.mika.user.click(message, label="Less often or off")
    assert shown(card).id != message.id
    assert "**Review**: every Monday at **10:00**" in said(card)
    assert await answered(world, REVIEW)


async def test_a_reminder_starts_a_drill_in_its_place(world: World) -> None:
    await miss(world, "が", "は", 4)
    await arrange(world, REMINDER, world.clock() + timedelta(days=1, hours=1))
    message = await comes(world)
    assert "**4 reviews** wait" in text(message)
    begun = await world.mika.user.click(message, label="Drill now")
    assert shown(begun).id == message.id
    assert "1/10" in said(begun)
    assert await answered(world, REMINDER)


async def test_a_reminder_is_sent_away_for_today_or_for_good(world: World) -> None:
    await miss(world, "が", "は", 4)
    await arrange(world, REMINDER, world.clock() + timedelta(days=1, hours=1))
    message = await comes(world)
    rested = await world.mika.user.click(message, label="Not today")
    tomorrow = int((world.clock() + timedelta(days=1)).timestamp())
    assert f"All right, not today. The next reminder comes <t:{tomorrow}:F>" in said(rested)
    assert not [part for part in components(shown(rested)) if part["type"] == 2]
    world.clock.move(days=1)
    message = await comes(world)
    off = await world.mika.user.click(message, label="Turn off")
    assert "Reminders are off." in said(off)
    arranged = await world.services.choosing.arranging.arranged(UserId(world.mika.id))
    assert arranged.reminder is None
    back = await world.mika.user.click(shown(off), label="Reviews and reminders")
    assert "**Reminder**: off" in said(back)


def test_resting_without_a_next_time_says_so_much_less() -> None:
    assert text(message_of(render.rested(None))) == "All right, not today."


async def test_no_two_cogs_answer_the_same_press(world: World) -> None:
    actions = [
        getattr(getattr(type(cog), name), MARK)[0]
        for cog in world.bot.cogs.values()
        for name in dir(type(cog))
        if hasattr(getattr(type(cog), name), MARK)
    ]
    assert len(set(actions)) == len(actions)


async def test_after_an_unanswered_review_none_comes_until_the_learner_says_so(world: World) -> None:
    await miss(world, "が", "は", 4)
    await arrange(world, REVIEW)
    message = await comes(world)
    assert "### Your last 30 days" in text(message)
    assert len(message.attachments) == 1
    world.clock.move(days=7)
    assert (await world.services.posting.tick(world.clock)).paused == 1
    noticed = await world.mika.slash(world.study, "settings")
    assert "**Your review** is paused" in text(noticed.followups[-1])
    resumed = await world.mika.click(noticed.followups[-1], label="Resume")
    assert "It goes on" in said(resumed)
    await miss(world, "に", "を", 4)
    world.clock.move(days=7)
    assert "### Your last 14 days" in text(await comes(world))
