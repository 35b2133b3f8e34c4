"""Cards for many: the newest numbers stay, and a crowd costs few edits."""

from __future__ import annotations

import asyncio

import pytest

from bot.app import Services
from cogs.together.boards import Boards
from cogs.ui.letters import Letter
from lessons.errors import PostFailed, PostRefused
from lessons.model import ChannelId, MessageId, Pause, SharedId, UserId
from tests.conftest import MovableClock
from tests.screen import text
from tests.together import Channel


class SlowRoom:
    """A room whose edits take a moment, and all arrive in the end; `refuse` is what the next ones meet."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.at_once = 0
        self.refuse: Exception | None = None

    async def send_to(self, channel: ChannelId, letter: Letter, nonce: str) -> MessageId:
        raise AssertionError("a card is changed, never posted")

    async def edit(self, channel: ChannelId, message: MessageId, letter: Letter) -> None:
        self.at_once += 1
        assert self.at_once == 1, "two edits of one card at once"
        for _ in range(5):
            await asyncio.sleep(0)
        self.at_once -= 1
        if self.refuse is not None:
            raise self.refuse
        self.drawn.append(text(_Seen(letter)))


class _Seen:
    def __init__(self, letter: Letter) -> None:
        self.components = letter.view.to_components()


@pytest.fixture
def channel(services: Services, clock: MovableClock) -> Channel:
    return Channel(services, clock)


@pytest.fixture
def room() -> SlowRoom:
    return SlowRoom()


@pytest.fixture
def boards(services: Services, room: SlowRoom) -> Boards:
    return Boards(services.sharing, services.racing, room)


async def test_a_crowd_costs_few_edits_and_the_last_has_all_numbers(
    channel: Channel, boards: Boards, room: SlowRoom
) -> None:
    race = await channel.race()
    await channel.services.racing.posted(race.id, 1, MessageId(5), channel.clock())

    async def answered(user: int) -> None:
        await channel.answer(race.id, "ぬ", UserId(user))
        await boards.redraw(race.id)

    await asyncio.gather(*(answered(user) for user in range(100, 120)))
    assert "Answered 20 · right 0" in room.drawn[-1]
    assert len(room.drawn) < 20


async def test_many_who_ask_at_once_share_what_is_drawn_next(channel: Channel, boards: Boards, room: SlowRoom) -> None:
    race = await channel.race()
    await channel.services.racing.posted(race.id, 1, MessageId(5), channel.clock())
    await asyncio.gather(*(boards.redraw(race.id) for _ in range(50)))
    assert len(room.drawn) == 2  # the one that had begun, and one for all who came after
    await boards.redraw(race.id)
    assert len(room.drawn) == 3


@pytest.mark.parametrize("refusal", [PostRefused(Pause.NO_CHANNEL), PostFailed()])
async def test_a_card_that_is_gone_harms_nobody(
    channel: Channel, boards: Boards, room: SlowRoom, refusal: Exception
) -> None:
    race = await channel.race()
    await channel.services.racing.posted(race.id, 1, MessageId(5), channel.clock())
    room.refuse = refusal
    await boards.redraw(race.id)
    room.refuse = None
    await boards.redraw(race.id)
    assert len(room.drawn) == 1


async def test_what_has_no_card_is_not_drawn(channel: Channel, boards: Boards, room: SlowRoom) -> None:
    race = await channel.race()
    await boards.redraw(race.id)
    await boards.redraw(SharedId(99))
    assert room.drawn == []
