"""Sentences that are put together from facts."""

from __future__ import annotations

import pytest

from cogs.messages import counted, failure, lessons_named
from lessons.errors import BadRange, NothingMatches, Refusal, UnreadableFile, UnusableName


def test_one_is_no_plural() -> None:
    assert [counted(number, "row") for number in (0, 1, 2, 10_000)] == ["0 rows", "1 row", "2 rows", "10,000 rows"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (tuple(map(str, range(1, 13))), "1 to 12"),
        (("10", "9", "8", "2", "1"), "1, 2, 8 to 10"),
        (("", "3"), "3"),
        (("Genki 3", "Genki 4", "Genki 5", "て-form", "1", "2", "3"), "1 to 3, `Genki 3` to `Genki 5`, `て-form`"),
        (("N5", "N4", "05", "006"), "05, 006, `N4`, `N5`"),
        (("第1課", "1234567"), "1234567, `第1課`"),
        (
            tuple(f"{letter}-form" for letter in "abcdefghij"),
            ", ".join(f"`{c}-form`" for c in "abcdefgh") + " and 2 more",
        ),
    ],
)
def test_lessons_in_a_row_are_named_by_the_first_and_the_last(names: tuple[str, ...], said: str) -> None:
    assert lessons_named(names) == said


def test_a_range_that_finds_nothing_names_what_there_is() -> None:
    error = NothingMatches("particles", "abc", tuple(map(str, range(1, 13))))
    assert failure(error) == "Nothing matches `abc`. There are lessons 1 to 12."
    assert failure(NothingMatches("particles", "abc", ("",))) == "Nothing matches `abc`."
    assert failure(NothingMatches("particles", "abc", ("7", ""))) == "Nothing matches `abc`. There is only lesson 7."


def test_a_long_range_is_told_from_one_that_cannot_be_read() -> None:
    assert failure(BadRange("1-100000000", too_long=True)).startswith("That range is too long. Write lessons like")
    assert failure(BadRange("%%")).startswith("I cannot read `%%` as lessons. Write lessons like")


def test_a_file_of_one_column_is_shown_how_it_begins() -> None:
    said = failure(UnreadableFile(Refusal.NOT_A_TABLE, "@everyone"))
    assert "one with the question and one with the answer" in said
    assert "it begins `@\u2060everyone`" in said


def test_a_name_of_nothing_is_not_shown() -> None:
    assert "` `" not in failure(UnusableName("", 60))
