"""The parts of a likeness: what one mistake and each of many have in common, every part a number a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lessons.model import ErrorType
from lessons.recall.shape import ASPECTS, SIZE, shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import MistakeCard
    from lessons.ports import Memory

NAMES: Final = (
    "card",  # nearness of the card's texts, away from the middle of all cards
    "pair",  # the same for the reference/answer pairs
    "lost",  # the same piece of the reference is missing
    "point",  # the same grammar, or the same slip, between reference and answer
    "ends",  # references and answers end alike
    "edit",  # the same piece was lost and the same put in its place
    "swap",  # what one lost the other put, and the other way round
    "kind",  # the same error type
    "particle",  # both are mistakes of particles ...
    "particle edit",  # ... with the same edit
    "particle swap",  # ... with the edit turned round
)
"""The parts, in their order."""

Parts: TypeAlias = NDArray[np.float32]
"""float32 [len(NAMES), n], aligned with the rows of a memory."""

_LOST: Final = slice(0, ASPECTS["lost"])
_PUT: Final = slice(_LOST.stop, _LOST.stop + ASPECTS["put"])
_POINT: Final = slice(_PUT.stop, _PUT.stop + ASPECTS["point"])
_ENDS: Final = slice(_POINT.stop, _POINT.stop + ASPECTS["ends"])
_EDIT: Final = NAMES.index("edit")
_KIND: Final = NAMES.index("kind")
_PARTICLE: Final = list(ErrorType).index(ErrorType.PARTICLE)
_BY_CHANCE: Final = np.array([[0.3]] * 2 + [[0.5]] * 4, np.float32)
"""Products of two aspects that have nothing in common: hashes collide, and the fewer numbers say it the easier."""
_STRIP: Final = 256  # rows whose shapes stay in a processor's cache while they are read six times
_FEW: Final = 5.0  # mistakes of its type from which a level shows
_SMALL: Final = 1e-6


def layout(
    card_vectors: NDArray[np.float32], pair_vectors: NDArray[np.float32], cards: Sequence[MistakeCard]
) -> NDArray[np.float32]:
    """Return [n, 2d + SIZE] float32, what is stored: card vector, pair vector and shape side by side.

    Both kinds of vectors are [n, d], rows of length 1 in the order of `cards`. The numbers are those that float16 can
    hold, so that a mistake is the same fresh and read back from the disk.
    """
    shapes = np.empty((len(cards), SIZE), np.float32)
    for row, card in enumerate(cards):
        shapes[row] = shape(card)
    whole = np.concatenate([card_vectors, pair_vectors, shapes], axis=1, dtype=np.float32)
    return whole.astype(np.float16).astype(np.float32)


def parts(query: NDArray[np.float32], kind: int, memory: Memory, centre: NDArray[np.float32]) -> Parts:
    """Compare a mistake, its vector [w] and its kind, with every row of a memory; `centre` is [2d].

    One pass over the matrix, strip by strip. The middle of all vectors is taken off the query alone, because
    (q - m)(x - m) and (q - m)x differ by the same number in every row: the matrix is never copied. Then nearness is
    counted from the level of this learner's mistakes of the same kind, unless that is below the middle: who writes
    in one manner, or drills with one set of explanations, is not one great pattern for that.
    """
    width = len(centre) // 2
    middles = np.asarray(centre, np.float32).reshape(2, width)
    columns = _columns(query[2 * width :])
    out = np.empty((len(NAMES), len(memory.vectors)), np.float32)
    products = np.empty((len(columns), len(memory.vectors)), np.float32)
    with np.errstate(invalid="ignore", over="ignore"):
        away = query[: 2 * width].reshape(2, width) - middles
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), np.float32(_SMALL))
        for start in range(0, len(memory.vectors), _STRIP):
            strip = slice(start, start + _STRIP)
            rows = memory.vectors[strip]
            np.matmul(rows[:, :width], away[0], out=out[0, strip])
            np.matmul(rows[:, width : 2 * width], away[1], out=out[1, strip])
            shapes = rows[:, 2 * width :]
            for (aspect, column), product in zip(columns, products, strict=True):
                np.matmul(shapes[:, aspect], column, out=product[strip])
        out[:2] -= (away * middles).sum(axis=1, keepdims=True)
        _fill_in_shape(products, out)
    kinds, particles = out[_KIND], out[_KIND + 1 :]
    np.equal(memory.kinds, kind, out=kinds, casting="unsafe")
    particles[:] = kinds * (kind == _PARTICLE)
    particles[1:] *= out[_EDIT : _EDIT + 2]
    out[:2] -= np.maximum(out[:2] @ kinds / (kinds.sum() + _FEW), 0)[:, None]
    return out


def _columns(query: NDArray[np.float32]) -> list[tuple[slice, NDArray[np.float32]]]:
    """Return what of a shape meets what of others: point, ends, lost, put, and those two held against each other."""
    lost, put = query[_LOST], query[_PUT]
    return [(_POINT, query[_POINT]), (_ENDS, query[_ENDS]), (_LOST, lost), (_PUT, put), (_LOST, put), (_PUT, lost)]


def _fill_in_shape(products: NDArray[np.float32], out: Parts) -> None:
    """Fill in the parts that shapes decide from [6, n] products of `_columns`, less what chance alone gives."""
    products -= _BY_CHANCE
    products /= 1 - _BY_CHANCE
    point, ends, lost, put, crossed, back = np.maximum(products, 0, out=products)
    for row, values in enumerate((lost, point, ends, lost * put, crossed * back), _EDIT - 3):
        out[row] = values
