"""Files of labelled mistakes: read whole, or refused with everything that is wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import resources

import pytest

from lessons.evaluation import records
from lessons.evaluation.records import COLUMNS, Fault, FaultKind, UnusableRecords
from lessons.model import ErrorType

SHIPPED = resources.files("lessons") / "data" / "evaluation"
HEAD = ",".join(COLUMNS)
ROW = "mika,l1,雨[＿＿＿]降る。,が,を,particle,助詞,ga_wo,one word,0,0,2026-05-11"


def faults(text: str) -> tuple[Fault, ...]:
    with pytest.raises(UnusableRecords) as error:
        records.read(text.encode())
    return error.value.faults


def test_the_shipped_set_is_read() -> None:
    found = records.read((SHIPPED / "mistakes.csv").read_bytes())
    pairs = records.read_pairs((SHIPPED / "pairs.csv").read_bytes(), found)
    assert len(found) == 541
    assert sum(record.junk for record in found) == 30
    assert len(pairs) == 446
    assert all(found[pair.first].learner == found[pair.second].learner for pair in pairs)
    assert all(found[pair.first].exercise != found[pair.second].exercise for pair in pairs)


def test_a_row_becomes_a_record() -> None:
    (found,) = records.read(f"\ufeff{HEAD},level\n{ROW},N5\n\n".encode())
    assert (found.learner, found.exercise, found.concept) == ("mika", "l1", "ga_wo")
    assert found.card.error_type is ErrorType.PARTICLE
    assert found.card.level == "N5"
    assert found.at == datetime(2026, 5, 11, tzinfo=UTC)
    assert not found.retry
    assert not found.junk


def test_columns_may_stand_in_any_order_and_a_time_may_have_a_zone() -> None:
    head = ",".join(reversed(COLUMNS)).upper()
    row = ",".join(reversed([*ROW.split(",")[:-1], "2026-05-11T08:00+09:00"]))
    (found,) = records.read(f"{head}\n{row}\n".encode())
    assert found.at == datetime(2026, 5, 10, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [Fault(FaultKind.NO_COLUMN, column=name) for name in COLUMNS]),
        (HEAD.replace("pos,", ""), [Fault(FaultKind.NO_COLUMN, column="pos")]),
        (f"{HEAD}\n", [Fault(FaultKind.NO_ROWS)]),
        (f"{HEAD}\n{ROW},more\n", [Fault(FaultKind.RAGGED, 2, found="13")]),
        (f'{HEAD}\n{ROW}\n"mika', [Fault(FaultKind.NOT_A_TABLE, 3)]),
        (
            f"{HEAD}\n{ROW.replace('particle', 'grammar').replace('2026-05-11', '11 May')}\n",
            [
                Fault(FaultKind.UNKNOWN_LABEL, 2, "error_type", "grammar"),
                Fault(FaultKind.BAD_DATE, 2, "date", "11 May"),
            ],
        ),
        (
            f"{HEAD}\n{ROW}\n{ROW.replace('mika', ' ').replace(',0,0,', ',maybe,2,')}\n",
            [
                Fault(FaultKind.EMPTY, 3, "learner"),
                Fault(FaultKind.BAD_FLAG, 3, "is_retry", "maybe"),
                Fault(FaultKind.BAD_FLAG, 3, "is_junk", "2"),
            ],
        ),
    ],
)
def test_everything_that_is_wrong_is_told_at_once(text: str, expected: list[Fault]) -> None:
    assert faults(text) == tuple(expected)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(UnusableRecords) as error:
        records.read(HEAD.encode("utf-16"))
    assert error.value.faults == (Fault(FaultKind.NOT_TEXT),)


def test_pairs_of_unknown_mistakes_are_passed_over() -> None:
    found = records.read(f"{HEAD}\n{ROW}\n".encode())
    head = ",".join(records.PAIR_COLUMNS)
    assert records.read_pairs(f"{head}\nmika,l1,2026-05-11,を,l2,2026-05-12,は,1\n".encode(), found) == ()


def test_the_first_try_of_each_learner_and_exercise_is_kept() -> None:
    rows = [ROW, ROW.replace("05-11", "05-09"), ROW.replace("mika", "tom"), ROW.replace("l1", "l2")]
    found = records.read("\n".join([HEAD, *rows]).encode())
    assert records.first_places(found) == (1, 2, 3)


def test_names_are_taken_away() -> None:
    found = records.read(f"{HEAD}\n{ROW}\n{ROW.replace('mika', 'tom')}\n{ROW}\n".encode())
    assert [record.learner for record in records.without_names(found)] == ["learner 1", "learner 2", "learner 1"]
