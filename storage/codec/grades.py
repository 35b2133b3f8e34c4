"""Grades, judgements and the dictionary's words between values, JSON and rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lessons.model import (
    Analysis,
    Confidence,
    DiffKind,
    DiffPart,
    Grade,
    GradeSource,
    Judgement,
    Opinion,
    Remark,
    Verdict,
    Word,
)
from storage.codec.plain import dumps, error_type, storable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from typing import Any


def analysis_to_json(analysis: Analysis) -> str:
    """`{"text": ..., "words": [[surface, reading, normalized, dictionary form, [part of speech ...], known] ...]}`."""
    words = [[w.surface, w.reading, w.normalized, w.dictionary_form, w.pos, w.known] for w in analysis.words]
    return dumps({"text": analysis.text, "words": words})


def analysis_from_json(stored: str) -> Analysis:
    """Read the words of one accepted answer."""
    read = json.loads(stored)
    words = (
        Word(surface, reading, norm, base, tuple(pos), known)
        for surface, reading, norm, base, pos, known in read["words"]
    )
    return Analysis(read["text"], tuple(words))


def grade_to_json(grade: Grade) -> str:
    """Write the grounds of a verdict; the verdict itself has a column. Who decided stands there unless it was a string match."""
    diff = [[part.kind, part.text] for part in grade.diff]
    written: dict[str, Any] = {"matched": grade.matched, "remarks": grade.remarks, "diff": diff}
    if grade.source is not GradeSource.STRING:
        written["source"] = grade.source
    if grade.judgement is not None:
        written["judgement"] = judgement_to_columns(grade.judgement)
    return dumps(written)


def grade_from_json(verdict: Verdict, stored: str) -> Grade:
    """Read a verdict with its grounds."""
    read = json.loads(stored)
    return Grade(
        verdict,
        read["matched"],
        tuple(Remark(remark) for remark in read["remarks"]),
        tuple(DiffPart(DiffKind(kind), text) for kind, text in read["diff"]),
        GradeSource(read.get("source", GradeSource.STRING)),
        judgement(read["judgement"]) if "judgement" in read else None,
    )


def judgement_to_columns(said: Judgement) -> dict[str, str | bool | None]:
    """Columns of a judgement by name; a model's text may hold anything."""
    return {
        "opinion": said.opinion,
        "error_type": said.error_type,
        "part_of_speech": storable(said.part_of_speech),
        "diagnosis": storable(said.diagnosis),
        "feedback": storable(said.feedback),
        "confidence": said.confidence,
        "attempt": said.attempt,
    }


def judgement(row: sqlite3.Row | Mapping[str, Any]) -> Judgement:
    """From a row of `judgement`, or the same columns out of a grade."""
    return Judgement(
        opinion=Opinion(row["opinion"]),
        error_type=error_type(row["error_type"]),
        part_of_speech=row["part_of_speech"],
        diagnosis=row["diagnosis"],
        feedback=row["feedback"],
        confidence=Confidence(row["confidence"]),
        attempt=bool(row["attempt"]),
    )
