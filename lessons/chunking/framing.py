"""What is embedded for a piece of a document, and for a question: the text behind a frame, the question without a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from lessons.model import DocumentKind

if TYPE_CHECKING:
    from collections.abc import Iterable

FRAME_VERSION: Final = 1_001
"""`Space.card_version` of vectors of documents; far from the versions of mistake cards, whose calibrations share a table.

Count it up with every change of a frame.
"""

_FRAMES: Final = {
    DocumentKind.BACKGROUND: "Learner background: resume, skills, projects, prior experience. ",
    DocumentKind.GOAL: "Learner goal: target, exam, reason, deadline. ",
}
_HONORIFICS: Final = r"(?:[\s\-]*(?:先生|さん|せんせい|様|さま|君|くん|ちゃん|sensei|san|sama|teacher)(?![\p{Ll}]))?"
_CALLS: Final = (
    r"(?:(?:hey|hi|hello|ok|okay|dear|oh|so|well|please|thanks|thank\s+you|by\s+the\s+way|anyway|"
    r"ねえ|ねぇ|あのう?|ええと|えっと|じゃあ|それじゃ|では|さて|それで|ところで|こんにちは|すみません)[\s,、，]+)"
)
_PAUSE: Final = r"[\s]*[,、，:：;；!！?？.。…〜~]+"


def framed(kind: DocumentKind, text: str) -> str:
    """Return what is embedded for a piece: it says by itself what it is about. What is stored stays as it is."""
    return _FRAMES[kind] + text


def query_of(message: str, names: Iterable[str]) -> str:
    """Return what is embedded for a message: the message, without the names that it is addressed to.

    A name is an address at the start, at the end or between pauses, with its "hey" and its "-sensei"; a name that is
    talked about stays. A message that is nothing but an address stays whole.
    """
    named = "|".join(sorted((regex.escape(name.strip()) for name in names if name.strip()), key=len, reverse=True))
    if not named:
        return message.strip()
    left = message
    for pattern, kept in _addresses(named):
        left = pattern.sub(kept, left)
    left = left.strip()
    return left if regex.search(r"[\p{L}\p{N}]", left) else message.strip()


def _addresses(named: str) -> tuple[tuple[regex.Pattern[str], str], ...]:
    """Return where a name is an address, with what stays of the place."""
    name = rf"(?<![\p{{L}}\p{{N}}])(?:{named}){_HONORIFICS}"
    flags = regex.I
    return (
        (regex.compile(rf"\A\s*{_CALLS}?{name}{_PAUSE}\s*", flags), ""),
        (regex.compile(rf"\A\s*{_CALLS}{name}\s+", flags), ""),
        (regex.compile(rf"(?<![\p{{L}}\p{{N}}]){_CALLS}{name}\s*[,、，:：!！]\s*", flags), ""),
        (regex.compile(rf"([,、，])\s*{name}\s*[,、，]", flags), r"\1"),
        (regex.compile(rf"([.。!！?？…])\s*{name}\s*[,、，:：!！]\s*", flags), r"\1 "),
        (regex.compile(rf"\s*[,、，]\s*{name}\s*(?=[.。!！?？…〜~]*\s*\Z)", flags), ""),
        (regex.compile(rf"(?<=[.。!！?？…])\s*{name}\s*[.。!！?？…〜~]*\s*\Z", flags), ""),
    )
