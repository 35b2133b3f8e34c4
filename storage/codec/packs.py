"""Packs, items and what they were clipped from, out of rows."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from lessons.model import (
    Accepted,
    Clipping,
    GuildId,
    Item,
    ItemId,
    ItemKind,
    Pack,
    PackId,
    Row,
    Unit,
    Upload,
    UploadId,
    UserId,
)
from storage.codec.grades import analysis_from_json, analysis_to_json
from storage.codec.plain import error_type, from_ms, guild, split

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


def accepted_to_columns(answer: Accepted) -> tuple[str, str, str, str]:
    """Text, folded, readings and analysis of an accepted answer, in the order of the table."""
    return answer.text, answer.folded, "|".join(answer.readings), analysis_to_json(answer.analysis)


def accepted(row: sqlite3.Row) -> Accepted:
    """From a row of `accepted_answer`."""
    return Accepted(row["text"], row["folded"], split(row["readings"], "|"), analysis_from_json(row["analysis"]))


def items(rows: Sequence[sqlite3.Row], answers: Sequence[sqlite3.Row]) -> list[Item]:
    """Items from rows of `clipped_item`, in their order; `answers` are rows of `accepted_answer`, sorted by item."""
    by_item = {item_id: list(group) for item_id, group in groupby(answers, key=lambda answer: answer["item_id"])}
    return [item(row, by_item.get(row["id"], ())) for row in rows]


def item(row: sqlite3.Row, answers: Sequence[sqlite3.Row]) -> Item:
    """Build an item from its row and its accepted answers: the pack's make up the row, all are accepted once each."""
    own = tuple(answer["text"] for answer in answers if answer["origin"] == "pack")
    once: dict[str, sqlite3.Row] = {}
    for answer in answers:
        once.setdefault(answer["text"], answer)
    return Item(
        id=ItemId(row["id"]),
        pack_id=PackId(row["pack_id"]),
        row=Row(
            key=row["row_key"],
            line=row["line"],
            lesson=row["lesson"],
            kind=ItemKind(row["kind"]),
            prompt=row["prompt"],
            answers=own,
            reading=row["reading"],
            meaning=row["meaning"],
            hint=row["hint"],
            explanation=row["explanation"],
            skill=error_type(row["skill"]),
            tags=split(row["tags"], " "),
        ),
        accepted=tuple(map(accepted, once.values())),
        part_of_speech=row["part_of_speech"],
        furigana=row["furigana"],
        clipping=_clipping(row),
    )


def pack(row: sqlite3.Row) -> Pack:
    """From a row of `visible_pack`."""
    return Pack(
        id=PackId(row["id"]),
        name=row["name"],
        guild_id=guild(row),
        language=row["language"],
        strict_kana=bool(row["strict_kana"]),
        items=row["items"],
        updated_at=from_ms(row["updated_at"]),
        title=row["title"],
        digest=row["digest"],
    )


def upload(row: sqlite3.Row) -> Upload:
    """From a row of `upload`."""
    return Upload(
        id=UploadId(row["id"]),
        guild_id=GuildId(row["guild_id"]),
        user_id=UserId(row["user_id"]),
        pack_name=row["pack_name"],
        language=row["language"],
        strict_kana=bool(row["strict_kana"]),
        file_name=row["file_name"],
        data=row["data"],
        at=from_ms(row["at"]),
    )


def _clipping(row: sqlite3.Row) -> Clipping | None:
    if row["sentence_id"] is None:
        return None
    return Clipping(
        sentence=ItemId(row["sentence_id"]),
        unit=Unit(row["unit"]),
        level=row["level"],
        certainty=row["certainty"],
        closed=bool(row["closed"]),
        title=row["article_title"],
        source=row["article_source"],
        url=row["article_url"],
        language=row["article_language"],
    )
