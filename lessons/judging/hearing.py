"""What the judge said, held against the schema and cleaned of what must not reach a learner or a card."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import regex

from lessons.judging.asking import FIELDS, NONE, NOT_AN_ANSWER, RULES
from lessons.model import Confidence, ErrorType, Judgement, Opinion
from lessons.prompting import PARTS_OF_SPEECH, only_object, repeated, words_of
from lessons.text import LINKS, has_japanese, strip_markup

REPLY_LIMIT: Final = 200_000
"""Characters of a reply that is read at all; one of 800 tokens is far shorter."""

_RAW_LIMIT: Final = 2_000  # characters of one text that are looked at
_FEEDBACK_LIMIT: Final = 300
_DIAGNOSIS_LIMIT: Final = 200
_LAYERS: Final = 4
_CHARACTERS: Final = 24

_MENTIONS: Final = regex.compile(r"<[@#&!:/tTaA][^<>\s]*[^<>]*>?|[@＠]\s*(?:everyone|here)\b|[@＠]\S+", regex.I)
_MASKED: Final = regex.compile(r"\[([^\[\]]*)\]\s*\([^()]*\)")
_UNSEEN: Final = regex.compile(
    r"[\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD]|\|\|"
)
_SEEN: Final = regex.compile(r"[\p{L}\p{N}\p{S}]")
_CHARACTER: Final = regex.compile(r"\X")
_SPACES: Final = regex.compile(r"\s+")


def parse(text: str) -> Judgement:
    """Read a judgement out of a reply: one JSON object that follows the schema, whatever is said around it.

    A reply that contradicts itself is doubted: a right answer with a kind of mistake is incorrect at low confidence, an
    incorrect one without a kind stays so, and the reasons of either are dropped. A part of speech outside the list is
    dropped, since no verdict hangs on it. Texts that are too long are cut. Raises ValueError.
    """
    said = _fields(text)
    opinion, kind = Opinion(said["verdict"]), said["error_type"]
    part, confidence = said["part_of_speech"], Confidence(said["confidence"])
    heard = Judgement(
        opinion=opinion if kind == NONE else Opinion.INCORRECT,
        error_type=None if kind in {NONE, NOT_AN_ANSWER} else ErrorType(kind),
        part_of_speech=PARTS_OF_SPEECH.get(part, part if part in PARTS_OF_SPEECH.values() else ""),
        diagnosis=_presentable(said["diagnosis"], _DIAGNOSIS_LIMIT),
        feedback=_presentable(said["feedback"], _FEEDBACK_LIMIT),
        confidence=confidence,
        attempt=kind != NOT_AN_ANSWER,
    )
    if heard.attempt and (opinion is Opinion.INCORRECT) is (kind == NONE):
        unsure = confidence if opinion is Opinion.INCORRECT else Confidence.LOW
        return replace(heard, error_type=None, diagnosis="", feedback="", confidence=unsure)
    return heard


def _fields(text: str) -> dict[str, str]:
    found = only_object(text, REPLY_LIMIT)
    if set(found) != set(FIELDS):
        raise ValueError("other fields than the schema's")
    said = {name: value for name, value in found.items() if isinstance(value, str)}
    if len(said) < len(found):
        raise ValueError("a field is no text")
    return said


def _presentable(text: str, limit: int) -> str:
    """Return a text on one line without links, mentions and hidden characters, "" when it repeats the rules."""
    shown = _without_markup(text[:_RAW_LIMIT])
    for pattern, kept in ((_MASKED, r"\1"), (LINKS, " "), (_MENTIONS, " ")):
        shown = pattern.sub(kept, shown)
    shown = _SPACES.sub(" ", shown).strip()
    if _repeats_the_rules(shown) or not _SEEN.search(shown):
        return ""
    return shown if len(shown) <= limit else _cut(shown, limit - 1).rstrip() + "…"


def _cut(text: str, limit: int) -> str:
    """Cut between characters as they are seen, at most `limit` code points in."""
    ends = (seen.end() for seen in _CHARACTER.finditer(text))
    return text[: max((end for end in ends if end <= limit), default=0)]


def _without_markup(text: str) -> str:
    """Take markup and entities off until none is left that a later reader could uncover."""
    for _ in range(_LAYERS):
        plain = _UNSEEN.sub("", _SPACES.sub(" ", strip_markup(text)))
        if plain == text:
            return plain
        text = plain
    return ""


def _repeats_the_rules(text: str) -> bool:
    """Tell whether eight words in a row, or 24 characters with Japanese among them, stand in the rules."""
    words = words_of(text)
    if repeated(words, _RULE_WORDS):
        return True
    letters = "".join(words)
    runs = (letters[at : at + _CHARACTERS] for at in range(len(letters) - _CHARACTERS + 1))
    return any(has_japanese(run) and run in _RULE_LETTERS for run in runs)


_RULE_WORDS: Final = " ".join(words_of(RULES))
_RULE_LETTERS: Final = _RULE_WORDS.replace(" ", "")
