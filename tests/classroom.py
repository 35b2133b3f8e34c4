"""A house with a tutor who can be told what to say, and verbs for a learner who talks to them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from itertools import count

from lessons.flows.conversing import Place, Saying
from lessons.flows.studying import StudyRequest
from lessons.model import DocumentId, DocumentKind, Mode, Study, UserId
from tests.newsroom import HERE, MIKA, Newsroom

GOAL = "I want to pass the JLPT N2 in July, because my company moves me to Osaka. Reports have to be written in Japanese there."
BACKGROUND = (
    "I am a nurse from Lisbon. I worked eight years in a children's hospital.\n\n"
    "In 2024 I translated the ward's handover sheets into simple Japanese; the project was called Hotaru."
)


async def whole(saying: AsyncGenerator[Saying, None]) -> list[Saying]:
    """Everything of a reply, as it grew."""
    return [each async for each in saying]


@dataclass
class Classroom:
    room: Newsroom
    sources: count = field(default_factory=lambda: count(1))

    @property
    def services(self):
        return self.room.services

    @property
    def server(self):
        return self.room.server

    def now(self):
        return self.room.clock()

    async def tell(self, kind: DocumentKind = DocumentKind.GOAL, text: str = GOAL, user: UserId = MIKA) -> DocumentId:
        """Hand a document over, and have it embedded."""
        document = await self.services.documenting.save(user, kind, kind.value, text, self.now())
        while await self.services.documenting.fill_in():
            pass
        return document.id

    async def ask(self, question: str, user: UserId = MIKA, source: int | None = None) -> list[Saying]:
        place = await self.services.asking.place(user, HERE, "en", self.now())
        return await whole(self.services.asking.ask(question, place, source or next(self.sources)))

    def place(self, surface, user: UserId = MIKA) -> Place:
        return Place(user, HERE, surface, "en", self.now())

    async def begin(self, mode: Mode = Mode.STUDY, subject: str = "particles", **more) -> Study:
        wanted = StudyRequest(MIKA, HERE, mode, subject, more.pop("persona", "hana"), "en", **more)
        return await self.services.studying.begin(wanted, self.now())

    async def say(self, study: Study, text: str, source: int | None = None) -> list[Saying]:
        current = await self.services.studying.owned(study.id, study.user)
        return await whole(self.services.studying.say(current, text, "en", source or next(self.sources), self.now()))

    def prompts(self) -> list[str]:
        """All that was ever sent to the model, request by request, without the rules."""
        return [json.dumps(seen.body["messages"], ensure_ascii=False) for seen in self.server.requests]

    def rules(self) -> list[str]:
        return [json.dumps(seen.body["system"], ensure_ascii=False) for seen in self.server.requests]
