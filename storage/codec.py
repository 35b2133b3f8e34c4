"""How values stand in rows and how rows become values again: what is read equals what was stored.

Times are stored as whole milliseconds UTC, so microseconds below a millisecond are dropped.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from lessons.model import (
    Accepted,
    Analysis,
    Appeal,
    AppealId,
    AppealState,
    AttemptId,
    DayAnswer,
    DiffKind,
    DiffPart,
    Drill,
    DrillId,
    DrillState,
    ErrorType,
    Exercise,
    ExerciseId,
    Grade,
    GuildId,
    Item,
    ItemId,
    ItemKind,
    Learner,
    Learning,
    Mistake,
    MistakeCard,
    MistakeId,
    Pack,
    PackId,
    Preferences,
    Remark,
    Row,
    Spacing,
    Trace,
    Track,
    Upload,
    UploadId,
    UserId,
    Verdict,
    Word,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def to_ms(at: datetime) -> int:
    """Milliseconds since 1970 of an aware moment. Raises TypeError for a naive one."""
    return (at - _EPOCH) // _MILLISECOND


def from_ms(ms: int) -> datetime:
    """Return the moment, aware UTC."""
    return _EPOCH + ms * _MILLISECOND


def storable(text: str) -> str:
    """Text that SQLite takes: half of a surrogate pair, which no person types, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def ids(values: Iterable[int | str]) -> str:
    """Write a JSON array, for `IN (SELECT value FROM json_each(?))`; repeats are dropped, the order stays."""
    return json.dumps(list(dict.fromkeys(values)))


def analysis_to_json(analysis: Analysis) -> str:
    """`{"text": ..., "words": [[surface, reading, normalized, dictionary form, [part of speech ...], known] ...]}`."""
    words = [[w.surface, w.reading, w.normalized, w.dictionary_form, w.pos, w.known] for w in analysis.words]
    return _dumps({"text": analysis.text, "words": words})


def analysis_from_json(stored: str) -> Analysis:
    """Read the words of one accepted answer."""
    read = json.loads(stored)
    words = (
        Word(surface, reading, norm, base, tuple(pos), known)
        for surface, reading, norm, base, pos, known in read["words"]
    )
    return Analysis(read["text"], tuple(words))


def grade_to_json(grade: Grade) -> str:
    """Write the grounds of a verdict; the verdict itself has a column."""
    diff = [[part.kind, part.text] for part in grade.diff]
    return _dumps({"matched": grade.matched, "remarks": grade.remarks, "diff": diff})


def grade_from_json(verdict: Verdict, stored: str) -> Grade:
    """Read a verdict with its grounds."""
    read = json.loads(stored)
    return Grade(
        verdict,
        read["matched"],
        tuple(Remark(remark) for remark in read["remarks"]),
        tuple(DiffPart(DiffKind(kind), text) for kind, text in read["diff"]),
    )


def accepted_to_columns(answer: Accepted) -> tuple[str, str, str, str]:
    """Text, folded, readings and analysis of an accepted answer, in the order of the table."""
    return answer.text, answer.folded, "|".join(answer.readings), analysis_to_json(answer.analysis)


def accepted(row: sqlite3.Row) -> Accepted:
    """From a row of `accepted_answer`."""
    return Accepted(row["text"], row["folded"], _split(row["readings"], "|"), analysis_from_json(row["analysis"]))


def items(rows: Sequence[sqlite3.Row], answers: Sequence[sqlite3.Row]) -> list[Item]:
    """Items from rows of `item`, in their order; `answers` are rows of `accepted_answer`, sorted by item."""
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
            skill=ErrorType(row["skill"]) if row["skill"] is not None else None,
            tags=_split(row["tags"], " "),
        ),
        accepted=tuple(map(accepted, once.values())),
        part_of_speech=row["part_of_speech"],
        furigana=row["furigana"],
    )


def pack(row: sqlite3.Row) -> Pack:
    """From a row of `visible_pack`."""
    return Pack(
        id=PackId(row["id"]),
        name=row["name"],
        guild_id=_guild(row),
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


def learner(row: sqlite3.Row) -> Learner:
    """From a row of `learner`."""
    preferences = Preferences(
        time_zone=row["time_zone"],
        language=row["language"],
        new_per_day=row["new_per_day"],
        reviews_per_day=row["reviews_per_day"],
        drill_length=row["drill_length"],
        furigana=bool(row["furigana"]),
    )
    return Learner(UserId(row["user_id"]), preferences, zone_chosen=bool(row["zone_chosen"]))


def drill(row: sqlite3.Row) -> Drill:
    """From a row of `drill_tally`."""
    return Drill(
        id=DrillId(row["id"]),
        user_id=UserId(row["user_id"]),
        guild_id=_guild(row),
        track=Track(row["track"]),
        title=row["title"],
        state=DrillState(row["state"]),
        started_at=from_ms(row["started_at"]),
        total=row["total"],
        answered=row["answered"],
        right=row["answered_right"],
        skipped=row["skipped"],
        ended_at=_moment(row["ended_at"]),
    )


def exercise(row: sqlite3.Row, of: Item) -> Exercise:
    """From a row of `exercise_state` and its item."""
    verdict = Verdict(row["verdict"]) if row["verdict"] is not None else None
    return Exercise(
        id=ExerciseId(row["exercise_id"]),
        drill_id=DrillId(row["drill_id"]),
        position=row["place"],
        item=of,
        hinted=bool(row["hinted"]),
        retried=row["retried_by"] is not None,
        verdict=verdict,
        typed=row["typed"],
        grade=grade_from_json(verdict, row["grade"]) if verdict is not None else None,
        attempt_id=AttemptId(row["attempt_id"]) if row["attempt_id"] is not None else None,
        appealed=bool(row["appealed"]),
    )


def spacing(row: sqlite3.Row) -> Spacing:
    """From a row of `spacing`."""
    return Spacing(
        learning=Learning(row["learning"]),
        step=row["step"],
        stability=row["stability"],
        difficulty=row["difficulty"],
        due=from_ms(row["due"]),
        last_review=_moment(row["last_review"]),
    )


def mistake(row: sqlite3.Row) -> Mistake:
    """From a row of `mistake`."""
    return Mistake(
        id=MistakeId(row["id"]),
        user_id=UserId(row["user_id"]),
        item_id=ItemId(row["item_id"]) if row["item_id"] is not None else None,
        card=_card(row),
        at=from_ms(row["at"]),
        pack_name=row["pack_name"],
        relabelled=row["relabelled_at"] is not None,
    )


def trace(row: sqlite3.Row) -> Trace:
    """From a row of `mistake`."""
    item = ItemId(row["item_id"]) if row["item_id"] is not None else None
    return Trace(MistakeId(row["id"]), item, _card(row), from_ms(row["at"]))


def day_answer(row: sqlite3.Row) -> DayAnswer:
    """From a row of at, track, verdict, error_type and first_attempt."""
    return DayAnswer(
        at=from_ms(row["at"]),
        track=Track(row["track"]),
        verdict=Verdict(row["verdict"]),
        error_type=ErrorType(row["error_type"]) if row["error_type"] is not None else None,
        first_attempt=bool(row["first_attempt"]),
    )


def appeal(row: sqlite3.Row) -> Appeal:
    """From a row of `appeal_card`."""
    return Appeal(
        id=AppealId(row["id"]),
        attempt_id=AttemptId(row["attempt_id"]),
        item_id=ItemId(row["item_id"]),
        guild_id=_guild(row),
        state=AppealState(row["state"]),
        prompt=row["prompt"],
        typed=row["typed"],
        reference=row["reference"],
        pack_name=row["pack_name"],
        at=from_ms(row["at"]),
        times=row["times"],
    )


def _card(row: sqlite3.Row) -> MistakeCard:
    return MistakeCard(
        track=Track(row["track"]),
        prompt=row["prompt"],
        reference=row["reference"],
        typed=row["typed"],
        error_type=ErrorType(row["error_type"]),
        part_of_speech=row["part_of_speech"],
        feedback=row["feedback"],
        level=row["level"],
    )


def _guild(row: sqlite3.Row) -> GuildId | None:
    return GuildId(row["guild_id"]) if row["guild_id"] is not None else None


def _moment(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)


def _split(text: str, by: str) -> tuple[str, ...]:
    return tuple(text.split(by)) if text else ()


def _dumps(value: Any) -> str:  # noqa: ANN401
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
