"""What every question to a model and every reply of one share: the gap, parts of speech, one object, rules kept secret."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP: Final = "＿＿＿"
"""What stands for the blank in what a model is shown."""
PARTS_OF_SPEECH: Final = {
    "particle": "助詞",
    "verb": "動詞",
    "i_adjective": "形容詞",
    "na_adjective": "形状詞",
    "auxiliary": "助動詞",
    "noun": "名詞",
    "adverb": "副詞",
    "other": "",
}
"""The model's words for the dictionary's parts of speech."""
RUN: Final = 8
"""So many words in a row that also stand in the rules are a leak of them."""

_SURROGATE: Final = regex.compile(r"\p{Cs}")
_WORD: Final = regex.compile(r"\w+")


def only_object(text: str, limit: int) -> dict[str, object]:
    """Return the one JSON object of a reply of at most `limit` characters, in a fence or amid talk.

    Raises ValueError for none, or several, or one in which a key occurs twice.
    """
    start = text.find("{")
    if start < 0 or len(text) > limit:
        raise ValueError("no JSON object")
    try:
        found, end = json.JSONDecoder(object_pairs_hook=_once).raw_decode(text, start)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "{" in text[end:]:
        raise ValueError("more than one JSON object")
    return dict(found)


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded in case."""
    return _WORD.findall(text.casefold())


def repeated(words: Sequence[str], rules: str) -> str:
    """Return the first RUN words in a row that stand in `rules`, its words joined by single spaces; "" for none."""
    runs = (" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
    return next((run for run in runs if run in rules), "")


def _once(pairs: list[tuple[str, object]]) -> dict[object, object]:
    """Build an object whose keys occur once: of two verdicts neither counts."""
    found = {_whole(key): _whole(value) for key, value in pairs}
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _whole(value: object) -> object:
    """Replace lone surrogates, which JSON can escape and nothing can store."""
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value
