"""The data folder for a command that works on memories alone: locked, brought up to date, closed whatever happens."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from bot.wiring import open_database
from lessons.evaluation import records
from lessons.evaluation.records import Judged, Record
from lessons.flows.evaluating import Source
from lessons.model import Space
from storage import inspection
from storage.learners import LearnerStore
from storage.memories import MemoryStore
from storage.mistakes import MistakeStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from lessons.model import Trace

_NOBODYS: Final = Space("", 0)
"""A space that no vector is in, so that every mistake is without one there."""
_ALL: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Shelf:
    """The stores that memories need."""

    memories: MemoryStore
    mistakes: MistakeStore
    learners: LearnerStore


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Shelf]:
    """Open the stores of a data folder that has a database. Raises NoDatabase, and as `open_services`."""
    inspection.require(folder)
    async with open_database(folder) as database:
        yield Shelf(MemoryStore(database), MistakeStore(database), LearnerStore(database))


def is_there(folder: Path) -> bool:
    """Tell whether the folder has a database at all."""
    return bool(inspection.size(folder))


def shipped_source() -> Source:
    """Return the labelled set that comes with the program."""
    folder = resources.files("lessons") / "data" / "evaluation"
    found = records.read((folder / "mistakes.csv").read_bytes())
    pairs = records.read_pairs((folder / "pairs.csv").read_bytes(), found)
    return Source("the shipped set (invented learners, labelled by one author)", found, pairs)


async def own_source(shelf: Shelf) -> Source:
    """Return every mistake of the data folder, its learners without names."""
    every = await shelf.memories.without_vector(_NOBODYS, _ALL)
    found = [_record(str(user), trace) for user, trace in every]
    return Source("the mistakes of the data folder", records.without_names(found))


async def dismissed_source(shelf: Shelf) -> Source:
    """Return what learners said is not alike, as pairs that are not useful."""
    places: dict[int, int] = {}
    found: list[Record] = []
    pairs = []
    for user, *both in await shelf.memories.dismissals():
        for trace in both:
            if trace.mistake not in places:
                places[trace.mistake] = len(found)
                found.append(_record(f"own {user}", trace))
        first, second = sorted(both, key=lambda trace: trace.at)
        pairs.append(Judged(places[first.mistake], places[second.mistake], useful=False))
    return Source("dismissals", tuple(found), tuple(pairs))


def joined(one: Source, other: Source) -> Source:
    """Return the mistakes and pairs of both."""
    moved = (
        Judged(pair.first + len(one.records), pair.second + len(one.records), pair.useful) for pair in other.judged
    )
    return Source(f"{one.name}; {other.name}", (*one.records, *other.records), (*one.judged, *moved))


def _record(learner: str, trace: Trace) -> Record:
    exercise = f"item {trace.item}" if trace.item is not None else f"gone {trace.mistake}"
    return Record(learner, exercise, trace.card, "", retry=False, junk=False, at=trace.at)
