"""One answer's straight line: submission, grade, one transaction, outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lessons import cards, cloze, grading, spacing
from lessons.calendar import local_day
from lessons.errors import Gone, PressLeadsNowhere, StorageBusy, StorageFull, StorageReadOnly, TextTooLong
from lessons.flows.judging import Question, feedback_language
from lessons.model import (
    RIGHT,
    AnswerKey,
    Attempt,
    AttemptId,
    Drill,
    Exercise,
    Grade,
    MistakeId,
    Payer,
    Remark,
    Track,
    Verdict,
    Waiting,
)
from lessons.text import fold

if TYPE_CHECKING:
    from datetime import date, datetime

    from lessons.flows.delivering import Delivering
    from lessons.flows.judging import Judging
    from lessons.flows.recalling import Recalling
    from lessons.flows.regrading import Regrading
    from lessons.model import Analysis, ExerciseId, Item, Preferences, Recollection, Submission, UserId
    from lessons.ports import Drills, Learners, Packs, Tokenizer

JAPANESE = "ja"
ANSWER_LIMIT = 500
"""Characters of an answer that are graded; a modal stops at the same number."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an answer: the exercise as it now stands and its drill. `mistake` is the card's id, if any."""

    exercise: Exercise
    grade: Grade
    drill: Drill
    preferences: Preferences
    mistake: MistakeId | None = None
    due: datetime | None = None
    recollection: Recollection | None = None


@dataclass(frozen=True, slots=True)
class Answering:
    """Grades and stores answers. Grade and store are one; a repeated delivery of an answer changes nothing."""

    packs: Packs
    drills: Drills
    learners: Learners
    tokenizer: Tokenizer
    delivering: Delivering
    recalling: Recalling
    judging: Judging
    regrading: Regrading

    async def answer(self, submission: Submission) -> Outcome:
        """Grade a typed answer and settle its exercise, unless it earns the free retry.

        A generated exercise goes on to a judge where string match cannot tell; without one it may stay PENDING. Raises
        PressLeadsNowhere (settled before, drill over, another person's), TextTooLong.
        """
        if len(submission.text) > ANSWER_LIMIT:
            raise TextTooLong(len(submission.text), ANSWER_LIMIT)
        exercise = await self.delivering.open_exercise(submission.exercise, submission.user)
        typed = (await self.tokenizer.analyse([submission.text]))[0]
        key = await self._key(exercise.item, typed)
        grade = grading.grade(key, typed)
        if grade.verdict is Verdict.RETRY:
            if await self._is_free(grade, submission):
                tried = replace(exercise, retried=True, typed=submission.text, grade=grade)
                return await self._outcome(tried, grade, submission.user)
            grade = grading.as_wrong(grade, key, typed)
        if exercise.item.clipping is None:
            return await self._settle(exercise, grade, submission)
        return await self._judged(exercise, grade, typed, submission)

    async def _judged(self, exercise: Exercise, by_string: Grade, typed: Analysis, submission: Submission) -> Outcome:
        """Decide with a judge, if one is needed: stored as pending before it is asked, so that nothing can lose the answer."""
        drill = await self.delivering.owned(exercise.drill_id, submission.user)
        language, user, at = await self.language_for(submission), submission.user, submission.at
        question = Question(exercise.item, typed, user, Payer(user, drill.guild_id), language, at)
        if not (self.judging.consulting.is_there and self.judging.is_for_judge(question, by_string)):
            return await self._settle(exercise, await self.judging.decide(question, by_string), submission)
        stored = replace(by_string, verdict=Verdict.PENDING)
        pending = await self._settle(exercise, stored, submission, language)
        attempt = pending.exercise.attempt_id or AttemptId(0)
        waiting = Waiting(attempt, user, drill.guild_id, exercise, submission.text, stored, language, 0, at)
        try:
            grade = await self.judging.decide(question, by_string)
            decided = await self.regrading.settle(waiting, grade, at)
            await self.regrading.judgements.told(attempt, user)
        except (StorageFull, StorageBusy, StorageReadOnly):
            return pending
        settled = replace(pending.exercise, verdict=grade.verdict, grade=grade)
        return await self._recalled(settled, grade, submission, decided.due, decided.mistake)

    async def language_for(self, submission: Submission) -> str:
        """Return the language that a judge's feedback is written in for this person."""
        preferences = (await self.learners.learner(submission.user)).preferences
        return feedback_language(preferences.language, submission.locale)

    async def is_right(self, item: Item, text: str) -> bool:
        """Tell whether a text would be a right answer; nothing is recorded."""
        if len(text) > ANSWER_LIMIT:
            return False
        typed = (await self.tokenizer.analyse([text]))[0]
        return grading.grade(await self._key(item, typed), typed).verdict in RIGHT

    async def skip(self, submission: Submission) -> Outcome:
        """Settle an exercise without an answer. Raises PressLeadsNowhere."""
        exercise = await self.delivering.open_exercise(submission.exercise, submission.user)
        return await self._settle(exercise, Grade(Verdict.SKIPPED, exercise.item.answer), submission)

    async def settled(self, exercise: ExerciseId, user: UserId, mistake: MistakeId | None, at: datetime) -> Outcome:
        """Return a settled answer's outcome once more, with what is recalled for its mistake, if it left one, by now.

        Raises PressLeadsNowhere.
        """
        found = await self.drills.exercise(exercise, user)
        if found is None or found.grade is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        spaced = await self.drills.spacing(user, found.item.id)
        outcome = await self._outcome(found, found.grade, user, spaced.due if spaced else None)
        if mistake is None:
            return outcome
        recollection = await self.recalling.similar(user, mistake, at)
        return replace(outcome, mistake=mistake, recollection=recollection)

    async def _is_free(self, grade: Grade, submission: Submission) -> bool:
        if Remark.BLANK_ANSWER in grade.remarks:
            return True
        return await self.drills.mark_retried(submission.exercise, submission.user, submission.interaction)

    async def _key(self, item: Item, typed: Analysis) -> AnswerKey:
        pack = await self.packs.by_id(item.pack_id)
        return AnswerKey(
            kind=item.row.kind,
            prompt=item.row.prompt,
            accepted=item.accepted,
            language=item.clipping.language if item.clipping else pack.language if pack else JAPANESE,
            strict_kana=pack.strict_kana if pack else False,
            siblings=tuple(await self.packs.siblings(item.id)),
            taken=await self.packs.is_taken(item.id, fold(typed.text)),
            nuances=cloze.near(item),
        )

    async def _settle(self, exercise: Exercise, grade: Grade, submission: Submission, language: str = "") -> Outcome:
        rating = spacing.rating_of(grade.verdict, hinted=exercise.hinted)
        after = None
        if rating is not None:
            before = await self.drills.spacing(submission.user, exercise.item.id)
            after = spacing.review(before, rating, submission.at)
        track = Track.LESSON if exercise.item.clipping is None else Track.EXERCISE
        card = cards.mistake_card(exercise.item, submission.text, grade, track)
        attempt = Attempt(
            user=submission.user,
            exercise=exercise.id,
            interaction=submission.interaction,
            typed=submission.text,
            grade=grade,
            hinted=exercise.hinted,
            at=submission.at,
            rating=rating,
            language=language,
            day=await self._day(grade, submission),
        )
        recorded = await self.drills.record(attempt, after, card)
        if recorded is None:
            await self.delivering.open_exercise(exercise.id, submission.user)  # raises what came in between
            raise PressLeadsNowhere(Gone.ANSWERED)
        attempt_id, mistake = recorded
        settled = replace(exercise, verdict=grade.verdict, typed=submission.text, grade=grade, attempt_id=attempt_id)
        return await self._recalled(settled, grade, submission, after.due if after else None, mistake)

    async def _day(self, grade: Grade, submission: Submission) -> date | None:
        """Return the learner's local day that an answer makes one of practice; one that waits for a judge is an answer."""
        if grade.verdict in {Verdict.SKIPPED, Verdict.TIMEOUT}:
            return None
        return local_day(submission.at, (await self.learners.learner(submission.user)).preferences.time_zone)

    async def _recalled(
        self, exercise: Exercise, grade: Grade, submission: Submission, due: datetime | None, mistake: MistakeId | None
    ) -> Outcome:
        """Return a settled answer's outcome with what its fresh mistake brings to mind."""
        outcome = await self._outcome(exercise, grade, submission.user, due)
        if mistake is None:
            return outcome
        recollection = await self.recalling.notice(submission.user, mistake, submission.at)
        return replace(outcome, mistake=mistake, recollection=recollection)

    async def _outcome(self, exercise: Exercise, grade: Grade, user: UserId, due: datetime | None = None) -> Outcome:
        drill = await self.delivering.owned(exercise.drill_id, user)
        preferences = (await self.learners.learner(user)).preferences
        return Outcome(exercise, grade, drill, preferences, due=due)
