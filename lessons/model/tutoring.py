"""Learning with a tutor: documents and profile of a learner, studies with their turns, and what was corrected."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.model.answers import ErrorType
    from lessons.model.ids import ChannelId, ChunkId, DocumentId, GuildId, PackId, StudyId, TurnId, UserId


class DocumentKind(StrEnum):
    """What a learner hands over: what they learn for, or where they come from."""

    GOAL = "goal"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Document:
    """A text about themselves that a learner handed over, kept as it is. `in_ask` links it to /ask."""

    id: DocumentId
    user: UserId
    kind: DocumentKind
    name: str
    text: str
    at: datetime
    in_ask: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: whole sentences in the order they stand; `position` counts from 0."""

    id: ChunkId
    document: DocumentId
    kind: DocumentKind
    position: int
    text: str


class Surface(StrEnum):
    """Where a learner meets the tutor."""

    ASK = "ask"
    WHY = "why"
    STUDY = "study"
    ROLEPLAY = "roleplay"
    INTERVIEW = "interview"
    COMPOSITION = "composition"
    REVIEW = "review"


class Silence(StrEnum):
    """Why no detail was recalled."""

    NONE = ""  # some were
    NO_DOCUMENTS = "no_documents"  # nothing is linked here
    BELOW = "below"  # nothing was alike enough
    NO_VECTORS = "no_vectors"  # not embedded yet
    AWAY = "away"  # the embedder failed, or was too slow
    UNCALIBRATED = "uncalibrated"  # nobody fitted a guard for this embedder


@dataclass(frozen=True, slots=True)
class RecallEvent:
    """What was looked for and found in one turn, for the operator: ids and scores, never a text.

    `scores` are (chunk, score) of the best candidates, the best first; `admitted` of them went into the prompt.
    """

    user: UserId
    at: datetime
    surface: Surface
    candidates: int
    scores: tuple[tuple[ChunkId, float], ...]
    admitted: int
    silence: Silence


class ProfileField(StrEnum):
    """The parts of a learner's profile, in the order they are shown."""

    OVERVIEW = "overview"
    TARGET = "target"
    STRENGTHS = "strengths"
    GAPS = "gaps"
    FOCUS = "focus"
    PROJECTS = "projects"
    EXPERIENCE = "experience"
    REQUIREMENTS = "requirements"


class Origin(StrEnum):
    """Who wrote a line of the profile. A learner's own line stands above any other."""

    LEARNER = "learner"
    ANALYSIS = "analysis"  # a model's, accepted by the learner
    SUMMARY = "summary"  # counted and quoted, by no model; never stored


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """One part of the profile."""

    field: ProfileField
    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Profile:
    """What the tutor always knows of a learner: a line a field at most, in the order of ProfileField."""

    lines: tuple[ProfileLine, ...] = ()


class Mode(StrEnum):
    """What a conversation in a thread is for."""

    STUDY = "study"
    ROLEPLAY = "roleplay"
    INTERVIEW = "interview"


class StudyState(StrEnum):
    """Whether a study goes on."""

    OPEN = "open"
    ENDED = "ended"


class TopicState(StrEnum):
    """Where a topic of the roadmap stands."""

    AHEAD = "ahead"
    CURRENT = "current"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of a roadmap: `first_step` is fixed when the roadmap is made, `steps` counts those that were taken.

    `target` is the kind of mistake that an exercise of it is about, None for a topic without one.
    """

    position: int
    title: str
    reason: str
    first_step: str
    target: ErrorType | None
    state: TopicState = TopicState.AHEAD
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Study:
    """A conversation in a private thread, or in direct messages; `channel` is None until there is one.

    `subject` is what it is about: a topic, a role-play's scene, an interview's position. `pack` and `lesson` hold a
    role-play to the grammar of a lesson.
    """

    id: StudyId
    user: UserId
    guild: GuildId | None
    channel: ChannelId | None
    mode: Mode
    subject: str
    persona: str
    state: StudyState
    started_at: datetime
    ended_at: datetime | None = None
    pack: PackId | None = None
    lesson: str = ""
    topics: tuple[Topic, ...] = ()
    documents: tuple[DocumentId, ...] = ()


class Speaker(StrEnum):
    """Who says something."""

    LEARNER = "learner"
    TUTOR = "tutor"


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said in a study, or a question to /ask (`study` None)."""

    id: TurnId
    study: StudyId | None
    speaker: Speaker
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing that is corrected in what a learner wrote: [start, end) in characters of the text, `wrong` stands there.

    `diagnosis` is canonical English for the card, `feedback` is for the learner.
    """

    start: int
    end: int
    wrong: str
    right: str
    error_type: ErrorType
    part_of_speech: str
    diagnosis: str
    feedback: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A text with its corrections in order, which never overlap, and a word about the whole."""

    text: str
    corrections: tuple[Correction, ...]
    comment: str = ""
