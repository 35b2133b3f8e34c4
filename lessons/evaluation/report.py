"""The report of `evaluate retrieval`: figures in, Markdown out, each table with what it measures and what it does not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from lessons.evaluation.heldout_report import held_out
from lessons.evaluation.tables import image, number, percent, quoted, rows_said, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.evaluation.figures import Ablation, Example, Retrieval

_DEPTHS: Final = (1, 3, 5, 10)
_DETAILED: Final = ("clean", "full", "pair", "prompt only")


def retrieval_report(figures: Retrieval, charts: Sequence[str], notes: Sequence[str] = ()) -> str:
    """Write the report; `charts` are the names of the drawings that lie beside it."""
    parts = [
        *_head(figures, notes),
        *(held_out(figures.held_out) if figures.held_out else ("", "## Recall's scorer", "", _NO_CALIBRATION)),
        *_variants(figures),
        *_depths(figures),
        *_cosines(figures),
        *_crowding(figures),
        *_examples(figures),
        *_learners(figures),
        *_recency(figures),
        *_charts(charts),
    ]
    return "\n".join(parts) + "\n"


_NO_CALIBRATION: Final = (
    "There is no calibration for this embedder, and too few labelled learners to make one, so that everything below "
    "is about the plain cosine. `kizuki calibrate` makes one."
)
_WHAT_PRECISION_IS: Final = (
    "Precision@k: of the k nearest past mistakes of the same learner on **other exercises**, the share with the same "
    "label, averaged over all first tries; equals share their places; the past is not cut by date here."
)


def _head(figures: Retrieval, notes: Sequence[str]) -> Iterator[str]:
    yield "# Retrieval"
    yield ""
    yield f"Data: {figures.source}. Embedder: {figures.embedder}. {rows_said(figures.rows)}"
    yield ""
    yield _WHAT_PRECISION_IS
    for note in notes:
        yield ""
        yield note


def _variants(figures: Retrieval) -> Iterator[str]:
    yield ""
    yield "## Card variants"
    yield ""
    yield (
        "Precision@1 of each card's text by its cosine alone, with its labels (part of speech, level, error type) left out of "
        "the text and put into it; TF-IDF (characters 2 to 4) on the same text without labels. A text that holds the label is "
        f"partly asked whether it holds the label. Random: error type {number(figures.chance[0])}, part of speech "
        f"{number(figures.chance[1])}, concept {number(figures.chance[2])}."
    )
    yield ""
    labelled = {row.name: row for row in figures.ablations if row.labelled}
    yield from table(
        (
            "card", "holds", "error type", "part of speech", "concept", "error type, TF-IDF", "concept, TF-IDF",
            "labelled: error type", "labelled: part of speech", "labelled: concept",
        ),
        [_variant(row, labelled[row.name]) for row in figures.ablations if not row.labelled],
        left=2,
    )  # fmt: skip
    clean = next(row for row in figures.ablations if row.name == "clean" and not row.labelled)
    ahead = clean.embedded.error_type[0] - clean.lexical.error_type[0]
    yield ""
    yield (
        f"On the clean card the embedder's cosine is {'ahead of' if ahead > 0 else 'behind'} TF-IDF by "
        f"{abs(ahead):.2f} (error type)."
    )


def _variant(plain: Ablation, labelled: Ablation) -> tuple[str, ...]:
    first = [
        found[0]
        for precision in (plain.embedded, labelled.embedded)
        for found in (precision.error_type, precision.part_of_speech, precision.concept)
    ]
    lexical = (plain.lexical.error_type[0], plain.lexical.concept[0])
    return plain.name, plain.holds, *map(number, (*first[:3], *lexical, *first[3:]))


def _depths(figures: Retrieval) -> Iterator[str]:
    shown = [row for row in figures.ablations if not row.labelled and row.name in _DETAILED]
    yield ""
    yield "### Deeper than the first"
    yield ""
    yield from table(
        ("card", "label", *(f"p@{k}" for k in _DEPTHS), *(f"TF-IDF p@{k}" for k in _DEPTHS)),
        [
            (row.name, label, *(number(embedded[k - 1]) for k in _DEPTHS), *(number(lexical[k - 1]) for k in _DEPTHS))
            for row in shown
            for label, embedded, lexical in (
                ("error type", row.embedded.error_type, row.lexical.error_type),
                ("part of speech", row.embedded.part_of_speech, row.lexical.part_of_speech),
                ("concept", row.embedded.concept, row.lexical.concept),
            )
        ],
        left=2,
    )


def _cosines(figures: Retrieval) -> Iterator[str]:
    found = figures.cosines
    yield ""
    yield "## Cosines by stratum"
    yield ""
    yield (
        f"Clean cards of one learner, other exercises: pairs of one error type have a mean cosine of {number(found.same_mean, 3)} "
        f"({found.same_pairs:,} pairs), of different ones {number(found.other_mean, 3)} ({found.other_pairs:,} pairs). Mann-Whitney (ranks with "
        f"ties, normal approximation): z = {number(found.test.z, 1)}, p = {_p(found.test.log10_p)}; a pair of one type lies above a "
        f"pair of two in {percent(found.test.above)} of cases. Pairs share mistakes and are not independent: read the size, not the p."
    )


def _p(log10: float) -> str:
    if not math.isfinite(log10):
        return "–"
    return f"{10 ** (log10 - math.floor(log10)):.1f}e{math.floor(log10)}"


def _crowding(figures: Retrieval) -> Iterator[str]:
    found = figures.crowding
    yield ""
    yield "## Own exercise"
    yield ""
    yield (
        f"Retries included and nothing excluded, {percent(found.exclusion_off)} of queries have three or more of their top five from "
        f"their own exercise ({percent(found.possible)} of the queries are of an exercise that was answered often enough for that), and "
        f"{percent(found.exclusion_off_any)} have it there at all (clean card, cosine). With the exclusion before ranking {percent(found.exclusion_on)} "
        f"have it there. `recall` showed {found.scorer_own} mistakes of a query's own exercise."
    )


def _examples(figures: Retrieval) -> Iterator[str]:
    found = figures.examples
    yield ""
    yield "## Clean hits and failures"
    yield ""
    yield (
        f"Of {found.queries} queries {found.clean} ({percent(found.clean / max(found.queries, 1))}) have nothing but their own concept among the "
        f"top three (where no concept is named: their error type), and {found.failed} ({percent(found.failed / max(found.queries, 1))}) not even their error type at the "
        "top. The surest of each, one a label, with their score; “reference ← answer”. What lies below the threshold is never shown to a learner."
    )
    for head, examples in (
        ("Clean hits", found.hits),
        ("Failures", found.failures),
        ("What a query finds when its own exercise may come up", found.own_exercise),
    ):
        if examples:
            yield ""
            yield f"**{head}**"
            yield ""
            for example in examples:
                yield from _example(example)


def _example(example: Example) -> Iterator[str]:
    yield f"- {quoted(example.pair)} in {quoted(example.prompt)} ({quoted(example.label)})"
    for place, one in enumerate(example.found, 1):
        common = ", ".join(
            words
            for held, words in (
                (one.same_exercise, "same exercise"),
                (one.same_concept, "same concept"),
                (one.same_error_type and not one.same_concept, "same error type"),
            )
            if held
        )
        yield f"    {place}. {one.score:.2f} {quoted(one.pair)} in {quoted(one.prompt)} ({common or 'nothing in common'})"


def _learners(figures: Retrieval) -> Iterator[str]:
    spread = figures.between.spread
    yield ""
    yield "## Learner by learner"
    yield ""
    yield (
        f"Between learners lies {percent(spread.between)} of the scatter of the clean cards' vectors ({percent(spread.shuffled)} when the learners are shuffled); "
        f"of each mistake's nearest neighbour among everybody's, on another exercise, {percent(figures.between.own_neighbour)} are the learner's own "
        f"({percent(figures.between.own_by_chance)} by chance)."
    )
    if not figures.learners:
        return
    yield ""
    yield from table(
        (
            "learner", "queries", "random: error type", "cosine: error type", "scorer: error type", "random: concept",
            "cosine: concept", "scorer: concept",
        ),
        [
            (
                quoted(row.learner), str(row.queries), number(row.chance_error_type), number(row.cosine_error_type),
                number(row.scorer_error_type), number(row.chance_concept), number(row.cosine_concept),
                number(row.scorer_concept),
            )
            for row in figures.learners
        ],
    )  # fmt: skip


def _recency(figures: Retrieval) -> Iterator[str]:
    yield ""
    yield "## Recency"
    yield ""
    yield "The past of each miss alone, ranked without and with fading (score times exp(-age / tau)); precision@1 and the age of what comes first. The dates of the shipped set carry no signal: there fading can only cost."
    yield ""
    yield from table(
        ("scorer", "fading", "error type", "concept", "mean age of the first, days"),
        [
            (
                row.scorer,
                "on" if row.fading else "off",
                number(row.error_type),
                number(row.concept),
                number(row.days, 1),
            )
            for row in figures.recency
        ],
        left=2,
    )


def _charts(charts: Sequence[str]) -> Iterator[str]:
    if charts:
        yield ""
        yield "## Charts"
    for name in charts:
        yield ""
        yield image(name)
