"""What the judge said, held against the schema and cleaned of what must not reach a learner or a card."""

from __future__ import annotations

import json
from typing import Final

import regex

from lessons.judging.asking import FIELDS, NONE, NOT_AN_ANSWER, PARTS_OF_SPEECH, RULES
from lessons.model import Confidence, ErrorType, Judgement, Opinion
from lessons.text import has_japanese, strip_markup

_REPLY_LIMIT: Final = 20_000  # characters; a reply of 800 tokens is far shorter
_FEEDBACK_LIMIT: Final = 300
_DIAGNOSIS_LIMIT: Final = 200
_LAYERS: Final = 4
_WORDS: Final = 8
_CHARACTERS: Final = 24

LINKS: Final = regex.compile(
    r"[a-z][a-z0-9+.\-]*://\S*|\b(?:www\.|mailto:|javascript:|data:)\S+|\bdiscord(?:app)?\s*\.\s*(?:gg|com|me|new)\b\S*"
    r"|(?<![\w@])[\w\-]+(?:\.[\w\-]+)*\.(?:com|net|org|info|biz|io|gg|me|ly|app|dev|xyz|site|online|shop|top|ru|cn|tk"
    r"|jp|de|uk|eu|example)\b(?:[/:?#]\S*)?",
    regex.I,
)
_MENTIONS: Final = regex.compile(r"<[@#&!:/tTaA][^<>\s]*[^<>]*>?|[@＠]\s*(?:everyone|here)\b|[@＠]\S+", regex.I)
_MASKED: Final = regex.compile(r"\[([^\[\]]*)\]\s*\([^()]*\)")
_UNSEEN: Final = regex.compile(r"[\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}\uFE00-\uFE0F\uFFFC\uFFFD]|\|\|")
_SPACES: Final = regex.compile(r"\s+")
_WORD: Final = regex.compile(r"\w+")


def parse(text: str) -> Judgement:
    """Read a judgement out of a reply: one JSON object that follows the schema, whatever is said around it.

    A part of speech outside the list is dropped, since no verdict hangs on it. Raises ValueError.
    """
    found = only_object(text)
    if set(found) != set(FIELDS):
        raise ValueError("other fields than the schema's")
    said = {name: value for name, value in found.items() if isinstance(value, str)}
    if len(said) < len(found):
        raise ValueError("a field is no text")
    opinion, kind = Opinion(said["verdict"]), said["error_type"]
    error_type = None if kind in {NONE, NOT_AN_ANSWER} else ErrorType(kind)
    attempt = kind != NOT_AN_ANSWER
    opinion = opinion if attempt else Opinion.INCORRECT
    part = said["part_of_speech"]
    return Judgement(
        opinion=opinion,
        error_type=error_type if opinion is Opinion.INCORRECT else None,
        part_of_speech=PARTS_OF_SPEECH.get(part, part if part in PARTS_OF_SPEECH.values() else ""),
        diagnosis=_presentable(said["diagnosis"], _DIAGNOSIS_LIMIT),
        feedback=_presentable(said["feedback"], _FEEDBACK_LIMIT),
        confidence=Confidence(said["confidence"]),
        attempt=attempt,
    )


def only_object(text: str) -> dict[str, object]:
    """Return the one JSON object of a reply, in a fence or amid talk. Raises ValueError for none, or several."""
    start = text.find("{")
    if start < 0 or len(text) > _REPLY_LIMIT:
        raise ValueError("no JSON object")
    try:
        found, end = json.JSONDecoder(object_pairs_hook=_once).raw_decode(text, start)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "{" in text[end:]:
        raise ValueError("more than one JSON object")
    return dict(found)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build an object whose keys occur once: of two verdicts neither counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _presentable(text: str, limit: int) -> str:
    """Return a text on one line without links, mentions and hidden characters, "" when it repeats the rules."""
    shown = _without_markup(text)
    for pattern, kept in ((_MASKED, r"\1"), (LINKS, " "), (_MENTIONS, " ")):
        shown = pattern.sub(kept, shown)
    shown = _SPACES.sub(" ", shown).strip()
    if _repeats_the_rules(shown):
        return ""
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


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
    words = _WORD.findall(text.casefold())
    if any(" ".join(words[at : at + _WORDS]) in _RULE_WORDS for at in range(len(words) - _WORDS + 1)):
        return True
    letters = "".join(words)
    runs = (letters[at : at + _CHARACTERS] for at in range(len(letters) - _CHARACTERS + 1))
    return any(has_japanese(run) and run in _RULE_LETTERS for run in runs)


_RULE_WORDS: Final = " ".join(_WORD.findall(RULES.casefold()))
_RULE_LETTERS: Final = _RULE_WORDS.replace(" ", "")
