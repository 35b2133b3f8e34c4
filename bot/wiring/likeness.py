"""How alike is alike enough to the embedder at work: as calibrated here, else as shipped."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons import chunking
from lessons.chunking import Guard
from lessons.model import Space
from lessons.recall import CARD_VERSION, Calibration, shipped

if TYPE_CHECKING:
    from lessons.ports import Embedder, Memories

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike is alike enough to the present embedder: of mistakes, and of a message and a document; None: unknown."""

    calibration: Calibration | None
    guard: Guard | None


async def guard_of(memories: Memories, embedder: Embedder) -> Guard | None:
    """Return which details are let in with this embedder: as calibrated here, else as shipped; None: none at all."""
    stored = await memories.calibration(Space(embedder.name, chunking.FRAME_VERSION))
    return Guard.from_json(stored) if stored else chunking.shipped(embedder.name)


async def calibration_of(memories: Memories, embedder: Embedder) -> Calibration | None:
    """Return how likeness is judged with this embedder: as calibrated here, else as shipped; None: not at all."""
    stored = await memories.calibration(Space(embedder.name, CARD_VERSION))
    found = Calibration.from_json(stored) if stored else shipped(embedder.name)
    if found is None:
        _log.warning("embedder %s was never calibrated, so recall is silent: run kizuki calibrate", embedder.name)
    return found


async def likeness_of(memories: Memories, embedder: Embedder) -> Likeness:
    """Return both for this embedder."""
    return Likeness(await calibration_of(memories, embedder), await guard_of(memories, embedder))
