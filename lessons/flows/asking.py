"""A question to the tutor, and "Why?" under a miss: answered once, with what is known of the learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons import tutoring
from lessons.errors import Gone, NothingWritten, PressLeadsNowhere
from lessons.flows.conversing import Place, Saying
from lessons.flows.documenting import linked
from lessons.model import Speaker, Surface, Track, Verdict

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime

    from lessons.flows.conversing import Conversing
    from lessons.flows.delivering import Step
    from lessons.model import ErrorType, ExerciseId, GuildId, UserId
    from lessons.ports import Documents, Drills, Studies


@dataclass(frozen=True, slots=True)
class Asking:
    """Answers /ask and "Why?". Everything said is kept for its learner alone; a repeated delivery is answered once."""

    conversing: Conversing
    documents: Documents
    drills: Drills
    studies: Studies

    async def place(self, user: UserId, guild: GuildId | None, language: str, at: datetime) -> Place:
        """Return where /ask takes place: with the documents that the learner linked to it."""
        documents = linked(await self.documents.of_user(user))
        return Place(user, guild, Surface.ASK, language, at, documents)

    async def ask(self, question: str, place: Place, source: int) -> AsyncGenerator[Saying, None]:
        """Yield the answer to a question as it grows. `source` is the interaction; a second delivery yields nothing.

        Raises NothingWritten.
        """
        if not tutoring.visible(question, len(question)).strip():
            raise NothingWritten
        if await self.studies.say(None, place.user, Speaker.LEARNER, question, source=source, at=place.at) is None:
            return
        asked = await self.conversing.prepared(tutoring.Asked(Surface.ASK, question), place)
        profile = await self.conversing.profiling.profile(place.user, place.at)
        counts = await self.conversing.counts(place.user)
        found = await self.conversing.explanations(place, tutoring.points_in(question))
        last = Saying("")
        async for last in self.conversing.say(
            asked, place, lambda: tutoring.answer(question, profile.lines, asked.mistakes, counts, found)
        ):
            yield last
        await self.studies.say(None, place.user, Speaker.TUTOR, last.text, source=source, at=place.at)

    async def why(self, exercise: ExerciseId, place: Place, source: int) -> AsyncGenerator[Saying, None]:
        """Yield why an answer was wrong, as it grows. Raises PressLeadsNowhere for what is no miss of this learner."""
        found = await self.drills.exercise(exercise, place.user)
        if found is None or found.grade is None or found.verdict is not Verdict.WRONG:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        item, grade = found.item, found.grade
        judged = grade.judgement.feedback if grade.judgement else ""
        miss = tutoring.Miss(
            sentence=item.row.prompt,
            answer=item.answer,
            typed=found.typed or "",
            verdict=found.verdict.value,
            explanation=judged or item.row.explanation,
            source=item.clipping.title if item.clipping else "the lesson",
        )
        asked = tutoring.Asked(Surface.WHY, f"Why is {miss.typed} wrong here?", miss=miss)
        asked = await self.conversing.prepared(asked, place)
        counts = await self.conversing.counts(place.user)
        async for saying in self.conversing.say(asked, place, lambda: tutoring.why(miss, asked.mistakes, counts)):
            yield saying

    async def drill(self, place: Place, target: ErrorType | None, title: str, count: int = 5) -> Step | None:
        """Begin a real drill over one kind of mistake; None when there is nothing of it here. Ends an open lesson drill."""
        items = await self.conversing.exercise_items(place, target, count)
        if not items:
            return None
        ids = [item.id for item in items]
        begun = await self.drills.begin(place.user, place.guild, Track.LESSON, title, ids, place.at)
        return await self.conversing.delivering.step(begun.id, place.user)
