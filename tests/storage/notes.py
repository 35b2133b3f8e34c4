"""The smallest thing to write: a number in a table of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.connection import Database

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from storage.session import Writing


async def numbers(db: Database) -> list[int]:
    async with db.reading() as snapshot:
        return [row["number"] for row in await snapshot.all("SELECT number FROM note ORDER BY number")]


def noting(number: int) -> Callable[[Writing], Awaitable[int]]:
    """A transaction that stores a number and returns it."""

    async def work(transaction: Writing) -> int:
        await transaction.run("INSERT INTO note VALUES (?)", (number,))
        return number

    return work
