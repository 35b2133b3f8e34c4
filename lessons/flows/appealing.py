"""From "I was right" to a decision: the learner asks, a moderator answers, the pack learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons.errors import Gone, PressLeadsNowhere
from lessons.model import Accepted, GradeSource
from lessons.text import fold

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.regrading import Regrading
    from lessons.model import Appeal, AppealId, Exercise, ExerciseId, Grade, GuildId, MistakeId, UserId
    from lessons.ports import Appeals, Drills, Tokenizer


@dataclass(frozen=True, slots=True)
class Filed:
    """Where "I was right" went: to the judge with what it says (PENDING while it is away), or to people (None).

    `mistake` is the card that the judge's word left.
    """

    exercise: Exercise
    judged: Grade | None = None
    mistake: MistakeId | None = None


@dataclass(frozen=True, slots=True)
class Appealing:
    """Files and decides appeals. A lesson answer is never overturned by anybody but a person."""

    appeals: Appeals
    drills: Drills
    tokenizer: Tokenizer
    regrading: Regrading

    async def file(self, exercise: ExerciseId, user: UserId, language: str, at: datetime) -> Filed:
        """Send a wrong answer on: to the judge where rules decided and there is one now, else to the moderators.

        `language` is that of the judge's feedback. Raises PressLeadsNowhere, also for a second press.
        """
        found = await self.drills.exercise(exercise, user)
        if found is None or found.attempt_id is None or found.typed is None:
            owner = await self.drills.owner(exercise)
            raise PressLeadsNowhere(Gone.FOREIGN if owner not in {None, user} else Gone.UNKNOWN)
        by_rules = found.grade is not None and found.grade.source is GradeSource.RULES
        if by_rules and self.regrading.judging.consulting.is_there:
            reconsidered = await self.regrading.reconsider(found.attempt_id, user, language, at)
            if reconsidered is not None:
                return Filed(found, reconsidered.grade, reconsidered.mistake)
        if not await self.appeals.open_appeal(found.attempt_id, user, fold(found.typed), at):
            raise PressLeadsNowhere(Gone.DECIDED)
        return Filed(found)

    async def waiting(self, guild: GuildId | None, limit: int) -> list[Appeal]:
        """Return what waits for a decision in this server (None: for the operator), oldest first."""
        return await self.appeals.waiting(guild, limit)

    async def accept(self, appeal: AppealId, guild: GuildId | None, by: UserId, at: datetime) -> Appeal:
        """Make the typed answer an accepted one and turn the waiting attempts right. Raises PressLeadsNowhere."""
        decided = await self._known(appeal, guild)
        analysis = (await self.tokenizer.analyse([decided.typed]))[0]
        answer = Accepted(decided.typed.strip(), fold(decided.typed), (), analysis)
        await self._decide(appeal, guild, by, at, answer)
        return decided

    async def decline(self, appeal: AppealId, guild: GuildId | None, by: UserId, at: datetime) -> Appeal:
        """Leave the answers wrong. Raises PressLeadsNowhere."""
        decided = await self._known(appeal, guild)
        await self._decide(appeal, guild, by, at, None)
        return decided

    async def undo(self, appeal: AppealId, guild: GuildId | None, decided: datetime) -> Appeal:
        """Take a decision back, so that the answers wait again. Raises PressLeadsNowhere when it was taken back before."""
        reopened = await self._known(appeal, guild)
        if not await self.appeals.reopen(appeal, guild, decided):
            raise PressLeadsNowhere(Gone.DECIDED)
        return reopened

    async def _known(self, appeal: AppealId, guild: GuildId | None) -> Appeal:
        found = await self.appeals.appeal(appeal, guild)
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        return found

    async def _decide(
        self, appeal: AppealId, guild: GuildId | None, by: UserId, at: datetime, answer: Accepted | None
    ) -> None:
        if not await self.appeals.decide(appeal, guild, by, at, answer):
            raise PressLeadsNowhere(Gone.DECIDED)
