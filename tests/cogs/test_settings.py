"""What a learner sets, and how it is kept."""

from __future__ import annotations

from tests.conftest import World
from tests.screen import said, shown, text, told


async def test_defaults_are_shown_and_kept_private(world: World) -> None:
    result = await world.mika.slash(world.study, "settings")
    assert result.ephemeral
    assert "not set" in said(result)
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
