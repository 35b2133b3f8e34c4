"""A process that answers without end and prints every acknowledged attempt, to be killed: `python -m tests.storage.answering`."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from lessons.model import InteractionId, UserId
from storage import migrate
from storage.connection import Database
from tests.storage.world import AT, CARD, EXACT, SPACING, Stores, attempt, begin, rows, save, stores

LEARNERS = 20


async def learn(to: Stores, user: UserId, first: int) -> None:
    """Answer drill after drill, every second exercise wrongly."""
    number = first + user
    while True:
        _, exercises = await begin(to, user, pack_guild=None)
        for exercise in exercises:
            number += 1000
            wrong = exercise.position % 2 == 0
            answer = attempt(exercise, user) if wrong else attempt(exercise, user, EXACT, "は")
            answer = replace(answer, interaction=InteractionId(number))
            recorded = await to.drills.record(answer, SPACING, CARD if wrong else None)
            assert recorded is not None
            sys.stdout.write(f"{recorded[0]} {number}\n")
            sys.stdout.flush()


async def main(folder: Path, first: int) -> None:
    async with Database(migrate.prepare(folder, at=AT)) as db:
        to = stores(db)
        await save(to, guild=None, items=rows(10))
        await asyncio.gather(*(learn(to, UserId(user), first) for user in range(1, LEARNERS + 1)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
