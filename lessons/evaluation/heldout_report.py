"""The part of the report about recall's own scorer: rankings, what is admitted, where it is silent, what is useful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.evaluation.tables import number, percent, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.evaluation.figures import HeldOut


def held_out(found: HeldOut) -> Iterator[str]:
    """Write the section, line by line."""
    yield ""
    yield "## On held-out learners" if found.by_folds else "## With the present calibration"
    yield ""
    yield (
        "Each learner is scored by a calibration fitted on the other learners alone, and on none of the exercises that "
        "this learner met. The form of the score was chosen on the shipped set as a whole; only its numbers are held out."
        if found.by_folds
        else "All learners are scored by the calibration that is in use; it was fitted elsewhere, unless it was "
        "fitted on these very mistakes."
    )
    yield ""
    yield from table(
        ("scorer", "error type p@1", "worst to best learner", "p@3", "concept p@1", "worst to best learner", "p@3"),
        [
            (
                row.name, number(row.error_type), _range(row.error_type_range), number(row.error_type_at_3),
                number(row.concept), _range(row.concept_range), number(row.concept_at_3),
            )
            for row in found.scorers
        ],
    )  # fmt: skip
    yield ""
    yield (
        "The error type is one of the scorer's inputs, so its precision by error type says little; the rows “error type "
        "first” rank what has the error type of the miss before all else, and are what its precision by concept is to be "
        "held against."
    )
    yield from _admission(found)
    yield from _silence(found)
    yield from _useful(found)


def _range(found: tuple[float, float]) -> str:
    return f"{number(found[0])} to {number(found[1])}"


def _admission(found: HeldOut) -> Iterator[str]:
    said = found.admission
    low, high = min(found.thresholds), max(found.thresholds)
    yield ""
    yield "### What is admitted"
    yield ""
    yield (
        f"Every miss is played in the order of time against the mistakes before it, by `recall` itself; thresholds {low:.2f} to {high:.2f}."
    )
    yield ""
    yield from table(
        ("figure", "value"),
        [
            ("misses", str(said.misses)),
            ("with a line", percent(said.lines)),
            (
                "… of those that had an earlier mistake of their concept",
                f"{percent(said.possible_lines)} of {said.possible}",
            ),
            ("… and one of that concept is among the three shown", percent(said.found)),
            (
                "first shown: same error type / same concept",
                f"{percent(said.first_error_type)} / {percent(said.first_concept)}",
            ),
            (
                "all shown: same error type / same concept",
                f"{percent(said.shown_error_type)} / {percent(said.shown_concept)}",
            ),
            (
                "all admitted pairs, held against the concept: precision / recall",
                f"{percent(said.pair_precision)} / {percent(said.pair_recall)}",
            ),
        ],
    )


def _silence(found: HeldOut) -> Iterator[str]:
    yield ""
    yield "### Silence"
    yield ""
    yield "Share of misses that get a line although nothing in their past is alike:"
    yield ""
    silence = found.silence
    yield from table(
        ("past", "misses with a line"),
        [
            ("every vector scrambled: no two are alike any more", percent(silence.vectors)),
            ("the same, and the error types shuffled", percent(silence.vectors_and_kinds)),
            ("real, without the concept of the miss", percent(silence.without_concept)),
            ("real, without the error type of the miss", percent(silence.without_error_type)),
        ],
    )
    yield ""
    yield (
        "A line on a past without the concept is not always wrong: of the judged pairs of two concepts some are useful."
    )
    yield ""
    yield "The latest misses of each learner again, with unrelated (scrambled) mistakes added to the past:"
    yield ""
    yield from table(
        ("added", "mean count", "misses with a line"),
        [(f"{row.added:,}", f"{row.count:.2f}", percent(row.lines)) for row in found.growth],
    )


def _useful(found: HeldOut) -> Iterator[str]:
    if not found.useful:
        return
    yield ""
    yield "### Useful or not"
    yield ""
    yield (
        f"{found.useful_pairs} pairs judged by reading them, {percent(found.useful_share)} of them useful; half are planted "
        "to look alike and be useless, so this is harder than life. `first` is the chance that a useful pair scores above a "
        "useless one; precision and recall at the scorer's threshold, for the others at the bar that admits as many."
    )
    yield ""
    yield from table(
        ("scorer", "useful first", "admitted", "precision", "recall"),
        [
            (
                row.name,
                number(row.above),
                str(row.admitted) if row.admitted else "–",
                number(row.precision),
                number(row.recall),
            )
            for row in found.useful
        ],
    )
