"""A race on screen: its questions one by one, their answers, and how it ended."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle

from cogs import messages
from cogs.render.drills import given, solution
from cogs.render.shared import answered, people
from cogs.ui.escape import safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.letters import Letter
from cogs.ui.presses import button
from lessons.model import Ending, Phase

if TYPE_CHECKING:
    from discord.ui import Button, LayoutView

    from lessons.flows.racing import Finish, Question
    from lessons.model import Drill, Shared, Tally

SHOWN_SCORES: Final = 10
MEDALS: Final = ("🥇", "🥈", "🥉")

_ENDED: Final = {
    Ending.FINISHED: "🏁 The race is over",
    Ending.UNANSWERED: "🏁 The race ended, as nobody answered any more",
    Ending.STOPPED: "🏁 The race was stopped",
    Ending.LOST: "🏁 The race was broken off",
}


def question(shown: Question) -> Letter:
    """Show a question while it is asked, or with its answer once it closed."""
    shared = shown.shared
    if shared.ending is None and shared.phase is not Phase.CLOSED:
        return Letter(layout(card(Tone.CALM, _asked(shown), *rows(_buttons(shared)))))
    right = shown.tally.right
    texts = [
        _header(shared),
        solution(shown.item),
        f"*{safe(shown.item.row.meaning, 400)}*" if shown.item.row.meaning else "",
        safe(shown.item.row.explanation, 700),
        _result(shown.tally),
    ]
    return Letter(layout(card(Tone.RIGHT if right else Tone.CALM, texts)))


def finish(shown: Finish) -> Letter:
    """Show how a race ended, and where to go from here."""
    shared, scores = shown.shared, shown.scores
    ending = shared.ending or Ending.STOPPED
    others = scores.others + max(0, len(scores.named) - SHOWN_SCORES)
    lines = [
        f"{MEDALS[place] if place < len(MEDALS) else '▫️'} <@{user}> · {points} right"
        for place, (user, points) in enumerate(scores.named[:SHOWN_SCORES])
    ]
    if others:
        lines.append(f"{'and ' if lines else ''}{messages.counted(others, 'other')}" if lines else _unnamed(others))
    hardest = f"Most missed ({scores.missed}): {solution(shown.hardest)}" if shown.hardest else ""
    texts = [
        f"### {_ENDED[ending]}",
        f"**{safe(shared.new.title, 80)}**" if shared.new.title else "",
        "\n".join(lines) or "Nobody answered this time.",
        hardest,
        "-# Everybody's own answers are kept in their progress; only they see them." if lines else "",
    ]
    buttons = [
        button("Drill my misses", "race_misses", shared.id, 0, style=ButtonStyle.primary),
        button("Race again", "race_again", shared.id),
    ]
    return Letter(layout(card(Tone.CALM, texts, *rows(buttons if scores.named or others else buttons[1:]))))


def begun(shared: Shared, *, deaf: bool) -> LayoutView:
    """Tell the person who began a race how it works; `deaf`: typed answers were asked for and cannot be read."""
    time = (
        f"{shared.new.seconds} seconds each, two for the others once somebody is right"
        if shared.new.seconds
        else "no time limit"
    )
    about = f"The race is on: **{messages.counted(shared.total, 'question')}**, {time}. Everybody here can press **Answer**; what they type stays private."
    note = (
        "\n-# The operator of this bot has not let me read messages, so answers are given by the button."
        if deaf
        else ""
    )
    return notice(about + note)


def either(drill: Drill, race: int) -> LayoutView:
    """Offer to go on with an open drill, or to give it up for what was missed in a race."""
    done = drill.answered + drill.skipped
    return notice(
        f"You have an unfinished drill: **{done} of {drill.total}** done.\n-# Something new ends it; what you answered is kept.",
        button("Continue", "next", drill.id, style=ButtonStyle.primary),
        button("Drill my misses", "race_misses", race, 1),
    )


def _unnamed(number: int) -> str:
    who = "One person" if number == 1 else f"{number:,} people"
    return f"{who} took part."


def _result(of: Tally) -> str:
    """Say how a question went that is closed."""
    if not of.answered:
        return "Nobody answered this one."
    who = (
        f"✅ {people(of.named, of.right)}{'' if of.named else ' had it right'}"
        if of.right
        else "Nobody had it this time."
    )
    return f"{who}\n-# Answered {of.answered} · right {of.right}"


def _asked(shown: Question) -> list[str]:
    shared = shown.shared
    closing = ""
    if shared.new.seconds is not None:
        closing = f"-# The time is up {messages.when(shared.phase_at + timedelta(seconds=shared.new.seconds))}"
    if shared.new.typed:
        closing += f"{' · ' if closing else '-# '}press **Answer**, or just type it here"
    return [
        _header(shared),
        *given(shown.item, furigana=True),
        *(f"💡 {safe(hint, 400)}" for hint in shown.hints),
        "\n".join(filter(None, [answered(shown.tally), closing])),
    ]


def _header(shared: Shared) -> str:
    return f"🏁 **{safe(shared.new.title, 80) or 'Race'}** · {shared.position}/{shared.total}"


def _buttons(shared: Shared) -> list[Button[LayoutView]]:
    buttons = [button("Answer", "shared_answer", shared.id, shared.position, style=ButtonStyle.primary)]
    if shared.new.seconds is None:
        buttons.append(button("Next", "race_next", shared.id, shared.position))
    return [*buttons, button("Stop", "race_stop", shared.id)]
