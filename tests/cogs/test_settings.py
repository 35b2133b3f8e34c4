"""What a learner sets, and how it is kept."""

from __future__ import annotations

from tests.conftest import World
from tests.screen import components, said, shown, text, told


async def test_defaults_are_shown_and_kept_private(world: World) -> None:
    result = await world.mika.slash(world.study, "settings")
    assert result.ephemeral
    assert "Time zone: **not set** (days end at midnight UTC)" in said(result)
    assert "Daily limits count only for plain `/drill`." in said(result)
    assert "Questions in a drill: **10**" in said(result)


async def test_options_change_several_things_at_once(world: World) -> None:
    changed = said(await world.mika.slash(world.study, "settings", time_zone="Tokyo", drill_length=3, readings=False))
    assert "**Asia/Tokyo**" in changed
    assert "Questions in a drill: **3**" in changed
    assert "**hidden**" in changed
    assert "1/3" in said(await world.mika.slash(world.study, "drill"))
    assert "Questions in a drill: **10**" in said(await world.tom.slash(world.study, "settings"))


async def test_menus_and_the_modal_change_in_place(world: World) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    message = shown(await world.mika.select(message, ["20"], custom_id="kz:set_number:drill_length"))
    assert "Questions in a drill: **20**" in text(message)
    message = shown(await world.mika.click(message, label="Hide readings"))
    assert "**hidden**" in text(message)
    opened = await world.mika.click(message, label="Set time zone")
    assert "**Europe/Berlin**" in text(shown(await world.mika.submit_modal(opened, {"zone": "berlin"})))
    opened = await world.mika.click(message, label="Set time zone")
    refused = told(await world.mika.submit_modal(opened, {"zone": "Tokio"}))
    assert "Asia/Tokyo" in refused


async def test_a_wrong_zone_gets_names_like_it(world: World) -> None:
    assert "`Asia/Tokyo`" in said(await world.mika.slash(world.study, "settings", time_zone="Tokio"))
    choices = await world.mika.autocomplete(world.study, "settings", "time_zone", "tok")
    assert choices[0]["value"] == "Asia/Tokyo"


async def test_an_offset_is_a_time_zone_and_shown_as_it_was_written(world: World) -> None:
    changed = said(await world.mika.slash(world.study, "settings", time_zone="GMT+9"))
    assert "Time zone set to UTC+9. It has no summer time; name a city" in changed
    assert "Time zone: **UTC+9**" in changed
    assert "Etc" not in changed
    choices = await world.mika.autocomplete(world.study, "settings", "time_zone", "utc-5")
    assert choices == [{"name": "UTC-5", "value": "UTC-5"}]
    message = shown(await world.mika.slash(world.study, "settings", time_zone="+05:30"))
    assert "Time zone set to Asia/Kolkata." in text(message)
    opened = await world.mika.click(message, label="Set time zone")
    assert "Time zone set to Asia/Tokyo." in text(shown(await world.mika.submit_modal(opened, {"zone": "大阪"})))


async def test_one_is_no_plural(world: World) -> None:
    result = await world.mika.slash(world.study, "settings", drill_length=1, new_per_day=1, reviews_per_day=1)
    labels = [option["label"] for part in components(shown(result)) for option in part.get("options", ())]
    assert {"1 question in a drill", "1 new item a day", "1 review a day at most"} < set(labels)


async def test_the_tracks_of_mistakes_are_joined_and_parted(world: World) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    assert "Lesson and news mistakes: **apart**" in text(message)
    assert "when they are joined" in text(message)
    message = shown(await world.mika.click(message, label="Join lesson and news mistakes"))
    assert "Lesson and news mistakes: **joined**" in text(message)
    learner = await world.services.choosing.learner(world.mika.id)
    assert learner.preferences.joined_tracks
    message = shown(await world.mika.click(message, label="Keep lesson and news mistakes apart"))
    assert "**apart**" in text(message)
    assert "**joined**" in said(await world.mika.slash(world.study, "settings", join_mistakes=True))


async def test_the_language_of_feedback_is_chosen_or_that_of_discord(world: World) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    assert "Feedback on news answers: **Same as Discord**" in text(message)
    message = shown(await world.mika.select(message, ["zh-TW"], custom_id="kz:set_language:0"))
    assert "Feedback on news answers: **繁體中文**" in text(message)
    learner = await world.services.choosing.learner(world.mika.id)
    assert learner.preferences.language == "zh-TW"
    assert "**Deutsch**" in said(await world.mika.slash(world.study, "settings", feedback="de"))
    message = shown(await world.mika.select(message, ["discord"], custom_id="kz:set_language:0"))
    assert "**Same as Discord**" in text(message)
    learner = await world.services.choosing.learner(world.mika.id)
    assert learner.preferences.language == ""


async def test_a_language_that_is_not_offered_is_not_kept(world: World) -> None:
    message = shown(await world.mika.slash(world.study, "settings"))
    choices = [{"label": "x", "value": "tlh"}]
    world.env.backend.get_message(message.channel_id, message.id).components = [
        {"type": 1, "components": [{"type": 3, "custom_id": "kz:set_language:0", "options": choices}]}
    ]
    result = await world.mika.select(message, ["tlh"], custom_id="kz:set_language:0")
    assert "older version of me" in said(result)


async def test_what_needs_a_language_model_is_said(world: World) -> None:
    shown_ = said(await world.mika.slash(world.study, "settings"))
    assert (
        "Feedback on news answers needs the language model of this bot's operator, within the operator's daily limits."
        in shown_
    )
