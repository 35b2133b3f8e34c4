"""Everything `evaluate retrieval` measures, once all texts are embedded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lessons.evaluation import ablation, examples, heldout, memories, ranking, statistics
from lessons.evaluation.figures import Retrieval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.figures import Ablation, Crowding, Examples, Recency, Rows
    from lessons.evaluation.heldout import Evidence
    from lessons.evaluation.memories import Laid
    from lessons.evaluation.records import Record


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured: where it comes from, the embedder's name, counts, all kept records, and the calibrations if any."""

    source: str
    embedder: str
    rows: Rows
    laid: Laid
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Found:
    """The figures, and what only charts need: maps (how each was made, [n, 2]) and the error type of each point."""

    figures: Retrieval
    flat: tuple[tuple[str, NDArray[np.floating]], ...]
    error_types: tuple[str, ...]


def measure(what: Measured, tried: Sequence[int], ablations: tuple[Ablation, ...], rng: np.random.Generator) -> Found:
    """Measure it all; `tried` are the places of the first tries. Takes seconds."""
    records = [what.laid.records[place] for place in tried]
    vectors = what.laid.cards[list(tried)]
    points, widths = statistics.flat_map(vectors)
    evidence = what.evidence
    figures = Retrieval(
        source=what.source,
        embedder=what.embedder,
        rows=what.rows,
        chance=ablation.by_chance(records),
        ablations=ablations,
        cosines=ablation.cosines(records, vectors),
        map_shares=widths,
        crowding=_crowding(what.laid, evidence),
        learners=heldout.learner_figures(evidence, tried) if evidence else (),
        between=ablation.between(records, vectors, rng),
        recency=_recency(records, vectors, evidence, tried),
        examples=_examples(what.laid, records, vectors, evidence, tried),
        held_out=heldout.judge(evidence, tried, rng) if evidence else None,
    )
    return Found(figures, (("PCA", points),), tuple(ablation.error_types(records)))


def _crowding(laid: Laid, evidence: Evidence | None) -> Crowding:
    own = 0
    if evidence:
        said = heldout.everything_said(evidence)
        own = sum(laid.records[a.place].exercise == laid.records[one].exercise for a in said for one in a.top)
    return ablation.crowding(laid.records, laid.cards, own)


def _recency(
    records: Sequence[Record], vectors: NDArray[np.float32], evidence: Evidence | None, tried: Sequence[int]
) -> tuple[Recency, ...]:
    pools = ranking.pools(records)
    tau = next(iter(evidence.calibrations.values())).tau_days if evidence else 90.0
    cosine = [np.maximum(block, 0) for block in ranking.blocks(vectors, pools)]
    found = [*ablation.recency(heldout.COSINE, cosine, records, tau)]
    if evidence:
        likely = _likely(evidence, tried)
        found += ablation.recency(heldout.SHIPPED, likely, records, tau)
    return tuple(found)


def _likely(evidence: Evidence, tried: Sequence[int]) -> Sequence[NDArray[np.floating]]:
    narrow = heldout.narrowed(evidence, tried)
    return memories.probability_blocks(narrow.laid, ranking.pools(narrow.records), narrow.calibrations)


def _examples(
    laid: Laid,
    records: Sequence[Record],
    vectors: NDArray[np.float32],
    evidence: Evidence | None,
    tried: Sequence[int],
) -> Examples:
    scores = _likely(evidence, tried) if evidence else ranking.blocks(vectors, ranking.pools(records))
    own = ranking.blocks(laid.cards, ranking.pools(laid.records, own_exercise=True))
    return examples.pick(scores, own, records, laid.records)
