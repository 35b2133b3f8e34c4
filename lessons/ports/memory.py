"""The store of vectors, one learner's memory at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from lessons.model import MistakeId, Space, Trace, Track, UserId


@dataclass(frozen=True, slots=True)
class Memory:
    """One learner's mistakes of one track and space, aligned row by row; read-only, shared by whoever asks.

    `mistakes` and `items` int64 [n] (an item that is gone is 0 minus the mistake id, so that it equals no other),
    `at` float64 [n] in days since 1970 UTC, `kinds` int16 [n] (position in `list(ErrorType)`),
    `vectors` float32 [n, width] as recall laid them out.
    """

    mistakes: NDArray[np.int64]
    items: NDArray[np.int64]
    at: NDArray[np.float64]
    kinds: NDArray[np.int16]
    vectors: NDArray[np.float32]


class Memories(Protocol):
    """Vectors of mistake cards. Every call names the owner; a learner's matrix is cached until something changes it."""

    async def memory(self, user: UserId, tracks: Collection[Track], space: Space) -> Memory:
        """The learner's mistakes of these tracks that have a vector in this space, oldest first."""
        ...

    async def save(self, user: UserId, mistake: MistakeId, space: Space, vector: NDArray[np.float32]) -> bool:
        """Keep a vector (stored as float16), replacing one of another space; False when the mistake is gone."""
        ...

    async def save_many(self, space: Space, vectors: Sequence[tuple[UserId, MistakeId, NDArray[np.float32]]]) -> int:
        """Keep many vectors in one transaction; mistakes that are gone are passed over. The number kept."""
        ...

    async def without_vector(self, space: Space, limit: int) -> list[tuple[UserId, Trace]]:
        """Mistakes, oldest first, that have no vector in this space (none at all, or of another)."""
        ...

    async def coverage(self, space: Space) -> tuple[int, int]:
        """How many mistakes have a vector in this space, and how many mistakes there are."""
        ...

    async def dismiss(self, user: UserId, one: MistakeId, other: MistakeId, at: datetime) -> bool:
        """Remember that the learner says these two are not the same mistake, in either direction; False if unknown."""
        ...

    async def dismissed(self, user: UserId, mistake: MistakeId) -> frozenset[MistakeId]:
        """Mistakes the learner said are not like this one."""
        ...

    async def dismissals(self) -> list[tuple[UserId, Trace, Trace]]:
        """Every dismissal, for calibration by the operator."""
        ...

    async def calibration(self, space: Space) -> str | None:
        """The calibration stored for this space (JSON as recall writes it), or None."""
        ...

    async def save_calibration(self, space: Space, calibration: str, at: datetime) -> None:
        """Store the calibration of a space."""
        ...
