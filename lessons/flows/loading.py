"""From a moderator's file to a pack and back: preview, confirm, list, export, remove."""

from __future__ import annotations

import asyncio
import hashlib
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lessons import furigana, material
from lessons.errors import EmptyPack, Gone, PressLeadsNowhere, StarterPack, UnknownPack, UnusableName
from lessons.model import BLANK, Accepted, ItemKind, PackHead, Prepared
from lessons.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lessons.material import Limits
    from lessons.model import Analysis, GuildId, Item, Pack, PackChange, PackId, Row, Sheet, Upload, UploadId, UserId
    from lessons.ports import Packs, Tokenizer

NAME_LIMIT: Final = 60
"""Characters of a pack's name."""
JAPANESE: Final = "ja"
READING: Final = 2
"""Version of what is read into the rows of a pack beside the dictionary's words, such as furigana."""
BATCH: Final = 200
"""Rows read by the tokenizer at a time."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What loading a pack does beside it.

    `first`: the server had no pack of its own, and starter packs, so that new items came from these until then.
    `shadowed`: the starter pack that can no longer be named in this server, because the pack bears its name.
    """

    first: bool = False
    shadowed: Pack | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file would become: its rows and problems, and the packs it would touch.

    `existing` is the pack of that name that it would update, `removed` the one that it would bring back, if any.
    """

    upload: Upload
    sheet: Sheet
    existing: Pack | None
    removed: Pack | None = None
    effects: Effects = Effects()


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading a file did to its pack, and beside it."""

    change: PackChange
    effects: Effects


@dataclass(frozen=True, slots=True)
class Shelf:
    """One pack with its lessons (name, number of items) and its items in file order."""

    pack: Pack
    lessons: tuple[tuple[str, int], ...]
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Loading:
    """What moderators do with packs. Packs belong to a server; starter packs can be read everywhere, changed nowhere."""

    packs: Packs
    tokenizer: Tokenizer
    limits: Limits

    async def preview(self, upload: Upload) -> Preview:
        """Read a file without loading it, and hold it for a confirmation.

        Raises UnreadableFile, UnusableName or EmptyPack (no usable row at all); then nothing is held.
        """
        name = upload.pack_name.strip()
        if not 1 <= len(name) <= NAME_LIMIT:
            raise UnusableName(name, NAME_LIMIT)
        sheet = await self._read(upload)
        if not sheet.rows:
            raise EmptyPack(upload.file_name, sheet.problems)
        named = replace(upload, pack_name=name)
        held = await self.packs.hold_upload(named)
        return await self._preview(replace(named, id=held), sheet)

    async def confirm(self, upload: UploadId, guild: GuildId, user: UserId, at: datetime) -> Loaded:
        """Load a held file's good rows. A second confirmation finds it gone. Raises PressLeadsNowhere."""
        held = await self._held(upload, guild)
        prepared = await self._prepare((await self._read(held)).rows, held.language)
        if not await self.packs.drop_upload(upload):
            raise PressLeadsNowhere(Gone.DECIDED)
        head = PackHead(held.pack_name, guild, held.language, held.strict_kana, saved_by=user)
        effects = await self._effects(held.pack_name, guild)
        return Loaded(await self.packs.save(head, prepared, at), effects)

    async def cancel(self, upload: UploadId, guild: GuildId) -> Upload:
        """Forget a held file. Raises PressLeadsNowhere."""
        held = await self._held(upload, guild)
        await self.packs.drop_upload(upload)
        return held

    async def problems(self, upload: UploadId, guild: GuildId) -> Preview:
        """Return the preview of a held file once more, for its whole list of problems. Raises PressLeadsNowhere."""
        held = await self._held(upload, guild)
        return await self._preview(held, await self._read(held))

    async def install_starter(self, name: str, title: str, data: bytes, at: datetime) -> PackChange | None:
        """Bring one starter pack up to the rows shipped with this release; None when it is. Raises UnreadableFile."""
        made_of = data + f"{self.tokenizer.dictionary} {READING}".encode()
        digest = hashlib.blake2b(made_of, digest_size=16).hexdigest()
        known = await self.packs.find(name, [])
        if known is not None and (known.digest, known.title) == (digest, title):
            return None
        sheet = material.read(data, f"{name}.csv", self.limits)
        head = PackHead(name, None, title=title, digest=digest)
        return await self.packs.save(head, await self._prepare(sheet.rows, JAPANESE), at)

    def template(self) -> bytes:
        """Return the example file that shows every column."""
        return material.template()

    async def packs_of(self, guild: GuildId | None) -> list[Pack]:
        """Packs of a server, then the starter packs."""
        return await self.packs.visible([guild] if guild is not None else [])

    async def find(self, name: str, guild: GuildId | None) -> Pack:
        """Return the pack of that name, a server's own before a starter pack. Raises UnknownPack."""
        pack = await self.packs.find(name, [guild] if guild is not None else [])
        if pack is None:
            raise UnknownPack(name, tuple(known.name for known in await self.packs_of(guild)))
        return pack

    async def own(self, name: str, guild: GuildId) -> Pack:
        """Return the server's own pack of that name. Raises UnknownPack, and StarterPack for one of these."""
        found = await self.packs.find(name, [guild])
        if found is None:
            raise UnknownPack(name, tuple(known.name for known in await self.packs_of(guild) if _own(known, guild)))
        if found.guild_id is None:
            raise StarterPack(found.name)
        return found

    async def shelf(self, pack: PackId, guild: GuildId | None) -> Shelf:
        """Return a pack of this server, or a starter pack, with all its items. Raises PressLeadsNowhere."""
        found = await self._readable(pack, guild)
        items = await self.packs.items(pack)
        counts: dict[str, int] = {}
        for item in items:
            counts[item.row.lesson] = counts.get(item.row.lesson, 0) + 1
        return Shelf(found, tuple(counts.items()), tuple(items))

    async def export(self, pack: PackId, guild: GuildId | None) -> bytes:
        """Return a pack as a native CSV file. Raises PressLeadsNowhere."""
        await self._readable(pack, guild)
        items = await self.packs.items(pack)
        return await asyncio.to_thread(material.export, [item.row for item in items])

    async def remove(self, pack: PackId, guild: GuildId, at: datetime) -> Pack:
        """Hide a server's pack; learners keep their mistakes and progress. Raises PressLeadsNowhere."""
        found = _own(await self._readable(pack, guild), guild)
        if found is None:
            raise PressLeadsNowhere(Gone.FOREIGN)
        await self.packs.remove(pack, at)
        return found

    async def _preview(self, upload: Upload, sheet: Sheet) -> Preview:
        name, guild = upload.pack_name, upload.guild_id
        existing = _own(await self.packs.find(name, [guild]), guild)
        removed = await self.packs.removed(name, guild)
        return Preview(upload, sheet, existing, removed, await self._effects(name, guild))

    async def _effects(self, name: str, guild: GuildId) -> Effects:
        packs = await self.packs_of(guild)
        starter = [pack for pack in packs if pack.guild_id is None]
        wanted = _folded(name)
        shadowed = (pack for pack in starter if wanted in {_folded(pack.name), _folded(pack.title)})
        return Effects(len(starter) == len(packs) > 0, next(shadowed, None))

    async def _readable(self, pack: PackId, guild: GuildId | None) -> Pack:
        found = await self.packs.by_id(pack)
        if found is None:
            raise PressLeadsNowhere(Gone.UNKNOWN)
        if found.guild_id not in {None, guild}:
            raise PressLeadsNowhere(Gone.FOREIGN)
        return found

    async def _held(self, upload: UploadId, guild: GuildId) -> Upload:
        held = await self.packs.upload(upload)
        if held is None:
            raise PressLeadsNowhere(Gone.DECIDED)
        if held.guild_id != guild:
            raise PressLeadsNowhere(Gone.FOREIGN)
        return held

    async def _read(self, upload: Upload) -> Sheet:
        return await asyncio.to_thread(material.read, upload.data, upload.file_name, self.limits)

    async def _prepare(self, rows: Sequence[Row], language: str) -> list[Prepared]:
        """Add what the dictionary knows. In batches, so that an answer being graded never waits for a whole pack."""
        if language != JAPANESE:
            return [_unread(row) for row in rows]
        prepared: list[Prepared] = []
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            texts = [text for row in batch for text in (_filled(row), *row.answers)]
            analyses = await self.tokenizer.analyse(texts)
            prepared += await asyncio.to_thread(_read_batch, batch, analyses, self.tokenizer.dictionary)
        return prepared


def _read_batch(rows: Sequence[Row], analyses: Sequence[Analysis], dictionary: str) -> list[Prepared]:
    """Pair rows with their analyses: for each row the filled-in sentence, then its answers."""
    following = iter(analyses)
    return [_prepared(row, [next(following) for _ in range(1 + len(row.answers))], dictionary) for row in rows]


def _prepared(row: Row, analyses: Sequence[Analysis], dictionary: str) -> Prepared:
    sentence, *answers = analyses
    given = tuple(filter(None, row.reading.split("|")))
    accepted = []
    for number, (text, analysis) in enumerate(zip(row.answers, answers, strict=True)):
        readings = given if number == 0 or analysis.reading in given else ()
        accepted.append(Accepted(text, fold(text), readings, analysis))
    start = row.prompt.find(BLANK)
    span = (start, start + len(row.answers[0])) if start >= 0 else (0, len(sentence.text))
    ruby = furigana.annotate(sentence.words, span) if row.kind is ItemKind.CLOZE else ""
    return Prepared(row, tuple(accepted), furigana.part_of_speech(sentence.words, span), ruby, dictionary)


def _unread(row: Row) -> Prepared:
    return Prepared(row, tuple(Accepted(text, fold(text)) for text in row.answers))


def _filled(row: Row) -> str:
    """The sentence as it reads with the first answer in the blank; for a word, the answer alone."""
    return row.prompt.replace(BLANK, row.answers[0], 1) if row.kind is ItemKind.CLOZE else row.answers[0]


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _own(pack: Pack | None, guild: GuildId) -> Pack | None:
    return pack if pack is not None and pack.guild_id == guild else None
