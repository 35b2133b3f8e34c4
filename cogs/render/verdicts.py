"""What became of an answer, on screen: right, wrong, not counted yet, or waiting for a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs import messages
from cogs.render import similar
from cogs.render.drills import exercise_buttons, header, leads_on, onward, question, solution
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, rows
from cogs.ui.presses import button
from lessons.model import RIGHT, DiffKind, DrillState, GradeSource, Remark, Verdict
from lessons.wording import cue_and_hint, remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import Button, LayoutView

    from lessons.flows.answering import Outcome
    from lessons.flows.appealing import Filed
    from lessons.model import Grade, Item, Waiting

SHOWN_ALSO: Final = 6
SHOWN_DECIDED: Final = 5
FEEDBACK_LIMIT: Final = 400
JUDGED: Final = frozenset({GradeSource.JUDGE, GradeSource.CACHE})
"""Who is a language model, be it now or when it was asked before."""
WAITS: Final = "It is kept, and decided as soon as the judge is back: the next `/news` tells you."
NAMELESS: Final = "-# Only you see this. The card shows numbers, and the names of those who want theirs shown."
TELLS: Final = "It is kept; `/news` tells you then."


def verdict(
    outcome: Outcome, *, similar_open: bool = False, filed: Filed | None = None, offer: bool = False
) -> LayoutView:
    """Show what became of an answer; `similar_open` shows the past mistakes that are like it, in place.

    `filed` is where "I was right" went by the press that this answers. `offer`: the name could be shown on the card for many.
    """
    if outcome.grade.verdict is Verdict.RETRY:
        return _retry(outcome)
    exercise, grade, drill = outcome.exercise, outcome.grade, outcome.drill
    item = exercise.item
    texts = [
        header(drill, exercise),
        f"### {_headline(grade)}",
        solution(item),
        *_said(outcome),
        _explained(item, grade),
        f"*{safe(item.row.meaning, 400)}*" if item.row.meaning else "",
        _also(item, grade),
        f"-# Due again {messages.when(outcome.due)}" if outcome.due else "",
        _sent_on(filed, in_server=drill.guild_id is not None) if filed else _judge(grade),
        similar.line(outcome.recollection),
        *(similar.evidence(outcome.recollection) if similar_open else ()),
        NAMELESS if offer else "",
    ]
    buttons = _verdict_buttons(outcome, similar_open=similar_open)
    if offer and drill.shared is not None:
        buttons.append(button("Show my name", "show_name", drill.shared))
    return layout(card(_tone(grade), texts, *rows(buttons)))


def _sent_on(filed: Filed, *, in_server: bool) -> str:
    """Say where "I was right" went, and what came of it where the card does not tell that."""
    news = filed.exercise.item.clipping is not None  # belongs to a server, wherever it is asked
    pack = (
        "The moderators of its server see"
        if news
        else "The operator of this bot, or whoever looks after the pack, sees"
    )
    who = "The moderators see" if in_server else pack
    judged = filed.judged
    if judged is None:
        queue = " in `/queue`" if in_server else ""
        return f"📨 Sent on. {who} it{queue}; until then it counts as a miss."
    if judged.verdict in RIGHT:
        return "⚖️ The judge agrees. It counts as right now."
    if judged.verdict is Verdict.PENDING:
        return ""
    again = (
        f"It is a language model and can be wrong. Press **I was right** once more, and {who[0].lower()}{who[1:]} it."
    )
    return f"⚖️ The judge looked at it and calls it wrong.\n-# {again}"


def decided(told: Sequence[Waiting]) -> LayoutView:
    """Tell what came of answers that waited for a judge, the first ones and how many more."""
    more = len(told) - SHOWN_DECIDED
    texts = [
        "### ⚖️ Judged meanwhile",
        *(_decided(waiting) for waiting in told[:SHOWN_DECIDED]),
        f"-# and {more} more; `/mistakes` shows those that were missed" if more > 0 else "",
    ]
    return layout(card(Tone.CALM, texts))


def _decided(waiting: Waiting) -> str:
    grade, item = waiting.grade, waiting.exercise.item
    headline = "✅ Right" if grade.verdict in RIGHT else "❌ Not this time"
    lines = [
        f"**{headline}** · {solution(item)}",
        f"You wrote: **{safe(waiting.typed, 100)}**",
        *_remarks(grade, item),
        f"-# {_feedback(grade)}" if _feedback(grade) else "",
    ]
    return "\n".join(filter(None, lines))


def _verdict_buttons(outcome: Outcome, *, similar_open: bool) -> list[Button[LayoutView]]:
    drill, exercise = outcome.drill, outcome.exercise
    buttons = [onward(drill)] if leads_on(drill) else []
    if outcome.recollection and outcome.mistake:
        label = "Hide similar" if similar_open else "Show similar"
        buttons.append(button(label, "similar", exercise.id, outcome.mistake, int(not similar_open)))
    if outcome.grade.verdict is Verdict.WRONG:
        buttons.append(button("Why?", "why", exercise.id))
        label = "Sent on" if exercise.appealed else "I was right"
        buttons.append(button(label, "right", exercise.id, outcome.mistake or 0, disabled=exercise.appealed))
    if drill.state is DrillState.OPEN and leads_on(drill):
        buttons.append(button("Stop", "stop", drill.id))
    if similar_open and outcome.recollection:
        buttons += similar.dismissals(outcome.recollection, "unlike", exercise.id, outcome.mistake)
    return buttons


def _retry(outcome: Outcome) -> LayoutView:
    exercise = outcome.exercise
    typed = safe(exercise.typed or "", 200)
    texts = [
        *question(outcome.drill, exercise, outcome.preferences),
        f"You typed: **{typed}**" if typed else "",
        *_remarks(outcome.grade, exercise.item),
        "-# This try did not count; the next one does.",
    ]
    return layout(card(Tone.ALMOST, texts, *rows(exercise_buttons(exercise, outcome.drill))))


def _headline(grade: Grade) -> str:
    if grade.verdict is Verdict.SKIPPED:
        return "⏭️ Skipped"
    if grade.verdict is Verdict.PENDING:
        return "⏳ Waiting for the judge"
    if grade.verdict not in RIGHT:
        return "❌ Not this time"
    return "✅ Right" if grade.verdict is Verdict.EXACT else "✅ Right, with a note"


def _tone(grade: Grade) -> Tone:
    if grade.verdict in RIGHT:
        return Tone.RIGHT
    return Tone.WRONG if grade.verdict is Verdict.WRONG else Tone.CALM


def _said(outcome: Outcome) -> Sequence[str]:
    """What was typed, where it differs, and what the matcher noticed."""
    grade, typed = outcome.grade, outcome.exercise.typed or ""
    if grade.verdict is Verdict.SKIPPED:
        return ()
    lines = []
    if grade.verdict in {Verdict.WRONG, Verdict.PENDING} or grade.source in JUDGED:
        lines.append(f"You wrote: **{safe(typed, 200)}**")
    if grade.verdict is Verdict.PENDING:
        spent = Remark.DAY_SPENT in grade.remarks
        return [*lines, *([_remark(Remark.DAY_SPENT, grade, outcome.exercise.item), TELLS] if spent else [WAITS])]
    if grade.diff:
        lines.append(f"-# Compared: {_diff(grade)}")
    return [*lines, *_remarks(grade, outcome.exercise.item)]


def _explained(item: Item, grade: Grade) -> str:
    """Why: what the judge or the rules said of this answer, else what is said of the item."""
    return _feedback(grade) or safe(item.row.explanation, 700)


def _feedback(grade: Grade) -> str:
    """What was said of this very answer; rules only repeat what a remark says already."""
    if grade.judgement is None or (grade.source is GradeSource.RULES and grade.remarks):
        return ""
    return safe(grade.judgement.feedback, FEEDBACK_LIMIT)


def _judge(grade: Grade) -> str:
    """Say that a language model decided, where one did."""
    if grade.source not in JUDGED:
        return ""
    if grade.verdict in RIGHT:
        return "-# Another answer than the article's, accepted by a language model."
    return "-# Judged by a language model; it can be wrong. Then press **I was right**."


def _remarks(grade: Grade, item: Item) -> list[str]:
    """What was noticed about an answer that is decided."""
    unsaid = {Remark.DAY_SPENT, *([Remark.OTHER_ANSWER] if grade.source in JUDGED else ())}
    return [_remark(kind, grade, item) for kind in grade.remarks if kind not in unsaid]


def _remark(kind: Remark, grade: Grade, item: Item) -> str:
    matched, answer = f"**{safe(grade.matched, 100)}**", f"**{safe(item.answer, 100)}**"
    cue = safe(cue_and_hint(item.row.hint)[0], 100)
    return remark(kind, matched=matched, answer=answer, settled=grade.verdict is Verdict.WRONG, cue=cue)


def _diff(grade: Grade) -> str:
    drawn = {DiffKind.SAME: "{}", DiffKind.EXTRA: "~~{}~~", DiffKind.MISSING: "**{}**"}
    return " ".join(drawn[part.kind].format(safe(part.text, 100)) for part in grade.diff)


def _also(item: Item, grade: Grade) -> str:
    """Other answers that would have been right."""
    others = [accepted.text for accepted in item.accepted if accepted.text not in {item.answer, grade.matched}]
    if not others or Remark.OTHER_ANSWER in grade.remarks:
        return ""
    return f"-# Also right: {'、'.join(safe(other, 60) for other in others[:SHOWN_ALSO])}"
