"""What is stored is what is read, for every value of the subject."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.model import (
    Analysis,
    Confidence,
    DiffKind,
    DiffPart,
    ErrorType,
    Grade,
    GradeSource,
    Judgement,
    Opinion,
    Remark,
    Verdict,
    Word,
)
from storage import codec

YEAR_1969, YEAR_2200 = (datetime.fromisoformat(f"{year}-01-01") for year in (1969, 2200))
TEXT = st.text(max_size=20)
WORDS = st.builds(Word, TEXT, TEXT, TEXT, TEXT, st.lists(TEXT, max_size=3).map(tuple), st.booleans())
ANALYSES = st.builds(Analysis, TEXT, st.lists(WORDS, max_size=4).map(tuple))
PARTS = st.builds(DiffPart, st.sampled_from(DiffKind), TEXT)
JUDGEMENTS = st.builds(
    Judgement,
    st.sampled_from(Opinion),
    st.none() | st.sampled_from(ErrorType),
    TEXT,
    TEXT,
    TEXT,
    st.sampled_from(Confidence),
    st.booleans(),
)
GRADES = st.builds(
    Grade,
    st.sampled_from(Verdict),
    TEXT,
    st.lists(st.sampled_from(Remark), max_size=4).map(tuple),
    st.lists(PARTS, max_size=4).map(tuple),
    st.sampled_from(GradeSource),
    st.none() | JUDGEMENTS,
)


@given(st.datetimes(timezones=st.timezones(), min_value=YEAR_1969, max_value=YEAR_2200))
def test_moments_keep_their_milliseconds(at: datetime) -> None:
    utc = at.astimezone(UTC)
    read = codec.from_ms(codec.to_ms(at))
    assert read == utc.replace(microsecond=utc.microsecond // 1000 * 1000)
    assert read.tzinfo is UTC
    assert codec.to_ms(read) == codec.to_ms(at)


def test_moments_are_told_in_utc_and_have_a_zone() -> None:
    assert codec.to_ms(datetime(1970, 1, 1, 9, tzinfo=timezone(timedelta(hours=9)))) == 0
    with pytest.raises(TypeError):
        codec.to_ms(YEAR_2200)


@given(ANALYSES)
def test_analyses(analysis: Analysis) -> None:
    assert codec.analysis_from_json(codec.analysis_to_json(analysis)) == analysis


@given(GRADES)
def test_grades(grade: Grade) -> None:
    assert codec.grade_from_json(grade.verdict, codec.grade_to_json(grade)) == grade


def test_a_string_match_says_no_more_than_before_and_what_was_written_before_is_read() -> None:
    grade = Grade(Verdict.WRONG, "は", (Remark.VOICING,), (DiffPart(DiffKind.EXTRA, "ば"),))
    stored = '{"matched":"は","remarks":["voicing"],"diff":[["extra","ば"]]}'
    assert codec.grade_to_json(grade) == stored
    assert codec.grade_from_json(Verdict.WRONG, stored) == grade


def test_a_judgement_with_half_a_surrogate_pair_is_still_saved() -> None:
    judgement = Judgement(Opinion.INCORRECT, None, "\ud83d", "a\ud83d", "b\udc00", Confidence.LOW, attempt=False)
    read = codec.grade_from_json(Verdict.WRONG, codec.grade_to_json(Grade(Verdict.WRONG, "は", judgement=judgement)))
    assert read.judgement == Judgement(Opinion.INCORRECT, None, "?", "a?", "b?", Confidence.LOW, attempt=False)


@given(st.text(st.characters(codec=None, categories=None)))
def test_every_text_can_be_stored(text: str) -> None:
    stored = codec.storable(text)
    assert len(stored) == len(text)
    assert stored.encode("utf-8").decode("utf-8") == stored
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert stored == text


def test_ids_keep_their_order_and_drop_repeats() -> None:
    assert json.loads(codec.ids([2**62, 1, 2**62, 3])) == [2**62, 1, 3]
    assert codec.ids([]) == "[]"
