"""Forms contracted as in speech where the written form is asked: 増えてる for 増えている, 準備しとく for 準備しておく."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lessons.grading.spelling import Spelling

_ENDINGS: Final = frozenset({"接続助詞", "助動詞"})
_CONTRACTIONS: Final = tuple(
    (regex.compile(full), short)
    for full, short in (
        (r"(?<=[てで])い(?=[るたなまてれろよ])", ""),
        (r"(?<=[てで])い(?=[くっきかけこ])", ""),
        (r"ておい(?=[てた])", "とい"),
        (r"でおい(?=[てた])", "どい"),
        (r"てお(?=[くきかけこ])", "と"),
        (r"でお(?=[くきかけこ])", "ど"),
        (r"てしま(?=[うわいっえお])", "ちゃ"),
        (r"でしま(?=[うわいっえお])", "じゃ"),
        ("なければ", "なきゃ"),
        ("なくては", "なくちゃ"),
        ("ては", "ちゃ"),
        ("では", "じゃ"),
        ("れば", "りゃ"),
    )
)


def is_spoken(typed: Spelling, accepted: Spelling) -> bool:
    """Tell whether a text is an accepted form of a verb or adjective, contracted at one place or at all of them."""
    if not any(_ENDINGS.intersection(word.pos[:2]) for word in accepted.words):
        return False
    return any(typed.text in _contracted(text) for text in (accepted.text, *accepted.certain))


def _contracted(text: str) -> Iterator[str]:
    shorter = [made for pattern, short in _CONTRACTIONS if (made := pattern.sub(short, text)) != text]
    yield from shorter
    if len(shorter) > 1:
        yield reduce(lambda made, rule: rule[0].sub(rule[1], made), _CONTRACTIONS, text)
