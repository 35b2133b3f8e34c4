"""What a learner missed, as they look through it: pages, relabelling, deleting, exporting."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from lessons.errors import Gone, PressLeadsNowhere
from lessons.material import guard_formula

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from lessons.flows.recalling import Recalling
    from lessons.model import ErrorType, Mistake, MistakeFilter, MistakeId, Recollection, UserId
    from lessons.ports import Learners, Mistakes

PAGE: Final = 5
"""Mistakes on one page."""
EXPORT_BATCH: Final = 500
COLUMNS: Final = (
    "date", "track", "pack", "prompt", "reference", "user_answer", "error_type", "pos", "level", "feedback",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    """One page of mistakes, newest first; `number` counts from 0, `of` is at least 1."""

    mistakes: tuple[Mistake, ...]
    number: int
    of: int
    total: int
    counts: Mapping[ErrorType, int]
    only: MistakeFilter
    similar: Mapping[MistakeId, Recollection]


@dataclass(frozen=True, slots=True)
class Recollecting:
    """Reads and mends a learner's own record."""

    mistakes: Mistakes
    learners: Learners
    recalling: Recalling

    async def page(self, user: UserId, only: MistakeFilter, number: int, at: datetime) -> Page:
        """Return one page; a number past the end gives the last one (rows may have been deleted meanwhile)."""
        total = await self.mistakes.count(user, only)
        pages = max(1, -(-total // PAGE))
        number = min(max(number, 0), pages - 1)
        found = await self.mistakes.page(user, only, number * PAGE, PAGE)
        recalled = {mistake.id: await self.recalling.similar(user, mistake.id, at) for mistake in found}
        similar = {mistake: recollection for mistake, recollection in recalled.items() if recollection}
        return Page(tuple(found), number, pages, total, await self.mistakes.counts(user), only, similar)

    async def mistake(self, mistake: MistakeId, user: UserId) -> Mistake:
        """Return one mistake. Raises PressLeadsNowhere."""
        found = await self.mistakes.mistake(mistake, user)
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        return found

    async def relabel(self, mistake: MistakeId, user: UserId, error_type: ErrorType, at: datetime) -> Mistake:
        """Set the kind of a mistake to what the learner says it was. Raises PressLeadsNowhere."""
        if not await self.mistakes.relabel(mistake, user, error_type, at):
            raise PressLeadsNowhere(Gone.UNKNOWN)
        return await self.mistake(mistake, user)

    async def delete(self, mistake: MistakeId, user: UserId) -> None:
        """Delete a mistake for good. Raises PressLeadsNowhere when it is gone already."""
        if not await self.mistakes.delete(mistake, user):
            raise PressLeadsNowhere(Gone.UNKNOWN)

    async def export(self, user: UserId, only: MistakeFilter) -> tuple[bytes, int]:
        """Return the mistakes as CSV (UTF-8 with BOM, dates in the learner's zone) and how many there are."""
        zone = ZoneInfo((await self.learners.learner(user)).preferences.time_zone)
        out = io.StringIO()
        table = csv.writer(out)
        table.writerow(COLUMNS)
        total = 0
        while found := await self.mistakes.page(user, only, total, EXPORT_BATCH):
            table.writerows([guard_formula(cell) for cell in _cells(mistake, zone)] for mistake in found)
            total += len(found)
        return out.getvalue().encode("utf-8-sig"), total


def _cells(mistake: Mistake, zone: ZoneInfo) -> tuple[str, ...]:
    card = mistake.card
    return (
        mistake.at.astimezone(zone).isoformat(timespec="minutes"),
        card.track.value,
        mistake.pack_name,
        card.prompt,
        card.reference,
        card.typed,
        card.error_type.value,
        card.part_of_speech,
        card.level,
        card.feedback,
    )
