"""Lesson ranges as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.errors import BadRange
from lessons.material import select_lessons

NUMBERS = ("33", "34", "35", "36", "37", "38", "39")
BOOKS = ("Genki 3", "Genki 4", "Genki 10", "Intermediate Japanese 3", "N5", "")
NAMES = ("て-form", "Keigo, part 1", "５課", "L6", "Lesson 7", "第8課", "7")


@pytest.mark.parametrize(
    ("text", "known", "expected"),
    [
        ("", NUMBERS, NUMBERS),
        ("  ", ("b", "a", "b"), ("b", "a")),
        ("34-36", NUMBERS, ("34", "35", "36")),
        ("36-34", NUMBERS, ("34", "35", "36")),
        ("38, 33-34", NUMBERS, ("33", "34", "38")),
        ("38、33〜34", NUMBERS, ("33", "34", "38")),
        ("38 33–34", NUMBERS, ("33", "34", "38")),
        ("３４", NUMBERS, ("34",)),
        ("L34", NUMBERS, ("34",)),
        ("lesson 34 to 35", NUMBERS, ("34", "35")),
        ("第34課から第35課まで", NUMBERS, ("34", "35")),
        ("34ー35", NUMBERS, ("34", "35")),
        ("034", NUMBERS, ("34",)),
        ("1-999999", NUMBERS, NUMBERS),
        ("99", NUMBERS, ()),
        ("genki 3-5", BOOKS, ("Genki 3", "Genki 4")),
        ("ＧＥＮＫＩ　３", BOOKS, ("Genki 3",)),
        ("3", BOOKS, ("Genki 3", "Intermediate Japanese 3")),
        ("5", BOOKS, ()),  # N5 is a name
        ("n5, genki 10", BOOKS, ("Genki 10", "N5")),
        ("tobira 3", BOOKS, ()),
        ("tobira", BOOKS, ()),
        ("tobira x", BOOKS, ()),
        ("て-form", NAMES, ("て-form",)),
        ("keigo,  part 1", NAMES, ("Keigo, part 1",)),
        ("5-8", NAMES, ("５課", "L6", "Lesson 7", "第8課", "7")),
        ("7", NAMES, ("7",)),
        ("l7", NAMES, ("Lesson 7", "7")),
    ],
)
def test_ranges(text: str, known: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert select_lessons(text, known) == expected


@pytest.mark.parametrize("text", ["3--5", "-", "5-", "3 ?", "1-2-3"])
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(BadRange) as caught:
        select_lessons(text, NUMBERS)
    assert caught.value.text == text
    assert not caught.value.too_long


@pytest.mark.parametrize("text", ["1-100000000", "100000000", "1-12345678, 3", "3" * 201, "1," * 101])
def test_what_is_too_long(text: str) -> None:
    with pytest.raises(BadRange) as caught:
        select_lessons(text, NUMBERS)
    assert (caught.value.text, caught.value.too_long) == (text, True)


@given(st.text(max_size=40), st.lists(st.text(max_size=10), max_size=5))
def test_a_range_selects_known_lessons_or_says_that_it_cannot_be_read(text: str, known: list[str]) -> None:
    try:
        selected = select_lessons(text, known)
    except BadRange:
        return
    assert set(selected) <= set(known)
    assert len(set(selected)) == len(selected)
