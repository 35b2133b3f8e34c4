"""Tells whose memory a transaction changed, whatever statement did it: a cascade counts as much as a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lessons.model import UserId

if TYPE_CHECKING:
    from collections.abc import Callable

    import aiosqlite

_TABLES: Final = "SELECT count(*) FROM sqlite_schema WHERE name IN ('mistake', 'mistake_vector', 'dismissal')"

# of the writing connection alone, so that the file stays one that every program can write to
_TRIGGERS: Final = """
    CREATE TEMP TRIGGER vector_added AFTER INSERT ON main.mistake_vector
    BEGIN SELECT memory_changed(new.user_id, 1); END;
    CREATE TEMP TRIGGER vector_altered AFTER UPDATE ON main.mistake_vector
    BEGIN SELECT memory_changed(old.user_id, 0), memory_changed(new.user_id, 0); END;
    CREATE TEMP TRIGGER vector_gone AFTER DELETE ON main.mistake_vector
    BEGIN SELECT memory_changed(old.user_id, 0); END;
    CREATE TEMP TRIGGER mistake_altered AFTER UPDATE OF user_id, item_id, track, error_type, at ON main.mistake
    BEGIN SELECT memory_changed(old.user_id, 0), memory_changed(new.user_id, 0); END;
    CREATE TEMP TRIGGER pair_dismissed AFTER INSERT ON main.dismissal
    BEGIN SELECT memory_changed(new.user_id, 0); END;
    CREATE TEMP TRIGGER pair_restored AFTER DELETE ON main.dismissal
    BEGIN SELECT memory_changed(old.user_id, 0); END;
"""


@dataclass(frozen=True, slots=True)
class Change:
    """Learners whose memory only got longer, and learners of whose memory something else changed."""

    grown: frozenset[UserId]
    altered: frozenset[UserId]


class Watch:
    """Collects on the writing connection's thread, and tells in the event loop.

    It may tell of a change that was rolled back, never miss one that was kept.
    """

    def __init__(self) -> None:
        self._told: list[Callable[[Change], None]] = []
        self._seen: set[tuple[int, int]] = set()

    def tell(self, told: Callable[[Change], None]) -> None:
        """Call `told` from now on after every transaction that changed a memory, before it is acknowledged."""
        self._told.append(told)

    async def begin(self, writing: aiosqlite.Connection) -> None:
        """Set the triggers up on the connection that writes; a file without the tables has nothing to watch."""
        ((tables,),) = await writing.execute_fetchall(_TABLES)
        if tables == 3:  # noqa: PLR2004
            await writing.create_function("memory_changed", 2, self._note)
            await writing.executescript(_TRIGGERS)

    def settle(self) -> None:
        """Tell what was collected since the last time. No transaction may be under way."""
        if not self._seen:
            return
        seen, self._seen = self._seen, set()
        altered = frozenset(UserId(user) for user, added in seen if not added)
        change = Change(frozenset(UserId(user) for user, _ in seen) - altered, altered)
        for told in self._told:
            told(change)

    def _note(self, user: int, added: int) -> None:
        self._seen.add((user, added))
