"""Fits the guard of an embedder on the tuned questions: logistic regression, and a threshold that vague turns never reach."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import chunking
from lessons.evaluation.detail import Asks, Query
from lessons.evaluation.detail_measuring import Arm, admit, candidates, figures, scored

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lessons.evaluation.detail import Embedded
    from lessons.evaluation.detail_measuring import Found

PRECISION: Final = 0.85
"""Share of the admitted pieces of the tuned set that have to answer the question."""
NEVER: Final = 1.01
"""The threshold where none is good enough: no detail is ever recalled."""

_RIDGE: Final = 1.0
_STEPS: Final = 25  # Newton doubles the right digits with each


@dataclass(frozen=True, slots=True)
class _Rows:
    """Every question against every candidate: parts [n, k], whether it answers [n]."""

    parts: NDArray[np.float64]
    useful: NDArray[np.float64]


def fit(embedded: Embedded, embedder: str, only: tuple[str, ...] = chunking.PARTS) -> chunking.Guard:
    """Fit a guard on the tuned set; `only` names the parts it may use, for ablations.

    A part that would speak against a piece is left out. The threshold lies midway between the last score that is let
    in and the first that is not, where the most is recalled with a precision of 0.85 and nothing for vague turns.
    """
    usual = _usual(embedded)
    rows = _rows(embedded, usual)
    used = [place for place, name in enumerate(chunking.PARTS) if name in only]
    while True:
        weights, bias = _fitted(rows, used)
        against = [place for place in used if weights[place] < 0]
        if not against:
            break
        used = [place for place in used if place != min(against, key=lambda place: weights[place])]
    guard = chunking.Guard(
        embedder=embedder,
        frame_version=chunking.FRAME_VERSION,
        usual=round(usual, 5),
        weights=tuple(round(float(weight), 5) for weight in weights),
        bias=round(bias, 5),
        threshold=NEVER,
    )
    threshold, found = _threshold(embedded, guard)
    told = {name: round(float(value), 4) for name, value in asdict(found).items()} if found else {}
    return replace(guard, threshold=round(threshold, 5), figures=MappingProxyType(told))


def _usual(embedded: Embedded) -> float:
    """Return the mean cosine of a question with a piece that does not answer it."""
    found = []
    for number, question in enumerate(embedded.of.questions):
        other = [place for place in candidates(embedded, question) if place not in question.facts | question.also]
        found.append(embedded.framed[other] @ embedded.queries[Query.LATEST][number])
    return float(np.concatenate(found).mean())


def _rows(embedded: Embedded, usual: float) -> _Rows:
    parts, useful = [], []
    for number, question in enumerate(embedded.of.questions):
        if question.asks is Asks.PROFILE:
            continue
        places = candidates(embedded, question)
        cosines = embedded.framed[places] @ embedded.queries[Query.LATEST][number]
        texts = [embedded.of.pieces[place].text for place in places]
        of_each = chunking.parts(question.queries[Query.LATEST], cosines, texts, usual)
        for place, row in zip(places, of_each, strict=True):
            if place not in question.also:
                parts.append(row)
                useful.append(place in question.facts)
    return _Rows(np.array(parts), np.array(useful, np.float64))


def _fitted(rows: _Rows, used: list[int]) -> tuple[NDArray[np.float64], float]:
    """Return weights of all parts, 0 for those not used, and the bias: ridge logistic regression by Newton's method."""
    centre, spread = rows.parts[:, used].mean(axis=0), rows.parts[:, used].std(axis=0) + 1e-9
    known = np.column_stack([(rows.parts[:, used] - centre) / spread, np.ones(len(rows.parts))])
    ridge = np.diag([_RIDGE] * len(used) + [0.0])
    found = np.zeros(len(used) + 1)
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-known @ found))
        bend = known.T @ (known * (likely * (1 - likely))[:, None]) + ridge
        found -= np.linalg.solve(bend, known.T @ (likely - rows.useful) + ridge @ found)
    weights = np.zeros(rows.parts.shape[1])
    weights[used] = found[:-1] / spread
    return weights, float(found[-1] - found[:-1] @ (centre / spread))


def _threshold(embedded: Embedded, guard: chunking.Guard) -> tuple[float, Found | None]:
    """Return the threshold and what it gives on the set it was chosen on; NEVER and None where none is good enough."""
    asked = scored(embedded, guard, Arm())
    scores = np.unique(np.concatenate([one.scores for one in asked]))
    best: tuple[float, Found | None] = (NEVER, None)
    for low, high in pairwise(scores):
        threshold = float(low + high) / 2
        found = figures([admit(one, threshold) for one in asked])
        good = found.precision >= PRECISION and not found.vague_noisy
        if good and (best[1] is None or (found.recall, found.precision) > (best[1].recall, best[1].precision)):
            best = threshold, found
    return best
