"""What moderators schedule, on the real bot: previews, the list, and who may touch what."""

from __future__ import annotations

from datetime import date
from typing import Any

import discord
import pytest

from cogs.messages import days_named, failure, latest_named, rule_named
from cogs.refusals import ChannelClosed
from cogs.render import schedules as render
from lessons.flows.scheduling import Planned
from lessons.model import (
    Asked,
    ChannelId,
    GuildId,
    LatestRun,
    PackId,
    Pause,
    Rule,
    RunState,
    Schedule,
    ScheduleId,
    ScheduleKind,
    ScheduleState,
    Skip,
    Slot,
    UserId,
)
from tests.cogs.drawing import fits, message_of
from tests.cogs.newsroom import forge
from tests.cogs.test_moderating import open_to
from tests.cogs.test_packs import load
from tests.conftest import BEGINNING, World
from tests.screen import buttons, components, custom_ids, said, shown, text, told

TOKYO = {"time_zone": "Tokyo"}
RULE = Rule("Asia/Tokyo", 9 * 60)


async def plan(world: World, command: str = "drill", who: Any = None, **options: Any) -> Any:
    """Ask for a schedule and return the message that it ends in."""
    given = {"time": "9:00", **TOKYO, **options}
    return shown(await (who or world.aoki).slash(world.study, f"schedule {command}", **given))


async def made(world: World, command: str = "drill", **options: Any) -> Any:
    return shown(await world.aoki.click(await plan(world, command, **options), label="Confirm"))


async def listed(world: World) -> Any:
    return shown(await world.aoki.slash(world.study, "schedule list"))


async def test_a_drill_of_the_day_is_shown_first_and_begins_when_it_is_confirmed(world: World) -> None:
    result = await world.aoki.slash(
        world.study, "schedule drill", time="7pm", days="weekdays", pack="particles", lessons="1", count=3, **TOKYO
    )
    assert result.ephemeral
    preview = said(result)
    assert "### Drill of the day: a preview" in preview
    assert "3 questions from **Particles**, lessons `1`" in preview
    assert f"**Where** <#{world.study.id}>" in preview
    assert "**When** weekdays at 19:00 (Asia/Tokyo)" in preview
    assert preview.count(":F>") == 3
    assert "Nothing is posted until you confirm." in preview
    assert "Nothing is scheduled here yet" in text(await listed(world))
    begun = await world.aoki.click(shown(result), label="Confirm")
    assert "The first one comes <t:" in said(begun)
    assert "Schedules of this server · 1" in text(await listed(world))


async def test_a_second_confirmation_is_answered_and_changes_nothing(world: World) -> None:
    preview = await plan(world)
    confirm = next(each for each in custom_ids(preview) if each.startswith("kz:sched_begin"))
    await world.aoki.click(preview, label="Confirm")
    forge(world, preview, confirm)
    late = shown(await world.aoki.click(preview, label=confirm))
    assert "That was done already" in text(late)
    assert set(buttons(late)) == {"Pause", "Remove", "All schedules"}
    assert "Schedules of this server · 1" in text(await listed(world))


async def test_changing_nothing_leaves_nothing(world: World) -> None:
    preview = await plan(world)
    assert "Nothing was scheduled." in said(await world.aoki.click(preview, label="Change nothing"))
    assert "Nothing is scheduled here yet" in text(await listed(world))


async def test_a_review_of_the_group_says_what_it_tells_and_there_is_one(world: World) -> None:
    preview = text(await plan(world, "review"))
    assert "### Review of the group: a preview" in preview
    assert "No names, no sentences." in preview
    assert "Sundays at 9:00" in preview
    await made(world, "review")
    assert f"a review of the group already, in <#{world.study.id}>" in text(await plan(world, "review"))


async def test_the_moderators_own_zone_is_taken_or_asked_for(world: World) -> None:
    unknown = said(await world.aoki.slash(world.study, "schedule drill", time="9"))
    assert "I do not know your time zone." in unknown
    await world.aoki.slash(world.study, "settings", time_zone="Berlin")
    assert "(Europe/Berlin)" in said(await world.aoki.slash(world.study, "schedule drill", time="9"))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"time": "soon"}, "I cannot read `soon` as a time of day."),
        ({"days": "whenever"}, "I cannot read `whenever` as days."),
        ({"time_zone": "Atlantis"}, "I do not know the time zone `Atlantis`"),
        ({"news": True, "pack": "particles"}, "choose one of the two"),
        ({"pack": "@everyone"}, "There is no pack called"),
        ({"pack": "particles", "lessons": "99"}, "Nothing matches `99`"),
    ],
)
async def test_what_cannot_be_scheduled_is_said(world: World, options: dict[str, Any], sentence: str) -> None:
    refused = text(await plan(world, **options))
    assert sentence in refused
    assert "@everyone" not in refused


async def test_a_schedule_is_paused_resumed_and_removed_from_the_list(world: World) -> None:
    await made(world)
    page = await listed(world)
    (option,) = [option for part in components(page) for option in part.get("options", ())]
    assert option["label"] == "Drill of the day, #study, every day at 9:00 (Asia/Tokyo), 1 question"
    assert option["description"] == "active · 1 question"
    one = shown(await world.aoki.select(page, [option["value"]], custom_id="kz:schedule:0"))
    paused = shown(await world.aoki.click(one, label="Pause"))
    assert "⏸ Paused since" in text(paused)
    assert "a moderator paused it" in text(await listed(world))
    assert set(buttons(paused)) == {"Resume", "Remove", "All schedules"}
    resumed = shown(await world.aoki.click(paused, label="Resume"))
    assert "It goes on." in text(resumed)
    question = shown(await world.aoki.click(resumed, label="Remove"))
    kept = shown(await world.aoki.click(question, label="Keep it"))
    assert "### Drill of the day" in text(kept)
    question = shown(await world.aoki.slash(world.study, "schedule remove", schedule=option["value"]))
    remove = next(each for each in custom_ids(question) if each.startswith("kz:sched_gone"))
    old = await listed(world)
    gone = shown(await world.aoki.click(question, label="Remove"))
    assert "was removed" in text(gone)
    forge(world, gone, remove)
    late = shown(await world.aoki.click(gone, label=remove))
    assert "That schedule is gone; `/schedule list`" in text(late)
    assert set(buttons(late)) == {"All schedules"}
    late = await world.aoki.select(old, [option["value"]], custom_id="kz:schedule:0")
    assert "That schedule is gone" in said(late)
    assert "Nothing is scheduled here yet" in text(await listed(world))


async def test_presses_work_after_a_restart(world: World) -> None:
    preview = await plan(world)
    await world.restart()
    begun = shown(await world.aoki.click(preview, label="Confirm"))
    await world.restart()
    assert "⏸ Paused since" in text(shown(await world.aoki.click(begun, label="Pause")))


async def test_schedules_packs_and_zones_are_completed(world: World) -> None:
    await made(world)
    there = await world.aoki.autocomplete(world.study, "schedule remove", "schedule", "drill")
    assert [each["name"] for each in there] == ["Drill of the day, #study, every day at 9:00 (Asia/Tokyo), 1 question"]
    days = await world.aoki.autocomplete(world.study, "schedule drill", "days", "week")
    assert [each["value"] for each in days] == ["weekdays", "weekends"]
    packs = await world.aoki.autocomplete(world.study, "schedule drill", "pack", "verb")
    assert [each["value"] for each in packs] == ["verb_forms"]
    zones = await world.aoki.autocomplete(world.study, "schedule review", "time_zone", "osaka")
    assert zones[0]["value"] == "Asia/Tokyo"
    assert await world.stranger.autocomplete(world.next_door_channel, "schedule remove", "schedule", "") == []
    refused = said(await world.aoki.slash(world.study, "schedule remove", schedule="ない"))
    assert "There is no schedule `ない`." in refused


def closed(world: World, name: str, who: Any, **denied: bool) -> Any:
    """A channel in which somebody may not do something."""
    return world.guild.create_text_channel(name, overwrites={who: discord.PermissionOverwrite(**denied)})


async def test_a_channel_is_looked_at_before_anything_is_planned(world: World) -> None:
    bot = world.bot.user
    mute = closed(world, "mute", bot, send_messages=False, attach_files=False)
    assert "I cannot post in <#" in (refused := text(await plan(world, channel=mute)))
    assert "I need **Send Messages** and **Attach Files** there." in refused
    silent = closed(world, "silent", world.aoki, send_messages=False)
    assert "I post only where you may post yourself" in (refused := text(await plan(world, channel=silent)))
    assert "you lack **Send Messages**" in refused
    open_one = world.guild.create_text_channel("open")
    assert f"**Where** <#{open_one.id}>" in text(await plan(world, channel=open_one))


async def test_a_channel_is_looked_at_again_when_the_plan_is_confirmed_or_resumed(world: World) -> None:
    place = world.guild.create_text_channel("place")
    begun = await made(world, channel=place)
    paused = shown(await world.aoki.click(begun, label="Pause"))
    preview = await plan(world, channel=place, time="10")
    mine = world.bot.get_channel(place.id)
    assert isinstance(mine, discord.TextChannel)
    await mine.delete()
    for message, label in ((preview, "Confirm"), (paused, "Resume")):
        assert "I post in text channels of this server only" in told(await world.aoki.click(message, label=label))
    assert "⏸" in text(await listed(world))


OPTIONS = {
    "drill": {"time": "9", **TOKYO},
    "review": {"time": "9", **TOKYO},
    "list": {},
    "remove": {"schedule": "1"},
}


@pytest.mark.parametrize("command", OPTIONS)
async def test_a_command_that_was_opened_to_everybody_still_asks_for_the_permission(world: World, command: str) -> None:
    await made(world)
    await open_to(world, "schedule", world.mika)
    result = await world.mika.slash(world.study, f"schedule {command}", **OPTIONS[command])
    assert "You need the permission **Manage Server** in this server for that." in said(result)
    assert await world.mika.autocomplete(world.study, "schedule remove", "schedule", "") == []


async def test_nobody_else_touches_the_schedules_of_a_server(world: World) -> None:
    """A member here, and a moderator next door who knows the ids, by every button there is."""
    begun, draft = await made(world), await plan(world, time="10")
    number = custom_ids(begun)[0].rsplit(":", 1)[1]
    waiting = custom_ids(draft)[0].rsplit(":", 1)[1]
    ids = [
        *(f"kz:sched_{deed}:{waiting}" for deed in ("begin", "drop")),
        *(f"kz:sched_{deed}:{number}" for deed in ("kept", "pause", "resume", "remove", "gone")),
    ]
    own = shown(await world.mika.slash(world.study, "settings"))
    for each in ids:
        forge(world, own, each)
        assert "Manage Server" in told(await world.mika.click(own, label=each)), each
    for each in ids:
        theirs = shown(await world.stranger.slash(world.next_door_channel, "settings"))
        forge(world, theirs, each)
        assert "That schedule is gone" in said(await world.stranger.click(theirs, label=each)), each
    own = shown(await world.mika.slash(world.study, "settings"))
    forge(world, own, "kz:schedules:0")
    assert "Manage Server" in told(await world.mika.click(own, label="kz:schedules:0"))
    page = text(await listed(world))
    assert "Schedules of this server · 1" in page
    assert "⏸" not in page


async def test_a_moderators_press_in_a_direct_message_is_refused(world: World) -> None:
    begun = await made(world)
    number = custom_ids(begun)[0].rsplit(":", 1)[1]
    own = shown(await world.aoki.user.slash("settings"))
    forge(world, own, f"kz:sched_pause:{number}")
    assert "works in a server only" in told(await world.aoki.user.click(own, label=f"kz:sched_pause:{number}"))


def a_schedule(number: int = 1, **changed: Any) -> Schedule:
    given: dict[str, Any] = {
        "kind": ScheduleKind.DAILY_DRILL,
        "rule": RULE,
        "state": ScheduleState.ACTIVE,
        "upcoming": Slot(BEGINNING, date(2026, 11, 30)),
        "asked": Asked(PackId(1), "猫" * 100, count=10),
    }
    return Schedule(
        ScheduleId(number),
        made_by=UserId(1),
        made_at=BEGINNING,
        guild=GuildId(1),
        channel=ChannelId(1_000_000_000_000_000_000),
        **given | changed,
    )


@pytest.mark.parametrize("pack", ["", "猫" * 300, "*_~`|>[]#@<" * 40, "👩‍👩‍👧" * 60, "\u202e"])
@pytest.mark.parametrize("why", [None, *Pause])
@pytest.mark.parametrize("gone", [False, True])
def test_twenty_five_schedules_in_trouble_fit(pack: str, why: Pause | None, gone: bool) -> None:
    latest = LatestRun(ScheduleId(1), RunState.FAILED, BEGINNING, Pause.NO_ACCESS.value)
    state = ScheduleState.PAUSED if why else ScheduleState.ACTIVE
    schedules = [
        Planned(a_schedule(number, state=state, why=why, paused_at=BEGINNING), pack, (BEGINNING,) * 3, latest, gone, 1)
        for number in range(25)
    ]
    for page in range(5):
        message = message_of(render.listing(schedules, page, {ChannelId(1_000_000_000_000_000_000): "ん" * 100}))
        assert fits(message)
        assert ("Paused since" in text(message)) == (why is not None)
    for view in (render.preview, render.schedule, render.begun, render.remove_question, render.removed):
        assert fits(message_of(view(schedules[0])))
    assert "page 5 of 5" in text(message_of(render.listing(schedules, 99)))


def test_a_pause_of_which_nobody_knows_the_reason_is_shown_by_its_mark() -> None:
    shown_ = text(message_of(render.listing([Planned(a_schedule(state=ScheduleState.PAUSED))], 0)))
    assert "⏸" in shown_
    assert "Paused" not in shown_


def test_the_news_and_the_servers_packs_are_named() -> None:
    texts = [
        text(message_of(render.schedule(Planned(a_schedule(asked=asked), times=(BEGINNING,)))))
        for asked in (
            Asked(news=True),
            Asked(),
        )
    ]
    assert "1 question from the news of this server" in texts[0]
    assert "1 question from the packs of this server" in texts[1]


@pytest.mark.parametrize(
    ("state", "why", "sentence"),
    [
        (RunState.SENT, "few", "posted <t:1796029200:R>"),
        (RunState.SKIPPED, Skip.LATE.value, "it was too late afterwards"),
        (RunState.SKIPPED, Skip.NOTHING.value, "there was nothing to say"),
        (RunState.FAILED, Pause.NO_MATERIAL.value, "its pack, or its lessons of it, were not there"),
        (RunState.FAILED, Pause.NO_CHANNEL.value, "could not be posted <t:1796029200:R>: its channel is gone"),
        (RunState.FAILED, "TypeError", "could not be posted <t:1796029200:R>"),
        (RunState.UNKNOWN, "", "cut off <t:1796029200:R>"),
    ],
)
def test_what_became_of_the_latest_time_is_said_in_words(state: RunState, why: str, sentence: str) -> None:
    told_ = latest_named(LatestRun(ScheduleId(1), state, BEGINNING, why))
    assert sentence in told_
    assert "TypeError" not in told_


def test_a_drill_that_found_no_gap_in_the_news_says_so_in_the_list() -> None:
    latest = LatestRun(ScheduleId(1), RunState.SKIPPED, BEGINNING, Skip.NOTHING.value)
    news = Planned(a_schedule(asked=Asked(news=True)), latest=latest)
    for view in (render.listing([news], 0), render.schedule(news)):
        told_ = text(message_of(view))
        assert "1 question from the news of this server" in told_
        assert "no article with a gap that is sure" in told_
    assert "news, 1 question" in render.label(news)


def test_a_schedule_whose_pack_is_gone_says_so_wherever_it_is_shown() -> None:
    why = {"state": ScheduleState.PAUSED, "why": Pause.NO_MATERIAL, "upcoming": None}
    for schedule in (a_schedule(asked=Asked(PackId(1))), a_schedule(asked=Asked(PackId(1)), **why)):
        planned = Planned(schedule, "mine", (BEGINNING,), gone=True, there=0)
        for view in (render.listing([planned], 0), render.schedule(planned), render.preview(planned)):
            assert "ts pack **mine** is gone" in text(message_of(view))
        (option,) = [
            each for part in components(message_of(render.listing([planned], 0))) for each in part.get("options", ())
        ]
        assert "its pack mine is gone" in option["description"]
        assert "mine (gone)" in option["label"]
    assert set(buttons(message_of(render.preview(planned)))) == {"Change nothing"}


@pytest.mark.parametrize(
    ("asked", "there", "sentence"),
    [
        (Asked(count=3), 1, "only **1 question** of that now, so it asks 1."),
        (Asked(count=3), 2, "only **2 questions** of that now, so it asks 2."),
        (Asked(count=3), 0, "`/pack load` brings lessons"),
        (Asked(news=True), 0, "`/feed add` follows a site"),
        (Asked(count=3), 3, ""),
        (Asked(count=3), None, ""),
    ],
)
def test_a_preview_says_how_many_questions_there_will_be(asked: Asked, there: int | None, sentence: str) -> None:
    seen = text(message_of(render.preview(Planned(a_schedule(asked=asked), times=(BEGINNING,), there=there))))
    assert (sentence in seen) if sentence else ("⚠️" not in seen)


async def test_two_schedules_of_a_kind_are_told_apart_and_the_same_is_refused(world: World) -> None:
    begun = await made(world, pack="particles", lessons="1", count=2, days="mon wed fri")
    assert "2 questions from **Particles**, lessons `1`" in text(begun)
    assert "Mon, Wed and Fri at 9:00" in text(begun)
    await made(world, days="月水金")
    page = await listed(world)
    assert "2 questions from **Particles**, lessons `1`" in text(page)
    first, second = [option for part in components(page) for option in part.get("options", ())]
    assert first["description"] == "active · Particles, lessons 1, 2 questions"
    assert second["description"] == "active · 1 question"
    refused = text(await plan(world, days="fri, wed, mon"))
    assert f"The same is scheduled in <#{world.study.id}> at that time already." in refused
    question = shown(await world.aoki.slash(world.study, "schedule remove", schedule=first["value"]))
    assert "(2 questions from **Particles**, lessons `1`)" in text(question)


async def test_a_preview_whose_pack_went_meanwhile_is_shown_anew(world: World) -> None:
    await load(world, name="mine")
    preview = await plan(world, pack="mine", count=9)
    assert "There are only **3 questions** of that now" in text(preview)
    begun = await made(world, pack="mine", time="10")
    question = shown(await world.aoki.slash(world.study, "pack remove", name="mine"))
    assert "One drill of the day asks from it and will pause." in text(question)
    await world.aoki.click(question, label="Remove")
    late = shown(await world.aoki.click(preview, label="Confirm"))
    assert "The pack that this drill asks from" in text(late)
    assert set(buttons(late)) == {"Change nothing"}
    paused = shown(await world.aoki.click(begun, label="Pause"))
    assert "Its pack **mine** is gone" in text(paused)
    assert "The pack that this drill asks from" in said(await world.aoki.click(paused, label="Resume"))


@pytest.mark.parametrize(
    ("weekdays", "name"),
    [((0, 1, 2, 3, 4, 5, 6), "every day"), ((5, 6), "weekends"), ((2,), "Wednesdays"), ((0, 2, 4), "Mon, Wed and Fri")],
)
def test_days_are_named_as_people_do(weekdays: tuple[int, ...], name: str) -> None:
    assert days_named(weekdays) == name
    assert rule_named(Rule("Etc/GMT-9", 5, weekdays)) == f"{name} at 0:05 (UTC+9)"


def test_one_missing_permission_is_named_alone() -> None:
    assert "I need **View Channel** there." in failure(ChannelClosed(1, ("View Channel",)))
