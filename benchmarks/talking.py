"""How soon a learner sees the tutor's first words: beside the whole reply, and beside what the model itself needs."""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.table import Effort, Ratio, medians
from cogs.render import tutor
from cogs.ui.streams import write
from tests.classroom import Classroom
from tests.conftest import BEGINNING, MovableClock
from tests.messages.streams import in_pieces
from tests.newsroom import HERE, MIKA, newsroom

if TYPE_CHECKING:
    from discord.ui import LayoutView

    from lessons.flows.conversing import Saying

TEXT = "「は」は話題を示します。「が」は新しいことを言うときに使います。" * 8
PAUSE = 0.01  # seconds before each piece
PIECES = 40


@dataclass
class Screen:
    """Notes when a page is first and last written."""

    written: list[float] = field(default_factory=list)

    async def put(self, page: int, view: LayoutView) -> None:
        """Show a page."""
        self.written.append(time.perf_counter())


@dataclass
class Reply:
    """Seconds from the question to the first words, on the wire and on screen, and to the last edit."""

    first: float
    whole: float
    edits: int


async def ask(room: Classroom, source: int) -> Reply:
    """Ask once."""
    place = await room.services.asking.place(MIKA, HERE, "en", room.now())
    screen, started = Screen(), time.perf_counter()
    await write(room.services.asking.ask("What is the difference between は and が?", place, source), screen, drawn)
    return Reply(screen.written[0] - started, screen.written[-1] - started, len(screen.written))


def drawn(saying: Saying) -> list[LayoutView]:
    """Pages as the cog draws them."""
    return list(tutor.pages(saying, BEGINNING))


async def measured(runs: int, pieces: int) -> list[Ratio]:
    size = len(TEXT) // pieces
    with tempfile.TemporaryDirectory() as folder:
        async with newsroom(
            Path(folder) / "data",
            MovableClock(),
            user_cents=10**6,
            bot_cents=10**6,
            turns_a_day=10**4,
            server_cents=10**6,
        ) as opened:
            room, numbers = Classroom(opened), count(1)
            quick, paced = [], []
            for _ in range(runs):
                opened.server.script.always = in_pieces(TEXT, size=size, pause=0)
                quick.append(await ask(room, next(numbers)))
                opened.server.script.always = in_pieces(TEXT, size=size, pause=PAUSE)
                paced.append(await ask(room, next(numbers)))
    first, whole = [one.first for one in paced], [one.whole for one in paced]
    at_once = [one.first for one in quick]
    return [
        Ratio("first words on screen", "the whole reply", medians(first, whole),
              f"{1000 * median(first):.0f} and {1000 * median(whole):.0f} ms, {pieces} pieces", runs),
        Ratio("first words on screen", "the model's first piece", median(first) / PAUSE,
              f"{1000 * median(first):.1f} and {1000 * PAUSE:.0f} ms; {1000 * median(at_once):.1f} ms of a model that is at once there", runs),
        Ratio("edits of a reply", "pieces of it", median(one.edits for one in paced) / pieces,
              f"{median(one.edits for one in paced):.0f} of {pieces}", runs),
    ]  # fmt: skip


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    return asyncio.run(measured(effort.of(20, 5, 1), effort.of(PIECES, PIECES, 4)))


def main() -> None:
    for ratio in ratios():
        print(ratio.row("talking"))


if __name__ == "__main__":
    main()
