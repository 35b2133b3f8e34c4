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
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.table import Effort, Ratio
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


@dataclass
class Trouble:
    """What became of the answers in a trouble: how many as what, how often the judge was asked, the longest wait in seconds.

    `waiting` were pending at its end, `decided` of them afterwards, by so many `questions`.
    """

    became: Counter[str]
    asked: int
    longest: float
    waiting: int = 0
    decided: int = 0
    questions: int = 0

    @property
    def settled(self) -> int:
        """Answers that were decided, or are kept until they can be."""
        return self.became.total()

    def row(self, name: str) -> list[str]:
        """Cells of the table."""
        back = f"{self.decided} of {self.waiting}, {self.questions} questions" if self.waiting else "-"
        kinds = (GradeSource.JUDGE.value, GradeSource.RULES.value, GradeSource.STRING.value, "pending")
        return [name, *(str(self.became[kind]) for kind in kinds), str(self.asked), f"{self.longest:.1f}", back]


async def one(behaviour: Behaviour, settings: dict[str, Any], answers: int) -> Trouble:
    clock = MovableClock()
    with tempfile.TemporaryDirectory() as folder:
        async with newsroom(Path(folder) / "data", clock, **settings) as room:
            guilds = [GuildId(1000 + number) for number in range(max(1, answers // 4))]
            for guild in guilds:
                await room.bring(guild, number=0)
            asked = [await room.ask(UserId(number), guilds[number % len(guilds)]) for number in range(1, answers + 1)]
            for number, exercise in enumerate(asked):
                await room.fits_one(exercise, closed=number % 2 == 0)
            room.server.script.always = behaviour
            before = room.grades()
            told = await asyncio.gather(*(timed(room, number, each) for number, each in enumerate(asked, start=1)))
            found = Trouble(Counter(kind for kind, _ in told), room.grades() - before, max(wait for _, wait in told))
            room.server.release.set()
            room.server.script.always = judges(verdict())
            await afterwards(room, clock, found)
            return found


async def timed(room: Newsroom, number: int, exercise: Exercise) -> tuple[str, float]:
    began = time.perf_counter()
    outcome = await room.answer(exercise, wrong_for(exercise), UserId(number))
    grade = outcome.grade
    kind = "pending" if grade.verdict is Verdict.PENDING else grade.source.value
    return kind, time.perf_counter() - began


async def afterwards(room: Newsroom, clock: MovableClock, found: Trouble) -> None:
    """Let the judge be back, and note how many of the pending were decided, by how many further questions."""
    found.waiting = len(await room.services.regrading.judgements.waiting(10_000, clock() + timedelta(days=1)))
    consulting = room.services.regrading.judging.consulting
    object.__setattr__(consulting, "caps", replace(consulting.caps, bot_micro_usd=10**9))
    before = room.grades()
    for _ in range(200):
        if found.decided == found.waiting:
            break
        clock.move(minutes=2)
        found.decided += await room.services.regrading.regrade(clock())
        if found.decided < found.waiting:
            await asyncio.sleep(1)
    found.questions = room.grades() - before


def ratios(effort: Effort = Effort.WHOLE) -> list[Ratio]:
    answers = effort.of(ANSWERS, 8, 4)
    names = effort.of(tuple(TROUBLES), ("answers", "hangs", "declines", "over budget"), ("answers", "declines"))
    found = {name: asyncio.run(one(*TROUBLES[name], answers)) for name in names}
    usual = found.pop("answers")
    several = []
    for name, trouble in found.items():
        rules, pending = trouble.became[GradeSource.RULES.value], trouble.became["pending"]
        figures = f"{rules} by rules, {pending} kept, {answers - rules - pending} told unjudged"
        wait, other = trouble.longest, usual.longest
        several += [
            Ratio(
                f"answers settled or kept, judge {name}", "answers given", trouble.settled / answers, figures, answers
            ),
            Ratio(
                f"longest wait, judge {name}", "judge answers", wait / other, f"{wait:.1f} and {other:.1f} s", answers
            ),
        ]
        if trouble.waiting:
            figures = f"{trouble.decided} of {trouble.waiting} by {trouble.questions} questions"
            share = trouble.decided / trouble.waiting
            several.append(Ratio(f"decided once the judge was back, judge {name}", "kept until then", share, figures))
    return several


async def main(answers: int) -> None:
    head = ["trouble", "judged", "by rules", "unjudged", "pending", "asked", "longest s", "back: decided"]
    rows = [head]
    for name, (behaviour, settings) in TROUBLES.items():
        rows.append((await one(behaviour, settings, answers)).row(name))
        print("  ".join(rows[-1]), flush=True)
    print()
    widths = [max(len(row[place]) for row in rows) for place in range(len(head))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS))
