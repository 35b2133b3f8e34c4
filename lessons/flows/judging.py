"""What string match cannot decide: junk is turned away, what was judged before is known, and a judge is asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from lessons import cards, judging
from lessons.errors import ModelAway
from lessons.model import Away, GradeSource, Purpose, Verdict
from lessons.text import fold

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.consulting import Consulting
    from lessons.model import Analysis, Grade, Item, ItemId, Judgement, Payer, UserId
    from lessons.ports import Judgements

ENGLISH: Final = "en"

Asked: TypeAlias = "tuple[ItemId, str, str]"
"""An item, an answer folded, a language of feedback."""


@dataclass(frozen=True, slots=True)
class Question:
    """One typed answer to one item, on whose account it is judged, and in which language the learner is told."""

    item: Item
    typed: Analysis
    user: UserId
    payer: Payer
    language: str
    at: datetime
    purpose: Purpose = Purpose.GRADE


@dataclass(frozen=True, slots=True)
class Judging:
    """Decides about answers to generated exercises. A string match is final; a judge's word is only ever made harsher."""

    consulting: Consulting
    judgements: Judgements
    asking: dict[Asked, asyncio.Task[Judgement]] = field(default_factory=dict)

    async def decide(self, question: Question, by_string: Grade) -> Grade:
        """Return the grade of an answer that string match calls wrong; every other grade stays as it is.

        PENDING when only a judge could tell and none can be reached now.
        """
        if by_string.verdict is not Verdict.WRONG:
            return by_string
        if cards.is_junk(question.typed.text, question.item.row.prompt, by_string.matched or question.item.answer):
            return by_string
        asked = (question.item.id, fold(question.typed.text), question.language)
        if known := await self.judgements.find(*asked):
            return self._heard(question, by_string, known, GradeSource.CACHE)
        try:
            return self._heard(question, by_string, await self._judged(question, asked), GradeSource.JUDGE)
        except ModelAway as away:
            return _without_judge(question, by_string, away)

    def _heard(self, question: Question, by_string: Grade, judgement: Judgement, source: GradeSource) -> Grade:
        spellings = [(one.text, *one.readings, one.analysis.reading) for one in question.item.accepted]
        accepted = [text for spelling in spellings for text in spelling if text]
        heard = judging.post(judgement, question.typed.text, accepted)
        return judging.as_grade(heard, by_string, source)

    async def _judged(self, question: Question, asked: Asked) -> Judgement:
        """Ask the judge; whoever asks the same at the same time waits for the same reply."""
        task = self.asking.get(asked)
        if task is None:
            task = asyncio.create_task(self._ask(question, asked), name="judging")
            self.asking[asked] = task
            task.add_done_callback(lambda done: self._asked(asked, done))
        return await asyncio.shield(task)

    def _asked(self, asked: Asked, done: asyncio.Task[Judgement]) -> None:
        self.asking.pop(asked, None)
        if not done.cancelled():
            done.exception()  # seen, also when everybody who waited for it has gone

    async def _ask(self, question: Question, asked: Asked) -> Judgement:
        call = judging.call(question.item, question.typed.text, question.language, question.purpose)
        judgement = await self.consulting.consult(call, question.payer, question.at, judging.parse)
        await self.judgements.keep(*asked, judgement, by=question.user, at=question.at)
        return judgement


def _without_judge(question: Question, by_string: Grade, away: ModelAway) -> Grade:
    """Say what holds when nobody judges: rules where one filler fits, else a judge later, if there ever is one."""
    clipping, again = question.item.clipping, question.purpose is Purpose.REGRADE
    if again and away.why is not Away.REFUSED:
        return replace(by_string, verdict=Verdict.PENDING)
    if clipping is None or clipping.closed:
        return judging.by_rules(question.item, question.typed, by_string)
    if away.why in {Away.REFUSED, Away.NO_MODEL}:
        return judging.unjudged(by_string)
    return replace(by_string, verdict=Verdict.PENDING)


def feedback_language(chosen: str, locale: str) -> str:
    """Return the language tag feedback is written in: as chosen in the settings, else Discord's, else English.

    Regions are left out, so that what was judged once is known to all who read that language; Chinese keeps its scripts.
    """
    tag = chosen or locale or ENGLISH
    return tag if tag.startswith("zh") else tag.partition("-")[0]
