"""The report of `evaluate tutor`: does the tutor teach better for knowing the learner, and where does it fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lessons.evaluation.tables import number, percent, quoted, table
from lessons.evaluation.tutor_cases import Arm

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lessons.evaluation.tutor_figures import ArmFigures, Row, TutorFigures

_MILLION: Final = 1_000_000
_NAMES: Final = {
    Arm.ON: "model, learner known",
    Arm.OFF: "model, learner unknown",
    Arm.TEMPLATE: "look-up, no model",
}
_HOW: Final = (
    "Each case fixes beforehand the learner's facts, the first step of its topic, the form of an exercise and what may never be "
    "said. The arms differ in one thing: whether profile, passages of documents and past mistakes are linked. Two points each: "
    "grounding (two facts, or one that the exercise uses, and nothing made up), direction (the fixed first step, and no other goal "
    "at the end), exercise (doable now, one checkable answer). Strict: 5 points or more. **Grounding and leaks are counted by "
    "code; direction and exercise are heuristics over fixed words** until two people have rated the sheet, and flatter the "
    "look-up, which quotes its first step. Replies are judged as the model said them, before the bot takes links and leaks out. "
    "What was recalled is fixed by the case: whether recall finds it is another question (`kizuki evaluate detail`)."
)
_LAYERS: Final = {
    "": "passes",
    "admission": "a fact never reached the prompt",
    "grounding": "facts were there, and not used (or something was made up)",
    "direction": "the lesson went another way",
    "exercise": "no exercise that can be done and checked",
    "leak": "something of the machinery was said",
}


def tutor_report(figures: TutorFigures) -> str:
    """Write the report."""
    parts = [
        *_head(figures),
        *_proof(figures),
        *_arms(figures),
        *_failures(figures),
        *_leaks(figures),
        *_people(figures),
    ]
    return "\n".join(parts) + "\n"


def _head(figures: TutorFigures) -> Iterator[str]:
    yield "# Tutor"
    yield ""
    yield f"Cases: {figures.cases}; replies of an arm to each: {figures.repeats} at most. {_HOW}"
    yield ""
    if figures.away:
        yield f"**No model answered ({figures.away}), so the two arms with a model are empty or incomplete.**"
    else:
        yield f"Model: {quoted(figures.model)}."


def _proof(figures: TutorFigures) -> Iterator[str]:
    proof = figures.proof
    yield ""
    yield "## Does the measuring work"
    yield ""
    yield (
        f"Of {proof.answers} canned answers with known scores {proof.reproduced} came out as known; of {proof.planted} planted leaks "
        f"{proof.caught} were caught."
    )
    if not proof.holds:
        yield f"**Otherwise than known: {', '.join(proof.wrong)}. Trust nothing below.**"


def _arms(figures: TutorFigures) -> Iterator[str]:
    yield ""
    yield "## Arms"
    yield ""
    yield from table(
        (
            "arm", "replies", "mean of 6", "strict", "grounding", "direction", "exercise", "with a fact", "facts",
            "made up", "leaking", "seconds", "tokens in", "out", "$",
        ),
        [_arm(arm) for arm in figures.arms],
    )  # fmt: skip
    known = {arm.arm: arm for arm in figures.arms}
    if Arm.ON in known and Arm.OFF in known:
        on, off = known[Arm.ON], known[Arm.OFF]
        yield ""
        yield (
            f"Knowing the learner is worth {number(on.mean - off.mean)} points, and costs {number(on.seconds - off.seconds, 1)} seconds and "
            f"{number(on.tokens_in - off.tokens_in, 0)} tokens a reply."
        )
    if figures.contaminated:
        yield ""
        yield (
            "**Contaminated: without the learner there were facts of theirs all the same, in "
            f"{', '.join(map(quoted, figures.contaminated))}. These cases prove nothing.**"
        )


def _arm(arm: ArmFigures) -> tuple[str, ...]:
    return (
        _NAMES[arm.arm],
        str(arm.replies),
        number(arm.mean),
        f"{arm.strict} of {arm.replies}",
        number(arm.grounding),
        number(arm.direction),
        number(arm.exercise),
        str(arm.with_signal),
        str(arm.signals),
        str(arm.invented),
        str(arm.leaking),
        number(arm.seconds, 1),
        number(arm.tokens_in, 0),
        number(arm.tokens_out, 0),
        number(arm.micro_usd / _MILLION, 4),
    )


def _failures(figures: TutorFigures) -> Iterator[str]:
    if figures.layers:
        yield ""
        yield "## The first layer that failed (learner known)"
        yield ""
        yield from table(
            ("layer", "replies"),
            [(_LAYERS[name], str(figures.layers[name])) for name in _LAYERS if name in figures.layers],
        )
    yield ""
    yield "## Case by case"
    yield ""
    cases = dict.fromkeys(row.case for row in figures.rows)
    arms = [arm.arm for arm in figures.arms]
    yield from table(
        ("case", *(_NAMES[arm] for arm in arms)),
        [
            (
                quoted(case),
                *(_points([row for row in figures.rows if (row.case, row.arm) == (case, arm)]) for arm in arms),
            )
            for case in cases
        ],
    )
    yield ""
    yield "Points as grounding+direction+exercise, by code."


def _points(rows: Sequence[Row]) -> str:
    return ", ".join("+".join(map(str, row.points)) for row in rows) or "–"


def _leaks(figures: TutorFigures) -> Iterator[str]:
    leaking = [row for row in figures.rows if row.leaks]
    yield ""
    yield "## Leaks"
    yield ""
    if not leaking:
        yield "None."
        return
    yield "Must be none; some of the words are also words of somebody's work, so a person reads each hit."
    yield ""
    for row in leaking:
        yield f"- {quoted(row.case)}, {_NAMES[row.arm]}, {row.repeat}: {', '.join(map(quoted, row.leaks))}"


def _people(figures: TutorFigures) -> Iterator[str]:
    yield ""
    yield "## Two people"
    yield ""
    if not figures.human:
        yield "Nobody has rated yet. `tutor_sheet.csv` is the sheet: fill in 0, 1 or 2 for both raters and give it back with --data."
        return
    for what, found in figures.agreed.items():
        yield (
            f"- {what}: the same points on {percent(found.same)} of {found.rated} replies, Cohen's kappa {number(found.kappa)}; where they "
            "agree, their points count in the table of the arms."
        )
