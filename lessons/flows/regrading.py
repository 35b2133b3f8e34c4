"""Answers that waited for a judge get their verdict, each once, and count from then on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from lessons import cards, judging, spacing
from lessons.flows.judging import Question
from lessons.model import Attempt, InteractionId, Payer, Purpose, Track, Verdict

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.judging import Judging
    from lessons.model import AttemptId, Grade, MistakeId, UserId, Waiting
    from lessons.ports import Drills, Judgements, Tokenizer

AT_ONCE: Final = 16
"""Answers asked about in one round."""
IN_VAIN: Final = 3
"""Answers a round may ask about in vain: if these meet no judge, the others would not either."""
PATIENCE: Final = timedelta(days=7)
"""How long an answer waits; after that it is wrong, unjudged, and leaves no card."""


@dataclass(frozen=True, slots=True)
class Regrading:
    """Asks again about what is pending."""

    judging: Judging
    judgements: Judgements
    drills: Drills
    tokenizer: Tokenizer

    async def regrade(self, at: datetime, limit: int = AT_ONCE) -> int:
        """Decide what can be decided, the longest waiting first; how many were."""
        decided = in_vain = 0
        for waiting in await self.judgements.waiting(limit):
            grade = await self._graded(waiting, at)
            if grade.verdict is Verdict.PENDING:
                await self.judgements.tried(waiting.attempt)
                in_vain += 1
                if in_vain == IN_VAIN:
                    break
                continue
            await self._decide(waiting, grade, at)
            decided += 1
        return decided

    async def reconsider(
        self, attempt: AttemptId, user: UserId, language: str, at: datetime
    ) -> tuple[Grade, MistakeId | None] | None:
        """Ask the judge about an answer that rules called wrong; None when it is not such an answer.

        Returns what it says and the card of that, if it left one. PENDING when the judge is away: then the answer waits,
        and is decided later.
        """
        waiting = await self.judgements.reconsider(attempt, user, language, at)
        if waiting is None:
            return None
        grade = await self._graded(waiting, at)
        if grade.verdict is Verdict.PENDING:
            return grade, None
        mistake = await self._decide(waiting, grade, at)
        await self.judgements.told(attempt)
        return grade, mistake

    async def _graded(self, waiting: Waiting, at: datetime) -> Grade:
        by_string = replace(waiting.grade, verdict=Verdict.WRONG)
        if at - waiting.at > PATIENCE:
            return judging.unjudged(by_string)
        typed = (await self.tokenizer.analyse([waiting.typed]))[0]
        payer, item = Payer(waiting.user, waiting.guild), waiting.exercise.item
        question = Question(item, typed, waiting.user, payer, waiting.language, at, Purpose.REGRADE)
        return await self.judging.decide(question, by_string)

    async def _decide(self, waiting: Waiting, grade: Grade, at: datetime) -> MistakeId | None:
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
        return await self.judgements.decide(waiting.attempt, settled, after, card)
