"""A schedule's drill of the day on the real bot: from the tick to the numbers on its card."""

from __future__ import annotations

from datetime import timedelta

from lessons import calendar
from lessons.model import Asked, ChannelId, GuildId, NewSchedule, Rule, ScheduleKind, SharedId, UserId
from tests.cogs.racing import answer, cards
from tests.conftest import World
from tests.screen import said, text

RULE = Rule("UTC", 9 * 60 + 30)


async def test_a_drill_of_the_day_from_the_tick_to_its_numbers(world: World) -> None:
    posting, schedules = world.services.posting, world.services.posting._schedules
    guild, at = GuildId(world.guild.id), world.clock()
    made = NewSchedule(
        ScheduleKind.DAILY_DRILL,
        RULE,
        UserId(world.aoki.user.id),
        guild=guild,
        channel=ChannelId(world.study.id),
        asked=Asked(count=2),
    )
    number = await schedules.draft(made, at)
    await schedules.activate(number, guild, calendar.next_slot(RULE, at, None))
    for day in range(3):
        world.clock.at = at + timedelta(days=day, minutes=31)
        assert (await posting.tick(world.clock)).sent == 1
        assert (await posting.tick(world.clock)).sent == 0
    first, second, third = cards(world)
    assert len({text(card) for card in (first, second, third)}) == 3
    place = await world.services.sharing.shared.place(SharedId(1), 1)
    assert place is not None
    assert "✅" in said(await answer(world.mika, first, place.item.answer))
    assert "**Answered 1**" in text(cards(world)[0])
    assert "Nobody has answered yet" in text(cards(world)[1])
