"""`evaluate themes`: graphs against HDBSCAN, on recall's likeness and on the plain cosine, measured and written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lessons import themes
from lessons.evaluation import heldout, memories, ranking
from lessons.evaluation.figures import ThemesFigures
from lessons.evaluation.grouping import Method, by_type, density, graph, quality
from lessons.evaluation.tables import image, number, percent, rows_said, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from lessons.evaluation.grouping import Density
    from lessons.evaluation.records import Record
    from lessons.evaluation.retrieval import Measured

RECALL: Final = "recall's score"
COSINE: Final = "cosine"
CHANCE: Final = "chance"
_SPREAD: Final = themes.Way(spread=True)
_UNTYPED_SPREAD: Final = themes.Way(typed=False, neighbours=8, mutual=True, floor=0.9, spread=True)
NO_HDBSCAN: Final = "HDBSCAN was left out: scikit-learn is not installed (kizuki[evaluate])."
NO_SCORE: Final = "Recall's score was left out: there is no calibration for this embedder."
NO_CONCEPTS: Final = "No concept is named in these data: purity and the pair figures are all about error types."


def measure(
    what: Measured,
    tried: Sequence[int],
    hdbscan: Density | None,
    rng: np.random.Generator,
    progress: Callable[[str, int, int], None],
) -> ThemesFigures:
    """Group every learner's first tries by every method. Takes a minute on five hundred mistakes."""
    learners = _likenesses(what, tried, rng)
    methods = _methods(hdbscan)
    found = []
    usable = [method for method in methods if method.likeness in learners]
    for done, method in enumerate(usable):
        progress("methods", done, len(usable))
        found.append(quality(method, learners[method.likeness], rng))
    progress("methods", len(usable), len(usable))
    left_out = [] if hdbscan else [NO_HDBSCAN]
    left_out += [] if what.evidence else [NO_SCORE]
    left_out += [] if what.rows.concepts else [NO_CONCEPTS]
    return ThemesFigures(what.source, what.embedder, what.rows, tuple(found), tuple(left_out))


def _methods(hdbscan: Density | None) -> list[Method]:
    methods = [
        Method("error type alone", COSINE, by_type),
        Method("Louvain in type, score (default)", RECALL, graph(themes.BY_TYPE)),
        Method("propagation in type, score", RECALL, graph(_SPREAD)),
        Method("Louvain, score", RECALL, graph(themes.UNTYPED)),
        Method("propagation, score", RECALL, graph(_UNTYPED_SPREAD)),
        Method("Louvain in type, cosine", COSINE, graph(themes.BY_TYPE)),
        Method("Louvain, cosine", COSINE, graph(themes.UNTYPED)),
        Method("Louvain in type, by lot", CHANCE, graph(themes.BY_TYPE)),
        Method("Louvain, by lot", CHANCE, graph(themes.UNTYPED)),
    ]
    if hdbscan:
        methods += [
            Method("HDBSCAN, score", RECALL, density(hdbscan)),
            Method("HDBSCAN, cosine", COSINE, density(hdbscan)),
        ]
    return methods


def _likenesses(
    what: Measured, tried: Sequence[int], rng: np.random.Generator
) -> dict[str, list[tuple[list[Record], NDArray[np.float32]]]]:
    """Return each likeness with the records and the [n, n] likenesses of every learner."""
    records = [what.laid.records[place] for place in tried]
    pools = ranking.pools(records)
    cosine = ranking.blocks(what.laid.cards[list(tried)], pools)
    found = {COSINE: cosine, CHANCE: [_by_lot(len(pool.places), rng) for pool in pools]}
    if what.evidence:
        narrow = heldout.narrowed(what.evidence, tried)
        found[RECALL] = memories.affinity_blocks(narrow.laid, pools, narrow.calibrations)
    whole = [[records[place] for place in pool.places] for pool in pools]
    return {name: list(zip(whole, blocks, strict=True)) for name, blocks in found.items()}


def _by_lot(count: int, rng: np.random.Generator) -> NDArray[np.float32]:
    drawn = rng.random((count, count), np.float32)
    return np.asarray((drawn + drawn.T) / 2, np.float32)


def write(figures: ThemesFigures, charts: Sequence[str]) -> str:
    """Write the report; `charts` are the names of the drawings that lie beside it."""
    return "\n".join(_lines(figures, charts)) + "\n"


def _lines(figures: ThemesFigures, charts: Sequence[str]) -> Iterator[str]:
    yield "# Themes"
    yield ""
    yield f"Data: {figures.source}. Embedder: {figures.embedder}. {rows_said(figures.rows)}"
    yield ""
    yield (
        "In type: within an error type, else regardless of it. Propagation: label propagation. Score: recall's own; cosine: of "
        "the clean cards; by lot: likeness drawn at random, which says what a method makes of nothing."
    )
    yield ""
    yield (
        "Every learner's first tries, grouped by themselves. Purity: share of grouped mistakes that have their group's most "
        "frequent concept (small groups are pure by themselves, so read it beside the pair figures and the rows “by lot”). Left "
        "alone: mistakes in no group. Pairs: of two mistakes in one group, how many share the concept; of two of one "
        "concept, how many are in one group. Stability: adjusted Rand index against the groups of 80 % of the mistakes, "
        "ten times. Recall's score is by calibrations that never saw the learner, where there are enough learners."
    )
    for words in figures.left_out:
        yield ""
        yield words
    yield ""
    yield from table(
        ("method", "purity", "left alone", "pairs: precision", "pairs: recall", "stability", "groups a learner", "size"),
        [
            (
                row.method, number(row.purity), percent(row.alone), number(row.pair_precision), number(row.pair_recall),
                number(row.stability), number(row.groups, 1), number(row.size, 1),
            )
            for row in figures.methods
        ],
    )  # fmt: skip
    for name in charts:
        yield ""
        yield image(name)
