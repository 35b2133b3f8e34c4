"""Brings the tutor's words into the place of a study: one reply at a time, buttons under the newest words alone."""

from __future__ import annotations

import logging
from collections import OrderedDict
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final, TypeVar

import discord

from cogs import messages
from cogs.failures import reference
from cogs.languages import language_for
from cogs.render import studies as render
from cogs.render import tutor
from cogs.ui.layouts import notice
from cogs.ui.streams import FALLEN, PACE, Posted, write
from lessons.errors import KizukiError, ModelAway
from lessons.model import Away, ChannelId, UserId

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from discord.ext import commands
    from discord.ui import LayoutView

    from cogs.failures import Funnel
    from lessons.flows.conversing import Saying
    from lessons.flows.studying import Studying
    from lessons.model import Study, StudyId
    from lessons.ports import Clock

_log = logging.getLogger(__name__)

SPOKEN: Final = frozenset({discord.MessageType.default, discord.MessageType.reply})

Key = TypeVar("Key")
Value = TypeVar("Value")

HELD: Final = 1_000
"""Studies whose newest message, and people whose locale, are remembered; it is a courtesy, and a restart forgets it."""


class Talking:
    """Speaks in studies, and knows in which of them it is speaking just now."""

    def __init__(self, bot: commands.Bot, studying: Studying, funnel: Funnel, clock: Clock) -> None:
        self.pace = PACE
        self.studying = studying
        self._bot = bot
        self._funnel = funnel
        self._clock = clock
        self._speaking: set[StudyId] = set()
        self._newest: OrderedDict[StudyId, tuple[discord.Message, LayoutView, UserId]] = OrderedDict()
        self._locales: OrderedDict[UserId, str] = OrderedDict()

    async def language(self, user: UserId, locale: str = "") -> str:
        """Return the language of this person; messages bring no locale, so the last one that was seen counts."""
        if locale:
            _remember(self._locales, user, locale)
        learners = self.studying.conversing.delivering.learners
        return await language_for(learners, user, locale or self._locales.get(user, ""))

    def require_silence(self, study: StudyId) -> None:
        """Raise ModelAway(BUSY) while a reply is being written in a study."""
        if study in self._speaking:
            raise ModelAway(Away.BUSY)

    async def speak(self, study: Study, sayings: AsyncGenerator[Saying, None]) -> None:
        """Write a reply into the place of a study. Raises ModelAway(BUSY), with nothing kept, while another is written."""
        async with aclosing(sayings):
            self.require_silence(study.id)
            if study.channel is None:
                return
            self._speaking.add(study.id)
            try:
                await self._write(study, Posted(self._bot.get_partial_messageable(study.channel)), sayings)
            finally:
                self._speaking.discard(study.id)

    async def take_buttons_away(self, study: StudyId) -> None:
        """Leave the newest words of a study without buttons, where this run of the bot wrote them."""
        message, plain, _ = self._newest.pop(study, (None, None, None))
        if message is not None:
            with suppress(*FALLEN):
                await message.edit(view=plain)

    def let_go(self, user: UserId) -> None:
        """Remember nothing of this person any more; harmless when nothing is remembered."""
        self._locales.pop(user, None)
        for study, (_, _, learner) in list(self._newest.items()):
            if learner == user:
                del self._newest[study]

    async def addressed(self, message: discord.Message) -> Study | None:
        """Return the open study that a message is said in by its learner; in a server only where it can be read."""
        if message.author.bot or message.type not in SPOKEN:
            return None
        readable = message.content.strip() and isinstance(message.channel, discord.Thread)
        if message.guild is not None and not readable:
            return None
        return await self.studying.found(ChannelId(message.channel.id), UserId(message.author.id))

    async def answer(self, message: discord.Message) -> None:
        """Answer a message that is said in a study; nothing happens to any other. Whatever fails is told there."""
        try:
            study = await self.addressed(message)
            if study is not None and not message.content.strip():
                await _tell(message, messages.TEXT_ALONE)
            elif study is not None:
                with self._funnel.under_way(message):
                    language = await self.language(study.user)
                    said = self.studying.say(study, message.content, language, message.id, self._clock())
                    await self.speak(study, said)
        except KizukiError as error:
            await _tell(message, messages.failure(error))
        except FALLEN as error:
            _log.info("the reply to message %s could not be written: %s", reference(message), type(error).__name__)
        except Exception:  # noqa: BLE001 - a message has no other funnel
            _log.exception("message %s failed", reference(message))
            await _tell(message, messages.unexpected(reference(message)))

    async def _write(self, study: Study, paper: Posted, sayings: AsyncGenerator[Saying, None]) -> None:
        at, buttons = self._clock(), render.turn_buttons(study)
        last = await write(sayings, paper, lambda saying: tutor.pages(saying, at, buttons), self.pace)
        if last is None:
            return
        await self.take_buttons_away(study.id)
        _remember(self._newest, study.id, (paper.messages[-1], tutor.pages(last, at)[-1], study.user))


async def _tell(message: discord.Message, sentence: str) -> None:
    with suppress(*FALLEN):
        await message.channel.send(view=notice(sentence))


def _remember(held: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    held[key] = value
    held.move_to_end(key)
    while len(held) > HELD:
        held.popitem(last=False)
