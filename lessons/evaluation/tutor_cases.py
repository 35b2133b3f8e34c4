"""Fixed cases for the tutor: one learner, one message, and beforehand what a good reply does and what none may say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from lessons.model import (
    ErrorType,
    Mistake,
    MistakeCard,
    MistakeId,
    Origin,
    ProfileField,
    ProfileLine,
    Surface,
    Topic,
    Track,
    UserId,
)
from lessons.tutoring import (
    Asked,
    Event,
    Explanation,
    Miss,
    advance,
    answer,
    call,
    persona,
    study_turn,
    why,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lessons.model import ModelCall

REPEATS: Final = 3
_NOBODY: Final = UserId(0)
_ANSWER: Final = "Answer the question. "


class Arm(StrEnum):
    """Who answers: the model that knows the learner, the same one that does not, the look-up that does."""

    ON = "on"
    OFF = "off"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True)
class Direction:
    """Where a reply should lead: `step` are groups of words that the first step needs one of each of.

    `topic` are words of the topic alone, `other` of another goal.
    """

    step: tuple[tuple[str, ...], ...]
    topic: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One message of one invented learner, with what is known of them.

    `signals` are facts with their aliases; `invented` what would be made up; `forms` of an exercise with words it is
    `about`; `foreign` belongs to another learner, `metadata` to nobody's screen.
    """

    name: str
    surface: Surface
    persona: str
    subject: str
    topic: Topic
    message: str
    profile: str
    details: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    counts: Mapping[ErrorType, int]
    explanations: tuple[Explanation, ...]
    gap: str
    miss: Miss | None
    signals: Mapping[str, tuple[str, ...]]
    invented: tuple[str, ...]
    direction: Direction
    forms: tuple[str, ...]
    about: tuple[str, ...]
    foreign: tuple[str, ...]
    metadata: tuple[str, ...]

    def call(self, arm: Arm) -> ModelCall:
        """Return the call of an arm; all that differs is whether the learner is known."""
        known = arm is Arm.ON
        return call(
            Asked(
                self.surface,
                self.message,
                profile=self.profile if known else "",
                persona=persona(self.persona),
                mistakes=self.mistakes if known else (),
                details=self.details if known else (),
                subject=self.subject,
                topic=self.topic.title,
                instruction=self.instruction,
                miss=self.miss,
            )
        )

    @property
    def instruction(self) -> str:
        """What the turn has to do: the first step of the topic, in every arm."""
        _, said = advance((self.topic,), Event.OPENED)
        return said if self.surface is Surface.STUDY else f"{_ANSWER}{said}"

    def look_up(self) -> str:
        """Return what the tutor says without a model."""
        if self.miss is not None:
            return why(self.miss, self.mistakes, self.counts, self.gap)
        if self.surface is Surface.STUDY:
            topics, _ = advance((self.topic,), Event.OPENED)
            return study_turn(topics, self.mistakes, self.explanations, self.gap)
        line = ProfileLine(ProfileField.OVERVIEW, self.profile, Origin.SUMMARY)
        return answer(self.message, (line,), self.mistakes, self.counts, self.explanations, self.gap)


@dataclass(frozen=True, slots=True)
class Canned:
    """An answer with the score it must get, and the layer it must be filed under; `leaks` are what must be caught."""

    case: str
    arm: Arm
    text: str
    points: tuple[int, int, int]
    signals: tuple[str, ...]
    leaks: tuple[str, ...]
    broken: str


def shipped_cases() -> tuple[Case, ...]:
    """Return the cases that come with the program."""
    return tuple(_case(each) for each in _shipped("tutor_cases.json"))


def shipped_canned() -> tuple[Canned, ...]:
    """Return the answers with known scores that come with the program."""
    return tuple(
        Canned(
            each["case"],
            Arm(each["arm"]),
            each["text"],
            (each["points"][0], each["points"][1], each["points"][2]),
            tuple(each["signals"]),
            tuple(each["leaks"]),
            each["broken"],
        )
        for each in _shipped("tutor_canned.json")
    )


def _shipped(name: str) -> list[dict[str, Any]]:
    text = (resources.files("lessons") / "data" / "evaluation" / name).read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def _case(each: Mapping[str, Any]) -> Case:
    topic, direction, exercise = each["topic"], each["direction"], each["exercise"]
    kind = ErrorType(topic["target"])
    return Case(
        name=each["name"],
        surface=Surface(each["surface"]),
        persona=each["persona"],
        subject=each["subject"],
        topic=Topic(0, topic["title"], topic["reason"], topic["first_step"], kind),
        message=each["message"],
        profile=each["profile"],
        details=tuple(each["details"]),
        mistakes=tuple(_mistake(number, one) for number, one in enumerate(each["mistakes"], 1)),
        counts={ErrorType(name): times for name, times in each["counts"].items()},
        explanations=tuple(Explanation(**one) for one in each["explanations"]),
        gap=each["gap"],
        miss=Miss(**each["miss"], verdict="wrong", source="The lesson") if "miss" in each else None,
        signals={name: tuple(aliases) for name, aliases in each["signals"].items()},
        invented=tuple(each["invented"]),
        direction=Direction(tuple(map(tuple, direction["step"])), tuple(direction["topic"]), tuple(direction["other"])),
        forms=tuple(exercise["forms"]),
        about=tuple(exercise["about"]),
        foreign=tuple(each["foreign"]),
        metadata=tuple(each["metadata"]),
    )


def _mistake(number: int, one: Mapping[str, str]) -> Mistake:
    card = MistakeCard(Track.LESSON, one["prompt"], one["reference"], one["typed"], ErrorType(one["kind"]), "", "")
    return Mistake(MistakeId(number), _NOBODY, None, card, datetime.fromisoformat(one["date"]).replace(tzinfo=UTC))
