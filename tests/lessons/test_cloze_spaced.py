"""Sentences and blanks of languages written with spaces."""

from __future__ import annotations

import pytest

from lessons.cloze import blanks, levels_of, row, split_spaced
from lessons.model import BLANK, Blank, ErrorType, Prose, Unit

LEVELS = levels_of(())


def _cut(*paragraphs: str) -> list[str]:
    return [sentence.text for sentence in split_spaced(Prose("", paragraphs))]


def _blanks(text: str, *function_words: str, language: str = "en") -> list[Blank]:
    (sentence,) = split_spaced(Prose("", (text,)))
    return blanks(sentence, LEVELS, language=language, function_words=function_words)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rained. It was cold!", ["It rained.", "It was cold!"]),
        ("Dr. Smith met Mr. Lee. They talked.", ["Dr. Smith met Mr. Lee.", "They talked."]),
        ("The U.S. team won 3.5 million in 2024. It is rich.", ["The U.S. team won 3.5 million in 2024.", "It is rich."]),
        ("Am 3. Mai beginnt das Fest.", ["Am 3. Mai beginnt das Fest."]),
        ("„Wie?“ fragte er. Dann ging er.", ["„Wie?“ fragte er.", "Dann ging er."]),
        ("He said no. “Go!” She left…", ["He said no.", "“Go!”", "She left…"]),
        ("It cost 5.", ["It cost 5."]),
        ("Short headline", []),
        ("A headline that is long enough to be a sentence of its own", ["A headline that is long enough to be a sentence of its own"]),
        (f"The gap {BLANK} is here.", []),
        ("", []),
    ],
)  # fmt: skip
def test_dots_of_abbreviations_and_numbers_end_no_sentence(text: str, sentences: list[str]) -> None:
    assert _cut(text) == sentences


def test_words_carry_no_reading_and_add_up_to_the_text() -> None:
    (sentence,) = split_spaced(Prose("", ("", "Don't wait, it's 3.5 km!"), rubies=(("km", "x"), ("mm", "y"))))
    assert "".join(word.surface for word in sentence.words) == sentence.text
    assert sentence.words[0].normalized == "don't"
    assert {word.reading for word in sentence.words} == {""}
    assert (sentence.paragraph, sentence.rubies) == (1, (("km", "x"),))


def test_function_words_and_longer_words_are_asked_and_nothing_is_closed() -> None:
    found = _blanks("In spring the mayor of Ulm opened a garden.", "in", "the", "of", "a")
    assert [(blank.answer, blank.unit) for blank in found] == [
        ("spring", Unit.WORD), ("the", Unit.PARTICLE), ("mayor", Unit.WORD), ("of", Unit.PARTICLE),
        ("opened", Unit.WORD), ("a", Unit.PARTICLE), ("garden", Unit.WORD),
    ]  # fmt: skip
    assert not any(blank.closed for blank in found)
    assert {blank.cue for blank in found} >= {"sp＿＿＿＿ (6 letters)", "3 letters"}
    assert all("In spring the mayor of Ulm opened a garden."[one.start : one.end] == one.answer for one in found)


@pytest.mark.parametrize(
    "text", ["El perro vio otro perro.", "The 2024 U.S. NATO co-op isn't X1.", "今天天气很好 abc. ", "ภาษาไทยสวย."]
)
def test_names_numbers_repeated_words_and_other_scripts_are_not_asked(text: str) -> None:
    assert [blank.answer for blank in _blanks(text)] in ([], ["otro"])


def test_rows_of_such_blanks_say_what_is_known() -> None:
    (sentence,) = split_spaced(Prose("", ("They went to school.",)))
    went, to, school = blanks(sentence, LEVELS, language="en", function_words=("to",))
    shown = row(sentence, to, "k", 2)
    assert (shown.prompt, shown.answers, shown.hint) == (
        f"They went {BLANK} school.",
        ("to",),
        "2 letters → ends with o",
    )
    assert shown.explanation == "The function word to belongs here."
    assert (shown.skill, shown.tags, shown.line, shown.key) == (ErrorType.OTHER, (), 2, "k")
    assert row(sentence, school, "k", 3).hint == "sc＿＿＿＿ (6 letters) → ends with l"
    assert row(sentence, went, "k", 1).explanation == "Vocabulary: the word here is went."
