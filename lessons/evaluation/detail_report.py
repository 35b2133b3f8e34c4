"""The report of `evaluate detail`: every arm of the experiment in figures, and what they do not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lessons import chunking
from lessons.evaluation import detail_fitting
from lessons.evaluation.detail import Asks, Query
from lessons.evaluation.detail_measuring import SWEEP, Answered, Arm, Found, Scope, admit, answers, figures, scored
from lessons.evaluation.tables import number, percent, quoted, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.evaluation.detail import Embedded

ARMS: Final = (
    Arm(),
    Arm(query=Query.CALLED),
    Arm(query=Query.TOPIC),
    Arm(query=Query.REWRITTEN),
    Arm(framed=False),
    Arm(scope=Scope.OWN),
)
_SIGNALS: Final = (("cosine",), ("words",), ("cosine", "ahead"), ("cosine", "words"), chunking.PARTS)


@dataclass(frozen=True, slots=True)
class Smoke:
    """What became of two owners in real stores who asked with each other's documents linked as well.

    `foreign` rows of the other owner were seen, `left` rows were there after all was removed; `same` questions recalled
    just what the figures say.
    """

    owners: int
    questions: int
    foreign: int
    same: int
    left: int


@dataclass(frozen=True, slots=True)
class Named:
    """Figures of one arm on one set, under a name."""

    part: str
    name: str
    threshold: float
    found: Found


@dataclass(frozen=True, slots=True)
class Detail:
    """Everything that was measured: whole sets, kinds of questions, arms, signals, thresholds, failures."""

    embedder: str
    threshold: float
    sets: tuple[Named, ...]
    kinds: tuple[Named, ...]
    arms: tuple[Named, ...]
    signals: tuple[Named, ...]
    sweep: tuple[Named, ...]
    profile_questions: int
    profile_silent: int
    failures: tuple[tuple[str, str, str, int, float], ...]
    smoke: Smoke | None = None


def measure(tuned: Embedded, others: Sequence[Embedded], guard: chunking.Guard, smoke: Smoke | None = None) -> Detail:
    """Measure a guard on the set it was fitted on and on `others`, the first of which is the holdout."""
    holdout = others[0]
    asked = {one.of.part: answers(one, guard, Arm()) for one in (tuned, *others)}
    held = asked[holdout.of.part]
    broad = [one for every in asked.values() for one in every if one.question.asks is Asks.PROFILE]
    return Detail(
        embedder=guard.embedder,
        threshold=guard.threshold,
        sets=tuple(Named(part, "all questions", guard.threshold, figures(every)) for part, every in asked.items()),
        kinds=tuple(_kinds(holdout.of.part, held, guard.threshold)),
        arms=tuple(
            Named(one.of.part, _arm_name(arm), guard.threshold, figures(answers(one, guard, arm)))
            for one in (tuned, holdout)
            for arm in ARMS
        ),
        signals=tuple(_signals(tuned, holdout)),
        sweep=tuple(
            Named(one.of.part, f"{bar:.1f}", bar, figures([admit(each, bar) for each in scored(one, guard, Arm())]))
            for one in (tuned, holdout)
            for bar in SWEEP
        ),
        profile_questions=len(broad),
        profile_silent=sum(not one.admitted for one in broad),
        failures=tuple(_failures(asked)),
        smoke=smoke,
    )


def _kinds(part: str, answered: Sequence[Answered], threshold: float) -> Iterator[Named]:
    for asks in Asks:
        those = [one for one in answered if one.question.asks is asks]
        if those and asks is not Asks.PROFILE:
            yield Named(part, asks.value, threshold, figures(those))


def _signals(tuned: Embedded, holdout: Embedded) -> Iterator[Named]:
    """Fit a guard of fewer parts on the tuned set, and hold it against the holdout."""
    for only in _SIGNALS:
        guard = detail_fitting.fit(tuned, "", only)
        for one in (tuned, holdout):
            yield Named(one.of.part, " + ".join(only), guard.threshold, figures(answers(one, guard, Arm())))


def _failures(asked: dict[str, list[Answered]]) -> Iterator[tuple[str, str, str, int, float]]:
    for part, every in asked.items():
        for one in every:
            missed = len(one.question.facts) - one.right
            if missed or one.wrong:
                yield part, one.question.asks.value, one.question.message, one.rank, round(one.best, 3)


def _arm_name(arm: Arm) -> str:
    parts = [arm.query.value, "framed" if arm.framed else "no frame", arm.scope.value]
    return ", ".join(parts)


def report(found: Detail) -> str:
    """Write the report."""
    parts = [
        *_head(found),
        *_section("By what is asked (holdout)", found.kinds, "question"),
        *_section("What is embedded, and which pieces are candidates", found.arms, "arm"),
        *_section("What the guard looks at, fitted anew for each on the tuned set", found.signals, "parts"),
        *_section("Thresholds", found.sweep, "threshold"),
        *_failed(found),
        *_smoked(found.smoke),
    ]
    return "\n".join(parts) + "\n"


_WHAT: Final = (
    "Precision: of the pieces that were let in, the share that answers the question or belongs to it. Recall: of the "
    "pieces that answer, the share that was let in. First, hit@3 and MRR are about the ranking alone, before the threshold. "
    "Quiet turns name nothing, ask about the language, or about a fact of the other owner: nothing may be let in for them."
)
_CAUTION: Final = (
    "Owners, documents, questions and labels are invented by one author, an AI model, and checked by nobody else; the sets "
    "are small, so that one question moves a figure by five points. The threshold is a guard against noise on this data, "
    "and neither a probability nor a rule for another embedder."
)


def _head(found: Detail) -> Iterator[str]:
    yield "# Detail"
    yield ""
    yield f"Embedder: {found.embedder}. Threshold: {found.threshold:.3f}."
    yield ""
    yield _WHAT
    yield ""
    yield _CAUTION
    yield from _section("The sets", found.sets, "")
    yield ""
    yield (
        f"Of {found.profile_questions} questions about everything at once (what do you know about me?) "
        f"{found.profile_silent} recalled no piece: the profile answers those, whatever recall finds."
    )


def _section(title: str, rows: Sequence[Named], column: str) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    head = ("set", *([column] if column else []), "questions", "precision", "recall", "first", "hit@3", "MRR", "let in",
            "quiet turns", "noisy", "vague and noisy")  # fmt: skip
    yield from table(head, [_row(one, named=bool(column)) for one in rows], left=2 if column else 1)


def _row(one: Named, *, named: bool) -> tuple[str, ...]:
    found = one.found
    return (
        one.part,
        *([one.name] if named else []),
        str(found.questions),
        percent(found.precision),
        percent(found.recall),
        percent(found.first),
        percent(found.hit),
        number(found.mrr),
        *(str(count) for count in (found.admitted, found.quiet, found.noisy, found.vague_noisy)),
    )


def _failed(found: Detail) -> Iterator[str]:
    yield ""
    yield "## What went wrong"
    yield ""
    yield "An answer was left out, or something was let in that is none; the place of the answer in the ranking, and the best score."
    yield ""
    rows = [(part, asks, quoted(message), str(rank or "–"), number(best)) for part, asks, message, rank, best in found.failures]  # fmt: skip
    yield from table(("set", "asks", "message", "place", "best"), rows, left=3)


def _smoked(smoke: Smoke | None) -> Iterator[str]:
    if smoke is None:
        return
    yield ""
    yield "## In real stores"
    yield ""
    yield (
        f"{smoke.owners} owners, made for this run in a database of their own, asked {smoke.questions} questions, each "
        f"with all documents of both linked: {smoke.foreign} rows of the other owner were candidates or let in, and "
        f"{smoke.same} questions recalled just what is counted above. Afterwards everything of theirs was removed: "
        f"{smoke.left} rows were left."
    )
