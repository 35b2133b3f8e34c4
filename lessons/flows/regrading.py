"""Answers that waited for a judge get their verdict, each once, and count from then on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons import cards, spacing
from lessons.errors import Forgotten, ModelAway
from lessons.flows.judging import Question
from lessons.model import Attempt, Away, InteractionId, Payer, Purpose, Track, Verdict

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.judging import Judging
    from lessons.model import AttemptId, Grade, MistakeId, UserId, Waiting
    from lessons.ports import Drills, Judgements, Tokenizer

AT_ONCE: Final = 16
"""Answers asked about in one round."""
IN_VAIN: Final = 3
"""Answers a round may ask about in vain: if these meet no judge, the others would not either."""
SOON: Final = timedelta(seconds=30)
"""When a judge is asked again after the first try in vain; the pause is four times as long after each further one."""
LATEST: Final = timedelta(minutes=30)
SPOILT: Final = 3
"""Tries after which an answer that only ever got replies of no use is given up: each of them costs."""
PATIENCE: Final = timedelta(days=7)
"""How long an answer waits at all."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a pending answer: its grade, the card it left, and when its item comes back."""

    grade: Grade
    mistake: MistakeId | None = None
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class Regrading:
    """Asks again about what is pending."""

    judging: Judging
    judgements: Judgements
    drills: Drills
    tokenizer: Tokenizer

    async def regrade(self, at: datetime, limit: int = AT_ONCE) -> int:
        """Decide what can be decided, the longest overdue first; how many were."""
        decided = in_vain = 0
        for waiting in await self.judgements.waiting(limit, at):
            if await self._asked(waiting, at):
                decided += 1
            else:
                in_vain += 1
            if in_vain == IN_VAIN:
                return decided
        return decided

    async def reconsider(self, attempt: AttemptId, user: UserId, language: str, at: datetime) -> Decided | None:
        """Ask the judge about an answer that rules called wrong; None when it is not such an answer.

        PENDING when the judge is away: then the answer waits, and is decided later.
        """
        waiting = await self.judgements.reconsider(attempt, user, language, at)
        if waiting is None:
            return None
        decided = await self._asked(waiting, at)
        if decided is not None:
            await self.judgements.told(attempt, user)
        return decided or Decided(replace(waiting.grade, verdict=Verdict.PENDING))

    async def settle(self, waiting: Waiting, grade: Grade, at: datetime) -> Decided:
        """Give a pending answer its verdict, with spacing and card; harmless for one that has it.

        A verdict that is still PENDING leaves it waiting.
        """
        if grade.verdict is Verdict.PENDING:
            return Decided(grade)
        exercise = waiting.exercise
        rating = spacing.rating_of(grade.verdict, hinted=exercise.hinted)
        before = await self.drills.spacing(waiting.user, exercise.item.id)
        after = spacing.review(before, rating, at) if rating else None
        settled = Attempt(
            user=waiting.user,
            exercise=exercise.id,
            interaction=InteractionId(0),
            typed=waiting.typed,
            grade=grade,
            hinted=exercise.hinted,
            at=at,
            rating=rating,
        )
        card = cards.mistake_card(exercise.item, waiting.typed, grade, Track.EXERCISE)
        mistake = await self.judgements.decide(waiting.attempt, settled, after, card)
        return Decided(grade, mistake, after.due if after else None)

    async def _asked(self, waiting: Waiting, at: datetime) -> Decided | None:
        """Ask the judge about an answer; None when in vain: it is put off, or given up when it waited or cost too much."""
        question, by_string = await self._question(waiting, at), replace(waiting.grade, verdict=Verdict.WRONG)
        try:
            grade = await self.judging.hear(question, by_string)
        except ModelAway as away:
            if not _is_hopeless(waiting, away, at):
                await self.judgements.tried(waiting.attempt, _again(waiting, away, at))
                return None
            grade = self.judging.for_good(question, by_string)
        except Forgotten:  # the answer is gone with whoever gave it
            return None
        return await self.settle(waiting, grade, at)

    async def _question(self, waiting: Waiting, at: datetime) -> Question:
        typed = (await self.tokenizer.analyse([waiting.typed]))[0]
        payer, item = Payer(waiting.user, waiting.guild), waiting.exercise.item
        return Question(item, typed, waiting.user, payer, waiting.language, at, Purpose.REGRADE)


def _is_hopeless(waiting: Waiting, away: ModelAway, at: datetime) -> bool:
    spoilt = away.why is Away.NONSENSE and waiting.tries + 1 >= SPOILT
    return spoilt or away.why is Away.REFUSED or at - waiting.at > PATIENCE


def _again(waiting: Waiting, away: ModelAway, at: datetime) -> datetime:
    """Return when to ask again: later each time, and not before the judge said it would be back."""
    pause = min(LATEST, SOON * (1 << 2 * min(waiting.tries, 5)))
    return max(at + pause, away.until or at)
