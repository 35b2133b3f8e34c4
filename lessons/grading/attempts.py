"""What is no attempt at the answer: blank, unreadable, the question itself, half-converted or in another script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from lessons.grading.sounds import sounds_alike
from lessons.grading.spelling import bare
from lessons.model import BLANK, Remark
from lessons.text import fold, has_japanese, has_latin, has_odd_characters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.grading.spelling import Spelling

_PARTS: Final = regex.compile(r"[;；,，、/／|｜]")
_OTHER: Final = regex.compile(r"[\p{L}--\p{Latin}--\p{Han}--\p{Hiragana}--\p{Katakana}ー]", regex.V1)
_KANA_SCRIPTS: Final = {"hiragana": regex.compile(r"\p{Hiragana}"), "katakana": regex.compile(r"\p{Katakana}")}
_SPEAKS: Final = regex.compile(r"[\p{L}\p{N}]")
_CONSONANT: Final = regex.compile(r"[b-df-hj-np-tv-z]")


def unusable(typed: Spelling, prompt: str) -> Remark | None:
    """Say why a text cannot be graded at all: nothing in it, odd characters, or the question typed back."""
    if not fold(typed.written):
        return Remark.BLANK_ANSWER
    if has_odd_characters(typed.written) or not _SPEAKS.search(typed.text):
        return Remark.ODD_CHARACTERS
    questions = {bare(prompt), bare(prompt.replace(BLANK, "")), *map(bare, _PARTS.split(prompt))}
    return Remark.TYPED_BACK if typed.text in questions else None


def wrong_script(typed: Spelling, accepted: Sequence[Spelling]) -> Remark | None:
    """Say whether the text is written in letters that none of the answers uses."""
    answers = "".join(answer.text for answer in accepted)
    if has_japanese(typed.text) and has_latin(typed.text) and not has_latin(answers) and has_japanese(answers):
        return Remark.MISTYPED_KANA
    if _scripts(typed.text).isdisjoint(_scripts(answers)) and _scripts(typed.text) and _scripts(answers):
        half_typed = has_japanese(answers) and _CONSONANT.fullmatch(typed.text)
        return Remark.MISTYPED_KANA if half_typed else Remark.WRONG_SCRIPT
    return None


def stray_ending(typed: Spelling, accepted: Sequence[Spelling]) -> bool:
    """Tell whether only a small っ at the end, left by the keyboard, keeps a text from being right: とっ for と."""
    rest = typed.text.removesuffix("っ")
    return rest != typed.text and any(
        rest == answer.text or any(sounds_alike(rest, reading) for reading in answer.readings) for answer in accepted
    )


def kana_scripts(text: str) -> set[str]:
    """Return which of the two kana a text uses; ー belongs to both."""
    return {name for name, pattern in _KANA_SCRIPTS.items() if pattern.search(text)}


def _scripts(text: str) -> set[str]:
    found = {"japanese": has_japanese(text), "latin": has_latin(text), "other": _OTHER.search(text) is not None}
    return {script for script, present in found.items() if present}
