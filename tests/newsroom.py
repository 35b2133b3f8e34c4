"""A server with news in it, and a judge who can be told what to say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.app import Services
from bot.clients.news import Policy
from bot.demo.news import STORIES
from bot.settings import Settings
from bot.wiring import open_services
from lessons.flows.newsreading import NewsRequest
from lessons.flows.receiving import Handed
from lessons.model import Article, Exercise, GuildId, InteractionId, Submission, Unit, UserId
from lessons.wording import cue_and_hint
from tests.conftest import MovableClock
from tests.messages.behaviours import says
from tests.messages.server import MessagesServer, Seen, messages_server

HERE, THERE = GuildId(71), GuildId(72)
MIKA, TOM, AOKI = UserId(1), UserId(2), UserId(9)
NOTHING_ELSE_FITS = {"gaps": []}


def verdict(verdict: str = "incorrect", error_type: str = "particle", **more: str) -> dict[str, str]:
    """A judge's reply."""
    told = {
        "diagnosis": "particle で marks the place of an action",
        "error_type": error_type,
        "part_of_speech": "particle",
        "feedback": "で marks where something is done.",
        "verdict": verdict,
        "confidence": "high",
    }
    return told | more


def judges(reply: dict[str, str]):
    """Judge every answer alike, and know no other filler of any gap."""

    def words(seen: Seen) -> dict:
        asked = (seen.schema or {}).get("properties", {})
        return reply if "verdict" in asked else {name: [] for name in asked}

    return says(words)


@dataclass
class Newsroom:
    services: Services
    clock: MovableClock
    server: MessagesServer
    interaction: int = 0

    async def bring(self, guild: GuildId = HERE, number: int = 0) -> Article:
        """Bring one of the invented articles in."""
        story = STORIES[number]
        handed = Handed(guild, AOKI, story.title, story.url, "ja", story.text)
        return await self.services.receiving.hand_over(handed, self.clock())

    async def ask(self, user: UserId = MIKA, guild: GuildId | None = HERE) -> Exercise:
        """Start a news drill, and return its first exercise."""
        step = await self.services.newsreading.start(NewsRequest(user, guild, anew=True), self.clock())
        assert step.exercise is not None
        return step.exercise

    async def answer(self, exercise: Exercise, text: str, user: UserId = MIKA, locale: str = ""):
        """Give an answer."""
        self.interaction += 1
        submission = Submission(user, exercise.id, text, self.clock(), InteractionId(self.interaction), locale)
        return await self.services.answering.answer(submission)

    async def fits_one(self, exercise: Exercise, closed: bool) -> None:
        """Let one filler alone fit an exercise, or others too, so that only a judge can tell."""
        database = self.services.regrading.judgements._db
        change = "UPDATE clipping SET closed = ? WHERE item_id = ?"
        await database.write(lambda transaction: transaction.run(change, (closed, exercise.item.id)))

    def grades(self) -> int:
        """How often a grade was asked for."""
        return sum("verdict" in (seen.schema or {}).get("properties", {}) for seen in self.server.requests)


@asynccontextmanager
async def newsroom(
    data: Path, clock: MovableClock, policy: Policy | None = None, **settings: object
) -> AsyncIterator[Newsroom]:
    """Open a house over this data folder whose judge is a server of this machine."""
    async with messages_server(judges(verdict())) as server:
        wanted = Settings(data=data, embedder="hashed", api_key="sk-test", api_url=server.url, **settings)
        async with open_services(wanted, clock=clock, policy=policy) as services:
            yield Newsroom(services, clock, server)


def wrong_for(exercise: Exercise, number: int = 0) -> str:
    """An attempt at what is asked, none of the accepted answers: another particle, another form, another word."""
    accepted = {one.text for one in exercise.item.accepted}
    clipping = exercise.item.clipping
    if clipping is None or clipping.unit is Unit.PARTICLE:
        tries = ["より", "へ", "でも", "しか", "まで"]
    elif clipping.unit is Unit.FORM:
        base = cue_and_hint(exercise.item.row.hint)[0].split(" (")[0]
        tries = [base, f"{base}でしょう", f"{base}らしい", f"{base}なら"]
    else:
        tries = ["学校", "病院", "電車", "料理"]
    return [text for text in tries if text not in accepted][number]
