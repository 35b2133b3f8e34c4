"""The charts of a report, as specifications: file name and chart, in the order the report shows them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from lessons.evaluation import ranking, variants
from lessons.model import Chart, ChartKind, Series

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from lessons.evaluation.figures import Ablation, Retrieval, ThemesFigures

_SHOWN: Final = (variants.CLEAN, "full", "prompt only", variants.PAIR)
"""The cards that have lines of their own."""
_SCORERS: Final = {"cosine": "plain cosine", "scorer": "recall's scorer", "chance": "random"}
_KS: Final = tuple(float(k) for k in range(1, ranking.DEEPEST + 1))


def retrieval_charts(
    figures: Retrieval, flat: Sequence[tuple[str, NDArray[np.floating]]], error_types: Sequence[str]
) -> tuple[tuple[str, Chart], ...]:
    """Return every chart; `flat` are maps, each with how it was made and its [n, 2] points."""
    without = [row for row in figures.ablations if not row.labelled]
    charts = [
        ("variants", _variants(without, labelled=False)),
        ("variants_labelled", _variants([row for row in figures.ablations if row.labelled], labelled=True)),
        ("precision_error_type", _curves(without, "error type", figures.chance[0])),
        ("precision_part_of_speech", _curves(without, "part of speech", figures.chance[1])),
        *([("precision_concept", _curves(without, "concept", figures.chance[2]))] if _named(figures) else []),
        ("cosines", _cosines(figures)),
        *((f"map_{name.lower()}", _map(name, points, error_types)) for name, points in flat),
    ]
    if figures.held_out:
        charts += [("scorers", _scorers(figures)), ("growth", _growth(figures))]
    if figures.learners:
        charts.append(("learners", _learners(figures)))
    return tuple(charts)


def themes_charts(figures: ThemesFigures) -> tuple[tuple[str, Chart], ...]:
    """Return the one chart of `evaluate themes`."""
    names = tuple(row.method for row in figures.methods)
    series = (
        Series("purity", names, tuple(row.purity for row in figures.methods)),
        Series("stability", names, tuple(row.stability for row in figures.methods)),
        Series("left alone", names, tuple(row.alone for row in figures.methods), faint=True),
    )
    chart = Chart(
        ChartKind.ROWS, "Themes: purity by concept, stability under resampling, share left alone", "0 to 1", "", series,
        y_range=(0.0, 1.08),
    )  # fmt: skip
    return (("themes", chart),)


def _variants(rows: Sequence[Ablation], *, labelled: bool) -> Chart:
    names = tuple(row.name for row in rows)
    series = [
        Series("error type", names, tuple(_number(row.embedded.error_type[0]) for row in rows)),
        Series("concept", names, tuple(_number(row.embedded.concept[0]) for row in rows)),
        Series("error type, TF-IDF", names, tuple(_number(row.lexical.error_type[0]) for row in rows), faint=True),
    ]
    return Chart(
        ChartKind.ROWS,
        f"Precision@1 of every card, {'labels in the text' if labelled else 'no labels in the text'}",
        "precision@1, the learner's other exercises only",
        "",
        tuple(one for one in series if any(one.ys)),
        y_range=(0.0, 1.08),
    )


def _curves(rows: Sequence[Ablation], label: str, chance: float) -> Chart:
    def line(name: str, values: Sequence[float], *, faint: bool = False) -> Series:
        return Series(name, _KS, tuple(map(_number, values)), faint=faint)

    attribute = label.replace(" ", "_")
    shown = [row for name in _SHOWN for row in rows if row.name == name]
    series = [line(row.name, getattr(row.embedded, attribute)) for row in shown]
    series += [line("clean, TF-IDF", getattr(row.lexical, attribute)) for row in shown if row.name == variants.CLEAN]
    series.append(line("random", (chance,) * len(_KS), faint=True))
    return Chart(
        ChartKind.LINES,
        f"Precision@k by {label}",
        "k: how many past mistakes are looked at",
        "share with the same label",
        tuple(series),
        y_range=(0.0, 1.0),
        note="no labels in the text; the learner's other exercises only",
    )


def _cosines(figures: Retrieval) -> Chart:
    found = figures.cosines
    bins = found.histogram
    return Chart(
        ChartKind.HISTOGRAM,
        "Cosine of two clean cards of one learner, by whether they share the error type",
        "cosine",
        "share of pairs",
        (
            Series(f"different ({found.other_pairs:,} pairs)", bins.edges, bins.other, faint=True),
            Series(f"same error type ({found.same_pairs:,} pairs)", bins.edges, bins.same),
        ),
        marks=tuple(
            (mean, f"{name} {mean:.3f}")
            for mean, name in ((found.other_mean, "mean, different:"), (found.same_mean, "mean, same:"))
            if math.isfinite(mean)
        ),
    )


def _map(name: str, points: NDArray[np.floating], error_types: Sequence[str]) -> Chart:
    kinds = list(dict.fromkeys(sorted(error_types, key=lambda kind: (-error_types.count(kind), kind))))
    series = []
    for kind in kinds:
        rows = [row for row, found in enumerate(error_types) if found == kind]
        xs, ys = (tuple(float(value) for value in points[rows, axis]) for axis in (0, 1))
        series.append(Series(kind.replace("_", " "), xs, ys))
    return Chart(
        ChartKind.SCATTER, f"Clean cards in two dimensions ({name}), by error type", "first direction",
        "second direction", tuple(series),
    )  # fmt: skip


def _scorers(figures: Retrieval) -> Chart:
    rows = figures.held_out.scorers if figures.held_out else ()
    names = tuple(row.name for row in rows)
    series = (
        Series("error type", names, tuple(_number(row.error_type) for row in rows)),
        Series("concept", names, tuple(_number(row.concept) for row in rows)),
    )
    return Chart(
        ChartKind.ROWS, "Precision@1 on held-out learners", "precision@1, the learner's other exercises only", "",
        tuple(one for one in series if any(one.ys)), y_range=(0.0, 1.08),
    )  # fmt: skip


def _growth(figures: Retrieval) -> Chart:
    rows = figures.held_out.growth if figures.held_out else ()
    return Chart(
        ChartKind.LINES,
        "Mean count in the line when unrelated mistakes join the past",
        "unrelated mistakes added",
        "mean count",
        (Series("count", tuple(f"{row.added:,}" for row in rows), tuple(_number(row.count) for row in rows)),),
        y_range=(0.0, max([1.0, *(1.2 * _number(row.count) for row in rows)])),
    )


def _learners(figures: Retrieval) -> Chart:
    names = tuple(row.learner for row in figures.learners)
    return Chart(
        ChartKind.BARS,
        f"Precision@1 by {'concept' if _named(figures) else 'error type'}, learner by learner",
        "learner",
        "precision@1",
        tuple(_by_learner(figures, names)),
        y_range=(0.0, 1.0),
    )


def _by_learner(figures: Retrieval, names: tuple[str, ...]) -> Iterator[Series]:
    label = "concept" if _named(figures) else "error_type"
    for name, faint in (("cosine", False), ("scorer", False), ("chance", True)):
        values = tuple(_number(getattr(row, f"{name}_{label}")) for row in figures.learners)
        yield Series(_SCORERS[name], names, values, faint=faint)


def _named(figures: Retrieval) -> bool:
    return figures.rows.concepts > 0


def _number(value: float) -> float:
    """Draw what does not exist as nothing."""
    return value if math.isfinite(value) else 0.0
