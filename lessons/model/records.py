"""What there is of a person in the books, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lessons.model.ids import ChannelId, SharedId

Cell: TypeAlias = "str | int | float | bool | list[Cell] | dict[str, Cell] | None"
"""What a record says of one thing, as JSON can: moments in ISO 8601, ids of Discord's as text."""


@dataclass(frozen=True, slots=True)
class Section:
    """Records of one kind, or a part of them, in the order they were made. Names of cells are words."""

    name: str
    rows: tuple[Mapping[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much is kept of a person; `traces` are rows of servers that name them as a moderator."""

    settings: int = 0
    servers: int = 0
    drills: int = 0
    answers: int = 0
    mistakes: int = 0
    documents: int = 0
    profile_lines: int = 0
    studies: int = 0
    turns: int = 0
    schedules: int = 0
    traces: int = 0

    @property
    def are_none(self) -> bool:
        """Tell whether there is nothing at all."""
        return not any(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True)
class Erased:
    """How much there was, where open studies were, and which shared cards a name may stand on: the latest, oldest last."""

    held: Holdings
    rooms: tuple[ChannelId, ...] = ()
    cards: tuple[SharedId, ...] = ()
