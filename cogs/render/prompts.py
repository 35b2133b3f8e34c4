"""A question as every message draws it."""

from __future__ import annotations

from typing import Final

from cogs.ui.escape import safe
from lessons.model import BLANK

GAP: Final = "＿＿＿"


def gapped(prompt: str, limit: int) -> str:
    """Draw a prompt with its blank as a gap that no markdown touches; each side has `limit` characters at most."""
    before, blank, after = prompt.partition(BLANK)
    return f"{safe(before, limit)}{GAP if blank else ''}{safe(after, limit)}"
