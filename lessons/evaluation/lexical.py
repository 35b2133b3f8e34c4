"""Likeness by spelling alone: TF-IDF over characters, the baseline that an embedding has to beat."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.ranking import Pool

_LENGTHS: Final = (2, 3, 4)


def blocks(texts: Sequence[str], pools: Sequence[Pool]) -> list[NDArray[np.float32]]:
    """Return each pool's [n, n] cosines of TF-IDF vectors over character 2- to 4-grams of the folded texts.

    The weights are (1 + log tf) * (log((1 + n) / (1 + df)) + 1), those of scikit-learn with sublinear_tf, written out.
    """
    counts = [_grams(text) for text in texts]
    seen = Counter(gram for count in counts for gram in count)
    idf = {gram: math.log((1 + len(texts)) / (1 + number)) + 1 for gram, number in seen.items()}
    weights = [_weights(count, idf) for count in counts]
    return [_block([weights[place] for place in pool.places]) for pool in pools]


def _weights(count: Counter[str], idf: dict[str, float]) -> dict[str, float]:
    """Return the numbers of one text, of length 1 together."""
    raw = {gram: (1 + math.log(times)) * idf[gram] for gram, times in count.items()}
    length = math.sqrt(sum(weight**2 for weight in raw.values()))
    return {gram: weight / length for gram, weight in raw.items()}


def _block(weights: Sequence[dict[str, float]]) -> NDArray[np.float32]:
    """Return all products; a gram that one text alone has makes no two of them alike, and needs no column."""
    seen = Counter(gram for weight in weights for gram in weight)
    columns = {gram: place for place, gram in enumerate(gram for gram, number in seen.items() if number > 1)}
    rows = np.zeros((len(weights), len(columns)), np.float32)
    for row, weight in zip(rows, weights, strict=True):
        shared = [gram for gram in weight if gram in columns]
        row[[columns[gram] for gram in shared]] = [weight[gram] for gram in shared]
    return rows @ rows.T


def _grams(text: str) -> Counter[str]:
    padded = f" {fold(text)} "
    return Counter(padded[at : at + length] for length in _LENGTHS for at in range(len(padded) - length + 1))
