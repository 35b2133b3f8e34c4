"""The store of lesson packs, their items and held files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from lessons.model import GuildId, Item, ItemId, Pack, PackChange, PackHead, PackId, Prepared, Upload, UploadId


class Packs(Protocol):
    """Lesson packs and their items; packs belong to a server, starter packs (guild None) to everybody."""

    async def visible(self, guilds: Collection[GuildId]) -> list[Pack]:
        """Packs of these servers by name, then the starter packs in the order they were first saved."""
        ...

    async def find(self, name: str, guilds: Collection[GuildId]) -> Pack | None:
        """Return the pack of that name (case and width folded), a server's own before a starter pack."""
        ...

    async def by_id(self, pack: PackId) -> Pack | None:
        """Return a pack that is not removed."""
        ...

    async def title(self, pack: PackId) -> str:
        """Return what a pack is called, also one that was removed; "" when there never was one."""
        ...

    async def removed(self, name: str, guild: GuildId) -> Pack | None:
        """Return the server's removed pack of that name, which saving brings back, with the rows it had."""
        ...

    async def save(self, head: PackHead, items: Sequence[Prepared], at: datetime) -> PackChange:
        """Make the pack, or bring it up to these rows in one transaction.

        Rows are matched by key and keep their item ids, so mistakes and spacing stay attached; rows that are gone
        are hidden, not deleted; answers accepted by moderators are kept. A removed pack of the name comes back.
        """
        ...

    async def items(self, pack: PackId) -> list[Item]:
        """All items of a pack in file order."""
        ...

    async def lessons(self, pack: PackId) -> list[str]:
        """The lessons of a pack's visible items, each once, in file order."""
        ...

    async def item(self, item: ItemId) -> Item | None:
        """One item, also of a removed pack."""
        ...

    async def remove(self, pack: PackId, at: datetime) -> None:
        """Hide the pack; mistakes and progress are kept, and loading it again brings it back."""
        ...

    async def siblings(self, item: ItemId) -> list[str]:
        """Accepted answers of the other visible items of the same pack, kind and prompt."""
        ...

    async def is_taken(self, item: ItemId, folded: str) -> bool:
        """Tell whether this folded text is an accepted answer of another visible item of the same pack."""
        ...

    async def hold_upload(self, upload: Upload) -> UploadId:
        """Keep a file until it is confirmed (the id in `upload` is ignored); drops uploads older than a day."""
        ...

    async def upload(self, upload: UploadId) -> Upload | None:
        """Return a held file."""
        ...

    async def drop_upload(self, upload: UploadId) -> bool:
        """Forget a held file; False when it was gone already (a second press)."""
        ...
