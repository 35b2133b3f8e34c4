"""What a transaction function is handed: statements and rows, and no way to end a transaction it does not own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    import aiosqlite

Value: TypeAlias = "int | float | str | bytes | None"
Values: TypeAlias = "Sequence[Value] | Mapping[str, Value]"


class Reading:
    """One snapshot of the database. Each call is a single trip to the connection's thread."""

    __slots__ = ("_conn",)

    def __init__(self, conn: aiosqlite.Connection) -> None:
        self._conn = conn

    async def all(self, sql: str, values: Values = ()) -> list[sqlite3.Row]:
        """Return every row of a statement."""
        return list(await self._conn.execute_fetchall(sql, values))

    async def one(self, sql: str, values: Values = ()) -> sqlite3.Row | None:
        """Return the first row of a statement that has one row at most."""
        rows = await self.all(sql, values)
        return rows[0] if rows else None


class Writing(Reading):
    """One transaction. A statement that wants to know what it changed says RETURNING and is asked with `all` or `one`."""

    __slots__ = ()

    async def run(self, sql: str, values: Values = ()) -> None:
        """Carry out a statement."""
        await self.all(sql, values)

    async def many(self, sql: str, rows: Iterable[Values]) -> None:
        """Carry out a statement once for each row of values."""
        async with self._conn.executemany(sql, rows):
            pass
