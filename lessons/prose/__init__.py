"""What people paste or upload becomes running text: plain text, subtitles, and which of them it is."""

from __future__ import annotations

from lessons.prose.kinds import TextKind, kind_of, language_of
from lessons.prose.lines import LONGEST
from lessons.prose.plain import from_text
from lessons.prose.subtitles import LONGEST_FILE, from_srt, from_vtt

__all__ = ["LONGEST", "LONGEST_FILE", "TextKind", "from_srt", "from_text", "from_vtt", "kind_of", "language_of"]
