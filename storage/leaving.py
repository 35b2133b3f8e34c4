"""Who has just been forgotten: nothing that was begun before is written for them any more, whatever statement tries."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from storage import codec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    import aiosqlite

    from lessons.model import UserId
    from lessons.ports import Clock

_LEARNER: Final = "SELECT count(*) FROM sqlite_schema WHERE name = 'learner'"

# every row of a person hangs on their row of learner, and every first write of something begins with that row
_TRIGGER: Final = """
    CREATE TEMP TRIGGER learner_left BEFORE INSERT ON main.learner WHEN has_left(new.user_id, new.created_at)
    BEGIN SELECT RAISE(ABORT, 'has left'); END;
"""


class Leaving:
    """Remembers, in memory alone, when people were forgotten: an answer that a judge still looks at brings nobody back.

    Who begins anew afterwards is as welcome as anybody.
    """

    def __init__(self) -> None:
        self._left: dict[int, int] = {}
        self._farewells: Counter[int] = Counter()

    async def begin(self, writing: aiosqlite.Connection) -> None:
        """Set the trigger up on the connection that writes; a file without learners has nobody to refuse."""
        ((tables,),) = await writing.execute_fetchall(_LEARNER)
        if tables:
            await writing.create_function("has_left", 2, self._has_left)
            await writing.executescript(_TRIGGER)

    @contextmanager
    def farewell(self, user: UserId, clock: Clock) -> Iterator[None]:
        """Refuse everything of this person until the end, and from then on what was begun before it.

        When the farewell fails, nobody has left.
        """
        self._farewells[user] += 1
        try:
            yield
            self._left[user] = codec.to_ms(clock())
        finally:
            self._farewells[user] -= 1
            self._farewells += Counter()  # forget those whose farewell is over

    def forget(self, before: datetime) -> None:
        """Forget, too, that somebody left before then."""
        earliest = codec.to_ms(before)
        self._left = {user: left for user, left in self._left.items() if left >= earliest}

    def __len__(self) -> int:
        """Return how many people are remembered to have left."""
        return len(self._left)

    def _has_left(self, user: int, begun: int) -> bool:
        return user in self._farewells or begun < self._left.get(user, begun)
