"""Bytes to records: encodings, refusals, delimiters, quotes, line numbers."""

import csv
import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.errors import Refusal, UnreadableFile
from lessons.material import Limits, read
from lessons.material.table import tabulate
from lessons.model import ProblemKind

JAPANESE = "prompt,answer\nto eat,食べる\nto drink,飲む\nstation,駅（えき）です\nカタカナ,ひらがな\n"
MARK = "\ufeff"
DEFAULT = Limits()


def refused(data: bytes, limits: Limits = DEFAULT) -> UnreadableFile:
    with pytest.raises(UnreadableFile) as caught:
        read(data, "lessons.csv", limits)
    return caught.value


def rows(text: str) -> list[tuple[int, str, str]]:
    return [(row.line, row.prompt, row.answers[0]) for row in read(text.encode(), "lessons.csv").rows]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        pytest.param(JAPANESE.encode(), "UTF-8", id="utf-8"),
        pytest.param((MARK + JAPANESE).encode(), "UTF-8 with BOM", id="a mark glued to the first header"),
        pytest.param((MARK * 2 + JAPANESE).encode(), "UTF-8 with BOM", id="two marks"),
        pytest.param(JAPANESE.encode("utf-16"), "UTF-16 (little-endian)", id="utf-16 with mark"),
        pytest.param((MARK + JAPANESE).encode("utf-16-be"), "UTF-16 (big-endian)", id="utf-16 big-endian"),
        pytest.param(JAPANESE.encode("utf-16-le"), "UTF-16 (little-endian)", id="utf-16 without mark"),
        pytest.param(JAPANESE.encode("utf-16-be"), "UTF-16 (big-endian)", id="big-endian without mark"),
        pytest.param(JAPANESE.encode("cp932"), "Shift_JIS (Windows-31J)", id="Japanese Excel"),
        pytest.param(JAPANESE.encode("euc_jp"), "EUC-JP", id="euc-jp, which cp932 reads as half-width katakana"),
        pytest.param(JAPANESE.encode("iso2022_jp"), "ISO-2022-JP", id="old mail"),
    ],
)
def test_every_encoding_gives_the_same_rows_and_its_name(data: bytes, name: str) -> None:
    sheet = read(data, "lessons.csv")
    assert sheet.encoding == name
    assert [row.answers[0] for row in sheet.rows] == ["食べる", "飲む", "駅（えき）です", "ひらがな"]
    assert sheet.columns == ("prompt", "answer")


def test_kanji_alone_are_plausible_in_shift_jis() -> None:
    assert read("prompt,answer\nstation,駅\nwater,水\n".encode("cp932"), "x").encoding == "Shift_JIS (Windows-31J)"


def test_half_width_readings_are_plausible_beside_their_kanji() -> None:
    data = "word,reading,meaning\n駅,ｴｷ,station\n学校,ｶﾞｯｺｳ,school\n".encode("cp932")
    assert read(data, "x").encoding == "Shift_JIS (Windows-31J)"


def test_umlauts_of_a_german_pack_are_no_mojibake() -> None:
    sheet = read("prompt,answer\nMädchen,少女\nÜbung,練習\nschön; größer,きれい\n".encode(), "x")
    assert len(sheet.rows) == 3


@pytest.mark.parametrize(
    ("data", "reason", "detail"),
    [
        pytest.param(b"", Refusal.EMPTY, "", id="empty"),
        pytest.param(b"\xef\xbb\xbf \r\n", Refusal.EMPTY, "", id="only a mark"),
        pytest.param(b"PK\x03\x04 xl/workbook.xml", Refusal.ARCHIVE, "xlsx", id="xlsx"),
        pytest.param(b"PK\x03\x04 collection.anki21", Refusal.ARCHIVE, "apkg", id="apkg"),
        pytest.param(b"PK\x03\x04 readme", Refusal.ARCHIVE, "zip", id="zip"),
        pytest.param(b"%PDF-1.7", Refusal.ARCHIVE, "PDF", id="pdf"),
        pytest.param(b"\x89PNG\r\n", Refusal.ARCHIVE, "PNG", id="png"),
        pytest.param(b"SQLite format 3\x00", Refusal.ARCHIVE, "Anki", id="anki2"),
        pytest.param(b"<!DOCTYPE html><p>a,b", Refusal.ARCHIVE, "a web page", id="a page saved instead of the file"),
        pytest.param(b"a,b\nc,\x00d\n", Refusal.NUL_BYTES, "", id="nul"),
        pytest.param(b"a\x00b\x00c\x00", Refusal.NUL_BYTES, "", id="nul pattern without a line"),
        pytest.param((MARK + "a,\x00b\n").encode(), Refusal.NUL_BYTES, "", id="nul behind a mark"),
        pytest.param(b"\xff\xfea\x00,", Refusal.UNKNOWN_ENCODING, "UTF-16", id="half a character"),
        pytest.param(b"a,b\n\x81\x20,c\n", Refusal.UNKNOWN_ENCODING, "Shift_JIS", id="no encoding at all"),
        pytest.param("Mädchen,b\nMädchen,b\n".encode("latin-1"), Refusal.MOJIBAKE, "EUC-JP", id="latin-1 umlauts"),
        pytest.param(
            JAPANESE.encode().decode("latin-1").encode(), Refusal.MOJIBAKE, "UTF-8", id="utf-8 read as latin-1"
        ),
        pytest.param(
            JAPANESE.encode("cp932").decode("latin-1").encode(), Refusal.MOJIBAKE, "", id="cp932 read as latin-1"
        ),
        pytest.param("a,縺ゅ＞縺\nb,繧ｫ繧ｿ縺ｪ\n".encode(), Refusal.MOJIBAKE, "", id="utf-8 read as cp932"),
        pytest.param("a,\ufffd\ufffd\n".encode(), Refusal.MOJIBAKE, "", id="characters lost earlier"),
        pytest.param(b"\x01\x02\x03,\x04\n\x05,\x06", Refusal.ARCHIVE, "binary", id="binary"),
        pytest.param(b"Just a line of text\nand another one.", Refusal.NOT_A_TABLE, "Just a line of text", id="prose"),
        pytest.param(b"one\ntwo\n", Refusal.NOT_A_TABLE, "one", id="one column"),
        pytest.param(b"1,2\n3,4\n", Refusal.MISSING_COLUMNS, "1, 2", id="numbers alone"),
        pytest.param(
            b"question,foo\nWho?,4\nWhat?,5\n",
            Refusal.MISSING_COLUMNS,
            "question, foo",
            id="a header without an answer",
        ),
        pytest.param(b"prompt,hint\na,b\n", Refusal.MISSING_COLUMNS, "prompt, hint", id="a question without an answer"),
        pytest.param(b"answer,hint\na,b\n", Refusal.MISSING_COLUMNS, "answer, hint", id="an answer without a question"),
        pytest.param(b"#html:true\n", Refusal.NOT_A_TABLE, "", id="Anki's directives alone"),
        pytest.param(b"prompt,answer\n", Refusal.NO_ROWS, "", id="only a header"),
        pytest.param(b"#separator:tab\n", Refusal.NO_ROWS, "", id="only a directive"),
        pytest.param(b"sep=;\n\n", Refusal.NO_ROWS, "", id="only Excel's separator"),
    ],
)
def test_what_is_no_lesson_file_is_refused_by_name(data: bytes, reason: Refusal, detail: str) -> None:
    error = refused(data)
    assert error.reason is reason
    assert detail in error.detail


def test_limits_of_a_file_tell_how_much_was_found() -> None:
    big = refused(b"a,b\n" * 300_000)
    assert (big.reason, big.found, big.limit) == (Refusal.TOO_LARGE, 1_200_000, 1 << 20)
    long = refused(b"a,b\n" * 200_000)
    assert (long.reason, long.found, long.limit) == (Refusal.TOO_MANY_ROWS, 200_000, 10_000)
    one_more = refused(b"a,b\nc,d\ne,f\n", Limits(rows=2))
    assert (one_more.reason, one_more.found) == (Refusal.TOO_MANY_ROWS, 3)
    assert len(read(b"prompt,answer\nc,d\ne,f\n", "x", Limits(rows=2)).rows) == 2
    wide = refused(b"prompt,answer" + b",x" * 40 + b"\na,b\n")
    assert (wide.reason, wide.found, wide.limit) == (Refusal.TOO_MANY_COLUMNS, 42, 40)
    assert read(b"prompt,answer" + b"," * 60 + b"\na,b\n", "x").rows  # empty columns of a spreadsheet do not count


def test_a_full_file_is_read_and_a_monstrous_one_refused_at_once() -> None:
    full = "expression,reading,meaning\n" + "".join(f"語{number},ご,word {number}\n" for number in range(10_000))
    start = time.process_time()
    assert len(read(full.encode(), "x").rows) == 10_000
    assert time.process_time() - start < 5
    start = time.process_time()
    refused(b"a,b\n" * 200_000)
    assert time.process_time() - start < 1


def test_notes_with_many_clozes_cannot_grow_past_the_limit() -> None:
    note = "".join(f"{{{{c{number}::x{number}}}}} " for number in range(1, 60))
    assert refused(f"prompt,answer\n{note},\n{note}y,\n".encode(), Limits(rows=100)).reason is Refusal.TOO_MANY_ROWS


@pytest.mark.parametrize("delimiter", ["\t", ",", ";", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = f'prompt{delimiter}answer\n"one, two; three"{delimiter}ichi\nfour{delimiter}"shi | yon"\n'
    sheet = read(text.encode(), "x")
    assert sheet.delimiter == delimiter
    assert sheet.rows[0].prompt == "one, two; three"


def test_semicolons_between_unquoted_commas() -> None:
    text = "prompt;answer;;\r~ district, ~ ward, ~ borough;区;;\ras I thought, absolutely;やはり;;\r"
    assert rows(text) == [(2, "~ district, ~ ward, ~ borough", "区"), (3, "as I thought, absolutely", "やはり")]


def test_excel_names_its_separator() -> None:
    assert rows("sep=;\nprompt;answer\na,b;c\n") == [(3, "a,b", "c")]


@pytest.mark.parametrize(("named", "delimiter"), [("tab", "\t"), ("Pipe", "|"), (";", ";"), ("", "\t"), ("\t", "\t")])
def test_anki_names_its_separator(named: str, delimiter: str) -> None:
    text = f"#separator:{named}\n#html:true\na{delimiter}b\n"
    assert tabulate(text, 10).delimiter == delimiter


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_an_editor_counts_them(end: str) -> None:
    text = end.join(["prompt,answer", '"a', 'b",c', "", ",", '"d ""e""",f', "g,h"])
    assert rows(text) == [(2, "a\nb", "c"), (6, 'd "e"', "f"), (7, "g", "h")]


def test_a_quote_that_never_closes_is_named_by_its_line() -> None:
    error = refused(b'prompt,answer\na,b\nc,"d\ne,f\n')
    assert (error.reason, error.found) == (Refusal.UNBALANCED_QUOTE, 3)


def test_a_quote_that_swallows_rows_is_refused_at_the_line_where_it_opened() -> None:
    error = refused(b'prompt,answer\na,"b\nc,"d"\ne,f\n')
    assert (error.reason, error.found) == (Refusal.UNBALANCED_QUOTE, 2)


def test_a_quote_that_opens_behind_a_broken_cell_is_refused_too() -> None:
    assert refused(b'prompt,answer\n"a"x,"b\nc,d\n').found == 2


def test_a_quote_in_the_first_line_is_no_other_refusal() -> None:
    error = refused(b'"prompt,answer\na,b\n')
    assert (error.reason, error.found) == (Refusal.UNBALANCED_QUOTE, 1)


def test_text_behind_a_closing_quote_spoils_its_own_row_only() -> None:
    sheet = read(b'prompt,answer\n"a"x,b\nc,d\n', "x")
    assert [row.prompt for row in sheet.rows] == ["c"]
    assert [(problem.line, problem.kind) for problem in sheet.problems] == [(2, ProblemKind.UNBALANCED_QUOTE)]


def test_a_quote_inside_a_cell_is_a_character() -> None:
    assert rows('prompt,answer\nthe 5" nail,kugi\n') == [(2, 'the 5" nail', "kugi")]


@given(st.text(alphabet='ab,"\n\r', max_size=40))
def test_records_are_those_of_the_csv_module(text: str) -> None:
    try:
        table = tabulate("x,y\n" * 40 + text, 100)
    except UnreadableFile:
        return
    if any(record.broken for record in table.records):
        return
    lines = io.StringIO("x,y\n" * 40 + text, newline="")
    expected = [tuple(cells) for cells in csv.reader(lines, strict=True) if any(map(str.strip, cells))]
    assert [record.cells for record in table.records] == expected
