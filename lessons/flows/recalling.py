"""From a fresh miss to "you have missed this before": embed, keep, recall, and be silent when unsure."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import cards, recall
from lessons.errors import Gone, KizukiError, PressLeadsNowhere
from lessons.model import Recollection, Space, Track

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.model import Mistake, MistakeCard, MistakeId, UserId
    from lessons.ports import Embedder, Learners, Memories, Memory, Mistakes

_log = logging.getLogger(__name__)

BUDGET: Final = 1.5
"""Seconds an answer waits for its own vector; after that the reply goes without the line and a job fills it in."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
BATCH: Final = 64
"""Mistakes embedded at a time when vectors are filled in."""


@dataclass(frozen=True, slots=True)
class Recalling:
    """A learner's own past mistakes, found by likeness. Nothing here can make an answer fail.

    `calibration` is None for an embedder that was never calibrated: then recall is silent.
    """

    mistakes: Mistakes
    memories: Memories
    embedder: Embedder
    calibration: recall.Calibration | None
    learners: Learners
    budget: float = BUDGET

    @property
    def space(self) -> Space:
        """The space that new vectors belong to."""
        return Space(self.embedder.name, recall.CARD_VERSION)

    async def notice(self, user: UserId, mistake: MistakeId, at: datetime) -> Recollection | None:
        """Remember a fresh miss by its vector and recall what is like it, if that can be had in time.

        The answer is stored by then, so whatever is wrong here (a slow embedder, a full disk) costs the line alone.
        """
        try:
            async with asyncio.timeout(self.budget):
                found = await self.mistakes.mistake(mistake, user)
                if found is None:
                    return None
                (vector,) = await self._vectors([found.card])
                await self.memories.save(user, mistake, self.space, vector)
                return await self._recall(user, found, at)
        except (TimeoutError, KizukiError) as error:
            _log.info("a miss goes without its line: %s", type(error).__name__)
            return None

    async def similar(self, user: UserId, mistake: MistakeId, at: datetime) -> Recollection | None:
        """Recall what is like an earlier miss; None when nothing is, or its vector is not there yet.

        Raises PressLeadsNowhere when this learner has no such mistake.
        """
        found = await self.mistakes.mistake(mistake, user)
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        return await self._recall(user, found, at)

    async def dismiss(self, user: UserId, mistake: MistakeId, other: MistakeId, at: datetime) -> None:
        """Never show these two for each other again. Raises PressLeadsNowhere."""
        if not await self.memories.dismiss(user, mistake, other, at):
            raise PressLeadsNowhere(Gone.UNKNOWN)

    async def fill_in(self, limit: int = BATCH) -> int:
        """Embed up to `limit` mistakes that have no vector in this space; the number done, 0 when none was left.

        Raises EmbedderUnavailable.
        """
        waiting = await self.memories.without_vector(self.space, limit)
        vectors = await self._vectors([trace.card for _, trace in waiting])
        rows = [(user, trace.mistake, vector) for (user, trace), vector in zip(waiting, vectors, strict=True)]
        await self.memories.save_many(self.space, rows)
        return len(rows)

    async def _tracks(self, user: UserId, mistake: Mistake) -> set[Track]:
        """Return the pools this miss is compared with: its own track's, or both where the learner joined them."""
        joined = (await self.learners.learner(user)).preferences.joined_tracks
        return set(Track) if joined else {mistake.card.track}

    async def _vectors(self, remembered: Sequence[MistakeCard]) -> NDArray[np.float32]:
        texts = [cards.card_text(card) for card in remembered] + [cards.pair_text(card) for card in remembered]
        both = await self.embedder.embed(texts)
        return recall.layout(both[: len(remembered)], both[len(remembered) :], remembered)

    async def _recall(self, user: UserId, mistake: Mistake, at: datetime) -> Recollection | None:
        if self.calibration is None:
            return None
        memory = await self.memories.memory(user, await self._tracks(user, mistake), self.space)
        row = np.flatnonzero(memory.mistakes == mistake.id)
        if not row.size:
            return None
        dismissed = await self.memories.dismissed(user, mistake.id)
        query = _query(memory, int(row[0]))
        found = await asyncio.to_thread(
            recall.recall,
            query,
            memory,
            self.calibration,
            dimension=self.embedder.dimension,
            dismissed=dismissed,
            now=_days(at),
        )
        if found is None:
            return None
        shown = [await self.mistakes.mistake(other, user) for other in found.top]
        return Recollection(found.count, EPOCH + timedelta(days=found.last_day), tuple(filter(None, shown)))


def _query(memory: Memory, row: int) -> recall.Query:
    return recall.Query(
        mistake=int(memory.mistakes[row]),
        item=int(memory.items[row]),
        kind=int(memory.kinds[row]),
        vector=memory.vectors[row],
        at=float(memory.at[row]),
    )


def _days(at: datetime) -> float:
    return (at - EPOCH) / timedelta(days=1)
