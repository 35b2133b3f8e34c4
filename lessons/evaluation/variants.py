"""The ways a mistake could be put into words before it is embedded, each with and without its labels in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import regex

from lessons.cards import card_text, pair_text
from lessons.model import BLANK

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.model import MistakeCard

CLEAN: Final = "clean"
"""The name of the card that is embedded."""

PAIR: Final = "pair"
_AROUND: Final = 8  # characters on either side of the blank
_SCRIPTS: Final = (
    ("kanji", r"\p{Han}"),
    ("hiragana", r"\p{Hiragana}"),
    ("katakana", r"\p{Katakana}"),
    ("latin", r"\p{Latin}"),
)

_POS: Final = {
    "助詞": "particle", "動詞": "verb", "名詞": "noun", "形容詞": "i-adjective", "形状詞": "na-adjective", "副詞": "adverb",
    "助動詞": "auxiliary verb", "接尾辞": "suffix", "感動詞": "interjection", "連体詞": "adnominal", "接続詞": "conjunction",
    "代名詞": "pronoun",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Variant:
    """A card's text: its name, what it holds, and how it is made."""

    name: str
    holds: str
    text: Callable[[MistakeCard], str]


def labelled(variant: Variant, card: MistakeCard) -> str:
    """Return the text with part of speech (and level) in brackets in front and the error type behind."""
    if variant.name in _IN_WORDS:
        return f"{_in_words(card)} {variant.text(card)}"
    tag = " ".join(part for part in (card.part_of_speech, card.level) if part)
    return f"[{tag}]\n{variant.text(card)}\nError: {card.error_type}"


def _full(card: MistakeCard) -> str:
    return f"Prompt: {card.prompt}\n{card_text(card)}"


def _prompt_and_pair(card: MistakeCard) -> str:
    return f"Prompt: {card.prompt}\nReference: {card.reference}\nUser: {card.typed}"


def _long_feedback(card: MistakeCard) -> str:
    return (
        f"Feedback: {card.feedback} The learner wrote 「{card.typed}」 where 「{card.reference}」 is right, in the "
        f"sentence 「{card.prompt.replace(BLANK, card.reference)}」."
    )


def _around(card: MistakeCard) -> str:
    before, _, after = card.prompt.partition(BLANK)
    return f"{before[-_AROUND:]}{BLANK}{after[:_AROUND]}\n{card_text(card)}"


def _both_sentences(card: MistakeCard) -> str:
    return f"{card.prompt.replace(BLANK, card.reference)}\n{card.prompt.replace(BLANK, card.typed)}"


def _abstract(card: MistakeCard) -> str:
    """Describe reference and answer by script and length alone, and how the one became the other."""
    right, wrong = card.reference, card.typed
    if len(wrong) == len(right):
        change = "the same length"
    else:
        change = f"{abs(len(wrong) - len(right))} characters {'longer' if len(wrong) > len(right) else 'shorter'}"
    inside = "which holds the right one" if right in wrong else "held by the right one" if wrong in right else "apart"
    return f"Pattern: {_shape(right)} wanted, {_shape(wrong)} written, {change}, {inside}"


def _shape(text: str) -> str:
    scripts = [name for name, pattern in _SCRIPTS if regex.search(pattern, text)]
    return f"{len(text)} of {' and '.join(scripts) or 'signs'}"


def _plain_words(card: MistakeCard) -> str:
    return f"The right answer was 「{card.reference}」 and the learner wrote 「{card.typed}」. {card.feedback}"


def _in_words(card: MistakeCard) -> str:
    """Say the labels as a person would."""
    what = _POS.get(card.part_of_speech, card.part_of_speech or "word")
    level = f" of JLPT level {card.level}" if card.level else ""
    return f"A mistake of {card.error_type.replace('_', ' ')} in a {what}{level}."


VARIANTS: Final = (
    Variant("full", "Prompt, Reference, User, Feedback", _full),
    Variant(CLEAN, "Reference, User, Feedback", card_text),
    Variant("prompt and pair", "Prompt, Reference, User", _prompt_and_pair),
    Variant("prompt only", "Prompt", lambda card: f"Prompt: {card.prompt}"),
    Variant(PAIR, "reference ／ answer", pair_text),
    Variant("reference only", "Reference", lambda card: f"Reference: {card.reference}"),
    Variant("answer only", "User", lambda card: f"User: {card.typed}"),
    Variant("feedback only", "Feedback", lambda card: f"Feedback: {card.feedback}"),
    Variant("long feedback", "Feedback and the whole correction in a sentence", _long_feedback),
    Variant("no field names", "reference, answer, feedback, bare", lambda c: f"{c.reference}\n{c.typed}\n{c.feedback}"),
    Variant("around the blank", f"{_AROUND} characters on either side, Reference, User, Feedback", _around),
    Variant("both sentences", "the sentence with the reference, with the answer", _both_sentences),
    Variant("abstract", "script, length, change; no word of it (labelled: with its grammatical tag)", _abstract),
    Variant("natural language", "one sentence (labelled: the tags as words)", _plain_words),
)
"""Fourteen cards; with their labels in or out, twenty-eight texts."""

_IN_WORDS: Final = frozenset({"natural language"})
