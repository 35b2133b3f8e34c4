"""The shape of a mistake: what its reference and answer tell for certain, as short vectors that compare by product."""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons.recall.points import points
from lessons.recall.slips import slips, spellings
from lessons.text import tidy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from lessons.model import MistakeCard

ASPECTS: Final = {"lost": 32, "put": 32, "point": 96, "ends": 48}
"""The blocks of a shape and how many numbers each has.

What of the reference is lost, what was put in its place, the grammar and the slips between the two, and how both end.
"""

SIZE: Final = sum(ASPECTS.values())
"""How many numbers a shape has."""

_LONGEST: Final = 60  # characters of a text that count


def shape(card: MistakeCard) -> NDArray[np.float32]:
    """Return [SIZE] float32: every aspect of length 1, or zero when there is nothing to say."""
    right, wrong = _plain(card.reference), _plain(card.typed)
    head, lost, put = _change(right, wrong)
    tokens: dict[str, Iterable[str]] = {
        "lost": (lost,),
        "put": (put,),
        "point": tuple(slips(right, wrong)) or chain(points(right, wrong), spellings(right, wrong)),
        "ends": (f"r1{right[-1:]}", f"r2{right[-2:]}", f"t1{wrong[-1:]}", f"t2{wrong[-2:]}", f"h{head[-1:]}"),
    }
    return np.concatenate([_scatter(tokens[aspect], size) for aspect, size in ASPECTS.items()])


def _plain(text: str) -> str:
    return tidy(unicodedata.normalize("NFKC", text[: 10 * _LONGEST]))[:_LONGEST]


def _change(right: str, wrong: str) -> tuple[str, str, str]:
    """Return what both begin with, and between that and their common end what only the one and only the other has."""
    most = min(len(right), len(wrong))
    head = next((at for at in range(most) if right[at] != wrong[at]), most)
    most -= head
    tail = next((at for at in range(most) if right[-1 - at] != wrong[-1 - at]), most)
    return right[:head], right[head : len(right) - tail], wrong[head : len(wrong) - tail]


def _scatter(tokens: Iterable[str], size: int) -> NDArray[np.float32]:
    """Return [size] numbers of length 1: every token moves four places up or down (Weinberger et al. 2009)."""
    places = np.zeros(size, np.float32)
    for token in set(tokens):
        digest = blake2b(token.encode("utf-8", "replace"), digest_size=8).digest()
        for where, sign in zip(digest[::2], digest[1::2], strict=True):
            places[where % size] += 1 if sign & 1 else -1
    length = np.float32(np.linalg.norm(places))
    return places / length if length else places
