"""One turn of the tutor on any surface: the same profile, what the message asks for, a reply that grows, or a look-up."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from lessons import tutoring
from lessons.errors import ModelAway
from lessons.flows.documenting import Message
from lessons.model import Away, Payer
from lessons.profile import without_orders
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

    from lessons.flows.consulting import Consulting
    from lessons.flows.delivering import Delivering
    from lessons.flows.documenting import Documenting
    from lessons.flows.profiling import Profiling
    from lessons.model import DocumentId, ErrorType, GuildId, Item, Mistake, Surface, UserId
    from lessons.ports import Mistakes, Packs, Studies
    from lessons.tutoring import Asked, Explanation

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NEAREST: Final = 5
"""Past mistakes that go with a message."""
LOOKED_AT: Final = 400
"""Past mistakes that are looked through for them, the newest ones."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A reply as far as it can be shown. `done` is the last one; `looked_up` says that no model spoke it.

    `broken` says that the model went silent in the middle, `away` why none was heard at all.
    """

    text: str
    done: bool = False
    looked_up: bool = False
    broken: bool = False
    away: Away | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Who talks to the tutor, where, in which language, and by which documents they may be known there."""

    user: UserId
    guild: GuildId | None
    surface: Surface
    language: str
    at: datetime
    documents: tuple[DocumentId, ...] = ()

    @property
    def payer(self) -> Payer:
        """On whose account a call goes."""
        return Payer(self.user, self.guild)


@dataclass(frozen=True, slots=True)
class Conversing:
    """Prepares turns and speaks them. Whatever fails, a person gets an answer that says what it is."""

    profiling: Profiling
    documenting: Documenting
    mistakes: Mistakes
    packs: Packs
    studies: Studies
    delivering: Delivering
    consulting: Consulting

    async def prepared(self, asked: Asked, place: Place) -> Asked:
        """Add what is known of the learner: profile, past mistakes near the message, details that it asks for."""
        message = Message(place.user, place.surface, asked.message, asked.persona.names, place.documents)
        details, event = await self.documenting.details(message, place.at)
        await self.studies.note_recall(event)
        return replace(
            asked,
            profile=await self.profiling.text(place.user, place.at),
            mistakes=asked.mistakes or await self.nearest(place.user, asked.message),
            details=tuple(filter(None, map(without_orders, details))),
            language=place.language,
        )

    async def say(self, asked: Asked, place: Place, look_up: Callable[[], str]) -> AsyncGenerator[Saying, None]:
        """Yield the reply as it grows; without a model, and where it declines, what `look_up` finds."""
        cleaning = tutoring.Cleaning(f"{tutoring.secrets(asked.surface)}\n{asked.persona.manner}")
        try:
            async with aclosing(self.consulting.converse(tutoring.call(asked), place.payer, place.at)) as pieces:
                async for piece in pieces:
                    if cleaning.feed(piece):
                        yield Saying(cleaning.text)
        except ModelAway as away:
            cleaning.finish()
            if away.why is Away.REFUSED or not cleaning.text.strip():
                yield Saying(look_up(), done=True, looked_up=True, away=away.why)
            else:
                yield Saying(cleaning.text, done=True, broken=True)
            return
        cleaning.finish()
        if cleaning.text.strip():
            yield Saying(cleaning.text, done=True)
        else:
            yield Saying(look_up(), done=True, looked_up=True, away=Away.NONSENSE)

    async def nearest(self, user: UserId, message: str) -> list[Mistake]:
        """Return past mistakes that a message speaks of, by their words or their kind, the newest first.

        A message that names neither brings none to mind.
        """
        recent = (await self.mistakes.since(user, EPOCH))[:LOOKED_AT]
        points, kinds = set(tutoring.points_in(message)), set(tutoring.kinds_in(message))
        by_word = [each for each in recent if points & {fold(each.card.reference), fold(each.card.typed)}]
        by_kind = [each for each in recent if each.card.error_type in kinds and each not in by_word]
        return [*by_word, *by_kind][:NEAREST]

    async def counts(self, user: UserId) -> Mapping[ErrorType, int]:
        """Mistakes by kind."""
        return await self.mistakes.counts(user)

    async def explanations(self, place: Place, points: Sequence[str]) -> list[Explanation]:
        """Return what the lessons that are here say of these points (folded)."""
        if not points:
            return []
        found = []
        for pack in await self.delivering.visible_packs(place.user, place.guild, place.at):
            items = await self.packs.items(pack.id)
            found += [_explanation(item, pack.title or pack.name) for item in items if _speaks_of(item, points)]
        return found

    async def exercise_items(self, place: Place, target: ErrorType | None, count: int) -> list[Item]:
        """Return items to practise a kind of mistake with: what is due first, then what is new."""
        packs = await self.delivering.visible_packs(place.user, place.guild, place.at)
        ids = [pack.id for pack in packs]
        drills = self.delivering.drills
        due = await drills.due(place.user, ids, place.at, LOOKED_AT)
        fresh = await drills.fresh(place.user, ids, LOOKED_AT)
        ahead = await drills.ahead(place.user, ids, place.at, LOOKED_AT)
        chosen: list[Item] = []
        for each in dict.fromkeys((*due, *fresh, *ahead)):
            item = await self.packs.item(each)
            if item is not None and (target is None or item.row.skill is target):
                chosen.append(item)
            if len(chosen) == count:
                break
        return chosen


def _speaks_of(item: Item, points: Sequence[str]) -> bool:
    return bool(item.row.explanation) and any(fold(answer) in points for answer in item.row.answers)


def _explanation(item: Item, source: str) -> Explanation:
    return tutoring.Explanation(item.answer, item.row.explanation, source, item.row.prompt)
