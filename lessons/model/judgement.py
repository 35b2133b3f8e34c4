"""What a language model is asked and what it says: calls and replies, judgements of answers, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from lessons.model.answers import ErrorType
    from lessons.model.ids import GuildId, UserId
    from lessons.model.tutoring import Speaker


class Opinion(StrEnum):
    """A judge's verdict: as good as the reference, possible though not the reference, or wrong."""

    CORRECT = "correct"
    ACCEPTABLE = "acceptable"
    INCORRECT = "incorrect"


class Confidence(StrEnum):
    """How sure the judge says it is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said about one answer.

    `diagnosis` is one short English sentence that names category and rule, free of the learner's text: cards are
    compared by it. `feedback` is for the learner, in their language. `error_type` is None when the answer is not
    incorrect, and for text that is no answer (`attempt` False). `asked_for` is False where the judge called an answer
    right and code turned it down, because the hint beside the sentence asks for another one.
    """

    opinion: Opinion
    error_type: ErrorType | None
    part_of_speech: str
    diagnosis: str
    feedback: str
    confidence: Confidence
    attempt: bool = True
    asked_for: bool = True


class Purpose(StrEnum):
    """What a model is called for; every call is booked under one."""

    GRADE = "grade"
    REGRADE = "regrade"
    ALTERNATIVES = "alternatives"
    TUTOR = "tutor"
    ANALYSIS = "analysis"
    ROADMAP = "roadmap"
    COMPOSITION = "composition"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One question to a language model.

    `system` is the same byte for byte in a whole release, so that it can be cached; everything that varies, all of
    it untrusted, stands in `turn` and in `history`, which is what was said before, the learner first. `schema` is the
    JSON schema of the reply, None for free text. `seconds` is how long anybody waits, `max_tokens` how long the reply
    may be.
    """

    purpose: Purpose
    system: str
    turn: str
    max_tokens: int
    seconds: float
    schema: Mapping[str, object] | None = None
    history: tuple[tuple[Speaker, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a call used, in tokens; `input` leaves out what was written to or read from the cache."""

    input: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    cache_read: int = 0
    output: int = 0


class Stop(StrEnum):
    """How a reply ended."""

    END = "end"
    CUT = "cut"  # at max_tokens
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model said: `text` of all its text blocks, `micro_usd` what it cost, `seconds` what it took."""

    text: str
    stop: Stop
    model: str
    tokens: Tokens
    micro_usd: int
    seconds: float
    request_id: str = ""


class Away(StrEnum):
    """Why there is no reply from a model."""

    NO_MODEL = "no_model"  # none is set up, or it is switched off
    KEY = "key"  # the provider refuses the key, the model's name or the account: off until the settings change
    SPENT = "spent"  # the provider's own spending limit
    LIMITED = "limited"  # 429
    DOWN = "down"  # unreachable, 5xx, overloaded, or the breaker is open
    SLOW = "slow"  # no reply in time
    BUSY = "busy"  # too many others wait
    BUDGET_USER = "budget_user"
    BUDGET_GUILD = "budget_guild"
    BUDGET_BOT = "budget_bot"
    GRADES = "grades"  # the learner's number of model grades a day
    TURNS = "turns"  # the learner's number of turns with the tutor a day
    REFUSED = "refused"  # the model declines this very text: never asked again
    NONSENSE = "nonsense"  # a reply that follows no schema, twice


@dataclass(frozen=True, slots=True)
class Caps:
    """The day's limits, in UTC days: millionths of a dollar for one person, one server and all, model grades, tutor turns."""

    user_micro_usd: int = 500_000
    guild_micro_usd: int = 2_000_000
    bot_micro_usd: int = 10_000_000
    grades: int = 200
    turns: int = 40


@dataclass(frozen=True, slots=True)
class Payer:
    """On whose account a call goes; `user` is None for the bot's own work, `guild` for a direct message."""

    user: UserId | None
    guild: GuildId | None


@dataclass(frozen=True, slots=True)
class Booking:
    """A call about to be made, reserved at the most it can cost."""

    payer: Payer
    purpose: Purpose
    model: str
    micro_usd: int
    at: datetime


class Outcome(StrEnum):
    """How a booked call ended."""

    DONE = "done"
    CUT = "cut"
    REFUSED = "refused"
    TIMEOUT = "timeout"
    ERROR = "error"
    LOST = "lost"  # the process ended meanwhile; booked at its reserve, since it may be billed


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One line of the bill: what a purpose used of a model on a day, at one place (0: direct messages)."""

    day: date
    purpose: Purpose
    model: str
    guild_id: GuildId
    calls: int
    failed: int
    tokens: Tokens
    micro_usd: int
    seconds: float  # of all calls together


class GradeSource(StrEnum):
    """Who decided a verdict."""

    STRING = "string"
    CACHE = "cache"
    JUDGE = "judge"
    RULES = "rules"  # the judge was away: string match and the rules' explanation
