"""What a moderator brings in by hand: pasted text, a file, subtitles; and what becomes of articles afterwards."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lessons import links, prose
from lessons.errors import Gone, PressLeadsNowhere, UnreadableFile, UnreadableNews
from lessons.flows.clozing import Origin
from lessons.material.decode import decode
from lessons.model import ReadTrouble

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.flows.clozing import Clozing
    from lessons.model import Article, GuildId, PackId, Prose, UserId
    from lessons.ports import Articles, Reader


@dataclass(frozen=True, slots=True)
class Handed:
    """What a moderator hands over: pasted `text`, or a file's `data`; `url` is the link to show with it, if any."""

    guild: GuildId
    user: UserId
    title: str = ""
    url: str = ""
    language: str = ""
    text: str = ""
    file_name: str = ""
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Receiving:
    """Takes articles in that no feed brings: many sites forbid or block fetching."""

    articles: Articles
    reader: Reader
    clozing: Clozing

    async def hand_over(self, handed: Handed, at: datetime) -> Article:
        """Make an article of what a moderator pasted or uploaded.

        Raises UnreadableNews, UnreadableFile (no encoding fits), TextTooLong, ArticleThere.
        """
        found = await self._handed(handed)
        found = replace(found, title=handed.title or found.title)
        if not found.paragraphs:
            raise UnreadableNews(ReadTrouble.EMPTY)
        known = handed.language or found.language or prose.language_of(found.paragraphs)
        language = known or self.clozing.guess(found)
        origin = Origin(handed.guild, handed.url if links.is_address(handed.url) else "", by=handed.user)
        return await self.clozing.keep(found, language, origin, at)

    async def articles_of(self, guild: GuildId, limit: int) -> list[Article]:
        """Articles of a server, newest first."""
        return await self.articles.of_guilds([guild], limit)

    async def article(self, article: PackId, guild: GuildId) -> Article:
        """Return an article of this server. Raises PressLeadsNowhere."""
        found = await self.articles.article(article, [guild])
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        return found

    async def remove_article(self, article: PackId, guild: GuildId, at: datetime) -> Article:
        """Take an article down; what learners answered stays theirs. Raises PressLeadsNowhere."""
        found = await self.article(article, guild)
        if not await self.articles.remove(article, guild, at):
            raise PressLeadsNowhere(Gone.DECIDED)
        return found

    async def _handed(self, handed: Handed) -> Prose:
        if not handed.data:
            return await asyncio.to_thread(prose.from_text, handed.text, handed.title)
        if prose.kind_of(handed.file_name, "") is prose.TextKind.HTML:
            return await self.reader.page(handed.data, "", handed.url)
        try:
            text, _ = decode(handed.data)
        except UnreadableFile:
            return await self.reader.page(handed.data, "", handed.url)
        return await self._decoded(handed, text)

    async def _decoded(self, handed: Handed, text: str) -> Prose:
        match prose.kind_of(handed.file_name, text):
            case prose.TextKind.SRT:
                return await asyncio.to_thread(prose.from_srt, text)
            case prose.TextKind.VTT:
                return await asyncio.to_thread(prose.from_vtt, text)
            case prose.TextKind.HTML:
                return await self.reader.page(handed.data, "", handed.url)
            case _:
                return await asyncio.to_thread(prose.from_text, text, handed.title)
