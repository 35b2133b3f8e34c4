"""Where a wrong answer differs: a diff of what was typed, and a name for the slips that teachers name."""

from __future__ import annotations

import unicodedata
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

import regex

from lessons.grading.sounds import shorten
from lessons.model import DiffKind, DiffPart, Remark
from lessons.text import fold, tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

CLOSE: Final = 0.5
"""Share of common characters (difflib's ratio, 0 to 1) from which a diff says more than the two answers alone."""

_LONGEST: Final = 200  # clusters: beyond, a diff is no help and difflib is slow
_LARGE: Final = str.maketrans("ぁぃぅぇぉっゃゅょゎ", "あいうえおつやゆよわ")
_MARKS: Final = regex.compile(r"[\u3099\u309A]")
_CLUSTER: Final = regex.compile(r"\X")


def named_slip(typed: str, expected: str) -> Remark | None:
    """Name the slip when it is the only difference of two folded kana texts, else None.

    A single kana is a word of its own (か and が are two particles), so its slips have no name.
    """
    if typed == expected or min(len(typed), len(expected)) < 2:  # noqa: PLR2004
        return None
    if _large(typed) == _large(expected) or _large(typed.replace("っ", "")) == _large(expected.replace("っ", "")):
        return Remark.SMALL_KANA
    if _unmarked(typed) == _unmarked(expected):
        return Remark.VOICING
    return Remark.LONG_VOWEL if shorten(typed) == shorten(expected) else None


def nearness(typed: str, expected: str) -> float:
    """Return how much of two folded texts is common, from 0 to 1; 0 when either is too long to tell."""
    if max(len(typed), len(expected)) > _LONGEST:
        return 0.0
    return SequenceMatcher(None, typed, expected, autojunk=False).ratio()


def difference(typed: str, expected: str) -> tuple[DiffPart, ...]:
    """Return the diff of two texts as written, () when they are not close enough for one to help.

    Characters that fold together count as the same and are shown as typed; SAME and EXTRA parts joined are the
    tidy typed text.
    """
    left, right = _clusters(typed), _clusters(expected)
    if not left or max(len(left), len(right)) > _LONGEST:
        return ()
    matcher = SequenceMatcher(None, _keys(left), _keys(right), autojunk=False)
    if matcher.ratio() < CLOSE:
        return ()
    parts: list[DiffPart] = []
    for kind, start, end, from_, to in matcher.get_opcodes():
        if kind == "equal":
            parts.append(DiffPart(DiffKind.SAME, "".join(left[start:end])))
            continue
        if end > start:
            parts.append(DiffPart(DiffKind.EXTRA, "".join(left[start:end])))
        if to > from_:
            parts.append(DiffPart(DiffKind.MISSING, "".join(right[from_:to])))
    return tuple(parts)


def _clusters(text: str) -> list[str]:
    return _CLUSTER.findall(tidy(text))


def _keys(clusters: Sequence[str]) -> list[str]:
    return [fold(cluster) or cluster for cluster in clusters]


def _large(text: str) -> str:
    return text.translate(_LARGE)


def _unmarked(text: str) -> str:
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
