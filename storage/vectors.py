"""Vectors between their BLOB and their matrix: little-endian float16 on the disk, read-only float32 in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from lessons.model import ErrorType
from lessons.ports import Memory

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from numpy.typing import NDArray

_STORED: Final = np.dtype("<f2")
_KINDS: Final = {kind: place for place, kind in enumerate(ErrorType)}
_DAY: Final = 86_400_000  # milliseconds

Part: TypeAlias = (
    "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int16], NDArray[np.float16]]"
)
"""Rows as they were read: the columns of a Memory, the vectors still as they are stored."""


def to_blob(vector: NDArray[np.float32]) -> bytes:
    """Write a vector [width]. Raises ValueError for one that is empty, has another shape or cannot be stored in float16."""
    with np.errstate(over="ignore"):
        stored = np.asarray(vector).astype(_STORED)
    if stored.ndim != 1 or not stored.size or not np.isfinite(stored).all():
        raise ValueError(f"not a vector that can be kept: shape {stored.shape}")
    return stored.tobytes()


def matrix(blobs: Sequence[bytes]) -> NDArray[np.float32]:
    """Read vectors that are equally wide: [n, width], read-only; the width of none is 0."""
    if not blobs:
        return np.zeros((0, 0), np.float32)
    stacked = np.frombuffer(b"".join(blobs), _STORED).reshape(len(blobs), -1).astype(np.float32)
    stacked.flags.writeable = False
    return stacked


def read(rows: Sequence[sqlite3.Row]) -> Part:
    """Read rows of id, mistake_id, item_id, error_type, at (milliseconds) and vector; all vectors are equally wide."""
    mistakes = np.array([row["mistake_id"] for row in rows], np.int64)
    items = np.array([-row["mistake_id"] if row["item_id"] is None else row["item_id"] for row in rows], np.int64)
    at = np.array([row["at"] for row in rows], np.float64) / _DAY
    kinds = np.array([_KINDS[ErrorType(row["error_type"])] for row in rows], np.int16)
    vectors = np.frombuffer(b"".join(row["vector"] for row in rows), _STORED).reshape(len(rows), -1)
    return mistakes, items, at, kinds, vectors


def assemble(parts: Sequence[Part], before: Memory | None = None) -> Memory:
    """Put what was read behind what was there `before`, oldest first; nothing that is handed out changes any more."""
    known = [] if before is None else [(before.mistakes, before.items, before.at, before.kinds)]
    mistakes, items, at, kinds = (
        np.concatenate(column) for column in zip(*known, *(part[:4] for part in parts), strict=True)
    )
    blocks = [] if before is None else [before.vectors]
    vectors = _stack([*blocks, *(part[4] for part in parts)])
    order = np.lexsort((mistakes, at))
    if (order[1:] < order[:-1]).any():
        mistakes, items, at, kinds, vectors = (column[order] for column in (mistakes, items, at, kinds, vectors))
    return _frozen(Memory(mistakes, items, at, kinds, vectors))


def nothing() -> Memory:
    """Return the memory of a learner without a vector; its width is 0."""
    return _frozen(
        Memory(
            np.zeros(0, np.int64),
            np.zeros(0, np.int64),
            np.zeros(0, np.float64),
            np.zeros(0, np.int16),
            np.zeros((0, 0), np.float32),
        )
    )


def size(memory: Memory) -> int:
    """Return the bytes of a memory's arrays."""
    return sum(column.nbytes for column in _columns(memory))


def _stack(blocks: Sequence[NDArray[np.float32] | NDArray[np.float16]]) -> NDArray[np.float32]:
    """Copy block after block into one matrix, so that a large one is never there twice as float32."""
    blocks = [block for block in blocks if len(block)]
    stacked = np.empty((sum(map(len, blocks)), blocks[0].shape[1]), np.float32)
    place = 0
    for block in blocks:
        stacked[place : place + len(block)] = block
        place += len(block)
    return stacked


def _frozen(memory: Memory) -> Memory:
    for column in _columns(memory):
        column.flags.writeable = False
    return memory


def _columns(
    memory: Memory,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int16], NDArray[np.float32]]:
    return memory.mistakes, memory.items, memory.at, memory.kinds, memory.vectors
