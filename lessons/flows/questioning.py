"""Which questions a shared drill asks: drawn by a seed, and not those that its channel was asked lately."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from lessons.errors import NoPacks, NothingMatches
from lessons.flows.delivering import pack_named
from lessons.material import select_lessons

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import ChannelId, GuildId, ItemId, Pack, PackId
    from lessons.ports import Packs, SharedDrills

LATELY: Final = timedelta(days=60)
ARTICLES: Final = 10
"""The newest articles of a server that a drill of the day is made from."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a shared drill is made from: a pack by name or id ("" or None: any of the server's), lessons, how many."""

    guild: GuildId
    channel: ChannelId
    count: int
    pack: str | PackId | None = None
    lessons: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Questions that were drawn, and the pack that was named, if one was."""

    items: tuple[ItemId, ...]
    pack: Pack | None = None

    @property
    def title(self) -> str:
        """The name of what the questions are from, "" when it is nothing in particular."""
        return (self.pack.title or self.pack.name) if self.pack else ""


@dataclass(frozen=True, slots=True)
class Questioning:
    """Draws questions. The same seed, material and past of the channel give the same questions."""

    packs: Packs
    shared: SharedDrills

    async def lesson(self, wanted: Wanted, seed: int, at: datetime) -> Drawn:
        """Draw questions of lesson packs. Raises NoPacks, UnknownPack, BadRange, NothingMatches."""
        visible = await self.packs.visible([wanted.guild])
        if not visible:
            raise NoPacks
        pack = pack_named(wanted.pack, visible)
        sources = [pack] if pack else [each for each in visible if each.guild_id is not None] or visible
        chosen: list[str] | None = None
        known: list[str] = []
        if wanted.lessons:
            known = [lesson for each in sources for lesson in await self.packs.lessons(each.id)]
            chosen = list(select_lessons(wanted.lessons, known))
        items = [] if chosen == [] else await self.shared.items([each.id for each in sources], chosen)
        if not items:
            raise NothingMatches(pack.name if pack else "", wanted.lessons, tuple(dict.fromkeys(known)))
        lately = await self.shared.asked_in(wanted.channel, at - LATELY)
        return Drawn(tuple(drawn(items, lately, wanted.count, seed)), pack)

    async def news(self, wanted: Wanted, seed: int, at: datetime) -> Drawn:
        """Draw closed gaps of the server's recent articles, one a sentence, none that the channel was asked lately."""
        lately = set(await self.shared.asked_in(wanted.channel, at - LATELY))
        gaps = await self.shared.gaps(wanted.guild, ARTICLES)
        asked = {gap.sentence for gap in gaps if gap.item in lately}
        fresh = {gap.item: gap.sentence for gap in gaps if gap.sentence not in asked}
        ordered = drawn(list(fresh), (), len(fresh), seed)
        once = {fresh[item]: item for item in reversed(ordered)}
        return Drawn(tuple(reversed(once.values()))[: wanted.count])


def drawn(items: Collection[ItemId], lately: Sequence[ItemId], count: int, seed: int) -> list[ItemId]:
    """Draw `count` of the items by a seed; those asked lately (the latest first) only when no others are left.

    The order is that of a keyed hash, so that it stays the same for the same seed, whatever items come and go.
    """
    past = {item: place for place, item in enumerate(reversed(lately), start=1)}
    return sorted(items, key=lambda item: (past.get(item, 0), _lot(seed, item)))[:count]


def _lot(seed: int, item: ItemId) -> bytes:
    return blake2b(f"{seed} {item}".encode(), digest_size=8).digest()
