"""A drill on screen: the exercise, the summary, and the crossroads before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ButtonStyle
from discord.ui import Label, Modal, TextInput

from cogs import messages
from cogs.render import streaks
from cogs.render.clippings import attribution
from cogs.render.prompts import GAP, gapped
from cogs.ui.escape import clip, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import button, modal
from lessons.model import BLANK, DrillState, ItemKind, Track
from lessons.wording import cue_and_hint

if TYPE_CHECKING:
    from datetime import datetime

    from discord.ui import Button, LayoutView

    from lessons.errors import DrillUnfinished, NothingDue
    from lessons.flows.delivering import DrillRequest, Step, Summary
    from lessons.model import Drill, Exercise, Item, Preferences

SHOWN_MISSES: Final = 10
LABEL_LIMIT: Final = 45
QUESTION_LIMIT: Final = 100
"""Characters of a field's label and of its description in a dialog."""
HEADING_LIMIT: Final = 120
"""Characters of a prompt that is shown as a heading; a longer one would fill a phone."""


def step(shown: Step) -> LayoutView:
    """Show the exercise to answer now; a hinted one with its hint."""
    exercise = shown.exercise
    if exercise is None:
        return layout(card(Tone.CALM, ["This drill has no open question any more."], *rows([onward(shown.drill)])))
    note = messages.PRACTICE_NOTE if exercise.position == 1 and shown.drill.track is Track.LESSON else ""
    texts = [*question(shown.drill, exercise, shown.preferences), note]
    return layout(card(Tone.CALM, texts, *rows(exercise_buttons(exercise))))


def summary(shown: Summary) -> LayoutView:
    """Show how a drill went, what was missed, and where to go from here."""
    drill = shown.drill
    done = drill.answered - drill.waiting
    head = "Drill finished" if drill.state is DrillState.FINISHED else "Drill stopped"
    left = drill.total - drill.answered - drill.skipped
    texts = [
        f"### {head}",
        _score(drill),
        _tally(drill, left),
        *(_missed_line(exercise) for exercise in shown.missed[:SHOWN_MISSES]),
        f"-# and {len(shown.missed) - SHOWN_MISSES} more in `/mistakes`" if len(shown.missed) > SHOWN_MISSES else "",
        streaks.today(shown.streak),
        messages.PRACTICE_NOTE if drill.track is Track.LESSON else "",
    ]
    label = "Drill the misses" if shown.missed else "Drill the skipped"
    repeatable = shown.missed or drill.skipped
    buttons = [button(label, "again", drill.id, style=ButtonStyle.primary)] if repeatable else []
    news = drill.track is Track.EXERCISE
    anew = button("More news", "fresh_news", 0, 0) if news else button("New drill", "fresh", 0, 0, 0, "")
    buttons += [anew, button("My mistakes", "mistakes", 0, "", "")]
    tone = Tone.RIGHT if done and drill.right == done and not drill.waiting else Tone.CALM
    return layout(card(tone, texts, *rows(buttons)))


def crossroads(unfinished: DrillUnfinished, ask: DrillRequest, now: datetime) -> LayoutView:
    """Offer to go on with an open drill or to give it up for the one that was asked for."""
    anew = button("New drill", "fresh", 0, unfinished.pack or 0, ask.count or 0, ask.lessons)
    return either(unfinished.drill, anew, now)


def either(drill: Drill, anew: Button[LayoutView], now: datetime) -> LayoutView:
    """Offer to go on with an open drill, or something new that ends it."""
    sentence = (
        f"You have an unfinished drill from {messages.past(drill.started_at, now)}: "
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
    return modal(title, action, exercise.id, fields=[asked])


def question(drill: Drill, exercise: Exercise, preferences: Preferences) -> list[str]:
    """All that is given with a question: sentence, reading, cue, meaning, and the hint once it was asked for."""
    row = exercise.item.row
    cue, hint = cue_and_hint(row.hint)
    return [
        header(drill, exercise),
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


def exercise_buttons(exercise: Exercise) -> list[Button[LayoutView]]:
    """What can be done with an open exercise."""
    buttons = [button("Answer", "answer", exercise.id, style=ButtonStyle.primary)]
    if cue_and_hint(exercise.item.row.hint)[1]:
        buttons.append(button("Hint", "hint", exercise.id, disabled=exercise.hinted))
    return [*buttons, button("Skip", "skip", exercise.id), button("Stop", "stop", exercise.drill_id)]


def onward(drill: Drill) -> Button[LayoutView]:
    """The way on: the next question, or the summary."""
    label = "Next" if drill.state is DrillState.OPEN else "See how it went"
    return button(label, "next", drill.id, style=ButtonStyle.primary)


def header(drill: Drill, exercise: Exercise) -> str:
    """How far the drill is, and where a generated exercise comes from."""
    clipping = exercise.item.clipping
    named = "" if clipping and drill.title == clipping.title else drill.title
    named = named or ("News" if drill.track is Track.EXERCISE else "Your drill")
    lines = (f"**{safe(named, 80)}** · {exercise.position}/{drill.total}", attribution(clipping))
    return "\n".join(filter(None, lines))


def solution(item: Item) -> str:
    """The sentence with the answer in its place, or the word with its reading."""
    answer = safe(item.answer, 100)
    if item.row.kind is ItemKind.CLOZE:
        before, _, after = item.row.prompt.partition(BLANK)
        return f"{safe(before, 400)}**{answer}**{safe(after, 400)}"
    reading = safe(item.row.reading.replace("|", "・"), 100)
    shown = f"**{answer}**（{reading}）" if reading and reading != answer else f"**{answer}**"
    return f"{gapped(item.row.prompt, 400)} → {shown}"


def _score(drill: Drill) -> str:
    """How many were right of those that are decided, and how many are not."""
    decided = drill.answered - drill.waiting
    lines = [f"**{drill.right} of {decided} right**" if decided else ""]
    if drill.waiting:
        wait = "One answer waits" if drill.waiting == 1 else f"{drill.waiting} answers wait"
        lines.append(f"⏳ {wait} for the judge; `/news` tells you what came of it.")
    return "\n".join(filter(None, lines)) or "Nothing answered this time."


def _tally(drill: Drill, left: int) -> str:
    parts = []
    if drill.skipped:
        parts.append(f"{drill.skipped} skipped")
    if left:
        parts.append(f"{left} not reached")
    return f"-# {' · '.join(parts)}" if parts else ""


def _missed_line(exercise: Exercise) -> str:
    return f"- {solution(exercise.item)} (you: {safe(exercise.typed or '', 60)})"


def _of(drill: Drill) -> str:
    return f" of **{safe(drill.title, 80)}**" if drill.title else ""
