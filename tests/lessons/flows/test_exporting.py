"""Everything of one person in a file: readable, whole, and never larger than Discord takes."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import AsyncIterator

import pytest

from lessons.flows.exporting import Exporting, Handed
from lessons.model import Erased, Holdings, Section, UserId
from tests.conftest import BEGINNING

ME = UserId(1)


class Books:
    """Records of one person, as they lie there."""

    def __init__(self, *sections: Section) -> None:
        self._sections = sections

    async def sections(self, user: UserId) -> AsyncIterator[Section]:
        for section in self._sections:
            yield section

    async def holdings(self, user: UserId) -> Holdings:
        return Holdings()

    async def erase(self, user: UserId, clock: object) -> Erased:
        return Erased(Holdings())


def noise(amount: int, size: int) -> tuple[dict[str, str], ...]:
    """Rows that do not pack well."""
    chance = random.Random(7)
    return tuple({"text": "".join(chance.choices("あいうえおかきくけこ漢字かな交じり", k=size))} for _ in range(amount))


async def exported(*sections: Section, limit: int = 1_000_000, servers: dict[str, str] | None = None) -> Handed:
    return await Exporting(Books(*sections)).export(ME, BEGINNING, limit, servers or {})


def opened(handed: Handed) -> list[dict]:
    found = []
    for name, data in handed.files:
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                (inside,) = archive.namelist()
                found.append(json.loads(archive.read(inside)))
        else:
            found.append(json.loads(data))
    return found


async def test_nothing_makes_no_file() -> None:
    assert await exported() == Handed()
    assert await exported(Section("you", ())) == Handed()


async def test_it_is_one_readable_file_in_sections() -> None:
    handed = await exported(
        Section("you", ({"person_id": "1", "is_streak_shown": True},)),
        Section("answers", ({"you_wrote": '「は」\n"x"'},)),
        Section("answers", ({"you_wrote": "が"},)),
    )
    ((name, data),) = handed.files
    assert (name, handed.records, handed.packed) == ("kizuki-mydata-2026-11-30.json", 3, False)
    read = json.loads(data)
    assert list(read) == ["about", "written_at", "you", "answers"]
    assert read["answers"] == [{"you_wrote": '「は」\n"x"'}, {"you_wrote": "が"}]
    assert "「は」" in data.decode()
    assert max(map(len, data.decode().splitlines())) < 250


async def test_a_server_is_named_where_the_bot_knows_it() -> None:
    rows = ({"server_id": "5", "title": "N5"}, {"server_id": "6"}, {"title": "no server"})
    (read,) = opened(await exported(Section("drills", rows), servers={"5": "Café"}))
    assert read["drills"][0] == {"server": "Café", "server_id": "5", "title": "N5"}
    assert read["drills"][1:] == [{"server_id": "6"}, {"title": "no server"}]


async def test_what_is_too_large_is_packed() -> None:
    rows = tuple({"text": "は" * 100} for _ in range(100))
    handed = await exported(Section("answers", rows), limit=5_000)
    ((name, data),) = handed.files
    assert (name, handed.packed) == ("kizuki-mydata-2026-11-30.zip", True)
    assert len(data) <= 5_000
    assert opened(handed)[0]["answers"] == list(rows)


@pytest.mark.parametrize("limit", [3_000, 4_000, 10_000])
async def test_what_is_too_large_even_so_comes_in_parts_none_of_which_is(limit: int) -> None:
    sections = Section("answers", noise(200, 60)), Section("documents", noise(20, 300))
    handed = await exported(*sections, limit=limit)
    assert len(handed.files) > 1
    assert all(len(data) <= limit for _, data in handed.files)
    parts = opened(handed)
    assert [part["part"] for part in parts] == [f"{n} of {len(parts)}" for n in range(1, len(parts) + 1)]
    assert handed.files[0][0] == f"kizuki-mydata-2026-11-30-1-of-{len(parts)}.zip"
    for section in sections:
        assert [row for part in parts for row in part.get(section.name, [])] == list(section.rows)


async def test_parts_that_pack_unequally_are_cut_once_more() -> None:
    rows = (*noise(40, 200), *({"text": "は" * 4000} for _ in range(40)))
    handed = await exported(Section("answers", rows), limit=6_000)
    assert all(len(data) <= 6_000 for _, data in handed.files)
    assert [row for part in opened(handed) for row in part["answers"]] == list(rows)


async def test_a_record_too_large_for_any_file_is_a_file_by_itself() -> None:
    handed = await exported(Section("documents", noise(3, 4000)), limit=1_000)
    assert len(handed.files) == 3
    assert [row for part in opened(handed) for row in part["documents"]] == list(noise(3, 4000))
