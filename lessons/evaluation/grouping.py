"""How good themes are: purity, what is left alone, whether resampling gives the same ones; graphs against whatever is given."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from lessons import themes
from lessons.evaluation.statistics import adjusted_rand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.records import Record

RESAMPLED: Final = 0.8
ROUNDS: Final = 10
SMALLEST: Final = 3
"""Mistakes that make a cluster for a density method."""

if TYPE_CHECKING:
    Matrix: TypeAlias = NDArray[np.float32]
    Cut: TypeAlias = Callable[[Matrix, Sequence[Record], int], Sequence[int]]
    """Labels [n] for likenesses [n, n], their records and a seed; a label of its own is a mistake left alone."""

    Density: TypeAlias = Callable[[NDArray[np.float64], int], Sequence[int]]
    """Labels [n] for distances [n, n] and the smallest cluster; -1 is noise."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Themes of all learners by one method, held against the concepts.

    `purity`: share of grouped mistakes that have their group's most frequent concept. `alone`: share of mistakes in no
    group. `pair_precision`, `pair_recall`: of pairs in one group, those of one concept; of pairs of one concept, those
    in one group. `stability`: adjusted Rand index against groups of resampled mistakes. `groups` a learner, `size` of
    a group.
    """

    method: str
    purity: float
    alone: float
    pair_precision: float
    pair_recall: float
    stability: float
    groups: float
    size: float


@dataclass(frozen=True, slots=True)
class Method:
    """A way to group mistakes, and which of the given likenesses it works on."""

    name: str
    likeness: str
    cut: Cut


def graph(way: themes.Way) -> Cut:
    """Group by communities of the graph that `way` describes."""

    def cut(alike: Matrix, records: Sequence[Record], seed: int) -> Sequence[int]:
        return _labels(
            themes.communities(alike, [record.card.error_type for record in records], seed, way), len(records)
        )

    return cut


def by_type(_alike: Matrix, records: Sequence[Record], _seed: int) -> Sequence[int]:
    """Group by error type alone."""
    kinds = sorted({record.card.error_type for record in records})
    return [kinds.index(record.card.error_type) for record in records]


def density(method: Density) -> Cut:
    """Group by density of distances, 1 minus likeness."""

    def cut(alike: Matrix, _records: Sequence[Record], _seed: int) -> Sequence[int]:
        distances = np.clip(1 - alike.astype(np.float64), 0, None)
        np.fill_diagonal(distances, 0)
        found = method((distances + distances.T) / 2, SMALLEST)
        free = iter(range(len(found), 2 * len(found)))
        return [int(label) if label >= 0 else next(free) for label in found]

    return cut


def _labels(groups: Sequence[Sequence[int]], count: int) -> list[int]:
    labels = [0] * count
    for number, group in enumerate(groups):
        for row in group:
            labels[row] = number
    return labels


def quality(method: Method, learners: Sequence[tuple[Sequence[Record], Matrix]], rng: np.random.Generator) -> Quality:
    """Judge one method over all learners, each with their records and likenesses [n, n]."""
    cuts = [method.cut(alike, records, 0) for records, alike in learners]
    concepts = [[record.concept for record in records] for records, _ in learners]
    groups = [_groups(labels) for labels in cuts]
    grouped = sum(len(group) for found in groups for group in found)
    whole = sum(map(len, cuts))
    number = sum(map(len, groups))
    pairs = np.sum([_pair_counts(labels, named) for labels, named in zip(cuts, concepts, strict=True)], axis=0)
    return Quality(
        method=method.name,
        purity=_share(_majority(groups, concepts), grouped),
        alone=_share(whole - grouped, whole),
        pair_precision=_share(float(pairs[0]), float(pairs[1])),
        pair_recall=_share(float(pairs[0]), float(pairs[2])),
        stability=float(np.mean([_stability(method, *learner, rng) for learner in learners])),
        groups=_share(number, len(learners)),
        size=_share(grouped, number),
    )


def _groups(labels: Sequence[int]) -> list[list[int]]:
    members: dict[int, list[int]] = {}
    for row, label in enumerate(labels):
        members.setdefault(label, []).append(row)
    return [rows for rows in members.values() if len(rows) > 1]


def _majority(groups: Sequence[Sequence[Sequence[int]]], concepts: Sequence[Sequence[str]]) -> int:
    return sum(
        Counter(named[row] for row in group).most_common(1)[0][1]
        for found, named in zip(groups, concepts, strict=True)
        for group in found
    )


def _pair_counts(labels: Sequence[int], concepts: Sequence[str]) -> tuple[int, int, int]:
    """Return how many pairs are in one group and of one concept, in one group, of one concept."""
    upper = np.triu_indices(len(labels), 1)
    group, concept = np.array(labels), np.array(concepts)
    together = (group[:, None] == group[None, :])[upper]
    same = (concept[:, None] == concept[None, :])[upper]
    return int(np.sum(together & same)), int(np.sum(together)), int(np.sum(same))


def _stability(method: Method, records: Sequence[Record], alike: Matrix, rng: np.random.Generator) -> float:
    """Group samples of RESAMPLED of the mistakes, and return how far that agrees with the groups of all of them."""
    whole = np.array(method.cut(alike, records, 0))
    agreed = []
    for seed in range(1, ROUNDS + 1):
        rows = np.sort(rng.permutation(len(records))[: max(1, round(RESAMPLED * len(records)))])
        part = method.cut(alike[np.ix_(rows, rows)], [records[row] for row in rows], seed)
        agreed.append(adjusted_rand(part, whole[rows].tolist()))
    return float(np.mean(agreed))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
