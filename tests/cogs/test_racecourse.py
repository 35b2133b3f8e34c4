"""The task a race: tries again what did not go out, gives up what is refused, and survives its own faults."""

from __future__ import annotations

import pytest

from bot.app import Services
from cogs.together import racecourse
from cogs.together.boards import Boards
from cogs.together.racecourse import Racecourse
from cogs.ui.letters import Letter
from lessons.errors import PostFailed, PostRefused
from lessons.model import ChannelId, Ending, MessageId, Pause, Phase
from tests.cogs.racing import until
from tests.conftest import MovableClock
from tests.together import Channel


class Room:
    """A room that says to each post what it is told to, and takes the rest; nonces in order."""

    def __init__(self, *says: Exception) -> None:
        self.says = list(says)
        self.nonces: list[str] = []

    async def send_to(self, channel: ChannelId, letter: Letter, nonce: str) -> MessageId:
        self.nonces.append(nonce)
        if self.says:
            raise self.says.pop(0)
        return MessageId(len(self.nonces))

    async def edit(self, channel: ChannelId, message: MessageId, letter: Letter) -> None:
        return


@pytest.fixture
def channel(services: Services, clock: MovableClock, monkeypatch: pytest.MonkeyPatch) -> Channel:
    monkeypatch.setattr(racecourse, "TRIES", (0.0, 0.0))
    return Channel(services, clock)


def course(channel: Channel, room: Room) -> Racecourse:
    services = channel.services
    return Racecourse(services.racing, Boards(services.sharing, services.racing, room), room, channel.clock)


async def begun(channel: Channel, room: Room, **asked: object) -> tuple[Racecourse, object]:
    race = await channel.race(**asked)
    await channel.services.racing.resume(channel.clock(), ())  # so that its first question waits again
    return course(channel, room), race.id


async def test_a_card_that_did_not_go_out_is_tried_again_under_its_nonce(channel: Channel) -> None:
    room = Room(PostFailed(), PostFailed())
    running, race = await begun(channel, room)
    assert await running.step(race) is not None
    assert len(room.nonces) == 3
    assert len(set(room.nonces)) == 1
    assert len(room.nonces[0]) <= 25
    assert (await channel.standing(race)).message == 3


@pytest.mark.parametrize(
    ("says", "tries"), [([PostRefused(Pause.NO_CHANNEL)], 1), ([PostFailed(), PostFailed(), PostFailed()], 3)]
)
async def test_a_race_that_cannot_be_shown_is_over(channel: Channel, says: list[Exception], tries: int) -> None:
    room = Room(*says)
    running, race = await begun(channel, room)
    assert await running.step(race) is None
    assert len(room.nonces) == tries
    assert (await channel.standing(race)).ending is Ending.LOST
    assert await running.step(race) is None
    assert len(room.nonces) == tries  # no last card either


async def test_a_question_asked_anew_is_another_message(channel: Channel) -> None:
    room = Room()
    running, race = await begun(channel, room)
    await running.step(race)
    channel.clock.move(seconds=2)
    await channel.services.racing.resume(channel.clock(), ())
    await running.step(race)
    assert len(set(room.nonces)) == 2


async def test_the_time_of_a_question_begins_with_its_card(channel: Channel) -> None:
    class Slow(Room):
        async def send_to(self, channel_: ChannelId, letter: Letter, nonce: str) -> MessageId:
            channel.clock.move(seconds=30)
            return await super().send_to(channel_, letter, nonce)

    running, race = await begun(channel, Slow())
    await running.step(race)
    now = await channel.standing(race)
    assert (now.phase, now.phase_at) == (Phase.ASKING, channel.clock())


@pytest.mark.errors_expected
async def test_a_fault_ends_that_race_alone_and_frees_the_channel(channel: Channel) -> None:
    room = Room(RuntimeError("boom"))
    running, race = await begun(channel, room)
    running.attend(race)

    async def over() -> bool:
        return (await channel.standing(race)).ending is Ending.LOST and not running._bells

    await until(over)
    again = await channel.race()
    await channel.services.racing.resume(channel.clock(), ())
    running.attend(again.id)

    async def asked() -> bool:
        return (await channel.standing(again.id)).message is not None

    await until(asked)
    await running.close()


async def test_closing_leaves_the_race_to_the_next_start(channel: Channel) -> None:
    room = Room()
    running, race = await begun(channel, room)
    await running.resume()
    await running.resume()  # a second time when Discord says once more that it is ready

    async def asked() -> bool:
        return (await channel.standing(race)).message is not None

    await until(asked)
    await running.close()
    assert running._bells == {}
    assert (await channel.standing(race)).ending is None
    assert len(room.nonces) == 1
