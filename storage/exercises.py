"""Exercises with their items: each as the server of its drill accepts it, and with what it was clipped from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage import answers, codec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from lessons.model import Exercise, GuildId
    from storage.session import Reading


async def of_rows(snapshot: Reading, rows: Sequence[sqlite3.Row]) -> list[Exercise]:
    """Exercises of rows of `exercise_state`, in their order."""
    by_guild: dict[GuildId | None, list[sqlite3.Row]] = {}
    for row in rows:
        by_guild.setdefault(codec.guild(row), []).append(row)
    found: dict[int, Exercise] = {}
    for guild, among in by_guild.items():
        items = codec.items(among, await answers.of_items(snapshot, among, guild))
        found |= {row["exercise_id"]: codec.exercise(row, item) for row, item in zip(among, items, strict=True)}
    return [found[row["exercise_id"]] for row in rows]
