"""Studies on screen: the card before one begins, the roadmap, what can be done under the tutor's words, and the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ButtonStyle, SelectOption, TextStyle
from discord.ui import Label, Modal, TextInput

from cogs import messages
from cogs.messages import counted
from cogs.ui.escape import plain, safe
from cogs.ui.layouts import Tone, card, layout, notice, rows
from cogs.ui.presses import PREFIX, button, custom_id, modal
from lessons import tutoring
from lessons.model import Mode, TopicState
from lessons.tutoring.speaking import MESSAGE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from discord.ui import Button, LayoutView

    from lessons.flows.studying import Closing
    from lessons.model import Document, Study
    from lessons.tutoring import Report

TEXT: Final = "text"
SUBJECT_LIMIT: Final = 80
"""Characters of what a study is about: as many as a custom id can carry."""
LESSON_LIMIT: Final = 60
WHO, PAPERS, BEGIN = "study_who", "study_papers", "study_begin"
SHOWN: Final = 10

MODES: Final = {Mode.STUDY: "Study", Mode.ROLEPLAY: "Role-play", Mode.INTERVIEW: "Interview"}
_MARKS: Final = {TopicState.DONE: "✅", TopicState.CURRENT: "▶️", TopicState.AHEAD: "▫️"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A study before it begins. The card that shows it is all that holds it, so it outlives a restart of the bot."""

    mode: Mode
    subject: str
    persona: str
    pack: int = 0
    lesson: str = ""
    documents: tuple[int, ...] = ()


def draft_of(message: discord.Message | None) -> Draft | None:
    """Read a draft off its card; None for a message that is no such card."""
    found = dict(_held(message.components if message else ()))
    try:
        mode, pack, lesson = found[BEGIN][0].split(":", 2)
        subject, personas = found[WHO]
        documents = found.get(PAPERS, ("", ()))[1]
        return Draft(Mode(mode), subject, (*personas, "")[0], int(pack), lesson, tuple(map(int, documents)))
    except (KeyError, ValueError):
        return None


def _held(components: Sequence[Any]) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    """Find what components hold: (action, (arguments, values that are chosen))."""
    for component in components:
        prefix, _, rest = (getattr(component, "custom_id", None) or "").partition(":")
        action, _, arguments = rest.partition(":")
        if prefix == PREFIX:
            options = getattr(component, "options", ())
            yield action, (arguments, tuple(option.value for option in options if option.default))
        yield from _held(getattr(component, "children", ()))


def setup(draft: Draft, documents: Sequence[Document], *, in_server: bool, ends: bool = False) -> LayoutView:
    """Ask with whom, and into which documents the tutor may look; nothing is linked unless the learner links it.

    `ends` says that a study is open in this very place, which this one would end.
    """
    where = "in a private thread of this channel" if in_server else "right here"
    persona = tutoring.persona(draft.persona)
    texts = [
        f"### {MODES[draft.mode]}: {safe(draft.subject, SUBJECT_LIMIT)}",
        f"With **{persona.name}**, {where}. {persona.about}",
        "Link the documents that your tutor may look into; none is linked by itself."
        if documents
        else "-# `/profile goal` and `/profile background` take documents that a tutor may look into.",
        "-# The study that is open here ends when this one starts." if ends else "",
    ]
    selects: list[discord.ui.ActionRow[LayoutView]] = [discord.ui.ActionRow(_personas(draft))]
    if documents:
        selects.append(discord.ui.ActionRow(_papers(draft, documents)))
    start = button("Start", BEGIN, draft.mode, draft.pack, draft.lesson, style=ButtonStyle.success)
    return layout(card(Tone.CALM, texts, *selects, *rows([start])))


def _personas(draft: Draft) -> discord.ui.Select[LayoutView]:
    chosen = tutoring.persona(draft.persona).key
    options = [
        SelectOption(label=each.name, value=each.key, description=plain(each.about, 100), default=each.key == chosen)
        for each in tutoring.PERSONAS.values()
    ]
    return discord.ui.Select(custom_id=custom_id(WHO, draft.subject), placeholder="Your tutor", options=options)


def _papers(draft: Draft, documents: Sequence[Document]) -> discord.ui.Select[LayoutView]:
    options = [
        SelectOption(
            label=plain(each.name, 100) or "document",
            value=str(each.id),
            description=each.kind.value.capitalize(),
            default=each.id in draft.documents,
        )
        for each in documents[:25]
    ]
    return discord.ui.Select(
        custom_id=custom_id(PAPERS),
        placeholder="Documents to link (none)",
        options=options,
        min_values=0,
        max_values=len(options),
    )


def no_room(sentence: str, draft: Draft) -> LayoutView:
    """Say why there is no thread here, and offer direct messages instead; the card goes on holding the draft."""
    here = button("Start in direct messages", "study_direct", style=ButtonStyle.primary)
    again = button("Try again here", BEGIN, draft.mode, draft.pack, draft.lesson)
    held = _personas(draft)
    links = [
        SelectOption(label=f"Linked document {number}", value=str(number), default=True) for number in draft.documents
    ]
    selects: list[discord.ui.ActionRow[LayoutView]] = [discord.ui.ActionRow(held)]
    if links:
        papers: discord.ui.Select[LayoutView] = discord.ui.Select(
            custom_id=custom_id(PAPERS), options=links, min_values=0, max_values=len(links), disabled=True
        )
        selects.append(discord.ui.ActionRow(papers))
    return layout(card(Tone.ALMOST, [sentence], *selects, *rows([here, again])))


def preparing(draft: Draft) -> LayoutView:
    """Say that a study is being prepared."""
    return notice(f"{MODES[draft.mode]}: **{safe(draft.subject, SUBJECT_LIMIT)}** is being prepared …")


def begun(study: Study, channel: int, *, direct: bool) -> LayoutView:
    """Say where a study takes place."""
    where = "in our direct messages" if direct else f"in <#{channel}>, which only you and moderators can see"
    return notice(f"**{safe(study.subject, SUBJECT_LIMIT)}** begins {where}.", tone=Tone.RIGHT)


def roadmap(study: Study) -> LayoutView:
    """Show the topics with where each of them stands."""
    lines = [
        f"{_MARKS[topic.state]} **{safe(topic.title, 120)}**\n-# {safe(topic.reason, 200)}"
        for topic in study.topics[:SHOWN]
    ]
    texts = [
        f"### {MODES[study.mode]}: {safe(study.subject, SUBJECT_LIMIT)}",
        f"With **{tutoring.persona(study.persona).name}**"
        + (f" · {counted(len(study.documents), 'linked document')}" if study.documents else ""),
        "\n".join(lines),
    ]
    return layout(card(Tone.CALM, texts))


def turn_buttons(study: Study) -> list[Button[LayoutView]]:
    """What can be done under the tutor's newest words."""
    buttons = [button("Reply", "study_reply", study.id, style=ButtonStyle.primary)]
    if study.mode is Mode.STUDY:
        buttons += [
            button("Exercise", "study_exercise", study.id),
            button("Next topic", "study_next", study.id),
            button("Roadmap", "study_map", study.id),
        ]
    return [*buttons, button("End", "study_end", study.id, style=ButtonStyle.danger)]


def reply_form(study: Study) -> Modal:
    """Ask for what the learner says."""
    asked: Label[Modal] = Label(
        text="What do you say?",
        component=TextInput(custom_id=TEXT, style=TextStyle.paragraph, max_length=MESSAGE_LIMIT, required=True),
    )
    return modal(plain(study.subject, 45) or "Reply", "study_said", study.id, fields=[asked])


def said(text: str) -> LayoutView:
    """Show what the learner said by the form, so that a thread can be read from top to bottom."""
    return layout(card(Tone.RIGHT, [f"-# You\n{safe(text, MESSAGE_LIMIT, one_line=False)}"]))


def listing(studies: Sequence[Study]) -> LayoutView:
    """List open studies, with where each takes place and a way to end it."""
    if not studies:
        return notice("No study is open. `/study start`, `/roleplay` and `/interview` begin one.")
    lines = [f"{number}. {_line(study)}" for number, study in enumerate(studies[:SHOWN], 1)]
    more = f"-# and {len(studies) - SHOWN} more" if len(studies) > SHOWN else ""
    buttons = [button(f"End {number}", "study_end", study.id) for number, study in enumerate(studies[:SHOWN], 1)]
    return layout(card(Tone.CALM, ["### Open studies", "\n".join(lines), more], *rows(buttons)))


def _line(study: Study) -> str:
    where = "direct messages" if study.guild is None else f"<#{study.channel}>" if study.channel else "nowhere yet"
    since = messages.when(study.started_at)
    return f"{MODES[study.mode]}: **{safe(study.subject, SUBJECT_LIMIT)}** · {where} · begun {since}"


def closing(end: Closing) -> LayoutView:
    """Show what a study came to."""
    study = end.study
    kept = f"**{counted(len(end.kept), 'mistake')}** kept; `/mistakes` shows them." if end.kept else ""
    texts = [
        f"### Ended: {safe(study.subject, SUBJECT_LIMIT)}",
        *(_report(end.report) if end.report else ()),
        safe(end.counted, 900, one_line=False) if end.report is None else "",
        kept,
    ]
    return layout(card(Tone.RIGHT, texts, *rows([button("My mistakes", "mistakes", 0, "", "")])))


def _report(report: Report) -> Iterator[str]:
    parts = {"What went well": report.strengths, "To work on": report.points, "Next steps": report.next_steps}
    for name, lines in parts.items():
        yield f"**{name}**\n" + "\n".join(f"- {safe(line, 240)}" for line in lines) if lines else ""
    samples = [f"{safe(question, 160)}\n> {safe(answer, 300)}" for question, answer in report.samples]
    yield "**Your answers, improved**\n" + "\n".join(samples) if samples else ""
    yield "-# Counted, by no language model" if report.counted else "-# A language model wrote this; it can be wrong"
