"""What a learner meets while the judge hangs, is down, declines, is rate-limited or over budget; and afterwards.

    python -m benchmarks.judging [answers]

One table: a row for each trouble with what became of the answers, how often the judge was asked, the longest wait, and
what happened to the pending ones once the judge was back. Half of the gaps fit one filler only, half may fit others.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lessons.model import GradeSource, GuildId, UserId, Verdict
from tests.conftest import MovableClock
from tests.messages.behaviours import cuts, fails, refuses, says, stalls
from tests.newsroom import Newsroom, judges, newsroom, verdict, wrong_for

if TYPE_CHECKING:
    from lessons.model import Exercise
    from tests.messages.server import Behaviour

ANSWERS = 40
TROUBLES: dict[str, tuple[Behaviour, dict[str, Any]]] = {
    "answers": (judges(verdict()), {}),
    "hangs": (stalls(judges(verdict())), {}),
    "down (500)": (fails(500), {}),
    "line cut": (cuts(), {}),
    "overloaded (529)": (fails(529), {}),
    "rate-limited (429)": (fails(429, retry_after=30), {}),
    "declines": (refuses(), {}),
    "talks nonsense": (says("well ..."), {}),
    "over budget": (judges(verdict()), {"bot_cents": 0}),
}


async def one(name: str, behaviour: Behaviour, settings: dict[str, Any], answers: int) -> list[str]:
    clock = MovableClock()
    with tempfile.TemporaryDirectory() as folder:
        async with newsroom(Path(folder) / "data", clock, **settings) as room:
            guilds = [GuildId(1000 + number) for number in range(answers // 4)]
            for guild in guilds:
                await room.bring(guild, number=0)
            asked = [await room.ask(UserId(number), guilds[number % len(guilds)]) for number in range(1, answers + 1)]
            for number, exercise in enumerate(asked):
                await room.fits_one(exercise, closed=number % 2 == 0)
            room.server.script.always = behaviour
            before = room.grades()
            told = await asyncio.gather(*(timed(room, number, each) for number, each in enumerate(asked, start=1)))
            calls = room.grades() - before
            became = Counter(kind for kind, _ in told)
            room.server.release.set()
            room.server.script.always = judges(verdict())
            return [
                name,
                *shown(became),
                str(calls),
                f"{max(wait for _, wait in told):.1f}",
                await afterwards(room, clock),
            ]


async def timed(room: Newsroom, number: int, exercise: Exercise) -> tuple[str, float]:
    began = time.perf_counter()
    outcome = await room.answer(exercise, wrong_for(exercise), UserId(number))
    grade = outcome.grade
    kind = "pending" if grade.verdict is Verdict.PENDING else grade.source.value
    return kind, time.perf_counter() - began


async def afterwards(room: Newsroom, clock: MovableClock) -> str:
    """Let the judge be back: how many of the pending were decided, by how many further questions."""
    waiting = len(await room.services.regrading.judgements.waiting(10_000, clock() + timedelta(days=1)))
    if not waiting:
        return "-"
    consulting = room.services.regrading.judging.consulting
    object.__setattr__(consulting, "caps", replace(consulting.caps, bot_micro_usd=10**9))
    before, decided = room.grades(), 0
    for _ in range(200):
        clock.move(minutes=2)
        decided += await room.services.regrading.regrade(clock())
        if decided == waiting:
            break
        await asyncio.sleep(1)
    return f"{decided} of {waiting}, {room.grades() - before} questions"


def shown(became: Counter[str]) -> list[str]:
    kinds = (GradeSource.JUDGE.value, GradeSource.RULES.value, GradeSource.STRING.value, "pending")
    return [str(became[kind]) for kind in kinds]


async def main(answers: int) -> None:
    head = ["trouble", "judged", "by rules", "unjudged", "pending", "asked", "longest s", "back: decided"]
    rows = [head]
    for name, (behaviour, settings) in TROUBLES.items():
        rows.append(await one(name, behaviour, settings, answers))
        widths = [max(len(row[place]) for row in rows) for place in range(len(head))]
        print("  ".join(cell.ljust(width) for cell, width in zip(rows[-1], widths, strict=True)), flush=True)
    print()
    widths = [max(len(row[place]) for row in rows) for place in range(len(head))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS))
