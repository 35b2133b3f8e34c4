"""The last resort: likeness of spelling alone, from hashed character n-grams; no weights, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from bot.clients.embedders.local import Loaded, LocalEmbedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIMENSION: Final = 512
_LENGTHS: Final = (2, 3, 4)
_VERSION: Final = 1
"""Part of the name: count it up with every change that moves a vector."""

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)  # the constants of SplitMix64 (Steele et al. 2014)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)


class HashedEmbedder(LocalEmbedder):
    """Every n-gram of 2 to 4 characters adds 1 + log(how often) to one of 512 places, up or down by its hash."""

    kind: ClassVar[str] = "hashed"
    stretch: ClassVar[int] = 4_000

    def __init__(self) -> None:
        super().__init__(f"hashed {_DIMENSION} v{_VERSION}")

    def _load(self) -> Loaded:
        return Loaded(_encode, _DIMENSION)


def _encode(texts: list[str]) -> NDArray[np.float32]:
    """Return [n, 512] rows, not of length 1 yet."""
    return np.stack([_row(text) for text in texts])


def _row(text: str) -> NDArray[np.float32]:
    grams, counts = np.unique(_grams(text), return_counts=True)
    signed = np.where(grams >> np.uint64(63), -1.0, 1.0)
    places = (grams % np.uint64(_DIMENSION)).astype(np.intp)
    return np.bincount(places, signed * (1 + np.log(counts)), _DIMENSION).astype(np.float32)


def _grams(text: str) -> NDArray[np.uint64]:
    """Return a 64-bit hash for every n-gram of the folded text, with a space at either end."""
    codes = np.frombuffer(f" {text.casefold()} ".encode("utf-32-le", "replace"), "<u4").astype(np.uint64)
    hashes = []
    for length in _LENGTHS:
        windows = max(len(codes) - length + 1, 0)
        gram = np.full(windows, length, np.uint64)
        for place in range(length):
            gram = _mix(gram + codes[place : place + windows])
        hashes.append(gram)
    return np.concatenate(hashes)


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter 64-bit numbers over all of their range (SplitMix64, modulo 2**64)."""
    numbers = numbers + _STEP
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _MIX_1
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _MIX_2
    return numbers ^ (numbers >> np.uint64(31))
