"""What every embedder is given: folded, bounded text without the characters that break tokenizers."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category, normalize

LONGEST: Final = 2_000
"""Characters of a text that are embedded; what follows does not count."""

_APART: Final = 3 * LONGEST  # taken apart, a character of ordinary text has three parts at most (Hangul)
_BREAKING: Final = re.compile("[\x00\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the text in NFKC without NUL and lone surrogates, LONGEST characters at most; twice is once."""
    return normalize("NFKC", _BREAKING.sub("", text)[:_APART])[:LONGEST]


def is_blank(text: str) -> bool:
    """Tell whether there is nothing to see: spaces, controls, invisible and unassigned characters only."""
    return all(category(character)[0] in "CZ" for character in text)
