"""A learner arranges what comes by itself: nothing until it is asked for, and everything can be taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from cogs.render import arrangements as render
from lessons.flows.arranging import EVERY_DAY, Arranged
from lessons.model import (
    Learner,
    Pause,
    Preferences,
    Rule,
    Schedule,
    ScheduleId,
    ScheduleKind,
    ScheduleState,
    Slot,
    UserId,
)
from tests.cogs.drawing import fits, message_of
from tests.conftest import BEGINNING, World
from tests.screen import buttons, components, said, shown, text, told

REVIEW, REMINDER = ScheduleKind.REVIEW, ScheduleKind.REMINDER
MIKA = UserId(1)


def schedule(kind: ScheduleKind, minute: int, weekdays: tuple[int, ...] = EVERY_DAY) -> Schedule:
    upcoming = Slot(BEGINNING + timedelta(hours=10), BEGINNING.date())
    rule = Rule("UTC", minute, weekdays)
    return Schedule(ScheduleId(1), kind, rule, ScheduleState.ACTIVE, MIKA, BEGINNING, MIKA, upcoming=upcoming)


def drawn(learner: Learner, arranged: Arranged, changed: str = "") -> Any:
    return message_of(render.arrangements(learner, arranged, changed=changed))


def test_everything_at_once_fits_a_message_with_a_time_that_is_no_whole_hour() -> None:
    both = Arranged(schedule(REVIEW, 1139, (6,)), schedule(REMINDER, 1))
    paused = replace(both.reminder or schedule(REMINDER, 1), state=ScheduleState.PAUSED, upcoming=None)
    message = drawn(
        Learner(MIKA), Arranged(both.review, replace(paused, why=Pause.NO_DM, paused_at=BEGINNING)), "Saved."
    )
    assert fits(message)
    assert "every Sunday at **18:59**, next <t:" in text(message)
    assert "every day at **00:01**, **paused** since <t:" in text(message)
    assert "Allow direct messages" in text(message)
    hours = [part for part in components(message) if part.get("custom_id") == "kz:own_hour:review"]
    assert [len(part["options"]) for part in hours] == [25]
    assert [option["label"] for option in hours[0]["options"] if option.get("default")] == ["Review at 18:59"]


def test_why_and_since_are_told_only_where_they_are_known() -> None:
    paused = replace(schedule(REVIEW, 60), state=ScheduleState.PAUSED, upcoming=None, why=Pause.ASKED)
    assert "every day at **01:00**, **paused**.\n" in text(drawn(Learner(MIKA), Arranged(paused)))


def test_utc_is_warned_of_until_a_zone_is_chosen() -> None:
    unset = drawn(Learner(MIKA), Arranged())
    assert "Times are in UTC while no time zone is set." in text(unset)
    assert "Set time zone" in buttons(unset)
    chosen = drawn(Learner(MIKA, Preferences("Asia/Tokyo"), zone_chosen=True), Arranged())
    assert "Times are in Asia/Tokyo." in text(chosen)
    assert "Set time zone" not in buttons(chosen)


async def test_a_review_is_turned_on_moved_and_turned_off_in_place(world: World) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    message = shown(await world.mika.click(message, label="Reviews and reminders"))
    assert "**Review**: off" in text(message)
    assert "**Reminder**: off" in text(message)
    message = shown(await world.mika.select(message, ["0"], custom_id="kz:own_day:0"))
    assert "**Review**: every Monday at **19:00**, next <t:" in text(message)
    message = shown(await world.mika.select(message, ["480"], custom_id="kz:own_hour:review"))
    assert "every Monday at **08:00**" in text(message)
    opened = await world.mika.click(message, label="Exact review time")
    message = shown(await world.mika.submit_modal(opened, {"time": "7:45pm"}))
    assert "every Monday at **19:45**" in text(message)
    opened = await world.mika.click(message, label="Exact review time")
    assert "soon" in told(await world.mika.submit_modal(opened, {"time": "soon"}))
    message = shown(await world.mika.select(message, ["daily"], custom_id="kz:own_day:0"))
    assert "every day at **19:45**" in text(message)
    message = shown(await world.mika.select(message, ["off"], custom_id="kz:own_day:0"))
    assert "**Review**: off" in text(message)
    assert "Questions in a drill" in text(shown(await world.mika.click(message, label="Other settings")))


async def test_a_reminder_is_turned_on_and_off_and_a_zone_moves_it(world: World) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    message = shown(await world.mika.click(message, label="Reviews and reminders"))
    message = shown(await world.mika.select(message, ["1200"], custom_id="kz:own_hour:reminder"))
    assert f"every day at **20:00**, next <t:{int(BEGINNING.replace(hour=20).timestamp())}:F>" in text(message)
    opened = await world.mika.click(message, label="Set time zone")
    message = shown(await world.mika.submit_modal(opened, {"zone": "tokyo"}))
    assert "Time zone set to Asia/Tokyo." in text(message)
    assert f"every day at **20:00**, next <t:{int(BEGINNING.replace(hour=11).timestamp())}:F>" in text(message)
    off = shown(await world.mika.click(message, label="No reminders"))
    assert "✓ Turned off." in text(off)
    assert "No reminders" not in buttons(off)
    reminder = (await world.services.choosing.arranging.arranged(UserId(world.mika.id))).reminder
    assert reminder is None


async def test_what_is_paused_is_resumed_and_a_second_press_is_told_so(world: World) -> None:
    arranging = world.services.choosing.arranging
    made = await arranging.arrange(UserId(world.mika.id), REVIEW, world.clock())
    await arranging.schedules.pause(made.id, Pause.UNANSWERED, world.clock())
    page = shown(await world.mika.slash(world.study, "settings", review_time="18"))
    assert "every Sunday at **18:00**, next" in text(page)  # a change is a way to go on, too
    await arranging.schedules.pause(made.id, Pause.UNANSWERED, world.clock())
    page = shown(await world.mika.click(page, label="No streaks"))
    assert "the last one was left unanswered, so I stopped" in text(page)
    other = shown(await world.mika.slash(world.study, "settings"))
    other = shown(await world.mika.click(other, label="Reviews and reminders"))
    assert "✓ It goes on." in text(shown(await world.mika.click(page, label="Resume reviews")))
    again = shown(await world.mika.click(other, label="Resume reviews"))
    assert "It was not paused; nothing was changed." in text(again)


async def test_options_arrange_everything_at_once_or_nothing(world: World) -> None:
    refused = said(await world.mika.slash(world.study, "settings", review="daily", reminder="whenever", drill_length=3))
    assert "whenever" in refused
    assert "Questions in a drill: **10**" in said(await world.mika.slash(world.study, "settings"))
    page = said(await world.mika.slash(world.study, "settings", review="2", review_time="7pm", reminder="7:30"))
    assert "every Wednesday at **19:00**" in page
    assert "every day at **07:30**" in page
    page = said(await world.mika.slash(world.study, "settings", review="off", reminder="OFF", time_zone="Tokyo"))
    assert "Time zone set to Asia/Tokyo." in page
    assert "**Review**: off" in page
    assert "**Reminder**: off" in page


async def test_what_others_see_and_streaks_are_switches(world: World) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    assert "never your sentences" in text(message)
    assert "My name on shared cards: **hidden**" in text(message)
    message = shown(await world.mika.click(message, label="Show my name on shared cards"))
    message = shown(await world.mika.click(message, label="Count me in group reviews"))
    assert "My name on shared cards: **shown**" in text(message)
    assert "Reviews of a group: **counted in**" in text(message)
    preferences = (await world.services.choosing.learner(UserId(world.mika.id))).preferences
    assert (preferences.named, preferences.counted, preferences.streaks) == (True, True, True)
    await world.mika.slash(world.study, "settings", show_name=False, group_reviews=False, streaks=False)
    preferences = (await world.services.choosing.learner(UserId(world.mika.id))).preferences
    assert (preferences.named, preferences.counted, preferences.streaks) == (False, False, False)
    message = shown(await world.mika.slash(world.study, "settings"))
    message = shown(await world.mika.click(message, label="Reviews and reminders"))
    assert "**Streak**: off" in text(message)
    assert "**Streak**: counted" in text(shown(await world.mika.click(message, label="Count streaks")))


@pytest.mark.parametrize(
    ("custom_id", "value"),
    [("kz:own_day:0", "7"), ("kz:own_hour:review", "1440"), ("kz:own_hour:daily_drill", "60")],
)
async def test_what_is_not_offered_is_not_taken(world: World, custom_id: str, value: str) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    choices = [{"label": "x", "value": value}]
    world.env.backend.get_message(message.channel_id, message.id).components = [
        {"type": 1, "components": [{"type": 3, "custom_id": custom_id, "options": choices}]}
    ]
    assert "older version of me" in said(await world.mika.select(message, [value], custom_id=custom_id))
    assert await world.services.choosing.arranging.arranged(UserId(world.mika.id)) == Arranged()
