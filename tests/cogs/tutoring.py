"""A tutor who can be told what to say, and the ways a learner comes to them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.app import Services
from bot.settings import Settings
from bot.wiring import open_services
from tests.conftest import MovableClock, World
from tests.messages.server import Behaviour, MessagesServer, Said, Seen
from tests.messages.streams import in_pieces
from tests.screen import components, custom_ids, shown, text

GOAL = "I want to write business e-mails in Japanese by next spring. My company is in Osaka."
HOSTILE = "@everyone <@123> [click](https://evil.example) **bold** `code` # head\u202e discord.gg/abc"
ROADMAP = {
    "topics": [
        {"title": "に and で", "reason": "You mix them.", "first_step": "Contrast both.", "target": "particle"},
        {"title": "て-form", "reason": "You need it.", "first_step": "Build three.", "target": "conjugation"},
    ]
}


def tutor(words: str = "「に」 marks a goal. 「で」 marks a place.", **schemas: dict) -> Behaviour:
    """A tutor who says this in pieces; `schemas` are replies by a property that the wanted schema has."""
    speak = in_pieces(words)

    async def behave(server: MessagesServer, request: Any, seen: Seen) -> Any:
        asked = (seen.schema or {}).get("properties", {})
        if seen.schema is None:
            return await speak(server, request, seen)
        reply = next((reply for name, reply in schemas.items() if name in asked), {})
        return await in_pieces(reply)(server, request, seen) if reply else Said([{"type": "text", "text": "{}"}])

    return behave


@asynccontextmanager
async def house(data: Path, clock: MovableClock, server: MessagesServer, **more: Any) -> AsyncIterator[Services]:
    """A house whose model is a server of this machine."""
    settings = Settings(data=data, embedder="hashed", api_key="sk-ant-test-0123456789", api_url=server.url, **more)
    async with open_services(settings, clock=clock) as opened:
        yield opened


def hurry(world: World) -> None:
    """Let every piece of a reply be shown at once."""
    world.bot.get_cog("Tutor").pace = 0.0  # type: ignore[union-attr]
    world.bot.get_cog("Studies").talking.pace = 0.0  # type: ignore[union-attr]


async def ask(world: World, question: str = "Why に and not で?", who: Any = None) -> Any:
    """Ask the tutor and return the message it ends in."""
    return shown(await (who or world.mika).slash(world.study, "ask", question=question))


async def hand_over(world: World, kind: str = "goal", words: str = GOAL, who: Any = None, **more: Any) -> Any:
    """Hand a text about oneself over, and return the message it ends in."""
    return shown(await (who or world.mika).slash(world.study, f"profile {kind}", text=words, **more))


def pressable(message: Any, action: str) -> str:
    """The custom id of a button or select of a message, by its action."""
    return next(each for each in custom_ids(message) if each.split(":")[1] == action)


def options_of(message: Any, action: str) -> list[dict[str, Any]]:
    """The options of a select of a message."""
    found = pressable(message, action)
    return next(part["options"] for part in components(message) if part.get("custom_id") == found)


def edits(world: World, since: int) -> list[str]:
    """Edits of messages since that entry of what went to Discord."""
    sent = [name for kind, name, _ in world.env.backend.transcript[since:] if kind == "HTTP"]
    return [name for name in sent if name.startswith("PATCH") and "/messages/" in name]


def messages_of(result: Any) -> list[Any]:
    """Every message an interaction led to for its person."""
    return [each for each in [result.response, *result.followups] if each is not None]


def heard(result: Any) -> str:
    """Everything an interaction told its person."""
    return "\n".join(text(each) for each in messages_of(result))
