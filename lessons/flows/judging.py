"""What string match cannot decide: junk is turned away, what was judged before is known, and a judge is asked."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from lessons import cards, judging
from lessons.errors import Forgotten, ModelAway
from lessons.model import Away, GradeSource, Purpose, Remark, Verdict
from lessons.text import fold

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.consulting import Consulting
    from lessons.model import Analysis, Grade, Item, ItemId, Judgement, Payer, UserId
    from lessons.ports import Judgements

ENGLISH: Final = "en"

SPENT: Final = frozenset({Away.BUDGET_USER, Away.BUDGET_GUILD, Away.BUDGET_BOT, Away.GRADES})
"""Why there is no judge before tomorrow."""

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
    asking: dict[Asked, asyncio.Task[tuple[Judgement, GradeSource]]] = field(default_factory=dict)

    def is_for_judge(self, question: Question, by_string: Grade) -> bool:
        """Tell whether an answer is wrong by string match and an attempt, so that only a judge could call it right."""
        item = question.item
        return by_string.verdict is Verdict.WRONG and not cards.is_junk(
            question.typed.text, item.row.prompt, by_string.matched or item.answer
        )

    async def decide(self, question: Question, by_string: Grade) -> Grade:
        """Return the grade of an answer; whatever is not for a judge stays as it is.

        PENDING when only a judge could tell and none can be reached now.
        """
        if not self.is_for_judge(question, by_string):
            return by_string
        try:
            return await self.hear(question, by_string)
        except ModelAway as away:
            if _is_closed(question.item) or away.why in {Away.REFUSED, Away.NO_MODEL}:
                return self.for_good(question, by_string)
            spent = (Remark.DAY_SPENT,) if away.why in SPENT else ()
            return replace(by_string, verdict=Verdict.PENDING, remarks=(*by_string.remarks, *spent))

    async def hear(self, question: Question, by_string: Grade) -> Grade:
        """Return what a judge says of an answer that is for one, now or before. Raises ModelAway."""
        judgement, source = await self._judged(question)
        return self._heard(question, by_string, judgement, source)

    def for_good(self, question: Question, by_string: Grade) -> Grade:
        """Decide without a judge: by rules where one filler fits; else it is wrong, and said that nobody could tell."""
        if _is_closed(question.item):
            return judging.by_rules(question.item, question.typed, by_string)
        return judging.unjudged(by_string)

    def _heard(self, question: Question, by_string: Grade, judgement: Judgement, source: GradeSource) -> Grade:
        heard = judging.post(judgement, question.typed, question.item)
        return judging.as_grade(heard, by_string, source)

    async def _judged(self, question: Question) -> tuple[Judgement, GradeSource]:
        """Look up or ask; whoever asks the same at the same time waits for the same reply."""
        asked = (question.item.id, fold(question.typed.text), question.language)
        task = self.asking.get(asked)
        is_own = task is None
        if task is None:
            task = asyncio.create_task(self._ask(question, asked), name="judging")
            self.asking[asked] = task
            task.add_done_callback(lambda done: self._asked(asked, done))
        try:
            return await asyncio.shield(task)
        except Forgotten:  # who asked first is no longer there, and others are
            if is_own:
                raise
            return await self._judged(question)

    def _asked(self, asked: Asked, done: asyncio.Task[tuple[Judgement, GradeSource]]) -> None:
        self.asking.pop(asked, None)
        if not done.cancelled():
            done.exception()  # seen, also when everybody who waited for it has gone

    async def _ask(self, question: Question, asked: Asked) -> tuple[Judgement, GradeSource]:
        if known := await self.judgements.find(*asked):
            return known, GradeSource.CACHE
        call = judging.call(question.item, question.typed.text, question.language, question.purpose)
        judgement = await self.consulting.consult(call, question.payer, question.at, judging.parse)
        with suppress(Forgotten):  # then it is nobody's to keep, and others may be waiting for it
            await self.judgements.keep(*asked, judgement, by=question.user, at=question.at)
        return judgement, GradeSource.JUDGE


def _is_closed(item: Item) -> bool:
    return item.clipping is None or item.clipping.closed


def feedback_language(chosen: str, locale: str) -> str:
    """Return the language tag feedback is written in: as chosen in the settings, else Discord's, else English.

    Regions are left out, so that what was judged once is known to all who read that language; Chinese keeps its scripts.
    """
    tag = chosen or locale or ENGLISH
    return tag if tag.startswith("zh") else tag.partition("-")[0]
