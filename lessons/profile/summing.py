"""A profile that no model had a hand in: first sentences of the documents, and counts of what was right and wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

import regex

from lessons.model import ErrorType, Origin, ProfileField, ProfileLine
from lessons.profile.building import LIMITS
from lessons.profile.cleaning import bounded, is_order, one_line, sentences_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lessons.model import Document

Key = TypeVar("Key")

NAMES: Final[Mapping[ErrorType, str]] = MappingProxyType(
    {
        ErrorType.PARTICLE: "particles",
        ErrorType.CONJUGATION: "verb and adjective forms",
        ErrorType.VOCABULARY: "vocabulary",
        ErrorType.WORD_ORDER: "word order",
        ErrorType.TENSE: "tense",
        ErrorType.POLITENESS: "politeness",
        ErrorType.KANJI_KANA: "spelling",
        ErrorType.MISSING: "parts left out",
        ErrorType.OTHER: "other points",
    }
)

_SHOWN: Final = 3  # kinds, and pairs of each
_PAIR: Final = 12  # characters of an answer that is short enough to name
_OFTEN: Final = 2  # times from which a confusion is one
_FIRSTS: Final = 10  # first tries below which their share says nothing
_READ: Final = 6_000  # characters of a document that are looked through
_SHORTEST: Final = 12  # bytes of a line that can be a sentence: four characters of Japanese
_NAME: Final = 40

_DIGITS: Final = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)"
_YEARS: Final = regex.compile(
    rf"\b{_DIGITS}\+?\s+years?\s+(?:of|as|in|at)\b|\bsince\s+(?:19|20)\d\d\b|\b(?:I|have)\s+(?:worked|work|studied|study)\b"
    r"|年.{0,20}(?:働|勤め|勤務|勉強|専攻|経験)|卒業",
    regex.I,
)
_NEEDS: Final = regex.compile(
    r"\b(?:need|must|have\s+to|require[ds]?|requirements?|asks?\s+for|deadline|by\s+(?:the\s+end|\d))\b|必要|求められ|なければ|締め?切|期限|以上",
    regex.I,
)
_PROJECTS: Final = (
    regex.compile(
        r"\b[Pp]roject\s+(?:called\s+|named\s+)?[\"“]?((?:\p{Lu}[\p{L}\p{N}\-]*)(?:[ ]\p{Lu}[\p{L}\p{N}\-]*){0,3})"
    ),
    regex.compile(r"\b(?:called|named)\s+[\"“]?((?:\p{Lu}[\p{L}\p{N}\-]*)(?:[ ]\p{Lu}[\p{L}\p{N}\-]*){0,3})"),
    regex.compile(
        r"「([^「」\n]{1,40})」(?:と名付け|と名づけ|と呼|という(?:アプリ|システム|プロジェクト|サイト|サービス|表|道具))"
    ),
    regex.compile(r"プロジェクト[「『]([^「」『』\n]{1,40})[」』]"),
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a learner's answers say: mistakes by kind, (kind, reference, typed) how often, and first tries."""

    kinds: Mapping[ErrorType, int] = field(default_factory=lambda: MappingProxyType({}))
    pairs: Mapping[tuple[ErrorType, str, str], int] = field(default_factory=lambda: MappingProxyType({}))
    first_tries: int = 0
    first_right: int = 0


def summary(goals: Sequence[Document], backgrounds: Sequence[Document], counts: Statistics) -> list[ProfileLine]:
    """Return a line for each field that anything is known of, from documents (the newest first) and counts."""
    about, wanted = _sentences(backgrounds), _sentences(goals)
    opening, target = about[:1], _those_that_fit(wanted[:2], ProfileField.TARGET)
    said = {
        ProfileField.OVERVIEW: _quoted(opening, ProfileField.OVERVIEW),
        ProfileField.TARGET: _quoted(target, ProfileField.TARGET),
        ProfileField.STRENGTHS: _strengths(counts),
        ProfileField.GAPS: _gaps(counts),
        ProfileField.FOCUS: _focus(counts),
        ProfileField.PROJECTS: _projects(backgrounds),
        ProfileField.EXPERIENCE: _quoted(_those(_openings(backgrounds), _YEARS, opening), ProfileField.EXPERIENCE),
        ProfileField.REQUIREMENTS: _quoted(_those(wanted, _NEEDS, target), ProfileField.REQUIREMENTS),
    }
    return [ProfileLine(name, line, Origin.SUMMARY) for name, line in said.items() if line]


def _sentences(documents: Sequence[Document]) -> list[str]:
    """Return the first sentences of documents as plain lines; headings and what gives orders are left out."""
    found = []
    for document in documents:
        lines = (one_line(line) for line in document.text[:_READ].splitlines())
        found += [piece for line in lines for piece in sentences_of(line)]
    return [piece for piece in found if len(piece.encode()) >= _SHORTEST and not is_order(piece)]


def _those(sentences: Iterable[str], about: regex.Pattern[str], but: Sequence[str]) -> list[str]:
    return [one for one in sentences if about.search(one) and one not in but][:1]


def _openings(documents: Sequence[Document]) -> list[str]:
    """Return the first sentence of each line: what follows it tells how something works, which is detail."""
    each = (
        _sentences([replace(document, text=line)])[:1] for document in documents for line in document.text[:_READ].splitlines())  # fmt: skip
    return [one for first in each for one in first]


def _those_that_fit(sentences: Sequence[str], name: ProfileField) -> list[str]:
    """Return as many sentences as fit together; the first one at any price."""
    kept = list(sentences)
    while len(kept) > 1 and len(" ".join(kept)) > LIMITS[name]:
        kept.pop()
    return kept


def _quoted(sentences: Sequence[str], name: ProfileField) -> str:
    return bounded(
        "".join(f"{one} " if one.isascii() or one[-1] not in "。！？" else one for one in sentences).strip(),
        LIMITS[name],
    )


def _strengths(counts: Statistics) -> str:
    if counts.first_tries < _FIRSTS:
        return ""
    share = 100 * counts.first_right / counts.first_tries
    return f"{share:.0f} % of {counts.first_tries} first tries right"


def _gaps(counts: Statistics) -> str:
    """Say what is mixed up: "particles: は for が 12 times"."""
    parts = []
    for kind, often in _most(counts.kinds):
        pairs = _most(
            {(right, wrong): times for (of, right, wrong), times in counts.pairs.items() if of is kind},
            lambda pair, times: times >= _OFTEN and _is_short(*pair),
        )
        named = ", ".join(f"{one_line(wrong)} for {one_line(right)} {times} times" for (right, wrong), times in pairs)
        parts.append(f"{NAMES[kind]}: {named or _times(often)}")
    return _fitting(parts, ProfileField.GAPS)


def _is_short(right: str, wrong: str) -> bool:
    return all(0 < len(one_line(side)) <= _PAIR for side in (right, wrong))


def _focus(counts: Statistics) -> str:
    return _fitting([f"{NAMES[kind]} ({_times(often)})" for kind, often in _most(counts.kinds)], ProfileField.FOCUS)


def _times(often: int) -> str:
    return "1 mistake" if often == 1 else f"{often} mistakes"


def _most(
    counted: Mapping[Key, int], wanted: Callable[[Key, int], bool] = lambda _key, times: times > 0
) -> list[tuple[Key, int]]:
    """Return what is counted most, at most three."""
    found = [(key, times) for key, times in counted.items() if wanted(key, times)]
    return sorted(found, key=lambda entry: -entry[1])[:_SHOWN]


def _projects(backgrounds: Sequence[Document]) -> str:
    """Name projects, and say nothing else of them: how they work is detail, which has to be asked for."""
    names: dict[str, None] = {}
    for document in backgrounds:
        text = document.text[:_READ]
        found = sorted((hit.start(), hit[1]) for pattern in _PROJECTS for hit in pattern.finditer(text))
        names |= {name: None for _, raw in found if 0 < len(name := one_line(raw)) <= _NAME and not is_order(name)}
    return _fitting(list(names), ProfileField.PROJECTS, ", ")


def _fitting(parts: Sequence[str], name: ProfileField, between: str = "; ") -> str:
    """Put parts together, as many as fit whole."""
    line = ""
    for part in parts:
        longer = f"{line}{between}{part}" if line else part
        if len(longer) > LIMITS[name]:
            break
        line = longer
    return line
