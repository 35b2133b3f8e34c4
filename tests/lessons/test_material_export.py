"""Rows to a file and back: the same rows, the same keys, and nothing a spreadsheet would run."""

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lessons.errors import UnreadableFile
from lessons.material import Limits, export, guard_formula, read, template
from lessons.material.escapes import unguard_formula
from lessons.model import BLANK, ErrorType, ItemKind, Row, Sheet, Source

FILES = Path(__file__).parent / "files"
WIDE = Limits(bytes=1 << 24)


def unplaced(rows: Iterable[Row]) -> list[Row]:
    return [replace(row, line=0) for row in rows]


def table_of(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))


@pytest.mark.parametrize("name", ["jlpt.csv", "kotoba.bom.csv"])
def test_a_real_file_comes_back_as_it_was(name: str) -> None:
    sheet = read((FILES / name).read_bytes(), name)
    again = read(export(sheet.rows), "export.csv")
    assert unplaced(again.rows) == unplaced(sheet.rows)
    assert again.source is Source.NATIVE


def test_an_export_is_what_spreadsheets_open() -> None:
    row = Row(
        "id:1",
        5,
        "L1",
        ItemKind.VOCAB,
        "to eat",
        ("食べる", "喰|う"),
        "たべる|くう",
        skill=ErrorType.TENSE,
        tags=("a", "b"),
    )
    data = export([row])
    assert data.startswith(b"\xef\xbb\xbfid,lesson,type,prompt,")
    assert data.endswith(b"\r\n")
    assert table_of(data)[1] == [
        "1",
        "L1",
        "vocab",
        "to eat",
        "食べる",
        r"喰\|う",
        "たべる|くう",
        "",
        "",
        "",
        "tense",
        "a b",
    ]


def test_the_template_is_a_good_pack() -> None:
    sheet = read(template(), "template.csv")
    assert sheet.source is Source.NATIVE
    assert not sheet.problems
    assert {row.kind for row in sheet.rows} == {ItemKind.CLOZE, ItemKind.VOCAB}
    assert any(row.hint for row in sheet.rows)
    assert any(len(row.answers) > 1 for row in sheet.rows)
    assert export(sheet.rows) == template()


PAYLOADS = [
    start + rest
    for start in ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", " =", "\xa0=", "\u3000@", "''=", "'=", "a\n=", "a\r\n-", "\n\n+")
    for rest in ("cmd|' /C calc'!A0", "1+1", "")
]  # fmt: skip


@pytest.mark.parametrize("cell", PAYLOADS)
def test_no_cell_is_a_formula(cell: str) -> None:
    guarded = guard_formula(cell)
    assert guarded.startswith("'")
    for line in guarded.splitlines()[1:]:
        assert not line.strip().startswith(tuple("=+-@＝＋－＠"))
    assert unguard_formula(guarded) == cell


@pytest.mark.parametrize("cell", ["", "a=b", "'tis", "1-2", "食べる", "a\nb", "'a\n'b"])
def test_other_cells_are_left_alone(cell: str) -> None:
    assert guard_formula(cell) == cell
    assert unguard_formula(cell) == cell


@given(st.text(alphabet=" '=+-@\t\r\na＝", max_size=12))
def test_guarding_is_undone_exactly(cell: str) -> None:
    assert unguard_formula(guard_formula(cell)) == cell
    if guard_formula(cell) == cell:
        assert unguard_formula(cell) == cell


TRICKY = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("\\|'=+-@＝[]()（）{}_＿<>&;:,\"/、 \n~～は食たべ一かaB1.か\u3099\u200b*漢")),
        st.characters(codec="utf-8", exclude_categories=("Cs",)),
    ),
    max_size=14,
)
MARKUP = st.sampled_from(
    [
        "<b>", "&lt;", "&amp;lt;", "&nbsp;", "食[た]べる", "{{c1::は::x}}", "{{", "}}", "[sound:a]", "___", BLANK, "::", "\\",
        "'=1", "<ruby>字<rt>じ</rt></ruby>", "(する)", "<br>", "\\|", "\\_", "（）", "[...]", "\n-", "＝1",
    ]
)  # fmt: skip
CELL = st.lists(st.one_of(TRICKY, MARKUP), max_size=4).map("".join)
HEADERS = st.sampled_from(
    [
        ("id", "lesson", "type", "prompt", "answer", "also_ok", "reading", "meaning", "hint", "explanation", "tags"),
        ("prompt", "answer", "also_ok", "reading", "hint"),
        ("Question", "Answers", "Comment"),
        ("expression", "reading", "meaning", "tags", "guid"),
        ("sentence", "translation", "cloze"),
        ("Front", "Back", "Notes"),
    ]
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    header = draw(HEADERS)
    cells = st.tuples(*[st.sampled_from(["", "cloze", "vocab"]) if name == "type" else CELL for name in header])
    out = io.StringIO()
    csv.writer(out).writerows([header, *draw(st.lists(cells, min_size=1, max_size=4))])
    return out.getvalue().encode()


def attempt(data: bytes) -> Sheet | None:
    try:
        return read(data, "any.csv", WIDE)
    except UnreadableFile:
        return None


@given(files())
@example(b"prompt,answer\n&lt;b&gt;,a(\n")
@example(b'prompt,answer,also_ok\n"\\_\\_ ___ \\_\\_","a(","b)|\\|"\n')
@example(b'prompt,answer\n"=1\n- a\n\'- b","\'\'=2"\n')
def test_any_row_that_was_read_comes_back_exactly(data: bytes) -> None:
    sheet = attempt(data)
    if sheet is None or not sheet.rows:
        return
    exported = export(sheet.rows)
    again = read(exported, "export.csv", WIDE)
    assert unplaced(again.rows) == unplaced(sheet.rows)
    assert export(again.rows) == exported
    for cells in table_of(exported):
        assert all(guard_formula(unguard_formula(cell)) == cell for cell in cells)


@given(st.binary(max_size=4096))
def test_any_bytes_give_a_sheet_or_a_refusal(data: bytes) -> None:
    attempt(data)


@given(st.text(alphabet="a,\t;|\"'\n\r#:{}<>[]_＿は食&\\=(){}::c1", max_size=400))
def test_any_text_gives_a_sheet_or_a_refusal(text: str) -> None:
    sheet = attempt(text.encode())
    if sheet is None:
        return
    assert len({row.key for row in sheet.rows}) == len(sheet.rows)
    for row in sheet.rows:
        assert all(row.answers)
        assert row.prompt
        assert row.kind is ItemKind.VOCAB or row.prompt.count(BLANK) == 1
    lines = text.count("\n") + text.count("\r") + 1
    assert all(1 <= problem.line <= lines for problem in sheet.problems)
