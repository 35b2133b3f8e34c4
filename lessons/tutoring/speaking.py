"""One turn of the tutor as a call: stable rules, then the learner as data, then what was said, then this very turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from lessons.model import BLANK, ModelCall, Purpose, Speaker
from lessons.prompting import GAP
from lessons.tutoring.fencing import block, one_line, visible
from lessons.tutoring.personas import DEFAULT, Persona
from lessons.tutoring.rules import system

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.model import Mistake, Surface, Turn

MESSAGE_LIMIT: Final = 1_500
"""Characters of a message."""
TURNS: Final = 30
CHARACTERS: Final = 12_000
"""The most turns of history, and the most characters of them."""
MISTAKES: Final = 5
DETAILS: Final = 4

_STRIDE: Final = 10  # turns that are forgotten at a time, so that the beginning stays the same for a while
_EXCHANGE: Final = 2
_PROFILE: Final = 1_200
_DETAIL: Final = 2_000
_SHORT: Final = 200
_GRAMMAR: Final = 2_000
_INSTRUCTION: Final = 1_500
_TOKENS: Final = 1_500
_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Miss:
    """One missed gap that is asked about: the sentence with its gap, the accepted answer, what was typed, the verdict.

    `explanation` is the lesson's or the rules', "" without one; `source` says whose.
    """

    sentence: str
    answer: str
    typed: str
    verdict: str
    explanation: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """All that one turn of the tutor hangs on.

    `profile` is the text of the one profile builder; `mistakes` are the nearest past ones, `details` what was recalled
    for this message, both often empty; `history` is oldest first and without `message`; `instruction` is what this
    turn has to do, `grammar` what a role-play is held to, `language` that of the explanations. Dates are shown as the
    moments stand, in whatever zone they are given.
    """

    surface: Surface
    message: str
    profile: str = ""
    persona: Persona = DEFAULT
    mistakes: Sequence[Mistake] = ()
    details: Sequence[str] = ()
    history: Sequence[Turn] = ()
    subject: str = ""
    topic: str = ""
    instruction: str = ""
    grammar: str = ""
    language: str = "en"
    miss: Miss | None = None


def call(asked: Asked) -> ModelCall:
    """Return the call; its first user turn carries the profile, its last one what was recalled and is to be done.

    Raises KeyError for a surface without a tutor.
    """
    reference = _reference(asked)
    history, unanswered = _history(asked.history)
    newest: dict[str, object] = {
        "past_mistakes": [remembered(mistake) for mistake in list(asked.mistakes)[:MISTAKES]],
        "learner_notes": [visible(detail, _DETAIL) for detail in list(asked.details)[:DETAILS]],
        "missed_gap": _miss(asked.miss),
        "topic_now": one_line(asked.topic, _SHORT),
        "turn_task": visible(asked.instruction, _INSTRUCTION),
        "unanswered": unanswered,
        "message": visible(asked.message, MESSAGE_LIMIT),
    }
    if not history:
        return _call(asked.surface, block(**reference, **newest), ())
    first = [(Speaker.LEARNER, block(**reference, message=history[0][1]))]
    if history[0][0] is Speaker.TUTOR:
        first = [(Speaker.LEARNER, block(**reference)), history[0]]
    told = tuple((who, text if who is Speaker.TUTOR else block(message=text)) for who, text in history[1:])
    return _call(asked.surface, block(**newest), (*first, *told))


def _call(surface: Surface, turn: str, history: tuple[tuple[Speaker, str], ...]) -> ModelCall:
    return ModelCall(Purpose.TUTOR, system(surface), turn, _TOKENS, _SECONDS, history=history)


def remembered(mistake: Mistake) -> str:
    """Say a past mistake with its date: "You wrote は for も in これ＿＿＿ください on 2026-12-28"."""
    card = mistake.card
    gapped = card.prompt.replace(BLANK, GAP)
    typed, reference, prompt = (one_line(text, _SHORT) for text in (card.typed, card.reference, gapped))
    where = f" in {prompt}" if prompt else ""
    return f"You wrote {typed} for {reference}{where} on {mistake.at:%Y-%m-%d}."


def _reference(asked: Asked) -> dict[str, object]:
    return {
        "tutor_persona": {"name": asked.persona.name, "manner": asked.persona.manner},
        "reply_language": one_line(asked.language, _SHORT),
        "learner_profile": visible(asked.profile, _PROFILE),
        "study_subject": one_line(asked.subject, _SHORT),
        "held_to_grammar": visible(asked.grammar, _GRAMMAR),
    }


def _miss(miss: Miss | None) -> dict[str, str]:
    if miss is None:
        return {}
    shown = {
        "sentence": miss.sentence,
        "answer": miss.answer,
        "typed": miss.typed,
        "verdict": miss.verdict,
        "explanation": miss.explanation,
    }
    return {name: one_line(text.replace(BLANK, GAP), MESSAGE_LIMIT) for name, text in shown.items() if text}


def _history(turns: Sequence[Turn]) -> tuple[list[tuple[Speaker, str]], list[str]]:
    """Return what was said in turns that alternate and end with the tutor's, and what nobody answered yet.

    Whole strides are forgotten at the beginning, so that consecutive turns share theirs.
    """
    said = [(turn.speaker, visible(turn.text, _limit(turn.speaker))) for turn in turns]
    begin = 0
    while len(said) - begin > TURNS or sum(len(text) for _, text in said[begin:]) > CHARACTERS:
        begin += _STRIDE if len(said) - begin > _STRIDE else _EXCHANGE
    told = [
        (who, "\n\n".join(text for _, text in several))
        for who, several in groupby(said[begin:], key=lambda each: each[0])
    ]
    if told and told[-1][0] is Speaker.LEARNER:
        return told[:-1], [told[-1][1]]
    return told, []


def _limit(speaker: Speaker) -> int:
    return MESSAGE_LIMIT if speaker is Speaker.LEARNER else CHARACTERS // 2
