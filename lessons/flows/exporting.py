"""Everything of one person as a file they can read: one where it fits, packed or in parts where it does not."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from lessons.model import Cell, Section, UserId
    from lessons.ports import Records

NOTE: Final = (
    "Everything Kizuki keeps about you. Times are UTC. Of vectors, which only liken texts to one another, it says how "
    "many numbers they have. Where a section is missing, there is nothing of that kind."
)
ROOM: Final = 0.9
"""The part of the limit that a packed part aims at, as parts do not all pack equally well."""

_ENCODE: Final = json.JSONEncoder(ensure_ascii=False).encode

Line = tuple[str, bytes]
"""The section of a record, and the record as it stands in the file."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Files in the order they belong, each with its name; `records` in all. None where there is nothing."""

    files: tuple[tuple[str, bytes], ...] = ()
    records: int = 0
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Exporting:
    """Writes out the books of one person at a time, so that nobody's export fills the memory or takes all readers."""

    records: Records
    turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    async def export(self, user: UserId, at: datetime, limit: int, servers: Mapping[str, str]) -> Handed:
        """Return everything of a person in files of at most `limit` bytes each; `servers` names those known by their id.

        A single record larger than the limit makes a file larger than it. The work is done in a thread.
        """
        async with self.turn:
            lines: list[Line] = []
            async for section in self.records.sections(user):
                lines += await asyncio.to_thread(_lines, section, servers)
            return await asyncio.to_thread(_files, lines, at, limit) if lines else Handed()


def _lines(section: Section, servers: Mapping[str, str]) -> list[Line]:
    return [(section.name, _written(_named(row, servers)).encode("utf-8", "replace")) for row in section.rows]


def _named(row: Mapping[str, Cell], servers: Mapping[str, str]) -> dict[str, Cell]:
    """Add the name of a server to a record that has its id."""
    name = servers.get(str(row.get("server_id", "")))
    return {"server": name, **row} if name else dict(row)


def _written(row: Mapping[str, Cell]) -> str:
    """Write a record with a line for each cell."""
    cells = [f"      {_ENCODE(name)}: {_ENCODE(cell)}" for name, cell in row.items()]
    return "    {\n" + ",\n".join(cells) + "\n    }"


def _files(lines: Sequence[Line], at: datetime, limit: int) -> Handed:
    name = f"kizuki-mydata-{at:%Y-%m-%d}"
    whole = _document(lines, at, "")
    if len(whole) <= limit:
        return Handed(((f"{name}.json", whole),), len(lines))
    packed = _packed(f"{name}.json", whole)
    if len(packed) <= limit:
        return Handed(((f"{name}.zip", packed),), len(lines), packed=True)
    parts = -(-len(packed) // max(1, int(limit * ROOM)))
    while True:
        files = tuple(_parts(lines, at, name, parts))
        if all(len(data) <= limit for _, data in files) or len(files) == len(lines):
            return Handed(files, len(lines), packed=True)
        parts *= 2


def _parts(lines: Sequence[Line], at: datetime, name: str, parts: int) -> Iterator[tuple[str, bytes]]:
    cut = list(_cut(lines, parts))
    for number, some in enumerate(cut, start=1):
        part = f"{number} of {len(cut)}"
        inside = f"{name}-{number}.json"
        yield f"{name}-{number}-of-{len(cut)}.zip", _packed(inside, _document(some, at, part))


def _cut(lines: Sequence[Line], parts: int) -> Iterator[Sequence[Line]]:
    """Cut lines into about so many runs of about the same size."""
    room = -(-sum(len(line) for _, line in lines) // parts)
    start = used = 0
    for place, (_, line) in enumerate(lines):
        if used and used + len(line) > room:
            yield lines[start:place]
            start, used = place, 0
        used += len(line)
    yield lines[start:]


def _document(lines: Sequence[Line], at: datetime, part: str) -> bytes:
    """Write one JSON object: what it is, then a list for each section, in the order they came."""
    about = {"about": NOTE, "written_at": at.isoformat(timespec="seconds")} | ({"part": part} if part else {})
    sections: dict[str, list[bytes]] = {}
    for name, line in lines:
        sections.setdefault(name, []).append(line)
    said = [f"  {json.dumps(name)}: {json.dumps(value)}".encode() for name, value in about.items()]
    said += [f"  {json.dumps(name)}: [\n".encode() + b",\n".join(rows) + b"\n  ]" for name, rows in sections.items()]
    return b"{\n" + b",\n".join(said) + b"\n}\n"


def _packed(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
