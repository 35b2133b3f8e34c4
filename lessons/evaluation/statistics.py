"""The statistics of a report in plain numpy: rank-sum test, histogram, two-dimensional map, spread between learners."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BINS: Final = 40


@dataclass(frozen=True, slots=True)
class RankSum:
    """Mann-Whitney's test of two samples: `above` is the chance that one of the first beats one of the second.

    `z` by the normal approximation with tie correction, `log10_p` two-sided, since p itself is too small for a float.
    """

    above: float
    z: float
    log10_p: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """Shares of two samples in bins of one width: left edges, and of each sample the share in each bin."""

    edges: tuple[float, ...]
    same: tuple[float, ...]
    other: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """How far learners' mistakes lie apart: share of the scatter between them, and the same with learners shuffled."""

    between: float
    shuffled: float


def rank_sum(first: NDArray[np.floating], second: NDArray[np.floating]) -> RankSum:
    """Compare two samples by their ranks, equal values sharing theirs; NaN when one is empty."""
    n, m = len(first), len(second)
    if not n or not m:
        return RankSum(math.nan, math.nan, math.nan)
    _, inverse, counts = np.unique(np.concatenate([first, second]), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    u = float(ranks[:n].sum()) - n * (n + 1) / 2
    ties = float(np.sum(counts.astype(np.float64) ** 3 - counts)) / ((n + m) * (n + m - 1)) if n + m > 1 else 0.0
    variance = n * m / 12 * (n + m + 1 - ties)
    z = (u - n * m / 2) / math.sqrt(variance) if variance > 0 else 0.0
    return RankSum(u / (n * m), z, _log10_two_sided(abs(z)))


def _log10_two_sided(z: float) -> float:
    """Return log10 of the two-sided p of a standard normal; beyond what erfc can say, by its asymptote."""
    p = math.erfc(z / math.sqrt(2))
    if p > 0:
        return math.log10(p)
    return (math.log(2) - z * z / 2 - math.log(z * math.sqrt(2 * math.pi))) / math.log(10)


def histogram(same: NDArray[np.floating], other: NDArray[np.floating], bins: int = BINS) -> Histogram:
    """Cut both samples, at least one of them not empty, into the same bins."""
    both = np.concatenate([same, other])
    edges = np.linspace(float(both.min()), float(both.max()) + 1e-6, bins + 1)
    counts = [np.histogram(sample, edges)[0] / max(len(sample), 1) for sample in (same, other)]
    first, second = (tuple(float(share) for share in count) for count in counts)
    return Histogram(tuple(float(edge) for edge in edges[:-1]), first, second)


def flat_map(vectors: NDArray[np.floating]) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Project [n, d] on its two widest directions (SVD); also the share of the scatter that each of them holds."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    _, widths, directions = np.linalg.svd(centred, full_matrices=False)
    best = np.zeros((2, vectors.shape[1]))
    best[: len(directions[:2])] = directions[:2]
    best *= np.where(np.sum(best, axis=1) < 0, -1, 1)[:, None]  # a direction has no sign of its own
    whole = float(np.sum(widths**2)) or 1.0
    parts = [float(width**2) / whole for width in [*widths[:2], 0.0, 0.0][:2]]
    return centred @ best.T, (parts[0], parts[1])


def spread(
    vectors: NDArray[np.floating], learners: Sequence[str], rng: np.random.Generator, *, times: int = 50
) -> Spread:
    """Return the share of all scatter that lies between the learners' centres, and its mean when names are shuffled."""
    _, codes = np.unique(np.array(learners), return_inverse=True)
    shuffled = [_between(vectors, rng.permutation(codes)) for _ in range(times)]
    return Spread(_between(vectors, codes), float(np.mean(shuffled)))


def _between(vectors: NDArray[np.floating], codes: NDArray[np.intp]) -> float:
    middle = vectors.mean(axis=0)
    whole = float(np.sum((vectors - middle) ** 2)) or 1.0
    centres = [(np.sum(codes == code), vectors[codes == code].mean(axis=0)) for code in np.unique(codes)]
    return float(sum(count * np.sum((centre - middle) ** 2) for count, centre in centres)) / whole


def adjusted_rand(one: Sequence[int], other: Sequence[int]) -> float:
    """Return how far two groupings of the same things agree: 1 wholly, 0 as by chance (Hubert and Arabie 1985)."""
    _, first = np.unique(np.array(one), return_inverse=True)
    _, second = np.unique(np.array(other), return_inverse=True)
    table = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(table, (first, second), 1)
    together, rows, columns = (_pairs(counts) for counts in (table, table.sum(axis=1), table.sum(axis=0)))
    chance = rows * columns / max(_pairs(np.array([len(first)])), 1)
    most = (rows + columns) / 2
    return float((together - chance) / (most - chance)) if most != chance else 1.0


def _pairs(counts: NDArray[np.floating] | NDArray[np.integer]) -> float:
    return float(np.sum(counts * (counts - 1) / 2))
