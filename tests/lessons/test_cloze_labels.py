"""The shipped labels: they describe what is generated, and what is closed has one filler nearly always."""

from __future__ import annotations

import csv
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from lessons.cloze import blanks, load_levels, split
from lessons.model import Prose, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.model import Analysis, Blank

PARTS = {"made on": (1, 50), "looked at afterwards": (51, 150)}
LEAST_CLOSED = 0.95
LEAST_A_SENTENCE = 2


@pytest.fixture(scope="module")
def labels() -> list[dict[str, str]]:
    text = files("lessons").joinpath("data/evaluation/blanks.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@pytest.fixture(scope="module")
def made(labels: list[dict[str, str]], look_up: Callable[[str], Analysis]) -> dict[tuple[str, int, int], Blank]:
    """Generate the blanks of every labelled sentence, by sentence and span."""
    texts = list(dict.fromkeys(row["sentence"] for row in labels))
    sentences = split(Prose("", tuple(texts)), [look_up(text) for text in texts])
    assert [sentence.text for sentence in sentences] == texts
    levels = load_levels()
    return {(one.text, blank.start, blank.end): blank for one in sentences for blank in blanks(one, levels)}


def _place(row: dict[str, str]) -> tuple[str, int, int]:
    return row["sentence"], int(row["start"]), int(row["end"])


def test_labels_and_generated_blanks_are_the_same(
    labels: list[dict[str, str]], made: dict[tuple[str, int, int], Blank]
) -> None:
    shown = {_place(row): (row["answer"], row["unit"], row["cue"], row["also"]) for row in labels}
    assert shown == {
        place: (blank.answer, blank.unit.value, blank.cue, "|".join(blank.also)) for place, blank in made.items()
    }


def test_a_label_is_yes_or_no_with_another_filler(labels: list[dict[str, str]]) -> None:
    assert {(row["one_filler"], bool(row["other"])) for row in labels} == {("yes", False), ("no", True)}
    assert len({row["id"] for row in labels}) == len(labels)
    assert not any(row["other"] in {row["answer"], *row["also"].split("|")} for row in labels if row["other"])


@pytest.mark.parametrize("part", PARTS)
def test_closed_blanks_have_one_filler_more_often_than_blanks_at_random(
    part: str, labels: list[dict[str, str]], made: dict[tuple[str, int, int], Blank]
) -> None:
    first, last = PARTS[part]
    some = [row for row in labels if first <= int(row["id"][:3]) <= last]
    closed = Counter(row["one_filler"] for row in some if made[_place(row)].closed)
    everything = Counter(row["one_filler"] for row in some)
    assert closed["yes"] / closed.total() >= LEAST_CLOSED > everything["yes"] / everything.total()
    assert closed.total() / (last - first + 1) >= LEAST_A_SENTENCE


def test_every_unit_has_closed_blanks(made: dict[tuple[str, int, int], Blank]) -> None:
    assert {blank.unit for blank in made.values() if blank.closed} == set(Unit)
