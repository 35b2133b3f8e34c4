"""A language model, what is known of its judgements, and the book of what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import date, datetime

    from lessons.model import (
        Attempt,
        AttemptId,
        Booking,
        Caps,
        ItemId,
        Judgement,
        MistakeCard,
        MistakeId,
        ModelCall,
        ModelReply,
        Outcome,
        Spacing,
        Tokens,
        UsageId,
        UsageRow,
        UserId,
        Waiting,
    )


class LanguageModel(Protocol):
    """A model behind the Messages API. It retries once by itself, and stays away for a while when it keeps failing."""

    def model_of(self, call: ModelCall) -> str:
        """Name the model that a call goes to."""
        ...

    def at_most(self, call: ModelCall) -> int:
        """Return the most one request for a call can cost, in millionths of a dollar."""
        ...

    async def ask(self, call: ModelCall) -> ModelReply:
        """Return the reply. Raises ModelAway within `call.seconds` and a moment."""
        ...

    def stream(self, call: ModelCall) -> AsyncIterator[str | ModelReply]:
        """Yield the reply in pieces as they come, and last the whole of it.

        Raises ModelAway, also after pieces: then what came is all there is.
        """
        ...


class Usage(Protocol):
    """The book of model calls: reserved before, settled after, never more than the caps allow, whoever calls at once."""

    async def reserve(self, booking: Booking, caps: Caps) -> UsageId:
        """Reserve the most a call can cost, in one transaction with the sums of its UTC day.

        Raises ModelAway (BUDGET_USER, BUDGET_GUILD, BUDGET_BOT, GRADES) with the moment the day ends.
        """
        ...

    async def settle(self, usage: UsageId, outcome: Outcome, tokens: Tokens, micro_usd: int, seconds: float) -> None:
        """Book what a call really cost."""
        ...

    async def keep_reserve(self, usage: UsageId, outcome: Outcome, seconds: float) -> None:
        """Book a call at its reserve: it left, and may be billed."""
        ...

    async def void(self, usage: UsageId) -> None:
        """Take a reservation back: no request left."""
        ...

    async def settle_lost(self) -> int:
        """Book what was reserved when the process ended at its reserve; how many there were. Called once at start."""
        ...

    async def bill(self, since: date) -> list[UsageRow]:
        """Usage by day, purpose, model and server, newest day first, then the dearest."""
        ...


class Judgements(Protocol):
    """What was judged before, and what waits for a judge."""

    async def find(self, item: ItemId, folded: str, language: str) -> Judgement | None:
        """Return the judgement of this answer (folded) to this item, with feedback in this language."""
        ...

    async def keep(
        self, item: ItemId, folded: str, language: str, judgement: Judgement, *, by: UserId, at: datetime
    ) -> None:
        """Keep a judgement; it goes when the learner whose answer it was is forgotten."""
        ...

    async def waiting(self, limit: int, at: datetime) -> list[Waiting]:
        """Answers whose judge is to be asked again by now, the longest overdue first."""
        ...

    async def tried(self, attempt: AttemptId, again: datetime) -> None:
        """Count one more try; the next is due then."""
        ...

    async def decide(
        self, attempt: AttemptId, settled: Attempt, spacing: Spacing | None, card: MistakeCard | None
    ) -> MistakeId | None:
        """Turn a pending attempt into what `settled` says, in one transaction; None when it left no card.

        Its interaction and time stay as they were. Harmless for an attempt that is pending no longer: then nothing is
        written.
        """
        ...

    async def reconsider(self, attempt: AttemptId, user: UserId, language: str, at: datetime) -> Waiting | None:
        """Make a wrong attempt that rules decided (GradeSource.RULES) pending again; its card goes.

        None when it is not such an attempt of this learner: then nothing is written.
        """
        ...

    async def told(self, attempt: AttemptId, user: UserId) -> None:
        """Note that the learner was told of a decided answer, so that `news_of` does not."""
        ...

    async def news_of(self, user: UserId) -> list[Waiting]:
        """Answers of this learner that were decided since they were told so; told by this call."""
        ...
