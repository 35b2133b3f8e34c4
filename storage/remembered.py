"""Keeps the matrices of the learners who were here last, within a number of learners and of bytes, and never an old one."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from storage import vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.model import Space, Track, UserId
    from lessons.ports import Memory
    from storage.watching import Change

Kind: TypeAlias = "tuple[frozenset[Track], Space]"
"""Which of a learner's memories: of these tracks, in this space."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory as it was read: `last` is the highest key in it, and it is `whole` until rows come behind that key."""

    memory: Memory
    last: int
    whole: bool = True


@dataclass(slots=True, eq=False)
class Load:
    """A reading under way: what it brings is not whole when its learner's memory grew meanwhile, and old when it altered."""

    grown: bool = False
    altered: bool = False


class Remembered:
    """Matrices by learner, the one used longest ago given up first. Only the event loop's thread touches it."""

    def __init__(self, learners: int, room: int) -> None:
        self._learners = learners
        self._room = room
        self._kept: OrderedDict[UserId, dict[Kind, Kept]] = OrderedDict()
        self._loads: defaultdict[UserId, set[Load]] = defaultdict(set)
        self.bytes = 0
        """Of all arrays that are kept."""

    def __len__(self) -> int:
        """Return how many learners' matrices are kept."""
        return len(self._kept)

    def find(self, user: UserId, kind: Kind) -> Kept | None:
        """Return what is kept; whole, or to be continued behind its last key."""
        kept = self._kept.get(user, {}).get(kind)
        if kept is not None:
            self._kept.move_to_end(user)
        return kept

    @contextmanager
    def loading(self, user: UserId) -> Iterator[Load]:
        """Follow what happens to a learner's memory from before the snapshot until it is kept."""
        load = Load()
        self._loads[user].add(load)
        try:
            yield load
        finally:
            self._loads[user].discard(load)
            if not self._loads[user]:
                del self._loads[user]

    def keep(self, user: UserId, kind: Kind, kept: Kept, load: Load) -> None:
        """Keep what a load brought, unless it is old already or larger than all the room there is."""
        if load.altered or vectors.size(kept.memory) > self._room:
            return
        mine = self._kept.setdefault(user, {})
        self._kept.move_to_end(user)
        if (before := mine.get(kind)) is not None:
            self.bytes -= vectors.size(before.memory)
        self.bytes += vectors.size(kept.memory)
        mine[kind] = replace(kept, whole=not load.grown)
        while len(self._kept) > self._learners or self.bytes > self._room:
            self._give_up(next(iter(self._kept)))

    def changed(self, change: Change) -> None:
        """Give up what is old, and mark what is to be continued."""
        for user in change.altered:
            self._give_up(user)
            for load in self._loads.get(user, ()):
                load.altered = True
        for user in change.grown:
            mine = self._kept.get(user, {})
            mine.update({kind: replace(kept, whole=False) for kind, kept in mine.items()})
            for load in self._loads.get(user, ()):
                load.grown = True

    def _give_up(self, user: UserId) -> None:
        self.bytes -= sum(vectors.size(kept.memory) for kept in self._kept.pop(user, {}).values())
