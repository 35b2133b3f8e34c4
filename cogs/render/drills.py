"""A drill on screen: the exercise, the verdict, the summary, and the crossroads before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ButtonStyle
from discord.ui import Label, Modal, TextInput

from cogs import messages
from cogs.render import similar
from cogs.render.prompts import GAP, gapped
from cogs.ui.escape import clip, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import button, modal
from lessons.model import BLANK, RIGHT, DiffKind, DrillState, ItemKind, Remark, Verdict
from lessons.wording import cue_and_hint, remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.ui import Button, LayoutView

    from lessons.errors import DrillUnfinished, NothingDue
    from lessons.flows.answering import Outcome
    from lessons.flows.delivering import DrillRequest, Step, Summary
    from lessons.model import Drill, Exercise, Grade, Item, Preferences

SHOWN_MISSES: Final = 10
SHOWN_ALSO: Final = 6
LABEL_LIMIT: Final = 45
QUESTION_LIMIT: Final = 100
"""Characters of a field's label and of its description in a dialog."""
HEADING_LIMIT: Final = 120
"""Characters of a prompt that is shown as a heading; a longer one would fill a phone."""


def step(shown: Step) -> LayoutView:
    """Show the exercise to answer now; a hinted one with its hint."""
    exercise = shown.exercise
    if exercise is None:
        return layout(card(Tone.CALM, ["This drill has no open question any more."], *rows([_next(shown.drill)])))
    note = messages.PRACTICE_NOTE if exercise.position == 1 else ""
    texts = [*_question(shown.drill, exercise, shown.preferences), note]
    return layout(card(Tone.CALM, texts, *rows(_exercise_buttons(exercise))))


def verdict(outcome: Outcome, *, similar_open: bool = False) -> LayoutView:
    """Show what became of an answer; `similar_open` shows the past mistakes that are like it, in place."""
    if outcome.grade.verdict is Verdict.RETRY:
        return _retry(outcome)
    exercise, grade, drill = outcome.exercise, outcome.grade, outcome.drill
    item = exercise.item
    texts = [
        _header(drill, exercise.position),
        f"### {_headline(grade)}",
        _solution(item),
        *_said(outcome),
        safe(item.row.explanation, 700),
        f"*{safe(item.row.meaning, 400)}*" if item.row.meaning else "",
        _also(item, grade),
        f"-# Comes back {messages.when(outcome.due)}" if outcome.due else "",
        similar.line(outcome.recollection),
        *(similar.evidence(outcome.recollection) if similar_open else ()),
    ]
    return layout(card(_tone(grade), texts, *rows(_verdict_buttons(outcome, similar_open=similar_open))))


def summary(shown: Summary) -> LayoutView:
    """Show how a drill went, what was missed, and where to go from here."""
    drill = shown.drill
    done = drill.answered
    head = "Drill finished" if drill.state is DrillState.FINISHED else "Drill stopped"
    left = drill.total - drill.answered - drill.skipped
    texts = [
        f"### {head}",
        f"**{drill.right} of {done} right**" if done else "Nothing answered this time.",
        _tally(drill, left),
        *(_missed_line(exercise) for exercise in shown.missed[:SHOWN_MISSES]),
        f"-# and {len(shown.missed) - SHOWN_MISSES} more in `/mistakes`" if len(shown.missed) > SHOWN_MISSES else "",
        messages.PRACTICE_NOTE,
    ]
    label = "Drill the misses" if shown.missed else "Drill the skipped"
    repeatable = shown.missed or drill.skipped
    buttons = [button(label, "again", drill.id, style=ButtonStyle.primary)] if repeatable else []
    buttons += [button("New drill", "fresh", 0, 0, 0, ""), button("My mistakes", "mistakes", 0, "", "")]
    tone = Tone.RIGHT if done and drill.right == done else Tone.CALM
    return layout(card(tone, texts, *rows(buttons)))


def crossroads(unfinished: DrillUnfinished, ask: DrillRequest) -> LayoutView:
    """Offer to go on with an open drill or to give it up for the one that was asked for."""
    return either(unfinished.drill, button("New drill", "fresh", 0, unfinished.pack or 0, ask.count or 0, ask.lessons))


def either(drill: Drill, anew: Button[LayoutView]) -> LayoutView:
    """Offer to go on with an open drill, or something new that ends it."""
    sentence = (
        f"You have an unfinished drill from {messages.when(drill.started_at)}: "
        f"**{drill.answered + drill.skipped} of {drill.total}** done{_of(drill)}.\n"
        "-# Something new ends this drill; what you answered is kept."
    )
    return notice(sentence, button("Continue", "next", drill.id, style=ButtonStyle.primary), anew)


def all_done(nothing: NothingDue) -> LayoutView:
    """Say that the day's work is done and offer more for those who want it."""
    due = f" The next review is due {messages.when(nothing.next_due)}." if nothing.next_due else ""
    label = "Learn new ones anyway" if nothing.new_left else "Practise ahead"
    offered = [button(label, "fresh", 1, 0, 0, "")] if nothing.new_left or nothing.next_due else []
    return notice(
        f"All done for now: nothing is due, and today's new items are learned.{due}", *offered, tone=Tone.RIGHT
    )


def appealed(exercise: Exercise, *, in_server: bool) -> LayoutView:
    """Confirm that "I was right" was passed on."""
    who = "The moderators see it in `/queue`" if in_server else "The operator of this bot sees it"
    typed = safe(exercise.typed or "", 100)
    return notice(f"Sent on: **{typed}** for {_solution(exercise.item)}\n{who}. Until then it counts as a miss.")


def answer_modal(exercise: Exercise, action: str, field: str, limit: int) -> Modal:
    """Ask for the answer, with the question in view: on a phone the dialog hides the message behind it."""
    row = exercise.item.row
    cue = cue_and_hint(row.hint)[0]
    before, blank, after = row.prompt.partition(BLANK)
    question = clip(f"{before}{GAP if blank else ''}{after}".replace("\n", " "), QUESTION_LIMIT)
    fits = len(question) <= LABEL_LIMIT
    asked: Label[Modal] = Label(
        text=question if fits else "Your answer",
        description=(f"{cue} → ?" if cue else None) if fits else question,
        component=TextInput(custom_id=field, max_length=limit, required=True),
    )
    title = "Fill the gap" if row.kind is ItemKind.CLOZE else "Which word is it?"
    return modal(title, action, exercise.id, field=asked)


def _question(drill: Drill, exercise: Exercise, preferences: Preferences) -> list[str]:
    """All that is given with a question: sentence, reading, cue, meaning, and the hint once it was asked for."""
    row = exercise.item.row
    cue, hint = cue_and_hint(row.hint)
    return [
        _header(drill, exercise.position),
        _heading(row.prompt),
        f"-# {gapped(exercise.item.furigana, 900)}" if preferences.furigana and exercise.item.furigana else "",
        f"{safe(cue, 100)} → ?" if cue else "",
        f"*{safe(row.meaning, 400)}*" if row.meaning and row.kind is ItemKind.CLOZE else "",
        f"💡 {safe(hint, 400)}" if exercise.hinted and hint else "",
    ]


def _heading(prompt: str) -> str:
    """The question, large where it fits a phone; the turns of a dialogue ("A「…」 / B「…」") each on a line."""
    turns = gapped(prompt, 800).split("」 / ")
    lines = [f"{turn}」" for turn in turns[:-1]] + turns[-1:]
    return "\n".join(f"## {line}" if len(prompt) <= HEADING_LIMIT else f"**{line}**" for line in lines)


def _exercise_buttons(exercise: Exercise) -> list[Button[LayoutView]]:
    buttons = [button("Answer", "answer", exercise.id, style=ButtonStyle.primary)]
    if cue_and_hint(exercise.item.row.hint)[1]:
        buttons.append(button("Hint", "hint", exercise.id, disabled=exercise.hinted))
    return [*buttons, button("Skip", "skip", exercise.id), button("Stop", "stop", exercise.drill_id)]


def _verdict_buttons(outcome: Outcome, *, similar_open: bool) -> list[Button[LayoutView]]:
    drill, exercise = outcome.drill, outcome.exercise
    buttons = [_next(drill)]
    if outcome.recollection and outcome.mistake:
        label = "Hide similar" if similar_open else "Show similar"
        buttons.append(button(label, "similar", exercise.id, outcome.mistake, int(not similar_open)))
    if outcome.grade.verdict is Verdict.WRONG:
        buttons.append(button("I was right", "right", exercise.id, outcome.mistake or 0, disabled=exercise.appealed))
    if drill.state is DrillState.OPEN:
        buttons.append(button("Stop", "stop", drill.id))
    if similar_open and outcome.recollection:
        buttons += similar.dismissals(outcome.recollection, "unlike", exercise.id, outcome.mistake)
    return buttons


def _next(drill: Drill) -> Button[LayoutView]:
    label = "Next" if drill.state is DrillState.OPEN else "See how it went"
    return button(label, "next", drill.id, style=ButtonStyle.primary)


def _retry(outcome: Outcome) -> LayoutView:
    exercise = outcome.exercise
    typed = safe(exercise.typed or "", 200)
    texts = [
        *_question(outcome.drill, exercise, outcome.preferences),
        f"You typed: **{typed}**" if typed else "",
        *_remarks(outcome.grade, exercise.item),
        "-# This try did not count; the next one does.",
    ]
    return layout(card(Tone.ALMOST, texts, *rows(_exercise_buttons(exercise))))


def _header(drill: Drill, position: int) -> str:
    return f"**{safe(drill.title or 'Your drill', 80)}** · {position}/{drill.total}"


def _solution(item: Item) -> str:
    """The sentence with the answer in its place, or the word with its reading."""
    answer = safe(item.answer, 100)
    if item.row.kind is ItemKind.CLOZE:
        before, _, after = item.row.prompt.partition(BLANK)
        return f"{safe(before, 400)}**{answer}**{safe(after, 400)}"
    reading = safe(item.row.reading.replace("|", "・"), 100)
    shown = f"**{answer}**（{reading}）" if reading and reading != answer else f"**{answer}**"
    return f"{gapped(item.row.prompt, 400)} → {shown}"


def _headline(grade: Grade) -> str:
    if grade.verdict is Verdict.SKIPPED:
        return "⏭️ Skipped"
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
    if grade.verdict is Verdict.WRONG:
        lines.append(f"You wrote: **{safe(typed, 200)}**")
        if grade.diff:
            lines.append(f"-# Compared: {_diff(grade)}")
    return [*lines, *_remarks(grade, outcome.exercise.item)]


def _remarks(grade: Grade, item: Item) -> list[str]:
    matched, answer = f"**{safe(grade.matched, 100)}**", f"**{safe(item.answer, 100)}**"
    settled = grade.verdict is Verdict.WRONG
    return [remark(kind, matched=matched, answer=answer, settled=settled) for kind in grade.remarks]


def _diff(grade: Grade) -> str:
    drawn = {DiffKind.SAME: "{}", DiffKind.EXTRA: "~~{}~~", DiffKind.MISSING: "**{}**"}
    return " ".join(drawn[part.kind].format(safe(part.text, 100)) for part in grade.diff)


def _also(item: Item, grade: Grade) -> str:
    """Other answers that would have been right."""
    others = [accepted.text for accepted in item.accepted if accepted.text not in {item.answer, grade.matched}]
    if not others or Remark.OTHER_ANSWER in grade.remarks:
        return ""
    return f"-# Also right: {'、'.join(safe(other, 60) for other in others[:SHOWN_ALSO])}"


def _tally(drill: Drill, left: int) -> str:
    parts = []
    if drill.skipped:
        parts.append(f"{drill.skipped} skipped")
    if left:
        parts.append(f"{left} not reached")
    return f"-# {' · '.join(parts)}" if parts else ""


def _missed_line(exercise: Exercise) -> str:
    return f"- {_solution(exercise.item)} (you: {safe(exercise.typed or '', 60)})"


def _of(drill: Drill) -> str:
    return f" of **{safe(drill.title, 80)}**" if drill.title else ""
